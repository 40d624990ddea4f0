"""GPT beside transformers' GPT-2, and a real model's pace: `python -m benchmarks.gpt`.

Training steps and greedy generation of models of one shape, random weights. The contestants take turns within each
round, and the median of the rounds' ratios is compared: how many times as many tokens a second. Training is compared
with GPT-2's own vocabulary and with one of the size of the course's, in float32 and with matrix products in bfloat16
under autocast for both. Chapter 08 trains in bfloat16. In float32 and with the small vocabulary the products and the
kernel of attention, which are torch's and the same for both, take 70 % of transformers' time; 1.3 would leave 7 % of it
for all else, which takes three times as long. With GPT-2's vocabulary the logits are most of the work, and
`linear_cross_entropy` holds only a few rows of them. With a GPU, a 124-million-parameter model in bfloat16 too: tokens
a second and the share of the peak, with and without torch.compile.
"""

import resource
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from benchmarks.rounds import Contestants, Row, median_ratio, options, take_turns, write_record
from lmcourse import data
from lmcourse.generation import generate
from lmcourse.models import GPT, GPTConfig
from lmcourse.training import muon

SEED, VOCABULARY, GPT2_VOCABULARY, PROMPT, NEW = 0, 2_048, 50_257, 16, 64
LIVE_STEPS = 460
TRAIN = {"embed_dim": 128, "num_heads": 4, "num_layers": 4, "context_length": 128}
WRITE = {"embed_dim": 384, "num_heads": 6, "num_layers": 6, "context_length": 256}
TRAINING, LIMITS = 1.3, {"generate, batch 1": 1.2, "generate, batch 16": 1.4}
PEAK_BF16 = {"H100": 989e12, "H200": 989e12, "A100": 312e12}  # dense, as published


def pair(sizes: dict[str, Any], vocabulary: int = VOCABULARY) -> tuple[GPT, Any]:
    import transformers

    ours = GPT(GPTConfig(vocabulary, activation="gelu_tanh", **sizes))
    theirs = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=vocabulary,
            n_positions=sizes["context_length"],
            n_embd=sizes["embed_dim"],
            n_head=sizes["num_heads"],
            n_layer=sizes["num_layers"],
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=0,
            eos_token_id=0,
        )
    )
    return ours, theirs


def training_pair(dtype: torch.dtype, vocabulary: int) -> tuple[int, Contestants]:
    """A step of both, with the matrix products in `dtype`."""
    ours, theirs = pair(TRAIN, vocabulary)
    ids = torch.randint(vocabulary, (16, TRAIN["context_length"] + 1))
    optimizers = {
        "lmcourse": torch.optim.AdamW(ours.parameters(), fused=True),
        "transformers": torch.optim.AdamW(theirs.parameters(), fused=True),
    }

    def step(who: str) -> None:
        optimizers[who].zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=dtype == torch.bfloat16):
            if who == "lmcourse":
                loss = ours.loss(ids[:, :-1], ids[:, 1:])
            else:
                loss = theirs(ids[:, :-1], labels=ids[:, :-1]).loss  # it shifts the labels itself
        loss.backward()
        optimizers[who].step()

    return ids[:, 1:].numel(), {who: (lambda who=who: step(who)) for who in ("transformers", "lmcourse")}


def writing_pair(batch: int) -> tuple[int, Contestants]:
    ours, theirs = pair(WRITE)
    ours, theirs = ours.eval(), theirs.eval()
    prompt = torch.randint(1, VOCABULARY, (batch, PROMPT))
    mask = torch.ones_like(prompt)

    def write_theirs() -> None:
        theirs.generate(
            prompt, attention_mask=mask, max_new_tokens=NEW, do_sample=False, eos_token_id=None, pad_token_id=0
        )

    return batch * NEW, {
        "transformers": write_theirs,
        "lmcourse": lambda: _discard(generate(ours, prompt, NEW, temperature=0.0)),
    }


def _discard(_: Any) -> None:
    return None


def _clock() -> Callable[[], float]:
    """With one thread the processor's time counts, which other work on the machine does not lengthen."""
    return time.process_time if torch.get_num_threads() == 1 else time.perf_counter


def compare(what: str, tokens: int, contestants: Contestants, rounds: int) -> list[Row]:
    seconds = take_turns(contestants, rounds, warm_up=1, clock=_clock())
    ratio = median_ratio(seconds["transformers"], seconds["lmcourse"])
    rows = []
    for who, taken in seconds.items():
        ours = who == "lmcourse"
        row = {"what": what, "threads": torch.get_num_threads(), "who": who}
        row |= {"value": round(tokens / statistics.median(taken), 1), "unit": "tokens/s"}
        row |= {"ratio": round(ratio, 3) if ours else 1.0, "limit": LIMITS.get(what, TRAINING) if ours else None}
        rows.append(row)
        bound = f"  (at least {row['limit']})" if row["limit"] else ""
        print(
            f"{what:46}{row['threads']:3} threads  {who:14}{row['value']:10.0f} tokens/s{row['ratio']:7.2f}{bound}",
            flush=True,
        )
    return rows


def cache_rows(rounds: int) -> list[Row]:
    """Seconds to write texts of growing length with and without a cache, on one thread."""
    ours = pair(WRITE)[0].eval()
    prompt, rows = torch.randint(1, VOCABULARY, (1, 1)), []
    for new in (32, 64, 128, 255):
        contestants = {
            kind: (lambda use=use, new=new: _discard(generate(ours, prompt, new, temperature=0.0, use_cache=use)))
            for kind, use in (("without cache", False), ("with cache", True))
        }
        for kind, taken in take_turns(contestants, rounds, warm_up=1, clock=_clock()).items():
            rows.append({"what": f"generate {kind}, {new} tokens", "threads": 1, "who": "lmcourse",
                         "value": round(statistics.median(taken), 4), "unit": "s"})  # fmt: skip
            print(rows[-1]["what"], rows[-1]["value"], "s", flush=True)
    return rows


def live_row(steps: int = 20) -> Row:
    """Seconds of the chapter's live training, reckoned from a part of it."""
    config = GPTConfig(
        VOCABULARY, 64, 96, 3, 2, positions="rotary", norm="rms", activation="gelu", bias=False, qk_norm=True,
        zero_outputs=True,
    )  # fmt: skip
    model, ids = GPT(config), torch.randint(VOCABULARY, (32, 65))
    optimizer = muon(model)

    def step() -> None:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = model.loss(ids[:, :-1], ids[:, 1:])
        loss.backward()
        optimizer.step()

    step()
    clock = _clock()
    started = clock()
    for _ in range(steps):
        step()
    seconds = (clock() - started) / steps
    print(f"live training: {seconds * 1e3:.0f} ms a step", flush=True)
    return {
        "what": "train GPT, 2 layers x 96", "threads": 1, "who": "lmcourse", "value": round(seconds * LIVE_STEPS, 1),
        "unit": "s", "steps": LIVE_STEPS,
    }  # fmt: skip


def smollm2_rows() -> list[Row]:
    if not data.is_cached("smollm2"):
        print("SmolLM2 is not on this machine: left out")
        return []
    path = next(data.fetch("smollm2").glob("*.gguf"))
    clock = _clock()
    started = clock()
    model = GPT.from_pretrained(path)
    rows = [{"what": "SmolLM2, load", "value": round(clock() - started, 2), "unit": "s"}]
    prompt = torch.randint(100, 20_000, (1, PROMPT))
    generate(model, prompt, 4, temperature=0.0)
    started = clock()
    generate(model, prompt, 48, temperature=0.0)
    rows.append(
        {
            "what": "SmolLM2, tokens a second",
            "value": round(48 / (clock() - started), 2),
            "unit": "tokens/s",
        }
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    rows.append({"what": "SmolLM2, peak memory", "value": round(peak / 1e9, 2), "unit": "GB"})
    for row in rows:
        row |= {"threads": torch.get_num_threads(), "who": "lmcourse"}
        print(row["what"], row["value"], row["unit"], flush=True)
    return rows


def gpu_rows(steps: int = 20) -> list[Row]:
    """Training of a 124M model in bfloat16: tokens a second, share of the peak."""
    if not torch.cuda.is_available():
        print("no CUDA device: the GPU's part is left out")
        return []
    name, rows = torch.cuda.get_device_name(), []
    peak = next((flops for key, flops in PEAK_BF16.items() if key in name), None)
    for compiled in (False, True):
        model = GPT(GPTConfig(50_304, 1_024, 768, 12, 12, activation="gelu_tanh")).cuda()
        run = torch.compile(model) if compiled else model
        optimizer = torch.optim.AdamW(model.parameters(), fused=True)
        ids = torch.randint(50_304, (16, 1_025), device="cuda")
        started = 0.0
        for step in range(steps + 5):
            if step == 5:
                torch.cuda.synchronize()
                started = time.perf_counter()
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits = run(ids[:, :-1])
                loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten())
            loss.backward()
            optimizer.step()
        torch.cuda.synchronize()
        rate = steps * ids[:, 1:].numel() / (time.perf_counter() - started)
        flops = rate * (6 * sum(p.numel() for p in model.parameters()) + 12 * 12 * 1_024 * 768)
        rows.append({"what": f"124M, {'compiled' if compiled else 'eager'}", "who": "lmcourse", "threads": 0,
                     "value": round(rate), "unit": "tokens/s", "device": name,
                     "share_of_peak": round(flops / peak, 3) if peak else None})  # fmt: skip
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    parser = options(__doc__, rounds=9)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rows: list[Row] = smollm2_rows()  # first: its peak of memory is the process's
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for dtype in (torch.bfloat16, torch.float32):
            for vocabulary, rounds in ((GPT2_VOCABULARY, arguments.rounds // 2), (VOCABULARY, arguments.rounds)):
                what = f"train in {str(dtype).removeprefix('torch.')}, {vocabulary:,} tokens"
                rows += compare(what, *training_pair(dtype, vocabulary), max(2, rounds))
        for batch in (1, 16):
            rows += compare(f"generate, batch {batch}", *writing_pair(batch), max(2, arguments.rounds // 2))
    torch.set_num_threads(1)
    rows += [*cache_rows(max(1, arguments.rounds // 3)), live_row(), *gpu_rows()]
    write_record(arguments.out, "gpt", rows, seed=SEED)


if __name__ == "__main__":
    main()
