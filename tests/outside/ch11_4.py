ANSWERS = []
_H = "import math\n\nimport torch\nimport torch.nn.functional as F\n\n\n"


def add(task, right, why, source):
    ANSWERS.append({"task": task, "right": right, "why": why, "source": _H + source.lstrip("\n")})


# ---------------------------------------------------------------- comparison_loss
add(
    "comparison_loss",
    True,
    "softplus, sum over votes",
    r"""
def comparison_loss(first, second, votes_first, votes_second):
    margin = first - second
    cost = votes_first * F.softplus(-margin) + votes_second * F.softplus(margin)
    return cost.sum() / (votes_first.sum() + votes_second.sum())
""",
)
add(
    "comparison_loss",
    True,
    "log_softmax over the two rewards, votes as a matrix, einsum",
    r"""
def comparison_loss(first, second, votes_first, votes_second):
    log_p = torch.stack([first, second]).log_softmax(dim=0)
    votes = torch.stack([votes_first, votes_second])
    return -torch.einsum("sn,sn->", votes / votes.sum(), log_p)
""",
)
add(
    "comparison_loss",
    True,
    "binary cross-entropy with the share of votes as a soft target, weighted with the votes",
    r"""
def comparison_loss(first, second, votes_first, votes_second):
    votes = votes_first + votes_second
    asked = votes > 0
    share = votes_first[asked] / votes[asked]
    loss = F.binary_cross_entropy_with_logits((first - second)[asked], share, weight=votes[asked], reduction="sum")
    return loss / votes.sum()
""",
)
add(
    "comparison_loss",
    False,
    "the mean of the pairs' means: each pair weighs the same ('the loss is the mean over all votes of all pairs')",
    r"""
def comparison_loss(first, second, votes_first, votes_second):
    margin = first - second
    votes = votes_first + votes_second
    asked = votes > 0
    cost = -(votes_first * F.logsigmoid(margin) + votes_second * F.logsigmoid(-margin))
    return (cost[asked] / votes[asked]).mean()
""",
)
add(
    "comparison_loss",
    False,
    "the second probability as log(1 - sigmoid): infinite at a large margin, and NaN with 0 votes ('It must stay finite')",
    r"""
def comparison_loss(first, second, votes_first, votes_second):
    log_yes = F.logsigmoid(first - second)
    log_no = torch.log(1 - torch.sigmoid(first - second))
    total = (votes_first + votes_second).sum()
    return -(votes_first * log_yes + votes_second * log_no).sum() / total
""",
)
add(
    "comparison_loss",
    False,
    "finite by clamping the probability at 1e-7: a vote against a margin of 100 costs 16, not 100, without gradient ('Each vote costs minus the logarithm of its probability')",
    r"""
def comparison_loss(first, second, votes_first, votes_second):
    p = torch.sigmoid(first - second)
    cost = votes_first * p.clamp(min=1e-7).log() + votes_second * (1 - p).clamp(min=1e-7).log()
    return -cost.sum() / (votes_first + votes_second).sum()
""",
)
add(
    "comparison_loss",
    False,
    "a pair without votes gives 0/0; nansum hides it in the value, but the gradient of that pair is NaN ('A pair without votes does not count', 'The gradient must flow to the rewards')",
    r"""
def comparison_loss(first, second, votes_first, votes_second):
    votes = votes_first + votes_second
    margin = first - second
    share = votes_first / votes
    cost = share * F.softplus(-margin) + (1 - share) * F.softplus(margin)
    return torch.nansum(cost * votes) / votes.sum()
""",
)
add(
    "comparison_loss",
    False,
    "the second reward is detached: no gradient flows to it ('The gradient must flow to the rewards')",
    r"""
def comparison_loss(first, second, votes_first, votes_second):
    margin = first - second.detach()
    cost = torch.logaddexp(torch.zeros_like(margin), -margin) * votes_first
    cost = cost + torch.logaddexp(torch.zeros_like(margin), margin) * votes_second
    return cost.sum() / (votes_first + votes_second).sum()
""",
)
add(
    "comparison_loss",
    False,
    "a vote for and a vote against the same pair cancel, at ln 2 each; only the lead pays by the rewards ('Each vote costs minus the logarithm of its probability')",
    r"""
def comparison_loss(first, second, votes_first, votes_second):
    lead = votes_first - votes_second
    margin = (first - second) * lead.sign()
    cost = lead.abs() * F.softplus(-margin)
    tied = torch.minimum(votes_first, votes_second)
    cost = cost + tied * 2 * math.log(2)
    return cost.sum() / (votes_first + votes_second).sum()
""",
)

# ---------------------------------------------------------------- dpo_comparison_loss
add(
    "dpo_comparison_loss",
    True,
    "where before the sum, chunk, logsigmoid",
    r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    ratio = torch.where(completion_mask, log_probs - reference_log_probs, 0.0)
    reward = ratio.sum(-1) / completion_mask.sum(-1)
    chosen, rejected = reward.chunk(2)
    return -F.logsigmoid(beta * (chosen - rejected)).mean()
""",
)
add(
    "dpo_comparison_loss",
    True,
    "row by row with boolean indexing; softplus",
    r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    rewards = []
    for policy, reference, mask in zip(log_probs, reference_log_probs, completion_mask):
        rewards.append(beta * (policy[mask] - reference[mask]).mean())
    n = len(rewards) // 2
    losses = [F.softplus(lost - won) for won, lost in zip(rewards[:n], rewards[n:])]
    return sum(losses) / n
""",
)
add(
    "dpo_comparison_loss",
    False,
    "multiplies with the mask: NaN or infinity at padding spreads ('Whatever numbers stand at the others, they do not matter')",
    r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    mask = completion_mask.to(log_probs.dtype)
    reward = ((log_probs - reference_log_probs) * mask).sum(1) / mask.sum(1)
    n = reward.shape[0] // 2
    return -F.logsigmoid(beta * (reward[:n] - reward[n:])).mean()
""",
)
add(
    "dpo_comparison_loss",
    False,
    "chosen and rejected taken in turn, rows 0, 2, ... and 1, 3, ... ('the N chosen replies, then the N rejected ones'); right for one pair",
    r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    ratio = (log_probs - reference_log_probs).masked_fill(~completion_mask, 0.0)
    reward = ratio.sum(1) / completion_mask.sum(1)
    margin = beta * (reward[0::2] - reward[1::2])
    return -F.logsigmoid(margin).mean()
""",
)
add(
    "dpo_comparison_loss",
    False,
    "the reply is taken to stand at the left: the first n positions of a row with n tokens ('True where a token belongs to the reply')",
    r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    lengths = completion_mask.sum(1).tolist()
    reward = torch.stack([(log_probs[i, :length] - reference_log_probs[i, :length]).mean()
                          for i, length in enumerate(lengths)])
    chosen, rejected = reward.split(len(reward) // 2)
    return -F.logsigmoid(beta * (chosen - rejected)).mean()
""",
)
add(
    "dpo_comparison_loss",
    False,
    "the margin is clamped to 30: finite, but a pair at -100 costs 30 and has no gradient ('The loss is the mean over the pairs', '-log sigmoid'; 'The gradient must flow')",
    r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    ratio = torch.where(completion_mask, log_probs - reference_log_probs, torch.zeros_like(log_probs))
    reward = ratio.sum(1) / completion_mask.sum(1)
    chosen, rejected = reward.chunk(2)
    margin = (beta * (chosen - rejected)).clamp(-30, 30)
    return -torch.log(torch.sigmoid(margin)).mean()
""",
)
add(
    "dpo_comparison_loss",
    False,
    "writes zeros at the padding of the caller's reference_log_probs ('A function leaves its arguments as they are')",
    r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    reference_log_probs[~completion_mask] = 0.0
    policy = log_probs.masked_fill(~completion_mask, 0.0)
    length = completion_mask.sum(dim=1)
    reward = policy.sum(dim=1) / length - reference_log_probs.sum(dim=1) / length
    chosen, rejected = reward.chunk(2)
    return F.softplus(-beta * (chosen - rejected)).mean()
""",
)
add(
    "dpo_comparison_loss",
    False,
    "the log-ratios are summed, then divided by the mean length of all chosen, or all rejected, replies: right for one pair ('Take the mean over the tokens of the reply')",
    r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    n = len(log_probs) // 2
    ratio = torch.where(completion_mask, log_probs - reference_log_probs, 0.0).sum(1)
    count = completion_mask.float().sum(1)
    chosen = ratio[:n] / count[:n].mean()
    rejected = ratio[n:] / count[n:].mean()
    return -F.logsigmoid(beta * (chosen - rejected)).mean()
""",
)
add(
    "dpo_comparison_loss",
    False,
    "the margins are averaged before logsigmoid: right for one pair ('The loss is the mean over the pairs')",
    r"""
def dpo_comparison_loss(log_probs, reference_log_probs, completion_mask, beta=5.0):
    ratio = torch.where(completion_mask, log_probs - reference_log_probs, 0.0)
    reward = ratio.sum(1) / completion_mask.sum(1)
    chosen, rejected = reward.chunk(2)
    return F.softplus(-beta * (chosen.mean() - rejected.mean()))
""",
)

# ---------------------------------------------------------------- group_relative
add(
    "group_relative",
    True,
    "a matrix of who shares a prompt, without the diagonal",
    r"""
def group_relative(rewards, prompts):
    others = prompts[:, None] == prompts[None, :]
    others = others & ~torch.eye(len(prompts), dtype=torch.bool, device=prompts.device)
    number = others.sum(1)
    mean = (others.to(rewards.dtype) @ rewards) / number.clamp(min=1)
    return torch.where(number > 0, rewards - mean, torch.zeros_like(rewards))
""",
)
add(
    "group_relative",
    True,
    "unique with inverse, bincount and index_add; n / (n - 1) times the distance to the whole mean",
    r"""
def group_relative(rewards, prompts):
    _, group, size = torch.unique(prompts, return_inverse=True, return_counts=True)
    total = rewards.new_zeros(len(size)).index_add(0, group, rewards)
    n = size[group].to(rewards.dtype)
    away = rewards - total[group] / n
    return torch.where(n > 1, away * n / (n - 1).clamp(min=1), 0.0)
""",
)
add(
    "group_relative",
    False,
    "the others are those with another reward: replies that earned the same are left out ('the mean reward of the others in the group')",
    r"""
def group_relative(rewards, prompts):
    result = torch.zeros_like(rewards)
    for i, (reward, prompt) in enumerate(zip(rewards.tolist(), prompts.tolist())):
        group = rewards[prompts == prompt].tolist()
        others = [other for other in group if other != reward]
        if others:
            result[i] = reward - sum(others) / len(others)
    return result
""",
)
add(
    "group_relative",
    False,
    "groups of two count as alone and get 0 (off by one; 'A reply that is the only one to its prompt')",
    r"""
def group_relative(rewards, prompts):
    result = torch.zeros_like(rewards)
    for prompt in prompts.unique():
        here = prompts == prompt
        others = here.sum() - 1
        if others > 1:
            group = rewards[here]
            result[here] = group - (group.sum() - group) / others
    return result
""",
)
add(
    "group_relative",
    False,
    "sorts by prompt and puts back with the same permutation, not its inverse ('replies in any order'; the example's permutation is its own inverse)",
    r"""
def group_relative(rewards, prompts):
    order = torch.argsort(prompts, stable=True)
    parts = []
    _, sizes = torch.unique_consecutive(prompts[order], return_counts=True)
    for group in rewards[order].split(sizes.tolist()):
        n = len(group)
        parts.append(group - (group.sum() - group) / (n - 1) if n > 1 else torch.zeros_like(group))
    return torch.cat(parts)[order]
""",
)
add(
    "group_relative",
    False,
    "counts the replies of a group by their rewards that are not 0: a reply that earned 0 is not counted ('the mean reward of the others in the group')",
    r"""
def group_relative(rewards, prompts):
    same = prompts[:, None] == prompts
    same.fill_diagonal_(False)
    earned = same * rewards
    mean = earned.sum(1) / (earned != 0).sum(1).clamp(min=1)
    return torch.where(same.any(1), rewards - mean, torch.zeros_like(rewards))
""",
)
add(
    "group_relative",
    False,
    "the advantages are written into the caller's rewards ('A function leaves its arguments as they are')",
    r"""
def group_relative(rewards, prompts):
    same = (prompts.unsqueeze(0) == prompts.unsqueeze(1)).to(rewards.dtype)
    n = same.sum(1)
    baseline = (same @ rewards - rewards) / (n - 1).clamp(min=1)
    rewards -= baseline
    rewards[n == 1] = 0
    return rewards
""",
)
add(
    "group_relative",
    None,
    "prompt ids are put into a float matrix: two ids above 2**24 may become one (allowed by 'whole numbers', but far out)",
    r"""
def group_relative(rewards, prompts):
    p = prompts.to(torch.float32)
    same = (p[:, None] == p).to(rewards.dtype)
    n = same.sum(1)
    mean = (same @ rewards - rewards) / (n - 1).clamp(min=1)
    return torch.where(n > 1, rewards - mean, torch.zeros_like(rewards))
""",
)

# ---------------------------------------------------------------- reinforce_gradient
add(
    "reinforce_gradient",
    True,
    "log_softmax, one-hot, einsum",
    r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p, log_q = logits.log_softmax(0), old_logits.log_softmax(0)
    ratio = (log_p[arms] - log_q[arms]).exp()
    score = F.one_hot(arms, len(logits)).to(log_p.dtype) - log_p.exp()
    return torch.einsum("n,nk->k", ratio * (rewards - baseline), score) / len(arms)
""",
)
add(
    "reinforce_gradient",
    True,
    "autograd of the mean of ratio times advantage, on copies",
    r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    with torch.enable_grad():
        z = logits.detach().clone().requires_grad_(True)
        log_ratio = F.log_softmax(z, dim=-1)[arms] - F.log_softmax(old_logits.detach(), dim=-1)[arms]
        gain = (log_ratio.exp() * (rewards.detach() - baseline)).mean()
        (gradient,) = torch.autograd.grad(gain, z)
    return gradient
""",
)
add(
    "reinforce_gradient",
    True,
    "weights gathered by arm with index_add, probabilities taken off at once",
    r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p = logits - torch.logsumexp(logits, 0)
    log_q = old_logits - torch.logsumexp(old_logits, 0)
    weight = torch.exp(log_p - log_q)[arms] * (rewards - baseline) / arms.numel()
    by_arm = torch.zeros_like(logits).index_add(0, arms, weight)
    return by_arm - weight.sum() * torch.exp(log_p)
""",
)
add(
    "reinforce_gradient",
    False,
    "self-normalised: divided by the sum of the ratios instead of N (in the example they add up to N; '1/N')",
    r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p = logits.log_softmax(0)
    ratio = (log_p - old_logits.log_softmax(0))[arms].exp()
    weight = ratio / ratio.sum() * (rewards - baseline)
    score = torch.eye(len(logits), dtype=logits.dtype)[arms] - log_p.exp()
    return weight @ score
""",
)
add(
    "reinforce_gradient",
    False,
    "adds by index assignment: of several pulls of one arm only one is added (the sum over all pulls n)",
    r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p = F.log_softmax(logits, dim=0)
    log_q = F.log_softmax(old_logits, dim=0)
    weight = torch.exp(log_p[arms] - log_q[arms]) * (rewards - baseline)
    gradient = -weight.sum() * log_p.exp()
    gradient[arms] += weight
    return gradient / len(arms)
""",
)
add(
    "reinforce_gradient",
    False,
    "p / (q + 1e-8): where q is rounded to 0 the ratio is 0 or far too small ('probabilities so small that they are rounded to 0')",
    r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    p, q = torch.softmax(logits, 0), torch.softmax(old_logits, 0)
    ratio = p[arms] / (q[arms] + 1e-8)
    score = F.one_hot(arms, p.numel()) - p
    return (ratio * (rewards - baseline)).unsqueeze(1).mul(score).mean(0)
""",
)
add(
    "reinforce_gradient",
    False,
    "a baseline of 0 is taken for none given, and the mean reward is used ('b is a baseline', the default 0.0 is taken off as it is)",
    r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    advantage = rewards - (baseline or rewards.mean())
    log_p = logits.log_softmax(-1)
    ratio = (log_p - old_logits.log_softmax(-1))[arms].exp()
    score = F.one_hot(arms, logits.shape[0]) - log_p.exp()
    return ((ratio * advantage)[:, None] * score).mean(0)
""",
)
add(
    "reinforce_gradient",
    False,
    "takes the maximum off the caller's logits in place ('A function leaves its arguments as they are')",
    r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    def log_softmax(z):
        z -= z.max()
        return z - z.exp().sum().log()

    log_p, log_q = log_softmax(logits), log_softmax(old_logits)
    weight = (log_p - log_q)[arms].exp() * (rewards - baseline)
    one_hot = torch.zeros(len(arms), len(log_p), dtype=log_p.dtype)
    one_hot[torch.arange(len(arms)), arms] = 1
    return (weight[:, None] * (one_hot - log_p.exp())).sum(0) / len(arms)
""",
)
add(
    "reinforce_gradient",
    False,
    "ratios are bounded at 10, as one does against wild weights ('Each pull is weighted with the ratio')",
    r"""
def reinforce_gradient(logits, old_logits, arms, rewards, baseline=0.0):
    log_p = logits.log_softmax(0)
    ratio = (log_p - old_logits.log_softmax(0))[arms].exp().clamp(max=10.0)
    score = F.one_hot(arms, len(logits)) - log_p.exp()
    return ((ratio * (rewards - baseline))[:, None] * score).mean(0)
""",
)

# ---------------------------------------------------------------- clipped_loss
add(
    "clipped_loss",
    True,
    "picks the tokens first; sum over max(count, 1)",
    r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    new, old, A = log_probs[attention_mask], old_log_probs[attention_mask], advantages[attention_mask]
    ratio = torch.exp(new - old)
    gain = torch.minimum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    gain = torch.where(A < 0, torch.maximum(gain, most * A), gain)
    return -gain.sum() / max(gain.numel(), 1)
""",
)
add(
    "clipped_loss",
    True,
    "keeps the shape, masks before exp; one clamp whose bounds depend on the sign: up to 1 + clip for good tokens, from 1 - clip to most for bad ones",
    r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    log_ratio = (log_probs - old_log_probs).masked_fill(~attention_mask, 0.0)
    A = advantages.masked_fill(~attention_mask, 0.0)
    zeros = torch.zeros_like(A)
    low = torch.where(A < 0, zeros + (1 - clip), zeros)
    high = torch.where(A < 0, zeros + most, zeros + (1 + clip))
    ratio = torch.minimum(torch.maximum(log_ratio.exp(), low), high)
    return -(ratio * A).sum() / attention_mask.sum().clamp(min=1)
""",
)
add(
    "clipped_loss",
    False,
    "masks after exp: the value is right, but numbers at the others that overflow make the gradient NaN ('Whatever numbers stand at the others, they do not matter')",
    r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    ratio = (log_probs - old_log_probs).exp()
    gain = torch.min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    gain = torch.where(advantages < 0, torch.max(gain, most * advantages), gain)
    gain = torch.where(attention_mask, gain, torch.zeros_like(gain))
    return -gain.sum() / attention_mask.sum().clamp(min=1)
""",
)
add(
    "clipped_loss",
    False,
    "without tokens a fresh 0 that hangs on nothing: backward fails ('0, computed from log_probs like any other loss')",
    r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    if not attention_mask.any():
        return torch.tensor(0.0)
    ratio = torch.exp(log_probs[attention_mask] - old_log_probs[attention_mask])
    A = advantages[attention_mask]
    gain = torch.min(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    gain = torch.where(A < 0, torch.max(gain, most * A), gain)
    return -gain.mean()
""",
)
add(
    "clipped_loss",
    False,
    "the mean of the rows' means ('the mean over all tokens that take part')",
    r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    zero = torch.zeros_like(log_probs)
    ratio = torch.where(attention_mask, log_probs - old_log_probs, zero).exp()
    A = torch.where(attention_mask, advantages, zero)
    gain = torch.minimum(ratio * A, torch.clamp(ratio, 1 - clip, 1 + clip) * A)
    gain = torch.where(A < 0, torch.maximum(gain, most * A), gain)
    number = attention_mask.sum(1)
    rows = (number > 0).sum().clamp(min=1)
    return -(gain.sum(1) / number.clamp(min=1)).sum() / rows
""",
)
add(
    "clipped_loss",
    False,
    "no lower bound: a bad token of ratio 0.5 is not clipped at 1 - epsilon ('clip: epsilon, the bound of the ratio on both sides of 1')",
    r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    ratio = (log_probs[attention_mask] - old_log_probs[attention_mask]).exp()
    A = advantages[attention_mask]
    gain = torch.min(ratio * A, ratio.clamp(max=1 + clip) * A)
    gain = torch.where(A < 0, torch.max(gain, most * A), gain)
    return -gain.sum() / max(len(gain), 1)
""",
)
add(
    "clipped_loss",
    False,
    "without tokens (log_probs * 0).sum(): NaN if NaN or infinity stand at the others ('they do not matter', 'If none takes part: 0')",
    r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    if attention_mask.sum() == 0:
        return (log_probs * 0).sum()
    A = advantages[attention_mask]
    ratio = (log_probs[attention_mask] - old_log_probs[attention_mask]).exp()
    gain = torch.min(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    gain = torch.where(A < 0, torch.max(gain, most * A), gain)
    return -gain.mean()
""",
)
add(
    "clipped_loss",
    False,
    "the ratio is bounded in logs, from -log(1 + eps) to log(1 + eps): the lower bound is 1 / (1 + eps) ('clip(rho, 1 - eps, 1 + eps)')",
    r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    d = log_probs[attention_mask] - old_log_probs[attention_mask]
    A = advantages[attention_mask]
    bound = math.log1p(clip)
    gain = torch.minimum(d.exp() * A, d.clamp(-bound, bound).exp() * A)
    gain = torch.where(A < 0, torch.maximum(gain, most * A), gain)
    return -gain.sum() / max(A.numel(), 1)
""",
)
add(
    "clipped_loss",
    False,
    "the second bound is c times the mean |A| of the batch, not c times the token's own A: right where all |A| are equal ('the gain is max(g, c A)')",
    r"""
def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2, most=3.0):
    A = advantages[attention_mask]
    ratio = (log_probs[attention_mask] - old_log_probs[attention_mask]).exp()
    gain = torch.minimum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A)
    if A.numel():
        gain = gain.clamp(min=-most * A.abs().mean().item())
    return -gain.sum() / max(A.numel(), 1)
""",
)
