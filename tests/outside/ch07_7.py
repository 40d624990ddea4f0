ANSWERS = [
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "shifts and masks, case by case",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError("no code point")
    if n <= 0x7F:
        return [n]
    if n <= 0x7FF:
        return [0b11000000 | n >> 6, 0x80 | n & 0x3F]
    if n <= 0xFFFF:
        return [0b11100000 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
    return [0b11110000 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
""",
    },
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "six bits at a time from the end with divmod",
        "source": r"""
def utf8_bytes(code_point):
    if not 0 <= code_point <= 0x10FFFF:
        raise ValueError
    if code_point < 128:
        return [code_point]
    rest, tail, room = code_point, [], 64
    while rest >= room:
        rest, low = divmod(rest, 64)
        tail.insert(0, 128 + low)
        room = {64: 32, 32: 16, 16: 8}[room]
    mark = {1: 192, 2: 224, 3: 240}[len(tail)]
    return [mark + rest] + tail
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "0x800 is written in two bytes (<= 0x800)",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError
    if n < 0x80:
        return [n]
    if n <= 0x800:
        return [0xC0 | n >> 6, 0x80 | n & 0x3F]
    if n <= 0xFFFF:
        return [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
    return [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "no ValueError above 0x10FFFF",
        "source": r"""
def utf8_bytes(code_point):
    n = code_point
    if n < 0:
        raise ValueError
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
        "right": False,
        "why": "the last code point, 0x10FFFF, is refused",
        "source": r"""
def utf8_bytes(code_point):
    if code_point not in range(0x10FFFF):
        raise ValueError
    return list(chr(code_point).encode("utf-8"))
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": '0 is refused ("an int from 0")',
        "source": r"""
def utf8_bytes(code_point):
    if code_point <= 0 or code_point > 0x10FFFF:
        raise ValueError
    return [byte for byte in chr(code_point).encode()]
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
        "why": "a scanner by hand, only the class of a character comes from regex",
        "source": r"""
import regex

def kind(c):
    for name, pattern in (("letter", r"\p{L}"), ("digit", r"\p{N}"), ("space", r"\s")):
        if regex.fullmatch(pattern, c):
            return name
    return "other"

def split_pieces(text):
    kinds = [kind(c) for c in text]
    pieces, i, n = [], 0, len(text)
    while i < n:
        j = 0
        for ending in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d"):
            if text.startswith(ending, i):
                j = i + len(ending)
                break
        if not j:
            first = i + 1 if text[i] == " " and i + 1 < n and kinds[i + 1] != "space" else i
            j = first
            while j < n and kinds[j] == kinds[first]:
                j += 1
            if kinds[first] == "space" and j < n and j - i > 1:
                j -= 1
        pieces.append(text[i:j])
        i = j
    return pieces
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": 'the endings fit in capital letters, too ("small letters")',
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "any white space is taken into the word, not one space only: a tab or a line end before a word",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d|\s?\p{L}+|\s?\p{N}+|\s?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "\\d instead of \\p{N}: a half or a small 2 are digits in the statement",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\d+| ?[^\s\p{L}\d]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "the run of white space keeps its last character although something follows",
        "source": r"""
import regex

def split_pieces(text):
    return regex.findall(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+", text)
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "Counter and pairwise",
        "source": r"""
from itertools import pairwise

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("as many counts as words")
    total = Counter()
    for word, count in zip(words, counts):
        for pair in pairwise(word):
            total[pair] += count
    return dict(total)
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "indices and plain dict",
        "source": r"""
def count_pairs(words, counts):
    try:
        both = list(zip(words, counts, strict=True))
    except ValueError:
        raise
    result = {}
    for word, times in both:
        for i in range(len(word) - 1):
            pair = (word[i], word[i + 1])
            if pair not in result:
                result[pair] = 0
            result[pair] = result[pair] + times
    return result
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "zip cuts the longer list off, no ValueError",
        "source": r"""
def count_pairs(words, counts):
    total = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            total[pair] = total.get(pair, 0) + count
    return total
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "the order in a pair is lost: (b, a) is counted as (a, b)",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError
    total = {}
    for word, count in zip(words, counts):
        for a, b in zip(word, word[1:]):
            pair = (min(a, b), max(a, b))
            total[pair] = total.get(pair, 0) + count
    return total
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "counts pairs of bytes: tokens that are merged already fall apart",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError
    total = {}
    for word, count in zip(words, counts):
        data = b"".join(word)
        for i in range(len(data) - 1):
            pair = (data[i:i + 1], data[i + 1:i + 2])
            total[pair] = total.get(pair, 0) + count
    return total
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "a pair of a later word overwrites the count of an earlier one",
        "source": r"""
def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError
    total = {}
    for word, count in zip(words, counts):
        here = Counter(zip(word, word[1:]))
        total.update({pair: times * count for pair, times in here.items()})
    return total
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "filter, then min with a key",
        "source": r"""
def best_pair(counts, min_count, max_length):
    allowed = [p for p, c in counts.items() if c >= min_count and len(p[0] + p[1]) <= max_length]
    return min(allowed, key=lambda p: (-counts[p], p), default=None)
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "one loop that keeps the best so far",
        "source": r"""
def best_pair(counts, min_count, max_length):
    best = None
    most = 0
    for pair in counts:
        left, right = pair
        if counts[pair] < min_count:
            continue
        if len(left) + len(right) > max_length:
            continue
        if best is None or counts[pair] > most:
            best, most = pair, counts[pair]
        elif counts[pair] == most:
            if left < best[0] or left == best[0] and right < best[1]:
                best = pair
    return best
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": 'a pair that occurs exactly min_count times is left out ("at least")',
        "source": r"""
def best_pair(counts, min_count, max_length):
    allowed = [p for p, c in counts.items() if c > min_count and len(p[0]) + len(p[1]) <= max_length]
    return min(allowed, key=lambda p: (-counts[p], p), default=None)
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "ties by the bytes of the joined token: (a, z) and (ab, a) come in the wrong order",
        "source": r"""
def best_pair(counts, min_count, max_length):
    allowed = [p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length]
    return min(allowed, key=lambda p: (-counts[p], p[0] + p[1]), default=None)
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "no pair allowed: max() raises instead of None",
        "source": r"""
def best_pair(counts, min_count, max_length):
    allowed = sorted(p for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length)
    return max(allowed, key=counts.get)
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "length in characters, not in bytes",
        "source": r"""
def best_pair(counts, min_count, max_length):
    best = None
    for p, c in sorted(counts.items()):
        length = len((p[0] + p[1]).decode("utf-8", errors="replace"))
        if c >= min_count and length <= max_length and (best is None or c > counts[best]):
            best = p
    return best
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "index and meeting number",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    result, i, meeting = [], 0, 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == tuple(pair):
            meeting += 1
            if meeting - 1 not in dropped:
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
        "why": "a generator that carries the left token along",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    left, right = pair
    numbers = itertools.count()

    def walk():
        held = None
        for token in tokens:
            if held is None:
                held = token
            elif held == left and token == right and next(numbers) not in dropped:
                yield left + right
                held = None
            else:
                yield held
                held = token
        if held is not None:
            yield held

    return list(walk())
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": 'returns the same list when nothing is met ("A new list of tokens, even where nothing is joined")',
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    if tuple(pair) not in zip(tokens, tokens[1:]):
        return tokens
    result, i, meeting = [], 0, 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == tuple(pair):
            meeting += 1
            if meeting - 1 not in dropped:
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
        "right": False,
        "why": "compares the joined bytes: (ab, c) is taken for (a, bc)",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    whole = pair[0] + pair[1]
    result, i, meeting = [], 0, 0
    while i < len(tokens):
        if i + 1 < len(tokens) and tokens[i] + tokens[i + 1] == whole:
            meeting += 1
            if meeting - 1 not in dropped:
                result.append(whole)
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
        "why": "works in the caller's list",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    i, meeting = 0, 0
    while i < len(tokens) - 1:
        if tokens[i] == pair[0] and tokens[i + 1] == pair[1]:
            if meeting not in dropped:
                tokens[i:i + 2] = [pair[0] + pair[1]]
            meeting += 1
        i += 1
    return list(tokens)
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "at a dropped meeting both tokens are copied and the walk goes on behind them",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    result, i, meeting = [], 0, 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == tuple(pair):
            if meeting in dropped:
                result += tokens[i:i + 2]
            else:
                result.append(tokens[i] + tokens[i + 1])
            meeting += 1
            i += 2
        else:
            result.append(tokens[i])
            i += 1
    return result
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "naive: count, choose, merge",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("the 256 bytes must fit")
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        total = Counter()
        for word, count in zip(words, counts):
            for pair in zip(word, word[1:]):
                total[pair] += count
        allowed = [p for p in total if total[p] >= min_count and len(p[0]) + len(p[1]) <= max_length]
        if not allowed:
            break
        best = min(allowed, key=lambda p: (-total[p], p))
        merges.append(best)
        for word in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "incremental: tuples of tokens, only the words that hold the pair are counted anew",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    room = vocab_size - 256
    if room < 0:
        raise ValueError
    words = []
    totals = defaultdict(int)
    where = defaultdict(set)

    def add(number, sign):
        tokens, times = words[number]
        for pair in zip(tokens, tokens[1:]):
            totals[pair] += sign * times
            where[pair].add(number)

    for number, (piece, times) in enumerate(piece_counts.items()):
        data = piece.encode()
        words.append((tuple(data[i:i + 1] for i in range(len(data))), times))
        add(number, 1)
    learned = []
    for _ in range(room):
        best = None
        for pair, total in totals.items():
            if total >= min_count and len(pair[0]) + len(pair[1]) <= max_length:
                if best is None or (-total, pair) < (-totals[best], best):
                    best = pair
        if best is None:
            break
        learned.append(best)
        for number in list(where[best]):
            add(number, -1)
            tokens, times = words[number]
            new = []
            for token in tokens:
                if new and not isinstance(new[-1], bytearray) and (new[-1], token) == best:
                    new[-1] = bytearray(best[0] + best[1])
                else:
                    new.append(token)
            words[number] = (tuple(bytes(t) for t in new), times)
            add(number, 1)
    return learned
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "starts from characters, not from bytes: no merges inside a letter like e acute",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError
    words = [[c.encode("utf-8") for c in piece] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        total = Counter()
        for word, count in zip(words, counts):
            for pair in zip(word, word[1:]):
                total[pair] += count
        allowed = [p for p in total if total[p] >= min_count and len(p[0]) + len(p[1]) <= max_length]
        if not allowed:
            break
        best = min(allowed, key=lambda p: (-total[p], p))
        merges.append(best)
        for word in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "one merge too many: <= instead of <",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    while len(merges) <= vocab_size - 256:
        total = Counter()
        for word, count in zip(words, counts):
            for pair in zip(word, word[1:]):
                total[pair] += count
        allowed = [p for p in total if total[p] >= min_count and len(p[0]) + len(p[1]) <= max_length]
        if not allowed:
            break
        best = min(allowed, key=lambda p: (-total[p], p))
        merges.append(best)
        for word in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "min_count ignored, always 2",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        total = Counter()
        for word, count in zip(words, counts):
            for pair in zip(word, word[1:]):
                total[pair] += count
        allowed = [p for p in total if total[p] > 1 and len(p[0]) + len(p[1]) <= max_length]
        if not allowed:
            break
        best = min(allowed, key=lambda p: (-total[p], p))
        merges.append(best)
        for word in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "stops when the most frequent pair is too long, although others may be merged",
        "source": r"""
def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        total = Counter()
        for word, count in zip(words, counts):
            for pair in zip(word, word[1:]):
                total[pair] += count
        if not total:
            break
        best = min(total, key=lambda p: (-total[p], p))
        if total[best] < min_count or len(best[0] + best[1]) > max_length:
            break
        merges.append(best)
        for word in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "take the old pairs away, add the new ones",
        "source": r"""
def update_counts(counts, word, pair, count):
    pair = tuple(pair)
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the word does not hold the pair")
    new = dict(counts)
    for old in zip(word, word[1:]):
        new[old] = new.get(old, 0) - count
    merged, i = [], 0
    while i < len(word):
        if tuple(word[i:i + 2]) == pair:
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    for fresh in zip(merged, merged[1:]):
        new[fresh] = new.get(fresh, 0) + count
    return {p: c for p, c in new.items() if c != 0}
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "Counters, a recursive merge",
        "source": r"""
def update_counts(counts, word, pair, count):
    def merge(rest):
        if len(rest) < 2:
            return list(rest)
        if (rest[0], rest[1]) == (pair[0], pair[1]):
            return [rest[0] + rest[1]] + merge(rest[2:])
        return [rest[0]] + merge(rest[1:])

    after = merge(word)
    if len(after) == len(word):
        raise ValueError
    total = Counter(counts)
    before_pairs, after_pairs = Counter(zip(word, word[1:])), Counter(zip(after, after[1:]))
    for p in set(before_pairs) | set(after_pairs):
        total[p] += count * (after_pairs[p] - before_pairs[p])
    return {p: c for p, c in total.items() if c}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": 'changes the caller\'s counts ("It stays as it is")',
        "source": r"""
def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError
    for old in zip(word, word[1:]):
        counts[old] -= count
    merged, i = [], 0
    while i < len(word):
        if tuple(word[i:i + 2]) == pair:
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    for fresh in zip(merged, merged[1:]):
        counts[fresh] = counts.get(fresh, 0) + count
    return {p: c for p, c in counts.items() if c}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "asks only whether both tokens are in the word, not whether they stand side by side",
        "source": r"""
def update_counts(counts, word, pair, count):
    if pair[0] not in word or pair[1] not in word:
        raise ValueError
    new = Counter(counts)
    merged, i = [], 0
    while i < len(word):
        if tuple(word[i:i + 2]) == pair:
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    for old in zip(word, word[1:]):
        new[old] -= count
    for fresh in zip(merged, merged[1:]):
        new[fresh] += count
    return {p: c for p, c in new.items() if c}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "merges from the right: aaa becomes a aa",
        "source": r"""
def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError
    new = Counter(counts)
    merged, i = [], len(word) - 1
    while i >= 0:
        if i > 0 and (word[i - 1], word[i]) == pair:
            merged.insert(0, pair[0] + pair[1])
            i -= 2
        else:
            merged.insert(0, word[i])
            i -= 1
    for old in zip(word, word[1:]):
        new[old] -= count
    for fresh in zip(merged, merged[1:]):
        new[fresh] += count
    return {p: c for p, c in new.items() if c}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "pairs whose count becomes 0 stay in",
        "source": r"""
def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError
    new = Counter(counts)
    merged, i = [], 0
    while i < len(word):
        if tuple(word[i:i + 2]) == pair:
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(word[i])
            i += 1
    for old in zip(word, word[1:]):
        new[old] -= count
    for fresh in zip(merged, merged[1:]):
        new[fresh] += count
    return dict(new)
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "the lowest id is searched anew for each merge",
        "source": r"""
def encode_piece(piece, ids):
    parts = [piece[i:i + 1] for i in range(len(piece))]
    while True:
        found = [(ids[parts[i] + parts[i + 1]], i) for i in range(len(parts) - 1) if parts[i] + parts[i + 1] in ids]
        if not found:
            return [ids[part] for part in parts]
        _, i = min(found)
        parts[i:i + 2] = [parts[i] + parts[i + 1]]
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "recursion over a tuple of borders",
        "source": r"""
def encode_piece(piece, ids):
    borders = list(range(len(piece) + 1))
    while len(borders) > 2:
        best, at = None, None
        for k in range(1, len(borders) - 1):
            number = ids.get(piece[borders[k - 1]:borders[k + 1]])
            if number is not None and (best is None or number < best):
                best, at = number, k
        if at is None:
            break
        del borders[at]
    return [ids[piece[a:b]] for a, b in zip(borders, borders[1:])]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "longest token from the left",
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
    {
        "task": "encode_piece",
        "right": False,
        "why": "a piece that is a token as a whole is looked up at once, even if no merges lead there",
        "source": r"""
def encode_piece(piece, ids):
    if piece in ids:
        return [ids[piece]]
    parts = [piece[i:i + 1] for i in range(len(piece))]
    while True:
        found = [(ids[parts[i] + parts[i + 1]], i) for i in range(len(parts) - 1) if parts[i] + parts[i + 1] in ids]
        if not found:
            return [ids[part] for part in parts]
        _, i = min(found)
        parts[i:i + 2] = [parts[i] + parts[i + 1]]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "each token is tried once, in the order of ids: a low one that becomes possible late is missed",
        "source": r"""
def encode_piece(piece, ids):
    parts = [piece[i:i + 1] for i in range(len(piece))]
    for token in sorted(ids, key=ids.get):
        i = 0
        while i < len(parts) - 1:
            if parts[i] + parts[i + 1] == token:
                parts[i:i + 2] = [token]
            i += 1
    return [ids[part] for part in parts]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the leftmost pair that can be merged, not the one with the lowest id",
        "source": r"""
def encode_piece(piece, ids):
    parts = [piece[i:i + 1] for i in range(len(piece))]
    i = 0
    while i < len(parts) - 1:
        if parts[i] + parts[i + 1] in ids:
            parts[i:i + 2] = [parts[i] + parts[i + 1]]
            i = 0
        else:
            i += 1
    return [ids[part] for part in parts]
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "join, then decode with replacement",
        "source": r"""
def decode_ids(ids, token_of):
    for i in ids:
        if not 0 <= i < len(token_of):
            raise ValueError(f"no token {i}")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "a bytearray that grows",
        "source": r"""
def decode_ids(ids, token_of):
    data = bytearray()
    known = dict(enumerate(token_of))
    for number in ids:
        if number not in known:
            raise ValueError
        data += known[number]
    return str(bytes(data), "utf-8", "replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "each token is decoded alone: a character in two tokens becomes U+FFFD",
        "source": r"""
def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError
    return "".join(token_of[i].decode("utf-8", errors="replace") for i in ids)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "bad bytes are left out instead of U+FFFD",
        "source": r"""
def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError
    return b"".join([token_of[i] for i in ids]).decode("utf-8", errors="ignore")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "negative numbers count from the end",
        "source": r"""
def decode_ids(ids, token_of):
    try:
        return b"".join([token_of[i] for i in ids]).decode("utf-8", errors="replace")
    except IndexError:
        raise ValueError("no such token")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "the number len(token_of) gives an IndexError, not a ValueError",
        "source": r"""
def decode_ids(ids, token_of):
    if ids and (min(ids) < 0 or max(ids) > len(token_of)):
        raise ValueError
    return b"".join([token_of[i] for i in ids]).decode("utf-8", errors="replace")
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "a table of the 256 bytes",
        "source": r"""
def visible_token(token):
    same = set(range(0x21, 0x7F)) | set(range(0xA1, 0xAD)) | set(range(0xAE, 0x100))
    table, extra = {}, 0
    for byte in range(256):
        if byte in same:
            table[byte] = chr(byte)
        else:
            table[byte] = chr(0x100 + extra)
            extra += 1
    return "".join(table[byte] for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "arithmetic without a table, str.translate for nothing but speed left out",
        "source": r"""
def visible_token(token):
    text = ""
    for b in token:
        if b <= 0x20:
            text += chr(0x100 + b)
        elif 0x7F <= b <= 0xA0:
            text += chr(0x100 + 33 + b - 0x7F)
        elif b == 0xAD:
            text += chr(0x100 + 67)
        else:
            text += chr(b)
    return text
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0x100 + byte for all that are not visible: wrong from 0x7F on",
        "source": r"""
def visible_token(token):
    text = ""
    for b in token:
        visible = 0x21 <= b <= 0x7E or 0xA1 <= b <= 0xAC or 0xAE <= b
        text += chr(b) if visible else chr(256 + b)
    return text
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0xAD keeps its character",
        "source": r"""
def visible_token(token):
    hidden = [b for b in range(256) if not (0x21 <= b <= 0x7E or b >= 0xA1)]
    return "".join(chr(256 + hidden.index(b)) if b in hidden else chr(b) for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0x7F is taken for visible, all hidden bytes after it move by one",
        "source": r"""
def visible_token(token):
    hidden = [b for b in range(256) if not (0x21 <= b <= 0x7F or 0xA1 <= b <= 0xAC or b >= 0xAE)]
    return "".join(chr(256 + hidden.index(b)) if b in hidden else chr(b) for b in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "range without its end: 0xFF gets U+0144",
        "source": r"""
def visible_token(token):
    same = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0xFF)]
    hidden = [b for b in range(256) if b not in same]
    return "".join(chr(b) if b in same else chr(256 + hidden.index(b)) for b in token)
""",
    },
    {
        "task": "longest_match",
        "right": True,
        "why": "loop, the end comes nearer",
        "source": r"""
def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                tokens.append(mark + word[start:end])
                start = end
                break
        else:
            if not tokens or tokens[-1] != "[UNK]":
                tokens.append("[UNK]")
            start += 1
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": True,
        "why": "looks at the tokens, not at the ends; groupby joins unknown letters",
        "source": r"""
def longest_match(word, vocabulary):
    def walk(at):
        while at < len(word):
            rest = word[at:]
            fits = []
            for token in vocabulary:
                if at == 0 and rest.startswith(token):
                    fits.append((len(token), token))
                if at > 0 and token.startswith("##") and len(token) > 2 and rest.startswith(token[2:]):
                    fits.append((len(token) - 2, token))
            length, token = max(fits, default=(1, "[UNK]"))
            yield token
            at += length

    result = []
    for token, group in itertools.groupby(walk(0)):
        result.extend(["[UNK]"] if token == "[UNK]" else group)
    return result
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": 'after an unknown first letter the next is looked up without ## ("What follows them does not start the word")',
        "source": r"""
def longest_match(word, vocabulary):
    tokens, start, first = [], 0, True
    while start < len(word):
        mark = "" if first else "##"
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                tokens.append(mark + word[start:end])
                start, first = end, False
                break
        else:
            if tokens[-1:] != ["[UNK]"]:
                tokens.append("[UNK]")
            start += 1
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": 'tries shorter tokens if that avoids an unknown letter ("No shorter token is tried")',
        "source": r"""
def longest_match(word, vocabulary):
    def cover(start):
        if start == len(word):
            return []
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                rest = cover(end)
                if rest is not None:
                    return [mark + word[start:end]] + rest
        return None

    whole = cover(0)
    if whole is not None:
        return whole
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                tokens.append(mark + word[start:end])
                start = end
                break
        else:
            if tokens[-1:] != ["[UNK]"]:
                tokens.append("[UNK]")
            start += 1
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "one [UNK] a word, a second run of unknown letters is lost",
        "source": r"""
def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                tokens.append(mark + word[start:end])
                start = end
                break
        else:
            if "[UNK]" not in tokens:
                tokens.append("[UNK]")
            start += 1
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": 'an empty word gives [UNK] ("an empty word has no tokens")',
        "source": r"""
def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = len(word)
        while end > start and mark + word[start:end] not in vocabulary:
            end -= 1
        if end > start:
            tokens.append(mark + word[start:end])
            start = end
        else:
            if tokens[-1:] != ["[UNK]"]:
                tokens.append("[UNK]")
            start += 1
    return tokens or ["[UNK]"]
""",
    },
    {
        "task": "word_log_prob",
        "right": True,
        "why": "from the end to the front, logarithm of a sum by hand",
        "source": r"""
def word_log_prob(word, log_probs):
    n = len(word)
    longest = max(map(len, log_probs), default=0)
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
        "why": "from the front, np.logaddexp, tokens grouped by their lengths; a NumPy float comes back",
        "source": r"""
def word_log_prob(word, log_probs):
    lengths = sorted({len(token) for token in log_probs})
    upto = np.full(len(word) + 1, -np.inf)
    upto[0] = 0.0
    for i in range(len(word)):
        if upto[i] == -np.inf:
            continue
        for length in lengths:
            if i + length > len(word):
                break
            token = word[i:i + length]
            if token in log_probs:
                upto[i + length] = np.logaddexp(upto[i + length], upto[i] + log_probs[token])
    return upto[-1]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "multiplies probabilities: too small for a float with a long word",
        "source": r"""
def word_log_prob(word, log_probs):
    n = len(word)
    longest = max(map(len, log_probs), default=0)
    p = [0.0] * n + [1.0]
    for i in reversed(range(n)):
        for j in range(i + 1, min(n, i + longest) + 1):
            if word[i:j] in log_probs:
                p[i] += math.exp(log_probs[word[i:j]]) * p[j]
    return math.log(p[0]) if p[0] > 0 else -math.inf
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "recursion over all cuttings without a memory: 2 to the power of n - 1 of them",
        "source": r"""
def word_log_prob(word, log_probs):
    if not word:
        return 0.0
    terms = [log_probs[word[:j]] + word_log_prob(word[j:], log_probs) for j in range(1, len(word) + 1) if word[:j] in log_probs]
    top = max(terms, default=-math.inf)
    if top == -math.inf:
        return top
    return top + math.log(sum(math.exp(t - top) for t in terms))
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "-1e9 stands for minus infinity: an impossible word gives about -1e9",
        "source": r"""
def word_log_prob(word, log_probs):
    n = len(word)
    longest = max(map(len, log_probs), default=0)
    rest = [-1e9] * n + [0.0]
    for i in reversed(range(n)):
        for j in range(i + 1, min(n, i + longest) + 1):
            if word[i:j] in log_probs:
                rest[i] = float(np.logaddexp(rest[i], log_probs[word[i:j]] + rest[j]))
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "the best cutting alone, not the sum over all",
        "source": r"""
def word_log_prob(word, log_probs):
    n = len(word)
    longest = max(map(len, log_probs), default=0)
    rest = [-math.inf] * n + [0.0]
    for i in reversed(range(n)):
        for j in range(i + 1, min(n, i + longest) + 1):
            if word[i:j] in log_probs:
                rest[i] = max(rest[i], log_probs[word[i:j]] + rest[j])
    return rest[0]
""",
    },
]
