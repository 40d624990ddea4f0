"""Good arguments for what `lmcourse.models` makes public."""

import json

import numpy as np
import torch
from safetensors.torch import save_file

from lmcourse import models
from lmcourse.models import embeddings, export_huggingface, ngram, weight_names
from lmcourse.models.smoothing import KneserNey
from lmcourse.tokenizers import BPETokenizer
from tests.fuzz.examples import things
from tests.fuzz.examples.things import ANY_LENGTH, ANY_SIZE, NO_DROPOUT, VALUES, V, floats, generator, ids, yes
from tests.fuzz.judge import Example

SENTENCE = things.SENTENCES[0]
WORDS = (
    (
        "*",
        "other text, item other text, empty, item empty",
        "an unknown word is <unk>; a str is the text of its characters",
    ),
)


def _bert_call(function):
    return lambda: (function(), {"ids": ids(2, 5), "attention_mask": yes(2, 5), "segments": ids(2, 5, low=0, high=2)})


def _decode(arguments):
    model = things.seq2seq(input_feeding=True)
    encoded = model.encode(ids(2, 4))
    return model.decode, {**arguments, "encoded": encoded, "state": encoded.state}


def _transformer_step():
    model = things.transformer()
    return model.step, {"ids": ids(2), "state": model.start_decoding(ids(2, 4), 7)}


_CONFIGS = {
    "models.BERTConfig": (
        models.BERTConfig,
        {"vocab_size": V, "context_length": 11, "embed_dim": 6, "num_heads": 2, "num_layers": 1, "hidden_size": 7}
        | {"num_segments": 2, "dropout": 0.1, "norm_eps": 1e-12},
    ),
    "models.GPTConfig": (
        models.GPTConfig,
        {"vocab_size": V, "context_length": 11, "embed_dim": 6, "num_heads": 2, "num_layers": 1, "num_kv_heads": 1}
        | {"positions": "rotary", "norm": "rms", "activation": "swiglu", "dropout": 0.1, "tie_embeddings": True}
        | {"hidden_size": 7, "bias": True, "norm_eps": 1e-5, "rotary_base": 10000.0, "rotary_interleaved": False}
        | {"rotary_scaling": (8.0, 1.0, 4.0, 16.0)}
        | {"qk_norm": True, "zero_outputs": False, "head_dim": 4, "window": 3, "unrotated_layers": (0,)},
    ),
    "models.RecurrentConfig": (
        models.RecurrentConfig,
        {"vocab_size": V, "embed_dim": 5, "hidden_size": 5, "num_layers": 1, "cell": "gru", "dropout": 0.1}
        | {"tie_embeddings": True, "forget_bias": 1.0, "fused": True},
    ),
    "models.Seq2SeqConfig": (
        models.Seq2SeqConfig,
        {"source_vocab_size": V, "target_vocab_size": V, "embed_dim": 5, "hidden_size": 6, "num_layers": 1}
        | {"cell": "lstm", "bidirectional": True, "input_feeding": False, "dropout": 0.1}
        | {"pad_id": 0, "start_id": 1, "stop_id": 2},
    ),
    "models.TransformerConfig": (
        models.TransformerConfig,
        {"source_vocab_size": V, "target_vocab_size": V, "embed_dim": 6, "num_heads": 2, "num_encoder_layers": 1}
        | {"num_decoder_layers": 1, "hidden_size": 7, "norm": "pre", "activation": "relu", "dropout": 0.1}
        | {"pad_id": 0, "start_id": 1, "stop_id": 2, "tie_embeddings": True}
        | {"share_embeddings": False, "final_norm": True},
    ),
}
_CONFIG_ACCEPTS = (
    ("num_*layers", "zero", "no layer: the embeddings alone, which a comparison may want"),
    NO_DROPOUT,
    ("rotary_base", "huge", "the slowest pairs then hardly rotate"),
    ("rotary_scaling", "item huge", "the slow pairs then hardly rotate"),
    ("unrotated_layers", "empty", "all layers are rotated"),
    ("unrotated_layers", "item zero", "a layer's number"),
    ("norm_eps", "zero", "no floor under the variance, as torch.nn.LayerNorm takes it"),
    ("norm_eps", "tiny", "a floor below the dtype's smallest number is none"),
    ("forget_bias", "zero, negative, tiny", "a gate may start half open or shut"),
    ("pad_id", "zero", "an id"),
)

EXAMPLES = {
    name: Example(lambda kind=kind, fields=fields: (kind, dict(fields)), accepts=_CONFIG_ACCEPTS)
    for name, (kind, fields) in _CONFIGS.items()
}

EXAMPLES |= {
    "models.BERT": Example(lambda: {"config": things.bert_config()}),
    "models.BERT.forward": Example(_bert_call(things.bert)),
    "models.BERT.hidden_states": Example(_bert_call(lambda: things.bert().hidden_states)),
    "models.BERT.attention_maps": Example(_bert_call(lambda: things.bert().attention_maps)),
    "models.MaskedLM": Example(lambda: {"config": things.bert_config()}),
    "models.MaskedLM.forward": Example(_bert_call(lambda: models.MaskedLM(things.bert_config()))),
    "models.MaskedLM.loss": Example(
        lambda: (
            models.MaskedLM(things.bert_config()).loss,
            {"ids": ids(2, 5), "labels": ids(2, 5), "attention_mask": yes(2, 5), "segments": ids(2, 5, low=0, high=2)},
        )
    ),
    "models.MaskedLM.score": Example(
        lambda: (models.MaskedLM(things.bert_config()).score, {"x": floats(2, 6)}),
        accepts=(
            ("x", "longer 0", ANY_SIZE),
            ("x", "one dimension *", ANY_SIZE),
            ("x", "empty 0", "no vectors, no scores: `loss` asks for none where nothing is hidden"),
            ("x", *VALUES),
        ),
    ),
    "models.SentenceClassifier": Example(
        lambda: {"encoder": things.bert(), "num_classes": 3, "pooling": "mean", "dropout": 0.1}, accepts=(NO_DROPOUT,)
    ),
    "models.SentenceClassifier.forward": Example(_bert_call(lambda: models.SentenceClassifier(things.bert(), 3))),
    "models.SentenceClassifier.loss": Example(
        lambda: (
            models.SentenceClassifier(things.bert(), 3).loss,
            {"ids": ids(2, 5), "attention_mask": yes(2, 5), "labels": ids(2, low=0, high=3)},
        )
    ),
    "models.TokenClassifier": Example(
        lambda: {"encoder": things.bert(), "num_classes": 3, "dropout": 0.1}, accepts=(NO_DROPOUT,)
    ),
    "models.TokenClassifier.forward": Example(_bert_call(lambda: models.TokenClassifier(things.bert(), 3))),
    "models.TokenClassifier.loss": Example(
        lambda: (
            models.TokenClassifier(things.bert(), 3).loss,
            {"ids": ids(2, 5), "attention_mask": yes(2, 5), "labels": ids(2, 5, low=0, high=3)},
        )
    ),
    "models.mean_pool": Example(
        lambda: {"vectors": floats(2, 5, 7), "attention_mask": yes(2, 5)},
        accepts=(("vectors", "longer 2, empty 2", "any width"), ("vectors", *VALUES)),
    ),
    "models.mask_tokens": Example(
        lambda: (
            {"ids": ids(2, 5), "mask_id": 3, "vocab_size": V, "special_ids": (0, 1), "share": 0.3}
            | {"generator": generator()}
        ),
        accepts=(
            ("ids", "longer *, one dimension *, no dimension, transposed, empty *", "ids of any shape"),
            ("ids", "device", things.META),
            ("special_ids", "empty", "no other special token"),
            ("mask_id", "zero", "an id"),
            ("special_ids", "item zero", "an id"),
            ("share", "tiny", "as good as no token"),
        ),
    ),
    "models.small_start": Example(lambda: {"model": things.bert()}),
    "models.SkipGram": Example(lambda: {"vocab_size": V, "embed_dim": 5}),
    "models.SkipGram.forward": Example(
        lambda: (models.SkipGram(V, 5), {"centre": ids(3), "context": ids(3), "negatives": ids(3, 2)}),
        accepts=(("negatives", "longer 1", "any number of noise words"),),
    ),
    "models.CBOW": Example(lambda: {"vocab_size": V, "embed_dim": 5}),
    "models.CBOW.forward": Example(
        lambda: (models.CBOW(V, 5), {"centre": ids(3), "context": ids(3, 4), "negatives": ids(3, 2)}),
        accepts=(
            ("negatives", "longer 1", "any number of noise words"),
            ("context", "longer 1", "any window"),
            ("context", "negative", "-1 stands for no word"),
        ),
    ),
    "models.RecurrentLM": Example(lambda: {"config": models.RecurrentConfig(V, 5, 7)}),
    "models.RecurrentLM.forward": Example(
        lambda: (
            things.recurrent(),
            {"ids": ids(2, 5), "state": None, "cache": things.recurrent().new_cache(2, 5)}
            | {"attention_mask": yes(2, 5), "last_only": True},
        ),
        accepts=(("attention_mask", "longer 1", "earlier tokens are in the cache"),),
    ),
    "models.RecurrentLM.new_cache": Example(lambda: (things.recurrent().new_cache, {"batch_size": 2, "max_length": 5})),
    "models.RecurrentLM.loss": Example(
        lambda: (
            things.recurrent().loss,
            {"inputs": ids(2, 5), "targets": ids(2, 5), "state": things.recurrent_state()},
        ),
        accepts=(("state", *VALUES),),
    ),
    "models.RecurrentLM.total_nll": Example(
        lambda: (things.recurrent().total_nll, {"ids": ids(17), "state": None, "rows": 2, "warm_up": 3, "chunk": 4}),
        accepts=(
            ("ids", "longer 0", ANY_LENGTH),
            ("warm_up", "zero", "no text before a piece"),
            ("warm_up", "huge", "at most a piece is read"),
        ),
    ),
    "models.TruncatedBPTTLoss.__call__": Example(
        lambda: (models.TruncatedBPTTLoss(), {"model": things.recurrent(), "batch": (ids(2, 5), ids(2, 5))}),
        parts=("inputs", "targets"),
    ),
    "models.TruncatedBPTTLoss.load_state_dict": Example(
        lambda: (models.TruncatedBPTTLoss().load_state_dict, {"saved": {"state": things.recurrent_state()}}),
        accepts=(("saved", "value empty, value item *", "its use, the next call, says what is wrong with a state"),),
    ),
    "models.Seq2Seq": Example(lambda: {"config": models.Seq2SeqConfig(V, V, 5, 6), "attention": "additive"}),
    "models.Seq2Seq.encode": Example(
        lambda: (things.seq2seq().encode, {"source": ids(2, 4)}),
        accepts=(("source", "longer *, transposed", ANY_SIZE),),
    ),
    "models.Seq2Seq.forward": Example(
        lambda: (things.seq2seq(), {"source": ids(2, 4), "target": things.target()}),
        accepts=(("*", "longer 1", ANY_LENGTH),),
    ),
    "models.Seq2Seq.decode": Example(
        lambda: _decode({"ids": ids(2, 3), "encoded": None, "state": None, "attended": floats(2, 6)}),
        accepts=(("ids", "longer 1", ANY_LENGTH), ("attended", *VALUES), ("state", *VALUES)),
    ),
    "models.Seq2Seq.loss": Example(
        lambda: (things.seq2seq().loss, {"source": ids(2, 4), "target": things.target()}),
        accepts=(("source", "longer 1", ANY_LENGTH),),
    ),
    "models.Seq2Seq.cross_entropy": Example(
        lambda: (things.seq2seq().cross_entropy, {"logits": floats(2, 5, V), "following": ids(2, 5)}),
        accepts=(("logits", *VALUES),),
    ),
    "models.Seq2Seq.check_target": Example(
        lambda: (things.seq2seq().check_target, {"target": things.target()}),
        accepts=(("target", "longer 0", ANY_SIZE),),
    ),
    "models.Seq2Seq.alignment": Example(
        lambda: (things.seq2seq().alignment, {"source": ids(2, 4), "target": things.target()}),
        accepts=(("*", "longer 1", ANY_LENGTH),),
    ),
    "models.Seq2Seq.stepper": Example(
        lambda: (things.seq2seq().stepper, {"source": ids(2, 4)}),
        accepts=(("source", "longer *, transposed", ANY_SIZE),),
    ),
    "models.Transformer": Example(lambda: {"config": models.TransformerConfig(V, V, 6, 2)}),
    "models.Transformer.forward": Example(
        lambda: (things.transformer(), {"source": ids(2, 4), "target": things.target()}),
        accepts=(("*", "longer 1", ANY_LENGTH),),
    ),
    "models.Transformer.loss": Example(
        lambda: (things.transformer().loss, {"source": ids(2, 4), "target": things.target()}),
        accepts=(("*", "longer 1", ANY_LENGTH),),
    ),
    "models.Transformer.encode": Example(
        lambda: (things.transformer().encode, {"source": ids(2, 4), "attention_mask": yes(2, 4)})
    ),
    "models.Transformer.decode": Example(
        lambda: (
            things.transformer().decode,
            {"target": things.target(), "memory": floats(2, 4, 6), "attention_mask": yes(2, 4)}
            | {"state": things.transformer().start_decoding(ids(2, 4), 11)},
        ),
        accepts=(("target", "longer 1", ANY_LENGTH), ("memory", *VALUES)),
    ),
    "models.Transformer.start_decoding": Example(
        lambda: (things.transformer().start_decoding, {"source": ids(2, 4), "max_length": 7}),
        accepts=(("source", "longer *, transposed", ANY_SIZE),),
    ),
    "models.Transformer.step": Example(lambda: _transformer_step()),
    "models.Transformer.stepper": Example(
        lambda: (things.transformer().stepper, {"source": ids(2, 4), "capacity": 7}),
        accepts=(("source", "longer *, transposed", ANY_SIZE),),
    ),
    "models.Transformer.attention_maps": Example(
        lambda: (
            things.transformer().attention_maps,
            {"source": ids(2, 4), "target": things.target(), "attention_mask": yes(2, 4)},
        ),
        accepts=(("target", "longer 1", ANY_LENGTH),),
    ),
    "models.Transformer.source_mask": Example(
        lambda: (things.transformer().source_mask, {"source": ids(2, 4)}),
        accepts=(("source", "longer *, transposed", ANY_SIZE),),
    ),
    "models.GPT": Example(lambda: {"config": things.gpt().config}),
    "models.GPT.forward": Example(
        lambda: (
            things.gpt(),
            {"ids": ids(2, 5), "cache": things.gpt().new_cache(2, 9), "attention_mask": yes(2, 5), "last_only": True},
        )
    ),
    "models.GPT.hidden": Example(
        lambda: (
            things.gpt().hidden,
            {"ids": ids(2, 5), "cache": things.gpt().new_cache(2, 9), "attention_mask": yes(2, 5)},
        )
    ),
    "models.GPT.hidden_with_shared_prefix": Example(
        lambda: (
            things.gpt().hidden_with_shared_prefix,
            {"prefixes": ids(2, 4), "continuations": ids(2, 3, 5), "attention_mask": yes(2, 4)},
        ),
        accepts=(("continuations", "longer 1, longer 2, transposed", ANY_SIZE),),
    ),
    "models.GPT.loss": Example(lambda: (things.gpt().loss, {"inputs": ids(2, 5), "targets": ids(2, 5)})),
    "models.GPT.total_nll": Example(
        lambda: (things.gpt().total_nll, {"ids": ids(29), "stride": 3, "batch_size": 2, "part": (1, 2)}),
        accepts=(("ids", "longer 0", ANY_LENGTH), ("part", "item zero", "the first part")),
    ),
    "models.GPT.attention_maps": Example(
        lambda: (things.gpt().attention_maps, {"ids": ids(2, 5)}), accepts=(("ids", "longer *, transposed", ANY_SIZE),)
    ),
    "models.GPT.new_cache": Example(lambda: (things.gpt().new_cache, {"batch_size": 2, "max_length": 9})),
    "models.NGramModel": Example(lambda: {"order": 3, "smoothing": KneserNey()}),
    "models.NGramModel.fit": Example(
        lambda: (models.NGramModel(3).fit, {"sentences": things.SENTENCES, "min_count": 1}),
        accepts=(*WORDS, ("min_count", "huge", "every word is then unknown")),
    ),
    "models.NGramModel.prob": Example(
        lambda: (things.ngram().prob, {"word": "cat", "context": ["the"]}), accepts=WORDS
    ),
    "models.NGramModel.distribution": Example(
        lambda: (things.ngram().distribution, {"context": ["the"]}), accepts=WORDS
    ),
    "models.NGramModel.token_logprobs": Example(
        lambda: (things.ngram().token_logprobs, {"sentence": SENTENCE}), accepts=WORDS
    ),
    "models.NGramModel.matched_orders": Example(
        lambda: (things.ngram().matched_orders, {"sentence": SENTENCE}), accepts=WORDS
    ),
    "models.NGramModel.logprob": Example(lambda: (things.ngram().logprob, {"sentence": SENTENCE}), accepts=WORDS),
    "models.NGramModel.score": Example(lambda: (things.ngram().score, {"sentences": things.SENTENCES}), accepts=WORDS),
    "models.NGramModel.cross_entropy": Example(
        lambda: (things.ngram().cross_entropy, {"sentences": things.SENTENCES}), accepts=WORDS
    ),
    "models.NGramModel.perplexity": Example(
        lambda: (things.ngram().perplexity, {"sentences": things.SENTENCES}), accepts=WORDS
    ),
    "models.NGramModel.coverage": Example(
        lambda: (things.ngram().coverage, {"sentences": things.SENTENCES}), accepts=WORDS
    ),
    "models.NGramModel.sample": Example(
        lambda: (things.ngram().sample, {"n_words": 3, "context": ["the"], "generator": None}),
        accepts=(*WORDS, ("n_words", "zero", "no words")),
    ),
    "models.NGramModel.count": Example(lambda: (things.ngram().count, {"ngram": ["the", "cat"]}), accepts=WORDS),
    "models.NGramModel.continuation_count": Example(
        lambda: (things.ngram().continuation_count, {"ngram": ["the", "cat"]}), accepts=WORDS
    ),
    "models.NGramModel.followers": Example(lambda: (things.ngram().followers, {"context": ["the"]}), accepts=WORDS),
    "models.NGramModel.to_arpa": Example(lambda: (things.ngram().to_arpa, {"path": things.folder() / "model.arpa"})),
    "models.NGramModel.from_arpa": Example(lambda: {"path": things.arpa_file()}),
}

_TEXT = (("ids", "longer 0", ANY_LENGTH), ("ids", "device", things.META))
_NOISE = {"distribution": torch.tensor([0.5, 0.25, 0.25])}
_VECTORS = torch.eye(5, 3) + 0.1
_TABLE = (
    ("vectors", "nan, inf, huge, negative, zero, dtype, float16", "any real numbers; a row may be what it likes"),
    ("vector", "nan, inf, huge, negative, zero, dtype, float16", "any real numbers"),
    ("vectors", "longer 0", ANY_SIZE),
    ("exclude", "empty, item zero", "nothing excluded, or the first row"),
    ("[abc]", "zero", "the first row"),
    ("k", "huge", "as many as there are"),
    ("words", "item *", "the caller's own names of the rows"),
)

EXAMPLES |= {
    "models.embeddings.NeuralBigram": Example(lambda: {"vocab_size": V, "embed_dim": 5}),
    "models.embeddings.NeuralBigram.forward": Example(
        lambda: (embeddings.NeuralBigram(V), {"ids": ids(2, 5)}),
        accepts=(("ids", "longer *, one dimension *, no dimension, transposed", "ids of any shape"),),
    ),
    "models.embeddings.NeuralNGram": Example(
        lambda: {"vocab_size": V, "order": 3, "embed_dim": 5, "hidden_size": 7, "direct": True}
    ),
    "models.embeddings.NeuralNGram.forward": Example(
        lambda: (embeddings.NeuralNGram(V, 3, 5, 7), {"contexts": ids(5, 2)}),
        accepts=(("contexts", "longer 0, one dimension *", ANY_SIZE),),
    ),
    "models.embeddings.ngram_windows": Example(
        lambda: {"ids": ids(7), "order": 3}, accepts=(*_TEXT, ("ids", "negative, huge", "any whole numbers"))
    ),
    "models.embeddings.bag_of_words": Example(
        lambda: {"documents": [[1, 2, 2], [3]], "vocab_size": V},
        accepts=(
            ("documents", "item empty", "a document without words"),
            ("documents", "item item zero, item item kind: bool", "an id, as torch.tensor reads it"),
        ),
    ),
    "models.embeddings.tf_idf": Example(
        lambda: {"counts": torch.tensor([[1.0, 0.0, 2.0], [1.0, 1.0, 0.0]])},
        accepts=(
            ("counts", "longer *, transposed", ANY_SIZE),
            ("counts", "zero, huge", "a count"),
            ("counts", "device", things.META),
        ),
    ),
    "models.embeddings.skipgram_pairs": Example(
        lambda: {"ids": ids(7), "window": 2, "generator": generator()},
        accepts=(
            ("ids", "longer 0", ANY_LENGTH),
            ("ids", "empty 0", "a text without words has no pairs"),
            ("ids", "negative, huge", "any whole numbers"),
        ),
    ),
    "models.embeddings.cbow_windows": Example(
        lambda: {"ids": ids(7), "window": 2}, accepts=(*_TEXT, ("ids", "negative, huge", "any whole numbers"))
    ),
    "models.embeddings.subsample": Example(
        lambda: {"ids": ids(7), "threshold": 0.01, "generator": generator()},
        accepts=(
            ("ids", "longer 0", ANY_LENGTH),
            ("ids", "empty 0", "a text without words"),
            ("ids", "huge", "an id like others"),
            ("threshold", "huge", "all words stay"),
            ("threshold", "tiny", "no word stays"),
        ),
    ),
    "models.embeddings.noise_distribution": Example(
        lambda: {"counts": torch.tensor([16.0, 1.0, 4.0]), "power": 0.75},
        accepts=(
            ("counts", "longer 0", "any vocabulary"),
            ("counts", "zero, huge, dtype", "a count"),
            ("counts", "device", things.META),
            ("counts", "kind: list", "a list of counts is as good as a tensor"),
            ("power", "zero, tiny", "all words alike"),
            ("power", "huge", "the most frequent word alone"),
        ),
    ),
    "models.embeddings.draw_negatives": Example(
        lambda: {**_NOISE, "shape": (2, 3), "generator": generator()},
        accepts=(
            ("distribution", "longer 0", "any vocabulary"),
            ("distribution", "device", things.META),
            ("distribution", "zero", "a word that is never sampled"),
            ("distribution", "huge", "it need not sum to 1"),
            ("shape", "empty", "one id"),
            ("shape", "item zero", "no ids"),
        ),
    ),
    "models.embeddings.negative_sampling_loss": Example(
        lambda: {**_NOISE, "num_negatives": 2},
        accepts=(
            ("distribution", "longer 0", "any vocabulary"),
            ("distribution", "device", things.META),
            ("distribution", "zero", "a word that is never sampled"),
            ("distribution", "huge", "it need not sum to 1"),
        ),
    ),
    "models.embeddings.nearest": Example(
        lambda: {"vector": _VECTORS[1], "vectors": _VECTORS, "k": 2, "exclude": [1], "words": list("abcde")},
        accepts=_TABLE,
    ),
    "models.embeddings.analogy": Example(
        lambda: {"a": 0, "b": 1, "c": 2, "vectors": _VECTORS, "k": 2, "words": None},
        accepts=(*_TABLE, ("vectors", "longer 1, transposed", "any width")),
    ),
}


def _folder_of(model):
    folder = things.folder() / type(model).__name__
    if not folder.exists():
        export_huggingface(model, folder)
    return folder


def _bert_folder():
    """A folder as transformers writes one."""
    folder, model = things.folder() / "bert", things.bert()
    if not folder.exists():
        folder.mkdir()
        names = weight_names.reversed_names(weight_names.BERT)
        save_file(weight_names.renamed(model.state_dict(), names), folder / "model.safetensors")
        config = {
            "model_type": "bert", "vocab_size": V, "max_position_embeddings": 11, "hidden_size": 6,
            "num_attention_heads": 2, "num_hidden_layers": 1, "intermediate_size": 7,
        }  # fmt: skip
        (folder / "config.json").write_text(json.dumps(config))
    return folder


def _tokenizer():
    return BPETokenizer.train(["the cat sat"], 258)


def _large_gpt():
    return things.gpt(vocab_size=270, activation="gelu_tanh")


def _saved(make, name):
    path = things.folder() / name
    make().save(path)
    return path


def _chain():
    return ngram.MarkovChain().fit(things.SENTENCES)


def _skips():
    return ngram.SkipModel().fit(things.SENTENCES)


_WEIGHTS = ("weights", "item zero, item tiny, item huge", "a sentence may count little or much")

EXAMPLES |= {
    "models.GPT.from_pretrained": Example(lambda: {"path": _folder_of(_large_gpt()), "dtype": torch.float64}),
    "models.pretrained.read_gpt": Example(lambda: {"path": _folder_of(_large_gpt())}),
    "models.BERT.from_pretrained": Example(lambda: {"path": _bert_folder(), "dtype": torch.float64}),
    "models.export_huggingface": Example(
        lambda: {"model": _large_gpt(), "folder": things.folder() / "out", "tokenizer": _tokenizer(), "stop_id": 3},
        accepts=(("stop_id", "zero", "an id"), ("folder", "missing", "it is made")),
    ),
    "models.export_gguf": Example(
        lambda: (
            {"model": _large_gpt(), "path": things.folder() / "out.gguf", "tokenizer": _tokenizer()}
            | {"dtype": "F16", "stop_id": 3}
        ),
        accepts=(("stop_id", "zero", "an id"),),
    ),
    "models.NGramModel.save": Example(lambda: (things.ngram().save, {"path": things.folder() / "ngram"})),
    "models.NGramModel.load": Example(lambda: {"path": _saved(things.ngram, "ngram.safetensors")}),
    "models.ngram.AddK": Example(
        lambda: {"k": 0.5}, accepts=(("k", "tiny, huge, zero", "hardly smoothed, or all words alike"),)
    ),
    "models.ngram.AbsoluteDiscounting": Example(
        lambda: {"discount": 0.5, "uniform": True, "fallback": 0.75}, accepts=(("*", "zero, tiny", "no discount"),)
    ),
    "models.ngram.Interpolated": Example(
        lambda: {"weights": [0.5, 0.3, 0.1, 0.1], "uniform": 0.1},
        accepts=(("*", "zero, tiny, item zero, item tiny", "an order that does not count"),),
    ),
    "models.ngram.KneserNey": Example(
        lambda: {"modified": True, "discounts": [0.5, 1.0, 1.5], "uniform": True, "fallback": [0.5, 1.0, 1.5]},
        accepts=(("*", "item zero, item tiny", "no discount"),),
    ),
    "models.ngram.StupidBackoff": Example(lambda: {"alpha": 0.4}, accepts=(("alpha", "tiny", "as good as none"),)),
    "models.ngram.MarkovChain": Example(
        lambda: {"history": 1}, accepts=(("history", "huge", "longer than any text: only beginnings are known"),)
    ),
    "models.ngram.MarkovChain.fit": Example(
        lambda: (ngram.MarkovChain().fit, {"sentences": things.SENTENCES, "weights": [1.0, 2.0, 0.5, 1.0]}),
        accepts=(*WORDS, _WEIGHTS),
    ),
    "models.ngram.MarkovChain.probabilities": Example(lambda: (_chain().probabilities, {"context": ["the"]})),
    "models.ngram.MarkovChain.transition_matrix": Example(lambda: (_chain().transition_matrix, {"max_bytes": 10**6})),
    "models.ngram.MarkovChain.from_dict": Example(lambda: {"content": _chain().to_dict()}),
    "models.ngram.MarkovChain.load": Example(lambda: {"path": _saved(_chain, "chain.json")}),
    "models.ngram.MarkovChain.save": Example(lambda: (_chain().save, {"path": things.folder() / "chain.json"})),
    "models.ngram.SkipModel.fit": Example(
        lambda: (ngram.SkipModel().fit, {"sentences": things.SENTENCES, "weights": [1.0, 2.0, 0.5, 1.0]}),
        accepts=(*WORDS, _WEIGHTS),
    ),
    "models.ngram.SkipModel.votes": Example(lambda: (_skips().votes, {"prefix": ["the", "cat"]}), accepts=WORDS),
    "models.ngram.SkipModel.masked_votes": Example(
        lambda: (_skips().masked_votes, {"prefix": ["the", "cat"], "keep": {"cat"}}), accepts=WORDS
    ),
    "models.ngram.SkipModel.pair_probabilities": Example(
        lambda: (_skips().pair_probabilities, {"first": "the", "last": "cat"}), accepts=WORDS
    ),
    "models.ngram.SkipModel.from_dict": Example(lambda: {"content": _skips().to_dict()}),
    "models.ngram.SkipModel.load": Example(lambda: {"path": _saved(_skips, "skips.json")}),
    "models.ngram.SkipModel.save": Example(lambda: (_skips().save, {"path": things.folder() / "skips.json"})),
    "models.smoothing.counts_of_counts": Example(lambda: {"counts": np.array([1, 2, 1, 3])}),
}
