"""Answers to chapter 11, written from its page alone: the second round."""

ANSWERS = [
    # expected_reward_gradient
    {
        "task": "expected_reward_gradient",
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

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "autograd",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    z = logits.detach().clone().requires_grad_(True)
    J = z.softmax(-1).dot(rewards.to(z.dtype))
    J.backward()
    return J.detach(), z.grad
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "maximum taken off by hand, loops",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    e = [torch.exp(z - logits.max()) for z in logits]
    total = sum(e)
    p = [x / total for x in e]
    J = sum(x * r for x, r in zip(p, rewards))
    return J, torch.stack([x * (r - J) for x, r in zip(p, rewards)])
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": True,
        "why": "the softmax's matrix of derivatives times the rewards",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    p = (logits - logits.logsumexp(0)).exp()
    J = torch.einsum("k,k->", p, rewards)
    return J, (torch.diag(p) - torch.outer(p, p)) @ rewards
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "exp / sum: 'Large logits must not overflow'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    p = logits.exp() / logits.exp().sum()
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "the mean of the rewards as baseline: 'p_a (r_a - J)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = (p * rewards).sum()
    return J, p * (rewards - rewards.mean())
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "no J in the gradient: 'p_a (r_a - J)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = (p * rewards).sum()
    return J, p * rewards
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "gradient of -J, for descent: the sign of p (r - J)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = (p * rewards).sum()
    return J, p * (J - rewards)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "J with one dimension: 'J, a tensor without dimensions'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = (p * rewards).sum(0, keepdim=True)
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "J a Python float: 'J, a tensor'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = (p * rewards).sum()
    return J.item(), p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "exponent clamped at 10: 'p = softmax(z)' is wrong for logits far apart",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits.clamp(-10, 10), dim=0)
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "the rewards are centred in place: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    p = torch.softmax(logits, dim=0)
    J = (p * rewards).sum()
    return J, p * rewards.sub_(J)
""",
    },
    {
        "task": "expected_reward_gradient",
        "right": False,
        "why": "epsilon in the denominator with logits not shifted by the maximum but by the mean: overflows where the logits are far apart",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_reward_gradient(logits, rewards):
    p = (logits - logits.mean()).exp() / (logits - logits.mean()).exp().sum()
    J = (p * rewards).sum()
    return J, p * (rewards - J)
""",
    },
    # reply_log_prob
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "gather and where",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = F.log_softmax(logits, dim=-1)
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    return torch.where(attention_mask, picked, torch.zeros_like(picked)).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "cross_entropy with reduction none",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    cost = F.cross_entropy(logits.transpose(1, 2), ids, reduction="none")
    return -(cost.masked_fill(~attention_mask, 0.0)).sum(-1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "a loop over replies, indexing of the tokens that count",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    out = []
    for z, row, keep in zip(logits, ids, attention_mask):
        z, row = z[keep], row[keep]
        out.append((z[torch.arange(len(row)), row] - z.logsumexp(-1)).sum())
    return torch.stack(out)
""",
    },
    {
        "task": "reply_log_prob",
        "right": True,
        "why": "one-hot and einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    shifted = logits - logits.amax(-1, keepdim=True).detach()
    logp = shifted - shifted.exp().sum(-1, keepdim=True).log()
    hot = F.one_hot(ids, logits.shape[-1]).to(logp.dtype)
    return torch.einsum("btv,btv,bt->b", logp, hot, attention_mask.to(logp.dtype))
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "the mean over tokens: 'the product of its tokens' (a sum of logarithms)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = F.log_softmax(logits, dim=-1)
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    return torch.where(attention_mask, picked, torch.zeros_like(picked)).sum(dim=1) / attention_mask.sum(dim=1).clamp(min=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "shifted by one: 'they are lined up already'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = F.log_softmax(logits[:, :-1], dim=-1)
    picked = logp.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2)
    return torch.where(attention_mask[:, 1:], picked, torch.zeros_like(picked)).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "padding is kept, no mask: 'Padding does not take part'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = F.log_softmax(logits, dim=-1)
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    return picked.sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "polarity of the mask: 'True at the tokens of the reply'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = F.log_softmax(logits, dim=-1)
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    return torch.where(~attention_mask, picked, torch.zeros_like(picked)).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "log of softmax: 'Large logits must not overflow'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = torch.softmax(logits, dim=-1).log()
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    return torch.where(attention_mask, picked, torch.zeros_like(picked)).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "takes padding to stand at the end: 'padding, which may stand anywhere'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = F.log_softmax(logits, dim=-1)
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    n = attention_mask.sum(1, keepdim=True)
    attention_mask = torch.arange(ids.shape[1]) < n
    return torch.where(attention_mask, picked, torch.zeros_like(picked)).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
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

def reply_log_prob(logits, ids, attention_mask):
    logp = F.log_softmax(logits.detach(), dim=-1)
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    return torch.where(attention_mask, picked, torch.zeros_like(picked)).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "softmax over the tokens' axis: the logits of a token are over V",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = F.log_softmax(logits, dim=1)
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    return torch.where(attention_mask, picked, torch.zeros_like(picked)).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "a probability, not its logarithm: 'Return the log-probability'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = F.log_softmax(logits, dim=-1)
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    return torch.where(attention_mask, picked, torch.zeros_like(picked)).sum(dim=1).exp()
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "probabilities below 1e-6 are lifted: the reply is as likely as the product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = torch.softmax(logits, dim=-1).clamp(min=1e-6).log()
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    return torch.where(attention_mask, picked, torch.zeros_like(picked)).sum(dim=1)
""",
    },
    {
        "task": "reply_log_prob",
        "right": False,
        "why": "mask on the logits: padding still adds log 1/V",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_log_prob(logits, ids, attention_mask):
    logp = F.log_softmax(logits * attention_mask[..., None], dim=-1)
    picked = logp.gather(2, ids.unsqueeze(2)).squeeze(2)
    return picked.sum(dim=1)
""",
    },
    # pairs_of_ranking
    {
        "task": "pairs_of_ranking",
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

def pairs_of_ranking(replies, ranks):
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
            elif ranks[i] > ranks[j]:
                pairs.append((replies[j], replies[i]))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "combinations and sorted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from itertools import combinations

def pairs_of_ranking(replies, ranks):
    return [(x, y) if r < s else (y, x) for (x, r), (y, s) in combinations(zip(replies, ranks), 2) if r != s]
""",
    },
    {
        "task": "pairs_of_ranking",
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

def pairs_of_ranking(replies, ranks):
    if not replies:
        return []
    first, rank = replies[0], ranks[0]
    own = [(first, other) if rank < r else (other, first) for other, r in zip(replies[1:], ranks[1:]) if r != rank]
    return own + pairs_of_ranking(replies[1:], ranks[1:])
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": True,
        "why": "a matrix of differences",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    r = np.array(ranks, dtype=int)
    out = []
    for i, j in zip(*np.triu(r[:, None] != r[None, :], 1).nonzero()):
        i, j = (i, j) if r[i] < r[j] else (j, i)
        out.append((replies[i], replies[j]))
    return out
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "ties make pairs: 'for every two replies of unequal rank'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
            else:
                pairs.append((replies[j], replies[i]))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "the largest rank is best: 'rank 1 is best'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[i] > ranks[j]:
                pairs.append((replies[i], replies[j]))
            elif ranks[i] < ranks[j]:
                pairs.append((replies[j], replies[i]))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "sorted by rank first: 'Go through the replies as they are listed'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    order = sorted(range(len(replies)), key=lambda i: ranks[i])
    return [(replies[i], replies[j]) for n, i in enumerate(order) for j in order[n + 1:] if ranks[i] < ranks[j]]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "only neighbours in the ranking: 'for every two replies of unequal rank'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    pairs = []
    for i in range(len(replies) - 1):
        j = i + 1
        if ranks[i] != ranks[j]:
            pairs.append((replies[i], replies[j]) if ranks[i] < ranks[j] else (replies[j], replies[i]))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "ranks are looked up by text: 'a text may come twice'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    rank = dict(zip(replies, ranks))
    pairs = []
    for i, x in enumerate(replies):
        for y in replies[i + 1:]:
            if rank[x] != rank[y]:
                pairs.append((x, y) if rank[x] < rank[y] else (y, x))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "all pairs in which the first reply wins come first, by the better one: the order is by the place of the two in the list",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    return [(x, y) for x, r in zip(replies, ranks) for y, s in zip(replies, ranks) if r < s]
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "equal pairs only once: 'a text may come twice', 'a pair for every two replies'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
            elif ranks[i] > ranks[j]:
                pairs.append((replies[j], replies[i]))
    return list(dict.fromkeys(pairs))
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "pairs of the same text are left out: 'for every two replies of unequal rank'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if replies[i] == replies[j]:
                continue
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
            elif ranks[i] > ranks[j]:
                pairs.append((replies[j], replies[i]))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "index() finds the first copy: 'a text may come twice'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[replies.index(replies[i])] < ranks[replies.index(replies[j])]:
                pairs.append((replies[i], replies[j]))
            elif ranks[i] > ranks[j]:
                pairs.append((replies[j], replies[i]))
    return pairs
""",
    },
    {
        "task": "pairs_of_ranking",
        "right": False,
        "why": "inner loop from the back: 'those of the first reply with later ones' in the order of the list",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pairs_of_ranking(replies, ranks):
    pairs = []
    for i in range(len(replies)):
        for j in range(len(replies) - 1, i, -1):
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
            elif ranks[i] > ranks[j]:
                pairs.append((replies[j], replies[i]))
    return pairs
""",
    },
    # expected_best
    {
        "task": "expected_best",
        "right": True,
        "why": "binomials",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    return float(sum(math.comb(i, n - 1) / math.comb(N, n) * true[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "the weights by a product from the top: n / N, then times (i - n + 2) / (i + 1) ...",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1 or n > N:
        raise ValueError(n)
    ranked = [t for _, t in sorted(zip(proxy, true))]
    weight, total = n / N, 0.0
    for i in range(N - 1, n - 2, -1):
        total += weight * ranked[i]
        if i > 0:
            weight *= (i - n + 1) / i
    return total
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "exact fractions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from fractions import Fraction

def expected_best(proxy, true, n):
    N = len(true)
    if n not in range(1, N + 1):
        raise ValueError
    ranked = np.array(true, dtype=float)[np.argsort(proxy)]
    return float(sum(float(Fraction(math.comb(i, n - 1), math.comb(N, n))) * float(r) for i, r in enumerate(ranked)))
""",
    },
    {
        "task": "expected_best",
        "right": True,
        "why": "the best one dies or stays: E(N, n) = n/N * best + (1 - n/N) * E of the others",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    if not (n >= 1 and n <= len(proxy)):
        raise ValueError("n")
    pairs = sorted(zip(proxy, true), key=lambda pair: pair[0])
    value = pairs[n - 1][1]
    for N in range(n + 1, len(pairs) + 1):
        value = n / N * pairs[N - 1][1] + (1 - n / N) * value
    return float(value)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "comb(i, n): 'C(i, n - 1)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    return float(sum(math.comb(i, n) / math.comb(N, n) * true[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "with putting back: 'without putting back'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    return float(sum(((i + 1) ** n - i ** n) / N ** n * true[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "sorted by the true reward: 'Sort by proxy'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: true[i])
    return float(sum(math.comb(i, n - 1) / math.comb(N, n) * true[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "no error for n = 0: 'If n is below 1 or above N, raise a ValueError'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if n > N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    return float(sum(math.comb(i, n - 1) / math.comb(N, n) * true[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "n = N raises: 'n is not in 1..N'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n < N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    return float(sum(math.comb(i, n - 1) / math.comb(N, n) * true[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "best proxy of the whole list: an average over all choices is asked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    return float(true[order[-1]]) if n > 1 else sum(true) / N
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "expected proxy: 'what would that be truly worth'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    return float(sum(math.comb(i, n - 1) / math.comb(N, n) * proxy[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "sorted downwards: 'counted from 0 at the worst'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: -proxy[i])
    return float(sum(math.comb(i, n - 1) / math.comb(N, n) * true[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "no error above N: a ZeroDivisionError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if n < 1:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    return float(sum(math.comb(i, n - 1) / math.comb(N, n) * true[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "sorts the lists themselves: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n is not in 1..N")
    together = sorted(zip(proxy, true))
    proxy[:] = [p for p, _ in together]
    true[:] = [r for _, r in together]
    order = sorted(range(N), key=lambda i: proxy[i])
    return float(sum(math.comb(i, n - 1) / math.comb(N, n) * true[j] for i, j in enumerate(order)))
""",
    },
    {
        "task": "expected_best",
        "right": None,
        "why": "multiplies before it divides: an OverflowError from about N = 1100 on; the statement says nothing of how large N may be",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    return sum(math.comb(i, n - 1) * true[j] for i, j in enumerate(order)) / math.comb(N, n)
""",
    },
    {
        "task": "expected_best",
        "right": False,
        "why": "mean of the first n groups only: the list is cut in runs of n (choices in a row, not all)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def expected_best(proxy, true, n):
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError("n is not in 1..N")
    order = sorted(range(N), key=lambda i: proxy[i])
    runs = [range(i, i + n) for i in range(N - n + 1)]
    return sum(true[max(run, key=lambda j: proxy[j])] for run in runs) / len(runs)
""",
    },
    # token_rewards
    {
        "task": "token_rewards",
        "right": True,
        "why": "in place on the new tensor",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = (-beta * (log_probs - reference_log_probs)).clone()
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "a vector with the score at its end is added",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    last = F.one_hot(torch.tensor(len(log_probs) - 1), len(log_probs)).to(log_probs.dtype)
    return beta * (reference_log_probs - log_probs) + score * last
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "a loop with Python numbers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    out = [beta * (b - a) for a, b in zip(log_probs.tolist(), reference_log_probs.tolist())]
    out[len(out) - 1] = out[-1] + score
    return torch.tensor(out, dtype=log_probs.dtype)
""",
    },
    {
        "task": "token_rewards",
        "right": True,
        "why": "cat of the two parts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    pay = torch.sub(log_probs, reference_log_probs).mul(-beta)
    return torch.cat((pay[:-1], pay[-1:] + score))
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the sign of the penalty: '-beta (log pi - log pi_ref)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = beta * (log_probs - reference_log_probs)
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the score for every token: 'with the last one comes the judge's score'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards = rewards + score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the score in place of the last penalty: 'Every token of a reply pays'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards[-1] = score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the penalty only if it is one: straying below the reference pays, too (negative)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs).clamp(min=0)
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "beta also multiplies the score",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards[-1] += beta * score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the score is divided among the tokens: 'with the last one comes the judge's score for the whole reply'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards = rewards + score / len(rewards)
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the score for the first token",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards[0] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "works on log_probs in place: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = log_probs.sub_(reference_log_probs).mul_(-beta)
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "the mean penalty for every token: 'Every token pays for straying'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * (log_probs - reference_log_probs)
    rewards = rewards.mean().repeat(len(rewards))
    rewards[-1] += score
    return rewards
""",
    },
    {
        "task": "token_rewards",
        "right": False,
        "why": "k3 estimate as the penalty: '-beta (log pi - log pi_ref)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def token_rewards(score, log_probs, reference_log_probs, beta):
    rewards = -beta * ((reference_log_probs - log_probs).exp() - 1 + log_probs - reference_log_probs)
    rewards[-1] += score
    return rewards
""",
    },
    # reply_advantages
    {
        "task": "reply_advantages",
        "right": True,
        "why": "backwards loop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "recursion on the rest",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    if not rewards:
        return [], []
    later, returns = reply_advantages(rewards[1:], values[1:], gamma, lam)
    following = values[1] if len(values) > 1 else 0.0
    a = rewards[0] + gamma * following - values[0] + gamma * lam * (later[0] if later else 0.0)
    return [a] + later, [a + values[0]] + returns
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "the sum of (gamma lam)^l delta, by a double loop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    v = list(values) + [0.0]
    delta = [rewards[t] + gamma * v[t + 1] - v[t] for t in range(T)]
    advantages = [sum((gamma * lam) ** (s - t) * delta[s] for s in range(t, T)) for t in range(T)]
    return advantages, [advantages[t] + v[t] for t in range(T)]
""",
    },
    {
        "task": "reply_advantages",
        "right": True,
        "why": "a matrix of powers in numpy float64, then lists",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    r, v = np.array(rewards, dtype=float), np.array(values, dtype=float)
    delta = r - v
    delta[:-1] += gamma * v[1:]
    gap = np.arange(len(r))[None, :] - np.arange(len(r))[:, None]
    weights = np.where(gap >= 0, float(gamma * lam) ** np.maximum(gap, 0), 0.0)
    advantages = weights @ delta
    return advantages.tolist(), (advantages + v).tolist()
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "the last token's value stands for the one beyond the end: 'Beyond the end V and A are 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value, next_advantage = (values[-1] if values else 0.0), 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "gamma missing in A: 'gamma lambda A'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "gamma missing in delta: 'gamma V_(t+1)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + next_value - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "lambda missing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + gamma * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "returns are rewards to go: 'A_t + V_t'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return advantages, [sum(gamma ** (s - t) * rewards[s] for s in range(t, T)) for t in range(T)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "advantages are whitened, as trainers do: A is the recursion's",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    mean = sum(advantages) / max(T, 1)
    advantages = [a - mean for a in advantages]
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "forwards instead of backwards: 'From the last token to the first'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in range(T):
        delta = rewards[t] + gamma * (values[t + 1] if t + 1 < T else 0.0) - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "tensors: 'two lists of T floats'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return torch.tensor(advantages), torch.tensor(advantages) + torch.tensor(values)
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "appends 0 to values: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    values.append(0.0)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "the last token's advantage is never set (loop from T - 2)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    if T:
        next_value = values[-1]
    for t in reversed(range(max(T - 1, 0))):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return advantages, [a + v for a, v in zip(advantages, values)]
""",
    },
    {
        "task": "reply_advantages",
        "right": False,
        "why": "returns from the next value: 'A_t + V_t'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    T = len(rewards)
    advantages = [0.0] * T
    next_value = next_advantage = 0.0
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * next_value - values[t]
        next_advantage = delta + gamma * lam * next_advantage
        next_value = values[t]
        advantages[t] = next_advantage
    return advantages, [a + v for a, v in zip(advantages, values[1:] + [0.0])]
""",
    },
    # kl_estimates
    {
        "task": "kl_estimates",
        "right": True,
        "why": "in logarithms",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {
        "k1": (-log_x).mean().item(),
        "k2": (0.5 * log_x ** 2).mean().item(),
        "k3": (log_x.exp() - 1 - log_x).mean().item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "expm1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    d = log_probs - reference_log_probs
    return dict(k1=float(d.mean()), k2=float(d.square().mean() / 2), k3=float((torch.expm1(-d) + d).mean()))
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "Python loops with math",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    k1 = k2 = k3 = 0.0
    for ours, theirs in zip(log_probs.tolist(), reference_log_probs.tolist()):
        log_x = theirs - ours
        k1 -= log_x
        k2 += log_x * log_x / 2
        k3 += (math.exp(log_x) if log_x < 700 else math.inf) - 1 - log_x
    n = len(log_probs)
    return {"k1": k1 / n, "k2": k2 / n, "k3": k3 / n}
""",
    },
    {
        "task": "kl_estimates",
        "right": True,
        "why": "numpy, double",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    lx = np.subtract(reference_log_probs.detach().double().numpy(), log_probs.detach().double().numpy())
    terms = np.stack([-lx, lx * lx * 0.5, np.exp(lx) - 1.0 - lx])
    return {f"k{i}": value for i, value in enumerate(terms.mean(1).tolist(), start=1)}
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "through probabilities: 'so low that the probabilities themselves are rounded to 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = (reference_log_probs.exp() / log_probs.exp()).log()
    return {
        "k1": (-log_x).mean().item(),
        "k2": (0.5 * log_x ** 2).mean().item(),
        "k3": (log_x.exp() - 1 - log_x).mean().item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "the ratio the other way round: 'x = pi_ref / pi'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = log_probs - reference_log_probs
    return {
        "k1": (-log_x).mean().item(),
        "k2": (0.5 * log_x ** 2).mean().item(),
        "k3": (log_x.exp() - 1 - log_x).mean().item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "the half is missing in k2",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {
        "k1": (-log_x).mean().item(),
        "k2": (log_x ** 2).mean().item(),
        "k3": (log_x.exp() - 1 - log_x).mean().item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k3 from the mean of log x: k3 is a mean over tokens",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {
        "k1": (-log_x).mean().item(),
        "k2": (0.5 * log_x ** 2).mean().item(),
        "k3": (log_x.mean().exp() - 1 - log_x.mean()).item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k2 from the mean: 'the means of 1/2 (log x)^2'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {
        "k1": (-log_x).mean().item(),
        "k2": (0.5 * log_x.mean() ** 2).item(),
        "k3": (log_x.exp() - 1 - log_x).mean().item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k3 without -1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {
        "k1": (-log_x).mean().item(),
        "k2": (0.5 * log_x ** 2).mean().item(),
        "k3": (log_x.exp() - log_x).mean().item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "tensors: 'A dict of floats'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {
        "k1": (-log_x).mean(),
        "k2": (0.5 * log_x ** 2).mean(),
        "k3": (log_x.exp() - 1 - log_x).mean(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "sums: 'the means'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {
        "k1": (-log_x).sum().item(),
        "k2": (0.5 * log_x ** 2).sum().item(),
        "k3": (log_x.exp() - 1 - log_x).sum().item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "weighted by the probabilities: the tokens were drawn, the plain means are the estimates",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {
        "k1": (-log_x * log_probs.exp()).sum().item(),
        "k2": (0.5 * log_x ** 2).mean().item(),
        "k3": (log_x.exp() - 1 - log_x).mean().item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k3's sign of the logarithm: x - 1 + log x",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {
        "k1": (-log_x).mean().item(),
        "k2": (0.5 * log_x ** 2).mean().item(),
        "k3": (log_x.exp() - 1 + log_x).mean().item(),
    }
""",
    },
    {
        "task": "kl_estimates",
        "right": False,
        "why": "k1 cut at 0: k2 and k3 are never negative, k1 may be",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def kl_estimates(log_probs, reference_log_probs):
    log_x = reference_log_probs - log_probs
    return {
        "k1": max(0.0, (-log_x).mean().item()),
        "k2": (0.5 * log_x ** 2).mean().item(),
        "k3": (log_x.exp() - 1 - log_x).mean().item(),
    }
""",
    },
]
