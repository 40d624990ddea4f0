"""Text to numbers and back."""

from lmcourse.tokenizers.bpe import GPT2_PATTERN, BPETokenizer
from lmcourse.tokenizers.vocabulary import Vocabulary
from lmcourse.tokenizers.wordpiece import WordPiece, fewest_pieces
from lmcourse.tokenizers.words import split_sentences, split_words

__all__ = [
    "GPT2_PATTERN",
    "BPETokenizer",
    "Vocabulary",
    "WordPiece",
    "fewest_pieces",
    "split_sentences",
    "split_words",
]
