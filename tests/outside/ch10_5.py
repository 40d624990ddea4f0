ANSWERS = [
    # ------------------------------------------------------------ chat_text
    {
        "task": "chat_text",
        "right": True,
        "why": "loop with +=",
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
        "why": "checks first, then one join",
        "source": r"""
def chat_text(turns, open_answer=False):
    if any(text.find("<end>") != -1 for _, text in turns):
        raise ValueError("<end> inside a turn")
    return "".join(f"<{role}>{text}<end>\n" for role, text in turns) + "<bot>" * bool(open_answer)
""",
    },
    {
        "task": "chat_text",
        "right": True,
        "why": "recursive",
        "source": r"""
def chat_text(turns, open_answer=False):
    if len(turns) == 0:
        return "<bot>" if open_answer else ""
    role, text = turns[0]
    if len(text.split("<end>")) > 1:
        raise ValueError(f"turn of {role} holds the end mark")
    return "<%s>%s<end>\n%s" % (role, text, chat_text(turns[1:], open_answer))
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "subtle: strips each text ('Every text stands as it is, blanks and line breaks included')",
        "source": r"""
def chat_text(turns, open_answer=False):
    lines = []
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("end mark in a text")
        lines.append(f"<{role}>{text.strip()}<end>\n")
    if open_answer:
        lines.append("<bot>")
    return "".join(lines)
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "joins with line breaks, so that the last turn has none behind it",
        "source": r"""
def chat_text(turns, open_answer=False):
    for _, text in turns:
        if "<end>" in text:
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
        "why": "subtle: a line break behind the open <bot> ('and nothing behind it')",
        "source": r"""
def chat_text(turns, open_answer=False):
    out = ""
    for role, text in turns:
        if "<end>" in text:
            raise ValueError(text)
        out += f"<{role}>{text}<end>\n"
    return out + "<bot>\n" if open_answer else out
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "subtle: only texts of the user are tested for <end> ('a text that holds \"<end>\"'); wrong at [('bot', 'a<end>')]",
        "source": r"""
def chat_text(turns, open_answer=False):
    out = []
    for role, text in turns:
        if role == "user" and "<end>" in text:
            raise ValueError("the user tries to end the turn")
        out.append("<" + role + ">" + text + "<end>\n")
    out.append("<bot>" if open_answer else "")
    return "".join(out)
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "subtle: removes <end> from texts instead of raising ValueError",
        "source": r"""
def chat_text(turns, open_answer=False):
    out = "".join(f"<{role}>{text.replace('<end>', '')}<end>\n" for role, text in turns)
    if open_answer:
        out = out + "<bot>"
    return out
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "subtle: <bot> follows only behind a turn of the user; wrong without turns, or after a turn of the bot",
        "source": r"""
def chat_text(turns, open_answer=False):
    out = ""
    last = None
    for role, text in turns:
        if "<end>" in text:
            raise ValueError("end mark")
        out += f"<{role}>{text}<end>\n"
        last = role
    if open_answer and last == "user":
        out += "<bot>"
    return out
""",
    },
    # ------------------------------------------------------------ answer_labels
    {
        "task": "answer_labels",
        "right": True,
        "why": "torch.where on the shifted tensors",
        "source": r"""
def answer_labels(ids, answer):
    return torch.where(answer[:, 1:], ids[:, 1:], -100)
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "clone and assignment under a mask",
        "source": r"""
def answer_labels(ids, answer):
    labels = ids[:, 1:].clone()
    labels[~answer[:, 1:]] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": True,
        "why": "lists and loops, back to a tensor of the dtype of ids",
        "source": r"""
def answer_labels(ids, answer):
    rows = []
    for row, marks in zip(ids.tolist(), answer.tolist()):
        labels = []
        for t in range(len(row) - 1):
            labels.append(row[t + 1] if marks[t + 1] else -100)
        rows.append(labels)
    return torch.tensor(rows, dtype=ids.dtype).reshape(ids.shape[0], ids.shape[1] - 1)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "mask not shifted: token t+1 is learned where token t is an answer; the first answer token is lost",
        "source": r"""
def answer_labels(ids, answer):
    return ids[:, 1:].masked_fill(~answer[:, :-1], -100)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "writes into a view of ids (argument changed)",
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
        "why": "subtle: always int64 ('of the element type of ids'); wrong for int32",
        "source": r"""
def answer_labels(ids, answer):
    B, T = ids.shape
    labels = torch.full((B, T - 1), -100)
    shifted = answer[:, 1:]
    labels[shifted] = ids[:, 1:][shifted].long()
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "subtle: a token with id 0 in an answer becomes -100",
        "source": r"""
def answer_labels(ids, answer):
    labels = ids[:, 1:] * answer[:, 1:]
    labels[labels == 0] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "subtle: treats all from the first answer token on as answer (wrong if a prompt follows an answer: conversations of several turns)",
        "source": r"""
def answer_labels(ids, answer):
    started = answer.int().cumsum(dim=1) > 0
    return ids.masked_fill(~started, -100)[:, 1:]
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "T labels: the last position gets a -100 too many ('So there are T - 1 labels')",
        "source": r"""
def answer_labels(ids, answer):
    labels = torch.full_like(ids, -100)
    labels[:, :-1] = torch.where(answer[:, 1:], ids[:, 1:], labels[:, 1:])
    return labels
""",
    },
    # ------------------------------------------------------------ packing_mask
    {
        "task": "packing_mask",
        "right": True,
        "why": "broadcasting and tril",
        "source": r"""
def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    return (same & (segments[:, :, None] > 0)).tril()
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "three loops",
        "source": r"""
def packing_mask(segments):
    B, T = segments.shape
    mask = torch.zeros(B, T, T, dtype=torch.bool)
    for b in range(B):
        for t in range(T):
            for s in range(t + 1):
                if segments[b, t] != 0 and segments[b, t] == segments[b, s]:
                    mask[b, t, s] = True
    return mask
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "one-hot of the segments and einsum",
        "source": r"""
def packing_mask(segments):
    numbers, inverse = segments.unique(return_inverse=True)
    hot = F.one_hot(inverse, max(1, len(numbers))).float() * (segments != 0).unsqueeze(-1)
    together = torch.einsum("bti,bsi->bts", hot, hot) > 0.5
    position = torch.arange(segments.shape[1])
    return together & (position[None, :] <= position[:, None])
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "padding looks at padding ('Padding looks at nothing')",
        "source": r"""
def packing_mask(segments):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    return torch.tril(same)
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "looks at later tokens of the same example (no causal part)",
        "source": r"""
def packing_mask(segments):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    return same & (segments > 0).unsqueeze(1)
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "subtle: counts changes of the number, so that padding inside an example cuts it in two ('padding, which may stand anywhere')",
        "source": r"""
def packing_mask(segments):
    B, T = segments.shape
    starts = torch.ones(B, T, dtype=torch.long)
    starts[:, 1:] = (segments[:, 1:] != segments[:, :-1]).long()
    block = starts.cumsum(1)
    same = block[:, :, None] == block[:, None, :]
    return same.tril() & (segments != 0)[:, :, None]
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "subtle: padding in front is treated as if padding stood only at the end: the row is cut at its count of real tokens",
        "source": r"""
def packing_mask(segments):
    B, T = segments.shape
    mask = torch.zeros(B, T, T, dtype=torch.bool)
    for b in range(B):
        n = int((segments[b] > 0).sum())
        seg = segments[b, :n]
        mask[b, :n, :n] = (seg[:, None] == seg[None, :]).tril()
    return mask
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "the mask the other way round ([b, s, t]: upper triangle)",
        "source": r"""
def packing_mask(segments):
    same = segments[:, None, :] == segments[:, :, None]
    real = segments > 0
    return torch.triu(same & real[:, None, :] & real[:, :, None])
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "subtle: int64 instead of bool ('(B, T, T) bool'); the example calls .int()",
        "source": r"""
def packing_mask(segments):
    same = (segments[:, :, None] == segments[:, None, :]).long()
    real = (segments > 0).long()[:, :, None]
    return torch.tril(same * real)
""",
    },
    # ------------------------------------------------------------ answer_loss
    {
        "task": "answer_loss",
        "right": True,
        "why": "labels with -100, cross_entropy with sum",
        "source": r"""
def answer_loss(logits, ids, answer):
    labels = ids[:, 1:].long().masked_fill(~answer[:, 1:], -100)
    total = F.cross_entropy(logits[:, :-1].flatten(0, 1), labels.flatten(), reduction="sum")
    return total / answer[:, 1:].sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "boolean selection, log_softmax, gather",
        "source": r"""
def answer_loss(logits, ids, answer):
    where = answer[:, 1:]
    scores = logits[:, :-1][where]
    wanted = ids[:, 1:][where].long()
    picked = scores.log_softmax(-1).gather(1, wanted.unsqueeze(1))
    return -picked.sum() / max(1, wanted.numel())
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "loops over rows and tokens, logsumexp",
        "source": r"""
def answer_loss(logits, ids, answer):
    costs = []
    for b in range(ids.shape[0]):
        for t in range(1, ids.shape[1]):
            if answer[b, t]:
                row = logits[b, t - 1]
                costs.append(torch.logsumexp(row, 0) - row[ids[b, t].item()])
    if costs == []:
        return logits[:0].sum()
    return torch.stack(costs).mean()
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "subtle: the divisor counts an answer mark at the first token, too ('The first token of a row is not predicted, and never counts')",
        "source": r"""
def answer_loss(logits, ids, answer):
    lp = F.log_softmax(logits[:, :-1], dim=-1)
    picked = lp.gather(2, ids[:, 1:, None]).squeeze(2)
    return -(picked * answer[:, 1:]).sum() / answer.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "subtle: no token counts: 0 without gradient ('computed from the logits like any other loss')",
        "source": r"""
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
        "why": "no shift: the logits at t are compared with token t",
        "source": r"""
def answer_loss(logits, ids, answer):
    labels = torch.where(answer, ids, -100)
    labels[:, 0] = -100
    total = F.cross_entropy(logits.transpose(1, 2), labels, reduction="sum")
    return total / (labels != -100).sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "subtle: adds 1e-9 before the logarithm: wrong for improbable tokens (cost 20.7 at most) and without gradient there",
        "source": r"""
def answer_loss(logits, ids, answer):
    p = torch.softmax(logits[:, :-1], dim=-1).gather(-1, ids[:, 1:].unsqueeze(-1)).squeeze(-1)
    m = answer[:, 1:].to(p.dtype)
    return -(torch.log(p + 1e-9) * m).sum() / m.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "mean of the rows' means instead of over the whole batch",
        "source": r"""
def answer_loss(logits, ids, answer):
    losses = []
    for b in range(len(ids)):
        m = answer[b, 1:]
        cost = F.cross_entropy(logits[b, :-1], ids[b, 1:], reduction="none")
        losses.append((cost * m).sum() / m.sum().clamp(min=1))
    return torch.stack(losses).mean()
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "nan if no token counts ('A batch with no answer token has the loss 0')",
        "source": r"""
def answer_loss(logits, ids, answer):
    labels = ids[:, 1:].masked_fill(answer[:, 1:].logical_not(), -100)
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), labels.reshape(-1))
""",
    },
    # ------------------------------------------------------------ shown_so_far
    {
        "task": "shown_so_far",
        "right": True,
        "why": "whole text, longest open end by endswith",
        "source": r"""
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            shown.append(text[:text.index(stop)])
            break
        held = 0
        for n in range(len(stop) - 1, 0, -1):
            if text.endswith(stop[:n]):
                held = n
                break
        shown.append(text[:len(text) - held])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "letter by letter with the table of Knuth, Morris and Pratt",
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
    text, state, result = "", 0, []
    for piece in pieces:
        for letter in piece:
            while state and letter != stop[state]:
                state = fail[state - 1]
            if letter == stop[state]:
                state += 1
            text += letter
            if state == len(stop):
                result.append(text[:-state])
                return result
        result.append(text[:len(text) - state])
    return result
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "first place from which the rest of the text and the stop agree",
        "source": r"""
def shown_so_far(pieces, stop):
    out = []
    for i in range(1, len(pieces) + 1):
        text = "".join(pieces[:i])
        end = next((p for p in range(len(text)) if all(a == b for a, b in zip(text[p:], stop))), len(text))
        out.append(text[:end])
        if text[end:end + len(stop)] == stop:
            return out
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "subtle: hides the shortest end that could become the stop, not the longest: stop 'aab', text 'aa' (right if no part of the stop repeats its beginning)",
        "source": r"""
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        at = text.find(stop)
        if at >= 0:
            shown.append(text[:at])
            break
        held = next((n for n in range(1, len(stop)) if text.endswith(stop[:n])), 0)
        shown.append(text[:len(text) - held])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "goes on reading after the stop: the list is as long as the pieces ('no further piece is read')",
        "source": r"""
def shown_so_far(pieces, stop):
    shown, text = [], ""
    for piece in pieces:
        text += piece
        if stop in text:
            shown.append(text.split(stop)[0])
        else:
            n = len(stop) - 1
            while n and not text.endswith(stop[:n]):
                n -= 1
            shown.append(text[:len(text) - n])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "always holds back len(stop) - 1 letters, whether they could become the stop or not",
        "source": r"""
def shown_so_far(pieces, stop):
    shown, text = [], ""
    for piece in pieces:
        text += piece
        if stop in text:
            shown.append(text[:text.index(stop)])
            return shown
        shown.append(text[:max(0, len(text) - len(stop) + 1)])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "subtle: shows the open end after the last piece ('An end that is still open when the pieces run out stays hidden')",
        "source": r"""
def shown_so_far(pieces, stop):
    shown, text = [], ""
    for i, piece in enumerate(pieces):
        text += piece
        if stop in text:
            shown.append(text[:text.index(stop)])
            break
        n = 0
        if i < len(pieces) - 1:
            n = max(n for n in range(len(stop)) if text.endswith(stop[:n]))
        shown.append(text[:len(text) - n])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "subtle: cuts at the last stop in the text, not the first: wrong if one piece holds two",
        "source": r"""
def shown_so_far(pieces, stop):
    shown, text = [], ""
    for piece in pieces:
        text += piece
        end = text.rfind(stop)
        if end != -1:
            return shown + [text[:end]]
        n = max(n for n in range(len(stop)) if text.endswith(stop[:n]))
        shown.append(text[:len(text) - n])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "subtle: counts matching letters and starts anew after a mismatch, without going back: stop 'aab', text 'aaab' (and the mismatched letter may begin the stop itself)",
        "source": r"""
def shown_so_far(pieces, stop):
    shown, text, matched = [], "", 0
    for piece in pieces:
        for letter in piece:
            text += letter
            if letter == stop[matched]:
                matched += 1
                if matched == len(stop):
                    shown.append(text[:-matched])
                    return shown
            else:
                matched = 1 if letter == stop[0] else 0
        shown.append(text[:len(text) - matched])
    return shown
""",
    },
    # ------------------------------------------------------------ few_shot_prompt
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "counts what is left",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    left = max_words - len(end.split())
    if left < 0:
        raise ValueError("the question does not fit")
    prompt = ""
    for q, a in solved:
        example = f"Q: {q}\nA: {a}\n"
        left -= len(example.split())
        if left < 0:
            break
        prompt += example
    return prompt + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "clumsy: builds the whole prompt anew for each number of examples and counts its words",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    def prompt(n):
        text = ""
        for i in range(n):
            text = text + "Q: " + solved[i][0] + "\n"
            text = text + "A: " + solved[i][1] + "\n"
        return text + "Q: " + question + "\n" + "A:"
    if len(prompt(0).split()) > max_words:
        raise ValueError("question too long")
    best = prompt(0)
    for n in range(1, len(solved) + 1):
        if len(prompt(n).split()) <= max_words:
            best = prompt(n)
        else:
            break
    return best
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "itertools: accumulate the lengths, takewhile",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    tail = "\n".join(["Q: " + question, "A:"])
    blocks = ["Q: {}\nA: {}\n".format(*pair) for pair in solved]
    totals = itertools.accumulate((len(b.split()) for b in blocks), initial=len(tail.split()))
    n = sum(1 for _ in itertools.takewhile(lambda total: total <= max_words, totals))
    if n == 0:
        raise ValueError("no room for the question")
    return "".join(blocks[:n - 1]) + tail
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "subtle: skips an example that does not fit and goes on to later, shorter ones ('until the next one does not fit')",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    used = len(end.split())
    if used > max_words:
        raise ValueError("too long")
    out = ""
    for q, a in solved:
        example = f"Q: {q}\nA: {a}\n"
        if used + len(example.split()) <= max_words:
            out += example
            used += len(example.split())
    return out + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "one word too careful: < instead of <= (the example fits exactly: 11 words)",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) >= max_words:
        raise ValueError("too long")
    out = ""
    for q, a in solved:
        example = f"Q: {q}\nA: {a}\n"
        if len((out + example + end).split()) < max_words:
            out += example
        else:
            break
    return out + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "subtle: takes it that each example has 4 words",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = "Q: " + question + "\nA:"
    room = max_words - len(end.split())
    if room < 0:
        raise ValueError("question too long")
    chosen = solved[:room // 4]
    return "".join(f"Q: {q}\nA: {a}\n" for q, a in chosen) + end
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "subtle: counts with split(' '): line breaks and double blanks inside a text count wrongly ('text.split() says what a word is')",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    def words(s):
        return len(s.split(" "))
    used = 2 + words(question)
    if used > max_words:
        raise ValueError("question too long")
    prompt = ""
    for q, a in solved:
        used += 2 + words(q) + words(a)
        if used > max_words:
            break
        prompt += f"Q: {q}\nA: {a}\n"
    return prompt + f"Q: {question}\nA:"
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "keeps the last examples that fit instead of the first",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError("question too long")
    text = end
    for q, a in reversed(solved):
        longer = f"Q: {q}\nA: {a}\n" + text
        if len(longer.split()) > max_words:
            break
        text = longer
    return text
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "subtle: no ValueError if only the question is too long by the words 'Q:' and 'A:' (tests the question alone)",
        "source": r"""
def few_shot_prompt(solved, question, max_words):
    if len(question.split()) > max_words:
        raise ValueError("the question alone is too long")
    end = f"Q: {question}\nA:"
    n = 0
    def build(n):
        return "".join(f"Q: {q}\nA: {a}\n" for q, a in solved[:n]) + end
    while n < len(solved) and len(build(n + 1).split()) <= max_words:
        n += 1
    return build(n)
""",
    },
    # ------------------------------------------------------------ run_call
    {
        "task": "run_call",
        "right": True,
        "why": "rfind and fullmatch",
        "source": r"""
import re

def run_call(text):
    start = text.rfind("<call>")
    if start < 0 or not text.endswith("</call>"):
        return text
    inside = text[start + len("<call>"):-len("</call>")]
    found = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", inside)
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
        "why": "without regular expressions: partition and a test of each letter",
        "source": r"""
def run_call(text):
    if not text.endswith("</call>"):
        return text
    parts = text[:-7].split("<call>")
    if len(parts) == 1:
        return text
    call = parts[-1].strip(" ")
    result = "error"
    for sign in "+-*":
        left, found, right = call.partition(sign)
        left = left.strip(" ")
        right = right.strip(" ")
        if found and left and right and set(left) <= set("0123456789") and set(right) <= set("0123456789"):
            a = int(left)
            b = int(right)
            if sign == "+":
                result = str(a + b)
            elif sign == "-":
                result = str(a - b)
            else:
                result = str(a * b)
            break
    return text + "<result>" + result + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": True,
        "why": "one greedy expression with DOTALL, and the operator module",
        "source": r"""
import operator
import re

CALL = re.compile(r".*<call>(.*)</call>", re.DOTALL)
SUM = re.compile(r"[ ]*(?P<a>[0-9]+)[ ]*(?P<op>\+|-|\*)[ ]*(?P<b>[0-9]+)[ ]*")

def run_call(text):
    call = CALL.fullmatch(text)
    if not call:
        return text
    m = SUM.fullmatch(call.group(1))
    ops = {"+": operator.add, "-": operator.sub, "*": operator.mul}
    answer = ops[m["op"]](int(m["a"]), int(m["b"])) if m else "error"
    return text + "<result>" + str(answer) + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "subtle: the non-greedy search begins at the first <call>, not the last: with two calls it says error",
        "source": r"""
import re

def run_call(text):
    m = re.search(r"<call>(.*?)</call>\Z", text, re.DOTALL)
    if not m:
        return text
    n = re.fullmatch(r" *(\d+) *([+*-]) *(\d+) *", m[1])
    if not n:
        return text + "<result>error</result>"
    a, b = int(n[1]), int(n[3])
    r = a + b if n[2] == "+" else a - b if n[2] == "-" else a * b
    return text + f"<result>{r}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "subtle: removes all blanks first, so that '1 2 + 3' is 15 ('but not within a number')",
        "source": r"""
import re

def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inside = text[:-7].rsplit("<call>", 1)[1].replace(" ", "")
    m = re.fullmatch(r"([0-9]+)([+*-])([0-9]+)", inside)
    if m is None:
        return text + "<result>error</result>"
    a, b = int(m[1]), int(m[3])
    r = {"+": a + b, "-": a - b, "*": a * b}[m[2]]
    return text + "<result>" + str(r) + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "subtle: int() accepts signs and underscores: '+3 * 4', '1_0 + 2' ('digits alone, without a sign')",
        "source": r"""
def run_call(text):
    start = text.rfind("<call>")
    if not text.endswith("</call>") or start == -1:
        return text
    inside = text[start + 6:-7]
    result = "error"
    for op in "*+-":
        at = inside.find(op, 1)
        if at > 0:
            try:
                a, b = int(inside[:at]), int(inside[at + 1:])
            except ValueError:
                continue
            result = a + b if op == "+" else a - b if op == "-" else a * b
            break
    return f"{text}<result>{result}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "tests the form, but then gives it to eval ('never given to eval'); SyntaxError at 007 + 1",
        "source": r"""
import re

def run_call(text):
    start = text.rfind("<call>")
    if start == -1 or not text.endswith("</call>"):
        return text
    inside = text[start + 6:-7]
    if re.fullmatch(r" *[0-9]+ *[-+*] *[0-9]+ *", inside):
        return text + "<result>" + str(eval(inside.strip())) + "</result>"
    return text + "<result>error</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "answers a call that is not at the end of the text",
        "source": r"""
import re

def run_call(text):
    calls = re.findall(r"<call>([^<]*)</call>", text)
    if not calls:
        return text
    m = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", calls[-1])
    if not m:
        return text + "<result>error</result>"
    a, b = int(m[1]), int(m[3])
    r = {"+": a + b, "-": a - b, "*": a * b}[m[2]]
    return text + f"<result>{r}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "subtle: '.' does not match a line break: a call that holds one comes back unanswered, not with error",
        "source": r"""
import re

def run_call(text):
    m = re.search(r"<call>((?:(?!<call>).)*)</call>$", text)
    if m is None:
        return text
    n = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", m.group(1))
    if n is None:
        return text + "<result>error</result>"
    a, op, b = int(n[1]), n[2], int(n[3])
    return text + "<result>%d</result>" % (a + b if op == "+" else a - b if op == "-" else a * b)
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "subtle: computes with floats: wrong from 2^53 on (99999999999999999 + 1)",
        "source": r"""
import re

def run_call(text):
    start = text.rfind("<call>")
    if start == -1 or not text.endswith("</call>"):
        return text
    m = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", text[start + 6:-7])
    if m:
        a, b = float(m[1]), float(m[3])
        value = int({"+": a + b, "-": a - b, "*": a * b}[m[2]])
    else:
        value = "error"
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": None,
        "why": r"open: \s and \d instead of blanks and 0-9: a tab or line break between numbers ('Spaces may stand'), or Arabic digits",
        "source": r"""
import re

def run_call(text):
    start = text.rfind("<call>")
    if start == -1 or not text.endswith("</call>"):
        return text
    m = re.fullmatch(r"\s*(\d+)\s*([-+*])\s*(\d+)\s*", text[start + 6:-7])
    if not m:
        return text + "<result>error</result>"
    a, b = int(m[1]), int(m[3])
    return text + f"<result>{dict([('+', a + b), ('-', a - b), ('*', a * b)])[m[2]]}</result>"
""",
    },
    # ------------------------------------------------------------ nearest_passages
    {
        "task": "nearest_passages",
        "right": True,
        "why": "cosine with clamped lengths, stable sort",
        "source": r"""
def nearest_passages(query, passages, k):
    lengths = passages.norm(dim=1) * query.norm()
    dots = (passages * query).sum(dim=1)
    cosine = torch.where(lengths > 0, dots / torch.where(lengths > 0, lengths, 1.0), 0.0)
    return torch.sort(cosine, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "plain Python, sorted with key",
        "source": r"""
def nearest_passages(query, passages, k):
    q = query.tolist()
    def cosine(p):
        a = math.sqrt(sum(x * x for x in q))
        b = math.sqrt(sum(x * x for x in p))
        if a == 0 or b == 0:
            return 0.0
        return sum(x * y for x, y in zip(p, q)) / (a * b)
    scores = [cosine(p) for p in passages.tolist()]
    return sorted(range(len(scores)), key=lambda i: -scores[i])[:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "F.cosine_similarity, then the best one again and again (first maximum of a list)",
        "source": r"""
def nearest_passages(query, passages, k):
    left = F.cosine_similarity(passages, query.unsqueeze(0), dim=-1).tolist()
    numbers = list(range(len(left)))
    best = []
    while numbers and len(best) < k:
        i = max(numbers, key=left.__getitem__)
        best.append(i)
        numbers.remove(i)
    return best
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "subtle: sorts upwards and turns round, so that of equal ones the last stands first",
        "source": r"""
def nearest_passages(query, passages, k):
    cos = F.cosine_similarity(passages, query[None], dim=1)
    order = cos.numpy().argsort(kind="stable")[::-1]
    return [int(i) for i in order[:k]]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "the product with the query, without the passages' lengths",
        "source": r"""
def nearest_passages(query, passages, k):
    scores = passages @ query
    return torch.argsort(scores, descending=True, stable=True)[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "subtle: a vector of zeros gives nan, which is sorted to the front",
        "source": r"""
def nearest_passages(query, passages, k):
    cos = (passages @ query) / (passages.norm(dim=1) * query.norm())
    return torch.argsort(cos, descending=True, stable=True)[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "subtle: topk raises if k is more than N ('if it is more than N, all come back')",
        "source": r"""
def nearest_passages(query, passages, k):
    q = F.normalize(query, dim=0)
    p = F.normalize(passages, dim=1)
    return (p @ q).topk(k).indices.tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "subtle: vectors of zeros come last, behind negative cosines ('has cosine 0 with everything')",
        "source": r"""
def nearest_passages(query, passages, k):
    norms = passages.norm(dim=1)
    cos = (passages * query).sum(1) / norms.clamp(min=1e-12) / query.norm().clamp(min=1e-12)
    cos[norms == 0] = -1.0
    order = sorted(range(len(cos)), key=lambda i: (-cos[i].item(), i))
    return order[:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "subtle: gives no answer for a query of zeros (empty list), though all have cosine 0 then",
        "source": r"""
def nearest_passages(query, passages, k):
    if not query.any():
        return []
    cos = F.cosine_similarity(passages, query[None], dim=1)
    return torch.sort(cos, descending=True, stable=True)[1][:k].tolist()
""",
    },
    # ------------------------------------------------------------ held_out_split
    {
        "task": "held_out_split",
        "right": True,
        "why": "three comprehensions",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    train = [l for l in lessons if l[0] not in tasks and l[1] not in wordings]
    learned = {l[0] for l in train}
    return {
        "train": train,
        "wording": [l for l in lessons if l[1] in wordings and l[0] in learned],
        "task": [l for l in lessons if l[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "two passes with if and else",
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
    kept = []
    for lesson in parts["wording"]:
        found = False
        for other in parts["train"]:
            if other[0] == lesson[0]:
                found = True
        if found:
            kept.append(lesson)
    parts["wording"] = kept
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "a defaultdict (a dict) with the three keys, by a function that names the part",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    tasks, wordings = set(tasks), set(wordings)
    known = set(t for t, w, _ in lessons if w not in wordings) - tasks
    def part(task, wording):
        if task in tasks:
            return "task"
        if wording not in wordings:
            return "train"
        return "wording" if task in known else None
    out = defaultdict(list, train=[], wording=[], task=[])
    for t, w, text in lessons:
        name = part(t, w)
        if name is not None:
            out[name].append((t, w, text))
    return out
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "subtle: keeps lessons in a held-out wording whose task is not in train ('it is left out')",
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
        "why": "subtle: in one pass, so that a wording counts only if a train lesson of its task came before",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    train, wording, task, seen = [], [], [], set()
    for lesson in lessons:
        t, w, _ = lesson
        if t in tasks:
            task.append(lesson)
        elif w not in wordings:
            train.append(lesson)
            seen.add(t)
        elif t in seen:
            wording.append(lesson)
    return {"train": train, "wording": wording, "task": task}
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "subtle: lessons of a held-out task in a held-out wording are left out ('in whatever wording')",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    train = [l for l in lessons if l[0] not in tasks and l[1] not in wordings]
    have = [l[0] for l in train]
    wording = [l for l in lessons if l[0] not in tasks and l[1] in wordings and l[0] in have]
    task = [l for l in lessons if l[0] in tasks and l[1] not in wordings]
    return {"train": train, "wording": wording, "task": task}
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "subtle: a part without lessons has no key",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    train_tasks = {t for t, w, _ in lessons if t not in tasks and w not in wordings}
    out = {}
    for l in lessons:
        if l[0] in tasks:
            out.setdefault("task", []).append(l)
        elif l[1] not in wordings:
            out.setdefault("train", []).append(l)
        elif l[0] in train_tasks:
            out.setdefault("wording", []).append(l)
    return out
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "subtle: with sets: equal lessons are kept once only, and sorted instead of in the old order",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    everything = set(lessons)
    task = {l for l in everything if l[0] in tasks}
    train = {l for l in everything - task if l[1] not in wordings}
    names = {l[0] for l in train}
    wording = {l for l in everything - task - train if l[0] in names}
    return {"train": sorted(train), "wording": sorted(wording), "task": sorted(task)}
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "a lesson of a held-out task in a held-out wording goes to 'wording' (tested first)",
        "source": r"""
def held_out_split(lessons, tasks, wordings):
    out = {"train": [], "wording": [], "task": []}
    for l in lessons:
        if l[1] in wordings:
            out["wording"].append(l)
        elif l[0] in tasks:
            out["task"].append(l)
        else:
            out["train"].append(l)
    have = {l[0] for l in out["train"]} | set(tasks)
    out["wording"] = [l for l in out["wording"] if l[0] in have]
    return out
""",
    },
]
