"""Reading a text as it comes, and counting it in blocks: the same numbers as in one piece, in little memory."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcourse.models import ngram_counts
from lmcourse.models.ngram import NGramModel
from lmcourse.models.ngram_counts import count_ngrams, read_text

words = st.sampled_from(["a", "b", "c", "dd", "é"])
corpora = st.lists(st.lists(words, max_size=7), min_size=1, max_size=23).filter(any)


def one_by_one(corpus):
    """Generators all the way down, each read once."""
    return ((word for word in sentence) for sentence in corpus)


def test_ids_by_hand():
    vocabulary, ids, begins = read_text([["b", "a", "b"], [], "ab"], min_count=2)
    assert vocabulary.tokens == ("<unk>", "<s>", "</s>", "b", "a")
    assert vocabulary.counts == {"b": 3, "a": 2}
    assert ids.tolist() == [1, 3, 4, 3, 2, 1, 2, 1, 4, 3, 2]
    assert begins.tolist() == [0, 5, 7]


@settings(deadline=None, max_examples=60)
@given(corpora, st.integers(1, 4), st.integers(1, 3))
def test_generators_give_the_model_of_lists(corpus, order, min_count):
    order = min(order, max(map(len, corpus)) + 2)
    model = NGramModel(order).fit(corpus, min_count=min_count)
    streamed = NGramModel(order).fit(one_by_one(corpus), min_count=min_count)
    assert streamed.vocabulary.tokens == model.vocabulary.tokens
    assert streamed.vocabulary.counts == model.vocabulary.counts
    assert streamed.num_ngrams == model.num_ngrams
    np.testing.assert_array_equal(streamed.score(one_by_one(corpus)), model.score(corpus))


@settings(deadline=None, max_examples=100)
@given(corpora, st.integers(1, 5), st.integers(1, 11))
def test_blocks_of_any_size_give_the_same_counts(corpus, order, block):
    vocabulary, ids, _ = read_text(corpus, min_count=1)
    whole = count_ngrams(ids, order, width=len(vocabulary), start=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngram_counts, "BLOCK", block)
        _, ids_again, _ = read_text(corpus, min_count=1)
        in_blocks = count_ngrams(ids, order, width=len(vocabulary), start=1)
    assert ids_again.tolist() == ids.tolist()
    for one, other in zip(whole, in_blocks, strict=True):
        assert one.keys.tolist() == other.keys.tolist()
        assert one.counts.tolist() == other.counts.tolist()
        assert one.suffixes.tolist() == other.suffixes.tolist()


def test_a_text_is_read_once_and_no_further_than_an_error():
    read = []

    def sentences():
        for sentence in (["a", "b"], ["c", 7], ["d"]):
            read.append(sentence)
            yield sentence

    with pytest.raises(TypeError, match="`sentences` must hold words that are str, got 7"):
        NGramModel(2).fit(sentences())
    assert len(read) == 3


def test_a_failure_in_the_text_itself_comes_through():
    def sentences():
        yield ["a"]
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        NGramModel(2).fit(sentences())


def test_threads_share_a_model():
    corpus = [f"{a} {b} {c}".split() for a in "abc" for b in "abcd" for c in "abcde"] * 3
    model = NGramModel(3).fit(corpus)
    expected = [model.logprob(sentence) for sentence in corpus]
    fresh = NGramModel(3).fit(corpus)  # its views for single look-ups are not made yet
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(lambda: [fresh.logprob(sentence) for sentence in corpus]) for _ in range(8)]
        assert all(job.result() == expected for job in jobs)


MEMORY = """
import random, resource, sys

from lmcourse.models.ngram import NGramModel

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

def sentences(size):  # fresh strings, as from a file; the words of a line are drawn alike, many pairs are new
    generator = random.Random(5)
    words = [f"word{number}" for number in range(20_000)]
    while size > 0:
        line = " ".join(words[int(20_000 * generator.random() ** 3)] for _ in range(11))
        size -= len(line) + 1
        yield line.split()

model = NGramModel(2).fit(sentences(int(sys.argv[1])))
print(peak(), model.nbytes)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in kilobytes on Linux only")
def test_fitting_takes_little_more_memory_than_the_tables():
    """120 MB of text, 14 million words and 10 million pairs, in less than 1 GB with Python and torch."""
    ran = subprocess.run([sys.executable, "-c", MEMORY, "120_000_000"], capture_output=True, text=True, check=True)
    taken, tables = map(int, ran.stdout.split())
    assert tables > 180e6
    assert taken < 1e9
