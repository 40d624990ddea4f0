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
    # best_pair
    {
        "task": "best_pair",
        "right": True,
        "why": "min with a key",
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

def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    return min(counts, key=lambda pair: (-counts[pair], pair))
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "loop",
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

def best_pair(counts):
    best = None
    for pair, n in counts.items():
        if best is None or n > counts[best] or n == counts[best] and pair < best:
            best = pair
    if best is None:
        raise ValueError("empty")
    return best
""",
    },
    {
        "task": "best_pair",
        "right": True,
        "why": "sorting twice; min of nothing raises ValueError by itself",
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

def best_pair(counts):
    top = max(counts.values())
    return sorted(pair for pair in counts if counts[pair] == top)[0]
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "of equal ones the first in the dict",
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

def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    return min(counts, key=lambda pair: -counts[pair])
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "of equal ones the last in byte order",
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

def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    return max(counts, key=lambda pair: (counts[pair], pair))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "compares the joined bytes: (ab, c) and (a, bc) tie, and (ab, a) before (a, c)",
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

def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    return min(counts, key=lambda pair: (-counts[pair], pair[0] + pair[1]))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "only the left token is compared",
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

def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    return min(counts, key=lambda pair: (-counts[pair], pair[0]))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "the right token first",
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

def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    return min(counts, key=lambda pair: (-counts[pair], pair[::-1]))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "None if there is no pair: ValueError is asked",
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

def best_pair(counts):
    if not counts:
        return None
    return min(counts, key=lambda pair: (-counts[pair], pair))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "the shorter pair first",
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

def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    return min(counts, key=lambda pair: (-counts[pair], len(pair[0] + pair[1]), pair))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "compares the text of the tokens, str(): quotes and escapes change the order",
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

def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    return min(counts, key=lambda pair: (-counts[pair], str(pair)))
""",
    },
    {
        "task": "best_pair",
        "right": False,
        "why": "returns pair and count",
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

def best_pair(counts):
    if not counts:
        raise ValueError("no pair")
    pair = min(counts, key=lambda pair: (-counts[pair], pair))
    return pair, counts[pair]
""",
    },
    # merge_pair
    {
        "task": "merge_pair",
        "right": True,
        "why": "while",
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

def merge_pair(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "a flag for what may still be joined",
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

def merge_pair(tokens, pair):
    left, right = pair
    out, free = [], False
    for token in tokens:
        if free and token == right and out[-1] == left:
            out[-1] = left + right
            free = False
        else:
            out.append(token)
            free = True
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "iterator",
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

def merge_pair(tokens, pair):
    new = list(tokens)
    i = 0
    while i < len(new) - 1:
        if tuple(new[i:i + 2]) == tuple(pair):
            new[i:i + 2] = [b"".join(pair)]
        i += 1
    return new
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "recursion by halves: everything up to the first place, then the rest",
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

def merge_pair(tokens, pair):
    places = [i for i in range(len(tokens) - 1) if tokens[i] == pair[0] and tokens[i + 1] == pair[1]]
    out, done = [], 0
    for i in places:
        if i >= done:
            out.extend(tokens[done:i])
            out.append(pair[0] + pair[1])
            done = i + 2
    return out + tokens[done:]
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "changes the list that it is given: 'It stays as it is'",
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

def merge_pair(tokens, pair):
    i = 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) == pair:
            tokens[i:i + 2] = [pair[0] + pair[1]]
        i += 1
    return tokens
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "the same list where nothing is joined: 'A new list of tokens, even where nothing is joined'",
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

def merge_pair(tokens, pair):
    if pair not in list(zip(tokens, tokens[1:])):
        return tokens
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
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
        "why": "the last pair is missed",
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

def merge_pair(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 2 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
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
        "why": "from the right: (a, a) in aaa gives a aa",
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

def merge_pair(tokens, pair):
    out, i = [], len(tokens)
    while i > 0:
        if i > 1 and (tokens[i - 2], tokens[i - 1]) == pair:
            out.append(tokens[i - 2] + tokens[i - 1])
            i -= 2
        else:
            out.append(tokens[i - 1])
            i -= 1
    return out[::-1]
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "joined bytes compared: (ab, c) is joined for the pair (a, bc)",
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

def merge_pair(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and tokens[i] + tokens[i + 1] == pair[0] + pair[1]:
            out.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "looks back at the last token written; a joined token can never be a part of the same pair, so that is the same",
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

def merge_pair(tokens, pair):
    out = []
    for token in tokens:
        if out and (out[-1], token) == pair:
            out[-1] = out[-1] + token
        else:
            out.append(token)
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": True,
        "why": "joins the first place and looks from the beginning again; a joined token is never part of the same pair, so that is the same",
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

def merge_pair(tokens, pair):
    out = list(tokens)
    while True:
        for i in range(len(out) - 1):
            if (out[i], out[i + 1]) == pair:
                out[i:i + 2] = [pair[0] + pair[1]]
                break
        else:
            return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "only the first place is joined",
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

def merge_pair(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if len(out) == i and i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
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
        "why": "goes on one token later: the right token is written twice",
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

def merge_pair(tokens, pair):
    out, i = [], 0
    while i < len(tokens):
        if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
            out.append(tokens[i] + tokens[i + 1])
            i += 1
        else:
            out.append(tokens[i])
            i += 1
    return out
""",
    },
    {
        "task": "merge_pair",
        "right": False,
        "why": "as text with replace(): tokens of several bytes are torn apart",
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

def merge_pair(tokens, pair):
    marked = b"\x00".join(tokens).replace(pair[0] + b"\x00" + pair[1], pair[0] + pair[1])
    return marked.split(b"\x00") if tokens else []
""",
    },
    # train_bpe
    {
        "task": "train_bpe",
        "right": True,
        "why": "naive, helpers",
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "a dict of tuples, recursion",
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


def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError(num_merges)
    def go(words, left):
        if left == 0:
            return []
        pairs = Counter()
        for word, count in words:
            for pair in pairwise(word):
                pairs[pair] += count
        if not pairs:
            return []
        top = max(pairs.values())
        best = min(p for p, n in pairs.items() if n == top)
        return [best] + go([(_merge(w, best), c) for w, c in words], left - 1)
    out = []
    words = [([piece.encode()[i:i + 1] for i in range(len(piece.encode()))], n) for piece, n in piece_counts.items()]
    return go(words, num_merges)
""",
    },
    {
        "task": "train_bpe",
        "right": True,
        "why": "incremental counts",
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


def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("num_merges")
    words = {piece: list(map(lambda b: bytes((b,)), piece.encode("utf-8"))) for piece in piece_counts}
    pairs = Counter(_count(words.values(), piece_counts.values()))
    merges = []
    while len(merges) < num_merges and pairs:
        best = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[0][0]
        merges.append(best)
        for piece, word in words.items():
            new = _merge(word, best)
            if len(new) == len(word):
                continue
            for pair in pairwise(word):
                pairs[pair] -= piece_counts[piece]
            for pair in pairwise(new):
                pairs[pair] += piece_counts[piece]
            words[piece] = new
        pairs = Counter({pair: n for pair, n in pairs.items() if n > 0})
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "cut into characters, encoded one by one: 'each cut into its bytes'",
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[c.encode("utf-8") for c in piece] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "counts of the pieces ignored",
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = [1] * len(piece_counts)
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "ties: the first that was met",
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs:
            break
        best = min(pairs, key=lambda pair: -pairs[pair])
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "ties: the last in byte order",
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "stops when no pair occurs twice: 'If no pair is left, stop early'",
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs or max(pairs.values()) < 2:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "no ValueError below 0: an empty list",
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

def train_bpe(piece_counts, num_merges):
    if False:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "refuses 0 merges",
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

def train_bpe(piece_counts, num_merges):
    if num_merges <= 0:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "fails when no pair is left",
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if False:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "returns the merged tokens, not pairs",
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best[0] + best[1])
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": False,
        "why": "merges overlap: counts pairs once a word (set)",
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
        for pair in set(zip(word, word[1:])):
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": None,
        "why": "pieces changed in place: the dict is emptied of pieces without pairs (not forbidden by a sentence)",
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    counts = list(piece_counts.values())
    for piece in [p for p in piece_counts if len(p.encode()) < 2]:
        del piece_counts[piece]
    words = [[bytes([byte]) for byte in piece.encode('utf-8')] for piece in piece_counts]
    counts = list(piece_counts.values())
    merges = []
    for _ in range(num_merges):
        pairs = _count(words, counts)
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        words = [_merge(word, best) for word in words]
        merges.append(best)
    return merges
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
    # encode_piece
    {
        "task": "encode_piece",
        "right": True,
        "why": "ranks",
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

def encode_piece(piece, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return tokens
        tokens = _merge(tokens, min(known, key=rank.get))
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "recursion, index in the list",
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

def encode_piece(piece, merges):
    def go(tokens):
        for left, right in merges:
            for i in range(len(tokens) - 1):
                if tokens[i] == left and tokens[i + 1] == right:
                    out, j = [], 0
                    while j < len(tokens):
                        if tokens[j:j + 2] == [left, right]:
                            out.append(left + right); j += 2
                        else:
                            out.append(tokens[j]); j += 1
                    return go(out)
        return tokens
    return go([piece[i:i + 1] for i in range(len(piece))])
""",
    },
    {
        "task": "encode_piece",
        "right": True,
        "why": "one place at a time: the smallest (rank, position)",
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

def encode_piece(piece, merges):
    rank = dict(zip(merges, range(len(merges))))
    tokens = [piece[i:i + 1] for i in range(len(piece))]
    while True:
        best, where = None, None
        for i, pair in enumerate(pairwise(tokens)):
            if pair in rank and (best is None or rank[pair] < best):
                best, where = rank[pair], i
        if best is None:
            return tokens
        # all places of this pair, from the left
        pair, i = merges[best], where
        while i < len(tokens) - 1:
            if (tokens[i], tokens[i + 1]) == pair:
                tokens[i:i + 2] = [pair[0] + pair[1]]
            i += 1
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the leftmost known pair",
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

def encode_piece(piece, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return tokens
        tokens = _merge(tokens, known[0])
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the pair learned last",
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

def encode_piece(piece, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return tokens
        tokens = _merge(tokens, max(known, key=rank.get))
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "the longest token first: 'Not the longest token'",
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

def encode_piece(piece, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return tokens
        tokens = _merge(tokens, max(known, key=lambda pair: (len(pair[0] + pair[1]), -rank[pair])))
""",
    },
    {
        "task": "encode_piece",
        "right": None,
        "why": "one pass over the merges in order: the same for every list that a training can give (tried), but not for any list of different pairs",
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

def encode_piece(piece, merges):
    tokens = [bytes([byte]) for byte in piece]
    for pair in merges:
        out, i = [], 0
        while i < len(tokens):
            if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == pair:
                out.append(tokens[i] + tokens[i + 1]); i += 2
            else:
                out.append(tokens[i]); i += 1
        tokens = out
    return tokens
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "greedy: longest token of the vocabulary from the left",
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

def encode_piece(piece, merges):
    vocabulary = {left + right for left, right in merges} | {bytes([b]) for b in range(256)}
    out, i = [], 0
    while i < len(piece):
        j = len(piece)
        while piece[i:j] not in vocabulary:
            j -= 1
        out.append(piece[i:j])
        i = j
    return out
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "an empty piece gives one empty token: 'An empty piece has none'",
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

def encode_piece(piece, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    if not tokens:
        return [b'']
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return tokens
        tokens = _merge(tokens, min(known, key=rank.get))
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "ints instead of tokens where nothing is merged",
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

def encode_piece(piece, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return tokens if len(tokens) < len(piece) else list(piece)
        tokens = _merge(tokens, min(known, key=rank.get))
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "stops after the first kind of merge",
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

def encode_piece(piece, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return tokens
        return _merge(tokens, min(known, key=rank.get))
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "from the right: aaa gives a aa",
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

def encode_piece(piece, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair in rank]
        if not known:
            return tokens
        p = min(known, key=rank.get)
        i = max(k for k in range(len(tokens) - 1) if (tokens[k], tokens[k + 1]) == p)
        tokens = tokens[:i] + [p[0] + p[1]] + tokens[i + 2:]
""",
    },
    {
        "task": "encode_piece",
        "right": False,
        "why": "pairs compared by the bytes that they make",
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

def encode_piece(piece, merges):
    rank = {pair: i for i, pair in enumerate(merges)}
    made = {l + r: (l, r) for l, r in merges}
    rank = {l + r: i for i, (l, r) in enumerate(merges)}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        known = [pair for pair in zip(tokens, tokens[1:]) if pair[0] + pair[1] in made]
        if not known:
            return tokens
        tokens = _merge(tokens, min(known, key=lambda p: rank[p[0] + p[1]]))
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
    # longest_match
    {
        "task": "longest_match",
        "right": True,
        "why": "from long to short",
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
        "why": "recursion with the longest of all fitting",
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

def longest_match(word, vocabulary):
    def rest(i):
        if i == len(word):
            return []
        mark = "" if i == 0 else "##"
        fits = [mark + word[i:j] for j in range(i + 1, len(word) + 1) if mark + word[i:j] in vocabulary]
        if not fits:
            return None
        first = max(fits, key=len)
        more = rest(i + len(first) - len(mark))
        return None if more is None else [first] + more
    found = rest(0)
    return ["[UNK]"] if found is None else found
""",
    },
    {
        "task": "longest_match",
        "right": True,
        "why": "searches the vocabulary by length",
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

def longest_match(word, vocabulary):
    out, left = [], word
    while left:
        best = ""
        for token in sorted(vocabulary, key=len, reverse=True):
            if out and not token.startswith("##"):
                continue
            body = token[2:] if out else token
            if body and left.startswith(body):
                best = body
                break
        if not best:
            return ["[UNK]"]
        out.append("##" + best if out else best)
        left = left[len(best):]
    return out
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "the shortest token",
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

def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(start + 1, len(word) + 1):
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
        "right": False,
        "why": "[UNK] for the place only, tokens before it stay: 'the whole word is [UNK]'",
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

def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                break
        else:
            return tokens + ["[UNK]"]
        tokens.append(mark + word[start:end])
        start = end
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "an empty word is [UNK]: 'an empty word has no tokens'",
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

def longest_match(word, vocabulary):
    if not word:
        return ["[UNK]"]
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
        "right": False,
        "why": "tokens that go on are written without ##",
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

def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                break
        else:
            return ["[UNK]"]
        tokens.append(word[start:end])
        start = end
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "looked up without ##",
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

def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if word[start:end] in vocabulary:
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
        "right": False,
        "why": "goes back and tries a shorter token: 'no shorter token is tried then'",
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

def longest_match(word, vocabulary):
    def rest(i):
        if i == len(word):
            return []
        mark = "##" if i else ""
        for j in range(len(word), i, -1):
            if mark + word[i:j] in vocabulary:
                more = rest(j)
                if more is not None:
                    return [mark + word[i:j]] + more
        return None
    found = rest(0)
    return ["[UNK]"] if found is None else found
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "falls back to a token without ## inside the word",
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

def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary or word[start:end] in vocabulary:
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
        "right": False,
        "why": "skips a letter where nothing fits",
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

def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                break
        else:
            start += 1
            continue
        tokens.append(mark + word[start:end])
        start = end
    return tokens
""",
    },
    {
        "task": "longest_match",
        "right": False,
        "why": "lower-cases the word first",
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

def longest_match(word, vocabulary):
    word = word.lower()
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
        "right": False,
        "why": "the fewest tokens are preferred (the longest at the end)",
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

def longest_match(word, vocabulary):
    if any(word[:k] in vocabulary and '##' + word[k:] in vocabulary for k in range(1, len(word))) and word not in vocabulary:
        k = max(k for k in range(1, len(word)) if word[:k] in vocabulary and '##' + word[k:] in vocabulary)
        return [word[:k], '##' + word[k:]]
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
        "right": False,
        "why": "a string for unknown words",
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

def longest_match(word, vocabulary):
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            if mark + word[start:end] in vocabulary:
                break
        else:
            return "[UNK]"
        tokens.append(mark + word[start:end])
        start = end
    return tokens
""",
    },
    # fewest_pieces
    {
        "task": "fewest_pieces",
        "right": True,
        "why": "from the end, longest first",
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

def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [None] * n + [[]]
    for i in range(n - 1, -1, -1):
        for j in range(n, i, -1):
            if word[i:j] in vocabulary and best[j] is not None:
                if best[i] is None or len(best[j]) + 1 < len(best[i]):
                    best[i] = [word[i:j]] + best[j]
    if best[0] is None:
        raise ValueError("cannot be cut")
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": True,
        "why": "recursion with a cache and a key",
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

def fewest_pieces(word, vocabulary):
    longest = max(map(len, vocabulary), default=0)
    @functools.lru_cache(maxsize=None)
    def best(i):
        if i == len(word):
            return (0, (), ())
        options = []
        for j in range(i + 1, min(len(word), i + longest) + 1):
            if word[i:j] in vocabulary:
                rest = best(j)
                if rest is not None:
                    options.append((rest[0] + 1, (-(j - i),) + rest[1], (word[i:j],) + rest[2]))
        return min(options) if options else None
    found = best(0)
    if found is None:
        raise ValueError(word)
    return list(found[2])
""",
    },
    {
        "task": "fewest_pieces",
        "right": True,
        "why": "breadth first from the end, then walks forwards along the distances",
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

def fewest_pieces(word, vocabulary):
    far = len(word) + 1
    steps = [far] * len(word) + [0]
    for i in reversed(range(len(word))):
        steps[i] = 1 + min((steps[i + len(t)] for t in vocabulary if word.startswith(t, i)), default=far)
    if steps[0] >= far:
        raise ValueError("the word cannot be made of the tokens")
    out, i = [], 0
    while i < len(word):
        fits = [t for t in vocabulary if word.startswith(t, i) and steps[i + len(t)] == steps[i] - 1]
        out.append(max(fits, key=len))
        i += len(out[-1])
    return out
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "ties: the shortest first token",
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

def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [None] * n + [[]]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n + 1):
            if word[i:j] in vocabulary and best[j] is not None:
                if best[i] is None or len(best[j]) + 1 < len(best[i]):
                    best[i] = [word[i:j]] + best[j]
    if best[0] is None:
        raise ValueError("cannot be cut")
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "greedy from the left",
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

def fewest_pieces(word, vocabulary):
    out, i = [], 0
    while i < len(word):
        for j in range(len(word), i, -1):
            if word[i:j] in vocabulary:
                break
        else:
            raise ValueError("cannot be cut")
        out.append(word[i:j])
        i = j
    return out
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "an empty list when the word cannot be cut: ValueError is asked",
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

def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [None] * n + [[]]
    for i in range(n - 1, -1, -1):
        for j in range(n, i, -1):
            if word[i:j] in vocabulary and best[j] is not None:
                if best[i] is None or len(best[j]) + 1 < len(best[i]):
                    best[i] = [word[i:j]] + best[j]
    if best[0] is None:
        return []
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "an empty word raises: 'an empty word has no tokens'",
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
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "tries all cuttings: 'a word of a hundred letters must take a fraction of a second'",
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

def fewest_pieces(word, vocabulary):
    def go(i):
        if i == len(word):
            return []
        best = None
        for j in range(len(word), i, -1):
            if word[i:j] in vocabulary:
                rest = go(j)
                if rest is not None and (best is None or len(rest) + 1 < len(best)):
                    best = [word[i:j]] + rest
        return best
    found = go(0)
    if found is None:
        raise ValueError("cannot be cut")
    return found
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "from the front: of equal cuttings the one with the longest last token",
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

def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [[]] + [None] * n
    for j in range(1, n + 1):
        for i in range(j):
            if word[i:j] in vocabulary and best[i] is not None:
                if best[j] is None or len(best[i]) + 1 < len(best[j]):
                    best[j] = best[i] + [word[i:j]]
    if best[n] is None:
        raise ValueError("cannot be cut")
    return best[n]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "ties are broken by the longest token anywhere",
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

def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [None] * n + [[]]
    for i in range(n - 1, -1, -1):
        for j in range(n, i, -1):
            if word[i:j] in vocabulary and best[j] is not None:
                new = [word[i:j]] + best[j]
                if best[i] is None or (-len(new), max(map(len, new))) > (-len(best[i]), max(map(len, best[i]))):
                    best[i] = [word[i:j]] + best[j]
    if best[0] is None:
        raise ValueError("cannot be cut")
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "ties are broken by the alphabet",
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

def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [None] * n + [[]]
    for i in range(n - 1, -1, -1):
        for j in range(n, i, -1):
            if word[i:j] in vocabulary and best[j] is not None:
                if best[i] is None or (len(best[j]) + 1, [word[i:j]] + best[j]) < (len(best[i]), best[i]):
                    best[i] = [word[i:j]] + best[j]
    if best[0] is None:
        raise ValueError("cannot be cut")
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "tokens of at most four letters are looked at",
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

def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [None] * n + [[]]
    for i in range(n - 1, -1, -1):
        for j in range(min(n, i + 4), i, -1):
            if word[i:j] in vocabulary and best[j] is not None:
                if best[i] is None or len(best[j]) + 1 < len(best[i]):
                    best[i] = [word[i:j]] + best[j]
    if best[0] is None:
        raise ValueError("cannot be cut")
    return best[0]
""",
    },
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "the last of equally good ones (<=)",
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

def fewest_pieces(word, vocabulary):
    n = len(word)
    best = [None] * n + [[]]
    for i in range(n - 1, -1, -1):
        for j in range(n, i, -1):
            if word[i:j] in vocabulary and best[j] is not None:
                if best[i] is None or len(best[j]) + 1 <= len(best[i]):
                    best[i] = [word[i:j]] + best[j]
    if best[0] is None:
        raise ValueError("cannot be cut")
    return best[0]
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
    # train_bpe
    {
        "task": "train_bpe",
        "right": False,
        "why": "the counts are updated by merging in the text joined from all pieces: pairs reach from one piece into the next",
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

def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    tokens = [bytes([b]) for piece, n in piece_counts.items() for b in (piece * n).encode()]
    merges = []
    while len(merges) < num_merges:
        pairs = Counter(zip(tokens, tokens[1:]))
        if not pairs:
            break
        best = min(pairs, key=lambda p: (-pairs[p], p))
        merges.append(best)
        out, i = [], 0
        while i < len(tokens):
            if tuple(tokens[i:i + 2]) == best:
                out.append(best[0] + best[1]); i += 2
            else:
                out.append(tokens[i]); i += 1
        tokens = out
    return merges
""",
    },
    {
        "task": "train_bpe",
        "right": None,
        "why": "skips pairs that make a token which is there already; it seems that this never happens in training",
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


def train_bpe(piece_counts, num_merges):
    if num_merges < 0:
        raise ValueError("below 0")
    words = [[bytes([b]) for b in piece.encode()] for piece in piece_counts]
    counts, merges, made = list(piece_counts.values()), [], set()
    for _ in range(num_merges):
        pairs = {p: n for p, n in _count(words, counts).items() if p[0] + p[1] not in made}
        if not pairs:
            break
        best = min(pairs, key=lambda p: (-pairs[p], p))
        made.add(best[0] + best[1])
        words = [_merge(w, best) for w in words]
        merges.append(best)
    return merges
""",
    },
    # fewest_pieces
    {
        "task": "fewest_pieces",
        "right": False,
        "why": "the order of the set decides between equally good cuttings",
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

def fewest_pieces(word, vocabulary):
    best = {len(word): []}
    for i in range(len(word) - 1, -1, -1):
        for token in sorted(vocabulary, reverse=True):
            if word.startswith(token, i) and i + len(token) in best:
                new = [token] + best[i + len(token)]
                if i not in best or len(new) <= len(best[i]):
                    best[i] = new
    if 0 not in best:
        raise ValueError("cannot be cut")
    return best[0]
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
    # merge_pair
    {
        "task": "merge_pair",
        "right": None,
        "why": "the result is a subclass of list",
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

class Tokens(list):
    pass

def merge_pair(tokens, pair):
    out, i = Tokens(), 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == pair:
            out.append(pair[0] + pair[1]); i += 2
        else:
            out.append(tokens[i]); i += 1
    return out
""",
    },
]
