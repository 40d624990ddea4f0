ANSWERS = []

# ---------------------------------------------------------------- best_pair
ANSWERS += [
    {
        "task": "best_pair",
        "right": True,
        "why": "filters, then min by (-count, pair)",
        "source": r"""
def best_pair(counts, min_count, max_length):
    allowed = [pair for pair, n in counts.items() if n >= min_count and sum(map(len, pair)) <= max_length]
    return min(allowed, key=lambda pair: (-counts[pair], pair), default=None)
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "sorts twice (stable), then takes the first that is allowed",
        "source": r"""
def best_pair(counts, min_count, max_length):
    ordered = sorted(counts)
    ordered.sort(key=counts.get, reverse=True)
    for left, right in ordered:
        if counts[left, right] < min_count:
            return None
        if len(left + right) <= max_length:
            return left, right
    return None
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "ties are broken by the joined bytes: (ab, a) before (a, c), though the left token a comes first ('the one whose left token comes first')",
        "source": r"""
def best_pair(counts, min_count, max_length):
    best, best_key = None, None
    for (left, right), n in counts.items():
        token = left + right
        if n < min_count or len(token) > max_length:
            continue
        key = (-n, token)
        if best is None or key < best_key:
            best, best_key = (left, right), key
    return best
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "the length is counted in characters, not bytes ('has at most max_length bytes'): tokens of more than one byte a character become too long",
        "source": r"""
def best_pair(counts, min_count, max_length):
    allowed = [(-n, pair) for pair, n in counts.items()
               if n >= min_count and len((pair[0] + pair[1]).decode("utf-8", errors="replace")) <= max_length]
    return min(allowed)[1] if allowed else None
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "the most frequent count is found over all pairs that are frequent enough; if all of that count are too long, None ('Of the pairs that may be merged, take the most frequent')",
        "source": r"""
def best_pair(counts, min_count, max_length):
    if not counts:
        return None
    most = max(counts.values())
    if most < min_count:
        return None
    first = [pair for pair in counts if counts[pair] == most and len(pair[0]) + len(pair[1]) <= max_length]
    return min(first, default=None)
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "equally frequent: the first in byte order by the left token; the right tokens are compared as text with errors replaced, so bytes that are no text tie and the dict's order decides ('if the left tokens are equal, the one whose right token does')",
        "source": r"""
def best_pair(counts, min_count, max_length):
    def text(token):
        return token.decode("utf-8", errors="replace")

    best = None
    for pair in counts:
        if counts[pair] < min_count or len(pair[0]) + len(pair[1]) > max_length:
            continue
        if best is None:
            best = pair
        elif counts[pair] > counts[best]:
            best = pair
        elif counts[pair] == counts[best] and (pair[0], text(pair[1])) < (best[0], text(best[1])):
            best = pair
    return best
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "throws the pairs that may not be merged out of the caller's dict ('A function leaves its arguments as they are')",
        "source": r"""
def best_pair(counts, min_count, max_length):
    for pair in list(counts):
        if counts[pair] < min_count or len(pair[0] + pair[1]) > max_length:
            del counts[pair]
    if not counts:
        return None
    most = max(counts.values())
    return min(pair for pair, n in counts.items() if n == most)
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "each of the two tokens may have max_length bytes ('its token has at most max_length bytes': the merged one)",
        "source": r"""
def best_pair(counts, min_count, max_length):
    best = None
    for pair, n in sorted(counts.items()):
        if n < min_count or any(len(token) > max_length for token in pair):
            continue
        if best is None or n > counts[best]:
            best = pair
    return best
""",
    },
]

# ---------------------------------------------------------------- merge_pair
ANSWERS += [
    {
        "task": "merge_pair",
        "right": True,
        "why": "a stack with a flag: looks back, not forward",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    left, right = pair
    result = []
    open_left = False   # the last of result is an unmerged left token
    number = -1
    for token in tokens:
        if open_left and token == right:
            number += 1
            if number not in dropped:
                result[-1] = left + right
                open_left = False
                continue
        result.append(token)
        open_left = token == left
    return result
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "a generator over an index, with an iterator of meeting numbers",
        "source": r"""
from itertools import count


def merge_pair(tokens, pair, dropped=()):
    def walk():
        numbers = count()
        i = 0
        while i < len(tokens):
            met = tuple(tokens[i:i + 2]) == tuple(pair)
            if met and next(numbers) not in dropped:
                yield b"".join(pair)
                i += 2
            else:
                yield tokens[i]
                i += 1
    return list(walk())
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "at a dropped meeting copies both tokens and goes on behind them ('the left token alone is copied, and the walk goes on at the right one'); differs only where left == right, e.g. aaa without a second chance",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    result, i, meeting = [], 0, 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            if meeting in dropped:
                result += [tokens[i], tokens[i + 1]]
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
        "task": "merge_pair",
        "right": False,
        "why": "the meetings are numbered over all places where the pair stands, overlapping ones too, not over those that the walk meets ('the numbers of the meetings', a meeting is on the walk)",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    places = [i for i in range(len(tokens) - 1) if (tokens[i], tokens[i + 1]) == pair]
    keep = {place for number, place in enumerate(places) if number not in dropped}
    result, i = [], 0
    while i < len(tokens):
        if i in keep:
            result.append(pair[0] + pair[1])
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
        "why": "compares the joined bytes: (a, bc) is merged for the pair (ab, c) ('Where the next two are the pair')",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    both = pair[0] + pair[1]
    result, i, met = [], 0, 0
    while i < len(tokens):
        if i + 1 < len(tokens) and tokens[i] + tokens[i + 1] == both:
            met += 1
            if met - 1 not in dropped:
                result.append(both)
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
        "why": "crosses the dropped numbers off in the caller's set ('A function leaves its arguments as they are')",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    result = []
    number = 0
    i = 0
    while i < len(tokens):
        if i < len(tokens) - 1 and tokens[i] == pair[0] and tokens[i + 1] == pair[1]:
            if number in dropped:
                dropped.remove(number)
                result.append(tokens[i])
                i += 1
            else:
                result.append(pair[0] + pair[1])
                i += 2
            number += 1
        else:
            result.append(tokens[i])
            i += 1
    return result
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "the last token is added only if the last two are not the pair: it is lost if that last meeting was dropped, or the walk stepped over it, as in aaa ('else copy one token')",
        "source": r"""
def merge_pair(tokens, pair, dropped=()):
    result, i, meeting = [], 0, 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) == pair:
            if meeting in dropped:
                result.append(tokens[i])
                i += 1
            else:
                result.append(pair[0] + pair[1])
                i += 2
            meeting += 1
        else:
            result.append(tokens[i])
            i += 1
    if tokens and tuple(tokens[-2:]) != pair:
        result.append(tokens[-1])
    return result
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "gives the very list back if the pair does not stand in it ('A new list of tokens, even where nothing is joined')",
        "source": r"""
from itertools import pairwise


def merge_pair(tokens, pair, dropped=()):
    if pair not in pairwise(tokens):
        return tokens
    result, i, meeting = [], 0, 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            meeting += 1
            if meeting - 1 not in dropped:
                result.append(pair[0] + pair[1])
                i += 2
                continue
        result.append(tokens[i])
        i += 1
    return result
""",
    },
]

# ---------------------------------------------------------------- train_bpe
_MERGE = r"""
def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and tokens[i] == pair[0] and tokens[i + 1] == pair[1]:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

"""
ANSWERS += [
    {
        "task": "train_bpe",
        "right": True,
        "why": "plain loop, all in one function with an own merge",
        "source": _MERGE
        + r"""
from collections import Counter


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("a vocabulary holds at least the 256 bytes")
    words = [([bytes([b]) for b in piece.encode("utf-8")], n) for piece, n in piece_counts.items()]
    merges = []
    while 256 + len(merges) < vocab_size:
        counts = Counter()
        for tokens, n in words:
            for pair in zip(tokens, tokens[1:]):
                counts[pair] += n
        allowed = {p: c for p, c in counts.items() if c >= min_count and len(p[0]) + len(p[1]) <= max_length}
        if not allowed:
            break
        best = min(allowed, key=lambda p: (-allowed[p], p))
        merges.append(best)
        words = [(_merge(tokens, best), n) for tokens, n in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "incremental: counts are kept, and only words that hold the pair are counted anew; words as tuples in a dict",
        "source": _MERGE
        + r"""
from collections import defaultdict
from itertools import pairwise


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if not vocab_size >= 256:
        raise ValueError(f"vocab_size must be 256 or more, not {vocab_size}")
    counts, where = defaultdict(int), defaultdict(set)
    words, times = [], []
    for number, (piece, n) in enumerate(piece_counts.items()):
        data = piece.encode("utf-8")
        word = [data[i:i + 1] for i in range(len(data))]
        words.append(word)
        times.append(n)
        for pair in pairwise(word):
            counts[pair] += n
            where[pair].add(number)
    merges = []
    for _ in range(vocab_size - 256):
        best, most = None, 0
        for pair, n in counts.items():
            if n < min_count or len(pair[0]) + len(pair[1]) > max_length or n < most:
                continue
            if n > most or pair < best:
                best, most = pair, n
        if best is None:
            break
        merges.append(best)
        for number in list(where[best]):
            old = words[number]
            new = _merge(old, best)
            for pair in pairwise(old):
                counts[pair] -= times[number]
            for pair in pairwise(new):
                counts[pair] += times[number]
                where[pair].add(number)
            words[number] = new
        counts.pop(best, None)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "counts pairs without overlaps: aaa counts (a, a) once ('count the pairs', by exercise 3 'Pairs may overlap'); the example comes out all the same",
        "source": _MERGE
        + r"""
from collections import Counter


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("too small")
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    times = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        counts = Counter()
        for word, n in zip(words, times):
            last = {}
            for i in range(len(word) - 1):
                pair = (word[i], word[i + 1])
                if last.get(pair) != i - 1 or word[i] != word[i + 1]:
                    counts[pair] += n
                    last[pair] = i
        allowed = [p for p in counts if counts[p] >= min_count and len(p[0] + p[1]) <= max_length]
        if not allowed:
            break
        best = min(allowed, key=lambda p: (-counts[p], p))
        merges.append(best)
        words = [_merge(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "cut into characters, not into bytes ('each cut into its bytes'): differs only where a character has more than one byte",
        "source": _MERGE
        + r"""
from collections import Counter


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("too small")
    words = [[letter.encode("utf-8") for letter in piece] for piece in piece_counts]
    times = list(piece_counts.values())
    merges = []
    while len(merges) < vocab_size - 256:
        counts = Counter()
        for word, n in zip(words, times):
            for pair in zip(word, word[1:]):
                counts[pair] += n
        allowed = [p for p in counts if counts[p] >= min_count and len(p[0] + p[1]) <= max_length]
        if not allowed:
            break
        best = min(allowed, key=lambda p: (-counts[p], p))
        merges.append(best)
        words = [_merge(word, best) for word in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "stops when the most frequent pair is too long, instead of going on with the best that may be merged ('stops early if there is no pair left that may be merged')",
        "source": _MERGE
        + r"""
from collections import Counter


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("too small")
    words = [([bytes([b]) for b in piece.encode()], n) for piece, n in piece_counts.items()]
    merges = []
    for _ in range(vocab_size - 256):
        counts = Counter()
        for word, n in words:
            for pair in zip(word, word[1:]):
                counts[pair] += n
        if not counts:
            return merges
        best = min(counts, key=lambda p: (-counts[p], p))
        if counts[best] < min_count or len(best[0]) + len(best[1]) > max_length:
            return merges
        merges.append(best)
        words = [(_merge(word, best), n) for word, n in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "incremental, but the neighbours' counts are changed meeting by meeting with the old neighbours: wrong in runs, where two meetings stand side by side ('count the pairs' after the merge)",
        "source": r"""
from collections import Counter


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("too small")
    words = [[bytes([b]) for b in piece.encode("utf-8")] for piece in piece_counts]
    times = list(piece_counts.values())
    counts = Counter()
    for word, n in zip(words, times):
        for pair in zip(word, word[1:]):
            counts[pair] += n
    merges = []
    while len(merges) < vocab_size - 256:
        allowed = [p for p in counts if counts[p] >= min_count and len(p[0] + p[1]) <= max_length]
        if not allowed:
            break
        best = min(allowed, key=lambda p: (-counts[p], p))
        merges.append(best)
        new = best[0] + best[1]
        for w, n in enumerate(times):
            word, out, i = words[w], [], 0
            while i < len(word):
                if tuple(word[i:i + 2]) == best:
                    if i > 0:
                        counts[word[i - 1], word[i]] -= n
                        counts[word[i - 1], new] += n
                    if i + 2 < len(word):
                        counts[word[i + 1], word[i + 2]] -= n
                        counts[new, word[i + 2]] += n
                    out.append(new)
                    i += 2
                else:
                    out.append(word[i])
                    i += 1
            words[w] = out
        del counts[best]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "raises ValueError for vocab_size == 256, too ('vocab_size: 256 or more', 'Raises: vocab_size is below 256')",
        "source": _MERGE
        + r"""
from collections import Counter


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    merges_wanted = vocab_size - 256
    if merges_wanted <= 0:
        raise ValueError("no room for merges")
    words = [([bytes([b]) for b in piece.encode()], n) for piece, n in piece_counts.items()]
    merges = []
    for _ in range(merges_wanted):
        counts = Counter()
        for word, n in words:
            for pair in zip(word, word[1:]):
                counts[pair] += n
        allowed = [p for p in counts if counts[p] >= min_count and len(p[0] + p[1]) <= max_length]
        if not allowed:
            break
        best = min(allowed, key=lambda p: (-counts[p], p))
        merges.append(best)
        words = [(_merge(word, best), n) for word, n in words]
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "the vocabulary is a set of tokens, and its size ends the loop; two merges never give the same token (between the same two bounds the same bytes are always cut alike), so this is the same",
        "source": _MERGE
        + r"""
from collections import Counter


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    if vocab_size < 256:
        raise ValueError("too small")
    vocabulary = {bytes([b]) for b in range(256)}
    words = [([bytes([b]) for b in piece.encode()], n) for piece, n in piece_counts.items()]
    merges = []
    while len(vocabulary) < vocab_size:
        counts = Counter()
        for word, n in words:
            for pair in zip(word, word[1:]):
                counts[pair] += n
        allowed = [p for p in counts if counts[p] >= min_count and len(p[0] + p[1]) <= max_length]
        if not allowed:
            break
        best = min(allowed, key=lambda p: (-counts[p], p))
        merges.append(best)
        vocabulary.add(best[0] + best[1])
        words = [(_merge(word, best), n) for word, n in words]
    return merges
""",
    },
]

# ---------------------------------------------------------------- encode_piece
ANSWERS += [
    {
        "task": "encode_piece",
        "right": True,
        "why": "cut points instead of tokens; min over (id, place)",
        "source": r"""
def encode_piece(piece, ids):
    cuts = list(range(len(piece) + 1))
    while True:
        found = [(ids[piece[cuts[k - 1]:cuts[k + 1]]], k) for k in range(1, len(cuts) - 1)
                 if piece[cuts[k - 1]:cuts[k + 1]] in ids]
        if not found:
            break
        del cuts[min(found)[1]]
    return [ids[piece[a:b]] for a, b in zip(cuts, cuts[1:])]
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "a heap over a linked list",
        "source": r"""
import heapq


def encode_piece(piece, ids):
    n = len(piece)
    end = [i + 1 for i in range(n)]            # end of the token that starts at i; 0: no token starts here
    before = [i - 1 for i in range(n)]
    heap = []

    def look(start):
        middle = end[start]
        if middle < n:
            rank = ids.get(piece[start:end[middle]])
            if rank is not None:
                heapq.heappush(heap, (rank, start, middle, end[middle]))

    for i in range(n):
        look(i)
    while heap:
        _, start, middle, stop = heapq.heappop(heap)
        if end[start] != middle or end[middle] != stop:
            continue
        end[start] = stop
        end[middle] = 0
        if stop < n:
            before[stop] = start
        look(start)
        if start > 0:
            look(before[start])
    result, i = [], 0
    while i < n:
        result.append(ids[piece[i:end[i]]])
        i = end[i]
    return result
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "merges all places of the best pair in one go: a merge may make a neighbour possible that has a lower id still ('then look again'); ids come 'in any order'",
        "source": r"""
def encode_piece(piece, ids):
    tokens = [piece[i:i + 1] for i in range(len(piece))]
    while True:
        pairs = [(ids[a + b], a + b) for a, b in zip(tokens, tokens[1:]) if a + b in ids]
        if not pairs:
            return [ids[token] for token in tokens]
        best = min(pairs)[1]
        out, i = [], 0
        while i < len(tokens):
            if i + 1 < len(tokens) and tokens[i] + tokens[i + 1] == best:
                out.append(best)
                i += 2
            else:
                out.append(tokens[i])
                i += 1
        tokens = out
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "a piece that is a token as a whole is given its id at once, even if no merges lead there ('Two neighbours can be merged if ...')",
        "source": r"""
def encode_piece(piece, ids):
    if piece in ids:
        return [ids[piece]]
    tokens = [bytes([b]) for b in piece]
    while len(tokens) > 1:
        ranks = [ids.get(a + b, float("inf")) for a, b in zip(tokens, tokens[1:])]
        best = min(ranks)
        if best == float("inf"):
            break
        i = ranks.index(best)
        tokens[i:i + 2] = [tokens[i] + tokens[i + 1]]
    return [ids[token] for token in tokens]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "an id of 0 counts as no token (0 is falsy): 'Two neighbours can be merged if their bytes, joined, are a token', with any whole number as id",
        "source": r"""
def encode_piece(piece, ids):
    tokens = [bytes([b]) for b in piece]
    while True:
        best = None
        for i in range(len(tokens) - 1):
            rank = ids.get(tokens[i] + tokens[i + 1])
            if rank and (best is None or rank < best[0]):
                best = (rank, i)
        if best is None:
            return [ids[token] for token in tokens]
        i = best[1]
        tokens[i:i + 2] = [tokens[i] + tokens[i + 1]]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "of equally low ids takes the rightmost (<=): 'of equally low ones the leftmost', aaa must be aa a",
        "source": r"""
def encode_piece(piece, ids):
    tokens = [bytes([b]) for b in piece]
    while True:
        place, lowest = None, None
        for i, (a, b) in enumerate(zip(tokens, tokens[1:])):
            if a + b in ids and (lowest is None or ids[a + b] <= lowest):
                place, lowest = i, ids[a + b]
        if place is None:
            return [ids[token] for token in tokens]
        tokens = tokens[:place] + [tokens[place] + tokens[place + 1]] + tokens[place + 2:]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "goes through the tokens once by rising id: a token with a lower id than its parts is never reached ('then look again, until no two can be merged'; ids 'in any order')",
        "source": r"""
def encode_piece(piece, ids):
    tokens = [bytes([b]) for b in piece]
    for token in sorted(ids, key=ids.get):
        if len(token) < 2 or token not in piece:
            continue
        i = 0
        while i < len(tokens) - 1:
            if tokens[i] + tokens[i + 1] == token:
                tokens[i:i + 2] = [token]
            i += 1
    return [ids[token] for token in tokens]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "takes the order of the dict for the order of the ids ('those with the lowest id', the dict is 'in any order')",
        "source": r"""
def encode_piece(piece, ids):
    rank = {token: i for i, token in enumerate(ids)}
    tokens = [bytes([b]) for b in piece]
    while True:
        found = [(rank[a + b], i) for i, (a, b) in enumerate(zip(tokens, tokens[1:])) if a + b in rank]
        if not found:
            return [ids[token] for token in tokens]
        _, i = min(found)
        tokens[i:i + 2] = [tokens[i] + tokens[i + 1]]
""",
    },
]

# ---------------------------------------------------------------- longest_match
ANSWERS += [
    {
        "task": "longest_match",
        "right": True,
        "why": "for-else over ends",
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
        "why": "tokens sorted by length, startswith; None marks unknown letters, itertools.groupby joins them",
        "source": r"""
from itertools import groupby


def longest_match(word, vocabulary):
    by_length = sorted(vocabulary, key=len, reverse=True)
    inner = [token for token in by_length if token.startswith("##")]
    found, place = [], 0
    while place < len(word):
        if place == 0:
            token = next((t for t in by_length if word.startswith(t)), None)
            step = len(token) if token else 1
        else:
            token = next((t for t in inner if word.startswith(t[2:], place)), None)
            step = len(token) - 2 if token else 1
        found.append(token)
        place += step
    result = []
    for token, group in groupby(found):
        result += ["[UNK]"] if token is None else list(group)
    return result
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "after unknown letters at the start of the word the next token is looked up without ## ('What follows them does not start the word, so it has its ##')",
        "source": r"""
def longest_match(word, vocabulary):
    result, i = [], 0
    while i < len(word):
        prefix = "" if all(token == "[UNK]" for token in result) else "##"
        for j in range(len(word), i, -1):
            if prefix + word[i:j] in vocabulary:
                result.append(prefix + word[i:j])
                i = j
                break
        else:
            if result[-1:] != ["[UNK]"]:
                result.append("[UNK]")
            i += 1
    return result
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "a second run of unknown letters is not written ('each run of unknown letters is one [UNK]')",
        "source": r"""
def longest_match(word, vocabulary):
    result, i = [], 0
    while i < len(word):
        prefix = "##" if i > 0 else ""
        j = len(word)
        while j > i and prefix + word[i:j] not in vocabulary:
            j -= 1
        if j > i:
            result.append(prefix + word[i:j])
            i = j
        else:
            if "[UNK]" not in result:
                result.append("[UNK]")
            i += 1
    return result
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "the marks are taken off with strip('#'): ### (the sign # inside a word) gets lost, and ##a# too ('is written, and looked up, with ## before it')",
        "source": r"""
def longest_match(word, vocabulary):
    first = {token for token in vocabulary if not token.startswith("##")}
    inner = {token.lstrip("#") for token in vocabulary if token.startswith("##")}
    result, i = [], 0
    while i < len(word):
        options = inner if i else first
        ends = [j for j in range(i + 1, len(word) + 1) if word[i:j] in options]
        if ends:
            result.append(("##" if i else "") + word[i:ends[-1]])
            i = ends[-1]
        else:
            if not result or result[-1] != "[UNK]":
                result.append("[UNK]")
            i += 1
    return result
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "the longest token is measured over those that start a word only: longer ## tokens are never tried ('take the longest token that is in it')",
        "source": r"""
def longest_match(word, vocabulary):
    longest = max((len(token) for token in vocabulary if not token.startswith("##")), default=1)
    result, i = [], 0
    while i < len(word):
        for size in range(longest, 0, -1):
            token = ("##" if i else "") + word[i:i + size]
            if token in vocabulary and i + size <= len(word):
                result.append(token)
                i += size
                break
        else:
            if not (result and result[-1] == "[UNK]"):
                result.append("[UNK]")
            i += 1
    return result
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "tries a shorter token if what follows the longest would be unknown ('No shorter token is tried to avoid an unknown letter')",
        "source": r"""
def longest_match(word, vocabulary):
    def fits(i):
        mark = "##" if i else ""
        return [j for j in range(len(word), i, -1) if mark + word[i:j] in vocabulary]

    result, i = [], 0
    while i < len(word):
        ends = fits(i)
        if not ends:
            if not result or result[-1] != "[UNK]":
                result.append("[UNK]")
            i += 1
            continue
        end = next((j for j in ends if j == len(word) or fits(j)), ends[0])
        result.append(("##" if i else "") + word[i:end])
        i = end
    return result
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "inside the word a token without its mark is taken where the marked one is missing ('is written, and looked up, with ##')",
        "source": r"""
def longest_match(word, vocabulary):
    result, i = [], 0
    while i < len(word):
        for j in range(len(word), i, -1):
            part = word[i:j]
            if i == 0 and part in vocabulary:
                result.append(part)
                break
            if i > 0 and ("##" + part in vocabulary or (j == i + 1 and part in vocabulary)):
                result.append("##" + part)
                break
        else:
            j = i + 1
            if not result or result[-1] != "[UNK]":
                result.append("[UNK]")
        i = j
    return result
""",
    },
]

# ---------------------------------------------------------------- word_log_prob
ANSWERS += [
    {
        "task": "word_log_prob",
        "right": True,
        "why": "from the end, log-sum-exp over a list, tokens by length",
        "source": r"""
import math


def word_log_prob(word, log_probs):
    lengths = sorted({len(token) for token in log_probs})
    n = len(word)
    rest = [-math.inf] * n + [0.0]
    for i in reversed(range(n)):
        terms = []
        for size in lengths:
            if i + size > n:
                break
            score = log_probs.get(word[i:i + size])
            if score is not None:
                terms.append(score + rest[i + size])
        top = max(terms, default=-math.inf)
        if top > -math.inf:
            rest[i] = top + math.log(sum(math.exp(term - top) for term in terms))
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": True,
        "why": "from the front, pushed through a trie, with a safe log-add of two",
        "source": r"""
import math


def log_add(a, b):
    if a < b:
        a, b = b, a
    if b == -math.inf:
        return a
    return a + math.log1p(math.exp(b - a))


def word_log_prob(word, log_probs):
    trie = {}
    for token, score in log_probs.items():
        node = trie
        for letter in token:
            node = node.setdefault(letter, {})
        node["score"] = float(score)
    reach = [0.0] + [-math.inf] * len(word)
    for i in range(len(word)):
        if reach[i] == -math.inf:
            continue
        node = trie
        for j in range(i, len(word)):
            node = node.get(word[j])
            if node is None:
                break
            if "score" in node:
                reach[j + 1] = log_add(reach[j + 1], reach[i] + node["score"])
    return reach[-1]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "a token with log-probability 0 (probability 1) is left out, as 0.0 is falsy ('a dict from token to its log-probability, a finite number')",
        "source": r"""
import math


def word_log_prob(word, log_probs):
    n = len(word)
    longest = max(map(len, log_probs), default=0)
    rest = [-math.inf] * n + [0.0]
    for i in range(n - 1, -1, -1):
        terms = []
        for j in range(i + 1, min(n, i + longest) + 1):
            score = log_probs.get(word[i:j])
            if score and rest[j] > -math.inf:
                terms.append(score + rest[j])
        if terms:
            top = max(terms)
            rest[i] = top + math.log(sum(math.exp(t - top) for t in terms))
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "log-add without putting the larger one first: exp overflows if the second is more than 709 above ('its probability may be too small for a float: add logarithms')",
        "source": r"""
import math


def word_log_prob(word, log_probs):
    n = len(word)
    longest = max((len(token) for token in log_probs), default=0)
    rest = [-math.inf] * (n + 1)
    rest[n] = 0.0
    for i in reversed(range(n)):
        for j in range(i + 1, min(i + longest, n) + 1):
            if word[i:j] in log_probs and rest[j] != -math.inf:
                new = log_probs[word[i:j]] + rest[j]
                rest[i] = new if rest[i] == -math.inf else rest[i] + math.log1p(math.exp(new - rest[i]))
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "recursion with a cache: a word of a thousand letters ends in a RecursionError ('A word of a thousand letters must take a second at most')",
        "source": r"""
import math
from functools import lru_cache


def word_log_prob(word, log_probs):
    longest = max(map(len, log_probs), default=0)

    @lru_cache(None)
    def rest(i):
        if i == len(word):
            return 0.0
        terms = [log_probs[word[i:j]] + rest(j) for j in range(i + 1, min(len(word), i + longest) + 1)
                 if word[i:j] in log_probs]
        top = max(terms, default=-math.inf)
        if top == -math.inf:
            return top
        return top + math.log(sum(math.exp(term - top) for term in terms))

    return rest(0)
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "tokens of more than 16 letters are never looked up ('all its cuttings into tokens')",
        "source": r"""
import math


def word_log_prob(word, log_probs):
    n = len(word)
    rest = [-math.inf] * n + [0.0]
    for i in reversed(range(n)):
        terms = [log_probs[word[i:j]] + rest[j] for j in range(i + 1, min(n, i + 16) + 1) if word[i:j] in log_probs]
        top = max(terms, default=-math.inf)
        if top != -math.inf:
            rest[i] = top + math.log(math.fsum(math.exp(t - top) for t in terms))
    return rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "minus infinity is -1e9 inside: a word that cannot be made gets about -1e9, and that is only mended where exactly -1e9 comes out ('has none: -math.inf'), e.g. 'xa' against 'ax'",
        "source": r"""
import math


def word_log_prob(word, log_probs):
    nothing = -1e9
    n = len(word)
    longest = max((len(token) for token in log_probs), default=0)
    rest = [nothing] * n + [0.0]
    for i in reversed(range(n)):
        terms = [log_probs[word[i:j]] + rest[j] for j in range(i + 1, min(n, i + longest) + 1)
                 if word[i:j] in log_probs]
        if terms:
            top = max(terms)
            rest[i] = top + math.log(sum(math.exp(t - top) for t in terms))
    return -math.inf if rest[0] == nothing else rest[0]
""",
    },
    {
        "task": "word_log_prob",
        "right": False,
        "why": "each step adds probabilities of the rest as such (exp, then log): a long word's rest is rounded to 0 and comes out as -inf ('too small for a float: add logarithms')",
        "source": r"""
import math


def word_log_prob(word, log_probs):
    n = len(word)
    longest = max((len(token) for token in log_probs), default=0)
    rest = [-math.inf] * n + [0.0]
    for i in reversed(range(n)):
        total = 0.0
        for j in range(i + 1, min(n, i + longest) + 1):
            if word[i:j] in log_probs:
                total += math.exp(log_probs[word[i:j]] + rest[j])
        if total > 0:
            rest[i] = math.log(total)
    return rest[0]
""",
    },
]
