"""Answers to chapter 10, written from its page alone: the second round."""

ANSWERS = [
    # chat_text
    {
        "task": "chat_text",
        "right": True,
        "why": "loop with +",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("the end mark stands in a text")
        out += "<" + role + ">" + text + "<end>\n"
    if open_answer:
        out += "<bot>"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": True,
        "why": "check first, then a join over f-strings",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    turns = list(turns)
    if any(text.find("<end>") >= 0 for _, text in turns):
        raise ValueError
    return "".join(f"<{role}>{text}<end>\n" for role, text in turns) + ("<bot>" if open_answer else "")
""",
    },
    {
        "task": "chat_text",
        "right": True,
        "why": "recursion from the front",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    if len(turns) == 0:
        return "<bot>" * bool(open_answer)
    (role, text), *rest = turns
    if len(text.split("<end>")) > 1:
        raise ValueError(text)
    return "<%s>%s<end>\n%s" % (role, text, chat_text(rest, open_answer))
""",
    },
    {
        "task": "chat_text",
        "right": True,
        "why": "a list of parts",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _turn(role, text):
    if re.search("<end>", text):
        raise ValueError("forged turn")
    return ["<", role, ">", text, "<end>", "\n"]

def chat_text(turns, open_answer=False):
    parts = []
    for turn in turns:
        parts.extend(_turn(*turn))
    if open_answer:
        parts.append("<bot>")
    return "".join(parts)
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "a line break behind <bot>: 'nothing behind it'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("the end mark stands in a text")
        out += "<" + role + ">" + text + "<end>\n"
    if open_answer:
        out += "<bot>\n"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "strips texts: 'Every text stands as it is, blanks and line breaks included'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("the end mark stands in a text")
        out += "<" + role + ">" + text.strip() + "<end>\n"
    if open_answer:
        out += "<bot>"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "only strips the line breaks at the end of a text: 'Every text stands as it is'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("the end mark stands in a text")
        out += "<" + role + ">" + text.rstrip("\n") + "<end>\n"
    if open_answer:
        out += "<bot>"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "removes the end mark in place of the error: 'Raise ValueError'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if "<end>" in text:
            text = text.replace("<end>", "")
        out += "<" + role + ">" + text + "<end>\n"
    if open_answer:
        out += "<bot>"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "checks only texts that end with it: 'a text that holds <end>'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if text.endswith("<end>"):
            raise ValueError("the end mark stands in a text")
        out += "<" + role + ">" + text + "<end>\n"
    if open_answer:
        out += "<bot>"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "checks only the user's texts: 'a text that holds <end>'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if role == "user" and "<end>" in text:
            raise ValueError("the end mark stands in a text")
        out += "<" + role + ">" + text + "<end>\n"
    if open_answer:
        out += "<bot>"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "turns joined by line breaks, the last has none: 'Each turn is ... the end mark and a line break'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    if any("<end>" in text for _, text in turns):
        raise ValueError
    lines = [f"<{role}>{text}<end>" for role, text in turns]
    if open_answer:
        lines.append("<bot>")
    return "\n".join(lines)
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "no turns give nothing even if an answer is wanted: 'If an answer is wanted, <bot> follows'; 'there may be none'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("the end mark stands in a text")
        out += "<" + role + ">" + text + "<end>\n"
    if open_answer and turns:
        out += "<bot>"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "opens an answer only after a user's turn: 'If an answer is wanted, <bot> follows'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("the end mark stands in a text")
        out += "<" + role + ">" + text + "<end>\n"
    if open_answer and not (turns and turns[-1][0] == "bot"):
        out += "<bot>"
    return out
""",
    },
    # answer_labels
    {
        "task": "answer_labels",
        "right": True,
        "why": "clone and fill",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    labels = ids[:, 1:].clone()
    labels[~answer[:, 1:]] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "torch.where",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    return torch.where(answer, ids, torch.full_like(ids, -100))[:, 1:]
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "masked_fill of the shifted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    T = ids.shape[1]
    return ids.narrow(1, 1, T - 1).masked_fill(answer.narrow(1, 1, T - 1).logical_not(), -100)
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "python lists, element by element",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    rows = []
    for row, marks in zip(ids.tolist(), answer.tolist()):
        rows.append([token if mark else -100 for token, mark in zip(row[1:], marks[1:])])
    return torch.tensor(rows, dtype=ids.dtype).reshape(ids.shape[0], ids.shape[1] - 1)
""",
    },
    {
        "task": "answer_labels",
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

def answer_labels(ids, answer):
    m = answer[:, 1:].to(ids.dtype)
    return ids[:, 1:] * m + (m - 1) * 100
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "mask not shifted: 'the token t + 1 if that token is part of an answer'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    labels = ids[:, 1:].clone()
    labels[~answer[:, :-1]] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "writes -100 into ids, which are left as they are by 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    labels = ids[:, 1:]
    labels[~answer[:, 1:]] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "always int64: 'of the element type of ids'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    labels = ids[:, 1:].long().clone()
    labels[~answer[:, 1:]] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "T labels, with -100 at the end: '(B, T - 1)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    labels = ids[:, 1:].clone()
    labels[~answer[:, 1:]] = -100
    return F.pad(labels, (0, 1), value=-100)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "labels not shifted: 'at position t the token t + 1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    labels = ids[:, :-1].clone()
    labels[~answer[:, :-1]] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "the first token of each answer is left out: 'the token t + 1 where that is part of an answer'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    labels = ids[:, 1:].clone()
    labels[~(answer[:, 1:] & answer[:, :-1])] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "token 0 is taken for padding and never learned: 'the token t + 1 where that is part of an answer'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    labels = ids[:, 1:].clone()
    labels[~answer[:, 1:] | (labels == 0)] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "only the last answer of a conversation is learned: 'that is part of an answer'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_labels(ids, answer):
    labels = ids[:, 1:].clone()
    marks = answer.int()
    starts = (marks.diff(dim=1, prepend=marks[:, :1] * 0) == 1).int()
    answer = answer & (starts.cumsum(1) == starts.sum(1, keepdim=True))
    labels[~answer[:, 1:]] = -100
    return labels
""",
    },
    # packing_mask
    {
        "task": "packing_mask",
        "right": True,
        "why": "broadcast",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    real = segments != 0
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return same & real[:, :, None] & causal
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "three loops",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    B, T = segments.shape
    mask = torch.zeros(B, T, T, dtype=torch.bool)
    for i in range(B):
        for t in range(T):
            for s in range(t + 1):
                mask[i, t, s] = segments[i, t] == segments[i, s] and segments[i, t] > 0
    return mask
""",
    },
    {
        "task": "packing_mask",
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

def packing_mask(segments):
    s = segments.numpy()
    m = np.equal(s[:, :, None], s[:, None, :]) & (s > 0)[:, None, :]
    return torch.from_numpy(np.tril(m))
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "one-hot of the numbers and a matrix product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    hot = F.one_hot(segments.long(), int(segments.max()) + 1 if segments.numel() else 1)[..., 1:].float()
    return (torch.einsum("bts,bus->btu", hot, hot) > 0.5).tril()
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "padding gets numbers of its own and then loses its diagonal",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    position = torch.arange(segments.shape[-1])
    names = torch.where(segments > 0, segments, -1 - position)
    mask = (names.unsqueeze(2) == names.unsqueeze(1)) & (position[:, None] >= position[None, :])
    mask.diagonal(dim1=1, dim2=2)[segments == 0] = False
    return mask
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "padding looks at padding: 'Padding looks at nothing'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    real = segments != 0
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return same & causal
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "token does not see itself: 's is not after t'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    real = segments != 0
    causal = torch.ones(T, T, dtype=torch.bool).tril(-1)
    return same & real[:, :, None] & causal
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "no causal part: 's is not after t'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    real = segments != 0
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return same & real[:, :, None]
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "upper triangle, [b, s, t]: '[b, t, s] says whether token t may look at s'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    real = segments != 0
    causal = torch.ones(T, T, dtype=torch.bool).triu()
    return same & real[:, :, None] & causal
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "float mask: '(B, T, T) bool'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    real = segments != 0
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (same & real[:, :, None] & causal).float()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "padding is taken to stand at the end only: the length is the count of tokens: '0 at padding, which may stand anywhere'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    real = torch.arange(T) < (segments != 0).sum(1, keepdim=True)
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return same & real[:, :, None] & causal
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "later examples may look at earlier ones: 'if both belong to the same example'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] >= segments[:, None, :]
    real = segments != 0
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return same & real[:, :, None] & real[:, None, :] & causal
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "padding sees itself, so that no row of the softmax is empty: 'Padding looks at nothing'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    real = segments != 0
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return same & real[:, :, None] & causal | torch.eye(T, dtype=torch.bool)
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "the first row's segments for all of the batch: '[b, t, s]' of each text",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:1, :, None] == segments[:1, None, :]
    real = segments != 0
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return same & real[:, :, None] & causal
""",
    },
    # answer_loss
    {
        "task": "answer_loss",
        "right": True,
        "why": "gather, times the mask",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:]
    return -(picked * m).sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "cross_entropy with -100 and a sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    labels = ids.masked_fill(~answer, -100)[:, 1:]
    total = F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), labels.reshape(-1), reduction="sum", ignore_index=-100)
    return total / max(1, int((labels != -100).sum()))
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "indexing of the tokens that count, logsumexp",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    b, t = answer[:, 1:].nonzero(as_tuple=True)
    if len(b) == 0:
        return (logits * 0.0).sum()
    rows = logits[b, t]
    return (rows.logsumexp(1) - rows[torch.arange(len(b)), ids[b, t + 1]]).mean()
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "loops",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    total, count = logits.sum() * 0, 0
    B, T = ids.shape
    for i in range(B):
        for j in range(1, T):
            if answer[i, j]:
                z = logits[i, j - 1]
                z = z - z.max().detach()
                total = total + z.exp().sum().log() - z[ids[i, j]]
                count += 1
    return total / (count or 1)
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "one-hot and einsum, where for the mask",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    hot = F.one_hot(ids[:, 1:].long(), logits.size(2)).to(logits.dtype)
    cost = -torch.einsum("btv,btv->bt", F.log_softmax(logits[:, :-1], dim=2), hot)
    cost = torch.where(answer[:, 1:], cost, torch.zeros_like(cost))
    n = answer[:, 1:].sum()
    return cost.sum() / (n + (n == 0))
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "mean over rows of the rows' means: 'the mean cost of the answers' tokens over the whole batch'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:]
    n = m.sum(1)
    per = -(picked * m).sum(1) / n.clamp(min=1)
    return per.sum() / (n > 0).sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "divides by the marks of all T columns, the first too: 'The first token of a row never counts'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:]
    return -(picked * m).sum() / answer.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "divides by B (T - 1): the denominator is the sum of m",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:]
    return -(picked * m).sum() / m.numel()
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "log of softmax: 'Large logits must not overflow' (log 0 is -inf)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].softmax(-1).log()
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:]
    return -(picked * m).sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "NaN for a batch without answers: 'A batch with no answer token has the loss 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:]
    return -(picked * m).sum() / m.sum()
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "a fresh 0 for a batch without answers, no gradient: '0, computed from the logits like any other loss, so that their gradient is 0, too'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:]
    if not m.any():
        return torch.tensor(0.0)
    return -(picked * m).sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "mask not shifted: m at t + 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, :-1]
    return -(picked * m).sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
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

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:]
    return -(picked * m).sum() / m.sum().clamp(min=1) / math.log(2)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "epsilon inside the logarithm: the loss is log softmax itself",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].softmax(-1).add(1e-3).log()
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:]
    return -(picked * m).sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "detached: 'The gradient must flow through it'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].detach().log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:]
    return -(picked * m).sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "counts only the answers with a token other than 0 (padding by id): m is 1 at tokens of answers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def answer_loss(logits, ids, answer):
    logp = logits[:, :-1].log_softmax(-1)
    picked = logp.gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = answer[:, 1:] & (ids[:, 1:] != 0)
    return -(picked * m).sum() / m.sum().clamp(min=1)
""",
    },
    # shown_so_far
    {
        "task": "shown_so_far",
        "right": True,
        "why": "longest end that is a beginning of stop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at >= 0:
            out.append(text[:at])
            break
        hide = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hide = n
        out.append(text[:len(text) - hide])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "letter by letter, with the automaton of Knuth, Morris and Pratt",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    fail = [0] * (len(stop) + 1)
    k = 0
    for i in range(1, len(stop)):
        while k and stop[i] != stop[k]:
            k = fail[k]
        k += stop[i] == stop[k]
        fail[i + 1] = k
    seen, state, shown = [], 0, []
    for piece in pieces:
        done = False
        for letter in piece:
            seen.append(letter)
            while state and stop[state] != letter:
                state = fail[state]
            if stop[state] == letter:
                state += 1
            if state == len(stop):
                done = True
                break
        shown.append("".join(seen[:len(seen) - state]))
        if done:
            return shown
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "join of the pieces so far, first cut that works",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    result = []
    for i in range(len(pieces)):
        whole = "".join(pieces[:i + 1])
        if stop in whole:
            return result + [whole.split(stop)[0]]
        cut = next(j for j in range(len(whole) + 1) if stop.startswith(whole[j:]))
        result.append(whole[:cut])
    return result
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "recursion with an inner function",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    def visible(text):
        before, mark, _ = text.partition(stop)
        if mark:
            return before, True
        for n in reversed(range(1, len(stop))):
            if text[-n:] == stop[:n]:
                return text[:-n], False
        return text, False

    def go(text, i):
        if i == len(pieces):
            return []
        now, stopped = visible(text + pieces[i])
        return [now] + ([] if stopped else go(text + pieces[i], i + 1))

    return go("", 0)
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "shortest instead of longest open end: 'everything, except for an end that could still become the stop string'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at >= 0:
            out.append(text[:at])
            break
        hide = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hide = n
                break
        out.append(text[:len(text) - hide])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "goes on after the stop: 'no further piece is read, so that the list ends with that piece'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at >= 0:
            out.append(text[:at])
            continue
        hide = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hide = n
        out.append(text[:len(text) - hide])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "an end still open is shown at last: 'An end that is still open when the pieces run out stays hidden'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at >= 0:
            out.append(text[:at])
            break
        hide = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hide = n
        out.append(text[:len(text) - hide])
    if out and stop not in text:
        out[-1] = text
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "the last occurrence of the stop: 'the text ends before it' (the first time it is there)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.rfind(stop)
        if at >= 0:
            out.append(text[:at])
            break
        hide = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hide = n
        out.append(text[:len(text) - hide])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "always holds back len(stop) - 1 letters: 'everything, except for an end that could still become the stop'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at >= 0:
            out.append(text[:at])
            break
        hide = 0
        hide = min(len(stop) - 1, len(text))
        out.append(text[:len(text) - hide])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "looks only inside a single piece: the stop may be cut by pieces",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        if stop in piece:
            out.append(text + piece[:piece.index(stop)])
            break
        text += piece
        out.append(text)
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "held letters that turn out harmless are lost at the next piece: 'the whole text that is shown'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    shown, held, out = "", "", []
    for piece in pieces:
        buffer = held + piece
        if stop in buffer:
            out.append(shown + buffer[:buffer.index(stop)])
            break
        held = ""
        for n in range(len(stop) - 1, 0, -1):
            if piece.endswith(stop[:n]):
                held = stop[:n]
                break
        shown += piece[:len(piece) - len(held)]
        out.append(shown)
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "empty pieces are left out of the list: 'after each piece that is read'; 'a piece may be empty'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        if not piece:
            continue
        text += piece
        at = text.find(stop)
        if at >= 0:
            out.append(text[:at])
            break
        hide = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hide = n
        out.append(text[:len(text) - hide])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "the piece with the stop adds nothing to the list: 'the list ends with that piece'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at >= 0:
            break
        hide = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hide = n
        out.append(text[:len(text) - hide])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "off by one: the end that lacks only one letter is shown",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at >= 0:
            out.append(text[:at])
            break
        hide = 0
        for n in range(1, len(stop) - 1):
            if text.endswith(stop[:n]):
                hide = n
        out.append(text[:len(text) - hide])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "returns the new part only: 'the whole text that is shown'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at >= 0:
            out.append(text[:at])
            break
        hide = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hide = n
        out.append(text[:len(text) - hide])
    return [now[len(old):] for old, now in zip([''] + out, out)]
""",
    },
    # few_shot_prompt
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "greedy, the whole prompt is counted",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n"
        if len((more + end).split()) > max_words:
            break
        head = more
    return head + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "a running budget of words",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    words = lambda text: len(text.split())
    left = max_words - words(question) - 2
    if left < 0:
        raise ValueError
    lines = []
    for q, a in solved:
        left -= 2 + words(q) + words(a)
        if left < 0:
            break
        lines += ["Q: " + q, "A: " + a]
    return "\n".join(lines + ["Q: " + question, "A:"])
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "from all examples downwards",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    def write(n):
        return "".join("Q: %s\nA: %s\n" % pair for pair in solved[:n]) + "Q: %s\nA:" % question
    for n in range(len(solved), -1, -1):
        prompt = write(n)
        if len(prompt.split()) <= max_words:
            return prompt
    raise ValueError("does not fit")
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "recursion: the prompt of one example more, if it fits",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    def grow(n):
        examples = [f"Q: {q}\nA: {a}\n" for q, a in solved[:n]]
        prompt = "".join(examples) + f"Q: {question}\nA:"
        if len(prompt.split()) > max_words:
            return None
        longer = grow(n + 1) if n < len(solved) else None
        return longer or prompt
    found = grow(0)
    if found is None:
        raise ValueError(question)
    return found
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "skips an example that does not fit and goes on: 'until the next one does not fit'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n"
        if len((more + end).split()) > max_words:
            continue
        head = more
    return head + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "border: a prompt of exactly max_words is too long: 'how many words the whole prompt may have'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n"
        if len((more + end).split()) >= max_words:
            break
        head = more
    return head + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "border of the question: exactly max_words raises: 'If not even the question fits'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) >= max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n"
        if len((more + end).split()) > max_words:
            break
        head = more
    return head + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "takes the last examples that fit: 'from the first one on'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in reversed(solved):
        more = f"Q: {q}\nA: {a}\n" + head
        if len((more + end).split()) > max_words:
            break
        head = more
    return head + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "letters are counted: 'text.split() says what a word is'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n"
        if len(more + end) > max_words:
            break
        head = more
    return head + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "a blank after A: at the end: 'A str that ends with \"A:\"'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n"
        if len((more + end).split()) > max_words:
            break
        head = more
    return head + end + " "
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "no error for a question that is too long",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n"
        if len((more + end).split()) > max_words:
            break
        head = more
    return head + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "words by split(' '): line breaks and runs of blanks count otherwise: 'text.split() says what a word is'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n"
        if len((more + end).split(' ')) > max_words:
            break
        head = more
    return head + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "the marks Q: and A: of the question are not counted: 'the whole prompt'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n"
        if len((more + question).split()) > max_words:
            break
        head = more
    return head + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "an empty line between examples: 'the line Q, the line A, both with a line break'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n\n"
        if len((more + end).split()) > max_words:
            break
        head = more
    return head + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "the error compares the question without its marks: 'the question alone is too long' for the prompt",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(question.split()) > max_words:
        raise ValueError("the question is too long")
    head = ""
    for q, a in solved:
        more = head + f"Q: {q}\nA: {a}\n"
        if len((more + end).split()) > max_words:
            break
        head = more
    return head + end
""",
    },
    # run_call
    {
        "task": "run_call",
        "right": True,
        "why": "regular expression on the last call",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": True,
        "why": "split at the sign, by hand",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

DIGITS = set("0123456789")

def _value(inner):
    for sign in "+-*":
        if inner.count(sign) == 1:
            a, c = (part.strip(" ") for part in inner.split(sign))
            if a and c and set(a) <= DIGITS and set(c) <= DIGITS:
                return {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y}[sign](int(a), int(c))
    return "error"

def run_call(text):
    head, begin, last = text.rpartition("<call>")
    if not begin or not last.endswith("</call>"):
        return text
    return text + "<result>" + str(_value(last[:len(last) - len("</call>")])) + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": True,
        "why": "a small reader, letter by letter",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    start = text.rfind("<call>")
    if start < 0 or text[-7:] != "</call>":
        return text
    s = text[start + len("<call>"):-len("</call>")]
    i = 0

    def blanks():
        nonlocal i
        while i < len(s) and s[i] == " ":
            i += 1

    def number():
        nonlocal i
        j = i
        while i < len(s) and "0" <= s[i] <= "9":
            i += 1
        return int(s[j:i]) if i > j else None

    blanks()
    a = number()
    blanks()
    op = s[i] if i < len(s) else ""
    i += 1
    blanks()
    c = number()
    blanks()
    answer = "error"
    if a is not None and c is not None and op and op in "+-*" and i == len(s):
        answer = str({"+": a + c, "-": a - c, "*": a * c}[op])
    return text + f"<result>{answer}</result>"
""",
    },
    {
        "task": "run_call",
        "right": True,
        "why": "search with a lookahead that no other <call> follows; operator module",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import operator

def run_call(text):
    call = re.search(r"<call>((?:(?!<call>).)*)</call>\Z", text, re.DOTALL)
    if call is None:
        return text
    parts = re.match(r"[ ]*(?P<a>[0-9]+)[ ]*(?P<s>[+*-])[ ]*(?P<b>[0-9]+)[ ]*\Z", call.group(1))
    if parts is None:
        result = "error"
    else:
        work = {"+": operator.add, "-": operator.sub, "*": operator.mul}[parts["s"]]
        result = work(int(parts["a"]), int(parts["b"]))
    return "{}<result>{}</result>".format(text, result)
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "the first <call>: 'The last call begins at the last <call>'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.index("<call>") + 6:-7]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "signs are allowed: 'neither with a sign before it'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.fullmatch(r" *([+-]?[0-9]+) *([-+*]) *([+-]?[0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "division too: 'one of + - *' ('anything else' gives error)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.fullmatch(r" *([0-9]+) *([-+*/]) *([0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c if op == '*' else a // c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "eval of letters that look harmless: sums of three, powers and brackets get a value; 'error, if it holds anything else'; never eval",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    try:
        if not re.fullmatch(r"[0-9+* ()-]*", inner):
            raise ValueError
        value = eval(inner)
    except Exception:
        value = "error"
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "a call anywhere in the text is run: 'A text that does not end with a call comes back as it is'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if "</call>" not in text or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:].split("</call>")[0]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "blanks are removed first, within numbers too: 'but not within a number'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7].replace(" ", "")
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "no spaces before and after: 'Spaces may stand before, between and after'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.fullmatch(r"([0-9]+) *([-+*]) *([0-9]+)", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "match without an end: garbage behind is accepted: 'error, if it holds anything else'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.match(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "decimal points are read and cut: 'A whole number is written in digits alone'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.fullmatch(r" *([0-9.]+) *([-+*]) *([0-9.]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(float(found[1])), found[2], int(float(found[3]))
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "trailing white space of the text is ignored: a text that ENDS with a call",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.rstrip().endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:].rstrip()[:-7]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "the text is returned unchanged where a call is wrong: 'the word error'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if not found:
        return text
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "through float: large products are rounded: 'the value'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = float(found[1]), found[2], float(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{int(value)}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "a negative result is an error: only the two numbers may have no sign",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    if value < 0:
        value = "error"
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "empty call is left as it is: 'the word error, if it holds anything else'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    if not inner.strip():
        return text
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": None,
        "why": "any white space (tabs, line breaks) around numbers; the statement names spaces",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.fullmatch(r"\s*([0-9]+)\s*([-+*])\s*([0-9]+)\s*", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": None,
        "why": "digits of any script by str.isdigit / \\d; the statement says 'digits'",
        "source": r"""
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6:-7]
    found = re.fullmatch(r" *(\d+) *([-+*]) *(\d+) *", inner)
    if not found:
        return text + "<result>error</result>"
    a, op, c = int(found[1]), found[2], int(found[3])
    value = a + c if op == "+" else a - c if op == "-" else a * c
    return f"{text}<result>{value}</result>"
""",
    },
    # nearest_passages
    {
        "task": "nearest_passages",
        "right": True,
        "why": "where, and a stable sort",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    return torch.sort(cos, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "loops and sorted with a key",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    def cosine(u, v):
        a, b = float(u.norm()), float(v.norm())
        return float(u.dot(v)) / (a * b) if a and b else 0.0
    scores = [cosine(query, row) for row in passages]
    return sorted(range(len(scores)), key=lambda i: -scores[i])[:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "F.normalize leaves zeros zero; argsort of the negative",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    scores = F.normalize(passages, dim=1, eps=1e-30) @ F.normalize(query, dim=0, eps=1e-30)
    return [int(i) for i in (-scores).argsort(stable=True)[:k]]
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "numpy, float64",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    q, p = query.double().numpy(), passages.double().numpy()
    lengths = np.sqrt((p * p).sum(1))
    lengths[lengths == 0] = 1
    qlen = np.linalg.norm(q) or 1.0
    score = (p / lengths[:, None]) @ (q / qlen)
    order = np.lexsort((np.arange(len(p)), -score))
    return order[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "k times the maximum of those left",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    left, out = list(range(len(passages))), []
    value = []
    for row in passages:
        size = row.norm() * query.norm()
        value.append((row @ query / size).item() if size > 0 else 0.0)
    while left and len(out) < k:
        best = max(left, key=lambda i: (value[i], -i))
        out.append(best)
        left.remove(best)
    return out
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "the dot product: 'the largest cosine'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    return torch.sort(dots, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "divides by the passage's length only where it is above 1: 'the largest cosine'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1).clamp(min=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    return torch.sort(cos, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "zeros give NaN, which sorts first: 'A vector of zeros has cosine 0 with everything'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = dots / norms
    return torch.sort(cos, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "zeros come last, behind negative cosines: 'A vector of zeros has cosine 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.full_like(dots, -2.0))
    return torch.sort(cos, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "of equals the last: 'of equals the one that stands first'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    n = len(cos)
    return [n - 1 - i for i in torch.sort(cos.flip(0), descending=True, stable=True).indices[:k].tolist()]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "topk with k above N: 'if it is more than N, all come back'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    return sorted(torch.topk(cos, k).indices.tolist(), key=lambda i: (-cos[i].item(), i))
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "worst first: 'the best one first'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    return torch.sort(cos, descending=False, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "absolute cosine: 'the largest cosine'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    return torch.sort(cos.abs(), descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "a tensor: 'A list of int'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    return torch.sort(cos, descending=True, stable=True).indices[:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "zero passages are dropped: 'all come back' if k is more than N",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    order = torch.sort(cos, descending=True, stable=True).indices.tolist()
    return [i for i in order if passages[i].any()][:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "distance between unit vectors' unscaled query: nearest by Euclid, not by cosine",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    return torch.sort(-(passages - query).norm(dim=1), descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "at least one passage: k may be 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1) * query.norm()
    dots = passages @ query
    cos = torch.where(norms > 0, dots / torch.where(norms > 0, norms, torch.ones_like(norms)), torch.zeros_like(dots))
    return torch.sort(cos, descending=True, stable=True).indices[:max(1, k)].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": None,
        "why": "F.cosine_similarity, whose eps of 1e-8 tells only for very short vectors",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def nearest_passages(query, passages, k):
    return torch.argsort(F.cosine_similarity(passages, query[None], dim=1), descending=True, stable=True)[:k].tolist()
""",
    },
    # held_out_split
    {
        "task": "held_out_split",
        "right": True,
        "why": "comprehensions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train}
    return {
        "train": train,
        "wording": [x for x in lessons if x[0] in known and x[1] in wordings],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "two passes with lists",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    parts = {"train": [], "wording": [], "task": []}
    later = []
    for lesson in lessons:
        task, wording, text = lesson
        if task in tasks:
            parts["task"].append(lesson)
        elif wording in wordings:
            later.append(lesson)
        else:
            parts["train"].append(lesson)
    for lesson in later:
        if any(lesson[0] == other[0] for other in parts["train"]):
            parts["wording"].append(lesson)
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "filter and sets",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    T, Wd = set(tasks), set(wordings)
    task = list(filter(lambda l: l[0] in T, lessons))
    rest = [l for l in lessons if l[0] not in T]
    train = list(filter(lambda l: l[1] not in Wd, rest))
    seen = set(map(lambda l: l[0], train))
    return dict(task=task, train=train, wording=[l for l in rest if l[1] in Wd and l[0] in seen])
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "a label for each lesson, then gathered",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    def label(task, wording):
        if task in tasks:
            return "task"
        if wording not in wordings:
            return "train"
        if any(t == task and w not in wordings for t, w, _ in lessons):
            return "wording"
        return "left out"
    found = defaultdict(list)
    for lesson in lessons:
        found[label(lesson[0], lesson[1])].append(lesson)
    return {part: found[part] for part in ("train", "wording", "task")}
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "lessons in a held-out wording whose task is nowhere in train are kept: 'it is left out'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train}
    return {
        "train": train,
        "wording": [x for x in lessons if x[0] not in tasks and x[1] in wordings],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "a held-out task in a held-out wording goes to no part: 'all lessons of a held-out task, in whatever wording'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train}
    return {
        "train": train,
        "wording": [x for x in lessons if x[0] in known and x[1] in wordings],
        "task": [x for x in lessons if x[0] in tasks and x[1] not in wordings],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "held-out tasks in held-out wordings are in 'wording' too: '\"wording\": of tasks that train has'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train}
    return {
        "train": train,
        "wording": [x for x in lessons if (x[0] in known or x[0] in tasks) and x[1] in wordings],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "sorted parts: 'each in the old order'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train}
    return {
        "train": sorted(train),
        "wording": [x for x in lessons if x[0] in known and x[1] in wordings],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "lessons that stand twice are merged: parts hold the lessons",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train}
    return {
        "train": list(dict.fromkeys(train)),
        "wording": [x for x in lessons if x[0] in known and x[1] in wordings],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "train holds the held-out wordings of known tasks, too: 'neither a held-out task nor a held-out wording'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train}
    return {
        "train": [x for x in lessons if x[0] in known],
        "wording": [x for x in lessons if x[0] in known and x[1] in wordings],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "left-out lessons are put into train: 'it is left out'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train}
    return {
        "train": [x for x in lessons if x[0] not in tasks and (x[1] not in wordings or x[0] not in known)],
        "wording": [x for x in lessons if x[0] in known and x[1] in wordings],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "only texts: 'A dict of lists of lessons'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train}
    return {
        "train": train,
        "wording": [x for x in lessons if x[0] in known and x[1] in wordings],
        "task": [x[2] for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "the task must have come in train before the lesson: 'of tasks that train has' says nothing of order",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    parts = {"train": [], "wording": [], "task": []}
    seen = set()
    for lesson in lessons:
        if lesson[0] in tasks:
            parts["task"].append(lesson)
        elif lesson[1] not in wordings:
            seen.add(lesson[0])
            parts["train"].append(lesson)
        elif lesson[0] in seen:
            parts["wording"].append(lesson)
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "parts without lessons are missing: 'with the keys train, wording and task'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    parts = defaultdict(list)
    for x in lessons:
        if x[0] in tasks:
            parts["task"].append(x)
        elif x[1] not in wordings:
            parts["train"].append(x)
    known = {x[0] for x in parts["train"]} if "train" in parts else set()
    for x in lessons:
        if x[0] in known and x[1] in wordings:
            parts["wording"].append(x)
    return dict(parts)
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "takes lessons out of the list it was given: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def held_out_split(lessons, tasks, wordings):
    task = [x for x in lessons if x[0] in tasks]
    for x in task:
        lessons.remove(x)
    train = [x for x in lessons if x[1] not in wordings]
    known = {x[0] for x in train}
    return {"train": train, "task": task, "wording": [x for x in lessons if x[0] in known and x[1] in wordings]}
""",
    },
]
