ANSWERS = [
    # ---------------------------------------------------------------- utf8_bytes
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "four branches with shifts and masks",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError("no code point")
    if n <= 0x7F:
        return [n]
    if n <= 0x7FF:
        return [0b11000000 | n >> 6, 0b10000000 | n & 0b111111]
    if n <= 0xFFFF:
        return [0b11100000 | n >> 12, 0b10000000 | (n >> 6) & 0b111111, 0b10000000 | n & 0b111111]
    return [0b11110000 | n >> 18, 0b10000000 | (n >> 12) & 0b111111, 0b10000000 | (n >> 6) & 0b111111,
            0b10000000 | n & 0b111111]
""",
    },
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "bits as a string, cut into groups",
        "source": r"""
def utf8_bytes(code_point):
    if not 0 <= code_point < 0x110000:
        raise ValueError(code_point)
    for marks, bits in ((["0"], 7), (["110", "10"], 11), (["1110", "10", "10"], 16), (["11110", "10", "10", "10"], 21)):
        if code_point < 2 ** bits:
            break
    text = format(code_point, f"0{bits}b")
    result = []
    for mark in marks:
        room = 8 - len(mark)
        result.append(int(mark + text[:room], 2))
        text = text[room:]
    return result
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "0x7F takes two bytes: '0 to 0x7F: n itself'",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError
    if n < 0x7F:
        return [n]
    if n <= 0x7FF:
        return [0xC0 + n // 64, 0x80 + n % 64]
    if n <= 0xFFFF:
        return [0xE0 + n // 4096, 0x80 + n // 64 % 64, 0x80 + n % 64]
    return [0xF0 + n // 262144, 0x80 + n // 4096 % 64, 0x80 + n // 64 % 64, 0x80 + n % 64]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "numbers above 0x10FFFF are written too (to 0x1FFFFF): 'ValueError: ... above 0x10FFFF'",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0:
        raise ValueError("negative")
    if n < 1 << 7:
        return [n]
    if n < 1 << 11:
        return [0xC0 | n >> 6, 0x80 | n & 63]
    if n < 1 << 16:
        return [0xE0 | n >> 12, 0x80 | n >> 6 & 63, 0x80 | n & 63]
    if n < 1 << 21:
        return [0xF0 | n >> 18, 0x80 | n >> 12 & 63, 0x80 | n >> 6 & 63, 0x80 | n & 63]
    raise ValueError("too large")
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "a negative number comes back as it is: 'ValueError: the number is below 0'",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n <= 0x7F:
        return [n]
    if n <= 0x7FF:
        return [0xC0 | n >> 6, 0x80 | n & 63]
    if n <= 0xFFFF:
        return [0xE0 | n >> 12, 0x80 | n >> 6 & 63, 0x80 | n & 63]
    if n <= 0x10FFFF:
        return [0xF0 | n >> 18, 0x80 | n >> 12 & 63, 0x80 | n >> 6 & 63, 0x80 | n & 63]
    raise ValueError("too large")
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "the middle bytes are not cut to six bits: the euro sign, 0x20AC, gets a byte that is not 0x82",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError
    if n <= 0x7F:
        return [n]
    if n <= 0x7FF:
        return [0b11000000 + (n >> 6), 0b10000000 + (n & 63)]
    if n <= 0xFFFF:
        return [0b11100000 + (n >> 12), 0b10000000 + (n >> 6), 0b10000000 + (n & 63)]
    return [0b11110000 + (n >> 18), 0b10000000 + (n >> 12), 0b10000000 + (n >> 6), 0b10000000 + (n & 63)]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "the first byte of four has the mark 1110 with four bits more, 0xE0, not 11110: wrong from 0x10000 on",
        "source": r"""
def utf8_bytes(code_point):
    if code_point < 0 or code_point > 0x10FFFF:
        raise ValueError("out of range")
    if code_point < 128:
        return [code_point]
    rest = []
    n = code_point
    first = 0xC0 if n < 0x800 else 0xE0
    while n >= 64 or (first == 0xE0 and len(rest) < 2):
        rest.insert(0, 0x80 | n & 63)
        n >>= 6
    return [first | n] + rest
""",
    },
    # ---------------------------------------------------------------- split_pieces
    {
        "task": "split_pieces",
        "right": True,
        "why": "the pattern with findall",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": True,
        "why": "a scanner by hand; regex tells only what kind a character is",
        "source": r"""
import regex

ENDINGS = ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d")

def kind(char):
    if regex.match(r"\s", char):
        return "space"
    if regex.match(r"\p{L}", char):
        return "letter"
    return "number" if regex.match(r"\p{N}", char) else "other"

def split_pieces(text):
    kinds = [kind(char) for char in text]
    n, i, pieces = len(text), 0, []
    while i < n:
        ending = next((e for e in ENDINGS if text.startswith(e, i)), None)
        first = i + 1 if text[i] == " " and i + 1 < n else i
        if ending:
            end = i + len(ending)
        elif kinds[first] != "space":
            end = first
            while end < n and kinds[end] == kinds[first]:
                end += 1
        else:
            end = i
            while end < n and kinds[end] == "space":
                end += 1
            if end < n and end - i > 1:
                end -= 1
        pieces.append(text[i:end])
        i = end
    return pieces
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "IGNORECASE: endings only in small letters, \"I'LL\" must be I, ', LL",
        "source": r"""
import regex

PATTERN = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", regex.IGNORECASE)

def split_pieces(text):
    return PATTERN.findall(text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": r"\d in the place of \p{N}: 'digits are \p{N}', and the superscript two and Roman numerals are numbers too",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\d+| ?[^\s\p{L}\d]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": r"\s? before the runs: a line end or a tab is glued to the word, 'with one space before it'",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d|\s?\p{L}+|\s?\p{N}+|\s?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": r"the alternative \s+(?!\S) is missing: 'a  b' must be a, space, ' b'",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": r"the last alternative \s+ is missing: the line end of 'a\nb' is lost, 'joined they are the text'",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)", text)
""",
    },
    # ---------------------------------------------------------------- count_pairs
    {
        "task": "count_pairs",
        "right": True,
        "why": "plain loops and a dict",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("words and counts differ in length")
    result = {}
    for word, count in zip(words, counts):
        for i in range(len(word) - 1):
            pair = (word[i], word[i + 1])
            if pair not in result:
                result[pair] = 0
            result[pair] += count
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "a Counter, pairwise, and zip(strict=True), which raises ValueError itself",
        "source": r"""
from collections import Counter
from itertools import pairwise

def count_pairs(words, counts):
    total = Counter()
    for word, count in zip(words, counts, strict=True):
        for pair in pairwise(word):
            total[pair] += count
    return dict(total)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "zip stops at the shorter list: 'ValueError: the two lists differ in length'",
        "source": r"""
from collections import defaultdict

def count_pairs(words, counts):
    result = defaultdict(int)
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            result[pair] += count
    return dict(result)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "goes by index: with too few counts it raises IndexError, with too many nothing",
        "source": r"""
def count_pairs(words, counts):
    result = {}
    for w in range(len(words)):
        count = counts[w]
        for pair in zip(words[w], words[w][1:]):
            result[pair] = result.get(pair, 0) + count
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "eats the words up with pop(0): 'A function leaves its arguments as they are'",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("different lengths")
    result = {}
    for word, count in zip(words, counts):
        while len(word) > 1:
            left = word.pop(0)
            result[left, word[0]] = result.get((left, word[0]), 0) + count
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "joins the word and counts pairs of single bytes: wrong for longer tokens, [b'ab', b'c']",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("different lengths")
    result = {}
    for word, count in zip(words, counts):
        data = b"".join(word)
        for i in range(len(data) - 1):
            pair = (data[i:i + 1], data[i + 1:i + 2])
            result[pair] = result.get(pair, 0) + count
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "sorts the two tokens: (b, a) is counted as (a, b); a pair of neighbours has an order",
        "source": r"""
from collections import Counter

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("different lengths")
    result = Counter()
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            result[tuple(sorted(pair))] += count
    return dict(result)
""",
    },
    # ---------------------------------------------------------------- best_pair
    {
        "task": "best_pair",
        "right": True,
        "why": "filter, then min with a key",
        "source": r"""
def best_pair(counts, min_count, max_length):
    allowed = [pair for pair, count in counts.items() if count >= min_count and len(pair[0] + pair[1]) <= max_length]
    return min(allowed, key=lambda pair: (-counts[pair], pair), default=None)
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "a loop that keeps the best so far",
        "source": r"""
def best_pair(counts, min_count, max_length):
    best = None
    for pair in counts:
        left, right = pair
        if counts[pair] < min_count:
            continue
        if len(left) + len(right) > max_length:
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
        "right": False,
        "why": "tokens of exactly max_length bytes are left out: 'its token has at most max_length bytes'",
        "source": r"""
def best_pair(counts, min_count, max_length):
    allowed = [(-n, p) for p, n in counts.items() if n >= min_count and len(p[0]) + len(p[1]) < max_length]
    return min(allowed)[1] if allowed else None
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "ties by the joined bytes: of (a, bc) and (ab, a) the first in byte order of tuples is (a, bc), joined it is aba",
        "source": r"""
def best_pair(counts, min_count, max_length):
    candidates = [p for p in counts if counts[p] >= min_count and len(b"".join(p)) <= max_length]
    if not candidates:
        return None
    return min(candidates, key=lambda p: (-counts[p], b"".join(p), p))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "deletes the pairs that may not be merged from the dict that was given",
        "source": r"""
def best_pair(counts, min_count, max_length):
    for pair in list(counts):
        if counts[pair] < min_count or len(pair[0]) + len(pair[1]) > max_length:
            del counts[pair]
    if not counts:
        return None
    most = max(counts.values())
    return min(pair for pair, count in counts.items() if count == most)
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "min of an empty list raises: 'None if no pair may be merged'",
        "source": r"""
def best_pair(counts, min_count, max_length):
    allowed = {p: n for p, n in counts.items() if n >= min_count and len(p[0]) + len(p[1]) <= max_length}
    return min(allowed, key=lambda p: (-allowed[p], p))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "of equally frequent pairs the last in byte order; the example fails",
        "source": r"""
def best_pair(counts, min_count, max_length):
    best = max(((n, p) for p, n in counts.items() if n >= min_count and len(p[0]) + len(p[1]) <= max_length),
               default=None)
    return best and best[1]
""",
    },
    # ---------------------------------------------------------------- merge_pair
    {
        "task": "merge_pair",
        "right": True,
        "why": "a while loop with an index and a counter of meetings",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    result, i, meeting = [], 0, 0
    while i < len(tokens):
        if i + 1 < len(tokens) and tokens[i] == pair[0] and tokens[i + 1] == pair[1]:
            join = meeting not in dropped
            meeting += 1
            if join:
                result.append(tokens[i] + tokens[i + 1])
                i += 2
                continue
        result.append(tokens[i])
        i += 1
    return result
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "a deque that is eaten from the left, itertools.count for the meetings",
        "source": r"""
from collections import deque
from itertools import count

def merge_pair(tokens, pair, dropped=()):
    left, right = pair
    rest = deque(tokens)
    numbers = count()
    out = []
    while rest:
        token = rest.popleft()
        if token == left and rest and rest[0] == right and next(numbers) not in dropped:
            token += rest.popleft()
        out.append(token)
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "gives the same list back where the pair does not occur: 'A new list of tokens, even where nothing is joined'",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    if tuple(pair) not in set(zip(tokens, tokens[1:])):
        return tokens
    result, i, met = [], 0, -1
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == tuple(pair):
            met += 1
            if met not in dropped:
                result.append(pair[0] + pair[1])
                i += 2
                continue
        result.append(tokens[i])
        i += 1
    return result
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "takes the numbers out of the set that was given: 'A function leaves its arguments as they are'",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    result, i, met = [], 0, 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == tuple(pair):
            if met in dropped:
                dropped.remove(met)
                result.append(tokens[i])
                i += 1
            else:
                result.append(pair[0] + pair[1])
                i += 2
            met += 1
        else:
            result.append(tokens[i])
            i += 1
    return result
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "numbers all places of the pair beforehand, overlapping ones too: in a a a a with {1} the walk meets places 0 and 2, the second is meeting 1 and stays apart: aa a a",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    places = [i for i in range(len(tokens) - 1) if (tokens[i], tokens[i + 1]) == tuple(pair)]
    join = {i for number, i in enumerate(places) if number not in dropped}
    result, i = [], 0
    while i < len(tokens):
        if i in join:
            result.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            result.append(tokens[i])
            i += 1
    return result
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "compares the joined bytes: (a, bc) is joined although the pair is (ab, c)",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    target = pair[0] + pair[1]
    result, i, met = [], 0, 0
    while i < len(tokens):
        if i < len(tokens) - 1 and tokens[i] + tokens[i + 1] == target:
            met += 1
            if met - 1 not in dropped:
                result.append(target)
                i += 2
                continue
        result.append(tokens[i])
        i += 1
    return result
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "joins in the list that was given (del): 'It stays as it is'",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    i, met = 0, 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) == tuple(pair):
            if met not in dropped:
                tokens[i] = tokens[i] + tokens[i + 1]
                del tokens[i + 1]
            met += 1
        i += 1
    return list(tokens)
""",
    },
    # ---------------------------------------------------------------- train_bpe
    {
        "task": "train_bpe",
        "right": True,
        "why": "naive, everything counted anew after each merge",
        "source": r"""
from collections import Counter

def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("there are 256 bytes")
    words = [([bytes([b]) for b in piece.encode("utf-8")], count) for piece, count in piece_counts.items()]
    merges = []
    while 256 + len(merges) < vocab_size:
        counts = Counter()
        for tokens, count in words:
            for pair in zip(tokens, tokens[1:]):
                counts[pair] += count
        allowed = [(-n, pair) for pair, n in counts.items() if n >= min_count and sum(map(len, pair)) <= max_length]
        if not allowed:
            break
        best = min(allowed)[1]
        merges.append(best)
        new_words = []
        for tokens, count in words:
            new, i = [], 0
            while i < len(tokens):
                if tuple(tokens[i:i + 2]) == best:
                    new.append(best[0] + best[1])
                    i += 2
                else:
                    new.append(tokens[i])
                    i += 1
            new_words.append((new, count))
        words = new_words
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "incremental: counts change only in the words that hold the pair",
        "source": r"""
from collections import Counter, defaultdict
from itertools import pairwise

def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError(vocab_size)
    words = []
    counts = Counter()
    where = defaultdict(set)

    def add(number, sign):
        tokens, times = words[number]
        for pair in pairwise(tokens):
            counts[pair] += sign * times
            if sign > 0:
                where[pair].add(number)

    for number, (piece, times) in enumerate(piece_counts.items()):
        data = piece.encode("utf-8")
        words.append(([data[i:i + 1] for i in range(len(data))], times))
        add(number, 1)

    merges = []
    for _ in range(vocab_size - 256):
        best, most = None, 0
        for pair, count in counts.items():
            if count < max(min_count, most) or len(pair[0]) + len(pair[1]) > max_length:
                continue
            if count > most or pair < best:
                best, most = pair, count
        if best is None:
            return merges
        merges.append(best)
        for number in where.pop(best):
            tokens, times = words[number]
            if best not in pairwise(tokens):
                continue
            add(number, -1)
            new = []
            for token in tokens:
                if new and new[-1] == best[0] and token == best[1] and not fresh:
                    new[-1] += token
                    fresh = True
                else:
                    new.append(token)
                    fresh = False
            words[number] = (new, times)
            add(number, 1)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "makes vocab_size merges: 'What is asked for is not a number of merges but a size'; the examples stop early anyhow",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("vocab_size")
    words = [([bytes([b]) for b in piece.encode("utf-8")], n) for piece, n in piece_counts.items()]
    merges = []
    for _ in range(vocab_size):
        counts = {}
        for tokens, n in words:
            for pair in zip(tokens, tokens[1:]):
                counts[pair] = counts.get(pair, 0) + n
        good = [p for p in counts if counts[p] >= min_count and len(p[0] + p[1]) <= max_length]
        if not good:
            break
        best = min(good, key=lambda p: (-counts[p], p))
        merges.append(best)
        for tokens, n in words:
            i = 0
            while i < len(tokens) - 1:
                if (tokens[i], tokens[i + 1]) == best:
                    tokens[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "starts from characters, not from bytes: 'each cut into its bytes'; the same in ASCII only",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("vocab_size")
    words = [([char.encode("utf-8") for char in piece], n) for piece, n in piece_counts.items()]
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for tokens, n in words:
            for pair in zip(tokens, tokens[1:]):
                counts[pair] = counts.get(pair, 0) + n
        good = [p for p in counts if counts[p] >= min_count and len(p[0] + p[1]) <= max_length]
        if not good:
            break
        best = min(good, key=lambda p: (-counts[p], p))
        merges.append(best)
        for tokens, n in words:
            i = 0
            while i < len(tokens) - 1:
                if (tokens[i], tokens[i + 1]) == best:
                    tokens[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "each piece counts once, however often it occurs: {'ab': 1, 'ac': 1, 'xy': 10} must begin with (x, y)",
        "source": r"""
from collections import Counter

def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("vocab_size")
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    merges = []
    while len(merges) < vocab_size - 256:
        counts = Counter(pair for tokens in words for pair in zip(tokens, tokens[1:]))
        good = [p for p in counts if counts[p] >= min_count and len(p[0] + p[1]) <= max_length]
        if not good:
            break
        best = min(good, key=lambda p: (-counts[p], p))
        merges.append(best)
        for tokens in words:
            i = 0
            while i < len(tokens) - 1:
                if (tokens[i], tokens[i + 1]) == best:
                    tokens[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "raises for vocab_size 256, which is allowed ('256 or more') and gives no merges",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size <= 256:
        raise ValueError("vocab_size must be larger than the number of bytes")
    words = [([bytes([b]) for b in piece.encode("utf-8")], n) for piece, n in piece_counts.items()]
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for tokens, n in words:
            for pair in zip(tokens, tokens[1:]):
                counts[pair] = counts.get(pair, 0) + n
        good = [p for p in counts if counts[p] >= min_count and len(p[0] + p[1]) <= max_length]
        if not good:
            break
        best = min(good, key=lambda p: (-counts[p], p))
        merges.append(best)
        for tokens, n in words:
            i = 0
            while i < len(tokens) - 1:
                if (tokens[i], tokens[i + 1]) == best:
                    tokens[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "stops as soon as the most frequent pair is too long, in the place of taking the next one that may be merged",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("vocab_size")
    words = [([bytes([b]) for b in piece.encode("utf-8")], n) for piece, n in piece_counts.items()]
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for tokens, n in words:
            for pair in zip(tokens, tokens[1:]):
                counts[pair] = counts.get(pair, 0) + n
        best = min(counts, key=lambda p: (-counts[p], p), default=None)
        if best is None or counts[best] < min_count or len(best[0] + best[1]) > max_length:
            break
        merges.append(best)
        for tokens, n in words:
            i = 0
            while i < len(tokens) - 1:
                if (tokens[i], tokens[i + 1]) == best:
                    tokens[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    # ---------------------------------------------------------------- update_counts
    {
        "task": "update_counts",
        "right": True,
        "why": "Counter minus the old pairs, plus the new ones",
        "source": r"""
from collections import Counter
from itertools import pairwise

def update_counts(counts, word, pair, count):
    pair = tuple(pair)
    if pair not in set(pairwise(word)):
        raise ValueError("the word does not hold the pair")
    merged, i = [], 0
    while i < len(word):
        if tuple(word[i:i + 2]) == pair:
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    new = Counter(counts)
    for old in pairwise(word):
        new[old] -= count
    for fresh in pairwise(merged):
        new[fresh] += count
    return {key: value for key, value in new.items() if value != 0}
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "recursive merge, the differences collected first, zeros deleted as they come",
        "source": r"""
def merged_from(word, pair):
    for i in range(len(word) - 1):
        if word[i] == pair[0] and word[i + 1] == pair[1]:
            return word[:i] + [pair[0] + pair[1]] + merged_from(word[i + 2:], pair)
    return word

def update_counts(counts, word, pair, count):
    after = merged_from(word, pair)
    if len(after) == len(word):
        raise ValueError(f"{pair} is not in {word}")
    result = dict(counts)
    for tokens, change in ((after, count), (word, -count)):
        for i in range(1, len(tokens)):
            key = (tokens[i - 1], tokens[i])
            result[key] = result.get(key, 0) + change
            if result[key] == 0:
                del result[key]
    return result
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "changes the counts that were given: 'It stays as it is'",
        "source": r"""
def update_counts(counts, word, pair, count):
    if tuple(pair) not in list(zip(word, word[1:])):
        raise ValueError("pair not in word")
    for p in zip(word, word[1:]):
        counts[p] -= count
    merged, i = [], 0
    while i < len(word):
        if tuple(word[i:i + 2]) == tuple(pair):
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    for p in zip(merged, merged[1:]):
        counts[p] = counts.get(p, 0) + count
    return {p: n for p, n in counts.items() if n}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "looks for the pair in counts, not in the word: 'ValueError: the word does not hold the pair', though other words may",
        "source": r"""
from collections import Counter

def update_counts(counts, word, pair, count):
    if pair not in counts:
        raise ValueError("the pair does not occur")
    merged, i = [], 0
    while i < len(word):
        if tuple(word[i:i + 2]) == tuple(pair):
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    new = Counter(counts)
    for p in zip(word, word[1:]):
        new[p] -= count
    for p in zip(merged, merged[1:]):
        new[p] += count
    return dict(+new)
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "changes only the neighbours of each place, so two merges side by side (abab, or aaa) are counted wrongly",
        "source": r"""
from collections import Counter

def update_counts(counts, word, pair, count):
    new = Counter(counts)
    joined = pair[0] + pair[1]
    i, found = 0, False
    while i < len(word) - 1:
        if (word[i], word[i + 1]) == tuple(pair):
            found = True
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
    if not found:
        raise ValueError("the word does not hold the pair")
    return {p: n for p, n in new.items() if n > 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "no ValueError where the word does not hold the pair: gives a copy of the counts",
        "source": r"""
def update_counts(counts, word, pair, count):
    new = dict(counts)
    merged, i = [], 0
    while i < len(word):
        if i + 1 < len(word) and word[i] == pair[0] and word[i + 1] == pair[1]:
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    for a, b in zip(word, word[1:]):
        new[a, b] = new.get((a, b), 0) - count
    for a, b in zip(merged, merged[1:]):
        new[a, b] = new.get((a, b), 0) + count
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "the new pairs get 1 each, not the number of times that the word occurs",
        "source": r"""
from collections import Counter

def update_counts(counts, word, pair, count):
    if tuple(pair) not in list(zip(word, word[1:])):
        raise ValueError("pair not in word")
    new = Counter(counts)
    for p in zip(word, word[1:]):
        new[p] -= count
    merged, i = [], 0
    while i < len(word):
        if tuple(word[i:i + 2]) == tuple(pair):
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    new.update(zip(merged, merged[1:]))
    return {p: n for p, n in new.items() if n}
""",
    },
    # ---------------------------------------------------------------- encode_piece
    {
        "task": "encode_piece",
        "right": True,
        "why": "simple: looks at all neighbours again after each merge",
        "source": r"""
def encode_piece(piece, ids):
    parts = [piece[i:i + 1] for i in range(len(piece))]
    while True:
        best, place = None, None
        for i in range(len(parts) - 1):
            number = ids.get(parts[i] + parts[i + 1])
            if number is not None and (best is None or number < best):
                best, place = number, i
        if best is None:
            return [ids[part] for part in parts]
        parts[place:place + 2] = [parts[place] + parts[place + 1]]
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "a heap of possible merges and a linked list of the parts",
        "source": r"""
import heapq

def encode_piece(piece, ids):
    n = len(piece)
    end = {i: i + 1 for i in range(n)}            # where the part that starts at i ends
    start_of = {i + 1: i for i in range(n)}       # the start of the part that ends here
    heap = []

    def offer(i):
        if i in end and end[i] in end:
            j = end[end[i]]
            number = ids.get(piece[i:j])
            if number is not None:
                heapq.heappush(heap, (number, i, end[i], j))

    for i in range(n):
        offer(i)
    while heap:
        number, i, middle, j = heapq.heappop(heap)
        if end.get(i) != middle or end.get(middle) != j:
            continue
        del end[middle]
        end[i] = j
        start_of[j] = i
        offer(i)
        if i in start_of and i > 0:
            offer(start_of[i])
    return [ids[piece[i:end[i]]] for i in sorted(end)]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "merges all places of the lowest id before it looks again: with ab 20 and aba 10, abab must become aba b",
        "source": r"""
def encode_piece(piece, ids):
    parts = [bytes([b]) for b in piece]
    while True:
        possible = [ids[a + b] for a, b in zip(parts, parts[1:]) if a + b in ids]
        if not possible:
            return [ids[p] for p in parts]
        lowest = min(possible)
        new, i = [], 0
        while i < len(parts):
            if i + 1 < len(parts) and ids.get(parts[i] + parts[i + 1]) == lowest:
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
        "why": "a piece that is a token is returned at once, although no merges may lead to it: abc with the tokens a, b, c, abc must stay a b c",
        "source": r"""
def encode_piece(piece, ids):
    if piece in ids:
        return [ids[piece]]
    parts = [bytes([b]) for b in piece]
    while len(parts) > 1:
        options = [(ids[parts[i] + parts[i + 1]], i) for i in range(len(parts) - 1) if parts[i] + parts[i + 1] in ids]
        if not options:
            break
        i = min(options)[1]
        parts[i:i + 2] = [parts[i] + parts[i + 1]]
    return [ids[p] for p in parts]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "of equally low ones the rightmost (<=): aaa with aa must become aa a",
        "source": r"""
def encode_piece(piece, ids):
    parts = [bytes([b]) for b in piece]
    while True:
        lowest, place = float("inf"), -1
        for i in range(len(parts) - 1):
            rank = ids.get(parts[i] + parts[i + 1], float("inf"))
            if rank <= lowest and rank != float("inf"):
                lowest, place = rank, i
        if place < 0:
            return [ids[p] for p in parts]
        parts[place:place + 2] = [parts[place] + parts[place + 1]]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the id 0 of a merged token counts as 'no token' (a truth test of the id)",
        "source": r"""
def encode_piece(piece, ids):
    parts = [bytes([b]) for b in piece]
    while True:
        options = []
        for i in range(len(parts) - 1):
            number = ids.get(parts[i] + parts[i + 1])
            if number:
                options.append((number, i))
        if not options:
            return [ids[p] for p in parts]
        _, i = min(options)
        parts = parts[:i] + [parts[i] + parts[i + 1]] + parts[i + 2:]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the longest token from the left: 'Not the longest token, not the leftmost'",
        "source": r"""
def encode_piece(piece, ids):
    result, i = [], 0
    while i < len(piece):
        j = len(piece)
        while piece[i:j] not in ids:
            j -= 1
        result.append(ids[piece[i:j]])
        i = j
    return result
""",
    },
    # ---------------------------------------------------------------- decode_ids
    {
        "task": "decode_ids",
        "right": True,
        "why": "checks, joins, decodes",
        "source": r"""
def decode_ids(ids, token_of):
    for i in ids:
        if not 0 <= i < len(token_of):
            raise ValueError(f"there is no token {i}")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "an incremental decoder of codecs, token by token",
        "source": r"""
import codecs

def decode_ids(ids, token_of):
    known = dict(enumerate(token_of))
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = ""
    for number in ids:
        try:
            text += decoder.decode(known[number])
        except KeyError:
            raise ValueError(number) from None
    return text + decoder.decode(b"", final=True)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "decodes each token by itself: 'A token may end in the middle of a character, so join first'",
        "source": r"""
def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError("no such token")
    return "".join(token_of[i].decode("utf-8", errors="replace") for i in ids)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "negative numbers count from the end: 'ValueError: a number is negative'",
        "source": r"""
def decode_ids(ids, token_of):
    try:
        data = b"".join([token_of[i] for i in ids])
    except IndexError:
        raise ValueError("no such token")
    return data.decode("utf-8", "replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "a number of len(token_of) raises IndexError: the check has > in the place of >=",
        "source": r"""
def decode_ids(ids, token_of):
    data = b""
    for i in ids:
        if i < 0 or i > len(token_of):
            raise ValueError("no such token")
        data += token_of[i]
    return data.decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "errors='ignore' leaves bad bytes out: 'U+FFFD where the bytes are not valid UTF-8'",
        "source": r"""
def decode_ids(ids, token_of):
    if ids and (min(ids) < 0 or max(ids) >= len(token_of)):
        raise ValueError("no such token")
    return b"".join(map(token_of.__getitem__, ids)).decode("utf-8", errors="ignore")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "min and max of an empty list raise ValueError: no ids are the empty text",
        "source": r"""
def decode_ids(ids, token_of):
    if min(ids) < 0 or max(ids) >= len(token_of):
        raise ValueError("no such token")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    # ---------------------------------------------------------------- visible_token
    {
        "task": "visible_token",
        "right": True,
        "why": "a table of all 256 bytes",
        "source": r"""
TABLE = {}
for byte in [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]:
    TABLE[byte] = chr(byte)
extra = 0x100
for byte in range(256):
    if byte not in TABLE:
        TABLE[byte] = chr(extra)
        extra += 1

def visible_token(token):
    return "".join(TABLE[byte] for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "latin-1 and str.translate; isprintable happens to know the same bytes",
        "source": r"""
def visible_token(token):
    hidden = [n for n in range(256) if chr(n) == " " or not chr(n).isprintable()]
    return token.decode("latin-1").translate({n: 0x100 + k for k, n in enumerate(hidden)})
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0xAD is kept: the ranges are 0xA1 to 0xAC and 0xAE to 0xFF, so it is the last of the 68",
        "source": r"""
def visible_token(token):
    keep = set(range(0x21, 0x7F)) | set(range(0xA1, 0x100))
    others = [b for b in range(256) if b not in keep]
    return "".join(chr(b) if b in keep else chr(256 + others.index(b)) for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "256 + byte for every other byte: right to 0x20, but 0x7F is the 34th, U+0121",
        "source": r"""
def visible_token(token):
    out = ""
    for b in token:
        if 0x21 <= b <= 0x7E or 0xA1 <= b <= 0xAC or b >= 0xAE:
            out += chr(b)
        else:
            out += chr(0x100 + b)
    return out
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "range(0x21, 0x7E) leaves the tilde, 0x7E, out: it must stay, and all later ones are moved by one",
        "source": r"""
def visible_token(token):
    keep = list(range(0x21, 0x7E)) + list(range(0xA1, 0xAD)) + list(range(0xAE, 0x100))
    others = [b for b in range(256) if b not in keep]
    return "".join(chr(b) if b in keep else chr(256 + others.index(b)) for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "reads the token as text first: two bytes of an accented letter become one character, half a character fails; 'one visible character for each byte'",
        "source": r"""
def visible_token(token):
    keep = set(range(0x21, 0x7F)) | set(range(0xA1, 0xAD)) | set(range(0xAE, 0x100))
    others = [n for n in range(256) if n not in keep]
    out = []
    for char in token.decode("utf-8"):
        n = ord(char)
        out.append(chr(256 + others.index(n)) if n in others else char)
    return "".join(out)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "only white space is replaced, the other control characters stay invisible: byte 0 must be U+0100",
        "source": r"""
def visible_token(token):
    return "".join(chr(256 + b) if chr(b).isspace() else chr(b) for b in token)
""",
    },
    # ---------------------------------------------------------------- longest_match
    {
        "task": "longest_match",
        "right": True,
        "why": "two loops: from each place the longest end first",
        "source": r"""
def longest_match(word, vocabulary):
    tokens = []
    i = 0
    while i < len(word):
        for j in range(len(word), i, -1):
            token = word[i:j] if i == 0 else "##" + word[i:j]
            if token in vocabulary:
                tokens.append(token)
                i = j
                break
        else:
            if not tokens or tokens[-1] != "[UNK]":
                tokens.append("[UNK]")
            i += 1
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": True,
        "why": "tokens sorted by length, startswith; unknown letters are marked with None and grouped",
        "source": r"""
from itertools import groupby

def longest_match(word, vocabulary):
    ordered = sorted(vocabulary, key=len, reverse=True)
    found, i = [], 0
    while i < len(word):
        if i == 0:
            hit = next((t for t in ordered if word.startswith(t)), None)
            step = len(hit) if hit else 1
        else:
            hit = next((t for t in ordered if t.startswith("##") and word.startswith(t[2:], i)), None)
            step = len(hit) - 2 if hit else 1
        found.append(hit)
        i += step
    result = []
    for token, run in groupby(found):
        result += ["[UNK]"] if token is None else list(run)
    return result
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "goes back to shorter tokens to avoid an unknown letter: 'No shorter token is tried to avoid an unknown letter'",
        "source": r"""
from functools import lru_cache

def longest_match(word, vocabulary):
    @lru_cache(None)
    def cut(i):
        if i == len(word):
            return ()
        for j in range(len(word), i, -1):
            token = word[i:j] if i == 0 else "##" + word[i:j]
            if token in vocabulary:
                rest = cut(j)
                if rest is not None:
                    return (token,) + rest
        return None

    whole = cut(0)
    if whole is not None:
        return list(whole)
    out, i = [], 0
    while i < len(word):
        for j in range(len(word), i, -1):
            token = ("##" if i else "") + word[i:j]
            if token in vocabulary:
                out.append(token)
                i = j
                break
        else:
            if out[-1:] != ["[UNK]"]:
                out.append("[UNK]")
            i += 1
    return out
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "after unknown letters at the start the next token has no ##: 'What follows them does not start the word, so it has its ##'",
        "source": r"""
def longest_match(word, vocabulary):
    out, i, started = [], 0, False
    while i < len(word):
        for j in range(len(word), i, -1):
            token = "##" + word[i:j] if started else word[i:j]
            if token in vocabulary:
                out.append(token)
                i, started = j, True
                break
        else:
            if out[-1:] != ["[UNK]"]:
                out.append("[UNK]")
            i += 1
    return out
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "at most one [UNK] in the whole word: 'each run of unknown letters is one [UNK]'",
        "source": r"""
def longest_match(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        for j in range(len(word), i, -1):
            token = ("##" if i else "") + word[i:j]
            if token in vocabulary:
                out.append(token)
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
        "why": "words of more than 100 letters are one [UNK], as in BERT's code: the statement knows no such limit",
        "source": r"""
def longest_match(word, vocabulary):
    if len(word) > 100:
        return ["[UNK]"]
    out, i = [], 0
    while i < len(word):
        j = len(word)
        while j > i and ("##" if i else "") + word[i:j] not in vocabulary:
            j -= 1
        if j == i:
            if not out or out[-1] != "[UNK]":
                out.append("[UNK]")
            i += 1
        else:
            out.append(("##" if i else "") + word[i:j])
            i = j
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
        j = len(word)
        while j > i and ("##" if i else "") + word[i:j] not in vocabulary:
            j -= 1
        if j == i:
            if not out or out[-1] != "[UNK]":
                out.append("[UNK]")
            i += 1
        else:
            out.append(("##" if i else "") + word[i:j])
            i = j
    return out or ["[UNK]"]
""",
    },
    # ---------------------------------------------------------------- word_log_prob
    {
        "task": "word_log_prob",
        "right": True,
        "why": "from the end to the front, log-sum-exp with the maximum, ends limited by the longest token",
        "source": r"""
import math

def word_log_prob(word, log_probs):
    n = len(word)
    longest = max(map(len, log_probs), default=0)
    rest = [-math.inf] * n + [0.0]
    for i in range(n - 1, -1, -1):
        terms = []
        for j in range(i + 1, min(n, i + longest) + 1):
            piece = word[i:j]
            if piece in log_probs and rest[j] > -math.inf:
                terms.append(log_probs[piece] + rest[j])
        if terms:
            top = max(terms)
            rest[i] = top + math.log(sum(math.exp(term - top) for term in terms))
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": True,
        "why": "forward instead of backward, logaddexp.reduce over the last tokens, a NumPy float returned",
        "source": r"""
import numpy as np

def word_log_prob(word, log_probs):
    lengths = sorted({len(token) for token in log_probs})
    reach = np.full(len(word) + 1, -np.inf)
    reach[0] = 0.0
    for j in range(1, len(word) + 1):
        last = [(length, log_probs[word[j - length:j]]) for length in lengths
                if length <= j and word[j - length:j] in log_probs]
        if last:
            length, value = (np.array(column) for column in zip(*last))
            reach[j] = np.logaddexp.reduce(reach[j - length] + value)
    return reach[-1]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "multiplies probabilities and takes the logarithm at the end: -inf for a long word, 'its probability may be too small for a float: add logarithms'",
        "source": r"""
import math

def word_log_prob(word, log_probs):
    n = len(word)
    probs = {token: math.exp(value) for token, value in log_probs.items()}
    longest = max(map(len, probs), default=0)
    p = [0.0] * n + [1.0]
    for i in reversed(range(n)):
        for j in range(i + 1, min(n, i + longest) + 1):
            p[i] += probs.get(word[i:j], 0.0) * p[j]
    return math.log(p[0]) if p[0] > 0 else -math.inf
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "recursion with a call for each letter: RecursionError for a word of thousands of letters, 'A word of a thousand letters must take a second at most'",
        "source": r"""
import math
from functools import lru_cache

def word_log_prob(word, log_probs):
    longest = max((len(t) for t in log_probs), default=0)

    @lru_cache(maxsize=None)
    def rest(i):
        if i == len(word):
            return 0.0
        terms = [log_probs[word[i:j]] + rest(j) for j in range(i + 1, min(len(word), i + longest) + 1)
                 if word[i:j] in log_probs]
        terms = [t for t in terms if t > -math.inf]
        if not terms:
            return -math.inf
        top = max(terms)
        return top + math.log(sum(math.exp(t - top) for t in terms))

    return rest(0)
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "-inf minus -inf is nan: a word that cannot be made of the tokens must give -math.inf",
        "source": r"""
import numpy as np

def word_log_prob(word, log_probs):
    n = len(word)
    longest = max(map(len, log_probs), default=0)
    rest = [-np.inf] * n + [0.0]
    for i in range(n - 1, -1, -1):
        terms = np.array([log_probs[word[i:j]] + rest[j] for j in range(i + 1, min(n, i + longest) + 1)
                          if word[i:j] in log_probs])
        if len(terms):
            top = terms.max()
            rest[i] = float(top + np.log(np.exp(terms - top).sum()))
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "a log-probability of 0 (P = 1) is taken as 'no token' by a truth test",
        "source": r"""
import math

def word_log_prob(word, log_probs):
    n = len(word)
    longest = max(map(len, log_probs), default=0)
    rest = [-math.inf] * n + [0.0]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, min(n, i + longest) + 1):
            value = log_probs.get(word[i:j])
            if value and rest[j] != -math.inf:
                a, b = rest[i], value + rest[j]
                high, low = max(a, b), min(a, b)
                rest[i] = high + math.log1p(math.exp(low - high))
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "the best cutting only (maximum), not the sum of all",
        "source": r"""
import math

def word_log_prob(word, log_probs):
    n = len(word)
    longest = max(map(len, log_probs), default=0)
    rest = [-math.inf] * n + [0.0]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, min(n, i + longest) + 1):
            if word[i:j] in log_probs:
                rest[i] = max(rest[i], log_probs[word[i:j]] + rest[j])
    return rest[0]
""",
    },
]
