"""Answers to chapter 07, written from its page alone."""

ANSWERS = [
    # utf8_bytes
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "shifts and masks, one branch for each row of the table",
        "source": """
def utf8_bytes(code_point):
    n = code_point
    if not 0 <= n <= 0x10FFFF:
        raise ValueError(f"no character has the number {n}")
    if n < 0x80:
        return [n]
    if n < 0x800:
        return [0xC0 | n >> 6, 0x80 | n & 0x3F]
    if n < 0x10000:
        return [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
    return [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
""",
    },
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "strings of bits, cut into groups",
        "source": """
def utf8_bytes(code_point):
    for limit, after, mark in (0x7F, 0, "0"), (0x7FF, 1, "110"), (0xFFFF, 2, "1110"), (0x10FFFF, 3, "11110"):
        if 0 <= code_point <= limit:
            bits = format(code_point, "b").zfill(8 - len(mark) + 6 * after)
            head, tail = bits[: 8 - len(mark)], bits[8 - len(mark) :]
            groups = [mark + head] + ["10" + tail[i : i + 6] for i in range(0, len(tail), 6)]
            return [int(group, 2) for group in groups]
    raise ValueError(code_point)
""",
    },
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "Python's own encoder, after a check",
        "source": """
def utf8_bytes(code_point):
    if code_point < 0 or code_point > 0x10FFFF:
        raise ValueError("out of range")
    return list(chr(code_point).encode("utf-8"))
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "chr raises an OverflowError for huge numbers; 'ValueError: below 0 or above 0x10FFFF'",
        "source": """
def utf8_bytes(code_point):
    return list(chr(code_point).encode())
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "the borders belong to the row above: 0x7F, 0x7FF, 0xFFFF get a byte too many",
        "source": """
def utf8_bytes(code_point):
    n, tail = code_point, []
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
    after = sum(n >= limit for limit in (0x7F, 0x7FF, 0xFFFF))
    for _ in range(after):
        n, low = divmod(n, 64)
        tail.insert(0, 128 + low)
    return [(0, 192, 224, 240)[after] + n, *tail]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "a ValueError for 0x10FFFF, the last number that is legal",
        "source": """
def utf8_bytes(code_point):
    if code_point not in range(0x10FFFF):
        raise ValueError(code_point)
    return list(chr(code_point).encode("utf-8"))
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "the bytes after the first come with the lowest bits first; 'The highest bits of n come first'",
        "source": """
def utf8_bytes(code_point):
    n, tail = code_point, []
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
    after = sum(n >= limit for limit in (0x80, 0x800, 0x10000))
    for _ in range(after):
        n, low = divmod(n, 64)
        tail.append(128 + low)
    return [(0, 192, 224, 240)[after] + n, *tail]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "a loop that stops when the rest is below 64, though the first byte may have no room for it",
        "source": """
def utf8_bytes(code_point):
    n, tail = code_point, []
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
    if n < 0x80:
        return [n]
    while n >= 64:
        tail.insert(0, 0x80 | n & 0x3F)
        n >>= 6
    return [(0xC0, 0xE0, 0xF0)[len(tail) - 1] | n, *tail]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "code points above 0xFFFF as two surrogates of three bytes each; four bytes by the table",
        "source": """
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
    if n < 0x10000:
        return list(chr(n).encode("utf-8", "surrogatepass"))
    n -= 0x10000
    return utf8_bytes(0xD800 + (n >> 10)) + utf8_bytes(0xDC00 + (n & 0x3FF))
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "a bytes object; 'A list of one to four ints'",
        "source": """
def utf8_bytes(code_point):
    if not 0 <= code_point <= 0x10FFFF:
        raise ValueError(code_point)
    return chr(code_point).encode("utf-8")
""",
    },
    # split_pieces
    {
        "task": "split_pieces",
        "right": True,
        "why": "the pattern of the paper's code",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": True,
        "why": "finditer with a verbose pattern, endings grouped",
        "source": r"""
import regex

PIECE = regex.compile(
    r'''
    '(?: [stmd] | re | ve | ll )
    | [ ]? (?: \p{L}+ | \p{N}+ | [^\s\p{L}\p{N}]+ )
    | \s+ (?!\S)
    | \s+
    ''',
    regex.VERBOSE,
)

def split_pieces(text):
    return [found.group() for found in PIECE.finditer(text)]
""",
    },
    {
        "task": "split_pieces",
        "right": True,
        "why": "by hand: runs of one class, read from the left",
        "source": r"""
import regex

def kind(sign):
    for name, pattern in ("L", r"\p{L}"), ("N", r"\p{N}"), ("S", r"\s"):
        if regex.match(pattern, sign):
            return name
    return "O"


def split_pieces(text):
    kinds, pieces, i = [kind(c) for c in text], [], 0
    while i < len(text):
        ending = next((e for e in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d") if text.startswith(e, i)), None)
        first = i + 1 if text[i] == " " and i + 1 < len(text) and kinds[i + 1] != "S" else i
        j = first
        while j < len(text) and kinds[j] == kinds[first]:
            j += 1
        if ending:
            j = i + len(ending)
        elif kinds[first] == "S" and j < len(text) and j - i > 1:
            j -= 1
        pieces.append(text[i:j])
        i = j
    return pieces
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "the alternative with (?!\\S) is missing: a run of spaces takes the last one, too",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "capital endings are cut off as well; '(small letters)'",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "\\d has decimal digits only: fractions, Roman numerals and raised digits are \\p{N}, too",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\d+| ?[^\s\p{L}\d]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "any white space may stand before a run; 'with one space before it'",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d|\s?\p{L}+|\s?\p{N}+|\s?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "\\w holds the underscore, so it belongs to no alternative and is lost; 'joined they are the text'",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\w\s]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "the endings come after the run of other signs, which takes the apostrophe away; 'in this order'",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|'s|'t|'re|'ve|'m|'ll|'d|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "combining marks are counted as letters (\\p{M}); letters are \\p{L} only",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(
        r"'s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}\p{M}]+| ?\p{N}+| ?[^\s\p{L}\p{M}\p{N}]+|\s+(?!\S)|\s+", text
    )
""",
    },
    # count_pairs
    {
        "task": "count_pairs",
        "right": True,
        "why": "zip(strict=True), which raises the ValueError itself; a Counter",
        "source": """
def count_pairs(words, counts):
    pairs = Counter()
    for word, count in zip(words, counts, strict=True):
        for pair in zip(word, word[1:]):
            pairs[pair] += count
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "indices and dict.get",
        "source": """
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError(f"{len(words)} words, {len(counts)} counts")
    found = {}
    for w in range(len(words)):
        for i in range(len(words[w]) - 1):
            pair = (words[w][i], words[w][i + 1])
            found[pair] = found.get(pair, 0) + counts[w]
    return found
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "pairwise, each word weighed in turn, in a defaultdict",
        "source": """
def count_pairs(words, counts):
    if len(counts) - len(words):
        raise ValueError("lengths")
    total = defaultdict(int)
    for word, times in zip(words, counts):
        for pair, n in Counter(itertools.pairwise(word)).items():
            total[pair] += n * times
    return total
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "a pair that stands twice in a word is counted once",
        "source": """
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    pairs = Counter()
    for word, count in zip(words, counts):
        for pair in set(zip(word, word[1:])):
            pairs[pair] += count
    return dict(pairs)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "overlapping pairs are skipped, as in a merge; 'Pairs may overlap'",
        "source": """
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    pairs = Counter()
    for word, count in zip(words, counts):
        last = {}
        for i, pair in enumerate(zip(word, word[1:])):
            if last.get(pair) != i - 1:
                pairs[pair] += count
                last[pair] = i
    return dict(pairs)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "zip stops at the shorter list; 'ValueError: the two lists differ in length'",
        "source": """
def count_pairs(words, counts):
    pairs = defaultdict(int)
    for word, count in zip(words, counts):
        for a, b in zip(word, word[1:]):
            pairs[a, b] += count
    return dict(pairs)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "the words are laid end to end: pairs 'never reach from one word into the next'",
        "source": """
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    tokens = [(token, count) for word, count in zip(words, counts) for token in word]
    pairs = Counter()
    for (a, n), (b, _) in zip(tokens, tokens[1:]):
        pairs[a, b] += n
    return dict(pairs)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "(a, b) and (b, a) are counted as one; a pair is 'a tuple of two tokens'",
        "source": """
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    pairs = Counter()
    for word, count in zip(words, counts):
        for a, b in zip(word, word[1:]):
            pairs[min(a, b), max(a, b)] += count
    return dict(pairs)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "each word counts once: how often it occurs is not used",
        "source": """
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    return dict(Counter(pair for word in words for pair in zip(word, word[1:])))
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "a ValueError where there are no words at all: two empty lists have the same length",
        "source": """
def count_pairs(words, counts):
    if not words or len(words) != len(counts):
        raise ValueError("lengths")
    pairs = Counter()
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] += count
    return dict(pairs)
""",
    },
    # update_counts
    {
        "task": "update_counts",
        "right": True,
        "why": "the pairs before taken away, those after added, zeros left out",
        "source": """
def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError(f"{pair} is not in {word}")
    after, i = [], 0
    while i < len(word):
        if tuple(word[i : i + 2]) == pair:
            after.append(pair[0] + pair[1])
            i += 2
        else:
            after.append(word[i])
            i += 1
    new = dict(counts)
    for p in zip(word, word[1:]):
        new[p] -= count
    for p in zip(after, after[1:]):
        new[p] = new.get(p, 0) + count
    return {p: n for p, n in new.items() if n}
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "Counters, added and subtracted; the plus sign drops what is 0",
        "source": """
def update_counts(counts, word, pair, count):
    if all(two != pair for two in itertools.pairwise(word)):
        raise ValueError("the word does not hold the pair")
    out, waits = [], False
    for token in word:
        if waits and token == pair[1]:
            out[-1], waits = pair[0] + pair[1], False
        else:
            out.append(token)
            waits = token == pair[0]
    new = Counter(counts)
    new.subtract(list(itertools.pairwise(word)) * count)
    new.update(list(itertools.pairwise(out)) * count)
    return +new
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "the change of each pair first, by recursion; then the sum of both",
        "source": """
def merged(word, pair):
    if len(word) < 2:
        return list(word)
    if (word[0], word[1]) == pair:
        return [word[0] + word[1], *merged(word[2:], pair)]
    return [word[0], *merged(word[1:], pair)]


def update_counts(counts, word, pair, count):
    after = merged(word, pair)
    if after == word:
        raise ValueError("nothing to merge")
    change = defaultdict(int)
    for sign, tokens in (-count, word), (count, after):
        for a, b in zip(tokens, tokens[1:]):
            change[a, b] += sign
    totals = ((p, counts.get(p, 0) + change.get(p, 0)) for p in {*counts, *change})
    return {p: n for p, n in totals if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "the merged pair is taken out whole, also what other words have of it",
        "source": """
def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("pair")
    after, i = [], 0
    while i < len(word):
        hit = tuple(word[i : i + 2]) == pair
        after.append(b"".join(pair) if hit else word[i])
        i += 1 + hit
    new = Counter(counts)
    for p in zip(word, word[1:]):
        new[p] -= count
    for p in zip(after, after[1:]):
        new[p] += count
    new.pop(pair, None)
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "counts itself is changed; 'It stays as it is'",
        "source": """
def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("pair")
    after, i = [], 0
    while i < len(word):
        hit = tuple(word[i : i + 2]) == pair
        after.append(b"".join(pair) if hit else word[i])
        i += 1 + hit
    for p in zip(word, word[1:]):
        counts[p] -= count
    for p in zip(after, after[1:]):
        counts[p] = counts.get(p, 0) + count
    return {p: n for p, n in counts.items() if n > 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "pairs whose count becomes 0 stay in it; they 'are left out'",
        "source": """
def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("pair")
    after, i = [], 0
    while i < len(word):
        hit = tuple(word[i : i + 2]) == pair
        after.append(b"".join(pair) if hit else word[i])
        i += 1 + hit
    new = Counter(counts)
    new.subtract({p: count * n for p, n in Counter(zip(word, word[1:])).items()})
    new.update({p: count * n for p, n in Counter(zip(after, after[1:])).items()})
    del new[pair]
    return dict(new)
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "the pair is looked for among all counts; 'ValueError: the word does not hold the pair'",
        "source": """
def update_counts(counts, word, pair, count):
    if pair not in counts:
        raise ValueError("pair")
    after, i = [], 0
    while i < len(word):
        hit = tuple(word[i : i + 2]) == pair
        after.append(b"".join(pair) if hit else word[i])
        i += 1 + hit
    new = Counter(counts)
    for p in zip(word, word[1:]):
        new[p] -= count
    for p in zip(after, after[1:]):
        new[p] += count
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "both tokens being in the word is enough, though not side by side in this order",
        "source": """
def update_counts(counts, word, pair, count):
    if not set(pair) <= set(word):
        raise ValueError("pair")
    after, i = [], 0
    while i < len(word):
        hit = tuple(word[i : i + 2]) == pair
        after.append(b"".join(pair) if hit else word[i])
        i += 1 + hit
    new = Counter(counts)
    for p in zip(word, word[1:]):
        new[p] -= count
    for p in zip(after, after[1:]):
        new[p] += count
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "only the neighbours of each place change, read from the old word: wrong where two places touch (abab)",
        "source": """
def update_counts(counts, word, pair, count):
    new, i, found, joined = Counter(counts), 0, False, b"".join(pair)
    while i < len(word) - 1:
        if (word[i], word[i + 1]) != pair:
            i += 1
            continue
        found = True
        new[pair] -= count
        if i > 0:
            new[word[i - 1], word[i]] -= count
            new[word[i - 1], joined] += count
        if i + 2 < len(word):
            new[word[i + 1], word[i + 2]] -= count
            new[joined, word[i + 2]] += count
        i += 2
    if not found:
        raise ValueError("pair")
    return {p: n for p, n in new.items() if n > 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "a pair that stands twice in the word is changed once",
        "source": """
def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("pair")
    after, i = [], 0
    while i < len(word):
        hit = tuple(word[i : i + 2]) == pair
        after.append(b"".join(pair) if hit else word[i])
        i += 1 + hit
    new = Counter(counts)
    for p in set(zip(word, word[1:])):
        new[p] -= count
    for p in set(zip(after, after[1:])):
        new[p] += count
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    # decode_ids
    {
        "task": "decode_ids",
        "right": True,
        "why": "a check, a join, errors='replace'",
        "source": """
def decode_ids(ids, token_of):
    for i in ids:
        if not 0 <= i < len(token_of):
            raise ValueError(f"{i} is no number of {len(token_of)} tokens")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "a bytearray and str(); the ValueError of range.index",
        "source": """
def decode_ids(ids, token_of):
    numbers, data = range(len(token_of)), bytearray()
    for i in ids:
        data += token_of[numbers.index(i)]
    return str(data, "utf-8", "replace")
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "an incremental decoder, token by token",
        "source": """
import codecs

def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError("unknown number")
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    return "".join(decoder.decode(token_of[i]) for i in ids) + decoder.decode(b"", final=True)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "each token is read by itself; 'A token may end in the middle of a character, so join first'",
        "source": """
def decode_ids(ids, token_of):
    if any(i not in range(len(token_of)) for i in ids):
        raise ValueError("number")
    return "".join(token_of[i].decode("utf-8", errors="replace") for i in ids)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "bytes that are no text raise a UnicodeDecodeError; they 'become the replacement sign U+FFFD'",
        "source": """
def decode_ids(ids, token_of):
    if any(i not in range(len(token_of)) for i in ids):
        raise ValueError("number")
    return b"".join([token_of[i] for i in ids]).decode("utf-8")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "bytes that are no text are left out",
        "source": """
def decode_ids(ids, token_of):
    if any(i not in range(len(token_of)) for i in ids):
        raise ValueError("number")
    return b"".join([token_of[i] for i in ids]).decode("utf-8", "ignore")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "negative numbers count from the end of the list; 'ValueError: a number is negative'",
        "source": """
def decode_ids(ids, token_of):
    try:
        data = b"".join(token_of[i] for i in ids)
    except IndexError:
        raise ValueError("number") from None
    return data.decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "utf-8-sig drops the sign U+FEFF at the beginning, which is valid UTF-8 and text",
        "source": """
def decode_ids(ids, token_of):
    if any(i not in range(len(token_of)) for i in ids):
        raise ValueError("number")
    return b"".join(token_of[i] for i in ids).decode("utf-8-sig", "replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "read as a text file, which makes one line end of a carriage return and a line feed",
        "source": """
import io

def decode_ids(ids, token_of):
    if any(i not in range(len(token_of)) for i in ids):
        raise ValueError("number")
    data = b"".join(token_of[i] for i in ids)
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace").read()
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "off by one: the number len(token_of) passes the check and raises an IndexError",
        "source": """
def decode_ids(ids, token_of):
    if ids and (min(ids) < 0 or max(ids) > len(token_of)):
        raise ValueError("number")
    return b"".join(token_of[i] for i in ids).decode("utf-8", "replace")
""",
    },
    # visible_token
    {
        "task": "visible_token",
        "right": True,
        "why": "a table of 256 characters",
        "source": """
def visible_token(token):
    kept = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    table, others = {}, 0
    for byte in range(256):
        if byte in kept:
            table[byte] = chr(byte)
        else:
            table[byte] = chr(0x100 + others)
            others += 1
    return "".join(table[byte] for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "arithmetic: 0x20 to 0x7F are the numbers 32, 33; 0x80 to 0xA0 34 to 66; 0xAD is 67",
        "source": """
def visible_token(token):
    def sign(b):
        if b <= 0x20:
            return chr(0x100 + b)
        if 0x7F <= b <= 0xA0:
            return chr(0x121 + b - 0x7F)
        return chr(0x143) if b == 0xAD else chr(b)

    return "".join(map(sign, token))
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "str.isprintable of Latin-1 tells the same bytes apart, but for the space; str.translate",
        "source": """
def visible_token(token):
    hidden = [b for b in range(256) if b == 32 or not chr(b).isprintable()]
    return token.decode("latin-1").translate({b: 0x100 + i for i, b in enumerate(hidden)})
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "each of the 68 gets the character 256 further on; 'The next of them is 0x7F, the 34th: U+0121'",
        "source": """
def visible_token(token):
    kept = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    return "".join(chr(b) if b in kept else chr(b + 256) for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0xAD keeps its character, an invisible one; kept are '0xA1 to 0xAC and 0xAE to 0xFF'",
        "source": """
def visible_token(token):
    hidden = [*range(0x21), *range(0x7F, 0xA1)]
    return "".join(chr(0x100 + hidden.index(b)) if b in hidden else chr(b) for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "the ends of the ranges are left out: 0x7E, 0xAC and 0xFF keep their character, too",
        "source": """
def visible_token(token):
    kept = {*range(0x21, 0x7E), *range(0xA1, 0xAC), *range(0xAE, 0xFF)}
    hidden = [b for b in range(256) if b not in kept]
    return "".join(chr(b) if b in kept else chr(0x100 + hidden.index(b)) for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "the token is read as UTF-8 first: 'one visible character for each byte'",
        "source": """
def visible_token(token):
    hidden = [b for b in range(256) if not (0x21 <= b <= 0x7E or 0xA1 <= b <= 0xAC or b >= 0xAE)]
    text = token.decode("utf-8", errors="replace")
    return "".join(chr(0x100 + hidden.index(ord(c))) if ord(c) in hidden else c for c in text)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "only the bytes up to 0x20 are exchanged; 0x7F to 0xA0 stay as they are",
        "source": """
def visible_token(token):
    return "".join(chr(b + 0x100) if b <= 0x20 else chr(b) for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "the others are numbered in the order in which they come in the token",
        "source": """
def visible_token(token):
    signs, text = {}, ""
    for b in token:
        if 0x21 <= b <= 0x7E or 0xA1 <= b <= 0xAC or b >= 0xAE:
            text += chr(b)
        else:
            text += chr(0x100 + signs.setdefault(b, len(signs)))
    return text
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "str.isprintable takes the space for a visible character",
        "source": """
def visible_token(token):
    hidden = [b for b in range(256) if not chr(b).isprintable()]
    return "".join(chr(0x100 + hidden.index(b)) if b in hidden else chr(b) for b in token)
""",
    },
]
