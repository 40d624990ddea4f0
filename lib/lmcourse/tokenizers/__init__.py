"""Text to numbers and back."""

from lmcourse.tokenizers.bpe import GPT2_PATTERN, BPETokenizer
from lmcourse.tokenizers.saving import (
    Tokenizer,
    load_tokenizer,
    save_tokenizer,
    tokenizer_from_dict,
    tokenizer_to_dict,
)
from lmcourse.tokenizers.stream_decoder import StreamDecoder
from lmcourse.tokenizers.vocabulary import Vocabulary
from lmcourse.tokenizers.wordpiece import WordPiece, fewest_pieces
from lmcourse.tokenizers.words import split_sentences, split_words

__all__ = [
    "GPT2_PATTERN",
    "BPETokenizer",
    "StreamDecoder",
    "Tokenizer",
    "Vocabulary",
    "WordPiece",
    "fewest_pieces",
    "load_tokenizer",
    "save_tokenizer",
    "split_sentences",
    "split_words",
    "tokenizer_from_dict",
    "tokenizer_to_dict",
]
