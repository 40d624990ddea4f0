"""Answers to chapter 09, written from its page alone: the second round."""

ANSWERS = [
    # pair_input
    {
        "task": "pair_input",
        "right": True,
        "why": "one token at a time",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    room = max_length - (2 if b is None else 3)
    if room < 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": True,
        "why": "the lengths worked out at once",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    alone = second is None
    room = max_length - (2 if alone else 3)
    if room < 0:
        raise ValueError(max_length)
    n, m = len(first), 0 if alone else len(second)
    if alone:
        n = min(n, room)
    elif n + m > room:
        small = min(n, m)
        if room >= 2 * small:
            n, m = (room - small, small) if n > m else (small, room - small)
        else:
            n, m = room - room // 2, room // 2
    ids = [cls_id, *first[:n], sep_id]
    segments = [0 for _ in ids]
    if not alone:
        ids += [*second[:m], sep_id]
        segments += [1] * (m + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": True,
        "why": "recursion on shorter lists",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    if max_length < 2 + (second is not None):
        raise ValueError("too short")
    parts = [[cls_id] + first + [sep_id]]
    if second is not None:
        parts.append(second + [sep_id])
    ids = sum(parts, [])
    if len(ids) <= max_length:
        return ids, [i for i, part in enumerate(parts) for _ in part]
    if second is None or len(first) > len(second):
        return pair_input(first[:-1], second, cls_id, sep_id, max_length)
    return pair_input(first, second[:-1], cls_id, sep_id, max_length)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "when both are equally long, from the first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    room = max_length - (2 if b is None else 3)
    if room < 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) > room:
        if len(a) >= len(b):
            a.pop()
        else:
            b.pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "an empty second sentence is taken for none: 'an empty list is a second sentence without tokens'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = list(second) if second else None
    room = max_length - (2 if b is None else 3)
    if room < 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "the first [SEP] belongs to segment 1: '0 up to and with the first [SEP]'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    room = max_length - (2 if b is None else 3)
    if room < 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 1) + [1] * (len(b) + 2)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "taken from the front",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    room = max_length - (2 if b is None else 3)
    if room < 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop(0)
        else:
            b.pop(0)
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "the arguments are changed: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = first
    b = None if second is None else second
    room = max_length - (2 if b is None else 3)
    if room < 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "the row is cut at its end, the last [SEP] with it: 'The special tokens always stay'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    room = max_length - (2 if b is None else 3)
    if room < 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    ids = [cls_id] + a + [sep_id] + b + [sep_id]
    return ids[:max_length], ([0] * (len(a) + 2) + [1] * (len(b) + 1))[:max_length]
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "always from the second sentence until it is empty",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    room = max_length - (2 if b is None else 3)
    if room < 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) > room:
        if not b:
            a.pop()
        else:
            b.pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "no ValueError for a pair that has room for two special tokens only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    room = max_length - (2 if b is None else 3)
    if max_length < 2:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "ValueError when no room for tokens is left: the special tokens do fit",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    room = max_length - (2 if b is None else 3)
    if room <= 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "special tokens are not counted in max_length",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    room = max_length - (0 if b is None else 0)
    if room < 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "each sentence gets half of the room",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    room = max_length - (2 if b is None else 3)
    if room < 0:
        raise ValueError("no room for the special tokens")
    if b is None:
        a = a[:room]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    if len(a) + len(b) > room:
        a, b = a[:room - room // 2], b[:room // 2]
    while len(a) + len(b) > room:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    # hide_whole_words
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "loop over pieces",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word < 0 or chance[word] >= 0.15:
            continue
        labels[t] = ids[t]
        if lot[word] < 0.8:
            inputs[t] = mask_id
        elif lot[word] < 0.9:
            inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "loop over words",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs = ids[:]
    labels = [-100 for _ in ids]
    for word in range(len(chance)):
        places = [t for t in range(len(ids)) if word_of[t] == word]
        if chance[word] < 0.15:
            for t in places:
                labels[t] = ids[t]
                inputs[t] = mask_id if lot[word] < 0.8 else drawn[t] if lot[word] < 0.9 else ids[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "numpy",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    if not ids:
        return [], []
    ids_, word, draw = (np.array(v, dtype=np.int64) for v in (ids, word_of, drawn))
    c = np.append(np.array(chance, dtype=float), 1.0)[word]  # -1 reads the appended 1.0: never chosen
    l = np.append(np.array(lot, dtype=float), 1.0)[word]
    chosen = c < 0.15
    inputs = np.select([chosen & (l < 0.8), chosen & (l < 0.9)], [np.full(len(ids), mask_id), draw], ids_)
    return inputs.tolist(), np.where(chosen, ids_, -100).tolist()
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "special tokens read the last word's chance (index -1): 'never chosen'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if chance[word] >= 0.15:
            continue
        labels[t] = ids[t]
        if lot[word] < 0.8:
            inputs[t] = mask_id
        elif lot[word] < 0.9:
            inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "a chance of exactly 0.15 is chosen: 'below 0.15'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word < 0 or chance[word] > 0.15:
            continue
        labels[t] = ids[t]
        if lot[word] < 0.8:
            inputs[t] = mask_id
        elif lot[word] < 0.9:
            inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "a lot of exactly 0.8 is masked: 'below 0.8'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word < 0 or chance[word] >= 0.15:
            continue
        labels[t] = ids[t]
        if lot[word] <= 0.8:
            inputs[t] = mask_id
        elif lot[word] < 0.9:
            inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "a lot of exactly 0.9 is drawn: 'below 0.9'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word < 0 or chance[word] >= 0.15:
            continue
        labels[t] = ids[t]
        if lot[word] < 0.8:
            inputs[t] = mask_id
        elif lot[word] <= 0.9:
            inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "one drawn id for the whole word: 'the piece at t becomes drawn[t]'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word < 0 or chance[word] >= 0.15:
            continue
        labels[t] = ids[t]
        if lot[word] < 0.8:
            inputs[t] = mask_id
        elif lot[word] < 0.9:
            inputs[t] = drawn[word]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "words that stay have no label: 'each piece of a chosen word'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word < 0 or chance[word] >= 0.15:
            continue
        if lot[word] < 0.9:
            labels[t] = ids[t]
        if lot[word] < 0.8:
            inputs[t] = mask_id
        elif lot[word] < 0.9:
            inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "only the first piece of a word has a label",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word < 0 or chance[word] >= 0.15:
            continue
        labels[t] = ids[t] if t == 0 or word_of[t - 1] != word else -100
        if lot[word] < 0.8:
            inputs[t] = mask_id
        elif lot[word] < 0.9:
            inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "changes ids",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = ids, [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word < 0 or chance[word] >= 0.15:
            continue
        labels[t] = int(ids[t])
        if lot[word] < 0.8:
            inputs[t] = mask_id
        elif lot[word] < 0.9:
            inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "the label is what stands there now",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word < 0 or chance[word] >= 0.15:
            continue
        if lot[word] < 0.8:
            inputs[t] = mask_id
        elif lot[word] < 0.9:
            inputs[t] = drawn[t]
        labels[t] = inputs[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "mask and draw exchanged",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word < 0 or chance[word] >= 0.15:
            continue
        labels[t] = ids[t]
        if lot[word] < 0.8:
            inputs[t] = drawn[t]
        elif lot[word] < 0.9:
            inputs[t] = mask_id
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "word 0 is taken for special",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word <= 0 or chance[word] >= 0.15:
            continue
        labels[t] = ids[t]
        if lot[word] < 0.8:
            inputs[t] = mask_id
        elif lot[word] < 0.9:
            inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    # masked_loss
    {
        "task": "masked_loss",
        "right": True,
        "why": "selects the hidden positions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return (logits * 0.0).sum()
    return F.cross_entropy(logits[hidden], labels[hidden])
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "cross_entropy with sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    total = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="sum")
    return total / (labels != -100).sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "logsumexp and gather",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    known = labels.ne(-100)
    safe = labels.where(known, torch.zeros_like(labels))
    picked = logits.gather(-1, safe.unsqueeze(-1)).squeeze(-1)
    each = torch.logsumexp(logits, dim=-1) - picked
    return torch.where(known, each, torch.zeros_like(each)).sum() / max(1, int(known.sum()))
""",
    },
    {
        "task": "masked_loss",
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

def masked_loss(logits, labels):
    total, n = 0.0 * logits.sum(), 0
    for b in range(labels.shape[0]):
        for t in range(labels.shape[1]):
            label = labels[b, t].item()
            if label != -100:
                total = total - torch.log_softmax(logits[b, t], dim=0)[label]
                n += 1
    return total / n if n else total
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "NaN with nothing hidden: 'With nothing hidden the loss is 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels != -100
    if False:
        return (logits * 0.0).sum()
    return F.cross_entropy(logits[hidden], labels[hidden])
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "a fresh 0 with nothing hidden, which has no gradient: 'computed from the logits like any other loss'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return torch.tensor(0.0, dtype=logits.dtype)
    return F.cross_entropy(logits[hidden], labels[hidden])
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "divided by all positions: 'the mean over the positions whose label is not -100'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return (logits * 0.0).sum()
    return F.cross_entropy(logits[hidden], labels[hidden], reduction='sum') / labels.numel()
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "mean of the rows' means: wrong if rows have different numbers of labels",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    losses = [F.cross_entropy(l, y) for l, y in zip(logits, labels) if (y != -100).any()]
    return torch.stack(losses).mean() if losses else logits.sum() * 0
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "word 0 is thought to be padding: every label but -100 counts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels > 0
    if not hidden.any():
        return (logits * 0.0).sum()
    return F.cross_entropy(logits[hidden], labels[hidden])
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "overflow: 'large scores must not overflow'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return (logits * 0.0).sum()
    return (logits[hidden].exp().sum(-1).log() - logits[hidden].gather(-1, labels[hidden][:, None])[:, 0]).mean()
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "log of a softmax: infinite for large scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return (logits * 0.0).sum()
    return -torch.log(torch.softmax(logits[hidden], -1).gather(-1, labels[hidden][:, None])).mean()
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "in bits: 'in nats'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return (logits * 0.0).sum()
    return F.cross_entropy(logits[hidden], labels[hidden]) / math.log(2)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "the sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return (logits * 0.0).sum()
    return F.cross_entropy(logits[hidden], labels[hidden], reduction='sum')
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "changes the labels: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels != -100
    labels[~hidden] = 0
    each = -torch.log_softmax(logits, -1).gather(-1, labels[..., None])[..., 0]
    return (each * hidden).sum() / hidden.sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "no gradient: 'through which the gradient flows'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return (logits * 0.0).sum()
    return F.cross_entropy(logits.detach()[hidden], labels[hidden]) + 0 * logits.sum()
""",
    },
    # label_pieces
    {
        "task": "label_pieces",
        "right": True,
        "why": "a row, then cut",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "generator with an early stop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    out = [-100]
    for w in range(len(labels)):
        for k, _ in enumerate(pieces[w]):
            if len(out) == max_length - 1:
                return out + [-100]
            out.append(labels[w] if k == 0 else -100)
    out.append(-100)
    return out
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "positions of the first pieces",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    lengths = [len(p) for p in pieces]
    size = min(sum(lengths) + 2, max_length)
    row, at = [-100] * size, 1
    for label, n in zip(labels, lengths):
        if n and at < size - 1:
            row[at] = label
        at += n
    return row
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "all pieces get the label",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [label] * len(word)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "a word of no pieces gives -100: 'gives nothing'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        row += ([label] if word else [-100]) + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "a word of no pieces gives its label",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if True:
            row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "[SEP] is cut off: 'cut off before [SEP]'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    return ([-100] + row + [-100])[:max_length]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "only [CLS] counts for the length",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 1] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "the special tokens do not count",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "whole words are cut: a word that does not fit whole gives nothing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word and len(row) + len(word) <= max_length - 2:
            row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "cut one too early",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    return [-100] + (row[:max(max_length - 3, 0)] if len(row) > max_length - 2 else row) + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "cut from the front",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[max(len(row) - max_length + 2, 0):] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "the last piece gets the label",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [-100] * (len(word) - 1) + [label]
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "0 is thought to be no label",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [label or -100] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "a row of max_length always (padded with -100)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 2] + [-100] * max(1, max_length - 1 - len(row))
""",
    },
    # mean_over_tokens
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "mask as numbers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "row by row",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    rows = []
    for words, kept in zip(vectors, attention_mask):
        rows.append(words[kept].mean(dim=0) if kept.any() else words.sum(dim=0) * 0)
    return torch.stack(rows)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "weights that sum to 1, a batched product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    n = attention_mask.sum(1, keepdim=True)
    weights = attention_mask.to(vectors.dtype) / torch.where(n == 0, torch.ones_like(n), n)
    return torch.einsum("bt,btd->bd", weights, vectors)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": None,
        "why": "the weights are worked out in float32 (bool / int), so float64 vectors get a mean that is right to seven digits only; no sentence says how exact",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    n = attention_mask.sum(1, keepdim=True)
    weights = attention_mask / torch.where(n == 0, torch.ones_like(n), n)
    return torch.einsum("bt,btd->bd", weights.to(vectors.dtype), vectors)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "masked_fill",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    total = vectors.masked_fill(~attention_mask[:, :, None], 0).sum(1)
    return total / torch.clamp_min(attention_mask.sum(1), 1)[:, None]
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "divided by T",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * mask).sum(dim=1) / vectors.shape[1]
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "NaN where nothing takes part",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * mask).sum(dim=1) / mask.sum(dim=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "nan_to_num after a masked_fill, whose gradient is 0 at every masked place: values and gradients are right",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return torch.nan_to_num(vectors.masked_fill(~attention_mask[..., None], 0).sum(1) / mask.sum(1))
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "nan_to_num after a product with the mask: the gradient is NaN where nothing takes part ('zeros, and so is the gradient there')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return torch.nan_to_num((vectors * mask).sum(1) / mask.sum(1))
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "polarity of the mask",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = (~attention_mask).unsqueeze(-1).to(vectors.dtype)
    return (vectors * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "mask ignored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return vectors.mean(dim=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "padding is recognised by zero vectors",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    attention_mask = attention_mask & (vectors != 0).any(-1)
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "changes the vectors: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    with torch.no_grad():
        vectors[~attention_mask] = 0
    return vectors.sum(1) / attention_mask.sum(1).clamp(min=1).unsqueeze(1) + 0 * (vectors * attention_mask[..., None]).sum(1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "the mean of the sum over the whole batch's tokens: one count for all rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * mask).sum(dim=1) / mask.sum(dim=1).mean(dim=0).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "the first n tokens, n the number that takes part: wrong where padding stands in between or in front",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    n = attention_mask.sum(1, keepdim=True)
    attention_mask = torch.arange(vectors.shape[1])[None] < n
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
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

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return 0 * vectors.masked_fill(~attention_mask[..., None], 0).sum(1) + (vectors.detach() * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "adds 1 to the count instead of a lower limit",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * mask).sum(dim=1) / mask.sum(dim=1) + 1
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "squeezed: a single row loses its axis",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return ((vectors * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)).squeeze(0)
""",
    },
    # f1_of_tags
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "known pairs",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    return 2 * hits / total if total else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "numpy",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    s, w = np.array(said, dtype=int), np.array(wanted, dtype=int)
    s = s[w != -100]
    w = w[w != -100]
    return float(2.0 * (s * w).sum() / max(s.sum() + w.sum(), 1))
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "precision and recall, each guarded",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    cells = Counter((s, w) for s, w in zip(said, wanted) if w >= 0)
    hits, extra, missed = cells[1, 1], cells[1, 0], cells[0, 1]
    if hits == 0:
        return 0.0
    p, r = hits / (hits + extra), hits / (hits + missed)
    return 2 * p * r / (p + r)
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "positions of -100 count among the said: 'the position does not count'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(said) + sum(w for s, w in known)
    return 2 * hits / total if total else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "1 when nothing was said and nothing was to be found: 'and 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    return 2 * hits / total if total else 1.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "division by zero for empty lists",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    return 2 * hits / total
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "precision",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    return hits / max(sum(s for s, w in known), 1)
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "accuracy of the known positions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    return 2 * hits / total if total else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "hits counted once: half the score",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    return hits / total if total else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "whole-number division",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    return float(2 * hits // total) if total else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "the arithmetic mean of P and R",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    p = hits / max(sum(s for s, w in known), 1)
    r = hits / max(sum(w for s, w in known), 1)
    return (p + r) / 2
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "F1 of tag 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 0 for s, w in known)
    total = sum(1 - s for s, w in known) + sum(1 - w for s, w in known)
    return 2 * hits / total if total else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "ZeroDivisionError where nothing is hit (P + R = 0)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    if total == 0:
        return 0.0
    p = hits / max(sum(s for s, w in known), 1)
    r = hits / max(sum(w for s, w in known), 1)
    return 2 * p * r / (p + r)
""",
    },
    {
        "task": "f1_of_tags",
        "right": None,
        "why": "the int 0 where nothing was said or to be found",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    return 2 * hits / total if total else 0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "-100 taken as 'no name' (0)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in ((s, max(w, 0)) for s, w in zip(said, wanted))]
    hits = sum(s == w == 1 for s, w in known)
    total = sum(s for s, w in known) + sum(w for s, w in known)
    return 2 * hits / total if total else 0.0
""",
    },
    # contrastive_loss
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "cross-entropy with the same topics masked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    return F.cross_entropy(scores, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "row by row, logsumexp",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    total = 0
    for i in range(len(questions)):
        row = []
        for j in range(len(texts)):
            if j == i or topics[j] != topics[i]:
                c = (questions[i] * texts[j]).sum() / ((questions[i] ** 2).sum().sqrt() * (texts[j] ** 2).sum().sqrt())
                row.append(c / temperature)
                if i == j:
                    right = row[-1]
        total = total + torch.logsumexp(torch.stack(row), dim=0) - right
    return total / len(questions)
""",
    },
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "cosines from the products, weights by where, softplus-like form",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    lengths = torch.outer(torch.linalg.vector_norm(questions, dim=1), torch.linalg.vector_norm(texts, dim=1))
    c = torch.einsum("id,jd->ij", questions, texts) / lengths / temperature
    right = torch.diagonal(c)
    other = topics.unsqueeze(1).ne(topics.unsqueeze(0))
    gap = torch.where(other, c - right.unsqueeze(1), torch.full_like(c, -math.inf))
    return torch.logsumexp(torch.cat([torch.zeros_like(gap[:, :1]), gap], dim=1), dim=1).mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": None,
        "why": "F.normalize: its eps of 1e-12 changes rows shorter than that, which 'rows of any length but 0' allows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    scores = F.normalize(questions, dim=-1) @ F.normalize(texts, dim=-1).T / temperature
    same = (topics[:, None] == topics).fill_diagonal_(False)
    return -scores.masked_fill(same, float("-inf")).log_softmax(dim=1).diagonal().mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "dot products, not cosines: 'the vectors are not of length 1 yet'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions
    x = texts
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    return F.cross_entropy(scores, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "topics ignored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & False & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    return F.cross_entropy(scores, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "only neighbours in the batch with the same topic are left out",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & (torch.arange(len(q))[:, None] - torch.arange(len(q))).abs().eq(1)
    scores = scores.masked_fill(out, float("-inf"))
    return F.cross_entropy(scores, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "same topics get the score 0, which still takes part: 'takes no part in the softmax'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, 0.0)
    return F.cross_entropy(scores, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "both directions: 'Only the questions look for their texts'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    return (F.cross_entropy(scores, torch.arange(len(q))) + F.cross_entropy(scores.T, torch.arange(len(q)))) / 2
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "texts look for their questions (softmax down the columns)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    return F.cross_entropy(scores.T, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "multiplies by the temperature",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T * temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    return F.cross_entropy(scores, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "sum, not mean",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    return F.cross_entropy(scores, torch.arange(len(q)), reduction='sum')
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "all texts of the own topic are right answers: their scores are added above the line",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    scores = q @ x.T / temperature
    return (scores.logsumexp(1) - scores.masked_fill(~same, float('-inf')).logsumexp(1)).mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "the questions' side is cut out of the graph",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions.detach() / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    return 0 * questions.sum() + F.cross_entropy(scores, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "exp() without a maximum: NaN for a small temperature, which is 'a number above 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    e = scores.exp()
    return -(e.diagonal() / e.sum(1)).log().mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "the right one is missing below the line",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    rest = scores.masked_fill(torch.eye(len(q), dtype=torch.bool), -1e30).logsumexp(1)
    return (rest - scores.diagonal()).mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "cuts the pairs of a topic that occurs twice out of the batch",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ x.T / temperature
    same = topics[:, None] == topics[None, :]
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    scores = scores.masked_fill(out, float("-inf"))
    each = F.cross_entropy(scores, torch.arange(len(q)), reduction='none')
    alone = same.sum(1) == 1
    return each[alone].mean() if alone.any() else each.sum() * 0
""",
    },
    # sense_accuracy
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "matrix of cosines",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "two loops",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    n = len(senses)
    if n < 2:
        raise ValueError(n)
    right = 0
    for i in range(n):
        best, where = -2.0, None
        for j in range(n):
            if j != i:
                c = np.dot(vectors[i], vectors[j]) / math.sqrt(np.dot(vectors[i], vectors[i]) * np.dot(vectors[j], vectors[j]))
                if c > best:
                    best, where = c, j
        right += senses[where] == senses[i]
    return right / n
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "Euclidean distance of the unit vectors, which orders like the cosine",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if vectors.shape[0] < 2:
        raise ValueError
    names = np.asarray(senses)
    unit = vectors / np.sqrt(np.square(vectors).sum(1))[:, None]
    far = np.square(unit[:, None] - unit[None]).sum(-1) + 100.0 * np.eye(len(unit))
    return float((names[far.argmin(1)] == names).mean())
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "dot products, not cosines",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    unit = vectors
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "the row itself is its nearest: 'nearest other row'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "itself is set to 0: wrong where all others have negative cosines",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, 0.0)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "no ValueError for one row",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 1:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "refuses two rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) <= 2:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "Euclidean distance of the vectors as they are",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = -((vectors[:, None] - vectors[None]) ** 2).sum(-1)
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "the size of the cosine, without its sign",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = np.abs(unit @ unit.T)
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "changes the vectors",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "the number, not the share",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.sum([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "the second in a sorted list, thinking that the first is itself: wrong for parallel rows, one of which may come first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    nearest = np.argsort(-cosines.round(9), axis=1, kind='stable')[:, 1]
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "only later rows are looked at",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    cosines[np.tril_indices(len(cosines))] = -np.inf
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "columns normalised instead of rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("fewer than two rows")
    unit = vectors / np.linalg.norm(vectors, axis=0, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    # pseudo_log_likelihood
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, word] for t, word in enumerate(ids) if word not in special_ids))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "loop with an early continue",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    special, total = set(special_ids), 0.0
    for t in range(len(ids)):
        if ids[t] in special:
            continue
        total += log_probs[t][t][ids[t]].item()
    return total
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "fancy indexing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    where = np.array([t for t, i in enumerate(ids) if i not in list(special_ids)], dtype=int)
    words = np.array(ids, dtype=int)[where]
    return float(log_probs[where, where, words].sum())
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "special tokens are scored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, word] for t, word in enumerate(ids)))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "reads the run in which the next position was hidden",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[min(t + 1, len(ids) - 1), t, word] for t, word in enumerate(ids) if word not in special_ids))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "all from the first run",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[0, t, word] for t, word in enumerate(ids) if word not in special_ids))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "mean, not sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, word] for t, word in enumerate(ids) if word not in special_ids) / max(len(ids), 1))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "multiplies by a mask: 0 times minus infinity is NaN ('some may be minus infinity')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    total = 0.0
    for t, word in enumerate(ids):
        total += log_probs[t, t, word] * (word not in special_ids)
    return float(total)
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "minus infinity is left out: the sum is minus infinity",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, word] for t, word in enumerate(ids) if word not in special_ids and np.isfinite(log_probs[t, t, word])))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "minus infinity becomes -1e9",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(max(log_probs[t, t, word], -1e9) for t, word in enumerate(ids) if word not in special_ids))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "the probability itself",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return math.exp(sum(log_probs[t, t, word] for t, word in enumerate(ids) if word not in special_ids))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "an empty list fails: 'it may be empty'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    each = np.stack([log_probs[t, t, word] for t, word in enumerate(ids)])
    keep = ~np.isin(np.array(ids), list(special_ids))
    return float(each[keep].sum())
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "each word once: words that occur again are skipped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, word] for t, word in enumerate(ids) if word not in special_ids and word not in ids[:t]))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "only the first and last position are taken for special",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, word] for t, word in enumerate(ids) if 0 < t < len(ids) - 1))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "positions are numbered without the special tokens",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, word] for t, word in enumerate([i for i in ids if i not in special_ids])))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "rows and runs exchanged: sums log_probs over all runs at the position",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[:, t, word].mean() for t, word in enumerate(ids) if word not in special_ids))
""",
    },
    # pair_input
    {
        "task": "pair_input",
        "right": False,
        "why": "a sentence alone is not cut: 'if that is longer than max_length'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    if max_length < (2 if second is None else 3):
        raise ValueError("no room")
    if second is None:
        return [cls_id] + first + [sep_id], [0] * (len(first) + 2)
    n, m = len(first), len(second)
    while n + m + 3 > max_length:
        if n > m:
            n -= 1
        else:
            m -= 1
    return [cls_id] + first[:n] + [sep_id] + second[:m] + [sep_id], [0] * (n + 2) + [1] * (m + 1)
""",
    },
    {
        "task": "pair_input",
        "right": None,
        "why": "a list of two lists in place of a tuple",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pair_input(first, second, cls_id, sep_id, max_length):
    if max_length < (2 if second is None else 3):
        raise ValueError("no room")
    if second is None:
        ids = [cls_id] + first[:max_length - 2] + [sep_id]
        return [ids, [0] * len(ids)]
    n, m = len(first), len(second)
    while n + m + 3 > max_length:
        if n > m:
            n -= 1
        else:
            m -= 1
    return [[cls_id] + first[:n] + [sep_id] + second[:m] + [sep_id], [0] * (n + 2) + [1] * (m + 1)]
""",
    },
    # hide_whole_words
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "a chance of 0 is taken for 'none': 'a number from 0 to 1', 'chosen if below 0.15'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = [], []
    for t in range(len(ids)):
        w = word_of[t]
        chosen = w != -1 and chance[w] and chance[w] < 0.15
        labels.append(ids[t] if chosen else -100)
        inputs.append(ids[t] if not chosen or lot[w] >= 0.9 else mask_id if lot[w] < 0.8 else drawn[t])
    return inputs, labels
""",
    },
    # label_pieces
    {
        "task": "label_pieces",
        "right": False,
        "why": "stops at a word of no pieces",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if not word:
            break
        row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    # masked_loss
    {
        "task": "masked_loss",
        "right": True,
        "why": "weights from the mask over all positions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_loss(logits, labels):
    keep = (labels >= 0).to(logits.dtype)
    logs = logits - logits.logsumexp(-1, keepdim=True)
    own = torch.einsum("btv,btv->bt", logs, F.one_hot(labels.clamp(min=0), logits.shape[-1]).to(logits.dtype))
    return -(own * keep).sum() / keep.sum().clamp(min=1)
""",
    },
    # f1_of_tags
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "numpy's float64, which is a float",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def f1_of_tags(said, wanted):
    s, w = np.asarray(said), np.asarray(wanted)
    known = w != -100
    both = np.sum((s == 1) & (w == 1) & known)
    total = np.sum((s == 1) & known) + np.sum(w == 1)
    return np.float64(2 * both / total) if total else np.float64(0)
""",
    },
    # contrastive_loss
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "questions without wrong texts are left out of the mean; a question has none only if all topics are equal, so that is the same",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    same = topics[:, None] == topics
    out = same & ~torch.eye(len(q), dtype=torch.bool)
    s = (q @ x.T / temperature).masked_fill(out, -math.inf)
    each = s.logsumexp(1) - s.diagonal()
    has = ~same.all(1)
    return each[has].mean() if has.any() else each.sum() * 0
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "topics are compared with the topic of question 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    x = texts / texts.norm(dim=1, keepdim=True)
    out = (topics == topics[0])[None, :].repeat(len(q), 1) & ~torch.eye(len(q), dtype=torch.bool) & (topics == topics[0])[:, None]
    s = (q @ x.T / temperature).masked_fill(out, -math.inf)
    return F.cross_entropy(s, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": None,
        "why": "F.cosine_similarity: its eps of 1e-8 changes very short rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def contrastive_loss(questions, texts, topics, temperature):
    c = F.cosine_similarity(questions[:, None], texts[None], dim=-1) / temperature
    out = (topics[:, None] == topics[None]) & ~torch.eye(len(topics), dtype=torch.bool)
    return F.cross_entropy(c.masked_fill(out, -math.inf), torch.arange(len(topics)))
""",
    },
    # sense_accuracy
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "numpy's float64, sorted indices, the own one removed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sense_accuracy(vectors, senses):
    if len(senses) < 2:
        raise ValueError("two rows at least")
    unit = (vectors.T / np.hypot.reduce(vectors, axis=1)).T
    hits = []
    for i, row in enumerate(unit @ unit.T):
        order = [j for j in np.argsort(-row) if j != i]
        hits.append(senses[order[0]] == senses[i])
    return np.mean(hits)
""",
    },
    # mean_over_tokens
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "a single row that takes part nowhere gives the mean of all: zeros are asked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask | ~attention_mask.any(1, keepdim=True)
    mask = mask[..., None].to(vectors.dtype)
    return (vectors * mask).sum(1) / mask.sum(1)
""",
    },
]
