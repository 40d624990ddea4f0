"""Chapter 12: the rules of its statements, and the case that fails without each."""

RULES = {
    "lens_ranks": (
        ("Return the rank of a token when the model is read after each layer", "a large vocabulary", "last_layer_only"),
        (
            "Return the rank of a token when the model is read after each layer",
            "two better tokens with the same logit",
            "lowest_first",
        ),
        (
            "The final norm is RMSNorm without epsilon: x / sqrt(mean of x^2), times the gain",
            "the worked example",
            "no_gain",
        ),
        ("(V, D)", "a vocabulary of one token", "the_token_itself"),
        ("A tensor of whole numbers (L,): 1 is the likeliest", "a vocabulary of one token", "from_zero"),
        ("Tokens with the same logit as the answer do not count as better", "a vocabulary of one token", "ties_count"),
    ),
    "head_parts": (
        ("Return what each head adds to the stream", "the worked example", "already_summed"),
        (
            "what the heads have gathered, side by side as the output projection reads it, (T, H K)",
            "no tokens",
            "tokens_mixed",
        ),
        ("of the output projection, as nn.Linear keeps it, (D, H K)", "one head", "rows_of_weight"),
        ("H", "no tokens", "heads_interleaved"),
        ("(H, T, D), whose sum over the heads is mixed @ weight.T", "the worked example", "tokens_first"),
        ("H does not divide the width of `mixed`", "a width that the heads do not divide", "no_check"),
    ),
    "induction_score": (
        (
            "Return how much of its attention each head puts where an induction head looks",
            "the longest period there is",
            "all_heads",
        ),
        (
            "Return how much of its attention each head puts where an induction head looks",
            "the worked example",
            "keys_and_queries",
        ),
        ("The text repeats with this period", "one head", "second_round_only"),
        (
            "From the second round on, the query at position t looks at position t - period + 1: the token",
            "the worked example",
            "earlier_copy",
        ),
        (
            "From the second round on, the query at position t looks at position t - period + 1: the token",
            "the longest period there is",
            "one_too_far",
        ),
        ("(H,): the mean over all queries t = period, ..., T - 1", "the longest period there is", "first_round_too"),
        ("(H,): the mean over all queries t = period, ..., T - 1", "the worked example", "summed"),
        ("a period outside 1 to T - 1", "a period of zero", "no_check"),
    ),
    "mean_ablate": (
        (
            "Return what the heads have gathered, with some heads replaced by what they gather on average",
            "the worked example",
            "zeros",
        ),
        (
            "Return what the heads have gathered, with some heads replaced by what they gather on average",
            "the worked example",
            "own_mean",
        ),
        (
            "of the texts that are looked at, (B, T, H K): head h owns the columns h K to (h + 1) K",
            "one text of one token",
            "every_hth_column",
        ),
        ("the heads to silence, a list of numbers from 0 to H - 1, perhaps empty", "no head", "the_others"),
        ("the heads to silence, a list of numbers from 0 to H - 1, perhaps empty", "all heads", "first_head_only"),
        (
            "the same of other texts, (B', T', H K): the average is taken over all of their tokens",
            "a single head as wide as the model",
            "first_text",
        ),
        ("A new tensor (B, T, H K)", "a single head as wide as the model", "one_number"),
        ("`mixed` is left as it is", "no head", "in_place"),
    ),
    "patched_states": (
        (
            "Return the last states of a small model that reads `other`, with one vector taken from its run",
            "one token",
            "wrong_way",
        ),
        (
            "Return the last states of a small model that reads `other`, with one vector taken from its run",
            "the worked example",
            "all_positions",
        ),
        (
            "Each layer adds to every position the mean of all positions up to it, times a matrix: x_t +",
            "two texts that are the same",
            ("other = other + other.cumsum", "other = other + 2 * other.cumsum"),
        ),
        ("two texts as embeddings, each (T, D)", "two texts that are the same", "embedding_taken"),
        ("a list of matrices (D, D), one a layer", "after an early layer of five", "every_layer"),
        ("the exchange happens after this layer, counted from 0", "the worked example", "before_the_layer"),
        ("the exchange happens after this layer, counted from 0", "the worked example", "no_exchange"),
        (
            "(T, D): the stream after the last layer, of the run on `other`",
            "two texts that are the same",
            ("return other", "return other[-1:]"),
        ),
    ),
    "selectivity": (
        (
            "Return how much better a ridge probe reads a property than labels that mean nothing",
            "a width of one",
            "no_control",
        ),
        (
            "Return how much better a ridge probe reads a property than labels that mean nothing",
            "the worked example",
            "ratio",
        ),
        (
            "A probe for labels y (+1 and -1) has the weights w = (X^T X + penalty I)^-1 X^T y, no constant",
            "as many vectors as features",
            "no_penalty",
        ),
        (
            "A probe for labels y (+1 and -1) has the weights w = (X^T X + penalty I)^-1 X^T y, no constant",
            "one new vector",
            "centred",
        ),
        ("w is above 0, else -1", "a new vector of zeros, for which x . w is 0", "zero_counts_as_plus"),
        ("It is fitted on `x` and scored on `new_x`", "the worked example", "scored_on_what_was_learned"),
        (
            "a coin tossed once for each word, +1.0 or -1.0, (n,) and (m,)",
            "more features than vectors",
            "one_probe_for_both",
        ),
        ("above 0", "more features than vectors", "penalty_times_n"),
        (
            "The accuracy for the property less the accuracy for the coins, a float",
            "the worked example",
            "control_first",
        ),
    ),
    "sink_window_mask": (
        (
            "Return the mask of a causal window that keeps the first tokens in sight",
            "more sinks than tokens: the whole past",
            "no_sinks",
        ),
        (
            "Query t sees the last `width` tokens, itself included, and the first `num_sinks` tokens of the",
            "no sinks",
            "one_too_wide",
        ),
        (
            "Query t sees the last `width` tokens, itself included, and the first `num_sinks` tokens of the",
            "more sinks than tokens: the whole past",
            "future_sinks",
        ),
        (
            "Query t sees the last `width` tokens, itself included, and the first `num_sinks` tokens of the",
            "a window longer than the text",
            "both_sides",
        ),
        (
            "tokens, 0 or more",
            "no tokens",
            ("torch.arange(T)[:, None], torch.arange(T)", "torch.arange(max(T, 1))[:, None], torch.arange(max(T, 1))"),
        ),
        ("0 or more, perhaps more than T", "the worked example", "sinks_of_the_window"),
        ("A bool tensor (T, T), True = may be seen", "one token", "inverted"),
        ("A bool tensor (T, T), True = may be seen", "a window longer than the text", "turned"),
        ("`width` below 1, `num_sinks` below 0", "a width of zero", "no_check"),
    ),
    "decayed_attention": (
        ("Return linear attention that forgets, as a recurrence", "the worked example", "running_mean"),
        (
            "S_t = decay S_(t-1) + k_t v_t^T and y_t = q_t S_t, where S_(-1) is zero",
            "the worked example",
            "read_before_written",
        ),
        ("S_t = decay S_(t-1) + k_t v_t^T and y_t = q_t S_t, where S_(-1) is zero", "the worked example", "no_decay"),
        ("S_t = decay S_(t-1) + k_t v_t^T and y_t = q_t S_t, where S_(-1) is zero", "no decay: one", "keys_read"),
        ("Nothing is normalised", "no decay: one", "normalised"),
        ("from 0 to 1", "the worked example", "all_decayed"),
        ("The outputs (T, Kv) and the last state (K, Kv)", "the worked example", "first_state"),
    ),
    "merge_blocks": (
        (
            "Return the online softmax of two blocks of keys together, from what is kept of each",
            "the worked example",
            "not_rescaled",
        ),
        (
            "Return the online softmax of two blocks of keys together, from what is kept of each",
            "large scores, whose exp overflows",
            "only_the_first",
        ),
        (
            "Of a block of scores s_j with values v_j is kept, for each query: m, the largest score",
            "queries that see no key at all",
            "smaller",
        ),
        ("l, the sum of exp(s_j - m)", "the worked example", "sign"),
        ("and o, the sum of exp(s_j - m) v_j", "the worked example", "not_o"),
        ("and o, the sum of exp(s_j - m) v_j", "the same largest score in both", "already_divided"),
        (
            "Of a block in which a query sees no key, m is minus infinity, and l and o are 0",
            "queries that see no key at all",
            "nan",
        ),
        ("Large scores must not overflow", "large scores, whose exp overflows", "overflow"),
        ("(m, l, o) of both blocks together", "the same largest score in both", ("return m, l, o", "return o, l, m")),
    ),
    "patch_tokens": (
        ("Cut pictures into square patches, one token for each", "the worked example", "rows_of_pixels"),
        ("(B, C, height, width)", "patches of one pixel", "channels_as_tokens"),
        ("B may be 0", "no pictures", ("if height % size", "if not B or height % size")),
        ("of a patch in pixels", "the worked example", "sizes_exchanged"),
        ("(B, N, C size size): the patches row by row, from left to right", "patches of one pixel", "columns_first"),
        ("in each, the first channel row by row, then the second, and so on", "one patch", "channels_last"),
        ("in each, the first channel row by row, then the second, and so on", "one patch", "patch_turned"),
        ("`size` does not divide both sides", "a height that the size does not divide: below it", "no_check"),
    ),
}
NO_RULE = {
    "lens_ranks": {
        "the stream after each layer, (L, D), no row of zeros": "what is given",
        "of the final norm, (D,)": "told with the first",
        "the token's id": "what is given",
    },
    "induction_score": {"of each head, (H, T, T)": "what is given", "at least 1 and below T": "what is given"},
    "mean_ablate": {"H": "what is given"},
    "patched_states": {"x_t) W": "the formula's second half", "of the vector that is exchanged": "what is given"},
    "selectivity": {
        "(n, D)": "what is given",
        "new_x: (m, D)": "what is given",
        "the property, +1.0 or -1.0, (n,) and (m,)": "what is given",
    },
    "sink_window_mask": {"at least 1": "what is given"},
    "decayed_attention": {"(T, K), T at least 1": "what is given", "(T, Kv)": "what is given"},
    "merge_blocks": {"each a tuple (m, l, o) of tensors (T, 1), (T, 1) and (T, Kv)": "what is given"},
    "patch_tokens": {"it divides height and width": "told with the error"},
}
