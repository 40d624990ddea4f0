"""Answers to chapter 10, written from its page alone."""

ANSWERS = [
    # chat_text
    {
        "task": "chat_text",
        "right": True,
        "why": "a loop",
        "source": """
def chat_text(turns, open_answer=False):
    text = ""
    for role, said in turns:
        if "<end>" in said:
            raise ValueError(f"{role!r} says <end>")
        text += f"<{role}>{said}<end>\\n"
    return text + "<bot>" * open_answer
""",
    },
    {
        "task": "chat_text",
        "right": True,
        "why": "join; an error class of its own",
        "source": """
class Forged(ValueError):
    pass

def chat_text(turns, open_answer=False):
    turns = list(turns)
    if any(said.find("<end>") != -1 for _, said in turns):
        raise Forged
    lines = ["<%s>%s<end>\\n" % turn for turn in map(tuple, turns)]
    return "".join([*lines, "<bot>" if open_answer else ""])
""",
    },
    {
        "task": "chat_text",
        "right": True,
        "why": "recursion",
        "source": """
def chat_text(turns, open_answer=False):
    if not turns:
        return "<bot>" if open_answer else ""
    (role, said), *rest = turns
    if said.count("<end>"):
        raise ValueError("end mark")
    return "<" + role + ">" + said + "<end>" + "\\n" + chat_text(rest, open_answer)
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "'Every text stands as it is, blanks and line breaks included': it is stripped",
        "source": """
def chat_text(turns, open_answer=False):
    if any("<end>" in said for _, said in turns):
        raise ValueError("<end>")
    text = "".join(f"<{role}>{said.strip()}<end>\\n" for role, said in turns)
    return text + ("<bot>" if open_answer else "")
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "'a text that holds <end>': compares whole texts, because turn is a pair and not a str",
        "source": """
def chat_text(turns, open_answer=False):
    text = ""
    for turn in turns:
        if "<end>" in turn:
            raise ValueError("<end>")
        text += f"<{turn[0]}>{turn[1]}<end>\\n"
    return text + ("<bot>" if open_answer else "")
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "'a text that holds <end>': only the user is suspected, a bot may say it",
        "source": """
def chat_text(turns, open_answer=False):
    if any(role == "user" and "<end>" in said for role, said in turns):
        raise ValueError("<end>")
    text = "".join(f"<{role}>{said}<end>\\n" for role, said in turns)
    return text + ("<bot>" if open_answer else "")
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "refuses any text with an angle bracket: '<' alone ends no turn",
        "source": """
def chat_text(turns, open_answer=False):
    if any("<" in said or ">" in said for _, said in turns):
        raise ValueError("marks are not allowed in texts")
    text = "".join(f"<{role}>{said}<end>\\n" for role, said in turns)
    return text + ("<bot>" if open_answer else "")
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "'If an answer is wanted, <bot> follows': not where the bot spoke last",
        "source": """
def chat_text(turns, open_answer=False):
    if any("<end>" in said for _, said in turns):
        raise ValueError("<end>")
    text = "".join(f"<{role}>{said}<end>\\n" for role, said in turns)
    if open_answer and (not turns or turns[-1][0] != "bot"):
        text += "<bot>"
    return text
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "'there may be none': a line break stands before <bot> even without turns",
        "source": """
def chat_text(turns, open_answer=False):
    if any("<end>" in said for _, said in turns):
        raise ValueError("<end>")
    lines = [f"<{role}>{said}<end>" for role, said in turns]
    return "\\n".join([*lines, ""]) + ("\\n" * (not lines) + "<bot>") * open_answer
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "roles other than the user are written as <bot>: 'its role in angle brackets'",
        "source": """
def chat_text(turns, open_answer=False):
    text = ""
    for role, said in turns:
        if "<end>" in said:
            raise ValueError("<end>")
        text += ("<user>" if role == "user" else "<bot>") + said + "<end>\\n"
    return text + ("<bot>" if open_answer else "")
""",
    },
    {
        "task": "chat_text",
        "right": False,
        "why": "a turn with an empty text is left out",
        "source": """
def chat_text(turns, open_answer=False):
    if any("<end>" in said for _, said in turns):
        raise ValueError("<end>")
    text = "".join(f"<{role}>{said}<end>\\n" for role, said in turns if said)
    return text + ("<bot>" if open_answer else "")
""",
    },
    {
        "task": "chat_text",
        "right": None,
        "why": "refuses a role that holds <end>, too; the statement speaks of texts only",
        "source": """
def chat_text(turns, open_answer=False):
    if any("<end>" in part for turn in turns for part in turn):
        raise ValueError("<end>")
    text = "".join(f"<{role}>{said}<end>\\n" for role, said in turns)
    return text + ("<bot>" if open_answer else "")
""",
    },
    # answer_labels
    {
        "task": "answer_labels",
        "right": True,
        "why": "where",
        "source": """
def answer_labels(ids, answer):
    return torch.where(answer[:, 1:], ids[:, 1:], -100)
""",
    },
    {
        "task": "answer_labels",
        "right": None,
        "why": "arithmetic with the mask; its author was not told that ids may be int32",
        "source": """
def answer_labels(ids, answer):
    m = answer[:, 1:].long()
    return ids[:, 1:] * m - 100 * (1 - m)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "lists: always int64, whatever ids",
        "source": """
def answer_labels(ids, answer):
    rows = []
    for tokens, marks in zip(ids.tolist(), answer.tolist()):
        rows.append([token if mark else -100 for token, mark in zip(tokens[1:], marks[1:])])
    return torch.tensor(rows)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "'if that token is part of an answer': asks whether the token t that is read is one",
        "source": """
def answer_labels(ids, answer):
    return ids[:, 1:].masked_fill(~(answer[:, :-1] | answer[:, 1:]), -100)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "token 0 in an answer is taken for no label",
        "source": """
def answer_labels(ids, answer):
    labels = (ids * answer)[:, 1:]
    return torch.where(labels == 0, torch.full_like(labels, -100), labels)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "everything after the first answer token is learned: a second prompt may follow",
        "source": """
def answer_labels(ids, answer):
    begun = answer.long().cumsum(dim=1) > 0
    return ids[:, 1:].masked_fill(~begun[:, 1:], -100)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "'So there are T - 1 labels': a last one of -100 is added",
        "source": """
def answer_labels(ids, answer):
    labels = torch.full_like(ids, -100)
    labels[:, :-1] = torch.where(answer[:, 1:], ids[:, 1:], -100)
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "one mask for the whole batch: a position counts where any row has an answer",
        "source": """
def answer_labels(ids, answer):
    labels = ids[:, 1:].clone()
    labels[:, ~answer[:, 1:].any(dim=0)] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "two tokens give one label: squeeze takes its dimension away",
        "source": """
def answer_labels(ids, answer):
    return torch.where(answer[:, 1:], ids[:, 1:], -100).squeeze(-1)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "the first token of each answer is not learned: both t and t + 1 must be answer here",
        "source": """
def answer_labels(ids, answer):
    return torch.where(answer[:, 1:] & answer[:, :-1], ids[:, 1:], -100)
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "writes -100 into the caller's ids: 'A function leaves its arguments as they are'",
        "source": """
def answer_labels(ids, answer):
    labels = ids[:, 1:]
    labels[~answer[:, 1:]] = -100
    return labels
""",
    },
    {
        "task": "answer_labels",
        "right": False,
        "why": "labels in floats: 'of the element type of ids'",
        "source": """
def answer_labels(ids, answer):
    return torch.where(answer[:, 1:], ids[:, 1:].float(), -100.0)
""",
    },
    # packing_mask
    {
        "task": "packing_mask",
        "right": True,
        "why": "broadcasting",
        "source": """
def packing_mask(segments):
    T = segments.shape[1]
    same = segments[:, :, None] == segments[:, None, :]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return same & causal & (segments != 0)[:, :, None]
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "loops",
        "source": """
def packing_mask(segments):
    B, T = segments.shape
    mask = torch.zeros(B, T, T, dtype=torch.bool)
    for b, row in enumerate(segments.tolist()):
        for t in range(T):
            for s in range(t + 1):
                mask[b, t, s] = row[t] == row[s] > 0
    return mask
""",
    },
    {
        "task": "packing_mask",
        "right": True,
        "why": "adds one outer product for each example",
        "source": """
def packing_mask(segments):
    mask = torch.zeros(*segments.shape, segments.shape[1], dtype=torch.bool)
    for number in segments.unique().tolist():
        if number:
            own = segments == number
            mask |= own.unsqueeze(2) & own.unsqueeze(1)
    return mask.tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "'Padding looks at nothing': padding looks at padding before it",
        "source": """
def packing_mask(segments):
    same = segments[:, :, None] == segments[:, None, :]
    padding = (segments == 0)[:, None, :] & (segments != 0)[:, :, None]
    return (same & ~padding).tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "'Padding looks at nothing': each token sees itself, padding too, so that no softmax is empty",
        "source": """
def packing_mask(segments):
    same = (segments[:, :, None] == segments[:, None, :]) & (segments > 0)[:, None]
    return same.tril() | torch.eye(segments.shape[1], dtype=torch.bool)
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "'padding, which may stand anywhere': an example that goes on after padding is cut in two",
        "source": """
def packing_mask(segments):
    change = torch.ones_like(segments)
    change[:, 1:] = (segments[:, 1:] != segments[:, :-1]).to(segments.dtype)
    run = change.cumsum(1)
    same = (run[:, :, None] == run[:, None, :]) & (segments != 0)[:, None, :]
    return same.tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "'if both belong to the same example': all earlier examples are seen, too",
        "source": """
def packing_mask(segments):
    earlier = segments[:, :, None] >= segments[:, None, :]
    real = (segments > 0)[:, :, None] & (segments > 0)[:, None, :]
    return (earlier & real).tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "'[b, t, s] says whether token t may look at token s': queries and keys are swapped",
        "source": """
def packing_mask(segments):
    same = (segments[:, :, None] == segments[:, None, :]) & (segments != 0)[:, None, :]
    return same.triu()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "'(B, T, T) bool': ones and zeros in integers",
        "source": """
def packing_mask(segments):
    same = (segments[:, :, None] == segments[:, None, :]) & (segments != 0)[:, None, :]
    return same.long().tril()
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "the examples of the first row stand for those of all rows",
        "source": """
def packing_mask(segments):
    B, T = segments.shape
    row = segments[0]
    same = (row[:, None] == row[None]) & (row != 0)
    return same.tril().expand(B, T, T)
""",
    },
    {
        "task": "packing_mask",
        "right": False,
        "why": "one_hot with T classes has no place for example number T: T examples of one token fail",
        "source": """
def packing_mask(segments):
    member = F.one_hot(segments, segments.shape[1])[..., 1:]
    return (member @ member.mT).tril() > 0
""",
    },
    # answer_loss
    {
        "task": "answer_loss",
        "right": True,
        "why": "sum and count",
        "source": """
def answer_loss(logits, ids, answer):
    counts = answer[:, 1:]
    costs = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    return (costs * counts).sum() / counts.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "labels of -100",
        "source": """
def answer_loss(logits, ids, answer):
    labels = ids[:, 1:].masked_fill(~answer[:, 1:], -100)
    total = F.cross_entropy(logits[:, :-1].flatten(0, 1), labels.flatten(), reduction="sum")
    return total / max(1, int((labels >= 0).sum()))
""",
    },
    {
        "task": "answer_loss",
        "right": True,
        "why": "the places of the answers, with nonzero",
        "source": """
def answer_loss(logits, ids, answer):
    b, t = answer[:, 1:].nonzero(as_tuple=True)
    rows = logits[b, t]
    costs = torch.logsumexp(rows, dim=-1) - rows[torch.arange(len(b)), ids[b, t + 1]]
    return costs.mean() if len(b) else costs.sum()
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "'The first token of a row never counts': it is counted in the denominator",
        "source": """
def answer_loss(logits, ids, answer):
    costs = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    return (costs * answer[:, 1:]).sum() / answer.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "'over the whole batch': the mean of the rows' means",
        "source": """
def answer_loss(logits, ids, answer):
    m = answer[:, 1:].to(logits.dtype)
    costs = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    rows = (costs * m).sum(1) / m.sum(1).clamp(min=1)
    return rows.sum() / (m.sum(1) > 0).sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "'A batch with no answer token has the loss 0': it is nan",
        "source": """
def answer_loss(logits, ids, answer):
    log_probs = logits[:, :-1].log_softmax(-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    return -log_probs[answer[:, 1:]].mean()
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "'0, computed from the logits like any other loss': a constant of its own",
        "source": """
def answer_loss(logits, ids, answer):
    if not answer[:, 1:].any():
        return torch.tensor(0.0, dtype=logits.dtype, requires_grad=True)
    labels = torch.where(answer[:, 1:], ids[:, 1:], -100)
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), labels)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "m is taken at t, not at t + 1: the first token of an answer never counts",
        "source": """
def answer_loss(logits, ids, answer):
    counts = answer[:, :-1]
    costs = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    return (costs * counts).sum() / counts.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "'Large logits must not overflow': the softmax is clamped at 1e-12, so dear tokens cost 27.6 at most",
        "source": """
def answer_loss(logits, ids, answer):
    probs = logits[:, :-1].softmax(-1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    counts = answer[:, 1:]
    return -(probs.clamp(min=1e-12).log() * counts).sum() / counts.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "the logits are masked before the softmax: at other places 0, whose cost ln V is added",
        "source": """
def answer_loss(logits, ids, answer):
    counts = answer[:, 1:]
    kept = logits[:, :-1] * counts[..., None]
    costs = F.cross_entropy(kept.transpose(1, 2), ids[:, 1:], reduction="none")
    return costs.sum() / counts.sum().clamp(min=1)
""",
    },
    {
        "task": "answer_loss",
        "right": False,
        "why": "token 0 in an answer is not counted",
        "source": """
def answer_loss(logits, ids, answer):
    labels = ids[:, 1:] * answer[:, 1:]
    total = F.cross_entropy(logits[:, :-1].transpose(1, 2), labels, ignore_index=0, reduction="sum")
    return total / (labels != 0).sum().clamp(min=1)
""",
    },
    # shown_so_far
    {
        "task": "shown_so_far",
        "right": True,
        "why": "tries the longest open end first",
        "source": """
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            shown.append(text[: text.index(stop)])
            break
        open_end = 0
        for n in range(min(len(stop) - 1, len(text)), 0, -1):
            if text.endswith(stop[:n]):
                open_end = n
                break
        shown.append(text[: len(text) - open_end])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "the first place from which the rest is a beginning of the stop",
        "source": """
def shown_so_far(pieces, stop):
    shown = []
    for text in itertools.accumulate(pieces):
        before, found, _ = text.partition(stop)
        if found:
            return shown + [before]
        cut = next(i for i in range(len(text) + 1) if stop.startswith(text[i:]))
        shown.append(text[:cut])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": True,
        "why": "letter by letter, with the automaton of Knuth, Morris and Pratt",
        "source": """
def shown_so_far(pieces, stop):
    fail = [0] * (len(stop) + 1)
    for i in range(1, len(stop)):
        j = fail[i]
        while j and stop[i] != stop[j]:
            j = fail[j]
        fail[i + 1] = j + (stop[i] == stop[j])
    text, state, out = "", 0, []
    for piece in pieces:
        for letter in piece:
            text += letter
            while state and stop[state] != letter:
                state = fail[state]
            state += stop[state] == letter
            if state == len(stop):
                return out + [text[:-state]]
        out.append(text[: len(text) - state])
    return out
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "'an end that could still become the stop': hides the shortest such end, not the longest",
        "source": """
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            return shown + [text.split(stop)[0]]
        n = next((n for n in range(1, len(stop)) if text.endswith(stop[:n])), 0)
        shown.append(text[: len(text) - n])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "'the text ends before it': hides an end of the finished text, too",
        "source": """
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        done = stop in text
        seen = text.split(stop)[0]
        for n in range(len(stop) - 1, 0, -1):
            if seen.endswith(stop[:n]):
                seen = seen[:-n]
                break
        shown.append(seen)
        if done:
            break
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "'An end that is still open when the pieces run out stays hidden': the last entry shows it",
        "source": """
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            return shown + [text.split(stop)[0]]
        n = next((n for n in range(len(stop) - 1, 0, -1) if text.endswith(stop[:n])), 0)
        shown.append(text[: len(text) - n])
    if shown:
        shown[-1] = text
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "holds back as many letters as the stop could need, whatever they are: 'everything, except for an end'",
        "source": """
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            return shown + [text.split(stop)[0]]
        shown.append(text[: max(len(text) - len(stop) + 1, 0)])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "looks for the stop's beginning in the last piece only: an end open over two pieces is shown",
        "source": """
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            return shown + [text.split(stop)[0]]
        n = next((n for n in range(len(stop) - 1, 0, -1) if piece.endswith(stop[:n])), 0)
        shown.append(text[: len(text) - n])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "'no further piece is read': goes on with the same text to the last piece",
        "source": """
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        seen = text.split(stop)[0]
        if stop not in text:
            n = next((n for n in range(len(stop) - 1, 0, -1) if text.endswith(stop[:n])), 0)
            seen = text[: len(text) - n]
        shown.append(seen)
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "an ended text is cut at the last stop string in it, not at the first",
        "source": """
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in pieces:
        text += piece
        if stop in text:
            return shown + [text[: text.rfind(stop)]]
        n = next((n for n in range(len(stop) - 1, 0, -1) if text.endswith(stop[:n])), 0)
        shown.append(text[: len(text) - n])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "a mismatch sets the counter of matched letters to 0, and a stop that began since is lost",
        "source": """
def shown_so_far(pieces, stop):
    text, matched, shown = "", 0, []
    for piece in pieces:
        for letter in piece:
            text += letter
            matched = matched + 1 if letter == stop[matched] else int(letter == stop[0])
            if matched == len(stop):
                return shown + [text[:-matched]]
        shown.append(text[: len(text) - matched])
    return shown
""",
    },
    {
        "task": "shown_so_far",
        "right": False,
        "why": "a piece that is empty adds no entry: 'the whole text that is shown after each piece'",
        "source": """
def shown_so_far(pieces, stop):
    text, shown = "", []
    for piece in filter(None, pieces):
        text += piece
        if stop in text:
            return shown + [text.split(stop)[0]]
        n = next((n for n in range(len(stop) - 1, 0, -1) if text.endswith(stop[:n])), 0)
        shown.append(text[: len(text) - n])
    return shown
""",
    },
    # few_shot_prompt
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "a loop with a rest of words",
        "source": """
def few_shot_prompt(solved, question, max_words):
    ending = f"Q: {question}\\nA:"
    left = max_words - len(ending.split())
    if left < 0:
        raise ValueError("the question does not fit")
    prompt = ""
    for q, a in solved:
        example = f"Q: {q}\\nA: {a}\\n"
        left -= len(example.split())
        if left < 0:
            break
        prompt += example
    return prompt + ending
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "tries all examples first, then one less",
        "source": """
def few_shot_prompt(solved, question, max_words):
    for n in range(len(solved), -1, -1):
        lines = [f"Q: {q}\\nA: {a}\\n" for q, a in solved[:n]] + [f"Q: {question}\\nA:"]
        prompt = "".join(lines)
        if len(prompt.split()) <= max_words:
            return prompt
    raise ValueError(question)
""",
    },
    {
        "task": "few_shot_prompt",
        "right": True,
        "why": "takewhile over running sums; an error class of its own",
        "source": """
class TooLong(ValueError):
    pass

def few_shot_prompt(solved, question, max_words):
    count = lambda *texts: sum(len(text.split()) for text in texts) + 2
    used = len(question.split()) + 2
    if used > max_words:
        raise TooLong(used)
    sums = itertools.accumulate((count(q, a) for q, a in solved), initial=used)
    fits = sum(1 for _ in itertools.takewhile(lambda n: n <= max_words, sums)) - 1
    parts = ["Q: {}\\nA: {}\\n".format(*pair) for pair in solved[:fits]]
    return "".join(parts) + "Q: " + question + "\\nA:"
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "'until the next one does not fit': leaves that one out and goes on with shorter ones",
        "source": """
def few_shot_prompt(solved, question, max_words):
    ending = f"Q: {question}\\nA:"
    left = max_words - len(ending.split())
    if left < 0:
        raise ValueError("question")
    prompt = ""
    for q, a in solved:
        example = f"Q: {q}\\nA: {a}\\n"
        if len(example.split()) <= left:
            prompt += example
            left -= len(example.split())
    return prompt + ending
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "'taken from the first one on': takes the last examples, those nearest to the question",
        "source": """
def few_shot_prompt(solved, question, max_words):
    prompt = f"Q: {question}\\nA:"
    if len(prompt.split()) > max_words:
        raise ValueError("question")
    for q, a in reversed(solved):
        longer = f"Q: {q}\\nA: {a}\\n" + prompt
        if len(longer.split()) > max_words:
            break
        prompt = longer
    return prompt
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "'how many words the whole prompt may have': exactly max_words is refused",
        "source": """
def few_shot_prompt(solved, question, max_words):
    ending = f"Q: {question}\\nA:"
    if len(ending.split()) >= max_words:
        raise ValueError("question")
    prompt = ""
    for q, a in solved:
        example = f"Q: {q}\\nA: {a}\\n"
        if len((prompt + example + ending).split()) > max_words:
            break
        prompt += example
    return prompt + ending
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "'text.split() says what a word is': split(' ') counts blanks and joins lines",
        "source": """
def few_shot_prompt(solved, question, max_words):
    ending = f"Q: {question}\\nA:"
    def words(text):
        return sum(len(line.split(" ")) for line in text.splitlines())
    if words(ending) > max_words:
        raise ValueError("question")
    prompt = ""
    for q, a in solved:
        example = f"Q: {q}\\nA: {a}\\n"
        if words(prompt + example + ending) > max_words:
            break
        prompt += example
    return prompt + ending
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "'The context holds max_words words': every example is taken for 4 words, as in the one by hand",
        "source": """
def few_shot_prompt(solved, question, max_words):
    ending = f"Q: {question}\\nA:"
    left = max_words - len(ending.split())
    if left < 0:
        raise ValueError("question")
    return "".join(f"Q: {q}\\nA: {a}\\n" for q, a in solved[: left // 4]) + ending
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "'ValueError: the question alone is too long': comes back without any example instead",
        "source": """
def few_shot_prompt(solved, question, max_words):
    ending = f"Q: {question}\\nA:"
    prompt = ""
    for q, a in solved:
        example = f"Q: {q}\\nA: {a}\\n"
        if len((prompt + example + ending).split()) > max_words:
            break
        prompt += example
    return prompt + ending
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "the words of the question are counted without 'Q:' and 'A:'",
        "source": """
def few_shot_prompt(solved, question, max_words):
    left = max_words - len(question.split())
    if left < 0:
        raise ValueError("question")
    prompt = ""
    for q, a in solved:
        example = f"Q: {q}\\nA: {a}\\n"
        left -= len(example.split())
        if left < 0:
            break
        prompt += example
    return prompt + f"Q: {question}\\nA:"
""",
    },
    {
        "task": "few_shot_prompt",
        "right": False,
        "why": "the question's words are not reserved: the examples alone fill the context",
        "source": """
def few_shot_prompt(solved, question, max_words):
    ending = f"Q: {question}\\nA:"
    if len(ending.split()) > max_words:
        raise ValueError("question")
    prompt = ""
    for q, a in solved:
        longer = prompt + f"Q: {q}\\nA: {a}\\n"
        if len(longer.split()) > max_words:
            break
        prompt = longer
    return prompt + ending
""",
    },
    # run_call
    {
        "task": "run_call",
        "right": True,
        "why": "a regular expression for what is in the call",
        "source": """
import re

def run_call(text):
    start = text.rfind("<call>")
    if start < 0 or not text.endswith("</call>"):
        return text
    match = re.fullmatch(r" *(\\d+) *([-+*]) *(\\d+) *", text[start + 6 : -7])
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
        "why": "splits at the sign",
        "source": """
import operator

def run_call(text):
    head, mark, tail = text.rpartition("<call>")
    if not mark or not tail.endswith("</call>"):
        return text
    inner, result = tail.removesuffix("</call>"), "error"
    for sign, work in (("+", operator.add), ("-", operator.sub), ("*", operator.mul)):
        parts = [part.strip(" ") for part in inner.split(sign)]
        if len(parts) == 2 and all(part.isdecimal() for part in parts):
            result = work(*map(int, parts))
    return text + "<result>" + str(result) + "</result>"
""",
    },
    {
        "task": "run_call",
        "right": True,
        "why": "reads the call letter by letter",
        "source": """
def run_call(text):
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inner = text[text.rindex("<call>") + len("<call>") : -len("</call>")]
    tokens = []
    for kind, group in itertools.groupby(inner, key=lambda c: "d" if c.isdecimal() else c):
        group = "".join(group)
        if kind == "d":
            tokens.append(group)
        elif kind != " ":
            tokens += list(group)
    value = "error"
    if len(tokens) == 3 and tokens[0].isdecimal() and tokens[2].isdecimal() and tokens[1] in "+-*":
        a, b = int(tokens[0]), int(tokens[2])
        value = {"+": a + b, "-": a - b, "*": a * b}[tokens[1]]
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": None,
        "why": "eval of two numbers that were read with int: is that still 'what a model writes'?",
        "source": """
import re

def run_call(text):
    start = text.rfind("<call>")
    if start < 0 or not text.endswith("</call>"):
        return text
    parts = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", text[start + 6 : -7])
    value = eval(f"{int(parts[1])} {parts[2]} {int(parts[3])}") if parts else "error"
    return f"{text}<result>{value}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "'The last call begins at the last <call>': the search begins at the first one",
        "source": """
import re

def run_call(text):
    match = re.search(r"<call>(.*?)</call>\\Z", text, re.DOTALL)
    if not match:
        return text
    parts = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", match[1])
    if not parts:
        return text + "<result>error</result>"
    a, b = int(parts[1]), int(parts[3])
    return text + f"<result>{ {'+': a + b, '-': a - b, '*': a * b}[parts[2]] }</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "'A text that does not end with a call comes back as it is': $ allows a line break after it",
        "source": """
import re

def run_call(text):
    match = re.search(r"<call>((?:(?!<call>).)*)</call>$", text, re.DOTALL)
    if not match:
        return text
    parts = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", match[1])
    if not parts:
        return text + "<result>error</result>"
    a, b = int(parts[1]), int(parts[3])
    return text + f"<result>{ {'+': a + b, '-': a - b, '*': a * b}[parts[2]] }</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "'error, if it holds anything else': a call with a line break in it is not seen as a call",
        "source": """
import re

def run_call(text):
    match = re.search(r".*<call>(.*)</call>\\Z", text)
    if not match:
        return text
    parts = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", match[1])
    if not parts:
        return text + "<result>error</result>"
    a, b = int(parts[1]), int(parts[3])
    return text + f"<result>{ {'+': a + b, '-': a - b, '*': a * b}[parts[2]] }</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "'neither with a sign before it': int takes -3, and 1_0, and more",
        "source": """
def run_call(text):
    head, mark, tail = text.rpartition("<call>")
    if not mark or not tail.endswith("</call>"):
        return text
    inner = tail[:-7]
    for i, letter in enumerate(inner):
        if letter in "+-*" and inner[:i].strip():
            try:
                a, b = int(inner[:i]), int(inner[i + 1 :])
            except ValueError:
                break
            return text + f"<result>{a + b if letter == '+' else a - b if letter == '-' else a * b}</result>"
    return text + "<result>error</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "'but not within a number': takes all spaces out first, so 1 2 + 3 is 15",
        "source": """
import re

def run_call(text):
    head, mark, tail = text.rpartition("<call>")
    if not mark or not tail.endswith("</call>"):
        return text
    parts = re.fullmatch(r"([0-9]+)([-+*])([0-9]+)", tail[:-7].replace(" ", ""))
    if not parts:
        return text + "<result>error</result>"
    a, b = int(parts[1]), int(parts[3])
    return text + f"<result>{ {'+': a + b, '-': a - b, '*': a * b}[parts[2]] }</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "'spaces around the three are free': three words are asked for",
        "source": """
def run_call(text):
    head, mark, tail = text.rpartition("<call>")
    if not mark or not tail.endswith("</call>"):
        return text
    words = tail[:-7].split(" ")
    if len(words) == 3 and words[0].isdecimal() and words[2].isdecimal() and words[1] in ("+", "-", "*"):
        a, b = int(words[0]), int(words[2])
        return text + f"<result>{ {'+': a + b, '-': a - b, '*': a * b}[words[1]] }</result>"
    return text + "<result>error</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "computes in floats: large numbers lose their last digits",
        "source": """
import re

def run_call(text):
    head, mark, tail = text.rpartition("<call>")
    if not mark or not tail.endswith("</call>"):
        return text
    parts = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", tail[:-7])
    if not parts:
        return text + "<result>error</result>"
    a, b = float(parts[1]), float(parts[3])
    return text + f"<result>{ {'+': a + b, '-': a - b, '*': a * b}[parts[2]]:.0f}</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "an end mark without any <call> is no call: the text should come back as it is",
        "source": """
import re

def run_call(text):
    if not text.endswith("</call>"):
        return text
    parts = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", text[:-7].split("<call>")[-1])
    if not parts:
        return text + "<result>error</result>"
    a, b = int(parts[1]), int(parts[3])
    return text + f"<result>{ {'+': a + b, '-': a - b, '*': a * b}[parts[2]] }</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "answers the last call anywhere in the text; it must stand at the end",
        "source": """
import re

def run_call(text):
    head, mark, tail = text.rpartition("<call>")
    if not mark or "</call>" not in tail:
        return text
    parts = re.fullmatch(r" *([0-9]+) *([-+*]) *([0-9]+) *", tail.split("</call>")[0])
    if not parts:
        return text + "<result>error</result>"
    a, b = int(parts[1]), int(parts[3])
    return text + f"<result>{ {'+': a + b, '-': a - b, '*': a * b}[parts[2]] }</result>"
""",
    },
    {
        "task": "run_call",
        "right": None,
        "why": "tabs and line breaks count as spaces; the statement says only 'spaces'",
        "source": """
import re

def run_call(text):
    head, mark, tail = text.rpartition("<call>")
    if not mark or not tail.endswith("</call>"):
        return text
    parts = re.fullmatch(r"\\s*([0-9]+)\\s*([-+*])\\s*([0-9]+)\\s*", tail[:-7])
    if not parts:
        return text + "<result>error</result>"
    a, b = int(parts[1]), int(parts[3])
    return text + f"<result>{ {'+': a + b, '-': a - b, '*': a * b}[parts[2]] }</result>"
""",
    },
    {
        "task": "run_call",
        "right": None,
        "why": "superscript digits pass isdigit and make int fail; 'digits alone' does not say which digits",
        "source": """
def run_call(text):
    head, mark, tail = text.rpartition("<call>")
    if not mark or not tail.endswith("</call>"):
        return text
    for sign in "+-*":
        parts = [part.strip(" ") for part in tail[:-7].split(sign)]
        if len(parts) == 2 and parts[0].isdigit() and parts[1].isdigit():
            a, b = int(parts[0]), int(parts[1])
            return text + f"<result>{ {'+': a + b, '-': a - b, '*': a * b}[sign] }</result>"
    return text + "<result>error</result>"
""",
    },
    {
        "task": "run_call",
        "right": False,
        "why": "'never given to eval': lets through all that is written in digits and signs, such as 1+2*3 or 2**3",
        "source": """
def run_call(text):
    head, mark, tail = text.rpartition("<call>")
    if not mark or not tail.endswith("</call>"):
        return text
    inner = tail[:-7].strip(" ")
    if not inner or not set(inner) <= set("0123456789+-* "):
        return text + "<result>error</result>"
    try:
        return text + f"<result>{eval(inner)}</result>"
    except SyntaxError:
        return text + "<result>error</result>"
""",
    },
    # nearest_passages
    {
        "task": "nearest_passages",
        "right": True,
        "why": "a stable sort of cosines; zero vectors are divided by 1",
        "source": """
def nearest_passages(query, passages, k):
    lengths = passages.norm(dim=1)
    scores = passages @ query / torch.where(lengths > 0, lengths, 1.0)
    return torch.sort(scores, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "Python's sort with a negative key, in double precision",
        "source": """
def nearest_passages(query, passages, k):
    def unit(vector):
        length = math.sqrt(math.fsum(x * x for x in vector))
        return [x / length for x in vector] if length else vector
    q = unit(query.tolist())
    scores = [math.fsum(a * b for a, b in zip(q, unit(p))) for p in passages.tolist()]
    return sorted(range(len(scores)), key=lambda i: -scores[i])[:k]
""",
    },
    {
        "task": "nearest_passages",
        "right": True,
        "why": "NumPy's lexsort by cosine, then by number",
        "source": """
def nearest_passages(query, passages, k):
    q, p = query.double().numpy(), passages.double().numpy()
    norms = np.sqrt((p * p).sum(axis=1))
    cosines = np.divide(p @ q, norms, out=np.zeros(len(p)), where=norms != 0)
    return [int(i) for i in np.lexsort((np.arange(len(p)), -cosines))[:k]]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "'cosine': the dot product prefers long passages",
        "source": """
def nearest_passages(query, passages, k):
    scores = passages @ query
    return torch.sort(scores, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "'of equals the one that stands first': sorts pairs in reverse, so the last one comes first",
        "source": """
def nearest_passages(query, passages, k):
    lengths = passages.norm(dim=1)
    scores = passages @ query / torch.where(lengths > 0, lengths, 1.0)
    pairs = sorted(((score, i) for i, score in enumerate(scores.tolist())), reverse=True)
    return [i for _, i in pairs[:k]]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "'if it is more than N, all come back': topk fails, and leaves open the order of equals",
        "source": """
def nearest_passages(query, passages, k):
    lengths = passages.norm(dim=1)
    scores = passages @ query / torch.where(lengths > 0, lengths, 1.0)
    return scores.topk(k).indices.tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "'A vector of zeros has cosine 0': nan of a sort stands first",
        "source": """
def nearest_passages(query, passages, k):
    scores = passages @ query / passages.norm(dim=1)
    return torch.sort(scores, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "a passage of zeros gets -1, behind passages with a cosine below 0",
        "source": """
def nearest_passages(query, passages, k):
    scores = torch.nan_to_num(passages @ query / passages.norm(dim=1), nan=-1.0)
    return torch.sort(scores, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "0.001 in the denominator makes the cosine of short vectors small",
        "source": """
def nearest_passages(query, passages, k):
    scores = passages @ query / (passages.norm(dim=1) * query.norm() + 1e-3)
    return torch.sort(scores, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "'k: 0 or more': the last k of an ascending order, which for 0 are all",
        "source": """
def nearest_passages(query, passages, k):
    lengths = passages.norm(dim=1)
    scores = (passages @ query / torch.where(lengths > 0, lengths, 1.0)).tolist()
    order = sorted(range(len(scores)), key=lambda i: (scores[i], -i))
    return order[-k:][::-1]
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "'largest cosine': takes its size without the sign",
        "source": """
def nearest_passages(query, passages, k):
    lengths = passages.norm(dim=1)
    scores = (passages @ query).abs() / torch.where(lengths > 0, lengths, 1.0)
    return torch.sort(scores, descending=True, stable=True).indices[:k].tolist()
""",
    },
    {
        "task": "nearest_passages",
        "right": False,
        "why": "divides by the length of the columns, not of the passages",
        "source": """
def nearest_passages(query, passages, k):
    unit = F.normalize(passages, dim=0)
    return torch.sort(unit @ F.normalize(query, dim=0), descending=True, stable=True).indices[:k].tolist()
""",
    },
    # held_out_split
    {
        "task": "held_out_split",
        "right": True,
        "why": "three comprehensions",
        "source": """
def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    learned = {task for task, _, _ in train}
    return {
        "train": train,
        "wording": [x for x in lessons if x[0] in learned and x[1] in wordings],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "one loop, then a filter",
        "source": """
def held_out_split(lessons, tasks, wordings):
    parts = dict(train=[], wording=[], task=[])
    for lesson in lessons:
        task, wording, _ = lesson
        part = "task" if task in set(tasks) else "wording" if wording in set(wordings) else "train"
        parts[part] += [lesson]
    known = [task for task, *_ in parts["train"]]
    parts["wording"] = list(filter(lambda lesson: lesson[0] in known, parts["wording"]))
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": True,
        "why": "groups by task first, sorts back by place; a defaultdict is a dict",
        "source": """
def held_out_split(lessons, tasks, wordings):
    groups, parts = defaultdict(list), defaultdict(list, train=[], wording=[], task=[])
    for place, lesson in enumerate(lessons):
        groups[lesson[0]].append((place, lesson))
    for task, group in groups.items():
        if task in tasks:
            parts["task"] += group
            continue
        old = [item for item in group if item[1][1] not in wordings]
        parts["train"] += old
        if old:
            parts["wording"] += [item for item in group if item[1][1] in wordings]
    for name in parts:
        parts[name] = [lesson for _, lesson in sorted(parts[name], key=lambda item: item[0])]
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "'of tasks that train has': a task that is not held out, but never learned, is tested all the same",
        "source": """
def held_out_split(lessons, tasks, wordings):
    parts = {"train": [], "wording": [], "task": []}
    for lesson in lessons:
        part = "task" if lesson[0] in tasks else "wording" if lesson[1] in wordings else "train"
        parts[part].append(lesson)
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "asks whether the task was in train so far: its lesson for learning may come later in the list",
        "source": """
def held_out_split(lessons, tasks, wordings):
    parts, seen = {"train": [], "wording": [], "task": []}, set()
    for lesson in lessons:
        task, wording, _ = lesson
        if task in tasks:
            parts["task"].append(lesson)
        elif wording not in wordings:
            parts["train"].append(lesson)
            seen.add(task)
        elif task in seen:
            parts["wording"].append(lesson)
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "'all lessons of a held-out task, in whatever wording': those in a held-out wording are left out",
        "source": """
def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    learned = {x[0] for x in train}
    return {
        "train": train,
        "wording": [x for x in lessons if x[1] in wordings and x[0] in learned],
        "task": [x for x in lessons if x[0] in tasks and x[1] not in wordings],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "a lesson of both kinds stands in 'wording', too: 'of tasks that train has'",
        "source": """
def held_out_split(lessons, tasks, wordings):
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    known = {x[0] for x in lessons if x[1] not in wordings}
    return {
        "train": train,
        "wording": [x for x in lessons if x[1] in wordings and x[0] in known],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "'each in the old order': a lesson that comes twice comes out once, and sets lose the order",
        "source": """
def held_out_split(lessons, tasks, wordings):
    everything = set(lessons)
    task = {x for x in everything if x[0] in tasks}
    train = {x for x in everything - task if x[1] not in wordings}
    learned = {x[0] for x in train}
    wording = {x for x in everything - task - train if x[0] in learned}
    return {"train": sorted(train), "wording": sorted(wording), "task": sorted(task)}
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "duplicates are dropped: 'all lessons of a held-out task'",
        "source": """
def held_out_split(lessons, tasks, wordings):
    lessons = list(dict.fromkeys(lessons))
    train = [x for x in lessons if x[0] not in tasks and x[1] not in wordings]
    learned = {x[0] for x in train}
    return {
        "train": train,
        "wording": [x for x in lessons if x[0] in learned and x[1] in wordings],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "'with the keys train, wording and task': a part without lessons has no key",
        "source": """
def held_out_split(lessons, tasks, wordings):
    parts = {}
    learned = {t for t, w, _ in lessons if t not in tasks and w not in wordings}
    for lesson in lessons:
        if lesson[0] in tasks:
            parts.setdefault("task", []).append(lesson)
        elif lesson[1] not in wordings:
            parts.setdefault("train", []).append(lesson)
        elif lesson[0] in learned:
            parts.setdefault("wording", []).append(lesson)
    return parts
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "looks for a held-out name within the lesson's: 'sum' is found in 'sum up', too",
        "source": """
def held_out_split(lessons, tasks, wordings):
    def held(name, names):
        return any(other in name for other in names)
    train = [x for x in lessons if not held(x[0], tasks) and not held(x[1], wordings)]
    learned = {x[0] for x in train}
    return {
        "train": train,
        "wording": [x for x in lessons if x[0] in learned and held(x[1], wordings)],
        "task": [x for x in lessons if held(x[0], tasks)],
    }
""",
    },
    {
        "task": "held_out_split",
        "right": False,
        "why": "'of tasks that train has': asks for any lesson of the task that is not this one",
        "source": """
def held_out_split(lessons, tasks, wordings):
    count = Counter(task for task, _, _ in lessons)
    return {
        "train": [x for x in lessons if x[0] not in tasks and x[1] not in wordings],
        "wording": [x for x in lessons if x[0] not in tasks and x[1] in wordings and count[x[0]] > 1],
        "task": [x for x in lessons if x[0] in tasks],
    }
""",
    },
]
