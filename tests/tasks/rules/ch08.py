"""Chapter 08: the rules of its statements, and the case that fails without each."""

RULES = {
    "gpt_parameters": (
        ("Return the number of parameters of a model of GPT-2's kind", "no layers and a width of one", "no_norms"),
        ("Return the number of parameters of a model of GPT-2's kind", "the worked example", "no_attention_biases"),
        ("Return the number of parameters of a model of GPT-2's kind", "the worked example", "no_feed_forward_biases"),
        ("V", "no layers and a width of one", "untied"),
        ("C", "no layers and a width of one", "no_positions"),
        ("D", "the worked example", "narrow_feed_forward"),
        ("L, 0 or more", "no layers and a width of one", "last_norm_in_each_layer"),
        ("An int", "GPT-2 small", "biases_as_numbers"),
    ),
    "top_p_probs": (
        (
            "Return the probabilities with all but the nucleus cut",
            "a tie: four equal tokens, and two reach p",
            "single_threshold",
        ),
        ("the smallest set", "a tie: four equal tokens, and two reach p", "one_more"),
        ("of its likeliest tokens", "one token holds nearly everything", "ascending"),
        ("whose probabilities sum to at least p", "p just below 1", "stops_short"),
        ("above 0, at most 1", "a token of probability 0", "one_refused"),
        ("in the order of the tokens", "p is reached but for rounding", "order_lost"),
        ("summing to 1", "a tie: four equal tokens, and two reach p", "not_renormalised"),
        ("p outside (0, 1]", "p above 1", "unchecked"),
        ("p outside (0, 1]", "p is 0", "zero_allowed"),
    ),
    "cache_bytes": (
        ("Return the bytes of a full cache of keys and values", "one of everything", "keys_only"),
        ("Return the bytes of a full cache of keys and values", "one of everything", "queries_too"),
        ("of the model", "the worked example", "one_layer"),
        ("of the model", "the worked example", "one_head"),
        ("tokens in each text, 0 or more", "the worked example", "one_token"),
        ("texts", "sizes in a fixed order", "no_batch"),
        ("of one number", "one of everything", "always_two_bytes"),
        ("An int", "one of everything", "bits"),
    ),
    "alibi_bias": (
        ("Return what ALiBi adds to the scores", "the worked example", "sign"),
        ("Return what ALiBi adds to the scores", "all slopes zero, several heads", "no_mask"),
        ("one for each head, a list of H floats, 0 or more", "seven heads, two tokens", "one_slope"),
        ("T, 0 or more", "one token", "one_too_far"),
        ("A tensor of float64, (H, T, T)", "no tokens", "single"),
        ("rows are queries, columns are keys", "all slopes zero, several heads", "transposed"),
    ),
    "rms_norm": (
        (
            "Return each vector of x divided by the root of its mean square, times the gain",
            "the worked example",
            "no_root",
        ),
        (
            "Return each vector of x divided by the root of its mean square, times the gain",
            "the worked example",
            "variance",
        ),
        (
            "Return each vector of x divided by the root of its mean square, times the gain",
            "the worked example",
            "no_gain",
        ),
        ("(..., D)", "as many rows as numbers", "over_rows"),
        ("(..., D)", "as many rows as numbers", "over_everything"),
        ("(D,)", "the worked example", "one_plus_gain"),
        ("added under the root", "one number", "eps_outside"),
        ("added under the root", "eps is 0", "always_the_same_eps"),
        ("The gradient must flow through it", "the gradients of very small numbers", ("x.pow(2)", "x.detach().pow(2)")),
    ),
}
NO_RULE = {
    "top_p_probs": {
        "of equally likely tokens any may be kept": "several results are right: the judge's",
        "(..., V), summing to 1": "what is given",
    },
    "rms_norm": {"(..., D)": "the shape of what is given"},
}
