ANSWERS = [
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "shifts and masks, four branches",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError("no such code point")
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
        "why": "divmod from the end, a list that grows in front",
        "source": r"""
def utf8_bytes(code_point):
    if not 0 <= code_point <= 0x10FFFF:
        raise ValueError(code_point)
    if code_point <= 0x7F:
        return [code_point]
    extra = 1 if code_point <= 0x7FF else 2 if code_point <= 0xFFFF else 3
    tail = []
    for _ in range(extra):
        code_point, low = divmod(code_point, 64)
        tail.insert(0, 128 + low)
    return [{1: 192, 2: 224, 3: 240}[extra] + code_point] + tail
""",
    },
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "beginner: strings of bits",
        "source": r"""
def utf8_bytes(code_point):
    if code_point < 0:
        raise ValueError("negative")
    if code_point > 1114111:
        raise ValueError("too large")
    for marks, width in ((["0"], 7), (["110", "10"], 11), (["1110", "10", "10"], 16), (["11110", "10", "10", "10"], 21)):
        bits = bin(code_point)[2:]
        if len(bits) <= width:
            break
    bits = bits.zfill(width)
    result = []
    for mark in marks:
        room = 8 - len(mark)
        result.append(int(mark + bits[:room], 2))
        bits = bits[room:]
    return result
""",
    },
    {
        "task": "utf8_bytes",
        "right": None,
        "why": "Python's own encoder: right values and errors, but the text asks for arithmetic ('write it with arithmetic yourself once')",
        "source": r"""
def utf8_bytes(code_point):
    return list(chr(code_point).encode("utf-8"))
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "0x7FF gets three bytes: 'to 0x7FF' has two",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError("no such code point")
    if n <= 0x7F:
        return [n]
    if n < 0x7FF:
        return [0b11000000 + (n >> 6), 0x80 + (n & 63)]
    if n <= 0xFFFF:
        return [0b11100000 + (n >> 12), 0x80 + ((n >> 6) & 63), 0x80 + (n & 63)]
    return [0b11110000 + (n >> 18), 0x80 + ((n >> 12) & 63), 0x80 + ((n >> 6) & 63), 0x80 + (n & 63)]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "0x10FFFF is refused: only above it",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n >= 0x10FFFF:
        raise ValueError("no such code point")
    if n <= 0x7F:
        return [n]
    if n <= 0x7FF:
        return [0b11000000 + (n >> 6), 0x80 + (n & 63)]
    if n <= 0xFFFF:
        return [0b11100000 + (n >> 12), 0x80 + ((n >> 6) & 63), 0x80 + (n & 63)]
    return [0b11110000 + (n >> 18), 0x80 + ((n >> 12) & 63), 0x80 + ((n >> 6) & 63), 0x80 + (n & 63)]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "a number below 0 is returned as it is",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n > 0x10FFFF:
        raise ValueError("no such code point")
    if n <= 0x7F:
        return [n]
    if n <= 0x7FF:
        return [0b11000000 + (n >> 6), 0x80 + (n & 63)]
    if n <= 0xFFFF:
        return [0b11100000 + (n >> 12), 0x80 + ((n >> 6) & 63), 0x80 + (n & 63)]
    return [0b11110000 + (n >> 18), 0x80 + ((n >> 12) & 63), 0x80 + ((n >> 6) & 63), 0x80 + (n & 63)]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "0xFFFF gets four bytes",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError("no such code point")
    if n <= 0x7F:
        return [n]
    if n <= 0x7FF:
        return [0b11000000 + (n >> 6), 0x80 + (n & 63)]
    if n < 0xFFFF:
        return [0b11100000 + (n >> 12), 0x80 + ((n >> 6) & 63), 0x80 + (n & 63)]
    return [0b11110000 + (n >> 18), 0x80 + ((n >> 12) & 63), 0x80 + ((n >> 6) & 63), 0x80 + (n & 63)]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "bytes of six bits in the wrong order for three and four bytes",
        "source": r"""
def utf8_bytes(code_point):
    if code_point < 0 or code_point > 0x10FFFF:
        raise ValueError("no such code point")
    if code_point < 0x80:
        return [code_point]
    extra = 1 if code_point < 0x800 else 2 if code_point < 0x10000 else 3
    first = [0, 0xC0, 0xE0, 0xF0][extra] | code_point >> 6 * extra
    return [first] + [0x80 | code_point >> 6 * k & 0x3F for k in range(extra)]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "0x80 gets one byte",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError("no such code point")
    if n <= 0x80:
        return [n]
    if n <= 0x7FF:
        return [0b11000000 + (n >> 6), 0x80 + (n & 63)]
    if n <= 0xFFFF:
        return [0b11100000 + (n >> 12), 0x80 + ((n >> 6) & 63), 0x80 + (n & 63)]
    return [0b11110000 + (n >> 18), 0x80 + ((n >> 12) & 63), 0x80 + ((n >> 6) & 63), 0x80 + (n & 63)]
""",
    },
    {
        "task": "split_pieces",
        "right": True,
        "why": "GPT-2's pattern",
        "source": r"""
import regex

PATTERN = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")


def split_pieces(text):
    return PATTERN.findall(text)
""",
    },
    {
        "task": "split_pieces",
        "right": True,
        "why": "GPT-4's way to write it: possessive runs, finditer",
        "source": r"""
import regex


def split_pieces(text):
    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
    return [m.group(0) for m in regex.finditer(pattern, text)]
""",
    },
    {
        "task": "split_pieces",
        "right": True,
        "why": "a scanner by hand; regex says only what kind of character it is",
        "source": r"""
import regex


def split_pieces(text):
    def kind(c):
        if regex.match(r"\p{L}", c):
            return "letter"
        if regex.match(r"\p{N}", c):
            return "digit"
        if regex.match(r"\s", c):
            return "space"
        return "sign"

    kinds = [kind(c) for c in text]
    pieces = []
    i, n = 0, len(text)
    while i < n:
        for ending in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d"):
            if text.startswith(ending, i):
                j = i + len(ending)
                break
        else:
            j = i
            if text[i] == " " and i + 1 < n and kinds[i + 1] != "space":
                j = i + 1
            k = kinds[j]
            start = j
            while j < n and kinds[j] == k:
                j += 1
            if k == "space" and j < n and j - start > 1:
                j -= 1
        pieces.append(text[i:j])
        i = j
    return pieces
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "endings in capitals as well: 'small letters'",
        "source": r"""
import regex


def split_pieces(text):
    return regex.findall(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "\\s? before a run: a line end joins the next word; 'with one space before it'",
        "source": r"""
import regex


def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d|\s?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "\\s+(?=\\s) also cuts white space at the end of the text in two: 'if something else follows'",
        "source": r"""
import regex


def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?=\s)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "the (?!\\S) alternative is missing: runs of spaces keep their last one",
        "source": r"""
import regex


def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "ASCII letters only: 'letters of any script'",
        "source": r"""
import regex


def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?[a-zA-Z]+| ?\p{N}+| ?[^\sa-zA-Z\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "\\d for \\p{N}: fractions, superscripts and roman numerals are signs",
        "source": r"""
import regex


def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\d+| ?[^\s\p{L}\d]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "\\w for the signs: the underscore belongs to no alternative and is lost",
        "source": r"""
import regex


def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\w]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "zip strict and pairwise",
        "source": r"""
from itertools import pairwise


def count_pairs(words, counts):
    result = {}
    for word, count in zip(words, counts, strict=True):
        for pair in pairwise(word):
            result[pair] = result.get(pair, 0) + count
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "indices",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("the lists differ in length")
    result = dict()
    for i in range(len(words)):
        word = words[i]
        for j in range(len(word) - 1):
            pair = (word[j], word[j + 1])
            if pair not in result:
                result[pair] = 0
            result[pair] += counts[i]
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "Counter of each word, times its count, turned into a dict",
        "source": r"""
def count_pairs(words, counts):
    if len(counts) != len(words):
        raise ValueError(f"{len(words)} words, {len(counts)} counts")
    total = Counter()
    for word, count in zip(words, counts):
        for pair, times in Counter(zip(word, word[1:])).items():
            total[pair] += times * count
    return dict(total)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "zip without a look at the lengths: no ValueError",
        "source": r"""
def count_pairs(words, counts):
    result = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            result[pair] = result.get(pair, 0) + count
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "only too few counts are refused, not too many",
        "source": r"""
def count_pairs(words, counts):
    if len(words) > len(counts):
        raise ValueError("lengths")
    result = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            result[pair] = result.get(pair, 0) + count
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "pairs that overlap are counted once: 'pairs may overlap'",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    result = {}
    for word, count in zip(words, counts):
        for pair in set(zip(word, word[1:])):
            result[pair] = result.get(pair, 0) + count
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "each word but the last reaches into the next",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    result = {}
    before = None
    for word, count in zip(words, counts):
        for token in word:
            if before is not None:
                result[before, token] = result.get((before, token), 0) + count
            before = token
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "takes the last token off the caller's words",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    result = {}
    for word, count in zip(words, counts):
        while len(word) > 1:
            pair = (word[0], word[1])
            result[pair] = result.get(pair, 0) + count
            word.pop(0)
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "the key is the joined bytes: pairs (a, bc) and (ab, c) fall together",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    result, first = {}, {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            joined = pair[0] + pair[1]
            first.setdefault(joined, pair)
            result[joined] = result.get(joined, 0) + count
    return {first[j]: c for j, c in result.items()}
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "min with a key",
        "source": r"""
def best_pair(counts, min_count, max_length):
    may = [pair for pair, count in counts.items() if count >= min_count and len(pair[0] + pair[1]) <= max_length]
    return min(may, key=lambda pair: (-counts[pair], pair), default=None)
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "loop with a best so far",
        "source": r"""
def best_pair(counts, min_count, max_length):
    best = None
    for pair in counts:
        left, right = pair
        if len(left) + len(right) > max_length:
            continue
        if counts[pair] < min_count:
            continue
        if best is None or counts[pair] > counts[best]:
            best = pair
        elif counts[pair] == counts[best]:
            if left < best[0] or (left == best[0] and right < best[1]):
                best = pair
    return best
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "sorted twice, stable",
        "source": r"""
def best_pair(counts, min_count, max_length):
    pairs = sorted(counts)
    pairs.sort(key=counts.get, reverse=True)
    for pair in pairs:
        if counts[pair] < min_count:
            return None
        if sum(map(len, pair)) <= max_length:
            return pair
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "equal counts by the joined bytes, not by the left token first: (ab, a) before (a, bb)",
        "source": r"""
def best_pair(counts, min_count, max_length):
    may = [p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length]
    if not may:
        return None
    return min(may, key=lambda p: (-counts[p], p[0] + p[1], p))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "of equal ones the first in the dict",
        "source": r"""
def best_pair(counts, min_count, max_length):
    may = [p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length]
    if not may:
        return None
    return min(may, key=lambda p: -counts[p])
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "count > min_count: 'at least min_count times'",
        "source": r"""
def best_pair(counts, min_count, max_length):
    for pair in sorted(counts, key=lambda p: (-counts[p], p)):
        if len(pair[0]) + len(pair[1]) <= max_length and counts[pair] > min_count:
            return pair
    return None
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "ValueError of max() on nothing: 'None if no pair may be merged'",
        "source": r"""
def best_pair(counts, min_count, max_length):
    may = {p: c for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length}
    top = max(may.values())
    return min(p for p, c in may.items() if c == top)
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "length below max_length: 'at most max_length bytes'",
        "source": r"""
def best_pair(counts, min_count, max_length):
    may = [p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) < max_length]
    if not may:
        return None
    return min(may, key=lambda p: (-counts[p], p))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "deletes the pairs that may not be merged from the caller's dict",
        "source": r"""
def best_pair(counts, min_count, max_length):
    for pair in list(counts):
        if counts[pair] < min_count or len(pair[0]) + len(pair[1]) > max_length:
            del counts[pair]
    return min(counts, key=lambda p: (-counts[p], p), default=None)
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "of equal ones the last in byte order",
        "source": r"""
def best_pair(counts, min_count, max_length):
    may = [(c, p) for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length]
    return max(may)[1] if may else None
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "while loop with an index",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    out, i, met = [], 0, 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            if met not in dropped:
                out.append(tokens[i] + tokens[i + 1])
                i += 2
            else:
                out.append(tokens[i])
                i += 1
            met += 1
        else:
            out.append(tokens[i])
            i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "iterator with one token in the hand",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    numbers = itertools.count()
    result = []
    held = None
    for token in tokens:
        if held is None:
            held = token
        elif held == pair[0] and token == pair[1] and next(numbers) not in dropped:
            result.append(held + token)
            held = None
        else:
            result.append(held)
            held = token
    if held is not None:
        result.append(held)
    return result
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "a stack whose last element may grow",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    left, right = pair
    stack, free, met = [], False, 0
    for token in tokens:
        join = False
        if free and stack[-1] == left and token == right:
            join = met not in dropped
            met += 1
        if join:
            stack[-1] = left + right
            free = False
        else:
            stack.append(token)
            free = True
    return stack
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "at a dropped meeting both tokens are copied: the walk must go on at the right one",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    out, i, met = [], 0, 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            met += 1
            if met - 1 not in dropped:
                out.append(pair[0] + pair[1])
                i += 2
                continue
            out.append(tokens[i])
            i += 1
        out.append(tokens[i])
        i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "only joined meetings are numbered, so that a dropped number stops all later joins",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    out, i, met = [], 0, 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            if met not in dropped:
                met += 1
                out.append(pair[0] + pair[1])
                i += 2
                continue
        out.append(tokens[i])
        i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "returns the caller's list if the pair does not stand in it: 'a new list of tokens, even where nothing is joined'",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    if pair not in zip(tokens, tokens[1:]):
        return tokens
    out, i, met = [], 0, 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            met += 1
            if met - 1 not in dropped:
                out.append(pair[0] + pair[1])
                i += 2
                continue
        out.append(tokens[i])
        i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "meetings are numbered from 1 (dropped={0} drops nothing)",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    out, i, met = [], 0, 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            met += 1
            if met not in dropped:
                out.append(pair[0] + pair[1])
                i += 2
                continue
        out.append(tokens[i])
        i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "joins in the caller's list",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    i = met = 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) == pair:
            if met not in dropped:
                tokens[i:i + 2] = [pair[0] + pair[1]]
            met += 1
        i += 1
    return list(tokens)
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "compares the joined bytes, so that (a, bc) is joined for the pair (ab, c); dropped is right",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    out, i, met = [], 0, 0
    while i < len(tokens):
        if len(tokens) > i + 1 and tokens[i] + tokens[i + 1] == pair[0] + pair[1]:
            met += 1
            if met - 1 not in dropped:
                out.append(pair[0] + pair[1])
                i += 2
                continue
        out.append(tokens[i])
        i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "all positions of the pair are numbered beforehand, overlapping ones too",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    places = [i for i in range(len(tokens) - 1) if (tokens[i], tokens[i + 1]) == pair]
    places = {p for k, p in enumerate(places) if k not in dropped}
    out, i = [], 0
    while i < len(tokens):
        if i in places:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "naive, with helpers",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("vocab_size below 256")
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    numbers = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for word, number in zip(words, numbers):
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + number
        may = [p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length]
        if not may:
            break
        best = min(may, key=lambda p: (-counts[p], p))
        merges.append(best)
        words = [merge(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "recursion on the state of the words as tuples of bytes",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError(vocab_size)

    def join(word, pair):
        if len(word) < 2:
            return word
        if word[:2] == pair:
            return (word[0] + word[1],) + join(word[2:], pair)
        return word[:1] + join(word[1:], pair)

    state = []
    for piece, n in piece_counts.items():
        data = piece.encode()
        state.append((tuple(data[i:i + 1] for i in range(len(data))), n))
    merges = []
    for _ in range(vocab_size - 256):
        seen = Counter()
        for word, n in state:
            for k in range(1, len(word)):
                seen[word[k - 1:k + 1]] += n
        ranked = sorted((-n, pair) for pair, n in seen.items() if n >= min_count and sum(map(len, pair)) <= max_length)
        if not ranked:
            return merges
        pair = ranked[0][1]
        merges.append(pair)
        state = [(join(word, pair), n) for word, n in state]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "incremental: only words with the pair are counted anew",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("the 256 bytes must have room")
    words = {piece: [bytes((b,)) for b in piece.encode("utf-8")] for piece in piece_counts}
    total = Counter()
    where = defaultdict(set)

    def book(piece, sign):
        word = words[piece]
        for pair in zip(word, word[1:]):
            total[pair] += sign * piece_counts[piece]
            where[pair].add(piece)

    for piece in words:
        book(piece, 1)
    merges = []
    while 256 + len(merges) < vocab_size:
        best = None
        for (a, b), n in total.items():
            if n < min_count or len(a + b) > max_length:
                continue
            if best is None or (-n, (a, b)) < best:
                best = (-n, (a, b))
        if best is None:
            break
        pair = best[1]
        merges.append(pair)
        for piece in where.pop(pair):
            book(piece, -1)
            new = []
            for token in words[piece]:
                if new and new[-1] == pair[0] and token == pair[1]:
                    new[-1] = new[-1] + token
                else:
                    new.append(token)
            words[piece] = new
            book(piece, 1)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "vocab_size below 256 gives [] and no ValueError",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    numbers = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for word, number in zip(words, numbers):
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + number
        may = [p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length]
        if not may:
            break
        best = min(may, key=lambda p: (-counts[p], p))
        merges.append(best)
        words = [merge(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "stops when the most frequent pair is too long, though others may be merged: 'no pair may be merged any more'",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("vocab_size below 256")
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    numbers = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for word, number in zip(words, numbers):
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + number
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], p))
        if counts[best] < min_count or len(best[0] + best[1]) > max_length:
            break
        merges.append(best)
        words = [merge(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "characters, not bytes: 'each cut into its bytes'",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("vocab_size below 256")
    words = [[c.encode("utf-8") for c in piece] for piece in piece_counts]
    numbers = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for word, number in zip(words, numbers):
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + number
        may = [p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length]
        if not may:
            break
        best = min(may, key=lambda p: (-counts[p], p))
        merges.append(best)
        words = [merge(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "vocab_size 256 is refused: only below it",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size <= 256:
        raise ValueError("vocab_size below 256")
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    numbers = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for word, number in zip(words, numbers):
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + number
        may = [p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length]
        if not may:
            break
        best = min(may, key=lambda p: (-counts[p], p))
        merges.append(best)
        words = [merge(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "min_count not used, 2 always",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("vocab_size below 256")
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    numbers = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for word, number in zip(words, numbers):
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + number
        may = [p for p, c in counts.items() if c >= 2 and len(p[0]) + len(p[1]) <= max_length]
        if not may:
            break
        best = min(may, key=lambda p: (-counts[p], p))
        merges.append(best)
        words = [merge(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "of equally frequent pairs the first one met",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("vocab_size below 256")
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    numbers = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for word, number in zip(words, numbers):
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + number
        may = [p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length]
        if not may:
            break
        best = min(may, key=lambda p: -counts[p])
        merges.append(best)
        words = [merge(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "the numbers of the pieces are left out: each piece counts once",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("vocab_size below 256")
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    numbers = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for word, number in zip(words, numbers):
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        may = [p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length]
        if not may:
            break
        best = min(may, key=lambda p: (-counts[p], p))
        merges.append(best)
        words = [merge(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "take all away, add all",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def update_counts(counts, word, pair, count):
    before = list(zip(word, word[1:]))
    if pair not in before:
        raise ValueError("the pair is not in the word")
    after = merge(word, pair)
    new = dict(counts)
    for p in before:
        new[p] = new.get(p, 0) - count
    for p in zip(after, after[1:]):
        new[p] = new.get(p, 0) + count
    return {p: c for p, c in new.items() if c != 0}
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "Counters: plus drops what is not above 0",
        "source": r"""
from itertools import pairwise


def update_counts(counts, word, pair, count):
    old = Counter(pairwise(word))
    if not old[pair]:
        raise ValueError("no such pair in the word")
    merged = []
    for token in word:
        if merged and (merged[-1], token) == pair:
            merged[-1] += token
        else:
            merged.append(token)
    new = Counter(pairwise(merged))
    total = Counter(counts)
    for p in old.keys() | new.keys():
        total[p] += (new[p] - old[p]) * count
    return dict(+total)
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "beginner: del at zero, copy first",
        "source": r"""
def update_counts(counts, word, pair, count):
    found = False
    for i in range(len(word) - 1):
        if word[i] == pair[0] and word[i + 1] == pair[1]:
            found = True
    if not found:
        raise ValueError("pair")
    result = counts.copy()
    for i in range(len(word) - 1):
        result[(word[i], word[i + 1])] -= count
    new_word = []
    i = 0
    while i < len(word):
        if i < len(word) - 1 and word[i] == pair[0] and word[i + 1] == pair[1]:
            new_word.append(word[i] + word[i + 1])
            i = i + 2
        else:
            new_word.append(word[i])
            i = i + 1
    for i in range(len(new_word) - 1):
        key = (new_word[i], new_word[i + 1])
        if key in result:
            result[key] += count
        else:
            result[key] = count
    for key in list(result):
        if result[key] == 0:
            del result[key]
    return result
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "changes the caller's counts: 'it stays as it is'",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def update_counts(counts, word, pair, count):
    before = list(zip(word, word[1:]))
    if pair not in before:
        raise ValueError("the pair is not in the word")
    after = merge(word, pair)
    new = counts
    for p in before:
        new[p] = new.get(p, 0) - count
    for p in zip(after, after[1:]):
        new[p] = new.get(p, 0) + count
    return {p: c for p, c in new.items() if c != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "asks whether both tokens stand in the word, not whether they are neighbours: no ValueError for b a",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def update_counts(counts, word, pair, count):
    before = list(zip(word, word[1:]))
    if pair[0] not in word or pair[1] not in word:
        raise ValueError("the pair is not in the word")
    after = merge(word, pair)
    new = dict(counts)
    for p in before:
        new[p] = new.get(p, 0) - count
    for p in zip(after, after[1:]):
        new[p] = new.get(p, 0) + count
    return {p: c for p, c in new.items() if c != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "pairs of count 0 stay",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def update_counts(counts, word, pair, count):
    before = list(zip(word, word[1:]))
    if pair not in before:
        raise ValueError("the pair is not in the word")
    after = merge(word, pair)
    new = dict(counts)
    for p in before:
        new[p] = new.get(p, 0) - count
    for p in zip(after, after[1:]):
        new[p] = new.get(p, 0) + count
    return new
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "the neighbours of each meeting by themselves: wrong where two meetings touch (abab) or overlap (aaa)",
        "source": r"""
def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the pair is not in the word")
    new = Counter(counts)
    joined = pair[0] + pair[1]
    i = 0
    while i < len(word) - 1:
        if (word[i], word[i + 1]) == pair:
            new[pair] -= count
            if i > 0:
                new[word[i - 1], word[i]] -= count
                new[word[i - 1], joined] += count
            if i + 2 < len(word):
                new[word[i + 1], word[i + 2]] -= count
                new[joined, word[i + 2]] += count
            i += 2
        else:
            i += 1
    return {p: c for p, c in new.items() if c}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "a pair that the word has twice is changed once (set)",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def update_counts(counts, word, pair, count):
    before = list(zip(word, word[1:]))
    if pair not in before:
        raise ValueError("the pair is not in the word")
    after = merge(word, pair)
    new = dict(counts)
    for p in set(before):
        new[p] = new.get(p, 0) - count
    for p in set(zip(after, after[1:])):
        new[p] = new.get(p, 0) + count
    return {p: c for p, c in new.items() if c != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "the merged pair is taken out altogether, though other words may have it",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def update_counts(counts, word, pair, count):
    before = list(zip(word, word[1:]))
    if pair not in before:
        raise ValueError("the pair is not in the word")
    after = merge(word, pair)
    new = dict(counts)
    for p in before:
        new[p] = new.get(p, 0) - count
    for p in zip(after, after[1:]):
        new[p] = new.get(p, 0) + count
    new.pop(pair, None)
    return {p: c for p, c in new.items() if c != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "no ValueError if the word does not hold the pair",
        "source": r"""
def merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def update_counts(counts, word, pair, count):
    before = list(zip(word, word[1:]))
    after = merge(word, pair)
    new = dict(counts)
    for p in before:
        new[p] = new.get(p, 0) - count
    for p in zip(after, after[1:]):
        new[p] = new.get(p, 0) + count
    return {p: c for p, c in new.items() if c != 0}
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "scan for the lowest, join, again",
        "source": r"""
def encode_piece(piece, ids):
    parts = [piece[i:i + 1] for i in range(len(piece))]
    while True:
        best, where = None, None
        for i in range(len(parts) - 1):
            number = ids.get(parts[i] + parts[i + 1])
            if number is not None and (best is None or number < best):
                best, where = number, i
        if best is None:
            break
        parts[where:where + 2] = [parts[where] + parts[where + 1]]
    return [ids[part] for part in parts]
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "boundaries instead of parts, min over (id, place)",
        "source": r"""
def encode_piece(piece, ids):
    cuts = list(range(len(piece) + 1))
    while True:
        found = [(ids[piece[cuts[k - 1]:cuts[k + 1]]], k) for k in range(1, len(cuts) - 1)
                 if piece[cuts[k - 1]:cuts[k + 1]] in ids]
        if not found:
            return [ids[piece[a:b]] for a, b in zip(cuts, cuts[1:])]
        del cuts[min(found)[1]]
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "recursion",
        "source": r"""
def encode_piece(piece, ids):
    def go(parts):
        best = math.inf
        for left, right in zip(parts, parts[1:]):
            best = min(best, ids.get(left + right, math.inf))
        if best == math.inf:
            return [ids[p] for p in parts]
        for i in range(len(parts) - 1):
            if ids.get(parts[i] + parts[i + 1]) == best:
                return go(parts[:i] + (parts[i] + parts[i + 1],) + parts[i + 2:])

    return go(tuple(bytes([b]) for b in piece))
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "a piece that is a token is returned at once, though no merges may lead to it",
        "source": r"""
def encode_piece(piece, ids):
    if piece in ids:
        return [ids[piece]]
    parts = [piece[i:i + 1] for i in range(len(piece))]
    while True:
        best, where = None, None
        for i in range(len(parts) - 1):
            number = ids.get(parts[i] + parts[i + 1])
            if number is not None and (best is None or number < best):
                best, where = number, i
        if best is None:
            break
        parts[where:where + 2] = [parts[where] + parts[where + 1]]
    return [ids[part] for part in parts]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "all joins of the lowest id in one sweep before looking again: differs if a new neighbour has a lower id (aaaa, aa 20, aaa 10)",
        "source": r"""
def encode_piece(piece, ids):
    parts = [bytes([b]) for b in piece]
    while True:
        found = [ids[a + b] for a, b in zip(parts, parts[1:]) if a + b in ids]
        if not found:
            return [ids[p] for p in parts]
        low = min(found)
        new, i = [], 0
        while i < len(parts):
            if i + 1 < len(parts) and ids.get(parts[i] + parts[i + 1]) == low:
                new.append(parts[i] + parts[i + 1])
                i += 2
            else:
                new.append(parts[i])
                i += 1
        parts = new
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "an id of 0 counts as no token (truth of the number)",
        "source": r"""
def encode_piece(piece, ids):
    parts = [piece[i:i + 1] for i in range(len(piece))]
    while True:
        best, where = None, None
        for i in range(len(parts) - 1):
            number = ids.get(parts[i] + parts[i + 1])
            if number and (best is None or number < best):
                best, where = number, i
        if best is None:
            break
        parts[where:where + 2] = [parts[where] + parts[where + 1]]
    return [ids[part] for part in parts]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the order of the dict in place of the ids: 'in any order'",
        "source": r"""
def encode_piece(piece, ids):
    parts = [piece[i:i + 1] for i in range(len(piece))]
    rank = {token: k for k, token in enumerate(ids)}
    while True:
        best, where = None, None
        for i in range(len(parts) - 1):
            number = rank.get(parts[i] + parts[i + 1])
            if number is not None and (best is None or number < best):
                best, where = number, i
        if best is None:
            break
        parts[where:where + 2] = [parts[where] + parts[where + 1]]
    return [ids[part] for part in parts]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the longest token from the left",
        "source": r"""
def encode_piece(piece, ids):
    out, i = [], 0
    while i < len(piece):
        j = len(piece)
        while piece[i:j] not in ids:
            j -= 1
        out.append(ids[piece[i:j]])
        i = j
    return out
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "of equally low ones the rightmost (<=)",
        "source": r"""
def encode_piece(piece, ids):
    parts = [piece[i:i + 1] for i in range(len(piece))]
    while True:
        best, where = None, None
        for i in range(len(parts) - 1):
            number = ids.get(parts[i] + parts[i + 1])
            if number is not None and (best is None or number <= best):
                best, where = number, i
        if best is None:
            break
        parts[where:where + 2] = [parts[where] + parts[where + 1]]
    return [ids[part] for part in parts]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "always the leftmost two that can be merged",
        "source": r"""
def encode_piece(piece, ids):
    parts = [piece[i:i + 1] for i in range(len(piece))]
    while True:
        best, where = None, None
        for i in range(len(parts) - 1):
            number = ids.get(parts[i] + parts[i + 1])
            if number is not None and best is None:
                best, where = number, i
        if best is None:
            break
        parts[where:where + 2] = [parts[where] + parts[where + 1]]
    return [ids[part] for part in parts]
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "check, join, decode",
        "source": r"""
def decode_ids(ids, token_of):
    for i in ids:
        if i < 0 or i >= len(token_of):
            raise ValueError(f"no token {i}")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "bytearray, str()",
        "source": r"""
def decode_ids(ids, token_of):
    data = bytearray()
    for number in ids:
        if not 0 <= number < len(token_of):
            raise ValueError("number out of range")
        data += token_of[number]
    return str(data, "utf-8", "replace")
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "IndexError turned into ValueError, negative ones by hand; codecs",
        "source": r"""
import codecs


def decode_ids(ids, token_of):
    if any(i < 0 for i in ids):
        raise ValueError("negative")
    try:
        tokens = [token_of[i] for i in ids]
    except IndexError as error:
        raise ValueError("too large") from error
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    return "".join(decoder.decode(t) for t in tokens) + decoder.decode(b"", final=True)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "negative numbers count from the end, as Python does",
        "source": r"""
def decode_ids(ids, token_of):
    for i in ids:
        if i >= len(token_of):
            raise ValueError(f"no token {i}")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "each token decoded alone: 'join first'",
        "source": r"""
def decode_ids(ids, token_of):
    for i in ids:
        if not 0 <= i < len(token_of):
            raise ValueError(f"no token {i}")
    return "".join(token_of[i].decode("utf-8", errors="replace") for i in ids)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "bytes that are no text are left out: they 'become the replacement sign'",
        "source": r"""
def decode_ids(ids, token_of):
    for i in ids:
        if not 0 <= i < len(token_of):
            raise ValueError(f"no token {i}")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="ignore")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "number len(token_of) gives IndexError",
        "source": r"""
def decode_ids(ids, token_of):
    for i in ids:
        if not 0 <= i <= len(token_of):
            raise ValueError(f"no token {i}")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "strict decoding raises UnicodeDecodeError (a ValueError) for bytes that are no text",
        "source": r"""
def decode_ids(ids, token_of):
    for i in ids:
        if not 0 <= i < len(token_of):
            raise ValueError(f"no token {i}")
    return b"".join(token_of[i] for i in ids).decode("utf-8")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "a question mark for bytes that are no text",
        "source": r"""
def decode_ids(ids, token_of):
    for i in ids:
        if not 0 <= i < len(token_of):
            raise ValueError(f"no token {i}")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace").replace("\ufffd", "?")
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "a table made once",
        "source": r"""
KEEP = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
OTHER = [b for b in range(256) if b not in KEEP]
TABLE = {b: chr(b) for b in KEEP} | {b: chr(0x100 + k) for k, b in enumerate(OTHER)}


def visible_token(token):
    return "".join(TABLE[b] for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "arithmetic for each range",
        "source": r"""
def visible_token(token):
    out = ""
    for b in token:
        if b <= 0x20:
            b += 0x100
        elif 0x7F <= b <= 0xA0:
            b = 0x121 + b - 0x7F
        elif b == 0xAD:
            b = 0x143
        out += chr(b)
    return out
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "latin-1 and str.translate",
        "source": r"""
def visible_token(token):
    hidden = [*range(33), *range(127, 161), 173]
    return token.decode("latin-1").translate({b: 256 + k for k, b in enumerate(hidden)})
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0xAD is kept as it is",
        "source": r"""
def visible_token(token):
    table, n = {}, 0
    for b in range(256):
        if 0x21 <= b <= 0x7E or 0xA1 <= b <= 0xFF:
            table[b] = chr(b)
        else:
            table[b] = chr(0x100 + n)
            n += 1
    return "".join(table[b] for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "U+0100 + byte for all others, right up to the space only",
        "source": r"""
def visible_token(token):
    table, n = {}, 0
    for b in range(256):
        if 0x21 <= b <= 0x7E or 0xA1 <= b <= 0xAC or 0xAE <= b <= 0xFF:
            table[b] = chr(b)
        else:
            table[b] = chr(0x100 + b)
            n += 1
    return "".join(table[b] for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0xFF is not kept (range to 0xFE)",
        "source": r"""
def visible_token(token):
    table, n = {}, 0
    for b in range(256):
        if 0x21 <= b <= 0x7E or 0xA1 <= b <= 0xAC or 0xAE <= b < 0xFF:
            table[b] = chr(b)
        else:
            table[b] = chr(0x100 + n)
            n += 1
    return "".join(table[b] for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0x7E is not kept",
        "source": r"""
def visible_token(token):
    table, n = {}, 0
    for b in range(256):
        if 0x21 <= b < 0x7E or 0xA1 <= b <= 0xAC or 0xAE <= b <= 0xFF:
            table[b] = chr(b)
        else:
            table[b] = chr(0x100 + n)
            n += 1
    return "".join(table[b] for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "reads the token as UTF-8 first: half a character fails, é has one sign instead of two",
        "source": r"""
def visible_token(token):
    keep = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    other = [b for b in range(256) if b not in keep]
    return "".join(chr(256 + other.index(ord(c))) if ord(c) in other else c for c in token.decode("utf-8"))
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "control signs and the space only; 0x7F to 0xA0 stay invisible",
        "source": r"""
def visible_token(token):
    return "".join(chr(b + 0x100) if b <= 0x20 else chr(b) for b in token)
""",
    },
    {
        "task": "longest_match",
        "right": True,
        "why": "for with else",
        "source": r"""
def longest_match(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        prefix = "##" if i > 0 else ""
        for j in range(len(word), i, -1):
            if prefix + word[i:j] in vocabulary:
                out.append(prefix + word[i:j])
                i = j
                break
        else:
            if not out or out[-1] != "[UNK]":
                out.append("[UNK]")
            i += 1
    return out
""",
    },
    {
        "task": "longest_match",
        "right": True,
        "why": "recursion, a flag for the run of unknown letters",
        "source": r"""
def longest_match(word, vocabulary):
    def rest(i, unknown):
        if i == len(word):
            return []
        mark = "" if i == 0 else "##"
        fits = [j for j in range(i + 1, len(word) + 1) if mark + word[i:j] in vocabulary]
        if fits:
            j = max(fits)
            return [mark + word[i:j]] + rest(j, False)
        return ([] if unknown else ["[UNK]"]) + rest(i + 1, True)

    return rest(0, False)
""",
    },
    {
        "task": "longest_match",
        "right": True,
        "why": "one token or None for each step, groupby joins the runs of None",
        "source": r"""
def longest_match(word, vocabulary):
    longest = max(map(len, vocabulary), default=0)
    steps = []
    place = 0
    while place < len(word):
        found = None
        size = min(longest, len(word) - place)
        while size > 0 and found is None:
            candidate = word[place:place + size]
            if place:
                candidate = "##" + candidate
            if candidate in vocabulary:
                found = candidate
            else:
                size -= 1
        steps.append(found)
        place += size if found else 1
    out = []
    for key, group in itertools.groupby(steps, lambda s: s is None):
        out.extend(["[UNK]"] if key else group)
    return out
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "an [UNK] for each unknown letter",
        "source": r"""
def longest_match(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        prefix = "##" if i > 0 else ""
        for j in range(len(word), i, -1):
            if prefix + word[i:j] in vocabulary:
                out.append(prefix + word[i:j])
                i = j
                break
        else:
            out.append("[UNK]")
            i += 1
    return out
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "what follows an unknown beginning is taken as the start of the word, without ##",
        "source": r"""
def longest_match(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        prefix = "##" if any(t != "[UNK]" for t in out) else ""
        for j in range(len(word), i, -1):
            if prefix + word[i:j] in vocabulary:
                out.append(prefix + word[i:j])
                i = j
                break
        else:
            if not out or out[-1] != "[UNK]":
                out.append("[UNK]")
            i += 1
    return out
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "one [UNK] in the whole word: later runs are lost",
        "source": r"""
def longest_match(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        prefix = "##" if i > 0 else ""
        for j in range(len(word), i, -1):
            if prefix + word[i:j] in vocabulary:
                out.append(prefix + word[i:j])
                i = j
                break
        else:
            if "[UNK]" not in out:
                out.append("[UNK]")
            i += 1
    return out
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "the window is as long as the longest continuing token: longer tokens at the start of the word are missed",
        "source": r"""
def longest_match(word, vocabulary):
    longest = max((len(t.removeprefix("##")) for t in vocabulary if t.startswith("##")), default=1)
    out, i = [], 0
    while i < len(word):
        prefix = "##" if i > 0 else ""
        for j in range(min(len(word), i + longest), i, -1):
            if prefix + word[i:j] in vocabulary:
                out.append(prefix + word[i:j])
                i = j
                break
        else:
            if not out or out[-1] != "[UNK]":
                out.append("[UNK]")
            i += 1
    return out
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "a word with an unknown letter is given up altogether, as BERT does",
        "source": r"""
def longest_match(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        prefix = "##" if i > 0 else ""
        for j in range(len(word), i, -1):
            if prefix + word[i:j] in vocabulary:
                out.append(prefix + word[i:j])
                i = j
                break
        else:
            return ["[UNK]"]
    return out
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "tries shorter tokens to avoid an unknown letter (fewest unknown letters first)",
        "source": r"""
def longest_match(word, vocabulary):
    from functools import lru_cache

    @lru_cache(None)
    def cut(i):
        if i == len(word):
            return ()
        prefix = "##" if i > 0 else ""
        for j in range(len(word), i, -1):
            if prefix + word[i:j] in vocabulary:
                rest = cut(j)
                if rest is not None:
                    return (prefix + word[i:j],) + rest
        return None

    whole = cut(0)
    if whole is not None:
        return list(whole)
    out, i = [], 0
    while i < len(word):
        prefix = "##" if i > 0 else ""
        for j in range(len(word), i, -1):
            if prefix + word[i:j] in vocabulary:
                out.append(prefix + word[i:j])
                i = j
                break
        else:
            if not out or out[-1] != "[UNK]":
                out.append("[UNK]")
            i += 1
    return out
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "an empty word gives [UNK]: 'an empty word has no tokens'",
        "source": r"""
def longest_match(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        prefix = "##" if i > 0 else ""
        for j in range(len(word), i, -1):
            if prefix + word[i:j] in vocabulary:
                out.append(prefix + word[i:j])
                i = j
                break
        else:
            if not out or out[-1] != "[UNK]":
                out.append("[UNK]")
            i += 1
    return out or ["[UNK]"]
""",
    },
    {
        "task": "longest_match",
        "right": None,
        "why": "tokens with ## are never taken at the start, even for a word that itself begins with ##; the statement does not say",
        "source": r"""
def longest_match(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        prefix = "##" if i > 0 else ""
        for j in range(len(word), i, -1):
            if prefix + word[i:j] in vocabulary and (i > 0 or not word[i:j].startswith("##")):
                out.append(prefix + word[i:j])
                i = j
                break
        else:
            if not out or out[-1] != "[UNK]":
                out.append("[UNK]")
            i += 1
    return out
""",
    },
    {
        "task": "word_log_prob",
        "right": True,
        "why": "from the end, log-sum-exp by hand",
        "source": r"""
def word_log_prob(word, log_probs):
    n = len(word)
    longest = max((len(token) for token in log_probs), default=0)
    rest = [-math.inf] * n + [0.0]
    for i in range(n - 1, -1, -1):
        terms = []
        for j in range(i + 1, min(n, i + longest) + 1):
            token = word[i:j]
            if token in log_probs and rest[j] > -math.inf:
                terms.append(log_probs[token] + rest[j])
        if terms:
            top = max(terms)
            rest[i] = top + math.log(sum(math.exp(t - top) for t in terms))
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": True,
        "why": "forwards, np.logaddexp, a NumPy float64 made a float",
        "source": r"""
def word_log_prob(word, log_probs):
    reach = [0.0] + [-math.inf] * len(word)
    for i in range(len(word)):
        if reach[i] == -math.inf:
            continue
        for token, lp in log_probs.items():
            if word.startswith(token, i):
                j = i + len(token)
                reach[j] = np.logaddexp(reach[j], reach[i] + lp)
    return float(reach[-1])
""",
    },
    {
        "task": "word_log_prob",
        "right": True,
        "why": "recursion with a memory, filled from the end so that it is never deep; torch.logsumexp",
        "source": r"""
from functools import lru_cache


def word_log_prob(word, log_probs):
    sizes = sorted({len(t) for t in log_probs})

    @lru_cache(maxsize=None)
    def p(i):
        if i == len(word):
            return 0.0
        terms = [log_probs[word[i:i + k]] + p(i + k) for k in sizes if word[i:i + k] in log_probs and i + k <= len(word)]
        if not terms or max(terms) == -math.inf:
            return -math.inf
        return torch.logsumexp(torch.tensor(terms, dtype=torch.float64), 0).item()

    for i in reversed(range(len(word))):
        p(i)
    return p(0)
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "the best cutting instead of the sum (max)",
        "source": r"""
def word_log_prob(word, log_probs):
    n = len(word)
    longest = max((len(token) for token in log_probs), default=0)
    rest = [-math.inf] * n + [0.0]
    for i in range(n - 1, -1, -1):
        terms = []
        for j in range(i + 1, min(n, i + longest) + 1):
            token = word[i:j]
            if token in log_probs and rest[j] > -math.inf:
                terms.append(log_probs[token] + rest[j])
        if terms:
            top = max(terms)
            rest[i] = top
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "probabilities, logarithm at the end: a long word underflows to 0",
        "source": r"""
def word_log_prob(word, log_probs):
    n = len(word)
    longest = max(map(len, log_probs), default=0)
    p = [0.0] * n + [1.0]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, min(n, i + longest) + 1):
            if word[i:j] in log_probs:
                p[i] += math.exp(log_probs[word[i:j]]) * p[j]
    return math.log(p[0]) if p[0] > 0 else -math.inf
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "nan for a place from which nothing goes on: -inf minus -inf in the log-sum-exp",
        "source": r"""
def word_log_prob(word, log_probs):
    n = len(word)
    rest = np.full(n + 1, -np.inf)
    rest[n] = 0.0
    for i in range(n - 1, -1, -1):
        terms = np.array([log_probs[word[i:j]] + rest[j] for j in range(i + 1, n + 1) if word[i:j] in log_probs])
        if len(terms):
            top = terms.max()
            rest[i] = top + np.log(np.exp(terms - top).sum())
    return float(rest[0])
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "recursion: a word of a thousand letters is too deep (RecursionError)",
        "source": r"""
from functools import lru_cache


def word_log_prob(word, log_probs):
    longest = max(map(len, log_probs), default=0)

    @lru_cache(None)
    def p(i):
        if i == len(word):
            return 0.0
        total = -math.inf
        for j in range(i + 1, min(len(word), i + longest) + 1):
            if word[i:j] in log_probs:
                total = float(np.logaddexp(total, log_probs[word[i:j]] + p(j)))
        return total

    return p(0)
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "recursion without a memory: exponential time ('a second at most')",
        "source": r"""
def word_log_prob(word, log_probs):
    if word == "":
        return 0.0
    total = -math.inf
    for j in range(1, len(word) + 1):
        if word[:j] in log_probs:
            total = float(np.logaddexp(total, log_probs[word[:j]] + word_log_prob(word[j:], log_probs)))
    return total
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "log of the sum of exponentials without the maximum: very improbable rests give log(0)",
        "source": r"""
def word_log_prob(word, log_probs):
    n = len(word)
    longest = max((len(token) for token in log_probs), default=0)
    rest = [-math.inf] * n + [0.0]
    for i in range(n - 1, -1, -1):
        terms = []
        for j in range(i + 1, min(n, i + longest) + 1):
            token = word[i:j]
            if token in log_probs and rest[j] > -math.inf:
                terms.append(log_probs[token] + rest[j])
        if terms:
            top = max(terms)
            rest[i] = math.log(sum(math.exp(t) for t in terms))
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "a word that cannot be cut raises ValueError: it has -math.inf",
        "source": r"""
def word_log_prob(word, log_probs):
    n = len(word)
    longest = max((len(token) for token in log_probs), default=0)
    rest = [-math.inf] * n + [0.0]
    for i in range(n - 1, -1, -1):
        terms = []
        for j in range(i + 1, min(n, i + longest) + 1):
            token = word[i:j]
            if token in log_probs and rest[j] > -math.inf:
                terms.append(log_probs[token] + rest[j])
        if terms:
            top = max(terms)
            rest[i] = top + math.log(sum(math.exp(t - top) for t in terms))
    if rest[0] == -math.inf:
        raise ValueError(word)
    return rest[0]
""",
    },
]
