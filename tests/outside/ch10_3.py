"""Answers to chapter 10, written from its page alone: the third round."""

ANSWERS = [
    # chat_text
    {
        "task": "chat_text",
        "right": True,
        "why": "accumulates a string, checks each text as it comes",
        "source": r"""
def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if text.find("<end>") >= 0:
            raise ValueError("a text must not hold <end>")
        out = out + "<" + role + ">" + text + "<end>" + "\n"
    if open_answer:
        out += "<bot>"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": True,
        "why": "validates all first, then one join; percent formatting; split instead of in",
        "source": r"""
def chat_text(turns, open_answer=False):
    turns = list(turns)
    if any(len(t.split("<end>")) > 1 for _, t in turns):
        raise ValueError("end mark inside a text")
    lines = ["<%s>%s<end>\n" % (r, t) for r, t in turns] + ["<bot>"] * bool(open_answer)
    return "".join(lines)
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "strips the texts: breaks 'Every text stands as it is, blanks and line breaks included'",
        "source": r"""
def chat_text(turns, open_answer=False):
    out = []
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("<end>")
        out.append(f"<{role}>{text.strip()}<end>\n")
    return "".join(out) + ("<bot>" if open_answer else "")
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "no <bot> for a conversation without turns: breaks 'If an answer is wanted, <bot> follows' (there may be no turns)",
        "source": r"""
def chat_text(turns, open_answer=False):
    if not turns:
        return ""
    for _, text in turns:
        if "<end>" in text:
            raise ValueError("<end> in a text")
    s = "".join(f"<{role}>{text}<end>\n" for role, text in turns)
    return s + "<bot>" if open_answer else s
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "looks only at users' texts: breaks 'ValueError: a text that holds <end>' (any text)",
        "source": r"""
def chat_text(turns, open_answer=False):
    s = ""
    for role, text in turns:
        if role == "user" and "<end>" in text:
            raise ValueError("injection")
        s += f"<{role}>{text}<end>\n"
    if open_answer:
        s += "<bot>"
    return s
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "raises for <END> too, which is not <end>: 'Every text stands as it is', ValueError only for a text that holds \"<end>\"",
        "source": r"""
def chat_text(turns, open_answer=False):
    s = ""
    for role, text in turns:
        if "<end>" in text.lower():
            raise ValueError("injection")
        s += f"<{role}>{text}<end>\n"
    if open_answer:
        s += "<bot>"
    return s
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "opens the answer only if the last turn is not the bot's: breaks 'If an answer is wanted, <bot> follows'",
        "source": r"""
def chat_text(turns, open_answer=False):
    s, last = "", None
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("injection")
        s += f"<{role}>{text}<end>\n"
        last = role
    if open_answer and last != "bot":
        s += "<bot>"
    return s
""",
    },
    # answer_labels
    {
        "task": "answer_labels",
        "right": True,
        "why": "full of -100, then boolean assignment",
        "source": """
import torch
def answer_labels(ids, answer):
    nxt, take = ids[:, 1:], answer[:, 1:]
    labels = torch.full_like(nxt, -100)
    labels[take] = nxt[take]
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "arithmetic with a 0/1 mask of the same type",
        "source": """
import torch
def answer_labels(ids, answer):
    m = answer.to(ids.dtype)
    shifted_ids = torch.roll(ids, -1, dims=1)
    shifted_m = torch.roll(m, -1, dims=1)
    labels = shifted_ids * shifted_m - 100 * (1 - shifted_m)
    return labels[:, :-1]
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "python lists and loops, back to the type of ids",
        "source": """
import torch
def answer_labels(ids, answer):
    rows = []
    for row, flags in zip(ids.tolist(), answer.tolist()):
        rows.append([tok if flag else -100 for tok, flag in zip(row[1:], flags[1:])])
    return torch.tensor(rows, dtype=ids.dtype, device=ids.device)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "mask of position t instead of t + 1: breaks 'at t the token t + 1 where that is part of an answer'",
        "source": """
import torch
def answer_labels(ids, answer):
    return ids[:, 1:].masked_fill(~answer[:, :-1], -100)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "writes -100 into ids (a view): 'A function leaves its arguments as they are'",
        "source": """
import torch
def answer_labels(ids, answer):
    labels = ids[:, 1:]
    labels[~answer[:, 1:]] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "always int64: breaks 'of the element type of ids'",
        "source": """
import torch
def answer_labels(ids, answer):
    return torch.where(answer[:, 1:], ids[:, 1:].long(), torch.tensor(-100))
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "token 0 inside an answer becomes -100: breaks 'the token t + 1 where that is part of an answer'",
        "source": """
import torch
def answer_labels(ids, answer):
    labels = ids[:, 1:] * answer[:, 1:].to(ids.dtype)
    labels[labels == 0] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "the first token of an answer is not learned (needs both t and t + 1 in an answer)",
        "source": """
import torch
def answer_labels(ids, answer):
    both = answer[:, 1:] & answer[:, :-1]
    return torch.where(both, ids[:, 1:], torch.full_like(ids[:, 1:], -100))
""",
    },
    # packing_mask
    {
        "task": "packing_mask",
        "right": True,
        "why": "three loops",
        "source": """
import torch
def packing_mask(segments):
    B, T = segments.shape
    seg = segments.tolist()
    out = torch.zeros(B, T, T, dtype=torch.bool)
    for b in range(B):
        for t in range(T):
            for s in range(t + 1):
                if seg[b][t] != 0 and seg[b][t] == seg[b][s]:
                    out[b, t, s] = True
    return out
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "einsum of one-hot segments without the column of the padding",
        "source": """
import torch
import torch.nn.functional as F
def packing_mask(segments):
    hot = F.one_hot(segments.long())[..., 1:].float()
    same = torch.einsum("bti,bsi->bts", hot, hot) > 0.5
    return torch.tril(same)
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "broadcasting with positions, key mask only (0 == 0 falls with the key)",
        "source": """
import torch
def packing_mask(segments):
    pos = torch.arange(segments.shape[1], device=segments.device)
    same = segments.unsqueeze(2).eq(segments.unsqueeze(1))
    return same & segments.ne(0).unsqueeze(1) & (pos[:, None] >= pos[None, :])
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "padding sees padding: breaks 'Padding looks at nothing'",
        "source": """
import torch
def packing_mask(segments):
    same = segments[:, :, None] == segments[:, None, :]
    return same.tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "takes padding to stand at the end: breaks 'padding, which may stand anywhere'",
        "source": """
import torch
def packing_mask(segments):
    B, T = segments.shape
    n = (segments > 0).sum(1)
    real = torch.arange(T)[None] < n[:, None]
    same = segments[:, :, None] == segments[:, None, :]
    return (same & real[:, :, None] & real[:, None, :]).tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "numbers the runs anew, so an example with padding in its midst is cut in two: breaks 'both belong to the same example'",
        "source": """
import torch
def packing_mask(segments):
    change = torch.zeros_like(segments)
    change[:, 1:] = (segments[:, 1:] != segments[:, :-1]).to(segments.dtype)
    run = change.cumsum(1)
    real = segments > 0
    same = run[:, :, None] == run[:, None, :]
    return (same & real[:, :, None] & real[:, None, :]).tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "returns int instead of bool: '(B, T, T) bool'",
        "source": """
import torch
def packing_mask(segments):
    same = (segments[:, :, None] == segments[:, None, :]) & (segments[:, :, None] > 0)
    return same.int().tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "a later example may look at earlier ones (>=): breaks 'both belong to the same example'; right if a row has one example",
        "source": """
import torch
def packing_mask(segments):
    ok = (segments[:, :, None] >= segments[:, None, :]) & (segments[:, None, :] > 0) & (segments[:, :, None] > 0)
    return ok.tril()
""",
    },
    # answer_loss
    {
        "task": "answer_loss",
        "right": True,
        "why": "cross_entropy with ignore_index, sum over a count of at least 1",
        "source": """
import torch
import torch.nn.functional as F
def answer_loss(logits, ids, answer):
    target = ids[:, 1:].long().masked_fill(~answer[:, 1:], -100)
    total = F.cross_entropy(logits[:, :-1].flatten(0, 1), target.flatten(), reduction="sum", ignore_index=-100)
    return total / max(int(answer[:, 1:].sum()), 1)
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "selects the positions first, logsumexp less the logit of the token",
        "source": """
import torch
def answer_loss(logits, ids, answer):
    b, t = torch.nonzero(answer[:, 1:], as_tuple=True)
    scores = logits[b, t]                                   # (n, V)
    said = scores[torch.arange(len(b)), ids[b, t + 1]]
    cost = torch.logsumexp(scores, dim=-1) - said
    return cost.sum() / max(len(b), 1)
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "loops over positions, zero from an empty slice of the logits",
        "source": """
import torch
def answer_loss(logits, ids, answer):
    B, T, V = logits.shape
    loss, count = logits[:, :0].sum(), 0
    for b in range(B):
        for t in range(1, T):
            if bool(answer[b, t]):
                loss = loss - torch.log_softmax(logits[b, t - 1], 0)[ids[b, t]]
                count += 1
    return loss / count if count else loss
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "the first token counts in the denominator: breaks 'The first token of a row is not predicted, and never counts'",
        "source": """
import torch
def answer_loss(logits, ids, answer):
    lp = torch.log_softmax(logits[:, :-1], -1).gather(-1, ids[:, 1:, None])[..., 0]
    cost = -torch.where(answer[:, 1:], lp, torch.zeros_like(lp)).sum()
    return cost / answer.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "mean of each row, then over rows: breaks 'the mean cost ... over the whole batch'",
        "source": """
import torch
def answer_loss(logits, ids, answer):
    m = answer[:, 1:].to(logits.dtype)
    lp = torch.log_softmax(logits[:, :-1], -1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    per_row = -(lp * m).sum(1) / m.sum(1).clamp(min=1)
    rows = (m.sum(1) > 0).sum().clamp(min=1)
    return per_row.sum() / rows
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "a constant 0 without graph if no token counts: breaks '0, computed from the logits ..., so that their gradient is 0, too'",
        "source": """
import torch
import torch.nn.functional as F
def answer_loss(logits, ids, answer):
    m = answer[:, 1:]
    if not m.any():
        return torch.tensor(0.0)
    return F.cross_entropy(logits[:, :-1][m], ids[:, 1:][m])
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "log of softmax: breaks 'Large logits must not overflow' (log 0 = -inf)",
        "source": """
import torch
def answer_loss(logits, ids, answer):
    m = answer[:, 1:]
    p = torch.softmax(logits[:, :-1], -1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    return -torch.log(p[m]).sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "F.cross_entropy's mean is NaN when every label is -100: 'If no token counts: 0'",
        "source": """
import torch
import torch.nn.functional as F
def answer_loss(logits, ids, answer):
    labels = torch.where(answer[:, 1:], ids[:, 1:], torch.full_like(ids[:, 1:], -100))
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), labels.reshape(-1), ignore_index=-100)
""",
    },
    # shown_so_far
    {
        "task": "shown_so_far",
        "right": True,
        "why": "find, then the longest suffix that is a prefix of the stop",
        "source": """
def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at != -1:
            out.append(text[:at])
            break
        hold = 0
        for n in range(min(len(text), len(stop) - 1), 0, -1):
            if text.endswith(stop[:n]):
                hold = n
                break
        out.append(text[:len(text) - hold])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "Knuth-Morris-Pratt, letter by letter",
        "source": """
def shown_so_far(pieces, stop):
    fail, k = [0] * len(stop), 0
    for i in range(1, len(stop)):
        while k and stop[i] != stop[k]:
            k = fail[k - 1]
        if stop[i] == stop[k]:
            k += 1
        fail[i] = k
    seen, state, out = [], 0, []
    for piece in pieces:
        for letter in piece:
            seen.append(letter)
            while state and letter != stop[state]:
                state = fail[state - 1]
            if letter == stop[state]:
                state += 1
            if state == len(stop):
                out.append("".join(seen[:len(seen) - state]))
                return out
        out.append("".join(seen[:len(seen) - state]))
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "one regular expression, the earliest start of an open end by a search",
        "source": r"""
import re
def shown_so_far(pieces, stop):
    open_end = re.compile("(?:" + "|".join(re.escape(stop[:n]) for n in range(len(stop), 0, -1)) + r")\Z")
    shown, text = [], ""
    for piece in pieces:
        text = text + piece
        if stop in text:
            return shown + [text.split(stop, 1)[0]]
        found = open_end.search(text)
        shown.append(text[:found.start()] if found else text)
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "holds back the shortest open end: breaks 'everything, except for an end that could still become the stop string' (stop 'aab', text 'xaa')",
        "source": """
def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            out.append(text[:text.index(stop)])
            return out
        hold = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hold = n
                break
        out.append(text[:len(text) - hold])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "an end of len(stop) - 1 letters is shown (range one short)",
        "source": """
def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            return out + [text[:text.index(stop)]]
        hold = max([n for n in range(1, len(stop) - 1) if text.endswith(stop[:n])], default=0)
        out.append(text[:len(text) - hold])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "shows the open end when the pieces run out: breaks 'An end that is still open when the pieces run out stays hidden'",
        "source": """
def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            return out + [text[:text.index(stop)]]
        hold = max([n for n in range(1, len(stop)) if text.endswith(stop[:n])], default=0)
        out.append(text[:len(text) - hold])
    if out:
        out[-1] = text
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "counts matched letters and starts again at a mismatch without falling back: stop 'aab' in 'aaab' is missed",
        "source": """
def shown_so_far(pieces, stop):
    text, n, out = "", 0, []
    for piece in pieces:
        for letter in piece:
            text += letter
            if letter == stop[n]:
                n += 1
            else:
                n = 1 if letter == stop[0] else 0
            if n == len(stop):
                out.append(text[:-n])
                return out
        out.append(text[:len(text) - n])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "empty pieces are passed over: 'the whole text that is shown after each piece that is read', a piece may be empty",
        "source": """
def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        if not piece:
            continue
        text += piece
        if stop in text:
            return out + [text[:text.index(stop)]]
        hold = max([n for n in range(1, len(stop)) if text.endswith(stop[:n])], default=0)
        out.append(text[:len(text) - hold])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "cuts at the last stop string instead of the first: 'the text ends before it' (two stops in one piece)",
        "source": """
def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        at = text.rfind(stop)
        if at >= 0:
            return out + [text[:at]]
        hold = max([n for n in range(1, len(stop)) if text.endswith(stop[:n])], default=0)
        out.append(text[:len(text) - hold])
    return out
""",
    },
    # few_shot_prompt
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "tries the largest number first and goes down",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    for n in range(len(solved), -1, -1):
        prompt = "".join("Q: {}\nA: {}\n".format(q, a) for q, a in solved[:n]) + "Q: {}\nA:".format(question)
        if len(prompt.split()) <= max_words:
            return prompt
    raise ValueError("the question is too long")
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "keeps a budget of words",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    tail = f"Q: {question}\nA:"
    left = max_words - len(tail.split())
    if left < 0:
        raise ValueError("too long")
    head = []
    for q, a in solved:
        left -= 2 + len(q.split()) + len(a.split())
        if left < 0:
            break
        head += ["Q: " + q, "A: " + a]
    return "\n".join(head + [tail])
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "passes over an example that does not fit and takes later ones: 'until the next one does not fit'",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    used = len(end.split())
    if used > max_words:
        raise ValueError("too long")
    out = ""
    for q, a in solved:
        block = f"Q: {q}\nA: {a}\n"
        n = len(block.split())
        if used + n <= max_words:
            out += block
            used += n
    return out + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "< for <=: the prompt may have max_words words",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("too long")
    out = ""
    for q, a in solved:
        longer = out + f"Q: {q}\nA: {a}\n"
        if len((longer + end).split()) < max_words:
            out = longer
        else:
            break
    return out + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "counts with split(' '): 'text.split() says what a word is' (line breaks, double blanks)",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    def words(text):
        return len(text.split(" "))
    end = f"Q: {question}\nA:"
    if words(end) > max_words:
        raise ValueError("too long")
    out = ""
    for q, a in solved:
        longer = out + f"Q: {q}\nA: {a}\n"
        if words(longer + end) > max_words:
            break
        out = longer
    return out + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "no error: 'ValueError: the question alone is too long'",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    out = ""
    for q, a in solved:
        longer = out + f"Q: {q}\nA: {a}\n"
        if len((longer + end).split()) > max_words:
            break
        out = longer
    return out + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "keeps the last examples that fit: 'The examples are taken from the first one on'; same result when all fit",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("too long")
    blocks = [f"Q: {q}\nA: {a}\n" for q, a in solved]
    while blocks and len(("".join(blocks) + end).split()) > max_words:
        blocks.pop(0)
    return "".join(blocks) + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "raises only when even 'Q:' and 'A:' do not fit (forgets the words of the mark 'A:'): a question that is one word too long passes",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    if len(f"Q: {question}".split()) > max_words:
        raise ValueError("too long")
    out, end = "", f"Q: {question}\nA:"
    for q, a in solved:
        longer = out + f"Q: {q}\nA: {a}\n"
        if len((longer + end).split()) > max_words:
            break
        out = longer
    return out + end
""",
    },
    # run_call
    {
        "task": "run_call",
        "right": True,
        "why": "rfind and fullmatch",
        "source": """
import re
def run_call(text):
    start = text.rfind("<call>")
    if start < 0 or not text.endswith("</call>"):
        return text
    body = text[start + len("<call>"):-len("</call>")]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", body)
    if not found:
        return text + "<result>error</result>"
    a, sign, b = int(found[1]), found[2], int(found[3])
    value = a + b if sign == "+" else a - b if sign == "-" else a * b
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": True,
        "why": "no regular expressions: partition by each sign, checks letters by a set, a table of operators",
        "source": """
import operator
def run_call(text):
    before, mark, rest = text.rpartition("<call>")
    if not mark or rest[-7:] != "</call>":
        return text
    body = rest[:-7]
    digits = set("0123456789")
    table = {"+": operator.add, "-": operator.sub, "*": operator.mul}
    answer = "error"
    for sign, function in table.items():
        if body.count(sign) == 1:
            left, right = (side.strip(" ") for side in body.split(sign))
            if left and right and set(left) <= digits and set(right) <= digits:
                answer = str(function(int(left), int(right)))
    return text + "<result>" + answer + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": None,
        "why": "\\s for the spaces: tabs and line breaks around numbers are taken; the statement only speaks of spaces",
        "source": r"""
import re
def run_call(text):
    start = text.rfind("<call>")
    if start < 0 or not text.endswith("</call>"):
        return text
    found = re.fullmatch(r"\s*([0-9]+)\s*([-+*])\s*([0-9]+)\s*", text[start + 6:-7])
    if not found:
        return text + "<result>error</result>"
    a, b = int(found[1]), int(found[3])
    value = {"+": a + b, "-": a - b, "*": a * b}[found[2]]
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "takes out all spaces first, so '1 2 + 3' is 15: 'Spaces ... but not within a number'",
        "source": """
import re
def run_call(text):
    start = text.rfind("<call>")
    if start < 0 or not text.endswith("</call>"):
        return text
    body = text[start + 6:-7].replace(" ", "")
    found = re.fullmatch(r"([0-9]+)([-+*])([0-9]+)", body)
    if not found:
        return text + "<result>error</result>"
    a, b = int(found[1]), int(found[3])
    return f"{text}<result>{ {'+': a + b, '-': a - b, '*': a * b}[found[2]] }</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "int() takes signs and underscores ('+3', '1_000'): 'A whole number is written in digits alone, without a sign'",
        "source": """
def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    body = text[text.rindex("<call>") + 6:-7]
    try:
        for sign in "*+-":
            if sign in body:
                a, b = body.split(sign, 1)
                a, b = int(a), int(b)
                value = a * b if sign == "*" else a + b if sign == "+" else a - b
                return f"{text}<result>{value}</result>"
    except ValueError:
        pass
    return text + "<result>error</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "begins at the first <call>: 'The last call begins at the last <call>' (an earlier call makes it an error)",
        "source": r"""
import re
def run_call(text):
    start = text.find("<call>")
    if start < 0 or not text.endswith("</call>"):
        return text
    found = re.fullmatch(r" *(\d+) *([-+*]) *(\d+) *", text[start + 6:-7])
    if not found:
        return text + "<result>error</result>"
    a, b = int(found[1]), int(found[3])
    value = {"+": a + b, "-": a - b, "*": a * b}[found[2]]
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "'.' does not match a line break, so a call that holds one gets no result: 'the word error, if it holds anything else'",
        "source": r"""
import re
def run_call(text):
    call = re.search(r"<call>((?:(?!<call>).)*)</call>\Z", text)
    if call is None:
        return text
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", call[1])
    if not found:
        return text + "<result>error</result>"
    a, b = int(found[1]), int(found[3])
    value = {"+": a + b, "-": a - b, "*": a * b}[found[2]]
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "'$' also matches before a last line break: 'A text that does not end with a call comes back as it is'",
        "source": """
import re
def run_call(text):
    if not re.search(r"</call>$", text) or "<call>" not in text:
        return text
    body = text[text.rindex("<call>") + 6:text.rindex("</call>")]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", body)
    if not found:
        return text + "<result>error</result>"
    a, b = int(found[1]), int(found[3])
    value = {"+": a + b, "-": a - b, "*": a * b}[found[2]]
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "eval after a check of the letters: 'never given to eval'; and it takes '1+2*3', '2**3' (an unsigned number, a sign and a number only)",
        "source": """
def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    body = text[text.rindex("<call>") + 6:-7]
    try:
        if set(body) - set("0123456789+-* "):
            raise ValueError
        value = eval(body)
    except Exception:
        value = "error"
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "a sign before the second number is taken: 'neither with a sign before it'",
        "source": """
import re
def run_call(text):
    start = text.rfind("<call>")
    if start < 0 or not text.endswith("</call>"):
        return text
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *(-?[0-9]+) *", text[start + 6:-7])
    if not found:
        return text + "<result>error</result>"
    a, b = int(found[1]), int(found[3])
    value = {"+": a + b, "-": a - b, "*": a * b}[found[2]]
    return f"{text}<result>{value}</result>"
""",
    },
    # nearest_passages
    {
        "task": "nearest_passages",
        "right": True,
        "why": "plain python, hypot, sorted by (-cosine, number)",
        "source": """
import math
def nearest_passages(query, passages, k):
    q = query.tolist()
    nq = math.hypot(*q)
    def cosine(p):
        n = math.hypot(*p)
        if n == 0 or nq == 0:
            return 0.0
        return sum(a / nq * (b / n) for a, b in zip(q, p))
    cos = [cosine(p) for p in passages.tolist()]
    return sorted(range(len(cos)), key=lambda i: (-cos[i], i))[:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "numpy in double precision, stable argsort of the negative",
        "source": """
import numpy as np
def nearest_passages(query, passages, k):
    q = query.detach().cpu().numpy().astype(np.float64)
    P = passages.detach().cpu().numpy().astype(np.float64)
    length = np.sqrt((P * P).sum(axis=1)) * np.sqrt((q * q).sum())
    dots = (P * q).sum(axis=1)
    cos = np.divide(dots, length, out=np.zeros_like(dots), where=length > 0)
    return [int(i) for i in np.argsort(-cos, kind="stable")[:k]]
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "F.normalize (a vector of zeros stays zeros), stable torch.sort",
        "source": """
import torch
import torch.nn.functional as F
def nearest_passages(query, passages, k):
    a = F.normalize(query.double(), dim=0)
    b = F.normalize(passages.double(), dim=1)
    cos = (b * a).sum(dim=1)
    return torch.sort(cos, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "dot product with normalised passages missing: largest product, not largest cosine",
        "source": """
import torch
def nearest_passages(query, passages, k):
    score = passages @ query
    return torch.argsort(score, descending=True, stable=True)[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "0 / 0 is NaN for a passage of zeros, which then sorts as the largest: 'A vector of zeros has cosine 0'",
        "source": """
import torch
def nearest_passages(query, passages, k):
    cos = passages @ query / (passages.norm(dim=1) * query.norm())
    return torch.sort(cos, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "stable ascending sort turned round: of equals the last comes first",
        "source": """
import numpy as np
def nearest_passages(query, passages, k):
    q, P = query.double().numpy(), passages.double().numpy()
    n = np.linalg.norm(P, axis=1) * np.linalg.norm(q)
    cos = (P * q).sum(1) / np.where(n == 0, 1.0, n)
    return np.argsort(cos, kind="stable")[::-1][:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "order[-k:] gives all for k = 0: 'k: 0 or more'",
        "source": """
def nearest_passages(query, passages, k):
    q = query.tolist()
    def cosine(p):
        n = (sum(a * a for a in p) * sum(a * a for a in q)) ** 0.5
        return sum(a * b for a, b in zip(p, q)) / n if n else 0.0
    cos = [cosine(p) for p in passages.tolist()]
    worst_first = sorted(range(len(cos)), key=lambda i: (cos[i], -i))
    return worst_first[-k:][::-1]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "passages of zeros go to the end (cosine -1 or lower): they have cosine 0, above negative ones",
        "source": """
import torch
def nearest_passages(query, passages, k):
    n = passages.norm(dim=1) * query.norm()
    cos = torch.where(n > 0, (passages * query).sum(1) / n.clamp(min=1e-12), torch.full_like(n, -2.0))
    return torch.argsort(cos, descending=True, stable=True)[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "absolute cosine: an opposite vector counts as near; 'the largest cosine'",
        "source": """
import torch
import torch.nn.functional as F
def nearest_passages(query, passages, k):
    cos = (F.normalize(passages.double(), dim=1) * F.normalize(query.double(), dim=0)).sum(1).abs()
    return torch.argsort(cos, descending=True, stable=True)[:k].tolist()
""",
    },
    # held_out_split
    {
        "task": "held_out_split",
        "right": True,
        "why": "three comprehensions over sets",
        "source": """
def held_out_split(lessons, tasks, wordings):
    hidden_tasks, hidden_wordings = set(tasks), set(wordings)
    train = [l for l in lessons if l[0] not in hidden_tasks and l[1] not in hidden_wordings]
    known = {l[0] for l in train}
    return {
        "train": train,
        "wording": [l for l in lessons if l[0] in known and l[1] in hidden_wordings],
        "task": [l for l in lessons if l[0] in hidden_tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "one loop with a waiting list that is sifted at the end",
        "source": """
def held_out_split(lessons, tasks, wordings):
    parts = {"train": [], "wording": [], "task": []}
    waiting = []
    for lesson in lessons:
        task, wording, _ = lesson
        if task in tasks:
            parts["task"].append(lesson)
        elif wording in wordings:
            waiting.append(lesson)
        else:
            parts["train"].append(lesson)
    for lesson in waiting:
        if any(lesson[0] == other[0] for other in parts["train"]):
            parts["wording"].append(lesson)
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "lessons of a task that train lacks stay in 'wording': 'does not occur in train ... it is left out'",
        "source": """
def held_out_split(lessons, tasks, wordings):
    out = {"train": [], "wording": [], "task": []}
    for lesson in lessons:
        part = "task" if lesson[0] in tasks else "wording" if lesson[1] in wordings else "train"
        out[part].append(lesson)
    return out
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "asks whether the task has been in train so far: a wording lesson that stands before its task's first train lesson is lost",
        "source": """
def held_out_split(lessons, tasks, wordings):
    out = {"train": [], "wording": [], "task": []}
    seen = set()
    for lesson in lessons:
        task, wording, text = lesson
        if task in tasks:
            out["task"].append(lesson)
        elif wording not in wordings:
            out["train"].append(lesson)
            seen.add(task)
        elif task in seen:
            out["wording"].append(lesson)
    return out
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "a held-out task in a held-out wording is dropped: 'all lessons of a held-out task, in whatever wording'",
        "source": """
def held_out_split(lessons, tasks, wordings):
    train = [l for l in lessons if l[0] not in tasks and l[1] not in wordings]
    known = {l[0] for l in train}
    return {"train": train,
            "wording": [l for l in lessons if l[1] in wordings and l[0] in known],
            "task": [l for l in lessons if l[0] in tasks and l[1] not in wordings]}
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "a part without lessons has no key: 'A dict ... with the keys train, wording and task'",
        "source": """
from collections import defaultdict
def held_out_split(lessons, tasks, wordings):
    train_tasks = {t for t, w, _ in lessons if t not in tasks and w not in wordings}
    out = defaultdict(list)
    for lesson in lessons:
        t, w, _ = lesson
        if t in tasks:
            out["task"].append(lesson)
        elif w not in wordings:
            out["train"].append(lesson)
        elif t in train_tasks:
            out["wording"].append(lesson)
    return dict(out)
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "lessons that come twice are kept once (dict.fromkeys): the statement sorts all lessons into parts, in the old order",
        "source": """
def held_out_split(lessons, tasks, wordings):
    lessons = list(dict.fromkeys(lessons))
    train = [l for l in lessons if l[0] not in tasks and l[1] not in wordings]
    known = {l[0] for l in train}
    return {"train": train,
            "wording": [l for l in lessons if l[1] in wordings and l[0] in known],
            "task": [l for l in lessons if l[0] in tasks]}
""",
    },
]
