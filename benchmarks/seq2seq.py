"""A training step of `Seq2Seq` beside a plain torch.nn encoder-decoder: `python -m benchmarks.seq2seq`.

The peer is nn.Embedding, nn.LSTM, nn.Linear and the same attention in as few lines as a user would write, trained on
the same batches of number words, without any check of its input.
"""

import itertools
import statistics
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from benchmarks.rounds import median_ratio, options, take_turns, write_record
from lmcourse import data
from lmcourse.models import Seq2Seq, Seq2SeqConfig
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import encode_pairs, pair_batches
from lmcourse.training.pairs import SPECIAL_TOKENS

SEED, LIMIT = 0, 1.1  # at most this many times the peer's time


class Plain(nn.Module):
    """The same model out of torch.nn alone."""

    def __init__(self, n_source: int, n_target: int, width: int, attention: str | None) -> None:
        super().__init__()
        self.attention = attention
        self.source, self.target = nn.Embedding(n_source, width), nn.Embedding(n_target, width)
        self.encoder = nn.LSTM(width, width // 2, batch_first=True, bidirectional=True)
        self.decoder = nn.LSTM(width, width, batch_first=True)
        self.key = nn.Linear(width, width, bias=False) if attention in ("general", "additive") else nn.Identity()
        self.query = nn.Linear(width, width, bias=False) if attention == "additive" else nn.Identity()
        self.energy = nn.Linear(width, 1, bias=False)
        self.combine = nn.Linear(2 * width, width, bias=False)
        self.head = nn.Linear(width, n_target)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        keep = source != 0
        packed = pack_padded_sequence(self.source(source), keep.sum(1), batch_first=True, enforce_sorted=False)
        outputs, (h, c) = self.encoder(packed)
        memory, _ = pad_packed_sequence(outputs, batch_first=True, total_length=source.shape[1])
        h, c = (torch.cat([part[0], part[1]], dim=-1)[None] for part in (h, c))
        hidden, _ = self.decoder(self.target(target), (h, c))
        if self.attention:
            if self.attention == "additive":
                scores = self.energy((self.query(hidden)[:, :, None] + self.key(memory)[:, None]).tanh()).squeeze(-1)
            else:
                scores = hidden @ self.key(memory).transpose(1, 2)
            weights = scores.masked_fill(~keep[:, None], -1e9).softmax(-1)
            hidden = self.combine(torch.cat([weights @ memory, hidden], dim=-1)).tanh()
        return self.head(hidden)


def steps(
    model: nn.Module, loss: Callable[[Tensor, Tensor], Tensor], batches: Callable[[int], tuple[Tensor, Tensor]]
) -> Callable[[], None]:
    """One training step after another, on the batches in their order."""
    optimizer, numbers = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True), itertools.count(1)

    def step() -> None:
        optimizer.zero_grad()
        loss(*batches(next(numbers))).backward()
        optimizer.step()

    return step


def main() -> None:
    parser = options(__doc__, rounds=150)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--widths", type=int, nargs="+", default=[32, 128])
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(SEED)
    pairs = [(s.split(), t.split()) for s, t in data.load_pairs("numbers-en-de", split="valid")]
    words = [
        Vocabulary.build((word for pair in pairs for word in pair[side]), special_tokens=SPECIAL_TOKENS)
        for side in (0, 1)
    ]
    batches = pair_batches(encode_pairs(pairs, *words), 128)
    rows = []
    print(f"{'attention':10}{'width':>6}{'torch.nn':>12}{'lmcourse':>12}{'ratio':>8}   (at most {LIMIT})")
    for width in arguments.widths:
        for attention in (None, "dot", "general", "additive"):
            peer = Plain(len(words[0]), len(words[1]), width, attention)
            model = Seq2Seq(Seq2SeqConfig(len(words[0]), len(words[1]), width, width), attention)

            def plain_loss(source: Tensor, target: Tensor, peer: nn.Module = peer) -> Tensor:
                logits = peer(source, target[:, :-1])
                return F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=0)

            contestants = {"torch.nn": steps(peer, plain_loss, batches), "lmcourse": steps(model, model.loss, batches)}
            seconds = take_turns(contestants, arguments.rounds, warm_up=3)
            median = {name: statistics.median(values) for name, values in seconds.items()}
            ratio = median_ratio(seconds["lmcourse"], seconds["torch.nn"])
            for name, value in median.items():
                what = f"training step, attention {attention}, width {width}"
                rows.append({"what": what, "who": name, "value": round(value, 5), "unit": "s"})
            rows.append(
                {"what": f"ratio, attention {attention}, width {width}", "value": round(ratio, 3), "limit": LIMIT}
            )
            theirs, ours = (1e3 * median[name] for name in ("torch.nn", "lmcourse"))
            print(f"{attention!s:10}{width:6d}{theirs:9.2f} ms{ours:9.2f} ms{ratio:8.2f}")
    write_record(arguments.out, "seq2seq", rows, seed=SEED, threads=arguments.threads)


if __name__ == "__main__":
    main()
