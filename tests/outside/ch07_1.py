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
    # best_pair
    {
        "task": "best_pair",
        "right": True,
        "why": "min of (minus count, pair); min itself raises the ValueError",
        "source": """
def best_pair(counts):
    return min(counts, key=lambda pair: (-counts[pair], pair))
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "the largest count, then the first of those that have it",
        "source": """
def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    most = max(counts.values())
    return sorted(pair for pair, count in counts.items() if count == most)[0]
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "a loop that remembers the best so far; UnicodeError is a ValueError",
        "source": """
def best_pair(counts):
    best = None
    for pair, count in counts.items():
        if best is None or count > counts[best] or (count == counts[best] and pair < best):
            best = pair
    if best is None:
        raise UnicodeError("nothing to choose from")
    return best
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "ties go to the pair that was counted first; 'the first in byte order'",
        "source": """
def best_pair(counts):
    return max(counts, key=counts.get)
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "ties go to the last in byte order",
        "source": """
def best_pair(counts):
    return max((count, pair) for pair, count in counts.items())[1]
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "the joined bytes are compared, so (aa, b) and (a, ab) tie or change places; the left tokens come first",
        "source": """
def best_pair(counts):
    return min(counts, key=lambda pair: (-counts[pair], pair[0] + pair[1]))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "an IndexError when there is no pair; 'ValueError: there is no pair'",
        "source": """
def best_pair(counts):
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[0][0]
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "tokens are compared as text: bytes that are no UTF-8 all become the same sign",
        "source": """
def best_pair(counts):
    text = lambda token: token.decode("utf-8", errors="replace")
    return min(counts, key=lambda pair: (-counts[pair], text(pair[0]), text(pair[1])))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "of equally common pairs the shortest comes first; byte order alone decides",
        "source": """
def best_pair(counts):
    return min(counts, key=lambda pair: (-counts[pair], len(pair[0]) + len(pair[1]), pair))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "only the left tokens are compared; 'if the left tokens are equal, the one whose right token does'",
        "source": """
def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    return sorted(counts, key=lambda pair: (-counts[pair], pair[0]))[0]
""",
    },
    # merge_pair
    {
        "task": "merge_pair",
        "right": True,
        "why": "a while loop over an index",
        "source": """
def merge_pair(tokens, pair):
    merged, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i : i + 2]) == tuple(pair):
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(tokens[i])
            i += 1
    return merged
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "a flag for a left token that waits for its right one",
        "source": """
def merge_pair(tokens, pair):
    left, right = pair
    out, waits = [], False
    for token in tokens:
        if waits and token == right:
            out[-1] = left + right
            waits = False
        else:
            out.append(token)
            waits = token == left
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "works on a copy, deleting the right token",
        "source": """
def merge_pair(tokens, pair):
    tokens = list(tokens)
    i = 0
    while i + 1 < len(tokens):
        if (tokens[i], tokens[i + 1]) == pair:
            tokens[i] += tokens.pop(i + 1)
        i += 1
    return tokens
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "the given list is changed; 'It stays as it is'",
        "source": """
def merge_pair(tokens, pair):
    i = 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) == pair:
            tokens[i : i + 2] = [pair[0] + pair[1]]
        i += 1
    return tokens
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "the given list itself comes back where nothing is joined; 'A new list, even where nothing is'",
        "source": """
def merge_pair(tokens, pair):
    if pair not in zip(tokens, tokens[1:]):
        return tokens
    out, i = [], 0
    while i < len(tokens):
        joined = tuple(tokens[i : i + 2]) == pair
        out.append(b"".join(pair) if joined else tokens[i])
        i += 2 if joined else 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "two neighbours are joined if their bytes are those of the pair, however they are shared out",
        "source": """
def merge_pair(tokens, pair):
    new, out, i = pair[0] + pair[1], [], 0
    while i < len(tokens):
        if b"".join(tokens[i : i + 2]) == new and i + 1 < len(tokens):
            out.append(new)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "from the right: (a, a) in aaa gives a aa; 'from the left'",
        "source": """
def merge_pair(tokens, pair):
    out, i = [], len(tokens) - 1
    while i >= 0:
        if i > 0 and (tokens[i - 1], tokens[i]) == pair:
            out.insert(0, pair[0] + pair[1])
            i -= 2
        else:
            out.insert(0, tokens[i])
            i -= 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "does not go on behind the two: aaa gives aa aa; the middle token is used twice",
        "source": """
def merge_pair(tokens, pair):
    out, skip = [], False
    for a, b in itertools.zip_longest(tokens, tokens[1:]):
        if (a, b) == pair:
            out.append(a + b)
            skip = True
        elif skip:
            skip = False
        else:
            out.append(a)
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "only the first place is joined; 'wherever it stands'",
        "source": """
def merge_pair(tokens, pair):
    for i in range(len(tokens) - 1):
        if (tokens[i], tokens[i + 1]) == pair:
            return [*tokens[:i], b"".join(pair), *tokens[i + 2 :]]
    return list(tokens)
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "a last token behind a joined pair is lost (aaa gives aa): else copy one token",
        "source": """
def merge_pair(tokens, pair):
    out, i = [], 0
    while i < len(tokens) - 1:
        if tokens[i] == pair[0] and tokens[i + 1] == pair[1]:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    if tokens and tokens[-2:] != list(pair):
        out.append(tokens[-1])
    return out
""",
    },
    # train_bpe
    {
        "task": "train_bpe",
        "right": True,
        "why": "three small functions put together",
        "source": """
def pairs_of(words, counts):
    pairs = Counter()
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] += count
    return pairs


def merged(word, pair):
    out, i = [], 0
    while i < len(word):
        hit = tuple(word[i : i + 2]) == pair
        out.append(b"".join(pair) if hit else word[i])
        i += 1 + hit
    return out


def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError(f"{num_merges} merges")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    while len(merges) < num_merges:
        pairs = pairs_of(words, counts)
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        words = [merged(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "recursion; words are tuples in a Counter, merged with a flag",
        "source": """
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("num_merges")
    words = Counter()
    for piece, n in piece_counts.items():
        data = piece.encode("utf-8")
        words[tuple(data[i : i + 1] for i in range(len(data)))] += n
    return learn(words, num_merges)


def learn(words, left):
    pairs = Counter()
    for word, n in words.items():
        for pair in itertools.pairwise(word):
            pairs[pair] += n
    if left == 0 or not pairs:
        return []
    top = max(pairs.values())
    best = min(pair for pair in pairs if pairs[pair] == top)
    smaller = Counter()
    for word, n in words.items():
        out, waits = [], False
        for token in word:
            if waits and token == best[1]:
                out[-1] += token
                waits = False
            else:
                out.append(token)
                waits = token == best[0]
        smaller[tuple(out)] += n
    return [best, *learn(smaller, left - 1)]
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "tokens are numbers inside; ties by the bytes of the numbers",
        "source": """
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("negative")
    table = [bytes([b]) for b in range(256)]
    words = [(list(piece.encode("utf-8")), n) for piece, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        pairs = defaultdict(int)
        for ids, n in words:
            for i in range(len(ids) - 1):
                pairs[table[ids[i]], table[ids[i + 1]]] += n
        if len(pairs) == 0:
            return merges
        best = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[0][0]
        merges.append(best)
        table.append(best[0] + best[1])
        for ids, _n in words:
            i = 0
            while i < len(ids) - 1:
                if (table[ids[i]], table[ids[i + 1]]) == best:
                    ids[i : i + 2] = [len(table) - 1]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "stops when the best pair occurs once only; only 'If no pair is left, stop early'",
        "source": """
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("negative")
    words = [([bytes([b]) for b in piece.encode()], n) for piece, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for word, n in words:
            for pair in zip(word, word[1:]):
                pairs[pair] += n
        if not pairs or max(pairs.values()) < 2:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        for word, _n in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "pieces are cut into characters, not 'into its bytes'",
        "source": """
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("negative")
    words = [([c.encode("utf-8") for c in piece], n) for piece, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for word, n in words:
            for pair in zip(word, word[1:]):
                pairs[pair] += n
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        for word, _n in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "ties go to the pair met first; 'choose the best by the rule of exercise 4'",
        "source": """
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("negative")
    words = [([bytes([b]) for b in piece.encode()], n) for piece, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for word, n in words:
            for pair in zip(word, word[1:]):
                pairs[pair] += n
        if not pairs:
            break
        best = pairs.most_common(1)[0][0]
        merges.append(best)
        for word, _n in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "the commonest pairs of the first count are all taken at once; count anew after each merge",
        "source": """
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("negative")
    pairs = Counter()
    for piece, n in piece_counts.items():
        word = [bytes([b]) for b in piece.encode()]
        for pair in zip(word, word[1:]):
            pairs[pair] += n
    return sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:num_merges]
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "no ValueError: range of a negative number is empty; 'ValueError: num_merges is below 0'",
        "source": """
def train_bpe(piece_counts, num_merges):
    words = [([bytes([b]) for b in piece.encode()], n) for piece, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for word, n in words:
            for pair in zip(word, word[1:]):
                pairs[pair] += n
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        for word, _n in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "no early stop: min of no pairs raises; 'fewer than num_merges if no pair is left'",
        "source": """
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("negative")
    words = [([bytes([b]) for b in piece.encode()], n) for piece, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for word, n in words:
            for pair in zip(word, word[1:]):
                pairs[pair] += n
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        for word, _n in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "merges in the joined string of bytes: replace joins parts of tokens and counts without overlap",
        "source": """
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("negative")
    words = [([bytes([b]) for b in piece.encode()], n) for piece, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for word, n in words:
            for pair in set(zip(word, word[1:])):
                pairs[pair] += n * b"".join(word).count(b"".join(pair))
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        for word, _n in words:
            i = 0
            while i < len(word) - 1:
                if word[i] + word[i + 1] == best[0] + best[1]:
                    word[i : i + 2] = [best[0] + best[1]]
                i += 1
    return merges
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
    # encode_piece
    {
        "task": "encode_piece",
        "right": True,
        "why": "the lowest rank among the neighbours, merged everywhere, until none is left",
        "source": """
def encode_piece(piece, merges):
    rank = {pair: r for r, pair in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return tokens
        best = min(known, key=rank.get)
        out, i = [], 0
        while i < len(tokens):
            hit = tuple(tokens[i : i + 2]) == best
            out.append(best[0] + best[1] if hit else tokens[i])
            i += 1 + hit
        tokens = out
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "recursion: the first merge of the list that fits, then the same again",
        "source": """
def encode_piece(piece, merges):
    return join([piece[i : i + 1] for i in range(len(piece))], merges)


def join(tokens, merges):
    here = set(zip(tokens, tokens[1:]))
    for left, right in merges:
        if (left, right) in here:
            out = []
            for token in tokens:
                if out and out[-1] == (left,) and token == right:
                    out[-1] = left + right
                    continue
                if out and isinstance(out[-1], tuple):
                    out[-1] = left
                out.append((left,) if token == left else token)
            if isinstance(out[-1], tuple):
                out[-1] = left
            return join(out, merges)
    return tokens
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "a heap-free search of the best place each round, the places of one pair joined in a copy",
        "source": """
def encode_piece(piece, merges):
    order = {pair: number for number, pair in enumerate(merges)}
    tokens = list(struct_bytes(piece))
    while len(tokens) > 1:
        numbers = [order.get(pair, len(merges)) for pair in itertools.pairwise(tokens)]
        first = min(numbers)
        if first == len(merges):
            break
        i = 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == merges[first]:
                tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
            i += 1
    return tokens


def struct_bytes(piece):
    for byte in piece:
        yield byte.to_bytes(1, "big")
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the longest known token first; 'Not the longest token'",
        "source": """
def encode_piece(piece, merges):
    known = {a + b for a, b in merges} | {bytes([b]) for b in range(256)}
    tokens, i = [], 0
    while i < len(piece):
        j = max(j for j in range(i + 1, len(piece) + 1) if piece[i:j] in known)
        tokens.append(piece[i:j])
        i = j
    return tokens
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the leftmost pair of the list is merged first; the one that was learnt first, 'not the leftmost'",
        "source": """
def encode_piece(piece, merges):
    known, tokens = set(merges), [bytes([b]) for b in piece]
    i = 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) in known:
            tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
            i = 0
        else:
            i += 1
    return tokens
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "ranks by the joined bytes: neighbours are merged that give a known token, but are no pair of the list",
        "source": """
def encode_piece(piece, merges):
    rank = {}
    for r, (a, b) in enumerate(merges):
        rank.setdefault(a + b, r)
    tokens = [bytes([b]) for b in piece]
    while len(tokens) > 1:
        best = min(range(len(tokens) - 1), key=lambda i: rank.get(tokens[i] + tokens[i + 1], math.inf))
        if tokens[best] + tokens[best + 1] not in rank:
            break
        tokens[best : best + 2] = [tokens[best] + tokens[best + 1]]
    return tokens
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the last place is merged first: (a, a) in aaa gives a aa; '(from the left)'",
        "source": """
def encode_piece(piece, merges):
    rank = {pair: r for r, pair in enumerate(merges)}
    tokens = [bytes([b]) for b in piece]
    while True:
        found = [(rank[p], -i) for i, p in enumerate(zip(tokens, tokens[1:])) if p in rank]
        if not found:
            return tokens
        i = -min(found)[1]
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the pair learnt last is taken first",
        "source": """
def encode_piece(piece, merges):
    rank = {pair: r for r, pair in enumerate(merges)}
    tokens = [bytes([b]) for b in piece]
    while True:
        found = [(-rank[p], i) for i, p in enumerate(zip(tokens, tokens[1:])) if p in rank]
        if not found:
            return tokens
        i = min(found)[1]
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "stops at the first merge of the list that is not found; later ones may still fit",
        "source": """
def encode_piece(piece, merges):
    tokens = [bytes([b]) for b in piece]
    for pair in merges:
        if pair not in list(zip(tokens, tokens[1:])):
            break
        i = 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == pair:
                tokens[i : i + 2] = [pair[0] + pair[1]]
            i += 1
    return tokens
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "characters instead of bytes to begin with; bytes that are no UTF-8 raise",
        "source": """
def encode_piece(piece, merges):
    tokens = [c.encode() for c in piece.decode("utf-8")]
    rank = {pair: r for r, pair in enumerate(merges)}
    while True:
        found = [(rank[p], i) for i, p in enumerate(zip(tokens, tokens[1:])) if p in rank]
        if not found:
            return tokens
        i = min(found)[1]
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
""",
    },
    {
        "task": "encode_piece",
        "right": None,
        "why": "one pass through the list: the same for lists as training makes them; are others asked about?",
        "source": """
def encode_piece(piece, merges):
    tokens = [bytes([b]) for b in piece]
    for pair in merges:
        i = 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == pair:
                tokens[i : i + 2] = [pair[0] + pair[1]]
            i += 1
    return tokens
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
    # longest_match
    {
        "task": "longest_match",
        "right": True,
        "why": "two loops, from the longest end down",
        "source": """
def longest_match(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocabulary:
                pieces.append(piece)
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces
""",
    },
    {
        "task": "longest_match",
        "right": True,
        "why": "recursion; an exception of its own for words that cannot be cut",
        "source": """
class NoPieceFits(Exception):
    pass


def longest_match(word, vocabulary):
    def cut(rest, mark):
        if not rest:
            return []
        for n in reversed(range(1, len(rest) + 1)):
            if mark + rest[:n] in vocabulary:
                return [mark + rest[:n]] + cut(rest[n:], "##")
        raise NoPieceFits

    try:
        return cut(word, "")
    except NoPieceFits:
        return ["[UNK]"]
""",
    },
    {
        "task": "longest_match",
        "right": True,
        "why": "through the vocabulary instead of the word: max of what the rest starts with",
        "source": """
def longest_match(word, vocabulary):
    done, pieces = "", []
    while done != word:
        rest = word[len(done) :] if not done else "##" + word[len(done) :]
        least = 2 if done else 0
        piece = max((p for p in vocabulary if rest.startswith(p) and len(p) > least), key=len, default=None)
        if piece is None:
            return ["[UNK]"]
        pieces.append(piece)
        done += piece[least:]
    return pieces
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "the pieces found so far stay before [UNK]; 'the whole word is [UNK]'",
        "source": """
def longest_match(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in vocabulary]
        if not ends:
            return [*pieces, "[UNK]"]
        pieces.append(mark + word[start : ends[-1]])
        start = ends[-1]
    return pieces
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "goes back to a shorter piece when nothing fits later; 'no shorter piece is tried then'",
        "source": """
def longest_match(word, vocabulary):
    def cut(start):
        if start == len(word):
            return []
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                rest = cut(end)
                if rest is not None:
                    return [mark + word[start:end], *rest]
        return None

    pieces = cut(0)
    return ["[UNK]"] if pieces is None else pieces
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "words of more than 100 letters are [UNK], as in BERT's code; the statement has no such limit",
        "source": """
def longest_match(word, vocabulary):
    if len(word) > 100:
        return ["[UNK]"]
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in vocabulary]
        if not ends:
            return ["[UNK]"]
        pieces.append(mark + word[start : ends[-1]])
        start = ends[-1]
    return pieces
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "an empty word is [UNK]; 'an empty word has no pieces'",
        "source": """
def longest_match(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in vocabulary]
        if not ends:
            break
        pieces.append(mark + word[start : ends[-1]])
        start = ends[-1]
    return pieces if pieces and start == len(word) else ["[UNK]"]
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "also looked up without ##; it 'is written, and looked up, with ##'",
        "source": """
def longest_match(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end]
            if piece in vocabulary or (start and "##" + piece in vocabulary):
                pieces.append("##" + piece if start else piece)
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "grows a piece letter by letter and stops at the first length that is missing: not the longest",
        "source": """
def longest_match(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = start
        while end < len(word) and mark + word[start : end + 1] in vocabulary:
            end += 1
        if end == start:
            return ["[UNK]"]
        pieces.append(mark + word[start:end])
        start = end
    return pieces
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "the slice for the length of the longest piece counts its ##: a first piece may be 2 letters too short",
        "source": """
def longest_match(word, vocabulary):
    longest = max((len(p) for p in vocabulary), default=0) - 2
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(min(start + longest, len(word)), start, -1):
            if mark + word[start:end] in vocabulary:
                pieces.append(mark + word[start:end])
                start = end
                break
        else:
            return ["[UNK]"]
    return pieces
""",
    },
    {
        "task": "longest_match",
        "right": None,
        "why": "a word that begins with ## itself: may its start be a piece that continues a word? Not in this answer",
        "source": """
def longest_match(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in vocabulary]
        ends = [e for e in ends if start or not word[:e].startswith("##")]
        if not ends:
            return ["[UNK]"]
        pieces.append(mark + word[start : ends[-1]])
        start = ends[-1]
    return pieces
""",
    },
    # fewest_pieces
    {
        "task": "fewest_pieces",
        "right": True,
        "why": "from the end to the front; of equally short ones the later, longer first piece replaces",
        "source": """
def fewest_pieces(word, vocabulary):
    best = {len(word): []}
    for i in range(len(word) - 1, -1, -1):
        for j in range(i + 1, len(word) + 1):
            if j in best and word[i:j] in vocabulary and (i not in best or len(best[j]) + 1 <= len(best[i])):
                best[i] = [word[i:j], *best[j]]
    if 0 not in best:
        raise ValueError(f"{word!r} cannot be made of the pieces")
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": True,
        "why": "recursion with lru_cache; min over (number, minus the length of the first piece)",
        "source": """
from functools import lru_cache

def fewest_pieces(word, vocabulary):
    @lru_cache(maxsize=None)
    def cut(i):
        if i == len(word):
            return ()
        ways = []
        for j in range(i + 1, len(word) + 1):
            if word[i:j] in vocabulary:
                rest = cut(j)
                if rest is not None:
                    ways.append((word[i:j], *rest))
        return min(ways, key=lambda way: (len(way), -len(way[0])), default=None)

    way = cut(0)
    if way is None:
        raise ValueError("no cutting")
    return list(way)
""",
    },
    {
        "task": "fewest_pieces",
        "right": True,
        "why": "breadth first from the end gives the distances; then forwards, the longest piece on a shortest way",
        "source": """
class Impossible(ValueError):
    pass


def fewest_pieces(word, vocabulary):
    n = len(word)
    far, layer = {n: 0}, [n]
    while layer:
        before = []
        for j in layer:
            for i in range(j):
                if i not in far and word[i:j] in vocabulary:
                    far[i] = far[j] + 1
                    before.append(i)
        layer = before
    if 0 not in far:
        raise Impossible(word)
    pieces, i = [], 0
    while i < n:
        j = max(j for j in range(i + 1, n + 1) if far.get(j) == far[i] - 1 and word[i:j] in vocabulary)
        pieces.append(word[i:j])
        i = j
    return pieces
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "from the front, the longest last piece wins ties; 'the one with the longest first piece'",
        "source": """
def fewest_pieces(word, vocabulary):
    best = [[]] + [None] * len(word)
    for j in range(1, len(word) + 1):
        for i in range(j):
            if best[i] is not None and word[i:j] in vocabulary and (best[j] is None or len(best[i]) + 1 < len(best[j])):
                best[j] = [*best[i], word[i:j]]
    if best[-1] is None:
        raise ValueError("no cutting")
    return best[-1]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "the memory keeps only rests that can be cut: a word that cannot takes 2 to the n steps",
        "source": """
def fewest_pieces(word, vocabulary):
    memory = {}

    def cut(rest):
        if rest == "":
            return []
        if memory.get(rest):
            return memory[rest]
        ways = []
        for n in range(len(rest), 0, -1):
            if rest[:n] in vocabulary:
                tail = cut(rest[n:])
                if tail is not None:
                    ways.append([rest[:n], *tail])
        memory[rest] = min(ways, key=len, default=None)
        return memory[rest]

    pieces = cut(word)
    if pieces is None:
        raise ValueError("no cutting")
    return pieces
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "a ValueError when a single letter is not in the vocabulary, though longer pieces hold it",
        "source": """
def fewest_pieces(word, vocabulary):
    if not set(word) <= vocabulary:
        raise ValueError("unknown letter")
    best = {len(word): []}
    for i in reversed(range(len(word))):
        for j in range(len(word), i, -1):
            if j in best and word[i:j] in vocabulary and (i not in best or len(best[j]) + 1 < len(best[i])):
                best[i] = [word[i:j], *best[j]]
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "always the longest piece: care s s instead of car ess",
        "source": """
def fewest_pieces(word, vocabulary):
    if not word:
        return []
    for end in range(len(word), 0, -1):
        if word[:end] in vocabulary:
            try:
                return [word[:end], *fewest_pieces(word[end:], vocabulary)]
            except ValueError:
                continue
    raise ValueError("no cutting")
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "ties go to the shortest first piece, which was found first",
        "source": """
def fewest_pieces(word, vocabulary):
    best = {len(word): []}
    for i in reversed(range(len(word))):
        for j in range(i + 1, len(word) + 1):
            if j in best and word[i:j] in vocabulary and (i not in best or len(best[j]) + 1 < len(best[i])):
                best[i] = [word[i:j], *best[j]]
    if 0 not in best:
        raise ValueError("no cutting")
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "ties go to the longest piece anywhere, then the alphabet; 'the longest first piece, then the second'",
        "source": """
def fewest_pieces(word, vocabulary):
    best = {len(word): []}
    for i in reversed(range(len(word))):
        ways = [[word[i:j], *best[j]] for j in range(i + 1, len(word) + 1) if j in best and word[i:j] in vocabulary]
        if ways:
            best[i] = min(ways, key=lambda way: (len(way), -max(map(len, way)), way))
    if 0 not in best:
        raise ValueError("no cutting")
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "what cannot be cut comes back as ['[UNK]']; 'ValueError: the word cannot be made of the pieces'",
        "source": """
def fewest_pieces(word, vocabulary):
    best = {len(word): []}
    for i in reversed(range(len(word))):
        for j in range(len(word), i, -1):
            if j in best and word[i:j] in vocabulary and (i not in best or len(best[j]) + 1 < len(best[i])):
                best[i] = [word[i:j], *best[j]]
    return best.get(0, ["[UNK]"])
""",
    },
    {
        "task": "fewest_pieces",
        "right": None,
        "why": "recursion a letter deep each: beyond 1000 letters RecursionError; the page speaks of a hundred",
        "source": """
def fewest_pieces(word, vocabulary):
    memory = {len(word): []}

    def cut(i):
        if i not in memory:
            ends = [j for j in range(len(word), i, -1) if word[i:j] in vocabulary]
            ways = [[word[i:j], *cut(j)] for j in ends if cut(j) is not None]
            memory[i] = min(ways, key=len, default=None)
        return memory[i]

    if cut(0) is None:
        raise ValueError("no cutting")
    return cut(0)
""",
    },
]
