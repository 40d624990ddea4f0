"""Models written for others: transformers and the gguf package read them, and so do we; the rest is refused by name."""

import json
import warnings

import gguf
import pytest
import torch

from lmcourse.models import GPT, GPTConfig
from lmcourse.models.export import export_gguf, export_huggingface
from lmcourse.tokenizers import GPT2_PATTERN, BPETokenizer
from lmcourse.tokenizers.bpe_io import SINGLE_DIGITS_PATTERN

transformers = pytest.importorskip("transformers")

C, L = 37, 3
LLAMA = {"positions": "rotary", "norm": "rms", "activation": "swiglu", "bias": False}
KINDS = {
    "gpt2": {"embed_dim": 24, "num_heads": 6, "activation": "gelu_tanh"},
    "gpt2-gelu": {"embed_dim": 24, "num_heads": 6, "activation": "gelu", "tie_embeddings": False, "norm_eps": 0.01},
    "gpt2-relu": {"embed_dim": 24, "num_heads": 6, "activation": "relu", "hidden_size": 43, "num_kv_heads": 6},
    "llama": {**LLAMA, "embed_dim": 24, "num_heads": 6, "num_kv_heads": 2, "rotary_base": 500.0},
    "llama-untied": {**LLAMA, "embed_dim": 20, "num_heads": 2, "tie_embeddings": False, "norm_eps": 0.01},
    "llama-biased": {**LLAMA, "embed_dim": 24, "num_heads": 3, "num_kv_heads": 1, "hidden_size": 43, "bias": True},
    "llama-interleaved": {**LLAMA, "embed_dim": 24, "num_heads": 6, "num_kv_heads": 3, "rotary_interleaved": True},
}
TEXTS = [
    "To be, or not to be: that is the question.",
    "3 examples, 27 tokens, 1999  40\n 7\n\n8",
    "don't   stop \t\n now  ",
    "na\u00efve \u4f60\u597d \U0001f642\u0301",
    "user\nhello<|end|>\n",
    "",
]


def model_of(kind: str, vocab_size: int = 53, context_length: int = C) -> GPT:
    torch.manual_seed(0)
    model = GPT(GPTConfig(vocab_size, context_length, num_layers=L, **KINDS[kind])).double()
    with torch.no_grad():
        for parameter in model.parameters():  # weights as they start give almost even scores
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model.eval()


def ids_of(model: GPT) -> torch.Tensor:
    return torch.randint(model.config.vocab_size, (3, 29), generator=torch.Generator().manual_seed(1))


def tokenizer_of(pattern: str = GPT2_PATTERN) -> BPETokenizer:
    return BPETokenizer.train(TEXTS[:4] * 3, 300, pattern=pattern, special_tokens=["<|end|>", "<|start|>"])


@pytest.mark.parametrize("kind", KINDS)
def test_transformers_reads_a_folder_and_gives_the_same_logits(kind, tmp_path):
    ours = model_of(kind)
    export_huggingface(ours, tmp_path / "model", stop_id=7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        theirs = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "model", dtype="auto").eval()
    assert theirs.dtype == torch.float64
    assert theirs.config.eos_token_id == 7
    ids = ids_of(ours)
    close = 1e-12 if kind.startswith("gpt2") else 2e-5  # Llama's norms and rotary angles are float32 there
    torch.testing.assert_close(theirs(ids).logits, ours(ids), rtol=close, atol=close)
    assert sum(p.numel() for p in theirs.parameters()) == sum(p.numel() for p in ours.parameters())


@pytest.mark.parametrize("kind", KINDS)
def test_we_read_a_folder_back(kind, tmp_path):
    ours = model_of(kind)
    export_huggingface(ours, tmp_path)
    again = GPT.from_pretrained(tmp_path, dtype=torch.float64)
    assert again.config.tie_embeddings == ours.config.tie_embeddings
    ids = ids_of(ours)
    torch.testing.assert_close(again(ids), ours(ids), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
@pytest.mark.parametrize("pattern", [GPT2_PATTERN, SINGLE_DIGITS_PATTERN])
def test_transformers_reads_the_tokenizer_and_gives_the_same_ids(kind, pattern, tmp_path):
    tokenizer = tokenizer_of(pattern)
    end = tokenizer.special_tokens["<|end|>"]
    export_huggingface(model_of(kind, tokenizer.vocab_size), tmp_path, tokenizer, stop_id=end)
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    for text in TEXTS:
        ids = tokenizer.encode(text, allowed_special="all")
        assert theirs(text)["input_ids"] == ids
        assert theirs.decode(ids) == tokenizer.decode(ids)
    assert theirs.eos_token_id == end
    assert theirs.model_max_length == C
    again = BPETokenizer.from_tokenizer_json(tmp_path / "tokenizer.json")
    assert [again.encode(text) for text in TEXTS] == [tokenizer.encode(text) for text in TEXTS]


def gguf_of(kind, path, dtype="F32", vocab_size=53, context_length=C, **options):
    ours = model_of(kind, vocab_size, context_length)
    export_gguf(ours, path, dtype=dtype, **options)
    return ours


IN_GGUF = [kind for kind in KINDS if kind not in ("gpt2-gelu", "gpt2-relu")]


@pytest.mark.parametrize("kind", IN_GGUF)
def test_we_read_a_gguf_file_back(kind, tmp_path):
    ours = gguf_of(kind, tmp_path / "model.gguf").float()
    again = GPT.from_pretrained(tmp_path / "model.gguf")
    ids = ids_of(ours)
    torch.testing.assert_close(again(ids), ours(ids), rtol=2e-5, atol=2e-5)
    assert sum(p.numel() for p in again.parameters()) == sum(p.numel() for p in ours.parameters())


@pytest.mark.parametrize("kind", [kind for kind in IN_GGUF if kind != "llama-biased"])  # transformers drops biases
def test_transformers_reads_a_gguf_file_with_its_tokenizer(kind, tmp_path):
    pytest.importorskip("accelerate", reason="transformers wants it to read GGUF")
    tokenizer = tokenizer_of()
    length = 1024 if kind == "gpt2" else C  # of a GPT-2 it reads every size but this one
    ours = gguf_of(kind, tmp_path / "model.gguf", "F32", tokenizer.vocab_size + 5, length, tokenizer=tokenizer).float()
    theirs = transformers.AutoModelForCausalLM.from_pretrained(tmp_path, gguf_file="model.gguf").eval()
    ids = ids_of(ours)
    torch.testing.assert_close(theirs(ids).logits, ours(ids), rtol=1e-4, atol=1e-4)
    read = transformers.AutoTokenizer.from_pretrained(tmp_path, gguf_file="model.gguf")
    for text in TEXTS[:4]:
        assert read(text)["input_ids"] == tokenizer.encode(text)


@pytest.mark.parametrize("pattern", [GPT2_PATTERN, SINGLE_DIGITS_PATTERN])
def test_the_tokenizer_of_a_gguf_file_is_ours_again(pattern, tmp_path):
    tokenizer = tokenizer_of(pattern)
    path = tmp_path / "model.gguf"
    gguf_of("llama", path, tokenizer=tokenizer, vocab_size=tokenizer.vocab_size + 5, stop_id=3)
    again = BPETokenizer.from_gguf(path)
    assert again.special_tokens == tokenizer.special_tokens
    assert again.merges == tokenizer.merges
    for text in TEXTS:
        assert again.encode(text, allowed_special="all") == tokenizer.encode(text, allowed_special="all")
    assert gguf.GGUFReader(path).get_field("tokenizer.ggml.eos_token_id").contents() == 3


@pytest.mark.parametrize(("dtype", "size", "error"), [("F32", 4.0, 1e-5), ("F16", 2.0, 2e-2), ("Q8_0", 1.0625, 0.2)])
def test_half_and_eight_bits_are_smaller_and_close(dtype, size, error, tmp_path):
    torch.manual_seed(0)
    model = GPT(GPTConfig(512, 64, 64, 4, 2, hidden_size=96, **LLAMA)).eval()
    export_gguf(model, tmp_path / "a.gguf", dtype=dtype)
    matrices = sum(p.numel() for p in model.parameters() if p.dim() > 1)
    assert (tmp_path / "a.gguf").stat().st_size == pytest.approx(size * matrices, rel=0.02, abs=5000)
    ids = torch.randint(512, (2, 31))
    difference = (GPT.from_pretrained(tmp_path / "a.gguf")(ids) - model(ids)).abs().max() / model(ids).std()
    assert 1e-8 < difference < error


def test_rows_that_do_not_fill_blocks_are_halves(tmp_path):
    gguf_of("llama", tmp_path / "a.gguf", "Q8_0")  # 24 and 64 numbers a row
    types = {tensor.name: tensor.tensor_type.name for tensor in gguf.GGUFReader(tmp_path / "a.gguf").tensors}
    assert types["blk.0.ffn_down.weight"] == "Q8_0"
    assert types["blk.0.ffn_up.weight"] == types["token_embd.weight"] == "F16"
    assert types["blk.0.attn_norm.weight"] == "F32"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"positions": "sinusoidal"}, "`positions` must be one of 'learned', 'rotary' to be exported, got positions="),
        ({"activation": "relu2"}, "`activation` must be 'gelu_tanh' or 'gelu' or 'relu' to be exported as gpt2, got"),
        ({"activation": "swiglu"}, "got activation='swiglu'"),
        ({"norm": "rms"}, "`norm` must be 'layer' to be exported as gpt2, got norm='rms'"),
        ({"bias": False}, "`bias` must be True to be exported as gpt2, got bias=False"),
        ({"num_kv_heads": 2}, "`num_kv_heads` must be None or 4 to be exported as gpt2, got num_kv_heads=2"),
        ({"qk_norm": True}, "`qk_norm` must be False to be exported as gpt2, got qk_norm=True"),
        ({**LLAMA, "qk_norm": True, "bias": True}, "`bias` must be False to be exported as qwen3, got bias=True"),
        ({**LLAMA, "norm": "layer"}, "`norm` must be 'rms' to be exported as llama, got norm='layer'"),
        ({**LLAMA, "activation": "relu2"}, "`activation` must be 'swiglu' to be exported as llama, got activation="),
    ],
)
def test_what_has_no_counterpart_is_refused(options, message, tmp_path):
    model = GPT(GPTConfig(11, 7, 8, 4, 1, **{"activation": "gelu_tanh", **options}))
    for export in (export_huggingface, export_gguf):
        with pytest.raises(ValueError, match=message):
            export(model, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_bad_input(tmp_path):
    tokenizer, model = tokenizer_of(), model_of("gpt2")
    for export in (export_huggingface, export_gguf):
        with pytest.raises(TypeError, match="`model` must be of type GPT, got Linear"):
            export(torch.nn.Linear(2, 3), tmp_path / "out")
        with pytest.raises(
            ValueError, match=r"`tokenizer` must have ids below the model's vocab_size=53, got vocab_size"
        ):
            export(model, tmp_path / "out", tokenizer)
        with pytest.raises(ValueError, match="`stop_id` must be at least 0 and less than 53, got stop_id=53"):
            export(model, tmp_path / "out", stop_id=53)
    with pytest.raises(
        ValueError, match="`activation` must be 'gelu_tanh' to be exported as gpt2, got activation='gelu'"
    ):
        export_gguf(model_of("gpt2-gelu"), tmp_path / "a.gguf")
    with pytest.raises(ValueError, match="`dtype` must be one of 'F32', 'F16', 'Q8_0', got dtype='Q4_0'"):
        export_gguf(model, tmp_path / "a.gguf", dtype="Q4_0")
    with pytest.raises(ValueError, match=r"`pattern`, `ignore_merges` and `normalizer` must be those that a name"):
        export_gguf(model_of("gpt2", 300), tmp_path / "a.gguf", tokenizer_of(r"\p{L}+|\P{L}+"))
    model.layers[0].attention.q_proj.extra = torch.nn.Parameter(torch.zeros(2))
    with pytest.raises(ValueError, match=r"got surplus \['layers.0.attention.q_proj.extra'\]"):
        export_huggingface(model, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_keeps_its_other_files(tmp_path):
    (tmp_path / "README.md").write_text("mine")
    export_huggingface(model_of("gpt2"), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "config.json", "model.safetensors"]
    assert json.loads((tmp_path / "config.json").read_text())["n_inner"] == 96
