"""Answers to chapter 01, written from its page alone: the second round."""

ANSWERS = [
    # transition_matrix
    {
        "task": "transition_matrix",
        "right": True,
        "why": "count matrix, np.divide with where",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in number:
                raise ValueError(word)
        for left, right in zip(sentence, sentence[1:]):
            A[number[left], number[right]] += 1
    total = A.sum(axis=1, keepdims=True)
    return np.divide(A, total, out=np.zeros_like(A), where=total > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": True,
        "why": "Counter of pairs, nested comprehension",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    ids = [[vocabulary.index(w) for w in s] for s in sentences]   # raises ValueError
    pairs = Counter(p for s in ids for p in pairwise(s))
    left = Counter(i for s in ids for i in s[:-1])
    V = len(vocabulary)
    return np.array([[pairs[i, j] / left[i] if left[i] else 0.0 for j in range(V)] for i in range(V)], dtype=float).reshape(V, V)
""",
    },
    {
        "task": "transition_matrix",
        "right": True,
        "why": "one-hot matrices: sum of X[:-1]^T X[1:], rows divided by max(sum, 1)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    V = len(vocabulary)
    eye, counts = np.eye(V), np.zeros((V, V))
    known = set(vocabulary)
    for s in sentences:
        if not known.issuperset(s):
            raise ValueError("outside the vocabulary")
        X = eye[np.array([vocabulary.index(w) for w in s], dtype=int)]
        counts = counts + X[:-1].T @ X[1:]
    return counts / np.maximum(counts.sum(1), 1)[:, None]
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "rows of words that nothing follows are NaN instead of 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in number:
                raise ValueError(word)
        for left, right in zip(sentence, sentence[1:]):
            A[number[left], number[right]] += 1
    total = A.sum(axis=1, keepdims=True)
    return A / total
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "such rows are uniform instead of 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in number:
                raise ValueError(word)
        for left, right in zip(sentence, sentence[1:]):
            A[number[left], number[right]] += 1
    total = A.sum(axis=1, keepdims=True)
    return np.divide(A, total, out=np.full_like(A, 1 / len(A)), where=total > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "columns instead of rows sum to 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in number:
                raise ValueError(word)
        for left, right in zip(sentence, sentence[1:]):
            A[number[left], number[right]] += 1
    total = A.sum(axis=0, keepdims=True)
    return np.divide(A, total, out=np.zeros_like(A), where=total > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "unknown words are skipped instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in number:
                pass
        for left, right in zip(sentence, sentence[1:]):
            if left in number and right in number:
                A[number[left], number[right]] += 1
    total = A.sum(axis=1, keepdims=True)
    return np.divide(A, total, out=np.zeros_like(A), where=total > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "only words in a pair are checked: an unknown word that is a sentence by itself raises nothing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for left, right in zip(sentence, sentence[1:]):
            if left not in number or right not in number:
                raise ValueError
            A[number[left], number[right]] += 1
    total = A.sum(axis=1, keepdims=True)
    return np.divide(A, total, out=np.zeros_like(A), where=total > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "KeyError instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in number:
                raise KeyError(word)
        for left, right in zip(sentence, sentence[1:]):
            A[number[left], number[right]] += 1
    total = A.sum(axis=1, keepdims=True)
    return np.divide(A, total, out=np.zeros_like(A), where=total > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "pairs run from one sentence into the next",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in [[w for s in sentences for w in s]]:
        for word in sentence:
            if word not in number:
                raise ValueError(word)
        for left, right in zip(sentence, sentence[1:]):
            A[number[left], number[right]] += 1
    total = A.sum(axis=1, keepdims=True)
    return np.divide(A, total, out=np.zeros_like(A), where=total > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "divides by how often the word occurs, its sentence ends included: rows do not sum to 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in number:
                raise ValueError(word)
        for left, right in zip(sentence, sentence[1:]):
            A[number[left], number[right]] += 1
    total = np.array([[sum(s.count(w) for s in sentences)] for w in vocabulary], dtype=float)
    return np.divide(A, total, out=np.zeros_like(A), where=total > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "float32 instead of float64",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in number:
                raise ValueError(word)
        for left, right in zip(sentence, sentence[1:]):
            A[number[left], number[right]] += 1
    total = A.sum(axis=1, keepdims=True)
    return np.divide(A, total, out=np.zeros_like(A), where=total > 0).astype(np.float32)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "each pair counts once however often it occurs",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in number:
                raise ValueError(word)
        for left, right in zip(sentence, sentence[1:]):
            A[number[left], number[right]] = 1
    total = A.sum(axis=1, keepdims=True)
    return np.divide(A, total, out=np.zeros_like(A), where=total > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "pairs of a word with itself are not counted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for word in sentence:
            if word not in number:
                raise ValueError(word)
        for left, right in zip(sentence, sentence[1:]):
            if left == right:
                continue
            A[number[left], number[right]] += 1
    total = A.sum(axis=1, keepdims=True)
    return np.divide(A, total, out=np.zeros_like(A), where=total > 0)
""",
    },
    # skip_votes
    {
        "task": "skip_votes",
        "right": True,
        "why": "one Counter for each earlier word",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": True,
        "why": "asks the sentences anew for each pair and word, no tables",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    *before, b = prefix
    events = [(s[:i], s[i + 1]) for s in sentences for i, w in enumerate(s[:-1]) if w == b]
    result = {w: 0.0 for _, w in events}
    for a in dict.fromkeys(before):
        if keep is not None and a not in keep:
            continue
        seen = [w for past, w in events if a in past]
        for w in seen:
            result[w] += 1 / len(seen)
    return result
""",
    },
    {
        "task": "skip_votes",
        "right": True,
        "why": "counts in a matrix, NumPy, then converted to floats",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) < 1:
        raise ValueError("prefix")
    b, voters = prefix[-1], sorted({a for a in prefix[:-1] if keep is None or a in keep})
    events = []
    for s in sentences:
        past = set()
        for w, following in zip(s, s[1:]):
            if w == b:
                events.append((frozenset(past), following))
            past.add(w)
    words = sorted({w for _, w in events})
    table = np.zeros((len(voters), len(words)))
    for past, w in events:
        for r, a in enumerate(voters):
            table[r, words.index(w)] += a in past
    sums = np.maximum(table.sum(axis=1, keepdims=True), 1)
    return dict(zip(words, (table / sums).sum(axis=0).tolist()))
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "an earlier word that occurs twice in the prefix votes twice: 'if it occurs twice, it still votes once'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a in [a for a in prefix[:-1] if a in earlier]:
        counter = pairs[a]
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "a word twice before b in a seen sentence counts twice (times b was followed are counted)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in [a for a in s[:i] if a in earlier]:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "an empty mask is taken for None: all vote",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "only the first place of b in a sentence is looked at",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i]) & earlier:
                    pairs[a][s[i + 1]] += 1
                break
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "a may stand after b, too",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i] + s[i + 1:]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "words that nobody voted for are not in the result",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return {w: v for w, v in votes.items() if v > 0}
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "raw counts: a pair does not split ONE vote",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "the last word is no earlier word even if it occurs before as well",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix) - {last}
    if keep is not None:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "words of the mask vote even if they are not in the prefix",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier = set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "normalised by all times b occurred, not by those with a before it",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(s[:-1].count(last) for s in sentences)
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "a must stand right before b",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier &= set(keep)
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[max(i - 1, 0):i]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "a prefix of one word gives an empty dict instead of zeros",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep is not None:
        earlier &= set(keep)
    if not earlier:
        return {}
    pairs = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes.setdefault(s[i + 1], 0.0)
                for a in set(s[:i]) & earlier:
                    pairs[a][s[i + 1]] += 1
    for a, counter in pairs.items():
        total = sum(counter.values())
        for w, n in counter.items():
            votes[w] += n / total
    return votes
""",
    },
    # ngram_counts
    {
        "task": "ngram_counts",
        "right": True,
        "why": "dict.get over windows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        tokens = ["<s>"] + list(sentence) + ["</s>"]
        for i in range(len(tokens) - order + 1):
            gram = tuple(tokens[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": True,
        "why": "Counter over zip of shifted lists",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order <= 0:
        raise ValueError("the order is at least 1")
    counts = Counter()
    for s in sentences:
        padded = ["<s>", *s, "</s>"]
        counts.update(zip(*(padded[k:] for k in range(order))))
    return dict(counts)
""",
    },
    {
        "task": "ngram_counts",
        "right": True,
        "why": "a sliding deque, defaultdict",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from collections import deque
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError
    counts = defaultdict(int)
    for s in sentences:
        window = deque(maxlen=order)
        for token in ("<s>", *s, "</s>"):
            window.append(token)
            if len(window) == order:
                counts[tuple(window)] += 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": None,
        "why": "changes the sentences that it was given; the statement does not forbid it",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = Counter()
    for s in sentences:
        s.insert(0, "<s>")
        s.append("</s>")
        counts.update(tuple(s[i:i + order]) for i in range(len(s) - order + 1))
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "order - 1 start marks: 'One mark on each side, whatever the order'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        tokens = ["<s>"] * max(order - 1, 1) + list(sentence) + ["</s>"]
        for i in range(len(tokens) - order + 1):
            gram = tuple(tokens[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "no marks for unigrams, though they are tokens like the others",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        tokens = ["<s>"] + list(sentence) + ["</s>"]
        if order == 1:
            tokens = tokens[1:-1]
        for i in range(len(tokens) - order + 1):
            gram = tuple(tokens[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "n-grams run over the sentence borders",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    tokens = []
    for sentence in sentences:
        tokens += ["<s>"] + list(sentence) + ["</s>"]
    if True:
        for i in range(len(tokens) - order + 1):
            gram = tuple(tokens[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "the last window is missing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        tokens = ["<s>"] + list(sentence) + ["</s>"]
        for i in range(len(tokens) - order):
            gram = tuple(tokens[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "windows at the end are shorter than n",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        tokens = ["<s>"] + list(sentence) + ["</s>"]
        for i in range(len(tokens)):
            gram = tuple(tokens[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "order 0 and below returns empty n-grams instead of ValueError for negative orders",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order == 0:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        tokens = ["<s>"] + list(sentence) + ["</s>"]
        for i in range(len(tokens) - order + 1):
            gram = tuple(tokens[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "unigrams are strings and not tuples",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        tokens = ["<s>"] + list(sentence) + ["</s>"]
        for i in range(len(tokens) - order + 1):
            gram = tuple(tokens[i:i + order])
            gram = gram[0] if order == 1 else gram
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "a sentence of one token (or none) is skipped: it has windows, too",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        if len(sentence) < 2:
            continue
        tokens = ["<s>"] + list(sentence) + ["</s>"]
        for i in range(len(tokens) - order + 1):
            gram = tuple(tokens[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "a short sentence counts as one n-gram of its own instead of none",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        tokens = ["<s>"] + list(sentence) + ["</s>"]
        if len(tokens) < order:
            counts[tuple(tokens)] = counts.get(tuple(tokens), 0) + 1
        for i in range(len(tokens) - order + 1):
            gram = tuple(tokens[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "each sentence adds at most 1 to an n-gram",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        tokens = ["<s>"] + list(sentence) + ["</s>"]
        for gram in {tuple(tokens[i:i + order]) for i in range(len(tokens) - order + 1)}:
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    # mle_probability
    {
        "task": "mle_probability",
        "right": True,
        "why": "sum over n-grams with the context",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    if total == 0:
        raise ValueError("context never seen")
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": True,
        "why": "table of the followers first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    followers = defaultdict(dict)
    for (*h, w), n in counts.items():
        followers[tuple(h)][w] = n
    if tuple(context) not in followers:
        raise ValueError(context)
    row = followers[tuple(context)]
    return float(row.get(word, 0)) / sum(row.values())
""",
    },
    {
        "task": "mle_probability",
        "right": True,
        "why": "explicit loop with two sums",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    hits = total = 0
    seen = False
    for gram in counts:
        if gram[:len(context)] == context:
            seen = True
            total += counts[gram]
            if gram[-1] == word:
                hits += counts[gram]
    if not seen:
        raise ValueError("no n-gram begins with the context")
    return hits / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "0.0 after a context never seen instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    if total == 0:
        return 0.0
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "a word that never followed raises instead of 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    if total == 0:
        raise ValueError("context never seen")
    return counts[context + (word,)] / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "a word that never followed: ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    if total == 0 or context + (word,) not in counts:
        raise ValueError("context never seen")
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "divides by the sum of all counts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(n for gram, n in counts.items() )
    if total == 0:
        raise ValueError("context never seen")
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "divides by the number of different followers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(1 for gram, n in counts.items() if gram[:-1] == context)
    if total == 0:
        raise ValueError("context never seen")
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "compares only the last token of the context: wrong for trigrams",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(n for gram, n in counts.items() if gram[:-1][-1:] == context[-1:])
    if total == 0:
        raise ValueError("context never seen")
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "compares only the first token of the context: wrong for trigrams",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(n for gram, n in counts.items() if gram[:-1][:1] == context[:1] or not context)
    if total == 0:
        raise ValueError("context never seen")
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "the context may stand in any order (set)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(n for gram, n in counts.items() if set(gram[:-1]) == set(context))
    if total == 0:
        raise ValueError("context never seen")
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "unseen context: ZeroDivisionError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "empty context raises, though () is for unigrams",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mle_probability(counts, context, word):
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    if not context or total == 0:
        raise ValueError("context never seen")
    return counts.get(context + (word,), 0) / total
""",
    },
    # add_k
    {
        "task": "add_k",
        "right": True,
        "why": "the formula",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": True,
        "why": "loop over followers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if not k > 0:
        raise ValueError("k must be above 0")
    row = {}
    for gram, n in counts.items():
        *h, w = gram
        if tuple(h) == tuple(context):
            row[w] = n
    return (row.get(word, 0) + k) / (math.fsum(row.values()) + vocabulary_size * k)
""",
    },
    {
        "task": "add_k",
        "right": True,
        "why": "as a mixture of the share and the uniform distribution",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    followers = [(g[-1], n) for g, n in counts.items() if g[:len(context)] == context]
    total = sum(n for _, n in followers)
    mix = total / (total + k * vocabulary_size)
    share = sum(n for w, n in followers if w == word) / total if total else 0.0
    return mix * share + (1 - mix) / vocabulary_size
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "k = 0 is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k < 0:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "k below 1 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k < 1:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "denominator grows by k times the words seen after the context, not V",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * max(1, sum(gram[:-1] == context for gram in counts)))
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "denominator grows by V, as for k = 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "adds 1 above and k below",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    return (counts.get(context + (word,), 0) + 1) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "a context never seen raises ValueError: 'no trouble any more: every word gets 1/V'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    if total == 0:
        raise ValueError('context')
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "a context never seen gives 0.0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    if total == 0:
        return 0.0
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "seen words keep their share: only unseen words get k",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    return (counts.get(context + (word,)) or k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "total of the whole table",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() )
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "V is the number of different words in the counts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for gram, n in counts.items() if gram[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * len({g[-1] for g in counts}))
""",
    },
    # interpolate
    {
        "task": "interpolate",
        "right": True,
        "why": "loop from short to long",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used
""",
    },
    {
        "task": "interpolate",
        "right": True,
        "why": "list of (weight, estimate), longest first, None where there is no estimate",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if not math.isclose(math.fsum(weights), 1.0, rel_tol=0, abs_tol=1e-9):
        raise ValueError("weights must sum to 1")
    def estimate(order):
        if order - 1 > len(context):
            return None
        h = context[len(context) - (order - 1):]
        row = {g[-1]: c for g, c in tables[order - 1].items() if g[:order - 1] == h}
        total = sum(row.values())
        return row.get(word, 0) / total if total else None
    parts = [(weights[o - 1], estimate(o)) for o in range(len(tables), 0, -1)]
    parts = [(l, p) for l, p in parts if p is not None]
    return sum(l * p for l, p in parts) / sum(l for l, _ in parts)
""",
    },
    {
        "task": "interpolate",
        "right": True,
        "why": "NumPy masked average",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    weights = np.array(weights, dtype=float)
    if abs(weights.sum() - 1.0) > 1e-9:
        raise ValueError("weights")
    top = np.zeros(len(tables))
    bottom = np.zeros(len(tables))
    for n, table in enumerate(tables):
        if n <= len(context):
            h = context[-n:] if n else ()
            for gram, count in table.items():
                if gram[:n] == h:
                    bottom[n] += count
                    top[n] += count * (gram[n] == word)
    ok = bottom > 0
    return float(np.average(top[ok] / bottom[ok], weights=weights[ok]))
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "first words of the context instead of the last",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = tuple(context[:n])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "unseen contexts count as 0: not divided by the weights that were used",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "an order in which the word is unseen is left out as well",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0 and h + (word,) in table:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used if used else 0.0
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "sum of the weights is not checked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if False:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "compares the sum with 1 exactly: weights such as 0.7, 0.2, 0.1 raise",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if sum(weights) != 1:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "checks the sum only to 0.01",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-2:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "weights that sum to less than 1 pass",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if sum(weights) - 1 > 1e-9:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "weights in the order longest first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights[::-1])):
        if n > len(context):
            break
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used
""",
    },
    {
        "task": "interpolate",
        "right": None,
        "why": "stops at the first unseen context, also if a longer one was seen: cannot happen with counts of one text",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
        else:
            break
    return value / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "a context shorter than the tables raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            raise ValueError('short context')
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "equal weights after renormalisation (mean of the used estimates)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total > 0:
            value += weight * table.get(h + (word,), 0) / total
            used += 1 / len(tables)
    return value / used
""",
    },
    # stupid_backoff
    {
        "task": "stupid_backoff",
        "right": True,
        "why": "recursion",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": True,
        "why": "loop with a running factor",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if alpha <= 0 or alpha > 1:
        raise ValueError("alpha")
    factor, h = 1.0, tuple(context)
    while True:
        row = {g[-1]: n for g, n in tables[len(h)].items() if g[:len(h)] == h}
        if word in row:
            return factor * row[word] / sum(row.values())
        if not h:
            return 0.0
        factor, h = factor * alpha, h[1:]
""",
    },
    {
        "task": "stupid_backoff",
        "right": True,
        "why": "for over the number of dropped words, alpha to a power",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not (alpha > 0 and alpha <= 1):
        raise ValueError
    for dropped in range(len(context) + 1):
        h = context[dropped:]
        hits = tables[len(h)].get(h + (word,), 0)
        if hits:
            total = sum(tables[len(h)][g] for g in tables[len(h)] if g[:-1] == h)
            return alpha ** dropped * (hits / total)
    return 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "drops the last word of the context instead of the first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, context[:-1], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "alpha = 1 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha < 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "alpha = 0 is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 <= alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "alpha above 1 is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if alpha <= 0:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "no factor for a context that was never seen, only for an unseen word",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    if len(context) == 0:
        return 0.0
    if not any(gram[:-1] == context for gram in table):
        return stupid_backoff(tables, context[1:], word, alpha)
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "alpha is passed on as the default 0.4 at the second step",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "denominator is the count of the context in the shorter table, not the sum of what followed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / (tables[len(context) - 1].get(context, count) if context else sum(table.values()))
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "falls back to the unigrams at once, one factor",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, (), word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "a word never seen gets 1 / V instead of 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    if len(context) == 0:
        return 1 / len(table)
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "the unigram score gets a further factor",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0 and not context and len(tables) > 1:
        return alpha * count / sum(table.values())
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "score is a sum of all orders instead of the first that was seen",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        share = count / sum(n for gram, n in table.items() if gram[:-1] == context)
        return share if not context else share + alpha * stupid_backoff(tables, context[1:], word, alpha)
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    # continuation_counts
    {
        "task": "continuation_counts",
        "right": True,
        "why": "sets of left neighbours",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        if n > 0:
            before.setdefault(right, set()).add(left)
    return {word: len(lefts) for word, lefts in before.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": True,
        "why": "Counter of the right words of bigrams that were seen",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    return dict(Counter(pair[1] for pair in bigrams if bigrams[pair] > 0))
""",
    },
    {
        "task": "continuation_counts",
        "right": True,
        "why": "for each word a sum over all bigrams",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    words = {w for _, w in bigrams}
    result = {w: sum(1 for (_, r), n in bigrams.items() if r == w and n >= 1) for w in words}
    return {w: n for w, n in result.items() if n}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "bigrams with count 0 are counted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        if True:
            before.setdefault(right, set()).add(left)
    return {word: len(lefts) for word, lefts in before.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "words whose bigrams all have the count 0 are in the dict with 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        before.setdefault(right, set())
        if n > 0:
            before[right].add(left)
    return {word: len(lefts) for word, lefts in before.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "sums the counts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        if n > 0:
            before[right] = before.get(right, 0) + n
    return {word: lefts for word, lefts in before.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "<s> on the left is not counted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        if n > 0 and left != '<s>':
            before.setdefault(right, set()).add(left)
    return {word: len(lefts) for word, lefts in before.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "counts the words after each word",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        if n > 0:
            before.setdefault(left, set()).add(right)
    return {word: len(lefts) for word, lefts in before.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "a word before itself is not counted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        if n > 0 and left != right:
            before.setdefault(right, set()).add(left)
    return {word: len(lefts) for word, lefts in before.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "words seen only on the left are there with 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        if n > 0:
            before.setdefault(right, set()).add(left)
    for left, _ in bigrams:
        before.setdefault(left, set())
    return {word: len(lefts) for word, lefts in before.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "bigrams seen only once do not count",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        if n > 1:
            before.setdefault(right, set()).add(left)
    return {word: len(lefts) for word, lefts in before.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "words are left out that have only one neighbour",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        if n > 0:
            before.setdefault(right, set()).add(left)
    return {word: len(lefts) for word, lefts in before.items() if len(lefts) > 1}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "</s> is left out of the result: it is a word that follows like others",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def continuation_counts(bigrams):
    before = {}
    for (left, right), n in bigrams.items():
        if n > 0 and right != '</s>':
            before.setdefault(right, set()).add(left)
    return {word: len(lefts) for word, lefts in before.items()}
""",
    },
    # kneser_ney_bigram
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "the formula",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount * len(after) / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "NumPy matrix of all counts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    words = sorted({w for pair in bigrams for w in pair} | {previous, word})
    at = {w: i for i, w in enumerate(words)}
    C = np.zeros((len(words), len(words)))
    for (l, r), n in bigrams.items():
        C[at[l], at[r]] = n
    p_cont = (C > 0).sum(axis=0) / (C > 0).sum()
    row = C[at[previous]]
    if row.sum() == 0:
        return float(p_cont[at[word]])
    p = (np.clip(row - discount, 0, None) + discount * np.count_nonzero(row) * p_cont) / row.sum()
    return float(p[at[word]])
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "tables of left and right sets, Counter of contexts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0.0 or 1.0 < discount:
        raise ValueError
    lefts, rights, context = defaultdict(set), defaultdict(set), Counter()
    for (l, r), n in bigrams.items():
        lefts[r].add(l)
        rights[l].add(r)
        context[l] += n
    p_cont = len(lefts[word]) / sum(map(len, lefts.values()))
    if previous not in context:
        return p_cont
    c = bigrams.get((previous, word), 0)
    first = (c - discount) / context[previous] if c > discount else 0.0
    return first + discount * len(rights[previous]) * p_cont / context[previous]
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "no max(..., 0): unseen words get a negative first term",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = (after.get(word, 0) - discount) / total
    return kept + discount * len(after) / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "backoff instead of interpolation: seen words do not get the second term",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    if kept > 0:
        return kept
    return discount * len(after) / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "continuation by plain counts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(n for (_, r), n in bigrams.items() if r == word) / sum(bigrams.values())
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount * len(after) / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "divides by the number of different words instead of different bigrams",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len({r for _, r in bigrams})
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount * len(after) / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "a context never seen gives 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return 0.0
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount * len(after) / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "a context never seen gives the discount times P_cont",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return discount * continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount * len(after) / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "discount 0 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount <= 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount * len(after) / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "discount 1 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount >= 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount * len(after) / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "a discount above 1 is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount * len(after) / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "gives out the mass D instead of D N1+(v) / count(v)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "mass uses the number of tokens after v, so it is just D",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount * total / total * continuation
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "count(v) is how often v was seen on the right",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    continuation = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    total = sum(n for (l, r), n in bigrams.items() if r == previous) or sum(after.values())
    if total == 0:
        return continuation
    kept = max(after.get(word, 0) - discount, 0) / total
    return kept + discount * len(after) / total * continuation
""",
    },
    # perplexity
    {
        "task": "perplexity",
        "right": True,
        "why": "sum of logarithms",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if any(p < 0 or p > 1 for p in probs):
        raise ValueError("no probability")
    if 0 in probs:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": True,
        "why": "NumPy; log 0 is minus infinity and exp of infinity infinity",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    p = np.asarray(probs, dtype=float)
    if p.size == 0 or p.min() < 0 or p.max() > 1:
        raise ValueError("probabilities")
    with np.errstate(divide="ignore"):
        return float(np.exp(-np.log(p).mean()))
""",
    },
    {
        "task": "perplexity",
        "right": True,
        "why": "bits: 2 to the mean number of bits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if not probs:
        raise ValueError("no tokens")
    bits = []
    for p in probs:
        if not 0 <= p <= 1:
            raise ValueError(p)
        bits.append(-math.log2(p) if p else math.inf)
    return 2.0 ** (math.fsum(bits) / len(bits))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "product of the probabilities underflows to 0 for a long list",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0 or min(probs) < 0 or max(probs) > 1:
        raise ValueError("empty")
    product = math.prod(probs)
    return math.inf if product == 0 else product ** (-1 / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "probability 0: floor of 1e-12 instead of infinity",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if any(p < 0 or p > 1 for p in probs):
        raise ValueError("no probability")
    return math.exp(-sum(math.log(max(p, 1e-12)) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "tokens with probability 0 are left out",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if any(p < 0 or p > 1 for p in probs):
        raise ValueError("no probability")
    if 0 in probs:
        probs = [p for p in probs if p]
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "infinity is returned before a later number above 1 is noticed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if 0 in probs:
        return math.inf
    if any(p < 0 or p > 1 for p in probs):
        raise ValueError("no probability")
    if 0 in probs:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "numbers above 1 are not checked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if any(p < 0 for p in probs):
        raise ValueError("no probability")
    if 0 in probs:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "negative numbers are not checked and count as impossible",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if any(p > 1 for p in probs):
        raise ValueError("no probability")
    if min(probs) <= 0:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "probability 1 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if any(p < 0 or p >= 1 for p in probs):
        raise ValueError("no probability")
    if 0 in probs:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "probability 0 raises (math.log's ValueError) instead of infinity",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if any(p < 0 or p > 1 for p in probs):
        raise ValueError("no probability")
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "empty list gives 1.0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        return 1.0
    if any(p < 0 or p > 1 for p in probs):
        raise ValueError("no probability")
    if 0 in probs:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "2 to the mean of natural logarithms",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if any(p < 0 or p > 1 for p in probs):
        raise ValueError("no probability")
    if 0 in probs:
        return math.inf
    return 2 ** (-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "arithmetic mean of 1/p",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if any(p < 0 or p > 1 for p in probs):
        raise ValueError("no probability")
    if 0 in probs:
        return math.inf
    return sum(1 / p for p in probs) / len(probs)
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "mean over N - 1 tokens (for N above 1)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    if any(p < 0 or p > 1 for p in probs):
        raise ValueError("no probability")
    if 0 in probs:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / max(len(probs) - 1, 1))
""",
    },
    # bits_per_byte
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "the formula",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    return -sum(log_probs) / (math.log(2) * len(text.encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "converts each token to bits first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    size = len(bytes(text, "utf8"))
    if not size:
        raise ValueError("the text is empty")
    bits = [-lp * math.log2(math.e) for lp in log_probs]
    return math.fsum(bits) / size
""",
    },
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "NumPy, bytes counted by code point",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if len(text) == 0:
        raise ValueError
    def width(ch):
        o = ord(ch)
        return 1 if o < 0x80 else 2 if o < 0x800 else 3 if o < 0x10000 else 4
    return float(np.sum(-np.array(log_probs, dtype=np.float64)) / np.log(2.0)) / sum(map(width, text))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "characters instead of bytes: wrong for text beyond ASCII",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    return -sum(log_probs) / (math.log(2) * len(text))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "UTF-16 bytes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    return -sum(log_probs) / (math.log(2) * len(text.encode("utf-16")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "with the byte order mark of utf-8-sig, three bytes too many",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    return -sum(log_probs) / (math.log(2) * len(text.encode("utf-8-sig")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "characters that are not ASCII are dropped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    return -sum(log_probs) / (math.log(2) * len(text.encode("ascii", "ignore") or b"?"))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "nats instead of bits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    return -sum(log_probs) / (len(text.encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "times ln 2 instead of divided by it",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    return -sum(log_probs) * math.log(2) / len(text.encode("utf-8"))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "an empty text gives 0.0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        return 0.0
    return -sum(log_probs) / (math.log(2) * len(text.encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "a text of spaces counts as empty",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if not text.strip():
        raise ValueError("empty text")
    return -sum(log_probs) / (math.log(2) * len(text.encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "spaces and line ends at the borders are not counted as bytes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    return -sum(log_probs) / (math.log(2) * len((text.strip() or text).encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "mean over the tokens instead of the sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    return -sum(log_probs) / max(len(log_probs), 1) / (math.log(2) * len(text.encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "all multi-byte characters are taken for two bytes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    return -sum(log_probs) / (math.log(2) * sum(1 if ord(c) < 128 else 2 for c in text))
""",
    },
    # sample_next
    {
        "task": "sample_next",
        "right": True,
        "why": "running sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in probs.items():
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": True,
        "why": "cumsum and searchsorted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if len(probs) == 0 or u < 0 or u >= 1:
        raise ValueError("bad input")
    words, p = list(probs), np.array(list(probs.values()), dtype=float)
    i = int(np.searchsorted(np.cumsum(p), u, side="right"))
    if i == len(words):
        i = int(np.flatnonzero(p)[-1])
    return words[i]
""",
    },
    {
        "task": "sample_next",
        "right": True,
        "why": "accumulate, next with a default",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from itertools import accumulate
def sample_next(probs, u):
    if not len(probs) or not (0 <= u and u < 1):
        raise ValueError
    possible = [word for word in probs if probs[word] > 0]
    sums = accumulate(probs[word] for word in possible)
    return next((word for word, s in zip(possible, sums) if u < s), possible[-1])
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "on a border the word on the left: 'on a border, u belongs to the interval on its right'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in probs.items():
        total += p
        if total >= u:
            return word
        if p > 0:
            last = word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "rounding: the last word of the dict even if its probability is 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in probs.items():
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    return word
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "rounding: None",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in probs.items():
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    return None
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "rounding: ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in probs.items():
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    raise ValueError('no word')
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "u = 0 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or not 0 < u < 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in probs.items():
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "u = 1 is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or not 0 <= u <= 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in probs.items():
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "negative u is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or u >= 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in probs.items():
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "largest probabilities first instead of the order of the dict",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in sorted(probs.items(), key=lambda item: -item[1]):
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "alphabetical order",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in sorted(probs.items()):
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "rounding: the likeliest word instead of the last possible one",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    total, last = 0.0, None
    for word, p in probs.items():
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    return max(probs, key=probs.get)
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "empty dict gives None",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if probs and not 0 <= u < 1:
        raise ValueError("probs or u")
    pass
    total, last = 0.0, None
    for word, p in probs.items():
        total += p
        if total > u:
            return word
        if p > 0:
            last = word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": None,
        "why": "takes the probabilities off u one after another: rounding at the borders may differ from the running sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sample_next(probs, u):
    if not probs or u < 0 or u >= 1:
        raise ValueError
    for word, p in probs.items():
        u -= p
        if u < 0:
            return word
    return [w for w, p in probs.items() if p > 0][-1]
""",
    },
    # ngram_counts
    {
        "task": "ngram_counts",
        "right": True,
        "why": "a Counter is a dict; order checked with a comparison chain",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def ngram_counts(sentences, order):
    if not 1 <= order:
        raise ValueError(order)
    return Counter(tuple(p[i - order:i]) for p in (["<s>"] + s + ["</s>"] for s in sentences) for i in range(order, len(p) + 1))
""",
    },
    # perplexity
    {
        "task": "perplexity",
        "right": True,
        "why": "geometric mean in pieces: product of the p-th roots",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def perplexity(probs):
    n = len(probs)
    if n == 0 or not all(0 <= p <= 1 for p in probs):
        raise ValueError("probs")
    if min(probs) == 0:
        return float("inf")
    value = 1.0
    for p in probs:
        value *= p ** (-1 / n)
    return max(value, 1.0)
""",
    },
    # stupid_backoff
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "shortens the context from the right: 'forget the first word of the context'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    for n in range(len(context), -1, -1):
        h = context[:n]
        count = tables[n].get(h + (word,), 0)
        if count:
            total = sum(c for g, c in tables[n].items() if g[:-1] == h)
            return alpha ** (len(context) - n) * count / total
    return 0.0
""",
    },
]
