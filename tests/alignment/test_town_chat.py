import torch

from lmcourse.alignment.town import TownChat, calculator
from lmcourse.data import town
from lmcourse.models import GPT, GPTConfig


class Scripted(GPT):
    """Writes a fixed text after every prompt of user or tool."""

    def __init__(self, chat, replies):
        super().__init__(
            GPTConfig(len(chat.vocabulary.tokens), 64, embed_dim=12, num_heads=2, num_layers=1, positions="rotary")
        )
        self.chat, self.replies = chat, replies

    def forward(self, ids, **settings):
        rows = []
        for row in self.texts(ids, settings):
            start = max(n for n, token in enumerate(row) if token == "<bot>")
            reply = [*self.replies["<tool>" in row].split(), town.END]
            place = len(row) - start - 1
            rows.append(self.chat.vocabulary.index(reply[min(place, len(reply) - 1)]))
        return torch.nn.functional.one_hot(torch.tensor(rows), len(self.chat.vocabulary.tokens)).float()[:, None]

    def texts(self, ids, settings):
        if settings["cache"].length == 0:
            self.read = [self.chat.vocabulary.decode(row) for row in ids.tolist()]
        else:
            self.read = [
                old + self.chat.vocabulary.decode(row) for old, row in zip(self.read, ids.tolist(), strict=True)
            ]
        settings["cache"].length += ids.shape[1]
        return self.read


def test_a_call_is_answered_and_the_result_stands_in_the_prompt():
    chat = TownChat()
    question = town.Question("sum", "4 7 + 3 8", "8 5")
    turn = town.Turn(question, "what is 4 7 + 3 8 ?", "it is 8 5 .")
    model = Scripted(chat, {False: "<call> 4 7 + 3 8", True: "it is 8 5 ."})
    calls = []

    def tool(call):
        calls.append(call)
        return calculator(call)

    assert chat.accuracy(model, [turn], tool=tool) == (1.0, ["it is 8 5 ."])
    assert calls == [" 4 7 + 3 8"]
    assert "<tool> 8 5 <end>" in " ".join(model.read[0])
    assert chat.accuracy(model, [turn])[0] == 0.0  # without a tool the call is the answer


def test_the_calculator_reads_digits_apart_and_never_raises():
    assert calculator(" 4 7 + 3 8") == "8 5"
    assert calculator("5 - 9") == "- 4"
    assert calculator("owl") == "error"


def test_examples_mark_the_bots_words_alone():
    chat = TownChat()
    (turn,) = town.load_turns(1, skills=["sum"])
    example = chat.examples([turn])[0]
    learned = [w for w, mark in zip(chat.vocabulary.decode(example.ids), example.answer, strict=True) if mark]
    assert " ".join(learned) == f"<call> {turn.question.phrase} <end> {turn.reply} <end>"
