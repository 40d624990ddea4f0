"""The plainest tokenizer: words and punctuation marks, sentences at full stops."""

import regex

_WORD = regex.compile(r"\p{L}+(?:['’-]\p{L}+)*|\p{N}+|[^\s\p{L}\p{N}]")
_SENTENCE_ENDS = frozenset(".!?")


def split_words(text: str, *, lowercase: bool = True) -> list[str]:
    """Return the words, numbers and punctuation marks of a text in order; white space is dropped.

    An apostrophe or hyphen between letters stays inside its word: "o'er", "mother-in-law".

    >>> split_words("Who's there? Nay, answer me!")
    ["who's", 'there', '?', 'nay', ',', 'answer', 'me', '!']
    """
    _check_text(text)
    return _WORD.findall(text.lower() if lowercase else text)


def split_sentences(text: str, *, lowercase: bool = True) -> list[list[str]]:
    """Return the sentences of a text as lists of words; ".", "!" and "?" end a sentence and belong to it.

    An empty line ends one too, so that headings do not run into what follows. Abbreviations are cut like sentences:
    for counting words this is exact enough.

    >>> split_sentences("Who's there? Nay, answer me")
    [["who's", 'there', '?'], ['nay', ',', 'answer', 'me']]
    """
    _check_text(text)
    sentences: list[list[str]] = []
    for paragraph in regex.split(r"\n\s*\n", text):
        sentence: list[str] = []
        for word in split_words(paragraph, lowercase=lowercase):
            sentence.append(word)
            if word in _SENTENCE_ENDS:
                sentences.append(sentence)
                sentence = []
        if sentence:
            sentences.append(sentence)
    return sentences


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise TypeError(f"`text` must be a str, got {type(text).__name__}.")
