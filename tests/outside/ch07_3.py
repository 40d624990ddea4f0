"""Answers to chapter 07, written from its page alone: the third round."""

ANSWERS = [
    # utf8_bytes
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "arithmetic from the last byte to the first",
        "source": """
def utf8_bytes(code_point):
    if not 0 <= code_point <= 0x10FFFF:
        raise ValueError("no code point")
    if code_point < 128:
        return [code_point]
    tail = []
    room = 0x3F
    while code_point > room:
        tail.insert(0, 0x80 | code_point & 0x3F)
        code_point >>= 6
        room = 0x1F >> (len(tail) - 1)
    mark = (0xFF << (7 - len(tail))) & 0xFF
    return [mark | code_point] + tail
""",
    },
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "bit strings",
        "source": """
def utf8_bytes(code_point):
    if code_point < 0 or code_point >= 0x110000:
        raise ValueError(code_point)
    if code_point <= 0x7F:
        return [code_point]
    for limit, mark, more in ((0x7FF, "110", 1), (0xFFFF, "1110", 2), (0x10FFFF, "11110", 3)):
        if code_point <= limit:
            bits = format(code_point, "b").zfill(8 - len(mark) + 6 * more)
            first = 8 - len(mark)
            parts = [mark + bits[:first]] + ["10" + bits[i:i + 6] for i in range(first, len(bits), 6)]
            return [int(part, 2) for part in parts]
""",
    },
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "Python's own encoding, after the check",
        "source": """
def utf8_bytes(code_point):
    if code_point < 0 or code_point > 0x10FFFF:
        raise ValueError("out of range")
    return [*chr(code_point).encode()]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "relies on chr for the errors: chr(2 ** 40) is an OverflowError ('ValueError: ... above 0x10FFFF')",
        "source": """
def utf8_bytes(code_point):
    return list(chr(code_point).encode("utf-8"))
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "borders one too low: 0x7F, 0x7FF and 0xFFFF get a byte too many",
        "source": """
def utf8_bytes(n):
    if n < 0 or n > 0x10FFFF:
        raise ValueError
    if n < 0x7F:
        return [n]
    if n < 0x7FF:
        return [0xC0 | n >> 6, 0x80 | n & 63]
    if n < 0xFFFF:
        return [0xE0 | n >> 12, 0x80 | n >> 6 & 63, 0x80 | n & 63]
    return [0xF0 | n >> 18, 0x80 | n >> 12 & 63, 0x80 | n >> 6 & 63, 0x80 | n & 63]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "upper border: 0x10FFFF itself is refused",
        "source": """
def utf8_bytes(n):
    if n < 0 or n >= 0x10FFFF:
        raise ValueError
    return list(chr(n).encode())
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "accepts everything with 21 bits (0x110000 to 0x1FFFFF)",
        "source": """
def utf8_bytes(n):
    if n < 0 or n >= 1 << 21:
        raise ValueError
    if n < 0x80:
        return [n]
    if n < 0x800:
        return [0xC0 | n >> 6, 0x80 | n & 63]
    if n < 0x10000:
        return [0xE0 | n >> 12, 0x80 | n >> 6 & 63, 0x80 | n & 63]
    return [0xF0 | n >> 18, 0x80 | n >> 12 & 63, 0x80 | n >> 6 & 63, 0x80 | n & 63]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "middle byte of three not cut to six bits: wrong for numbers from 0x1000 on (above 255 even)",
        "source": """
def utf8_bytes(n):
    if n < 0 or n > 0x10FFFF:
        raise ValueError
    if n < 0x80:
        return [n]
    if n < 0x800:
        return [0xC0 | n >> 6, 0x80 | n & 63]
    if n < 0x10000:
        return [0xE0 | n >> 12, 0x80 | n >> 6, 0x80 | n & 63]
    return [0xF0 | n >> 18, 0x80 | n >> 12 & 63, 0x80 | n >> 6 & 63, 0x80 | n & 63]
""",
    },
    # split_pieces
    {
        "task": "split_pieces",
        "right": True,
        "why": "verbose pattern with finditer",
        "source": r'''
import regex
PATTERN = regex.compile(r"""
    '(?:s|t|re|ve|m|ll|d)
  | [ ]?\p{L}+
  | [ ]?\p{N}+
  | [ ]?[^\s\p{L}\p{N}]+
  | \s+(?!\S)
  | \s+
""", regex.VERBOSE)
def split_pieces(text):
    return [m.group() for m in PATTERN.finditer(text)]
''',
    },
    {
        "task": "split_pieces",
        "right": True,
        "why": "a scanner by hand that uses regex for the kinds of single characters",
        "source": r"""
import regex
def split_pieces(text):
    def kind(c):
        if regex.match(r"\p{L}", c):
            return "letter"
        if regex.match(r"\p{N}", c):
            return "digit"
        return "space" if regex.match(r"\s", c) else "sign"
    kinds = [kind(c) for c in text]
    pieces, i = [], 0
    while i < len(text):
        ending = next((e for e in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d") if text.startswith(e, i)), None)
        if ending:
            pieces.append(ending)
            i += len(ending)
            continue
        start = i + 1 if text[i] == " " and i + 1 < len(text) and kinds[i + 1] != "space" else i
        j = start
        while j < len(text) and kinds[j] == kinds[start]:
            j += 1
        if kinds[start] == "space" and j < len(text) and j - i > 1:
            j -= 1
        pieces.append(text[i:j])
        i = j
    return pieces
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "without the alternative with (?!\\S): a run of spaces before a word is taken whole",
        "source": r"""
import regex
def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "endings in capitals, too ('small letters')",
        "source": r"""
import regex
def split_pieces(text):
    return regex.findall(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "\\d for digits: numbers that are no decimal digits (half, superscript two, Roman) are signs",
        "source": r"""
import regex
def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\d+| ?[^\s\p{L}\d]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "any white space may stand before a word (\\s? instead of one space): tab + word is one piece",
        "source": r"""
import regex
def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d|\s?\p{L}+|\s?\p{N}+|\s?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "signs without the space before them",
        "source": r"""
import regex
def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+|[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "signs by [^\\w\\s]: the underscore and combining marks fit nowhere and are lost ('joined they are the text')",
        "source": r"""
import regex
def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\w\s]+|\s+(?!\S)|\s+", text)
""",
    },
    # count_pairs
    {
        "task": "count_pairs",
        "right": True,
        "why": "Counter, pairwise",
        "source": """
from collections import Counter
from itertools import pairwise
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    total = Counter()
    for word, n in zip(words, counts):
        for pair, times in Counter(pairwise(word)).items():
            total[pair] += n * times
    return total
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "zip(strict=True), indices",
        "source": """
def count_pairs(words, counts):
    table = {}
    for word, n in list(zip(words, counts, strict=True)):
        for i in range(1, len(word)):
            key = word[i - 1], word[i]
            table[key] = table.get(key, 0) + n
    return table
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "overlapping pairs counted once: (a, a) in aaa 1 ('Pairs may overlap')",
        "source": """
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError
    table = {}
    for word, n in zip(words, counts):
        i = 0
        last = None
        while i < len(word) - 1:
            pair = (word[i], word[i + 1])
            if pair == last:
                last = None
            else:
                table[pair] = table.get(pair, 0) + n
                last = pair if pair[0] == pair[1] else None
            i += 1
    return table
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "a pair that stands twice in a word counts once a word",
        "source": """
from collections import Counter
from itertools import pairwise
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError
    table = Counter()
    for word, n in zip(words, counts):
        for pair in set(pairwise(word)):
            table[pair] += n
    return dict(table)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "no check of the lengths",
        "source": """
from collections import Counter
from itertools import pairwise
def count_pairs(words, counts):
    table = Counter()
    for word, n in zip(words, counts):
        for pair in pairwise(word):
            table[pair] += n
    return dict(table)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "only missing counts are refused, surplus counts are not",
        "source": """
from itertools import pairwise
def count_pairs(words, counts):
    if len(counts) < len(words):
        raise ValueError
    table = {}
    for k, word in enumerate(words):
        for pair in pairwise(word):
            table[pair] = table.get(pair, 0) + counts[k]
    return table
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "= instead of +=: the last word's count wins",
        "source": """
from collections import Counter
from itertools import pairwise
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError
    table = {}
    for word, n in zip(words, counts):
        table.update({pair: times * n for pair, times in Counter(pairwise(word)).items()})
    return table
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "pairs reach from one word into the next ('never reach from one word into the next') where counts are equal",
        "source": """
from collections import Counter
from itertools import groupby, pairwise
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError
    table = Counter()
    for n, group in groupby(zip(counts, words), key=lambda item: item[0]):
        row = [token for _, word in group for token in word]
        for pair in pairwise(row):
            table[pair] += n
    return dict(table)
""",
    },
    # update_counts
    {
        "task": "update_counts",
        "right": True,
        "why": "differences first, then applied",
        "source": """
from collections import Counter
from itertools import pairwise
def update_counts(counts, word, pair, count):
    if pair not in list(pairwise(word)):
        raise ValueError("the pair is not in the word")
    new, i = [], 0
    while i < len(word):
        if tuple(word[i:i + 2]) == pair:
            new.append(pair[0] + pair[1])
            i += 2
        else:
            new.append(word[i])
            i += 1
    change = Counter(pairwise(new))
    change.subtract(Counter(pairwise(word)))
    result = dict(counts)
    for key, times in change.items():
        value = result.pop(key, 0) + times * count
        if value != 0:
            result[key] = value
    return result
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "Counter arithmetic",
        "source": """
from collections import Counter
def update_counts(counts, word, pair, count):
    before = Counter({p: 0 for p in ()})
    for p in zip(word[:-1], word[1:]):
        before[p] += count
    if before[pair] == 0:
        raise ValueError
    merged = []
    for token in word:
        if merged and merged[-1] == pair[0] and token == pair[1]:
            merged[-1] = pair[0] + pair[1]
        else:
            merged.append(token)
    after = Counter()
    for p in zip(merged[:-1], merged[1:]):
        after[p] += count
    return Counter(counts) + after - before
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "changes the dict that it is given ('It stays as it is')",
        "source": """
from itertools import pairwise
def update_counts(counts, word, pair, count):
    if pair not in set(pairwise(word)):
        raise ValueError
    for p in pairwise(word):
        counts[p] -= count
    new, i = [], 0
    while i < len(word):
        step = 2 if tuple(word[i:i + 2]) == pair else 1
        new.append(b"".join(word[i:i + step]))
        i += step
    for p in pairwise(new):
        counts[p] = counts.get(p, 0) + count
    return {p: n for p, n in counts.items() if n}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "pairs with count 0 stay in",
        "source": """
from itertools import pairwise
def update_counts(counts, word, pair, count):
    if pair not in set(pairwise(word)):
        raise ValueError
    result = dict(counts)
    for p in pairwise(word):
        result[p] -= count
    new, i = [], 0
    while i < len(word):
        step = 2 if tuple(word[i:i + 2]) == pair else 1
        new.append(b"".join(word[i:i + step]))
        i += step
    for p in pairwise(new):
        result[p] = result.get(p, 0) + count
    return result
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "drops the merged pair altogether, though other words may still hold it",
        "source": """
from itertools import pairwise
def update_counts(counts, word, pair, count):
    if pair not in set(pairwise(word)):
        raise ValueError
    result = dict(counts)
    for p in pairwise(word):
        result[p] -= count
    new, i = [], 0
    while i < len(word):
        step = 2 if tuple(word[i:i + 2]) == pair else 1
        new.append(b"".join(word[i:i + step]))
        i += step
    for p in pairwise(new):
        result[p] = result.get(p, 0) + count
    result.pop(pair, None)
    return {p: n for p, n in result.items() if n > 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "error only if one of the two tokens is missing, not if they are no neighbours in this order",
        "source": """
from itertools import pairwise
def update_counts(counts, word, pair, count):
    if pair[0] not in word or pair[1] not in word:
        raise ValueError
    result = dict(counts)
    for p in pairwise(word):
        result[p] = result.get(p, 0) - count
    new, i = [], 0
    while i < len(word):
        step = 2 if tuple(word[i:i + 2]) == pair else 1
        new.append(b"".join(word[i:i + step]))
        i += step
    for p in pairwise(new):
        result[p] = result.get(p, 0) + count
    return {p: n for p, n in result.items() if n}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "each different pair is taken away once only, however often it stands in the word",
        "source": """
from itertools import pairwise
def update_counts(counts, word, pair, count):
    if pair not in set(pairwise(word)):
        raise ValueError
    result = dict(counts)
    for p in set(pairwise(word)):
        result[p] -= count
    new, i = [], 0
    while i < len(word):
        step = 2 if tuple(word[i:i + 2]) == pair else 1
        new.append(b"".join(word[i:i + step]))
        i += step
    for p in set(pairwise(new)):
        result[p] = result.get(p, 0) + count
    return {p: n for p, n in result.items() if n}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "counts may be missing a weight: adds 1 instead of count for the new pairs",
        "source": """
from itertools import pairwise
def update_counts(counts, word, pair, count):
    if pair not in set(pairwise(word)):
        raise ValueError
    result = dict(counts)
    for p in pairwise(word):
        result[p] -= count
    new, i = [], 0
    while i < len(word):
        step = 2 if tuple(word[i:i + 2]) == pair else 1
        new.append(b"".join(word[i:i + step]))
        i += step
    for p in pairwise(new):
        result[p] = result.get(p, 0) + 1
    return {p: n for p, n in result.items() if n}
""",
    },
    # decode_ids
    {
        "task": "decode_ids",
        "right": True,
        "why": "bytearray",
        "source": """
def decode_ids(ids, token_of):
    data = bytearray()
    for i in ids:
        if i < 0 or i >= len(token_of):
            raise ValueError(f"no token {i}")
        data += token_of[i]
    return str(data, "utf-8", "replace")
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "check by range, incremental decoder",
        "source": """
import codecs
def decode_ids(ids, token_of):
    if not set(ids) <= set(range(len(token_of))):
        raise ValueError("unknown id")
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    text = "".join(decoder.decode(token_of[i]) for i in ids)
    return text + decoder.decode(b"", final=True)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "decodes each token by itself ('join first')",
        "source": """
def decode_ids(ids, token_of):
    if any(not 0 <= i < len(token_of) for i in ids):
        raise ValueError
    return "".join(token_of[i].decode("utf-8", errors="replace") for i in ids)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "invalid bytes are left out ('with U+FFFD')",
        "source": """
def decode_ids(ids, token_of):
    if any(not 0 <= i < len(token_of) for i in ids):
        raise ValueError
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="ignore")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "negative numbers count from the end",
        "source": """
def decode_ids(ids, token_of):
    try:
        return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
    except IndexError:
        raise ValueError("no such token")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "off by one: the number len(token_of) gives an IndexError",
        "source": """
def decode_ids(ids, token_of):
    for i in ids:
        if i < 0 or i > len(token_of):
            raise ValueError
    return b"".join([token_of[i] for i in ids]).decode("utf-8", "replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "if anything is invalid, reads the whole as Latin-1",
        "source": """
def decode_ids(ids, token_of):
    if any(not 0 <= i < len(token_of) for i in ids):
        raise ValueError
    data = b"".join(token_of[i] for i in ids)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "UnicodeDecodeError is a ValueError: strict decoding refuses invalid bytes",
        "source": """
def decode_ids(ids, token_of):
    if any(not 0 <= i < len(token_of) for i in ids):
        raise ValueError
    return b"".join(token_of[i] for i in ids).decode("utf-8")
""",
    },
    # visible_token
    {
        "task": "visible_token",
        "right": True,
        "why": "table built once",
        "source": """
def _table():
    kept = set(range(0x21, 0x7F)) | set(range(0xA1, 0xAD)) | set(range(0xAE, 0x100))
    table, extra = [], 0x100
    for byte in range(256):
        if byte in kept:
            table.append(chr(byte))
        else:
            table.append(chr(extra))
            extra += 1
    return table
_VISIBLE = _table()
def visible_token(token):
    return "".join(map(_VISIBLE.__getitem__, token))
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "arithmetic by ranges, str.translate",
        "source": """
def visible_token(token):
    move = {}
    for byte in range(0x00, 0x21):
        move[byte] = 0x100 + byte
    for byte in range(0x7F, 0xA1):
        move[byte] = 0x121 + byte - 0x7F
    move[0xAD] = 0x143
    return token.decode("latin-1").translate(move)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0xAD (soft hyphen) keeps its number",
        "source": """
def visible_token(token):
    out = ""
    for byte in token:
        if byte <= 0x20:
            out += chr(0x100 + byte)
        elif 0x7F <= byte <= 0xA0:
            out += chr(0x121 + byte - 0x7F)
        else:
            out += chr(byte)
    return out
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "chr(256 + byte) for all that move: right up to the space only",
        "source": """
def visible_token(token):
    keep = lambda b: 0x21 <= b <= 0x7E or 0xA1 <= b <= 0xAC or 0xAE <= b
    return "".join(chr(b) if keep(b) else chr(256 + b) for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "range ends taken as exclusive: ~, 0xAC and 0xFF move",
        "source": """
def visible_token(token):
    kept = [*range(0x21, 0x7E), *range(0xA1, 0xAC), *range(0xAE, 0xFF)]
    moved = [b for b in range(256) if b not in kept]
    return "".join(chr(b) if b in kept else chr(0x100 + moved.index(b)) for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "bytes are read as UTF-8 first: a token of half a character fails, whole ones keep their letter",
        "source": """
def visible_token(token):
    kept = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    moved = [b for b in range(256) if b not in kept]
    out = ""
    for c in token.decode("utf-8", errors="replace"):
        n = ord(c)
        out += chr(0x100 + moved.index(n)) if n in moved else c
    return out
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "the space is counted apart: every moved byte after it is one number too low ('The other 68, in order')",
        "source": """
def visible_token(token):
    kept = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    moved = [b for b in range(256) if b not in kept and b != 0x20] + [0x20]
    number = {b: 0x100 + i for i, b in enumerate(moved)}
    number[0x20] = 0x120
    return "".join(chr(number.get(b, b)) for b in token)
""",
    },
]
