"""Answers to chapter 04, written from its page alone: the second round."""

ANSWERS = [
    # pad_batch
    {
        "task": "pad_batch",
        "right": True,
        "why": "lists first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0 or any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = max(len(row) for row in rows)
    ids = torch.tensor([list(row) + [pad_id] * (S - len(row)) for row in rows], dtype=torch.int64)
    mask = torch.tensor([[s < len(row) for s in range(S)] for row in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": True,
        "why": "filled tensors, rows written into them",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if not rows or not all(rows):
        raise ValueError("rows")
    lengths = torch.tensor([len(r) for r in rows])
    ids = torch.full((len(rows), int(lengths.max())), pad_id, dtype=torch.long)
    for b, r in enumerate(rows):
        ids[b, :len(r)] = torch.tensor(r)
    return ids, torch.arange(ids.shape[1]) < lengths.unsqueeze(1)
""",
    },
    {
        "task": "pad_batch",
        "right": True,
        "why": "nn.utils.rnn.pad_sequence for both",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from torch.nn.utils.rnn import pad_sequence
def pad_batch(rows, pad_id):
    if not len(rows):
        raise ValueError
    parts = []
    for r in rows:
        if not len(r):
            raise ValueError("empty row")
        parts.append(torch.tensor(r, dtype=torch.int64))
    mask = pad_sequence([torch.ones(len(p)) for p in parts], batch_first=True) > 0.5
    return pad_sequence(parts, batch_first=True, padding_value=pad_id), mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "mask read off the ids: a token with the pad's number is masked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0 or any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = max(len(row) for row in rows)
    ids = torch.tensor([list(row) + [pad_id] * (S - len(row)) for row in rows], dtype=torch.int64)
    mask = ids != pad_id
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "padded at the front",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0 or any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = max(len(row) for row in rows)
    ids = torch.tensor([[pad_id] * (S - len(row)) + list(row) for row in rows], dtype=torch.int64)
    mask = torch.tensor([[s >= S - len(row) for s in range(S)] for row in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "pads with 0 whatever pad_id is",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0 or any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = max(len(row) for row in rows)
    ids = torch.tensor([list(row) + [0] * (S - len(row)) for row in rows], dtype=torch.int64)
    mask = torch.tensor([[s < len(row) for s in range(S)] for row in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "an empty row is accepted (all masked)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0:
        raise ValueError("no rows or an empty row")
    S = max(len(row) for row in rows)
    ids = torch.tensor([list(row) + [pad_id] * (S - len(row)) for row in rows], dtype=torch.int64)
    mask = torch.tensor([[s < len(row) for s in range(S)] for row in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "no rows: empty tensors instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = max([len(row) for row in rows] or [0])
    ids = torch.tensor([list(row) + [pad_id] * (S - len(row)) for row in rows], dtype=torch.int64)
    mask = torch.tensor([[s < len(row) for s in range(S)] for row in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "appends the pads to the rows that it was given",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0 or any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = max(len(row) for row in rows)
    ids = torch.tensor([row + [pad_id] * (S - len(row)) for row in rows], dtype=torch.int64)
    lengths = [len(row) for row in rows]
    for row in rows:
        row += [pad_id] * (S - len(row))
    mask = torch.tensor([[s < n for s in range(S)] for n in lengths])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "mask True at padding",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0 or any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = max(len(row) for row in rows)
    ids = torch.tensor([list(row) + [pad_id] * (S - len(row)) for row in rows], dtype=torch.int64)
    mask = torch.tensor([[s >= len(row) for s in range(S)] for row in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "mask of whole numbers instead of bool",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0 or any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = max(len(row) for row in rows)
    ids = torch.tensor([list(row) + [pad_id] * (S - len(row)) for row in rows], dtype=torch.int64)
    mask = torch.tensor([[s < len(row) for s in range(S)] for row in rows]).long()
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "int32 instead of int64",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0 or any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = max(len(row) for row in rows)
    ids = torch.tensor([list(row) + [pad_id] * (S - len(row)) for row in rows], dtype=torch.int32)
    mask = torch.tensor([[s < len(row) for s in range(S)] for row in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "one pad too many: S is the longest row + 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0 or any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = max(len(row) for row in rows) + 1
    ids = torch.tensor([list(row) + [pad_id] * (S - len(row)) for row in rows], dtype=torch.int64)
    mask = torch.tensor([[s < len(row) for s in range(S)] for row in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "longest row found by comparing the lists themselves",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pad_batch(rows, pad_id):
    if len(rows) == 0 or any(len(row) == 0 for row in rows):
        raise ValueError("no rows or an empty row")
    S = len(max(rows))
    ids = torch.tensor([list(row)[:S] + [pad_id] * (S - len(row)) for row in rows], dtype=torch.int64)
    mask = torch.tensor([[s < len(row) for s in range(S)] for row in rows])
    return ids, mask
""",
    },
    # teacher_pairs
    {
        "task": "teacher_pairs",
        "right": True,
        "why": "comprehension",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + list(row), list(row) + [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": True,
        "why": "whole sequence, shifted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        whole = [start_id, *row, stop_id]
        pairs.append((whole[:-1], whole[1:]))
    return pairs
""",
    },
    {
        "task": "teacher_pairs",
        "right": True,
        "why": "insert and append on copies",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    def pair(row):
        given, wanted = row.copy(), row.copy()
        given.insert(0, start_id)
        wanted.append(stop_id)
        return given, wanted
    return list(map(pair, rows))
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "the stop token is given, too: lists of unequal lengths",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + list(row) + [stop_id], list(row) + [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "changes the rows with append and insert",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        given = [start_id] + row
        row.append(stop_id)
        pairs.append((given, row))
    return pairs
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "empty rows are skipped: one pair for each row",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + list(row), list(row) + [stop_id]) for row in rows if row]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "an empty row gives two empty lists",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + list(row), list(row) + [stop_id]) if row else ([], []) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "no second stop token for a row that ends with that id",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + list(row), list(row) + ([] if row and row[-1] == stop_id else [stop_id])) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "no second start token for a row that begins with that id",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    return [(([] if row and row[0] == start_id else [start_id]) + list(row), list(row) + [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "not shifted: the start token is to be predicted, too",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + list(row), [start_id] + list(row)) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "the last token is dropped instead of adding the stop token (for rows of one and more)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    return [(([start_id] + list(row))[:max(len(row), 1)], list(row) or [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "padded to the longest row with the stop token",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    n = max(map(len, rows), default=0)
    return [([start_id] + list(row), list(row) + [stop_id] * (n - len(row) + 1)) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "wanted is the stop token first, reversed as for translation backwards",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + list(row), list(row)[::-1] + [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "no rows: ValueError, though the list may be empty",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def teacher_pairs(rows, start_id, stop_id):
    if not rows:
        raise ValueError
    return [([start_id] + list(row), list(row) + [stop_id]) for row in rows]
""",
    },
    # sampled_inputs
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "where",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "mask that includes the first column, masked_scatter on a copy",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if ratio < 0 or ratio > 1 or len({tuple(t.shape) for t in (target, sampled, coins)}) > 1:
        raise ValueError("ratio or shapes")
    teacher = coins < ratio
    teacher[:, 0] = True
    out = sampled.clone()
    out[teacher] = target[teacher]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "arithmetic with a 0/1 table, cat for the start token",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not (ratio >= 0 and ratio <= 1):
        raise ValueError("ratio must be from 0 to 1")
    if not target.shape == sampled.shape == coins.shape:
        raise ValueError("shapes differ")
    keep = (coins[:, 1:] < ratio).to(torch.int64)
    return torch.cat([target[:, :1], keep * target[:, 1:] + (1 - keep) * sampled[:, 1:]], dim=1)
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "a coin equal to the ratio takes the teacher's token; with ratio 0 and a coin 0, too",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    out = torch.where(coins <= ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "the first token may be a sample",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    out = torch.where(coins < ratio, target, sampled)
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "writes into the target",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    take = coins >= ratio
    take[:, 0] = False
    out = target
    out[take] = sampled[take]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "ratio 1 returns the target itself, not a new tensor",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    if ratio == 1:
        return target
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "ratio 0 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 < ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "a ratio above 1 is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if ratio < 0:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "the coins' shape is not checked: one coin a row is broadcast",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape:
        raise ValueError("shapes")
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "the shape of the samples is not checked and broadcast",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != coins.shape:
        raise ValueError("shapes")
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "polarity: a coin below the ratio takes the sample",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    out = torch.where(coins < ratio, sampled, target)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "one coin for the whole row (the second's)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    out = torch.where(coins[:, -1:] < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "samples shifted by one: the token sampled at the position before",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    out = torch.where(coins < ratio, target, sampled.roll(1, 1))
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "throws its own coins",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    out = torch.where(torch.rand(coins.shape) < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    # source_weights
    {
        "task": "source_weights",
        "right": True,
        "why": "minus infinity, except in rows where nothing is kept",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores.masked_fill(~attention_mask, -math.inf)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "softmax by hand: maximum over the kept, where on both sides",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype is not torch.bool:
        raise ValueError("mask must be bool")
    if attention_mask.size() != scores.size():
        raise ValueError("shapes")
    low = torch.full_like(scores, -torch.inf)
    top = torch.where(attention_mask, scores, low).amax(1, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top).detach()
    shifted = torch.where(attention_mask, scores - top, low)
    e = torch.exp(shifted)
    total = e.sum(1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "row by row over the kept scores alone",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError
    rows = []
    for s, m in zip(scores, attention_mask):
        row = s * 0
        if m.any():
            row = row.masked_scatter(m, torch.softmax(s[m], 0))
        rows.append(row)
    return torch.stack(rows)
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "softmax over minus infinity, then nan_to_num; the masked_fill gives those rows the gradient zero",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or tuple(attention_mask.shape) != tuple(scores.shape):
        raise ValueError("mask")
    return torch.nan_to_num(F.softmax(scores.masked_fill(~attention_mask, float("-inf")), dim=-1), nan=0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "rows with nothing kept are NaN",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores.masked_fill(~attention_mask, -math.inf)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.softmax(dim=1)
    return weights
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "fills with -1e9: kept scores below that lose to the masked ones",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores.masked_fill(~attention_mask, -1e9)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    return torch.where(nothing, torch.zeros_like(weights), weights)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "rows with nothing kept are uniform",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores.masked_fill(~attention_mask, -math.inf)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    return weights
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "softmax over all, then masked and not divided again: rows do not sum to 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "softmax over all, masked, divided again: a masked score far above the kept ones leaves 0 / 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    kept = weights.masked_fill(~attention_mask, 0.0)
    return kept / kept.sum(1, keepdim=True).clamp(min=1e-12)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "exp without the maximum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores.masked_fill(~attention_mask, -math.inf)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).exp()
    weights = weights / weights.sum(1, keepdim=True)
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "a mask of whole numbers is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.shape != scores.shape:
        raise ValueError("mask")
    attention_mask = attention_mask.bool()
    filled = scores.masked_fill(~attention_mask, -math.inf)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "a mask of shape (1, S) is broadcast instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape[-1] != scores.shape[-1]:
        raise ValueError("mask")
    filled = scores.masked_fill(~attention_mask, -math.inf)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "True taken for masked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    attention_mask = ~attention_mask
    filled = scores.masked_fill(~attention_mask, -math.inf)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "masked scores count as 0 instead of taking no part",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores.masked_fill(~attention_mask, 0.0)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "no gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores.detach().masked_fill(~attention_mask, -math.inf)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "float32 for scores of float64",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores.masked_fill(~attention_mask, -math.inf)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=1)
    weights = weights.float()
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "softmax over the batch",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    filled = scores.masked_fill(~attention_mask, -math.inf)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    weights = filled.masked_fill(nothing, 0.0).softmax(dim=0)
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    # dot_attention
    {
        "task": "dot_attention",
        "right": True,
        "why": "einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~attention_mask, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": True,
        "why": "bmm, nan_to_num",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.bmm(keys, query.unsqueeze(2)).squeeze(2)
    scores = torch.where(attention_mask, scores, torch.full_like(scores, float("-inf")))
    weights = F.softmax(scores, dim=-1).nan_to_num(0.0)
    return torch.bmm(weights.unsqueeze(1), keys).squeeze(1), weights
""",
    },
    {
        "task": "dot_attention",
        "right": True,
        "why": "each source by itself",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    contexts, rows = [], []
    for q, h, m in zip(query, keys, attention_mask):
        row = (h @ q) * 0
        kept = m.nonzero().flatten()
        if len(kept):
            row = row.index_put((kept,), torch.softmax(h[kept] @ q, dim=0))
        rows.append(row)
        contexts.append((row[:, None] * h).sum(0))
    return torch.stack(contexts), torch.stack(rows)
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "scores divided by the root of D",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys) / keys.shape[-1] ** 0.5
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~attention_mask, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "nothing kept: NaN",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf)
    weights = scores.softmax(dim=1)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "nothing kept: uniform weights",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "masked states count with the score 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, 0.0).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "fills with -10000: kept scores below that lose",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -1e4).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1).masked_fill(nothing, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "averages the query-weighted states without their gradient (keys detached in the context)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~attention_mask, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys.detach()), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "weights returned without gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~attention_mask, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys), weights.detach()
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "query gets no gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query.detach(), keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~attention_mask, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "order of the pair",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~attention_mask, 0.0)
    return weights, torch.einsum("bs,bsd->bd", weights, keys)
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "exp without the maximum: large scores give NaN",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = (scores.exp() / scores.exp().sum(1, keepdim=True)).masked_fill(~attention_mask, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "the maximum includes masked scores: all kept ones underflow beside a far larger masked one",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores - scores.max(dim=1, keepdim=True).values
    e = scores.exp() * attention_mask
    weights = e / e.sum(1, keepdim=True).clamp(min=1e-30)
    return torch.einsum('bs,bsd->bd', weights, keys), weights
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~attention_mask, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "cosine instead of the dot product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", F.normalize(query, dim=-1), F.normalize(keys, dim=-1))
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~attention_mask, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "context is the state with the largest weight",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    nothing = ~attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(nothing, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~attention_mask, 0.0)
    return torch.einsum("bs,bsd->bd", F.one_hot(weights.argmax(1), weights.shape[1]).to(keys.dtype) + weights - weights.detach(), keys), weights
""",
    },
    # additive_scores
    {
        "task": "additive_scores",
        "right": True,
        "why": "broadcast over the source",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T)
    return hidden @ v
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    a = torch.einsum("bq,aq->ba", query, W)
    b = torch.einsum("bsk,ak->bsa", keys, U)
    return torch.einsum("bsa,a->bs", (a[:, None, :] + b).tanh(), v)
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "query joined to each state, one matrix",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    B, S, _ = keys.shape
    both = torch.cat([query[:, None].expand(B, S, -1), keys], dim=2)
    return (F.linear(both, torch.cat([W, U], dim=1)).tanh() * v).sum(-1)
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "loop over the states",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    q = F.linear(query, W)
    return torch.stack([torch.mv(torch.tanh(q + F.linear(keys[:, s], U)), v) for s in range(keys.shape[1])], dim=1)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "tanh of each part, then the sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = (torch.tanh((query @ W.T).unsqueeze(1)) + torch.tanh(keys @ U.T))
    return hidden @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "the query is laid along the source instead of the batch: works only for B = 1 or B = S",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(0) + keys @ U.T)
    return hidden @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "multiplied instead of added",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) * keys @ U.T)
    return hidden @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "W gets no gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.detach().T).unsqueeze(1) + keys @ U.T)
    return hidden @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "v gets no gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T)
    return hidden @ v.detach()
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "softmax of the scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T)
    return (hidden @ v).softmax(-1)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "squeeze: shape (S,) for a batch of one",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T)
    return (hidden @ v).squeeze(0)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "squeeze(1): shape (B,) for a source of one state",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T)
    return (hidden @ v).squeeze(1)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "always float32",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T)
    return (hidden @ v).float()
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "divided by the root of A",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T)
    return hidden @ v / len(v) ** 0.5
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "v inside of tanh",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh(v * ((query @ W.T).unsqueeze(1) + keys @ U.T))
    return hidden.sum(-1)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "ReLU for tanh",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def additive_scores(query, keys, W, U, v):
    hidden = torch.relu((query @ W.T).unsqueeze(1) + keys @ U.T)
    return hidden @ v
""",
    },
    # alignment_share
    {
        "task": "alignment_share",
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

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places:
            total += 1
            hits += int(weights[t].argmax()) in places
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": True,
        "why": "argmax of all rows at once, mean of a list",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    if not any(gold):
        raise ValueError("no gold")
    best = weights.argmax(dim=1).tolist()
    right = [b in g for b, g in zip(best, gold) if g is not None and len(g) > 0]
    return sum(right) / len(right)
""",
    },
    {
        "task": "alignment_share",
        "right": True,
        "why": "table of right positions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    T, S = weights.shape
    table = torch.zeros(T, S, dtype=torch.bool)
    for t, g in enumerate(gold):
        for s in g or []:
            table[t, s] = True
    rows = table.any(dim=1)
    if not bool(rows.any()):
        raise ValueError
    best = torch.max(weights[rows], dim=1).indices
    return table[rows].gather(1, best[:, None]).double().mean().item()
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "divided by all target words",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places:
            total += 1
            hits += int(weights[t].argmax()) in places
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / len(gold)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "an empty list counts as wrong; only None is left out",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places is not None:
            total += 1
            hits += int(weights[t].argmax()) in places
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "only the first right position counts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places:
            total += 1
            hits += int(weights[t].argmax()) == places[0]
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "position 0 is taken for nowhere",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places and any(places):
            total += 1
            hits += int(weights[t].argmax()) in places
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "no target word comes from anywhere: 0.0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places:
            total += 1
            hits += int(weights[t].argmax()) in places
    if total == 0:
        return 0.0
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "ZeroDivisionError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places:
            total += 1
            hits += int(weights[t].argmax()) in places
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "share of the right positions instead of target words (a word with two counts twice below)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places:
            total += len(places)
            hits += int(weights[t].argmax()) in places
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "weight of the right positions instead of hits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places:
            total += 1
            hits += float(sum(weights[t][s] for s in places))
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "right only if the largest weight is above one half",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places:
            total += 1
            hits += int(weights[t].argmax()) in places and float(weights[t].max()) > 0.5
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "largest weight of the column",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if places:
            total += 1
            hits += any(int(weights[:, s].argmax()) == t for s in places)
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "nowhere words count as right",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate(gold):
        if not places:
            hits += 1
            total += 1
        if places:
            total += 1
            hits += int(weights[t].argmax()) in places
    if not any(gold):
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "the words left out shift the rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    hits = total = 0
    for t, places in enumerate([g for g in gold if g]):
        if places:
            total += 1
            hits += int(weights[t].argmax()) in places
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "T = 0 returns 1.0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    if not gold:
        return 1.0
    hits = total = 0
    for t, places in enumerate(gold):
        if places:
            total += 1
            hits += int(weights[t].argmax()) in places
    if total == 0:
        raise ValueError("nothing is aligned")
    return hits / total
""",
    },
    # greedy_decode
    {
        "task": "greedy_decode",
        "right": True,
        "why": "for loop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": True,
        "why": "while loop, a new list for each question",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length <= 0:
        raise ValueError("at least one token")
    sentence, finished = [], False
    while len(sentence) < max_length and not finished:
        p = list(next_probs([start_id, *sentence]))
        token = p.index(max(p))
        if token == stop_id:
            finished = True
        else:
            sentence.append(token)
    return sentence, finished
""",
    },
    {
        "task": "greedy_decode",
        "right": True,
        "why": "recursion with NumPy's argmax",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError
    def go(ids, left):
        if left == 0:
            return ids[1:], False
        token = int(np.argmax(next_probs(list(ids))))
        return (ids[1:], True) if token == stop_id else go(ids + [token], left - 1)
    return go([start_id], max_length)
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "the stop token does not count: one token more may be chosen",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length + 1):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        if len(ids) > max_length:
            break
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "one token too few",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length - 1):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "finished is True in any case",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], True
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "stop as the last allowed token: not finished",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], len(ids) < max_length
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "the stop token is in the sentence",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:] + [stop_id], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "the start token is in the sentence",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids, False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "the model sees only the last token, not all so far",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids[-1:])
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "the model does not see the start token after the first question",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids[1:] or ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "max_length 0: no error",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 0:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "stops at the token 1 whatever stop_id is",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == 1:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "samples instead of taking the likeliest",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = int(np.random.choice(len(probs), p=np.array(probs) / sum(probs)))
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "never repeats a token",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = max((i for i in range(len(probs)) if i not in ids[1:]), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "ends as well if a token repeats",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        if token == ids[-1]:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "the stop token is never chosen as the first token",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        token = max(range(len(probs)), key=lambda i: probs[i])
        if token == stop_id and len(ids) == 1:
            token = max((i for i in range(len(probs)) if i != stop_id), key=lambda i: probs[i])
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    # beam_step
    {
        "task": "beam_step",
        "right": True,
        "why": "topk of the flattened table",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] + next_log_probs).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": True,
        "why": "sort, divmod by unravel_index",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    k, V = next_log_probs.shape
    if beam_size < 1 or totals.shape != (k,):
        raise ValueError
    table = totals.unsqueeze(1) + next_log_probs
    order = torch.argsort(table.reshape(-1), descending=True, stable=True)[:beam_size]
    parents, tokens = torch.unravel_index(order, (k, V))
    return table[parents, tokens].to(totals.dtype), parents, tokens
""",
    },
    {
        "task": "beam_step",
        "right": True,
        "why": "plain Python: all candidates in a list, sorted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1:
        raise ValueError("beam_size")
    if next_log_probs.shape[0] != totals.shape[0]:
        raise ValueError("rows")
    found = []
    for h in range(totals.shape[0]):
        for w in range(next_log_probs.shape[1]):
            found.append(((totals[h] + next_log_probs[h, w]).item(), h, w))
    found.sort(key=lambda c: -c[0])
    found = found[:beam_size]
    return (torch.tensor([c[0] for c in found], dtype=totals.dtype),
            torch.tensor([c[1] for c in found]), torch.tensor([c[2] for c in found]))
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "parents and tokens taken with k instead of V",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] + next_log_probs).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), index // len(totals), index % len(totals)
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "parents and tokens swapped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] + next_log_probs).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), index % V, index // V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "the totals so far are not added",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = next_log_probs.flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "log-probabilities multiplied",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] * next_log_probs).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "the best continuation of each hypothesis, then the best of those: one cannot go on twice",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    best, tokens = next_log_probs.max(dim=1)
    best = totals + best
    best, parents = best.sort(descending=True)
    n = min(beam_size, len(best))
    return best[:n], parents[:n], tokens[parents][:n]
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "sorted worst first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] + next_log_probs).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    best, index = best.flip(0), index.flip(0)
    return best.to(totals.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "fewer candidates than the beam: topk raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] + next_log_probs).flatten()
    best, index = candidates.topk(beam_size)
    return best.to(totals.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "impossible candidates are dropped, so there may be fewer than min(beam_size, k V)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] + next_log_probs).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    index, best = index[best > -math.inf], best[best > -math.inf]
    return best.to(totals.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "products of probabilities, logarithm at the end: e^-800 is 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals.exp()[:, None] * next_log_probs.exp()).flatten().log()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "beam size 0 gives empty tensors",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 0 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] + next_log_probs).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "one total for many rows is broadcast instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) not in (1, len(next_log_probs)):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] + next_log_probs).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "int32",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] + next_log_probs).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), (index // V).int(), (index % V).int()
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "adds the totals into next_log_probs in place",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = next_log_probs.add_(totals[:, None]).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "element type of next_log_probs, or the wider of both, instead of that of totals",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] + next_log_probs).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(next_log_probs.dtype), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "mean of the two log-probabilities instead of their sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals[:, None] / 2 + next_log_probs / 2).flatten()
    best, index = candidates.topk(min(beam_size, len(candidates)))
    return best.to(totals.dtype), index // V, index % V
""",
    },
    # best_hypothesis
    {
        "task": "best_hypothesis",
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

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "max with a key (the first of equals)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if len(hypotheses) == 0:
        raise ValueError("no hypotheses")
    if alpha < 0:
        raise ValueError("alpha")
    score = lambda h: float(h[1] / math.pow((5 + len(h[0])) / 6, alpha))
    winner = max(hypotheses, key=score)
    return winner[0], score(winner)
""",
    },
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "NumPy argmax",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not len(hypotheses) or not alpha >= 0:
        raise ValueError
    n = np.array([len(ids) for ids, _ in hypotheses], dtype=float)
    p = np.array([lp for _, lp in hypotheses], dtype=float)
    scores = p * np.power((5 + n) / 6, -alpha)
    i = int(np.argmax(scores))
    return hypotheses[i][0], float(scores[i])
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "the last of equals",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or score >= best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "of equals the one with the larger ids (tuples compared)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or (score, list(ids)) > (best[1], best[0]):
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "penalty (6 + n) / 6",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((6 + len(ids)) / 6) ** alpha
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "penalty n ** alpha (0 tokens: 1)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / max(len(ids), 1) ** alpha
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "alpha multiplies instead of being the exponent",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / max(((5 + len(ids)) / 6) * alpha, 1e-9)
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "exponent binds only the numerator: (5 + n) ** alpha / 6",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) ** alpha / 6)
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "returns the log-probability instead of the score",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = top = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or score > top:
            top = score
            best = (list(ids), float(log_prob))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "a negative alpha is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "alpha 0 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha <= 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "no hypotheses: ([], 0.0)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    if not hypotheses:
        return [], 0.0
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "hypotheses without tokens cannot win",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if len(ids) == 0 and len(hypotheses) > 1:
            continue
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "search starts at -100: all below that are lost",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = ([], -100.0)
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "multiplied with the penalty",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob * ((5 + len(ids)) / 6) ** alpha
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "order of the pair: score first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best[1], best[0]
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "score rounded to two places",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or score > best[1]:
            best = (list(ids), round(float(score), 2))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "sorts the list that it was given",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("nothing to choose from, or alpha")
    hypotheses.sort(key=lambda h: -h[1] / ((5 + len(h[0])) / 6) ** alpha)
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or score > best[1]:
            best = (list(ids), float(score))
    return best
""",
    },
    # greedy_decode
    {
        "task": "greedy_decode",
        "right": False,
        "why": "'takes the list of tokens so far, the start token first': the start token is replaced by the stop token at the second question",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids, finished = [], False
    probs = next_probs([start_id])
    while len(ids) < max_length:
        token = probs.index(max(probs))
        if token == stop_id:
            finished = True
            break
        ids.append(token)
        if len(ids) < max_length:
            probs = next_probs([stop_id] + ids)
    return ids, finished
""",
    },
    {
        "task": "greedy_decode",
        "right": None,
        "why": "drops start tokens in the middle of the sentence as well ('without start and stop' can be read so)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids, finished = [start_id], False
    for _ in range(max_length):
        p = next_probs(ids)
        token = p.index(max(p))
        if token == stop_id:
            finished = True
            break
        ids.append(token)
    return [i for i in ids if i != start_id], finished
""",
    },
    # sampled_inputs
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "a loop over rows and positions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sampled_inputs(target, sampled, coins, ratio):
    if ratio < 0 or ratio > 1:
        raise ValueError("ratio")
    if not (target.shape == sampled.shape and coins.shape == target.shape):
        raise ValueError("shapes")
    teacher = (coins < ratio).tolist()
    rows = [[a if t == 0 or teacher[b][t] else s for t, (a, s) in enumerate(zip(row, own))]
            for b, (row, own) in enumerate(zip(target.tolist(), sampled.tolist()))]
    return torch.tensor(rows, dtype=torch.int64).reshape(target.shape)
""",
    },
    # best_hypothesis
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "sorted with a stable sort",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def best_hypothesis(hypotheses, alpha):
    if alpha < 0 or not hypotheses:
        raise ValueError
    scored = [(lp * (6 / (5 + len(ids))) ** alpha, ids) for ids, lp in hypotheses]
    score, ids = sorted(scored, key=lambda pair: pair[0], reverse=True)[0]
    return ids, float(score)
""",
    },
    # alignment_share
    {
        "task": "alignment_share",
        "right": False,
        "why": "a right position is compared from 1 up",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alignment_share(weights, gold):
    rows = [t for t, g in enumerate(gold) if g]
    if not rows:
        raise ValueError
    return sum(int(weights[t].argmax()) + 1 in gold[t] for t in rows) / len(rows)
""",
    },
]
