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
    # best_pair
    {
        "task": "best_pair",
        "right": True,
        "why": "min with a key",
        "source": """
def best_pair(counts):
    if len(counts) == 0:
        raise ValueError("no pair")
    return min(counts, key=lambda pair: (-counts[pair], pair))
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "two passes: the maximum, then the smallest pair that has it",
        "source": """
def best_pair(counts):
    top = max(counts.values())          # a ValueError if there is none
    return min(pair for pair, n in counts.items() if n == top)
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "a sort, stable: by pair, then by count",
        "source": """
def best_pair(counts):
    ordered = sorted(sorted(counts), key=counts.get, reverse=True)
    if not ordered:
        raise ValueError
    return ordered[0]
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "of equal ones the first that was counted",
        "source": """
def best_pair(counts):
    if not counts:
        raise ValueError
    return max(counts, key=counts.get)
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "of equal ones the last in byte order",
        "source": """
def best_pair(counts):
    if not counts:
        raise ValueError
    return max(counts, key=lambda pair: (counts[pair], pair))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "compares the joined bytes: (ab, c) and (a, d) in the wrong order ('the one whose left token comes first')",
        "source": """
def best_pair(counts):
    if not counts:
        raise ValueError
    return min(counts, key=lambda pair: (-counts[pair], pair[0] + pair[1]))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "among equal ones compares the left tokens only",
        "source": """
def best_pair(counts):
    if not counts:
        raise ValueError
    return min(counts, key=lambda pair: (-counts[pair], pair[0]))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "empty: returns None",
        "source": """
def best_pair(counts):
    best = None
    for pair, n in counts.items():
        if best is None or n > counts[best] or n == counts[best] and pair < best:
            best = pair
    return best
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "shorter tokens first among equal ones",
        "source": """
def best_pair(counts):
    if not counts:
        raise ValueError
    return min(counts, key=lambda p: (-counts[p], len(p[0]), p[0], len(p[1]), p[1]))
""",
    },
    # merge_pair
    {
        "task": "merge_pair",
        "right": True,
        "why": "a stack that looks back",
        "source": """
def merge_pair(tokens, pair):
    left, right = pair
    out, fresh = [], False
    for token in tokens:
        if out and not fresh and out[-1] == left and token == right:
            out[-1] = left + right
            fresh = True
        else:
            out.append(token)
            fresh = False
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "on a copy, deleting",
        "source": """
def merge_pair(tokens, pair):
    out = list(tokens)
    i = 0
    while i + 1 < len(out):
        if tuple(out[i:i + 2]) == tuple(pair):
            out[i:i + 2] = [b"".join(pair)]
        i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "an iterator with one token held back",
        "source": """
def merge_pair(tokens, pair):
    def walk():
        held = None
        for token in tokens:
            if held is None:
                held = token
            elif (held, token) == pair:
                yield held + token
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
        "why": "compares the joined bytes: (ab, c) is joined where (a, bc) was asked for",
        "source": """
def merge_pair(tokens, pair):
    whole, out, i = pair[0] + pair[1], [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and tokens[i] + tokens[i + 1] == whole:
            out.append(whole)
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
        "why": "from the right: aaa gives a aa",
        "source": """
def merge_pair(tokens, pair):
    out, i = [], len(tokens) - 1
    while i >= 0:
        if i > 0 and (tokens[i - 1], tokens[i]) == pair:
            out.append(pair[0] + pair[1])
            i -= 2
        else:
            out.append(tokens[i])
            i -= 1
    return out[::-1]
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "works in the list that it is given ('It stays as it is')",
        "source": """
def merge_pair(tokens, pair):
    i = 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) == pair:
            tokens[i:i + 2] = [pair[0] + pair[1]]
        i += 1
    return list(tokens)
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "returns the same list where nothing is joined ('A new list ... even where nothing is joined')",
        "source": """
from itertools import pairwise
def merge_pair(tokens, pair):
    if pair not in pairwise(tokens):
        return tokens
    out, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
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
        "why": "looks only at how the last token ends: a merged token or b\"ca\" is joined again ('Where the next two are the pair', 'go on behind them')",
        "source": """
def merge_pair(tokens, pair):
    out = []
    for token in tokens:
        if out and out[-1].endswith(pair[0]) and token == pair[1]:
            out[-1] = out[-1] + token
        else:
            out.append(token)
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "joins the first place only",
        "source": """
def merge_pair(tokens, pair):
    for i in range(len(tokens) - 1):
        if (tokens[i], tokens[i + 1]) == pair:
            return tokens[:i] + [pair[0] + pair[1]] + tokens[i + 2:]
    return tokens[:]
""",
    },
    # train_bpe
    {
        "task": "train_bpe",
        "right": True,
        "why": "self-contained, tuples of tokens",
        "source": """
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("num_merges")
    words = {piece: [bytes([b]) for b in piece.encode()] for piece in piece_counts}
    merges = []
    for _ in range(num_merges):
        counts = {}
        for piece, word in words.items():
            for pair in zip(word, word[1:]):
                counts[pair] = counts.get(pair, 0) + piece_counts[piece]
        if not counts:
            break
        best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[0][0]
        merges.append(best)
        for word in words.values():
            i = 0
            while i < len(word) - 1:
                if word[i] == best[0] and word[i + 1] == best[1]:
                    word[i:i + 2] = [best[0] + best[1]]
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "incremental: only words that hold the pair are counted again",
        "source": """
from collections import Counter, defaultdict
from itertools import pairwise
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError
    words = [[bytes((b,)) for b in p.encode("utf-8")] for p in piece_counts]
    weight = list(piece_counts.values())
    counts, where = Counter(), defaultdict(set)
    for k, word in enumerate(words):
        for pair in pairwise(word):
            counts[pair] += weight[k]
            where[pair].add(k)
    merges = []
    while len(merges) < num_merges and counts:
        best = min(counts, key=lambda p: (-counts[p], p))
        merges.append(best)
        for k in where.pop(best):
            old = words[k]
            for pair in pairwise(old):
                counts[pair] -= weight[k]
                if counts[pair] == 0:
                    del counts[pair]
            new, i = [], 0
            while i < len(old):
                step = 2 if tuple(old[i:i + 2]) == best else 1
                new.append(b"".join(old[i:i + step]))
                i += step
            words[k] = new
            for pair in pairwise(new):
                counts[pair] += weight[k]
                where[pair].add(k)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "stops when the best pair occurs once only ('fewer than num_merges if no pair is left')",
        "source": """
from collections import Counter
from itertools import pairwise
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError
    words = [([bytes([b]) for b in p.encode()], n) for p, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for word, n in words:
            for pair in pairwise(word):
                counts[pair] += n
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], p))
        if counts[best] < 2:
            break
        merges.append(best)
        for word, _ in words:
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
        "why": "cut into characters, not bytes (each encoded): multi-byte letters are whole from the start",
        "source": """
from collections import Counter
from itertools import pairwise
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError
    words = [([c.encode() for c in p], n) for p, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for word, n in words:
            for pair in pairwise(word):
                counts[pair] += n
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], p))
        merges.append(best)
        for word, _ in words:
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
        "why": "ties go to the pair seen first",
        "source": """
from collections import Counter
from itertools import pairwise
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError
    words = [([bytes([b]) for b in p.encode()], n) for p, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for word, n in words:
            for pair in pairwise(word):
                counts[pair] += n
        if not counts:
            break
        best = counts.most_common(1)[0][0]
        merges.append(best)
        for word, _ in words:
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
        "why": "negative num_merges gives an empty list, no ValueError",
        "source": """
from collections import Counter
from itertools import pairwise
def train_bpe(piece_counts, num_merges):
    words = [([bytes([b]) for b in p.encode()], n) for p, n in piece_counts.items()]
    merges = []
    while len(merges) < num_merges:
        counts = Counter()
        for word, n in words:
            for pair in pairwise(word):
                counts[pair] += n
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], p))
        merges.append(best)
        for word, _ in words:
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
        "why": "after a merge the scan stays at the merged token and goes on behind one token too many: ab ab -> the second stays",
        "source": """
from collections import Counter
from itertools import pairwise
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError
    words = [([bytes([b]) for b in p.encode()], n) for p, n in piece_counts.items()]
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for word, n in words:
            for pair in pairwise(word):
                counts[pair] += n
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], p))
        merges.append(best)
        for word, _ in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i:i + 2] = [best[0] + best[1]]
                    i += 1
                i += 1
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "does not weigh the pieces by how often they occur",
        "source": """
from collections import Counter
from itertools import pairwise
def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError
    words = [[bytes([b]) for b in p.encode()] for p in piece_counts]
    merges = []
    for _ in range(num_merges):
        counts = Counter(pair for word in words for pair in pairwise(word))
        if not counts:
            break
        best = min(counts, key=lambda p: (-counts[p], p))
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
    # encode_piece
    {
        "task": "encode_piece",
        "right": True,
        "why": "ranks in a dict",
        "source": """
from itertools import pairwise
def encode_piece(piece, merges):
    rank = {pair: r for r, pair in enumerate(merges)}
    tokens = [bytes([b]) for b in piece]
    while True:
        known = [pair for pair in pairwise(tokens) if pair in rank]
        if not known:
            return tokens
        best = min(known, key=rank.__getitem__)
        out = []
        i = 0
        while i < len(tokens):
            if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == best:
                out.append(tokens[i] + tokens[i + 1])
                i += 2
            else:
                out.append(tokens[i])
                i += 1
        tokens = out
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "recursion; the list of merges is searched from its start each time",
        "source": """
def encode_piece(piece, merges):
    def step(tokens):
        pairs = set(zip(tokens, tokens[1:]))
        for left, right in merges:
            if (left, right) in pairs:
                out, i = [], 0
                while i < len(tokens):
                    if tokens[i:i + 2] == [left, right]:
                        out.append(left + right)
                        i += 1
                    else:
                        out.append(tokens[i])
                    i += 1
                return step(out)
        return tokens
    return step([piece[i:i + 1] for i in range(len(piece))])
""",
    },
    {
        "task": "encode_piece",
        "right": None,
        "why": "one pass through the list of merges, each applied once: the same for lists that a trainer learns; another result where a later merge makes a token for an earlier pair",
        "source": """
def encode_piece(piece, merges):
    tokens = [bytes([b]) for b in piece]
    for left, right in merges:
        i = 0
        while i < len(tokens) - 1:
            if tokens[i] == left and tokens[i + 1] == right:
                tokens[i:i + 2] = [left + right]
            i += 1
    return tokens
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "takes the leftmost pair that is in the list ('Not ... the leftmost')",
        "source": """
def encode_piece(piece, merges):
    tokens = [bytes([b]) for b in piece]
    known = set(merges)
    i = 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) in known:
            tokens[i:i + 2] = [tokens[i] + tokens[i + 1]]
            i = 0
        else:
            i += 1
    return tokens
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "longest token that the merges can make ('Not the longest token')",
        "source": """
def encode_piece(piece, merges):
    vocabulary = {a + b for a, b in merges}
    tokens, i = [], 0
    while i < len(piece):
        for j in range(len(piece), i, -1):
            if j == i + 1 or piece[i:j] in vocabulary:
                tokens.append(piece[i:j])
                i = j
                break
    return tokens
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "an empty piece gives [b''] ('An empty piece has none')",
        "source": """
from itertools import pairwise
def encode_piece(piece, merges):
    if len(piece) < 2:
        return [piece]
    rank = {pair: r for r, pair in enumerate(merges)}
    tokens = [bytes([b]) for b in piece]
    while len(tokens) > 1:
        best = min(pairwise(tokens), key=lambda p: rank.get(p, len(merges)))
        if best not in rank:
            break
        i = 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == best:
                tokens[i:i + 2] = [best[0] + best[1]]
            i += 1
    return tokens
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "ranks by the joined token: a pair that was never learned is merged if its bytes are a token",
        "source": """
from itertools import pairwise
def encode_piece(piece, merges):
    rank = {}
    for r, (a, b) in enumerate(merges):
        rank.setdefault(a + b, r)
    tokens = [bytes([b]) for b in piece]
    while True:
        known = [(rank[a + b], a, b) for a, b in pairwise(tokens) if a + b in rank]
        if not known:
            return tokens
        _, a, b = min(known)
        i = 0
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == (a, b):
                tokens[i:i + 2] = [a + b]
            i += 1
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "merges from the right: aaa with (a, a) gives a aa",
        "source": """
from itertools import pairwise
def encode_piece(piece, merges):
    rank = {pair: r for r, pair in enumerate(merges)}
    tokens = [bytes([b]) for b in piece]
    while True:
        known = [p for p in pairwise(tokens) if p in rank]
        if not known:
            return tokens
        best = min(known, key=rank.get)
        i = len(tokens) - 2
        while i >= 0:
            if tuple(tokens[i:i + 2]) == best:
                tokens[i:i + 2] = [best[0] + best[1]]
                i -= 1
            i -= 1
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the pair learned last is taken first",
        "source": """
from itertools import pairwise
def encode_piece(piece, merges):
    rank = {pair: r for r, pair in enumerate(merges)}
    tokens = [bytes([b]) for b in piece]
    while True:
        known = [p for p in pairwise(tokens) if p in rank]
        if not known:
            return tokens
        best = max(known, key=rank.get)
        i = 0
        while i < len(tokens) - 1:
            if tuple(tokens[i:i + 2]) == best:
                tokens[i:i + 2] = [best[0] + best[1]]
            i += 1
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
    # longest_match
    {
        "task": "longest_match",
        "right": True,
        "why": "from the longest end down",
        "source": """
def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                break
        else:
            return ["[UNK]"]
        tokens.append(mark + word[start:end])
        start = end
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": True,
        "why": "recursion that strips, helper returns None",
        "source": """
def longest_match(word, vocabulary):
    def cut(rest, mark):
        if not rest:
            return []
        fits = [rest[:n] for n in range(1, len(rest) + 1) if mark + rest[:n] in vocabulary]
        if not fits:
            return None
        more = cut(rest[len(fits[-1]):], "##")
        return None if more is None else [mark + fits[-1]] + more
    result = cut(word, "")
    return ["[UNK]"] if result is None else result
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "tries shorter tokens when it is stuck ('no shorter token is tried then')",
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
                    return [mark + word[start:end]] + rest
        return None
    found = cut(0)
    return ["[UNK]"] if found is None else found
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "keeps what was found before [UNK] ('the whole word is [UNK]')",
        "source": """
def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = len(word)
        while end > start and mark + word[start:end] not in vocabulary:
            end -= 1
        if end == start:
            return tokens + ["[UNK]"]
        tokens.append(mark + word[start:end])
        start = end
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "an empty word is [UNK]",
        "source": """
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
            return ["[UNK]"]
    return tokens or ["[UNK]"]
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "later pieces may also be tokens without ## in the vocabulary",
        "source": """
def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end]
            if start == 0 and piece in vocabulary:
                break
            if start and ("##" + piece in vocabulary or piece in vocabulary):
                piece = "##" + piece
                break
        else:
            return ["[UNK]"]
        tokens.append(piece)
        start = end
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "longest length is taken from the tokens, ## not counted apart: start tokens are cut short by two letters",
        "source": """
def longest_match(word, vocabulary):
    longest = max((len(token) for token in vocabulary), default=0) - 2
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(min(len(word), start + max(longest, 1)), start, -1):
            if mark + word[start:end] in vocabulary:
                tokens.append(mark + word[start:end])
                start = end
                break
        else:
            return ["[UNK]"]
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "the ## is not written in the result",
        "source": """
def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                tokens.append(word[start:end])
                start = end
                break
        else:
            return ["[UNK]"]
    return tokens
""",
    },
    # fewest_pieces
    {
        "task": "fewest_pieces",
        "right": True,
        "why": "from the front, keys that order the cuttings",
        "source": """
def fewest_pieces(word, vocabulary):
    best = [None] * (len(word) + 1)
    best[0] = (0, (), ())
    for j in range(1, len(word) + 1):
        options = []
        for i in range(j):
            if best[i] is not None and word[i:j] in vocabulary:
                n, lengths, tokens = best[i]
                options.append((n + 1, lengths + (i - j,), tokens + (word[i:j],)))
        best[j] = min(options, default=None)
    if best[-1] is None:
        raise ValueError(f"{word} cannot be cut")
    return list(best[-1][2])
""",
    },
    {
        "task": "fewest_pieces",
        "right": True,
        "why": "memoised recursion on the rest",
        "source": """
from functools import lru_cache
def fewest_pieces(word, vocabulary):
    lengths = sorted({len(token) for token in vocabulary}, reverse=True)
    @lru_cache(maxsize=None)
    def rest(i):
        if i == len(word):
            return ()
        found = None
        for n in lengths:
            piece = word[i:i + n]
            if len(piece) == n and piece in vocabulary:
                more = rest(i + n)
                if more is not None and (found is None or len(more) + 1 < len(found)):
                    found = (piece,) + more
        return found
    answer = rest(0)
    if answer is None:
        raise ValueError("no cutting")
    return list(answer)
""",
    },
    {
        "task": "fewest_pieces",
        "right": True,
        "why": "only the counts from the end, then a walk from the front",
        "source": """
def fewest_pieces(word, vocabulary):
    n = len(word)
    need = [float("inf")] * n + [0]
    for i in reversed(range(n)):
        need[i] = 1 + min((need[j] for j in range(i + 1, n + 1) if word[i:j] in vocabulary), default=float("inf"))
    if need[0] == float("inf"):
        raise ValueError
    tokens, i = [], 0
    while i < n:
        j = max(j for j in range(i + 1, n + 1) if word[i:j] in vocabulary and need[j] == need[i] - 1)
        tokens.append(word[i:j])
        i = j
    return tokens
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "longest token first wherever the rest can be cut at all: not the fewest",
        "source": """
def fewest_pieces(word, vocabulary):
    n = len(word)
    able = [False] * n + [True]
    for i in reversed(range(n)):
        able[i] = any(able[j] and word[i:j] in vocabulary for j in range(i + 1, n + 1))
    if not able[0]:
        raise ValueError
    tokens, i = [], 0
    while i < n:
        j = max(j for j in range(i + 1, n + 1) if able[j] and word[i:j] in vocabulary)
        tokens.append(word[i:j])
        i = j
    return tokens
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "from the front, keeps the longest LAST token among equally few",
        "source": """
def fewest_pieces(word, vocabulary):
    best = [[]] + [None] * len(word)
    for j in range(1, len(word) + 1):
        for i in range(j):
            if best[i] is not None and word[i:j] in vocabulary:
                if best[j] is None or len(best[i]) + 1 < len(best[j]):
                    best[j] = best[i] + [word[i:j]]
    if best[-1] is None:
        raise ValueError
    return best[-1]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "ties: shortest first token (j goes upwards, only strictly better replaces)",
        "source": """
def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [None] * n + [[]]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n + 1):
            if word[i:j] in vocabulary and best[j] is not None:
                if best[i] is None or len(best[j]) + 1 < len(best[i]):
                    best[i] = [word[i:j]] + best[j]
    if best[0] is None:
        raise ValueError
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "right, but recursion without memory: exponential ('must take a fraction of a second')",
        "source": """
def fewest_pieces(word, vocabulary):
    def rest(i):
        if i == len(word):
            return []
        found = None
        for j in range(len(word), i, -1):
            if word[i:j] in vocabulary:
                more = rest(j)
                if more is not None and (found is None or len(more) + 1 < len(found)):
                    found = [word[i:j]] + more
        return found
    answer = rest(0)
    if answer is None:
        raise ValueError
    return answer
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "an impossible word gives an empty list, no ValueError",
        "source": """
def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [None] * n + [[]]
    for i in range(n - 1, -1, -1):
        for j in range(n, i, -1):
            if word[i:j] in vocabulary and best[j] is not None:
                if best[i] is None or len(best[j]) + 1 < len(best[i]):
                    best[i] = [word[i:j]] + best[j]
    return best[0] or []
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "an empty word is refused ('an empty word has no tokens')",
        "source": """
def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [None] * n + [[]]
    for i in range(n - 1, -1, -1):
        for j in range(n, i, -1):
            if word[i:j] in vocabulary and best[j] is not None:
                if best[i] is None or len(best[j]) + 1 < len(best[i]):
                    best[i] = [word[i:j]] + best[j]
    if not best[0]:
        raise ValueError("cannot be cut")
    return best[0]
""",
    },
]
