"""The parameters of our transformer layers under torch.nn's names, for the tests of parity."""

import torch

_NAMES = {  # ours -> theirs; the first three are packed into one by torch
    "attention_norm": "norm1",
    "cross_attention_norm": "norm2",
    "feed_forward_norm": "norm{last}",
    "feed_forward.up": "linear1",
    "feed_forward.down": "linear2",
}


def ours_by_their_names(layer, *, grads=False):
    """Return the parameters of our layer, or their gradients, by the names and in the packing of torch.nn."""
    own = {name: parameter.grad if grads else parameter.data for name, parameter in layer.named_parameters()}
    last = 3 if hasattr(layer, "cross_attention") else 2
    theirs = {}
    for ours, name in _NAMES.items():
        for kind in ("weight", "bias"):
            if f"{ours}.{kind}" in own:
                theirs[f"{name.format(last=last)}.{kind}"] = own[f"{ours}.{kind}"]
    for ours, name in (("attention", "self_attn"), ("cross_attention", "multihead_attn")):
        if not hasattr(layer, ours):
            continue
        for kind in ("weight", "bias"):
            packed = [own[f"{ours}.{part}_proj.{kind}"] for part in "qkv"]
            theirs[f"{name}.in_proj_{kind}"] = torch.cat(packed)
            theirs[f"{name}.out_proj.{kind}"] = own[f"{ours}.out_proj.{kind}"]
    return theirs


@torch.no_grad()
def from_torch(layer, theirs):
    """Copy the weights of torch's layer into ours."""
    state = theirs.state_dict()
    last = 3 if hasattr(layer, "cross_attention") else 2
    for ours, name in _NAMES.items():
        for kind in ("weight", "bias"):
            at = dict(layer.named_parameters()).get(f"{ours}.{kind}")
            if at is not None:
                at.copy_(state[f"{name.format(last=last)}.{kind}"])
    for ours, name in (("attention", "self_attn"), ("cross_attention", "multihead_attn")):
        if not hasattr(layer, ours):
            continue
        block = getattr(layer, ours)
        for kind in ("weight", "bias"):
            for part, values in zip("qkv", state[f"{name}.in_proj_{kind}"].chunk(3), strict=True):
                getattr(getattr(block, f"{part}_proj"), kind).copy_(values)
            getattr(block.out_proj, kind).copy_(state[f"{name}.out_proj.{kind}"])
