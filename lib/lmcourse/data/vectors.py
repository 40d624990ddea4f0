"""Pretrained word vectors: a list of words, and one row of numbers for each."""

import numpy as np

from lmcourse import checks
from lmcourse.data.fetching import fetch
from lmcourse.data.registry import DataUnavailableError
from lmcourse.extras import needs

_TABLE = "glove_6B_50d_emb.npy"
_INDEX = "glove_6B_index.parquet"


def load_word_vectors(*, limit: int | None = None) -> tuple[list[str], np.ndarray]:
    """Return GloVe's words, the most frequent first, and their vectors; fetch them first if they are not here.

    The word list is a Parquet file, read with arro3, a reader of 12 MB (pyarrow has 55); it is imported only here.

    Args:
        limit: keep the most frequent words only; None keeps all 400,000. The rows beyond are not read.

    Returns:
        words, lower case, and vectors (V, 50), float32, not scaled to any length.

    Raises:
        ValueError: `limit` is below 1.
        DataUnavailableError: the files are not on this machine and could not be fetched, or the reader is missing.

    Source: Pennington, Socher and Manning, "GloVe: global vectors for word representation", 2014; trained on 6 billion
    words of Wikipedia and newspapers.
    """
    if limit is not None:
        checks.whole(at_least=1, limit=limit)
    home = fetch("word-vectors")
    try:
        with needs("lab", "reading the word list, a Parquet file,"):
            from arro3.io import read_parquet
    except ModuleNotFoundError as error:
        raise DataUnavailableError(f"word-vectors is here and cannot be read: {error}") from error
    words = list(map(str, read_parquet(str(home / _INDEX)).read_all().column("index").to_pylist()))
    table = np.load(home / _TABLE, mmap_mode="r", allow_pickle=False)
    if len(words) != len(table):
        raise DataUnavailableError(f"word-vectors has {len(words)} words, but {len(table)} vectors.")
    return words[:limit], np.array(table[:limit], dtype=np.float32)
