"""A tiny GPT from text to text with the core of the library alone: train, generate, save, load.

Run by tests in a process where the extras cannot be imported, and where the wheel was installed without them.
"""

import tempfile
from pathlib import Path

import torch

from lmcourse import data, runtime
from lmcourse.generation import generate
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import fit, load_checkpoint, save_checkpoint


def main() -> None:
    runtime.seed_everything(0)
    text = data.load_text("python-docs", split="valid")[:20_000]
    tokenizer = BPETokenizer.train(text, 300)
    assert tokenizer.decode(tokenizer.encode(text)) == text
    ids = torch.tensor(tokenizer.encode(text))
    model = GPT(GPTConfig(tokenizer.vocab_size, 32, 24, 2, 1))

    def batches():
        while True:
            starts = torch.randint(len(ids) - 33, (8,)).tolist()
            rows = torch.stack([ids[start : start + 33] for start in starts])
            yield rows[:, :-1], rows[:, 1:]

    history = fit(model, batches(), lambda model, batch: model.loss(*batch), max_steps=60, progress=False)
    assert history.loss[-1] < history.loss[0] - 0.5, history.loss
    written = generate(model, ids[None, :8], 20, temperature=0.0)
    assert written.shape[-1] in (20, 28), written.shape
    with tempfile.TemporaryDirectory() as folder:
        save_checkpoint(Path(folder) / "tiny", model)
        again = GPT(model.config)
        load_checkpoint(Path(folder) / "tiny", again)
    assert torch.equal(generate(again, ids[None, :8], 20, temperature=0.0), written)
    print(f"loss {history.loss[0]:.2f} -> {history.loss[-1]:.2f}, wrote {tokenizer.decode(written[0].tolist())!r}")


if __name__ == "__main__":
    main()
