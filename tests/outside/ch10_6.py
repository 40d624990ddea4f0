ANSWERS = [
    {
        "task": "chat_text",
        "right": True,
        "why": "beginner's loop with +=",
        "source": r"""
def chat_text(turns, open_answer=False):
    result = ""
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("a text must not hold <end>")
        result += "<" + role + ">" + text + "<end>" + "\n"
    if open_answer:
        result += "<bot>"
    return result
""",
    },
    {
        "task": "chat_text",
        "right": True,
        "why": "checks all first, then join",
        "source": r"""
def chat_text(turns, open_answer=False):
    turns = list(turns)
    if any(text.find("<end>") >= 0 for _, text in turns):
        raise ValueError("<end> inside a text")
    lines = ["<{}>{}<end>\n".format(*turn) for turn in turns]
    return "".join(lines + ["<bot>"] * bool(open_answer))
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": '"Every text stands as it is, blanks and line breaks included": strips the text',
        "source": r"""
def chat_text(turns, open_answer=False):
    result = ""
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("<end> in a text")
        result += f"<{role}>{text.strip()}<end>\n"
    return result + ("<bot>" if open_answer else "")
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": '"`<bot>` follows, and nothing behind it": a line break is put behind the open mark',
        "source": r"""
def chat_text(turns, open_answer=False):
    lines = []
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("<end> in a text")
        lines.append(f"<{role}>{text}<end>")
    if open_answer:
        lines.append("<bot>")
    return "".join(line + "\n" for line in lines)
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "ValueError only where the text ends with <end>, not where it holds it in the middle",
        "source": r"""
def chat_text(turns, open_answer=False):
    result = ""
    for role, text in turns:
        if text.endswith("<end>"):
            raise ValueError("a text ends its own turn")
        result += f"<{role}>{text}<end>\n"
    if open_answer:
        result += "<bot>"
    return result
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": 'the mark of the bot is left out if there are no turns (chat_text([], True) must be "<bot>")',
        "source": r"""
def chat_text(turns, open_answer=False):
    if not turns:
        return ""
    parts = []
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("forbidden mark")
        parts.append(f"<{role}>{text}<end>\n")
    if open_answer:
        parts.append("<bot>")
    return "".join(parts)
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": '"Raises ValueError: a text that holds <end>": takes the mark out of the text in silence',
        "source": r"""
def chat_text(turns, open_answer=False):
    result = ""
    for role, text in turns:
        text = text.replace("<end>", "")
        result += f"<{role}>{text}<end>\n"
    return result + "<bot>" * open_answer
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "masked_fill of the shifted ids",
        "source": r"""
def answer_labels(ids, answer):
    return ids[:, 1:].masked_fill(~answer[:, 1:], -100)
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "loops over plain lists, the type given at the end",
        "source": r"""
import torch


def answer_labels(ids, answer):
    rows = []
    for tokens, flags in zip(ids.tolist(), answer.tolist()):
        row = []
        for t in range(len(tokens) - 1):
            if flags[t + 1]:
                row.append(tokens[t + 1])
            else:
                row.append(-100)
        rows.append(row)
    return torch.tensor(rows, dtype=ids.dtype).reshape(ids.shape[0], ids.shape[1] - 1)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": '"A function leaves its arguments as they are": writes -100 into a view of ids',
        "source": r"""
def answer_labels(ids, answer):
    labels = ids[:, 1:]
    labels[~answer[:, 1:]] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": '"of the element type of ids": always int64, so int32 and int16 ids come back as int64',
        "source": r"""
import torch


def answer_labels(ids, answer):
    labels = torch.full((ids.shape[0], ids.shape[1] - 1), -100)
    keep = answer[:, 1:]
    labels[keep] = ids[:, 1:][keep].long()
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "the mask is not shifted: answer[:, :-1], so the first token of an answer is not learned",
        "source": r"""
import torch


def answer_labels(ids, answer):
    return torch.where(answer[:, :-1], ids[:, 1:], torch.full_like(ids[:, 1:], -100))
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "everything from the first token of the row's first answer on is learned: the second question of a conversation, too",
        "source": r"""
def answer_labels(ids, answer):
    started = answer.int().cumsum(dim=1) > 0
    labels = ids.clone()
    labels[~started] = -100
    return labels[:, 1:]
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "the product with the mask, zeros made -100: a token with id 0 in an answer gets -100",
        "source": r"""
def answer_labels(ids, answer):
    labels = (ids * answer)[:, 1:].to(ids.dtype)
    return labels.masked_fill(labels == 0, -100)
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "broadcasting and tril",
        "source": r"""
def packing_mask(segments):
    same = segments[:, :, None] == segments[:, None, :]
    real = (segments != 0)[:, :, None]
    return (same & real).tril()
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "three loops",
        "source": r"""
import torch


def packing_mask(segments):
    B, T = segments.shape
    mask = torch.zeros(B, T, T, dtype=torch.bool)
    numbers = segments.tolist()
    for b in range(B):
        for t in range(T):
            for s in range(t + 1):
                if numbers[b][t] == numbers[b][s] and numbers[b][t] != 0:
                    mask[b, t, s] = True
    return mask
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": '"Padding looks at nothing": 0 is treated as one more example, so padding looks at padding',
        "source": r"""
import torch


def packing_mask(segments):
    T = segments.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (segments.unsqueeze(2) == segments.unsqueeze(1)) & causal
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": '"padding, which may stand anywhere": taken away only behind the last token of the row; padding before or between looks at padding',
        "source": r"""
def packing_mask(segments):
    B, T = segments.shape
    mask = (segments[:, :, None] == segments[:, None, :]).tril()
    for b in range(B):
        t = T - 1
        while t >= 0 and segments[b, t] == 0:
            mask[b, t, :] = False
            mask[b, :, t] = False
            t -= 1
    return mask
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": '"padding ... may stand anywhere": an example is taken for a run of equal numbers, so with 1, 0, 1 the third token does not see the first',
        "source": r"""
import torch


def packing_mask(segments):
    B, T = segments.shape
    changed = torch.zeros_like(segments)
    changed[:, 1:] = (segments[:, 1:] != segments[:, :-1]).to(segments.dtype)
    run = changed.cumsum(dim=1)
    mask = run[:, :, None] == run[:, None, :]
    mask = mask & (segments > 0)[:, :, None]
    return torch.tril(mask)
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": '"s is not after t": strictly before, with the diagonal lost where an example has more than one token',
        "source": r"""
import torch


def packing_mask(segments):
    same = (segments[:, :, None] == segments[:, None, :]) & (segments > 0)[:, :, None]
    earlier = torch.ones(segments.shape[1], segments.shape[1]).tril(-1).bool()
    return same & earlier
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": '"(B, T, T) bool": the mask is of type int64',
        "source": r"""
import torch


def packing_mask(segments):
    T = segments.shape[1]
    same = (segments[:, :, None] == segments[:, None, :]).long()
    real = (segments != 0).long()
    return same * real[:, :, None] * torch.ones(T, T, dtype=torch.long).tril()
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "boolean index, cross_entropy with sum",
        "source": r"""
import torch.nn.functional as F


def answer_loss(logits, ids, answer):
    keep = answer[:, 1:]
    picked = logits[:, :-1][keep]
    count = max(len(picked), 1)
    return F.cross_entropy(picked, ids[:, 1:][keep], reduction="sum") / count
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "gather and masked_fill over all positions",
        "source": r"""
import torch


def answer_loss(logits, ids, answer):
    m = answer[:, 1:]
    scores = logits[:, :-1]
    right = scores.gather(2, ids[:, 1:].long().unsqueeze(2)).squeeze(2)
    cost = (torch.logsumexp(scores, dim=2) - right).masked_fill(~m, 0.0)
    return cost.sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": '"A batch with no answer token has the loss 0": the mean over nothing is nan',
        "source": r"""
import torch.nn.functional as F


def answer_loss(logits, ids, answer):
    labels = ids[:, 1:].masked_fill(~answer[:, 1:], -100)
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), labels.reshape(-1))
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": '"The first token of a row ... never counts": it is counted in the denominator',
        "source": r"""
import torch.nn.functional as F


def answer_loss(logits, ids, answer):
    m = answer.to(logits.dtype)
    logp = F.log_softmax(logits[:, :-1], dim=-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    return -(logp * m[:, 1:]).sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": '"over the whole batch": the mean of the rows\' means',
        "source": r"""
import torch.nn.functional as F


def answer_loss(logits, ids, answer):
    m = answer[:, 1:].to(logits.dtype)
    logp = F.log_softmax(logits[:, :-1], dim=-1).gather(-1, ids[:, 1:, None])[..., 0]
    per_row = -(logp * m).sum(1) / m.sum(1).clamp(min=1)
    return per_row.mean()
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": '"0, computed from the logits like any other loss": a new tensor without gradient if no token counts',
        "source": r"""
import torch
import torch.nn.functional as F


def answer_loss(logits, ids, answer):
    m = answer[:, 1:]
    if m.sum() == 0:
        return torch.zeros(())
    return F.cross_entropy(logits[:, :-1][m], ids[:, 1:][m])
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": '"Large logits must not overflow": the logarithm of a softmax is minus infinity where the probability is 0',
        "source": r"""
import torch


def answer_loss(logits, ids, answer):
    m = answer[:, 1:]
    probs = torch.softmax(logits[:, :-1][m], dim=-1)
    right = probs.gather(1, ids[:, 1:][m][:, None])
    return -torch.log(right).sum() / max(1, right.numel())
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "hides the longest end that begins the stop string",
        "source": r"""
def shown_so_far(pieces, stop):
    shown = []
    text = ""
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at != -1:
            shown.append(text[:at])
            break
        hidden = 0
        for n in range(1, len(stop)):
            if n <= len(text) and text.endswith(stop[:n]):
                hidden = n
        shown.append(text[:len(text) - hidden])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "Knuth, Morris and Pratt: one state, letter by letter",
        "source": r"""
def shown_so_far(pieces, stop):
    fail = [0] * len(stop)
    k = 0
    for i in range(1, len(stop)):
        while k and stop[i] != stop[k]:
            k = fail[k - 1]
        if stop[i] == stop[k]:
            k += 1
        fail[i] = k
    result, text, state = [], [], 0
    for piece in pieces:
        for letter in piece:
            text.append(letter)
            while state and stop[state] != letter:
                state = fail[state - 1]
            if stop[state] == letter:
                state += 1
            if state == len(stop):
                return result + ["".join(text)[:len(text) - len(stop)]]
        result.append("".join(text)[:len(text) - state])
    return result
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": 'hides the shortest end that begins the stop string: with the stop "aab" the end "aa" must be hidden whole',
        "source": r"""
def shown_so_far(pieces, stop):
    shown, text = [], ""
    for piece in pieces:
        text += piece
        if stop in text:
            shown.append(text[:text.index(stop)])
            return shown
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                shown.append(text[:-n])
                break
        else:
            shown.append(text)
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": '"An end that is still open when the pieces run out stays hidden": shown with the last piece',
        "source": r"""
def shown_so_far(pieces, stop):
    shown, text = [], ""
    for number, piece in enumerate(pieces):
        text += piece
        if stop in text:
            shown.append(text.split(stop)[0])
            break
        hidden = max([n for n in range(len(stop)) if text.endswith(stop[:n])])
        if number == len(pieces) - 1:
            hidden = 0
        shown.append(text[:len(text) - hidden])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": '"everything, except for an end that could still become the stop string": once a beginning was seen, naive matching without going back ("aaab" with the stop "aab" is missed)',
        "source": r"""
def shown_so_far(pieces, stop):
    shown, text, state = [], "", 0
    for piece in pieces:
        for letter in piece:
            text += letter
            if letter == stop[state]:
                state += 1
            elif letter == stop[0]:
                state = 1
            else:
                state = 0
            if state == len(stop):
                shown.append(text[:-len(stop)])
                return shown
        shown.append(text[:len(text) - state])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": '"no further piece is read": the same text is repeated for each of the pieces after the stop string',
        "source": r"""
def shown_so_far(pieces, stop):
    shown, text = [], ""
    for piece in pieces:
        text += piece
        if stop in text:
            shown.append(text[:text.find(stop)])
            continue
        n = len(stop) - 1
        while not text.endswith(stop[:n]):
            n -= 1
        shown.append(text[:len(text) - n])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "cuts at the last stop string of the text (rfind) if one piece brings two",
        "source": r"""
def shown_so_far(pieces, stop):
    shown, text = [], ""
    for piece in pieces:
        text = text + piece
        where = text.rfind(stop)
        if where >= 0:
            shown.append(text[:where])
            break
        n = len(stop) - 1
        while n > 0 and not text.endswith(stop[:n]):
            n -= 1
        shown.append(text[:len(text) - n])
    return shown
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "counts as it goes",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    used = len(end.split())
    if used > max_words:
        raise ValueError("the question does not fit")
    prompt = ""
    for q, a in solved:
        example = f"Q: {q}\nA: {a}\n"
        used += len(example.split())
        if used > max_words:
            break
        prompt += example
    return prompt + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "takewhile over all prompts of 0, 1, 2 ... examples, the last one that fits",
        "source": r"""
import itertools


def few_shot_prompt(solved, question, max_words):
    lines = ["Q: " + q + "\nA: " + a + "\n" for q, a in solved]
    prompts = ("".join(lines[:n]) + "Q: " + question + "\nA:" for n in range(len(lines) + 1))
    fitting = list(itertools.takewhile(lambda p: len(p.split()) <= max_words, prompts))
    if not fitting:
        raise ValueError("too long")
    return fitting[-1]
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": '"until the next one does not fit": skips an example that is too long and goes on with shorter ones',
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    left = max_words - len(end.split())
    if left < 0:
        raise ValueError("the question does not fit")
    prompt = ""
    for q, a in solved:
        example = f"Q: {q}\nA: {a}\n"
        words = len(example.split())
        if words <= left:
            prompt += example
            left -= words
    return prompt + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "takes every example for four words, as in the example",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    room = max_words - len(end.split())
    if room < 0:
        raise ValueError("the question does not fit")
    return "".join(f"Q: {q}\nA: {a}\n" for q, a in solved[:room // 4]) + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": '"text.split() says what a word is": split(" ") counts a word more where two blanks follow each other, or a text is empty',
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    def count(text):
        return len(text.replace("\n", " ").strip(" ").split(" "))

    end = f"Q: {question}\nA:"
    used = count(end)
    if used > max_words:
        raise ValueError
    prompt = ""
    for q, a in solved:
        example = f"Q: {q}\nA: {a}\n"
        used += count(example)
        if used > max_words:
            break
        prompt += example
    return prompt + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": '"Raises ValueError: the question alone is too long": gives the question all the same',
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    prompt = f"Q: {question}\nA:"
    for n in range(1, len(solved) + 1):
        trial = "".join(f"Q: {q}\nA: {a}\n" for q, a in solved[:n]) + f"Q: {question}\nA:"
        if len(trial.split()) > max_words:
            break
        prompt = trial
    return prompt
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": '"how many words the whole prompt may have": forgets that "A:" at the end is a word, so the prompt may be one word too long',
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    used = len(("Q: " + question).split())
    if used > max_words:
        raise ValueError("too long")
    text = ""
    for q, a in solved:
        example = "Q: " + q + "\nA: " + a + "\n"
        if used + len(example.split()) > max_words:
            break
        used += len(example.split())
        text += example
    return text + "Q: " + question + "\nA:"
""",
    },
    {
        "task": "run_call",
        "right": True,
        "why": "rfind and a full match of digits in ASCII",
        "source": r"""
import re


def run_call(text):
    if not text.endswith("</call>"):
        return text
    start = text.rfind("<call>")
    if start == -1:
        return text
    inside = text[start + len("<call>"):-len("</call>")]
    match = re.fullmatch(r" *([0-9]+) *([+*-]) *([0-9]+) *", inside)
    if match is None:
        return text + "<result>error</result>"
    a, sign, b = int(match[1]), match[2], int(match[3])
    value = a + b if sign == "+" else a - b if sign == "-" else a * b
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": True,
        "why": "no regular expression: partition at each sign, digits asked letter by letter",
        "source": r"""
def _number(part):
    part = part.strip(" ")
    if part and all(c in "0123456789" for c in part):
        return int(part)
    return None


def run_call(text):
    before, opened, last = text.rpartition("<call>")
    if not opened or not last.endswith("</call>"):
        return text
    inside = last[:len(last) - len("</call>")]
    result = "error"
    for sign, compute in (("+", int.__add__), ("-", int.__sub__), ("*", int.__mul__)):
        left, found, right = inside.partition(sign)
        if found:
            a, b = _number(left), _number(right)
            if a is not None and b is not None:
                result = str(compute(a, b))
    return text + "<result>" + result + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": '"Spaces ... not within a number": all blanks are taken out first, so "4 7 + 3" becomes 50',
        "source": r"""
import re


def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inside = text[text.rindex("<call>") + 6:-7].replace(" ", "")
    match = re.fullmatch(r"([0-9]+)([-+*])([0-9]+)", inside)
    if not match:
        return text + "<result>error</result>"
    a, b = int(match.group(1)), int(match.group(3))
    value = {"+": a + b, "-": a - b, "*": a * b}[match.group(2)]
    return text + f"<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": '"neither with a sign before it": int() takes "-3 + 4" and "3 + -4"',
        "source": r"""
import re


def run_call(text):
    match = re.search(r"<call>((?:(?!<call>)(?s:.))*)</call>\Z", text)
    if match is None:
        return text
    parts = re.fullmatch(r" *([+-]?[0-9]+) *([-+*]) *([+-]?[0-9]+) *", match[1])
    if parts is None:
        return text + "<result>error</result>"
    a, b = int(parts[1]), int(parts[3])
    value = a + b if parts[2] == "+" else a - b if parts[2] == "-" else a * b
    return text + "<result>" + str(value) + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": '"A text that does not end with a call comes back as it is": $ matches before a last line break, too',
        "source": r"""
import re


def run_call(text):
    match = re.search(r".*<call>(.*?)</call>$", text, re.DOTALL)
    if not match:
        return text
    inside = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", match.group(1))
    if not inside:
        return text + "<result>error</result>"
    a, op, b = inside.groups()
    a, b = int(a), int(b)
    result = a + b if op == "+" else a - b if op == "-" else a * b
    return text + "<result>%d</result>" % result
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": '"The last call begins at the last <call>": takes the first one, so a second call of a text is an error',
        "source": r"""
import re


def run_call(text):
    if not (text.endswith("</call>") and "<call>" in text):
        return text
    inside = text.split("<call>", 1)[1][:-7]
    match = re.fullmatch(r" *(\d+) *([-+*]) *(\d+) *", inside, re.ASCII)
    if not match:
        return text + "<result>error</result>"
    a, b = int(match[1]), int(match[3])
    return text + "<result>" + str({"+": a + b, "-": a - b, "*": a * b}[match[2]]) + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": '"the word error, if it holds anything else": an empty call, or one with a line break or a < in it, leaves the text as it is',
        "source": r"""
import re


def run_call(text):
    match = re.search(r"<call> *([0-9]+) *([-+*]) *([0-9]+) *</call>\Z", text)
    if match:
        a, b = int(match[1]), int(match[3])
        value = {"+": a + b, "-": a - b, "*": a * b}[match[2]]
        return text + f"<result>{value}</result>"
    if re.search(r"<call>[^<\n]+</call>\Z", text):
        return text + "<result>error</result>"
    return text
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "cosines in float64, stable sort",
        "source": r"""
import torch


def nearest_passages(query, passages, k):
    q = query.double()
    p = passages.double()
    lengths = (p.norm(dim=1) * q.norm()) if len(p) else p.new_zeros(0)
    dots = (p * q).sum(dim=1)
    cosines = torch.where(lengths > 0, dots / lengths.clamp(min=1e-300), torch.zeros_like(dots))
    order = torch.sort(cosines, descending=True, stable=True).indices
    return order[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "exact: sign and square of the cosine as fractions, sorted in plain Python",
        "source": r"""
from fractions import Fraction


def nearest_passages(query, passages, k):
    q = [Fraction(float(x)) for x in query]

    def key(i):
        p = [Fraction(float(x)) for x in passages[i]]
        dot = sum(x * y for x, y in zip(p, q))
        square = sum(x * x for x in p)
        if square == 0:
            return 0
        return -dot * abs(dot) / square     # the length of the query is the same for all

    return sorted(range(len(passages)), key=key)[:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": '"cosine": the dot product, so that long vectors win',
        "source": r"""
def nearest_passages(query, passages, k):
    scores = [float((query * p).sum()) for p in passages]
    return sorted(range(len(scores)), key=lambda i: -scores[i])[:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": '"of equal ones the one that stands first": ascending order turned round, so the later one comes first',
        "source": r"""
import torch.nn.functional as F


def nearest_passages(query, passages, k):
    if len(passages) == 0:
        return []
    q = F.normalize(query, dim=0)
    p = F.normalize(passages, dim=1)
    scores = (p * q).sum(1)
    return scores.argsort(stable=True).flip(0)[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": '"A vector of zeros has cosine 0 with everything": it is put last, behind negative cosines',
        "source": r"""
import torch


def nearest_passages(query, passages, k):
    scores = []
    for p in passages:
        if not p.any():
            scores.append(-2.0)
        elif not query.any():
            scores.append(0.0)
        else:
            scores.append(float(torch.dot(p.double(), query.double()) / p.double().norm() / query.double().norm()))
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": '"if k is more than N, all come back": topk raises RuntimeError',
        "source": r"""
import torch
import torch.nn.functional as F


def nearest_passages(query, passages, k):
    scores = F.cosine_similarity(passages, query.unsqueeze(0), dim=1)
    values, found = torch.topk(scores, k)
    return sorted(found.tolist(), key=lambda i: (-scores[i].item(), i))
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": '"k: 0 or more": order[-k:] with k = 0 gives all passages',
        "source": r"""
def nearest_passages(query, passages, k):
    scores = []
    for i in range(len(passages)):
        product = (passages[i].double().norm() * query.double().norm()).item()
        dot = (passages[i].double() * query.double()).sum().item()
        scores.append(dot / product if product > 0 else 0.0)
    order = sorted(range(len(scores)), key=lambda i: (scores[i], -i))
    best = order[-k:]
    best.reverse()
    return best
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "two passes with sets",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    tasks, wordings = set(tasks), set(wordings)
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train}
    return {
        "train": train,
        "wording": [x for x in lessons if x[1] in wordings and x[0] in known],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "one pass, the doubtful ones are kept and sieved at the end; defaultdict is a dict",
        "source": r"""
from collections import defaultdict


def held_out_split(lessons, tasks, wordings):
    parts = defaultdict(list, {"train": [], "wording": [], "task": []})
    for lesson in lessons:
        task, wording, _ = lesson
        if task in tasks:
            parts["task"].append(lesson)
        elif wording in wordings:
            parts["wording"].append(lesson)
        else:
            parts["train"].append(lesson)
    trained = [task for task, _, _ in parts["train"]]
    parts["wording"] = list(filter(lambda lesson: trained.count(lesson[0]) > 0, parts["wording"]))
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": '"does not occur in train ... is left out": all lessons in a held-out wording of other tasks are kept',
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    parts = {"train": [], "wording": [], "task": []}
    for lesson in lessons:
        task, wording, text = lesson
        if task in tasks:
            parts["task"].append(lesson)
        elif wording in wordings:
            parts["wording"].append(lesson)
        else:
            parts["train"].append(lesson)
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "one pass: asks whether the task has been in train so far, so a lesson before the first one of its task in train is lost",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    parts = {"train": [], "wording": [], "task": []}
    seen = set()
    for task, wording, text in lessons:
        if task in tasks:
            parts["task"].append((task, wording, text))
        elif wording not in wordings:
            parts["train"].append((task, wording, text))
            seen.add(task)
        elif task in seen:
            parts["wording"].append((task, wording, text))
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": '"all lessons of a held-out task, in whatever wording": those in a held-out wording are left out',
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    train = [l for l in lessons if l[0] not in tasks and l[1] not in wordings]
    known = [l[0] for l in train]
    task = [l for l in lessons if l[0] in tasks and l[1] not in wordings]
    wording = [l for l in lessons if l[0] in known and l[1] in wordings]
    return {"train": train, "wording": wording, "task": task}
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": 'parts that are empty are not in the dict ("with the keys train, wording and task")',
        "source": r"""
from collections import defaultdict


def held_out_split(lessons, tasks, wordings):
    trained = {t for t, w, _ in lessons if t not in tasks and w not in wordings}
    parts = defaultdict(list)
    for lesson in lessons:
        task, wording = lesson[:2]
        if task in tasks:
            parts["task"].append(lesson)
        elif wording not in wordings:
            parts["train"].append(lesson)
        elif task in trained:
            parts["wording"].append(lesson)
    return dict(parts)
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": 'equal lessons are put together through a dict: a lesson that occurs twice comes back once ("the lessons in three parts")',
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    lessons = list(dict.fromkeys(tuple(lesson) for lesson in lessons))
    train = [l for l in lessons if l[0] not in tasks and l[1] not in wordings]
    learned = set(l[0] for l in train)
    return dict(train=train,
                wording=[l for l in lessons if l[0] in learned and l[1] in wordings],
                task=[l for l in lessons if l[0] in tasks])
""",
    },
]
