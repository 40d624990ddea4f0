"""Answers to chapter 07, written from its page alone: the second round."""

ANSWERS = [
    # utf8_bytes
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "shifts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
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
        "why": "encode(), after a check",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    if code_point not in range(0x110000):
        raise ValueError(code_point)
    return list(chr(code_point).encode("utf-8"))
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "encode() alone: chr() raises OverflowError, not ValueError, beyond a C int ('ValueError: ... above 0x10FFFF')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    return list(chr(code_point).encode("utf-8"))
""",
    },
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "arithmetic from the end, in a loop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    if not 0 <= code_point <= 0x10FFFF:
        raise ValueError("no code point")
    if code_point <= 127:
        return [code_point]
    more = 1 + (code_point > 0x7FF) + (code_point > 0xFFFF)
    out = []
    for _ in range(more):
        code_point, low = divmod(code_point, 64)
        out.insert(0, 128 + low)
    return [{1: 192, 2: 224, 3: 240}[more] + code_point] + out
""",
    },
    {
        "task": "utf8_bytes",
        "right": True,
        "why": "strings of bits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    if code_point < 0 or code_point > 1114111:
        raise ValueError
    for size, mark, last in ((1, "0", 0x7F), (2, "110", 0x7FF), (3, "1110", 0xFFFF), (4, "11110", 0x10FFFF)):
        if code_point <= last:
            break
    bits = format(code_point, "b").zfill(8 - len(mark) + 6 * (size - 1))
    head = 8 - len(mark)
    return [int(mark + bits[:head], 2)] + [int("10" + bits[i:i + 6], 2) for i in range(head, len(bits), 6)]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "border: 0x80 in one byte ('0x80 to 0x7FF')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
    if n <= 0x80:
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
        "why": "border: 0x7FF in three bytes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
    if n < 0x80:
        return [n]
    if n < 0x7FF:
        return [0xC0 | n >> 6, 0x80 | n & 0x3F]
    if n < 0x10000:
        return [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
    return [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "border: 0x10000 in three bytes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
    if n < 0x80:
        return [n]
    if n < 0x800:
        return [0xC0 | n >> 6, 0x80 | n & 0x3F]
    if n <= 0x10000:
        return [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
    return [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "no upper limit",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n < 0:
        raise ValueError(n)
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
        "why": "the limit itself refused: 'from 0 to 0x10FFFF'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n >= 0x10FFFF:
        raise ValueError(n)
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
        "why": "no lower limit",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n > 0x10FFFF:
        raise ValueError(n)
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
        "why": "0 refused",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n <= 0 or n > 0x10FFFF:
        raise ValueError(n)
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
        "why": "lowest bits first in three bytes: 'The highest bits of n come first'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
    if n < 0x80:
        return [n]
    if n < 0x800:
        return [0xC0 | n >> 6, 0x80 | n & 0x3F]
    if n < 0x10000:
        return [0xE0 | n >> 12, 0x80 | n & 0x3F, 0x80 | n >> 6 & 0x3F]
    return [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "five bits kept in the bytes after the first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
    if n < 0x80:
        return [n]
    if n < 0x800:
        return [0xC0 | n >> 6, 0x80 | n & 0x1F]
    if n < 0x10000:
        return [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x1F]
    return [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x1F]
""",
    },
    {
        "task": "utf8_bytes",
        "right": False,
        "why": "bytes, not a list",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def utf8_bytes(code_point):
    n = code_point
    if n < 0 or n > 0x10FFFF:
        raise ValueError(n)
    if n < 0x80:
        return bytes([n])
    if n < 0x800:
        return [0xC0 | n >> 6, 0x80 | n & 0x3F]
    if n < 0x10000:
        return [0xE0 | n >> 12, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
    return [0xF0 | n >> 18, 0x80 | n >> 12 & 0x3F, 0x80 | n >> 6 & 0x3F, 0x80 | n & 0x3F]
""",
    },
    # split_pieces
    {
        "task": "split_pieces",
        "right": True,
        "why": "GPT-2's pattern",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": True,
        "why": "compiled, finditer, alternatives in another but equal form",
        "source": r'''
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

PATTERN = regex.compile(
    r"""'s|'t|'re|'ve|'m|'ll|'d          # endings
    | [ ]?\p{L}+ | [ ]?\p{N}+
    | [ ]?[^\s\p{L}\p{N}]+
    | \s+(?!\S) | \s+""", regex.VERBOSE)

def split_pieces(text):
    return [found.group() for found in PATTERN.finditer(text)]
''',
    },
    {
        "task": "split_pieces",
        "right": True,
        "why": "a loop with match at each place; the kinds one by one",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    kinds = [r"'(?:[stmd]|re|ve|ll)", r" ?\p{L}+", r" ?\p{N}+", r" ?[^\s\p{L}\p{N}]+", r"\s+(?!\S)", r"\s+"]
    pieces, i = [], 0
    while i < len(text):
        for kind in kinds:
            found = regex.compile(kind).match(text, i)
            if found:
                break
        pieces.append(found[0])
        i = found.end()
    return pieces
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "ASCII letters only: 'letters of any script'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?[a-zA-Z]+| ?\p{N}+| ?[^\sa-zA-Z\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "ASCII digits only",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?[0-9]+| ?[^\s\p{L}0-9]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "endings in capitals, too: '(small letters)'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"(?i)'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "several spaces before a word are taken",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| *\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "the white space's last character is not left over: 'but without its last character if something else follows'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "'ll is missing among the endings",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "the endings come last: the run of other signs takes the apostrophe first (order of the alternatives)",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|'(?:s|t|re|ve|m|ll|d)|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "any white space may stand before a word, not only a space",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)|\s?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "white space is dropped: 'joined they are the text'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "underscore is lost: \\W for other signs",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\w]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "no space before a run of digits",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "digits in groups of three (a later model's rule)",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    # count_pairs
    {
        "task": "count_pairs",
        "right": True,
        "why": "dict.get",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths differ")
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "Counter (a dict), pairwise, strict zip",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    total = Counter()
    for word, n in zip(words, counts, strict=True):
        for pair in pairwise(word):
            total[pair] += n
    return total
""",
    },
    {
        "task": "count_pairs",
        "right": True,
        "why": "indices, a defaultdict turned into a dict",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(counts) != len(words):
        raise ValueError
    found = defaultdict(int)
    for w in range(len(words)):
        for i in range(1, len(words[w])):
            found[words[w][i - 1], words[w][i]] += counts[w]
    return dict(found)
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "counts are ignored: 'Each of its pairs of neighbours counts that many times'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths differ")
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + 1
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "a pair counts once a word: 'Pairs may overlap'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths differ")
    pairs = {}
    for word, count in zip(words, counts):
        for pair in set(zip(word, word[1:])):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "overlapping pairs (a, a) count once",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths differ")
    pairs = {}
    for word, count in zip(words, counts):
        last = None
        for i, pair in enumerate(zip(word, word[1:])):
            if pair[0] == pair[1] and last == (i - 1, pair):
                continue
            last = (i, pair)
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "no ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if False:
        raise ValueError("lengths differ")
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "ValueError only if there are too few counts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(counts) < len(words):
        raise ValueError("lengths differ")
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "pairs reach from one word into the next",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths differ")
    pairs, last = {}, None
    for word, count in zip(words, counts):
        for token in word:
            if last is not None:
                pairs[last, token] = pairs.get((last, token), 0) + count
            last = token
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "joined bytes as keys, not a tuple of two tokens",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths differ")
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pair = pair[0] + pair[1]
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "the last word's count overwrites",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths differ")
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = count
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "the last pair of each word is missing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths differ")
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word[:-1], word[1:-1]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs
""",
    },
    {
        "task": "count_pairs",
        "right": False,
        "why": "lists as words with a pair counted in sorted order: (b, a) is counted as (a, b)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths differ")
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pair = tuple(sorted(pair))
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs
""",
    },
    # update_counts
    {
        "task": "update_counts",
        "right": True,
        "why": "take away, add, leave out zeros",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the pair is not there")
    new = dict(counts)
    for p in zip(word, word[1:]):
        new[p] = new.get(p, 0) - count
    merged = _merge(word, pair)
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0) + count
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "Counters",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def update_counts(counts, word, pair, count):
    old, merged = Counter(pairwise(word)), _merge(word, pair)
    if pair not in old:
        raise ValueError(pair)
    change = Counter(pairwise(merged))
    change.subtract(old)
    result = {}
    for p in set(counts) | set(change):
        n = counts.get(p, 0) + count * change[p]
        if n:
            result[p] = n
    return result
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "local update around each place",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def update_counts(counts, word, pair, count):
    out, i, tokens, joined = Counter(counts), 0, list(word), pair[0] + pair[1]
    found = False
    marks = []
    while i < len(tokens):
        if i + 1 < len(tokens) and tokens[i] == pair[0] and tokens[i + 1] == pair[1]:
            marks.append(joined); i += 2; found = True
        else:
            marks.append(tokens[i]); i += 1
    if not found:
        raise ValueError("no such pair in the word")
    for a, b in zip(tokens[:-1], tokens[1:]):
        out[a, b] -= count
    for a, b in zip(marks[:-1], marks[1:]):
        out[a, b] += count
    return {p: n for p, n in out.items() if n > 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "changes the counts that it is given: 'It stays as it is'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the pair is not there")
    new = counts
    for p in zip(word, word[1:]):
        new[p] = new.get(p, 0) - count
    merged = _merge(word, pair)
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0) + count
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "zeros stay: 'without pairs of count 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the pair is not there")
    new = dict(counts)
    for p in zip(word, word[1:]):
        new[p] = new.get(p, 0) - count
    merged = _merge(word, pair)
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0) + count
    return new
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "count ignored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + 1
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the pair is not there")
    new = dict(counts)
    for p in zip(word, word[1:]):
        new[p] = new.get(p, 0) - 1
    merged = _merge(word, pair)
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0) + 1
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "no ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if False:
        raise ValueError("the pair is not there")
    new = dict(counts)
    for p in zip(word, word[1:]):
        new[p] = new.get(p, 0) - count
    merged = _merge(word, pair)
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0) + count
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "deletes the merged pair altogether, although other words have it",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the pair is not there")
    new = dict(counts)
    for p in zip(word, word[1:]):
        new[p] = new.get(p, 0) - count
    merged = _merge(word, pair)
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0) + count
    new.pop(pair, None)
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "each pair taken away once only: wrong when a pair occurs twice",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the pair is not there")
    new = dict(counts)
    for p in set(zip(word, word[1:])):
        new[p] = new.get(p, 0) - count
    merged = _merge(word, pair)
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0) + count
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "both tokens somewhere in the word is enough for the check",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if pair[0] not in word or pair[1] not in word:
        raise ValueError("the pair is not there")
    new = dict(counts)
    for p in zip(word, word[1:]):
        new[p] = new.get(p, 0) - count
    merged = _merge(word, pair)
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0) + count
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "the pairs after the merge are not added",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the pair is not there")
    new = dict(counts)
    for p in zip(word, word[1:]):
        new[p] = new.get(p, 0) - count
    merged = _merge(word, pair)
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0)
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    {
        "task": "update_counts",
        "right": False,
        "why": "leaves out pairs of count 1 as well",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the pair is not there")
    new = dict(counts)
    for p in zip(word, word[1:]):
        new[p] = new.get(p, 0) - count
    merged = _merge(word, pair)
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0) + count
    return {p: n for p, n in new.items() if n > 1}
""",
    },
    {
        "task": "update_counts",
        "right": None,
        "why": "merge changes the word in place",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out

def update_counts(counts, word, pair, count):
    if pair not in list(zip(word, word[1:])):
        raise ValueError("the pair is not there")
    new = dict(counts)
    for p in zip(word, word[1:]):
        new[p] = new.get(p, 0) - count
    merged = _merge(word, pair)
    word[:] = merged
    for p in zip(merged, merged[1:]):
        new[p] = new.get(p, 0) + count
    return {p: n for p, n in new.items() if n != 0}
""",
    },
    # decode_ids
    {
        "task": "decode_ids",
        "right": True,
        "why": "join, then decode",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError("no such token")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "bytearray",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    data = bytearray()
    for number in ids:
        if not 0 <= number < len(token_of):
            raise ValueError(number)
        data += token_of[number]
    return str(data, "utf-8", "replace")
""",
    },
    {
        "task": "decode_ids",
        "right": True,
        "why": "incremental decoder",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

import codecs

def decode_ids(ids, token_of):
    known = range(len(token_of))
    reader = codecs.getincrementaldecoder("utf-8")(errors="replace")
    out = []
    for i in ids:
        if i not in known:
            raise ValueError(f"{i} is not below {len(token_of)}")
        out.append(reader.decode(token_of[i]))
    return "".join(out) + reader.decode(b"", final=True)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "decodes token by token: 'join first'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError("no such token")
    return "".join(token_of[i].decode("utf-8", errors="replace") for i in ids)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "bad bytes are left out: 'become the replacement sign'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError("no such token")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="ignore")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "negative numbers count from the end: ValueError is asked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i >= len(token_of) for i in ids):
        raise ValueError("no such token")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "len(token_of) itself passes: IndexError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i < 0 or i > len(token_of) for i in ids):
        raise ValueError("no such token")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "bad bytes raise UnicodeDecodeError (a ValueError)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError("no such token")
    return b"".join(token_of[i] for i in ids).decode("utf-8")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "a question mark in place of U+FFFD",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError("no such token")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace").replace("\ufffd", "?")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "latin-1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError("no such token")
    return b"".join(token_of[i] for i in ids).decode("latin-1")
""",
    },
    {
        "task": "decode_ids",
        "right": None,
        "why": "several bad bytes become one sign: Python's decoder writes one for each ('the replacement sign' is not exact here)",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError("no such token")
    text = b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
    return re.sub("\ufffd+", "\ufffd", text)
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "strips spaces at the ends",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        raise ValueError("no such token")
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace").strip()
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "unknown numbers are skipped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if any(i < 0 or i >= len(token_of) for i in ids):
        ids = [i for i in ids if 0 <= i < len(token_of)]
    return b"".join(token_of[i] for i in ids).decode("utf-8", errors="replace")
""",
    },
    # visible_token
    {
        "task": "visible_token",
        "right": True,
        "why": "sets",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(256 + others.index(byte)) for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "str.translate",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

TABLE, _next = {}, 0x100
for _byte in range(0x100):
    if 0x21 <= _byte <= 0x7E or 0xA1 <= _byte <= 0xAC or 0xAE <= _byte:
        TABLE[_byte] = _byte
    else:
        TABLE[_byte] = _next
        _next += 1

def visible_token(token):
    return token.decode("latin-1").translate(TABLE)
""",
    },
    {
        "task": "visible_token",
        "right": True,
        "why": "arithmetic",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    def one(n):
        if n <= 0x20:
            return n + 0x100
        if 0x7F <= n <= 0xA0:
            return n - 0x7F + 0x121
        return 0x143 if n == 0xAD else n
    return "".join(map(chr, map(one, token)))
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0x7E is not kept: 'The bytes 0x21 to 0x7E'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x21, 0x7E), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(256 + others.index(byte)) for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0xAD (soft hyphen) is kept",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x21, 0x7F), *range(0xA1, 0x100)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(256 + others.index(byte)) for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0xFF is not kept",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0xFF)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(256 + others.index(byte)) for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "256 + byte for all others: right for 0 to 0x20 only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(256 + byte) for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0xA0 (no-break space) is kept",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x21, 0x7F), *range(0xA0, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(256 + others.index(byte)) for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "only the space and the line end are changed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(256 + others.index(byte)) if byte in (32, 10) else chr(byte) for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "characters of the decoded text, not bytes: 'one visible character for each byte'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(256 + others.index(byte)) for byte in (token.decode('utf-8', 'replace').encode('latin-1', 'replace')))
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "from U+0101 on",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(257 + others.index(byte)) for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "0x21 (!) is not kept",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x22, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(256 + others.index(byte)) for byte in token)
""",
    },
    {
        "task": "visible_token",
        "right": False,
        "why": "control characters past 0x7F are thought to be kept",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def visible_token(token):
    keep = {*range(0x21, 0x7F), *range(0x80, 0xA0), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in keep]
    return "".join(chr(byte) if byte in keep else chr(256 + others.index(byte)) for byte in token)
""",
    },
    # split_pieces
    {
        "task": "split_pieces",
        "right": False,
        "why": "\\d for digits: superscripts and Roman numerals are N, too ('digits are \\p{N}')",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\d+| ?[^\s\p{L}\d]+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "\\w without digits and underscore for letters: combining marks are no letters",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"'(?:s|t|re|ve|m|ll|d)| ?[^\W\d_]+| ?\p{N}+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+", text)
""",
    },
    {
        "task": "split_pieces",
        "right": False,
        "why": "a typographic apostrophe counts as well",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def split_pieces(text):
    return regex.findall(r"['\u2019](?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", text)
""",
    },
    # update_counts
    {
        "task": "update_counts",
        "right": False,
        "why": "changes the neighbours of each place by the tokens before the merge: wrong where two places touch (abab)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def update_counts(counts, word, pair, count):
    new, found, i, joined = Counter(counts), False, 0, pair[0] + pair[1]
    while i < len(word) - 1:
        if (word[i], word[i + 1]) == pair:
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
        raise ValueError("no pair")
    return {p: n for p, n in new.items() if n > 0}
""",
    },
    {
        "task": "update_counts",
        "right": True,
        "why": "a Counter, which is a dict",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def _count(words, counts):
    pairs = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs

def _merge(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def update_counts(counts, word, pair, count):
    before = list(pairwise(word))
    if pair not in before:
        raise ValueError("pair")
    new = Counter(counts)
    for p in before:
        new[p] -= count
    for p in pairwise(_merge(word, pair)):
        new[p] += count
    for p in list(new):
        if new[p] == 0:
            del new[p]
    return new
""",
    },
    # count_pairs
    {
        "task": "count_pairs",
        "right": False,
        "why": "only the pairs at even places are counted: 'Pairs may overlap'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def count_pairs(words, counts):
    if len(words) != len(counts):
        raise ValueError("lengths")
    total = {}
    for word, count in zip(words, counts):
        for i in range(0, len(word) - 1, 2):
            pair = word[i], word[i + 1]
            total[pair] = total.get(pair, 0) + count
    return total
""",
    },
    # decode_ids
    {
        "task": "decode_ids",
        "right": False,
        "why": "the number len(token_of) passes and gives nothing: 'ValueError: a number is negative or not below len(token_of)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    data = b""
    for i in ids:
        if i < 0 or i > len(token_of) - 0:
            raise ValueError("no token")
        data += token_of[i:i + 1][0] if i < len(token_of) else b""
    return data.decode("utf-8", "replace")
""",
    },
    {
        "task": "decode_ids",
        "right": False,
        "why": "only the first number is checked, others out of range give nothing or count from the end: 'ValueError: a number is negative or not below len(token_of)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import regex
import itertools
import functools

def decode_ids(ids, token_of):
    if ids and not 0 <= ids[0] < len(token_of):
        raise ValueError("no token")
    return b"".join(token_of[i] if -len(token_of) <= i < len(token_of) else b"" for i in ids).decode("utf-8", "replace")
""",
    },
]
