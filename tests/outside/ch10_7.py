ANSWERS = [
    {
        "task": "chat_text",
        "right": True,
        "why": "plain loop, text built piece by piece",
        "source": r"""
def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("a text holds the end mark")
        out = out + "<" + role + ">" + text + "<end>" + "\n"
    if open_answer:
        out = out + "<bot>"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": True,
        "why": "helper function, join, the bot mark by multiplication with a bool",
        "source": r"""
def _turn(role, text):
    if text.find("<end>") != -1:
        raise ValueError(f"{role}: the text would end its own turn")
    return f"<{role}>{text}<end>\n"


def chat_text(turns, open_answer=False):
    return "".join(_turn(*turn) for turn in turns) + "<bot>" * bool(open_answer)
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": 'strips the texts; rule: "Every text stands as it is, blanks and line breaks included"',
        "source": r"""
def chat_text(turns, open_answer=False):
    out = []
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("end mark in a text")
        out.append(f"<{role}>{text.strip()}<end>\n")
    if open_answer:
        out.append("<bot>")
    return "".join(out)
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": 'looks for the end mark only at the end of a text; rule: ValueError for "a text that holds <end>", e.g. "a<end>b"',
        "source": r"""
def chat_text(turns, open_answer=False):
    s = ""
    for role, text in turns:
        if text.endswith("<end>"):
            raise ValueError("text ends its own turn")
        s += f"<{role}>{text}<end>\n"
    return s + ("<bot>" if open_answer else "")
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": 'without turns the mark of the bot is forgotten: chat_text([], True) must be "<bot>"',
        "source": r"""
def chat_text(turns, open_answer=False):
    if len(turns) == 0:
        return ""
    for _, text in turns:
        if "<end>" in text:
            raise ValueError("<end> in text")
    body = "".join("<%s>%s<end>\n" % (role, text) for role, text in turns)
    return body + "<bot>" if open_answer else body
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": 'a line break follows <bot>; rule: "<bot> follows, and nothing behind it"',
        "source": r"""
def chat_text(turns, open_answer=False):
    lines = []
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("<end> in text")
        lines.append(f"<{role}>{text}<end>")
    if open_answer:
        lines.append("<bot>")
    return "".join(line + "\n" for line in lines)
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "masked_fill of the shifted ids",
        "source": r"""
def answer_labels(ids, answer):
    return ids[:, 1:].masked_fill(answer[:, 1:].logical_not(), -100)
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "beginner's loops over rows and positions into a tensor of -100",
        "source": r"""
def answer_labels(ids, answer):
    B, T = ids.shape
    labels = torch.full((B, T - 1), -100, dtype=ids.dtype)
    for b in range(B):
        for t in range(T - 1):
            if answer[b, t + 1]:
                labels[b, t] = ids[b, t + 1]
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "the mask is not shifted: it asks whether token t, not t + 1, is part of an answer",
        "source": r"""
def answer_labels(ids, answer):
    labels = ids[:, 1:].clone()
    labels[~answer[:, :-1]] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": 'writes -100 into a view of ids; "A function leaves its arguments as they are"',
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
        "why": 'always int64; rule: "of the element type of ids" (int32 ids)',
        "source": r"""
def answer_labels(ids, answer):
    rows = []
    for row, mask in zip(ids.tolist(), answer.tolist()):
        rows.append([token if m else -100 for token, m in zip(row[1:], mask[1:])])
    return torch.tensor(rows, dtype=torch.long).reshape(len(rows), ids.shape[1] - 1)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "everything after the first token of an answer is learned: a second question behind the first answer must be -100",
        "source": r"""
def answer_labels(ids, answer):
    started = answer.long().cumsum(1) > 0
    return torch.where(started[:, 1:], ids[:, 1:], torch.full_like(ids[:, 1:], -100))
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "broadcasting and tril",
        "source": r"""
def packing_mask(segments):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    real = (segments != 0).unsqueeze(2)
    return (same & real).tril()
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "three loops",
        "source": r"""
def packing_mask(segments):
    B, T = segments.shape
    rows = segments.tolist()
    mask = torch.zeros(B, T, T, dtype=torch.bool)
    for b in range(B):
        for t in range(T):
            if rows[b][t] == 0:
                continue
            for s in range(t + 1):
                mask[b, t, s] = rows[b][s] == rows[b][t]
    return mask
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": 'padding sees padding: the rule "Padding looks at nothing" is forgotten',
        "source": r"""
def packing_mask(segments):
    T = segments.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (segments[:, :, None] == segments[:, None, :]) & causal
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": 'whole numbers 0 and 1 instead of "(B, T, T) bool"',
        "source": r"""
def packing_mask(segments):
    T = segments.shape[1]
    same = (segments[:, :, None] == segments[:, None, :]).long()
    real = (segments > 0).long()[:, :, None]
    return same * real * torch.ones(T, T, dtype=torch.long).tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": 'numbers runs instead of examples: with padding within an example, 1 0 1, the last token must see the first ("padding, which may stand anywhere")',
        "source": r"""
def packing_mask(segments):
    B, T = segments.shape
    change = torch.zeros_like(segments)
    change[:, 1:] = (segments[:, 1:] != segments[:, :-1]).to(segments.dtype)
    run = change.cumsum(1)
    same = run[:, :, None] == run[:, None, :]
    return (same & (segments != 0)[:, :, None]).tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "the mask of the first row is used for all rows of the batch",
        "source": r"""
def packing_mask(segments):
    B, T = segments.shape
    row = segments[0]
    t = torch.arange(T)
    mask = (row[:, None] == row[None, :]) & (row[:, None] != 0) & (t[:, None] >= t[None, :])
    return mask.expand(B, T, T).clone()
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "cross_entropy with ignore_index, summed and divided by a count of at least 1",
        "source": r"""
def answer_loss(logits, ids, answer):
    targets = ids[:, 1:].masked_fill(~answer[:, 1:], -100)
    total = F.cross_entropy(logits[:, :-1].flatten(0, 1), targets.flatten(), ignore_index=-100, reduction="sum")
    return total / max(int(answer[:, 1:].sum()), 1)
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "by hand: logsumexp less the logit of the token, gather, mask",
        "source": r"""
def answer_loss(logits, ids, answer):
    scores = logits[:, :-1, :]
    chosen = torch.gather(scores, -1, ids[:, 1:, None])[..., 0]
    cost = scores.logsumexp(-1) - chosen
    m = answer[:, 1:].to(cost.dtype)
    count = m.sum()
    if count == 0:
        return (cost * m).sum()
    return torch.einsum("bt,bt->", cost, m) / count
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": 'the mean over nothing is NaN; rule: "A batch with no answer token has the loss 0"',
        "source": r"""
def answer_loss(logits, ids, answer):
    labels = ids[:, 1:].masked_fill(~answer[:, 1:], -100)
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), labels.reshape(-1), ignore_index=-100)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "mean over rows of the means of rows instead of the mean over all answer tokens of the batch",
        "source": r"""
def answer_loss(logits, ids, answer):
    log_p = logits[:, :-1].log_softmax(-1)
    cost = -log_p.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2)
    m = answer[:, 1:].to(cost.dtype)
    per_row = (cost * m).sum(1) / m.sum(1).clamp(min=1)
    used = (m.sum(1) > 0).to(cost.dtype)
    return (per_row * used).sum() / used.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": 'exp without taking the largest off: "Large logits must not overflow"',
        "source": r"""
def answer_loss(logits, ids, answer):
    e = logits[:, :-1].exp()
    p = e / e.sum(-1, keepdim=True)
    cost = -p.gather(2, ids[:, 1:, None])[..., 0].log()
    m = answer[:, 1:]
    return torch.where(m, cost, torch.zeros_like(cost)).sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": 'a constant 0 without gradient if nothing counts; rule: "0, computed from the logits like any other loss"',
        "source": r"""
def answer_loss(logits, ids, answer):
    if not answer[:, 1:].any():
        return torch.tensor(0.0)
    mask = answer[:, 1:]
    return F.cross_entropy(logits[:, :-1][mask], ids[:, 1:][mask])
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": 'the first token counts in the denominator; rule: "The first token of a row is not predicted, and never counts"',
        "source": r"""
def answer_loss(logits, ids, answer):
    labels = ids[:, 1:].masked_fill(~answer[:, 1:], -100)
    V = logits.shape[-1]
    cost = F.cross_entropy(logits[:, :-1].reshape(-1, V), labels.reshape(-1), ignore_index=-100, reduction="sum")
    return cost / answer.sum().clamp(min=1)
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "the whole text after each piece; longest end that begins the stop",
        "source": r"""
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        where = text.find(stop)
        if where >= 0:
            shown.append(text[:where])
            break
        hidden = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hidden = n
        shown.append(text[: len(text) - hidden])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "letter by letter with the failure table of Knuth, Morris and Pratt",
        "source": r"""
def shown_so_far(pieces, stop):
    fail = [0] * len(stop)
    j = 0
    for i in range(1, len(stop)):
        while j and stop[i] != stop[j]:
            j = fail[j - 1]
        if stop[i] == stop[j]:
            j += 1
        fail[i] = j
    seen, state, result = [], 0, []
    for piece in pieces:
        for letter in piece:
            seen.append(letter)
            while state and letter != stop[state]:
                state = fail[state - 1]
            if letter == stop[state]:
                state += 1
            if state == len(stop):
                result.append("".join(seen[: len(seen) - len(stop)]))
                return result
        result.append("".join(seen[: len(seen) - state]))
    return result
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": 'hides the shortest end that could become the stop, not the longest: text "aba", stop "abac" must hide all',
        "source": r"""
def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            out.append(text[: text.index(stop)])
            return out
        hidden = 0
        for n in range(1, len(stop)):
            if text.endswith(stop[:n]):
                hidden = n
                break
        out.append(text[: len(text) - hidden])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": 'matching starts anew after a mismatch: stop "aab" is not found in "aaab"',
        "source": r"""
def shown_so_far(pieces, stop):
    text, matched, out = "", 0, []
    for piece in pieces:
        for c in piece:
            text += c
            if c == stop[matched]:
                matched += 1
            else:
                matched = 1 if c == stop[0] else 0
            if matched == len(stop):
                out.append(text[: -len(stop)])
                return out
        out.append(text[: len(text) - matched])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": 'gives an open end free with the last piece; rule: "An end that is still open when the pieces run out stays hidden"',
        "source": r"""
def shown_so_far(pieces, stop):
    text, out = "", []
    for number, piece in enumerate(pieces):
        text += piece
        head, found, _ = text.partition(stop)
        if found:
            return out + [head]
        n = max((n for n in range(len(stop)) if text.endswith(stop[:n])), default=0)
        if number == len(pieces) - 1:
            n = 0
        out.append(text[: len(text) - n])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": 'ends at the last stop string of the text, not the first: one piece "a#b#c", stop "#" must give "a"',
        "source": r"""
def shown_so_far(pieces, stop):
    text, out = "", []
    for piece in pieces:
        text += piece
        where = text.rfind(stop)
        if where != -1:
            out.append(text[:where])
            break
        n = len(stop) - 1
        while n > 0 and not text.endswith(stop[:n]):
            n -= 1
        out.append(text[: len(text) - n])
    return out
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "counts words and takes off what is left",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    tail = f"Q: {question}\nA:"
    left = max_words - len(tail.split())
    if left < 0:
        raise ValueError("the question does not fit")
    head = ""
    for q, a in solved:
        example = f"Q: {q}\nA: {a}\n"
        left -= len(example.split())
        if left < 0:
            break
        head += example
    return head + tail
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "tries longer and longer prompts and counts the whole one",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    def prompt(n):
        lines = []
        for q, a in solved[:n]:
            lines += ["Q: " + q, "A: " + a]
        return "\n".join([*lines, "Q: " + question, "A:"])

    if len(prompt(0).split()) > max_words:
        raise ValueError("too long")
    n = 0
    while n < len(solved) and len(prompt(n + 1).split()) <= max_words:
        n += 1
    return prompt(n)
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": 'jumps over an example that is too long and takes later ones; rule: "until the next one does not fit"',
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    tail = f"Q: {question}\nA:"
    words = len(tail.split())
    if words > max_words:
        raise ValueError("question too long")
    chosen = []
    for q, a in solved:
        example = f"Q: {q}\nA: {a}\n"
        n = len(example.split())
        if words + n <= max_words:
            chosen.append(example)
            words += n
    return "".join(chosen) + tail
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": 'split(" ") joins words over line breaks: too few are counted, the prompt gets longer than max_words',
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = "Q: " + question + "\nA:"
    if len(end.split(" ")) > max_words:
        raise ValueError("question too long")
    start = ""
    for q, a in solved:
        longer = start + "Q: " + q + "\nA: " + a + "\n"
        if len((longer + end).split(" ")) > max_words:
            break
        start = longer
    return start + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "takes every example for 4 words, as in the example",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    tail = f"Q: {question}\nA:"
    room = max_words - len(tail.split())
    if room < 0:
        raise ValueError("question too long")
    n = room // 4
    return "".join(f"Q: {q}\nA: {a}\n" for q, a in solved[:n]) + tail
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "no ValueError if not even the question fits",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    tail = f"Q: {question}\nA:"
    used = len(tail.split())
    head = ""
    for q, a in solved:
        example = f"Q: {q}\nA: {a}\n"
        used += len(example.split())
        if used > max_words:
            break
        head += example
    return head + tail
""",
    },
    {
        "task": "run_call",
        "right": True,
        "why": "regular expression for the whole content",
        "source": r"""
import re

def run_call(text):
    start = text.rfind("<call>")
    if start < 0 or not text.endswith("</call>"):
        return text
    inner = text[start + len("<call>") : -len("</call>")]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if found is None:
        return text + "<result>error</result>"
    a, b = int(found[1]), int(found[3])
    value = {"+": a + b, "-": a - b, "*": a * b}[found[2]]
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": True,
        "why": "no regular expression: split at the sign, digits looked at one by one",
        "source": r"""
def _number(s):
    s = s.strip(" ")
    if s == "" or any(c not in "0123456789" for c in s):
        return None
    return int(s)


def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text.rsplit("<call>", 1)[1].removesuffix("</call>")
    result = "error"
    for sign in "+-*":
        parts = inner.split(sign)
        if len(parts) == 2:
            a, b = _number(parts[0]), _number(parts[1])
            if a is not None and b is not None:
                if sign == "+":
                    result = a + b
                elif sign == "-":
                    result = a - b
                else:
                    result = a * b
    return text + "<result>" + str(result) + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": 'match instead of fullmatch: "1 + 2 + 3" gives 3 and not error',
        "source": r"""
import re

def run_call(text):
    start = text.rfind("<call>")
    if start < 0 or not text.endswith("</call>"):
        return text
    found = re.match(r" *(\d+) *([-+*]) *(\d+)", text[start + 6 : -7])
    if not found:
        return text + "<result>error</result>"
    a, sign, b = int(found[1]), found[2], int(found[3])
    value = a + b if sign == "+" else a - b if sign == "-" else a * b
    return text + f"<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": 'begins at the first <call>; rule: "The last call begins at the last <call>"',
        "source": r"""
import re

def run_call(text):
    found = re.search(r"<call>(.*?)</call>$", text, re.S)
    if not found or not text.endswith("</call>"):
        return text
    sum_ = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", found[1])
    if not sum_:
        return text + "<result>error</result>"
    a, b = int(sum_[1]), int(sum_[3])
    return text + "<result>" + str({"+": a + b, "-": a - b, "*": a * b}[sum_[2]]) + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": 'takes all spaces out first: "4 7 + 1" must be an error ("but not within a number")',
        "source": r"""
import re

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + 6 : -7].replace(" ", "")
    parts = re.split(r"([-+*])", inner)
    if len(parts) == 3 and re.fullmatch("[0-9]+", parts[0]) and re.fullmatch("[0-9]+", parts[2]):
        a, b = int(parts[0]), int(parts[2])
        value = a + b if parts[1] == "+" else a - b if parts[1] == "-" else a * b
    else:
        value = "error"
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": 'signs before numbers are taken: "-3 + 4" must be an error ("neither with a sign before it")',
        "source": r"""
import re

def run_call(text):
    i = text.rfind("<call>")
    if i == -1 or not text.endswith("</call>"):
        return text
    m = re.fullmatch(r" *(-?[0-9]+) *([-+*]) *(-?[0-9]+) *", text[i + 6 : -7])
    if m is None:
        return text + "<result>error</result>"
    a, b = int(m[1]), int(m[3])
    ops = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b}
    return text + f"<result>{ops[m[2]]()}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "also runs a call behind which something stands (a line break); rule: only if the text ends with the call",
        "source": r"""
import re

def run_call(text):
    if not text.rstrip().endswith("</call>") or "<call>" not in text:
        return text
    inner = text.rstrip().rsplit("<call>", 1)[1][: -len("</call>")]
    m = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inner)
    if m is None:
        return text + "<result>error</result>"
    a, b = int(m[1]), int(m[3])
    value = {"+": a + b, "-": a - b, "*": a * b}[m[2]]
    return text + f"<result>{value}</result>"
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "double precision, guarded norms, stable argsort",
        "source": r"""
def nearest_passages(query, passages, k):
    q, p = query.double(), passages.double()
    norms = p.norm(dim=1) * q.norm()
    dots = p @ q
    cosine = torch.where(norms > 0, dots / norms.clamp(min=1e-300), torch.zeros_like(dots))
    order = torch.argsort(-cosine.mul(1e12).round(), stable=True)
    return order[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "plain Python, sorted by a pair of cosine and number",
        "source": r"""
def nearest_passages(query, passages, k):
    q = query.tolist()
    q_len = math.sqrt(sum(a * a for a in q))
    scored = []
    for i, p in enumerate(passages.tolist()):
        p_len = math.sqrt(sum(a * a for a in p))
        if p_len == 0 or q_len == 0:
            c = 0.0
        else:
            c = sum(a * b for a, b in zip(q, p)) / p_len / q_len
        scored.append((-round(c, 12), i))
    scored.sort()
    return [i for _, i in scored][:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "scalar product instead of cosine",
        "source": r"""
def nearest_passages(query, passages, k):
    return torch.argsort(passages @ query, descending=True, stable=True)[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": 'topk fails if k is more than N; rule: "if it is more than N, all come back"',
        "source": r"""
def nearest_passages(query, passages, k):
    cosine = F.cosine_similarity(passages, query[None], dim=1)
    _, first = torch.sort(cosine, descending=True, stable=True)
    best = torch.topk(torch.arange(len(first), 0, -1), k).indices
    return first[best].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": 'a passage of zeros gets NaN and comes first; rule: "cosine 0 with everything"',
        "source": r"""
def nearest_passages(query, passages, k):
    cosine = (passages @ query) / (passages.norm(dim=1) * query.norm())
    return cosine.argsort(descending=True, stable=True)[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "of equal ones the last comes first (sorted upwards and turned round)",
        "source": r"""
def nearest_passages(query, passages, k):
    cosine = F.cosine_similarity(passages.double(), query[None].double(), dim=1).tolist()
    order = sorted(range(len(cosine)), key=lambda i: cosine[i])
    order.reverse()
    return order[:k]
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "two passes with loops",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    parts = {"train": [], "wording": [], "task": []}
    trained = set()
    for lesson in lessons:
        task, wording, _ = lesson
        if task in tasks:
            parts["task"].append(lesson)
        elif wording not in wordings:
            parts["train"].append(lesson)
            trained.add(task)
    for lesson in lessons:
        if lesson[0] in trained and lesson[1] in wordings:
            parts["wording"].append(lesson)
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "three comprehensions",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    train = [l for l in lessons if l[0] not in tasks and l[1] not in wordings]
    known = {task for task, *_ in train}
    return dict(
        train=train,
        wording=[l for l in lessons if l[1] in wordings and l[0] in known],
        task=[l for l in lessons if l[0] in tasks],
    )
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": 'a held-out wording of a task that "train" does not have goes to "wording"; it must be left out',
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    parts = {"train": [], "wording": [], "task": []}
    for lesson in lessons:
        if lesson[0] in tasks:
            parts["task"].append(lesson)
        elif lesson[1] in wordings:
            parts["wording"].append(lesson)
        else:
            parts["train"].append(lesson)
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": 'held-out tasks in a held-out wording are dropped; rule: "all lessons of a held-out task, in whatever wording"',
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    have = [x[0] for x in train]
    task = [x for x in lessons if x[0] in tasks and x[1] not in wordings]
    wording = [x for x in lessons if x[1] in wordings and x[0] in have]
    return {"train": train, "wording": wording, "task": task}
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": 'in one pass: a held-out wording that stands before the first "train" lesson of its task is lost',
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    parts = {"train": [], "wording": [], "task": []}
    seen = set()
    for task, wording, text in lessons:
        if task in tasks:
            parts["task"].append((task, wording, text))
        elif wording not in wordings:
            seen.add(task)
            parts["train"].append((task, wording, text))
        elif task in seen:
            parts["wording"].append((task, wording, text))
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": 'looks at the wording first, so that a held-out task in a held-out wording lands in "wording"',
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in train} | set(tasks)
    wording = [x for x in lessons if x[1] in wordings and x[0] in known]
    task = [x for x in lessons if x[0] in tasks and x not in wording]
    return {"train": train, "wording": wording, "task": task}
""",
    },
]
