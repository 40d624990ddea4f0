"""A chat: turns rendered into prompts, answers as they are written, a still conversation without a kernel."""

import threading

import pytest
import torch
from torch import nn

from lmcourse import plots
from lmcourse.generation import generate
from lmcourse.models import GPT, GPTConfig
from lmcourse.plots import chat_widget as chats
from lmcourse.plots.chat_widget import ChatModel, Conversation
from lmcourse.tokenizers import BPETokenizer


class Characters:
    """A tokenizer whose ids are character codes."""

    def encode(self, text):
        return [ord(character) for character in text]

    def stream_decoder(self):
        return self

    def feed(self, number):
        return chr(number)

    def end(self):
        return ""


class Says(nn.Module):
    """A language model that writes one text, whatever it reads, and remembers the prompts."""

    def __init__(self, text, wait=None):
        super().__init__()
        self.text, self.wait, self.prompts = text, wait, []

    def new_cache(self, batch_size, max_length):
        return {"written": 0}

    def forward(self, ids, *, cache, attention_mask, last_only):
        if cache["written"] == 0:
            self.prompts.append("".join(map(chr, ids[0].tolist())))
        elif self.wait is not None:
            self.wait()
        logits = torch.full((1, 1, 128), -torch.inf)
        logits[..., ord(self.text[cache["written"] % len(self.text)])] = 0.0
        cache["written"] += 1
        return logits


def render(turns):
    return "".join(f"<{role}>{text}\n" for role, text in turns) + "<assistant>"


def says(text, **options):
    return ChatModel(Says(text), Characters(), render, stops=["\n"], **options)


def answer(conversation, question, **options):
    return "".join(conversation.ask(question, **options))


def test_the_model_reads_all_turns_and_its_answers_become_turns():
    conversation = Conversation(says("yes.\n"), system="Be short.")
    assert answer(conversation, "Is it?") == "yes."
    assert answer(conversation, "Sure?") == "yes."
    assert conversation.turns == [("user", "Is it?"), ("assistant", "yes."), ("user", "Sure?"), ("assistant", "yes.")]
    assert conversation.partner.model.prompts == [
        "<system>Be short.\n<user>Is it?\n<assistant>",
        "<system>Be short.\n<user>Is it?\n<assistant>yes.\n<user>Sure?\n<assistant>",
    ]


def test_an_answer_ends_at_a_stop_string_a_stop_id_or_the_number_of_tokens():
    assert answer(Conversation(says("yes no\n")), "?", stops=[" n"]) == "yes"
    assert answer(Conversation(says("yes no\n", stop_ids=[ord("o")])), "?") == "yes n"
    assert answer(Conversation(says("yes no\n")), "?", max_new_tokens=2) == "ye"


def test_an_answer_that_is_left_early_stays_as_far_as_it_was_read():
    conversation = Conversation(says("yes.\n"))
    pieces = conversation.ask("?")
    assert next(pieces) + next(pieces) == "ye"
    pieces.close()
    assert conversation.turns == [("user", "?"), ("assistant", "ye")]


def test_a_conversation_that_is_too_long_loses_its_oldest_turns_and_keeps_the_system_prompt():
    partner = says("ok\n", context_length=70)
    conversation = Conversation(partner, system="S")
    for question in ("one", "two", "six"):
        answer(conversation, question, max_new_tokens=4)
    assert partner.model.prompts[-1] == "<system>S\n<user>two\n<assistant>ok\n<user>six\n<assistant>"
    assert conversation.forgotten == 2
    assert len(conversation.turns) == 6  # the reader still sees them
    with pytest.raises(ValueError, match=r"`question` must leave room .* context_length=70, got a prompt of"):
        conversation.ask("x" * 70, max_new_tokens=4)
    assert len(conversation.turns) == 6


def test_special_tokens_are_turns_where_the_template_writes_them_and_nowhere_else():
    tokenizer = BPETokenizer.train("who are you and who am i " * 9, 270, special_tokens=["<|end|>", "<|go|>"])
    model = GPT(GPTConfig(tokenizer.vocab_size, 64, 12, 2, 1))
    read = []
    model.register_forward_pre_hook(lambda _, inputs: read.append(inputs[0][0].tolist()))
    partner = ChatModel(
        model, tokenizer, lambda turns: "".join(f"<|go|>{text}<|end|>" for _, text in turns), allowed_special="all"
    )
    answer(Conversation(partner), "who<|e<|end|>nd|> am i", max_new_tokens=1, temperature=0.0)
    go, end = tokenizer.special_tokens["<|go|>"], tokenizer.special_tokens["<|end|>"]
    assert read[0] == [go, *tokenizer.encode("who am i"), end]


def test_a_seed_gives_the_sampled_answer_of_generate():
    tokenizer = BPETokenizer.train("the cat sat on the mat and the dog sat on the cat " * 9, 280)
    torch.manual_seed(0)
    model = GPT(GPTConfig(tokenizer.vocab_size, 64, 12, 2, 1))
    conversation = Conversation(ChatModel(model, tokenizer, lambda turns: turns[-1][1]))
    draws = (torch.Generator().manual_seed(5) for _ in range(2))
    written = answer(conversation, "the cat", max_new_tokens=9, temperature=1.3, top_p=0.8, generator=next(draws))
    prompt = torch.tensor([tokenizer.encode("the cat")])
    wanted = generate(model, prompt, 9, temperature=1.3, top_p=0.8, generator=next(draws))
    assert written == tokenizer.decode(wanted[0, prompt.shape[1] :].tolist())


def test_a_page_without_a_kernel_has_the_conversation(shown):
    assert plots.chat(says("<b>yes</b>\n"), ["Is 1 < 2?", "So?"], system="Be short.") is None
    (output,) = shown
    assert "told beforehand:</b> Be short." in output.html
    assert "you:</b> Is 1 &lt; 2?" in output.html
    assert output.html.count("model:</b> &lt;b&gt;yes&lt;/b&gt;") == 2
    assert "Run this cell to go on" in output.html
    assert output.text == "user: Is 1 < 2?\nassistant: <b>yes</b>\nuser: So?\nassistant: <b>yes</b>"


def press(box, question):
    box.chat.question.value = question
    box.chat.send.click()
    box.chat.thread.join(20)


def test_the_widget_goes_on_with_the_conversation_and_begins_anew():
    one, two = says("one\n"), says("two\n")
    box, first = chats.chat_box({"a": one, "b": two}, ["1?"])
    press(box, "2?")
    assert first.turns[2:] == [("user", "2?"), ("assistant", "one")]
    assert "you:</b> 2?" in box.chat.view.value
    assert box.chat.question.value == ""
    box.chat.stop_string.value = "n"
    press(box, "3?")
    assert first.turns[-1] == ("assistant", "o")
    box.chat.stop_string.value = ""
    box.chat.system.value = "Be kind."
    box.chat.model.value = "b"
    assert box.chat.conversation.turns == []
    press(box, "4?")
    assert two.model.prompts == ["<system>Be kind.\n<user>4?\n<assistant>"]
    box.chat.anew.click()
    assert "4?" not in box.chat.view.value
    press(box, " ")
    assert box.chat.conversation.turns == []


def test_the_stop_button_ends_an_answer_that_is_being_written():
    reached, go_on = threading.Event(), threading.Event()

    def wait():
        reached.set()
        assert go_on.wait(20)

    partner = ChatModel(Says("on and on ", wait), Characters(), render)
    go_on.set()
    box, _ = chats.chat_box(partner, ["?"], max_new_tokens=8)
    go_on.clear()
    reached.clear()
    box.chat.question.value = "go"
    box.chat.send.click()
    assert reached.wait(20)
    assert (box.chat.send.disabled, box.chat.stop.disabled) == (True, False)
    box.chat.send.click()  # an answer at a time
    box.chat.stop.click()
    go_on.set()
    box.chat.thread.join(20)
    role, text = box.chat.conversation.turns[-1]
    assert (role, 0 < len(text) < 8) == ("assistant", True)
    assert "stopped" in box.chat.view.value
    assert (box.chat.send.disabled, box.chat.stop.disabled) == (False, True)


def test_an_error_is_told_in_the_widget():
    partner = says("ok\n", context_length=40)
    box, _ = chats.chat_box(partner, ["?"], max_new_tokens=8)
    box.chat.question.value = "x" * 60
    box.chat.send.click()
    assert "`question` must leave room" in box.chat.view.value

    def fail():
        raise RuntimeError("the model is gone")

    partner.model.wait = fail
    press(box, "??")
    assert "RuntimeError: the model is gone" in box.chat.view.value
    assert not box.chat.send.disabled


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: ChatModel(None, Characters(), render), "`model` must be a language model"),
        (lambda: ChatModel(Says("a"), None, render), "`tokenizer` must be"),
        (lambda: ChatModel(Says("a"), Characters(), "render"), "`render` must be"),
        (lambda: says("a", context_length=1), "`context_length` must be at least 2"),
        (lambda: says("a", stop_ids=[-1]), "`stop_ids"),
        (lambda: Conversation("model"), "`partner` must be"),
        (lambda: Conversation(says("a"), system=None), "`system` must be"),
        (lambda: Conversation(says("a")).ask("  "), "`question` must hold a word, got '  '"),
        (lambda: Conversation(says("a")).ask("?", temperature=-1.0), "`temperature` must be"),
        (lambda: Conversation(says("a")).ask("?", max_new_tokens=0), "`max_new_tokens` must be"),
        (lambda: plots.chat({}, ["?"]), "`partners` must"),
        (lambda: plots.chat({"a": "b"}, ["?"]), r"`partners\['a'\]` must be"),
        (lambda: plots.chat(says("a"), []), "`questions` must"),
        (lambda: plots.chat(says("a"), "why"), "`questions` must"),
        (lambda: plots.chat(says("a"), ["?"], max_new_tokens=4), "`max_new_tokens` must be at least 8"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_chat_is_refused(wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        wrong()
