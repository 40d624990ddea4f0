"""The names that other people's code relies on: where they are imported from, and the arguments they take."""

import importlib
import inspect
import typing

import pytest

#: Name -> its parameters, in order; "*" stands before those that are given by keyword only. Further ones may follow.
CALLS = {
    "runtime.device": "prefer",
    "runtime.seed_everything": "seed",
    "runtime.preset": "",
    "runtime.pick": "* smoke laptop gpu",
    "data.available": "",
    "data.load_text": "name * split",
    "data.load_pairs": "name * split",
    "data.load_reviews": "",
    "data.load_ratings": "* split",
    "data.load_preferences": "n",
    "data.fetch": "name",
    "tokenizers.Vocabulary.build": "tokens * min_count special_tokens",
    "tokenizers.Vocabulary.encode": "tokens",
    "tokenizers.Vocabulary.decode": "ids",
    "tokenizers.BPETokenizer.train": "text vocab_size * pattern special_tokens progress",
    "tokenizers.BPETokenizer.from_ranks": "ranks * pattern special_tokens",
    "tokenizers.BPETokenizer.from_gpt2_files": "vocab_bpe encoder_json",
    "tokenizers.BPETokenizer.to_tokenizer_json": "path",
    "tokenizers.BPETokenizer.from_tokenizer_json": "path",
    "tokenizers.BPETokenizer.save": "path",
    "tokenizers.BPETokenizer.load": "path",
    "tokenizers.BPETokenizer.encode": "text * allowed_special",
    "tokenizers.BPETokenizer.encode_iter": "lines",
    "tokenizers.BPETokenizer.stream_decoder": "",
    "tokenizers.BPETokenizer.decode": "ids",
    "tokenizers.BPETokenizer.decode_bytes": "ids",
    "tokenizers.BPETokenizer.tokens": "text",
    "tokenizers.WordPiece.load": "path",
    "tokenizers.WordPiece.encode": "text",
    "tokenizers.WordPiece.decode": "ids",
    "tokenizers.WordPiece.tokens": "text",
    "models.ngram.NGramModel": "order smoothing",
    "models.ngram.NGramModel.fit": "sentences * min_count",
    "models.ngram.NGramModel.prob": "word context",
    "models.ngram.NGramModel.distribution": "context",
    "models.ngram.NGramModel.logprob": "sentence",
    "models.ngram.NGramModel.perplexity": "sentences",
    "models.ngram.NGramModel.sample": "n_words * context generator",
    "models.ngram.NGramModel.to_arpa": "path",
    "models.ngram.NGramModel.from_arpa": "path",
    "models.ngram.AddK": "k",
    "models.ngram.Interpolated": "weights",
    "models.ngram.StupidBackoff": "alpha",
    "models.ngram.KneserNey": "modified",
    "models.ngram.MLE": "",
    "models.ngram.MarkovChain": "history",
    "models.ngram.MarkovChain.transition_matrix": "",
    "models.ngram.SkipModel.votes": "prefix",
    "models.ngram.SkipModel.masked_votes": "prefix keep",
    "models.embeddings.SkipGram": "vocab_size embed_dim",
    "models.embeddings.CBOW": "vocab_size embed_dim",
    "models.embeddings.SkipGram.forward": "centre context negatives",
    "models.embeddings.nearest": "vector vectors k * exclude",
    "models.embeddings.analogy": "a b c",
    "layers.attention.scaled_dot_product_attention": "query key value attention_mask * causal scale dropout_p",
    "layers.attention.naive_attention": "query key value attention_mask * causal scale dropout_p",
    "layers.attention.attention_weights": "query key attention_mask * causal scale",
    "layers.rnn_attention.BahdanauAttention": "query_dim key_dim hidden_size",
    "layers.rnn_attention.LuongDotAttention": "",
    "layers.rnn_attention.LuongGeneralAttention": "query_dim key_dim",
    "layers.rnn_attention.BahdanauAttention.forward": "query keys attention_mask",
    "layers.MultiHeadAttention": "embed_dim num_heads * num_kv_heads bias dropout rotary",
    "layers.MultiHeadAttention.forward": "x memory attention_mask * causal cache return_weights",
    "layers.KVCache": "batch_size num_kv_heads max_length head_dim * device dtype",
    "layers.KVCache.append": "k v",
    "layers.KVCache.reset": "",
    "layers.causal_mask": "T S * device",
    "layers.padding_mask": "lengths max_length",
    "layers.sinusoidal_positions": "length embed_dim",
    "layers.LearnedPositionalEmbedding": "max_length embed_dim",
    "layers.RotaryPositionalEmbedding": "head_dim * base interleaved",
    "layers.RotaryPositionalEmbedding.forward": "x offset",
    "layers.RNN": "input_size hidden_size num_layers * dropout bidirectional fused",
    "layers.GRU": "input_size hidden_size num_layers * dropout bidirectional fused",
    "layers.LSTM": "input_size hidden_size num_layers * dropout bidirectional fused",
    "layers.LSTM.forward": "x state",
    "layers.FeedForward": "embed_dim hidden_size * activation dropout",
    "layers.EncoderLayer": "* norm",
    "layers.DecoderLayer": "* norm",
    "models.RecurrentLM": "config",
    "models.RecurrentConfig": "",
    "models.Seq2Seq": "config attention",
    "models.Seq2SeqConfig": "",
    "models.Transformer": "config",
    "models.TransformerConfig": "",
    "models.Transformer.encode": "source attention_mask",
    "models.Transformer.decode": "target memory attention_mask",
    "models.Transformer.forward": "source target",
    "models.GPT": "config",
    "models.GPTConfig": "vocab_size context_length embed_dim num_heads num_layers num_kv_heads positions norm "
    "activation dropout tie_embeddings",
    "models.GPT.forward": "ids * cache attention_mask",
    "models.GPT.from_pretrained": "path",
    "models.BERT": "config",
    "models.BERTConfig": "",
    "models.BERT.forward": "ids attention_mask segments",
    "models.BERT.from_pretrained": "path",
    "models.mask_tokens": "ids",
    "generation.generate": "model ids max_new_tokens * temperature top_k top_p stop_ids attention_mask use_cache "
    "generator",
    "generation.stream": "model ids max_new_tokens",
    "generation.beam_search": "step start_id stop_id * beam_size max_length length_penalty",
    "training.fit": "model batches loss * optimizer schedule max_steps clip_norm accumulate validate precision "
    "progress",
    "training.label_smoothed_kl": "logits targets * smoothing ignore_index",
    "training.noam_schedule": "step embed_dim warmup",
    "training.cosine_schedule": "step",
    "training.bits_per_byte": "total_nats n_bytes",
    "alignment.preference_loss": "chosen_rewards rejected_rewards * margin",
    "alignment.generalized_advantage_estimation": "rewards values attention_mask * gamma lam",
    "alignment.ppo_policy_loss": "log_probs old_log_probs advantages attention_mask * clip",
    "alignment.ppo_value_loss": "values old_values returns attention_mask * clip",
    "alignment.dpo_loss": "policy_chosen policy_rejected reference_chosen reference_rejected * beta label_smoothing",
    "alignment.group_advantages": "rewards * normalize",
    "alignment.RewardModel": "",
    "alignment.SFTTrainer.fit": "",
    "alignment.PPOTrainer.fit": "",
    "alignment.DPOTrainer.fit": "",
    "alignment.GRPOTrainer.fit": "",
    "exercises.check": "name answer * seed",
    "exercises.Task": "",
}


def found(name: str):
    parts = name.split(".")
    for depth in range(len(parts) - 1, 0, -1):
        try:
            thing = importlib.import_module(".".join(["lmcourse", *parts[:depth]]))
        except ModuleNotFoundError:
            continue
        for part in parts[depth:]:
            thing = getattr(thing, part)
        return thing
    raise AssertionError(name)


@pytest.mark.parametrize(("name", "wanted"), CALLS.items())
def test_a_name_is_there_and_takes_its_arguments(name, wanted):
    thing = found(name)
    parameters = inspect.signature(thing).parameters
    positional = [n for n, p in parameters.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    positional = positional[positional[:1] == ["self"] :]
    before, _, after = wanted.partition("*")
    assert positional[: len(before.split())] == before.split(), f"{name}{inspect.signature(thing)}"
    by_name = {n for n, p in parameters.items() if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)}
    for parameter in parameters.values():  # **settings: Unpack[SamplingSettings]
        if parameter.kind is parameter.VAR_KEYWORD:
            by_name |= {n for settings in typing.get_args(parameter.annotation) for n in settings.__annotations__}
    assert set(after.split()) <= by_name, f"{name}{inspect.signature(thing)}"
    assert thing.__doc__ or name.count(".") > 1
