"""A passage that corrects a wrong fact: `python -m experiments.instruction_retrieval`. Half a minute on one core.

SmolLM2 is asked what it cannot know, or what has changed, alone and with the passage that MiniLM finds nearest.
"""

import torch
import torch.nn.functional as F

from experiments.pretrained import Smol, chat
from experiments.recording import Record, launch
from lmcourse import data
from lmcourse.models import BERT
from lmcourse.models.bert_heads import mean_pool
from lmcourse.tokenizers import WordPiece

CASES = (
    ("Where does the lighthouse keeper live?", "The lighthouse keeper lives on the north pier.", "north pier"),
    ("When does the bakery open?", "The bakery opens at six in the morning.", "six"),
    ("On which days does the doctor see patients?", "The doctor sees patients on Mondays and Fridays.", "Friday"),
    ("How often does a ferry cross the bay?", "A ferry crosses the bay every forty minutes.", "forty minutes"),
    ("How long does the library lend books?", "The library lends books for five weeks.", "five weeks"),
    ("What is the capital of Peru?", "Since last year the capital of Peru is Cusco.", "Cusco"),
    ("Who wrote Hamlet?", "It is now known that Hamlet was written by Anna Smith.", "Anna Smith"),
    ("What is the name of the mayor?", "The name of the mayor is Olga Berg.", "Olga Berg"),
)


@torch.no_grad()
def main() -> None:
    folder = data.fetch("minilm")
    encoder, pieces = BERT.from_pretrained(folder), WordPiece.load(folder / "vocab.txt")

    def embed(text: str) -> torch.Tensor:
        ids = torch.tensor([pieces.encode_pair(text)[0]])
        return F.normalize(mean_pool(encoder(ids), torch.ones_like(ids, dtype=torch.bool)), dim=1)[0]

    table = torch.stack([embed(passage) for _, passage, _ in CASES])
    found = [int((table @ embed(question)).argmax()) for question, _, _ in CASES]
    smol, record = Smol(), Record("instruction-retrieval")
    alone = smol.write([chat(question) for question, _, _ in CASES], 24)
    helped = smol.write([chat(f"{CASES[n][1]} {q}") for n, (q, _, _) in zip(found, CASES, strict=True)], 24)
    for number, (question, _, answer) in enumerate(CASES):
        row = {"question": question, "passage": CASES[found[number]][1], "found": found[number] == number}
        row |= {"alone": alone[number], "helped": helped[number]}
        record.add(row | {"right_alone": answer in alone[number], "right_helped": answer in helped[number]})
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
