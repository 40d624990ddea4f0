"""How fast a GPT trains on 1 to 1,024 devices and what memory it takes, by arithmetic: FLOPs, bytes and messages.

A step is split into what processors compute, what memory moves, what links carry, and what waits. Two constants say how
much of a published peak real code reaches; nothing else is fitted. `scaling_runs` compares the result with published
trainings and states the error.

b windows in a micro-batch, s tokens in a window, h width, a heads, t, p, d devices of tensor, pipeline and data
parallelism.

Sources: Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", 2021,
sections 2 and 3; Korthikanti et al., "Reducing activation recomputation in large transformer models", 2022, equations 1
to 4; Chowdhery et al., "PaLM", 2022, appendix B.
"""

import itertools
import math
from dataclasses import dataclass, replace
from typing import Literal

from lmcourse import checks

__all__ = [
    "DEVICES",
    "Cost",
    "Device",
    "Layout",
    "TransformerSize",
    "best_layout",
    "layer_activation_bytes",
    "training_cost",
    "training_memory",
]

REACHED_BY_PRODUCTS = 0.80  # of the peak, by products of large matrices
REACHED_BY_MOVES = 0.80  # of a bandwidth, of memory or links
LATENCY_S = 10e-6  # of a message, on each of the hops of a ring
HALF_SPEED_TOKENS = 256  # a matrix product of so few rows reaches half the speed


@dataclass(frozen=True)
class Device:
    """One accelerator and its links, as their makers publish them.

    Attributes:
        peak_flops: dense, in bfloat16 (float16 on V100), a second.
        memory_bytes: of the device.
        memory_rate: bytes a second between memory and processors.
        link_rate: bytes a second, in one direction, to devices of the same node.
        network_rate: bytes a second, in one direction, for each device, to other nodes.
        per_node: devices in a node.
    """

    peak_flops: float
    memory_bytes: float
    memory_rate: float
    link_rate: float
    network_rate: float
    per_node: int = 8

    def __post_init__(self) -> None:
        checks.number(
            peak_flops=self.peak_flops,
            memory_bytes=self.memory_bytes,
            memory_rate=self.memory_rate,
            link_rate=self.link_rate,
            network_rate=self.network_rate,
            above=0.0,
        )
        checks.whole(per_node=self.per_node, at_least=1)


DEVICES = {
    "V100": Device(125e12, 32e9, 0.9e12, 150e9, 12.5e9),
    "A100": Device(312e12, 80e9, 2.0e12, 300e9, 25e9),
    "H100": Device(989e12, 80e9, 3.35e12, 450e9, 50e9),
    "H200": Device(989e12, 141e9, 4.8e12, 450e9, 50e9),
    "RTX 3070": Device(40.6e12, 8e9, 0.448e12, 32e9, 12.5e9, per_node=1),  # one card in a desktop computer
    "RTX 4090": Device(165e12, 24e9, 1.008e12, 32e9, 12.5e9, per_node=1),
    "TPU v4": Device(275e12, 32e9, 1.2e12, 100e9, 100e9, per_node=4096),  # a torus: two links of 50 GB/s on an axis
}


@dataclass(frozen=True)
class TransformerSize:
    """The sizes that cost depends on. GPT-2 small: 12 layers, 768 wide, 12 heads, vocabulary 50,257.

    Attributes:
        layers, width, heads, vocabulary: of the model; width is h.
        hidden: of the feed-forward blocks, by default 4 h.
        gated: three matrices in the feed-forward block (SwiGLU), not two.
        kv_heads: of keys and values, by default as many as heads.
        head_dim: by default h / heads.
        tied: the head is the embedding table.
    """

    layers: int
    width: int
    heads: int
    vocabulary: int
    hidden: int | None = None
    gated: bool = False
    kv_heads: int | None = None
    head_dim: int | None = None
    tied: bool = True

    def __post_init__(self) -> None:
        checks.whole(layers=self.layers, width=self.width, heads=self.heads, vocabulary=self.vocabulary, at_least=1)
        for name in ("hidden", "kv_heads", "head_dim"):
            if getattr(self, name) is not None:
                checks.whole(at_least=1, **{name: getattr(self, name)})
        if self.head_dim is None:
            checks.divides(heads=self.heads, width=self.width)

    @property
    def attention_width(self) -> int:
        """The width of all queries of a token."""
        return self.heads * (self.head_dim or self.width // self.heads)

    @property
    def hidden_size(self) -> int:
        """The width of the feed-forward blocks."""
        return self.hidden or 4 * self.width

    @property
    def layer_parameters(self) -> int:
        """Weights of the matrices of a layer; gains and biases are left out."""
        kv_width = self.attention_width * (self.kv_heads or self.heads) // self.heads
        attention = self.width * (2 * self.attention_width + 2 * kv_width)
        return attention + (3 if self.gated else 2) * self.width * self.hidden_size

    @property
    def parameters(self) -> int:
        """Weights of all matrices, the embedding table included; tables of positions are left out."""
        return self.layers * self.layer_parameters + (1 if self.tied else 2) * self.vocabulary * self.width

    def flops_per_token(self, length: int) -> float:
        """Return the FLOPs of training on a token of a text of this length: forward, and backward twice as much.

        6 for each weight that is multiplied, and 12 layers * length * width for attention, as if no product were saved
        by the causal mask. This is the count behind "model FLOPs utilization".

        Source: Chowdhery et al., "PaLM", 2022, appendix B.
        """
        checks.whole(length=length, at_least=1)
        multiplied = self.layers * self.layer_parameters + self.vocabulary * self.width
        return 6.0 * multiplied + 12.0 * self.layers * length * self.attention_width


@dataclass(frozen=True)
class Layout:
    """How a training is divided between devices.

    Attributes:
        data: d, copies of the model, each with its part of the batch.
        tensor: t, devices that share each matrix.
        pipeline: p, devices that share the layers.
        micro_batch: b, windows that a copy reads at a time.
        interleave: runs of layers that each pipeline stage has; more of them shorten the wait.
        sharded: the copies share weights, gradients and optimizer (FSDP, ZeRO-3), and send weights around.
        sharded_optimizer: the copies share the optimizer's state alone (ZeRO-1).
        recompute: "none", or "full": only the inputs of layers are kept, the rest is computed again.
        whole_logits: those of all tokens of a micro-batch are held at once, not of a part of them.
        flash: attention that keeps no length x length matrix.
        sequence: norms and residuals are divided by t, too (sequence parallelism).
        overlap: gradients travel while the backward pass goes on.
    """

    data: int = 1
    tensor: int = 1
    pipeline: int = 1
    micro_batch: int = 1
    interleave: int = 1
    sharded: bool = False
    sharded_optimizer: bool = False
    recompute: Literal["none", "full"] = "none"
    whole_logits: bool = False
    flash: bool = True
    sequence: bool = False
    overlap: bool = True

    def __post_init__(self) -> None:
        checks.whole(
            data=self.data,
            tensor=self.tensor,
            pipeline=self.pipeline,
            micro_batch=self.micro_batch,
            interleave=self.interleave,
            at_least=1,
        )
        checks.one_of(("none", "full"), recompute=self.recompute)

    @property
    def devices(self) -> int:
        """All devices: t p d."""
        return self.data * self.tensor * self.pipeline


@dataclass(frozen=True)
class Cost:
    """What a step costs.

    Attributes:
        compute_s, moves_s, tensor_s, waiting_s, data_s, optimizer_s: seconds of products, of bytes to and from memory,
            of messages of tensor parallelism, of the pipeline's wait and its messages, of messages of data parallelism
            that nothing hides, and of the update.
        tokens: in a step.
        devices: that share it.
        model_flops: of a step, as `TransformerSize.flops_per_token` counts.
        peak_flops: of a device.
        memory_bytes: of the fullest device.
    """

    compute_s: float
    moves_s: float
    tensor_s: float
    waiting_s: float
    data_s: float
    optimizer_s: float
    tokens: int
    devices: int
    model_flops: float
    peak_flops: float
    memory_bytes: float

    @property
    def step_s(self) -> float:
        """Seconds of a step."""
        return self.compute_s + self.moves_s + self.tensor_s + self.waiting_s + self.data_s + self.optimizer_s

    @property
    def tokens_per_s(self) -> float:
        """Tokens a second, of all devices."""
        return self.tokens / self.step_s

    @property
    def flops_per_device(self) -> float:
        """FLOPs a second on each device, of the model alone: what is computed twice counts once."""
        return self.model_flops / self.step_s / self.devices

    @property
    def share_of_peak(self) -> float:
        """Model FLOPs utilization, 0 to 1."""
        return self.flops_per_device / self.peak_flops


def training_cost(size: TransformerSize, device: Device, layout: Layout, *, batch_size: int, length: int) -> Cost:
    """Return what a step of AdamW costs: matrices in bfloat16, weights and optimizer in float32.

    Args:
        size: of the model.
        device: that trains it.
        layout: how it is divided.
        batch_size: windows in a step, of all devices.
        length: s, tokens in a window.

    Raises:
        TypeError: an argument of another kind.
        ValueError: a batch that the layout does not divide, more pipeline stages than layers, or more tensor
            parallelism than heads.
    """
    checks.instance(TransformerSize, size=size)
    checks.instance(Device, device=device)
    checks.instance(Layout, layout=layout)
    checks.whole(batch_size=batch_size, length=length, at_least=1)
    t, p, d, b, s = layout.tensor, layout.pipeline, layout.data, layout.micro_batch, length
    if batch_size % (d * b):
        raise ValueError(
            f"`batch_size` must be a multiple of data times micro_batch, got {batch_size}, data={d}, micro_batch={b}."
        )
    if p > size.layers or t > size.heads:
        raise ValueError(
            f"`layout` must have at most a stage a layer and a device a head, got pipeline={p}, layers={size.layers}, "
            f"tensor={t}, heads={size.heads}."
        )
    micro_batches = batch_size // (d * b)
    stage_layers = math.ceil(size.layers / p)
    passes = 4 if layout.recompute == "full" else 3  # forward, backward (two), and forward again

    rows = b * s
    speed = device.peak_flops * REACHED_BY_PRODUCTS * rows / (rows + HALF_SPEED_TOKENS)
    layer_flops = rows * (2 * size.layer_parameters + 4 * s * size.attention_width) / t
    head_flops = rows * 2 * size.vocabulary * size.width / t
    compute = (stage_layers * layer_flops * passes + head_flops * 3) / speed

    moved = 2 * layer_activation_bytes(size, layout, s)  # written once, read once
    moves = stage_layers * passes * moved / (device.memory_rate * REACHED_BY_MOVES)

    message = rows * size.width * 2
    within = device.link_rate if t <= device.per_node else device.network_rate
    reductions = 2 * (passes - 1)  # in a layer: forward, backward and the second forward have two each
    tensor = stage_layers * reductions * _ring(2 * message, t, within)

    one = compute + moves + tensor  # a micro-batch in a stage
    handed_on = 0.0 if p == 1 else 2 * layout.interleave * (message / t / (device.network_rate * REACHED_BY_MOVES))
    waiting = (p - 1) / layout.interleave * one + (micro_batches * handed_on if p > 1 else 0.0)

    weights = size.parameters / (t * p)
    near = max(1, min(d, device.per_node // t))  # copies in a node, each with its link to the network
    rate = device.link_rate if d * t <= device.per_node else device.network_rate * near
    if layout.sharded:  # weights are sent for each pass, gradients after the last
        sent = micro_batches * _ring((passes - 1) * 2 * weights + 4 * weights, d, rate)
        hidden = micro_batches * one if layout.overlap else 0.0
    else:
        sent = _ring(2 * 4 * weights, d, rate)
        hidden = one * (passes - 1) / passes if layout.overlap else 0.0
    updated = weights / (d if layout.sharded or layout.sharded_optimizer else 1)

    return Cost(
        compute_s=micro_batches * compute,
        moves_s=micro_batches * moves,
        tensor_s=micro_batches * tensor,
        waiting_s=waiting,
        data_s=max(0.0, sent - hidden),
        optimizer_s=28 * updated / (device.memory_rate * REACHED_BY_MOVES),  # reads 4 float32 and writes 3
        tokens=batch_size * length,
        devices=layout.devices,
        model_flops=batch_size * length * size.flops_per_token(length),
        peak_flops=device.peak_flops,
        memory_bytes=training_memory(size, layout, micro_batches=micro_batches, length=length),
    )


def layer_activation_bytes(size: TransformerSize, layout: Layout, length: int) -> float:
    """Return what the forward pass of a layer keeps for the backward pass, of a micro-batch, on each device.

    s b h (10 + 24 / t + 5 a s / (h t)) bytes for GPT-2's layer; 24 is scaled to the width of other layers, and the last
    term, the attention matrices, falls away with flash attention.

    Source: Korthikanti et al., 2022, equation 2 (equation 4 with sequence parallelism).
    """
    checks.instance(TransformerSize, size=size)
    checks.instance(Layout, layout=layout)
    checks.whole(length=length, at_least=1)
    t, rows = layout.tensor, layout.micro_batch * length
    kv_width = size.attention_width * (size.kv_heads or size.heads) // size.heads
    attention = 4 * size.attention_width + 4 * kv_width  # queries, keys, values, and what the last matrix reads
    feed_forward = (6 if size.gated else 4) * size.hidden_size
    common = 10 * size.width / (t if layout.sequence else 1)
    scores = 0.0 if layout.flash else 5 * size.heads * length
    return rows * (common + (attention + feed_forward + scores) / t)


def training_memory(size: TransformerSize, layout: Layout, *, micro_batches: int = 1, length: int) -> float:
    """Return the bytes that the fullest device needs: weights, gradients, optimizer, activations, logits.

    Weights, their gradients and AdamW's two averages in float32 are 16 bytes for each weight; a copy of the weights in
    bfloat16 comes on top. The first stage of a pipeline keeps the activations of as many micro-batches as there are
    stages. The logits are held for a part of the tokens at a time.

    Args:
        size: of the model.
        layout: how it is divided.
        micro_batches: in a step of each copy.
        length: s, tokens in a window.
    """
    checks.instance(TransformerSize, size=size)
    checks.instance(Layout, layout=layout)
    checks.whole(micro_batches=micro_batches, length=length, at_least=1)
    t, p, d = layout.tensor, layout.pipeline, layout.data
    weights = size.parameters / (t * p)
    share = d if layout.sharded else 1
    of_optimizer = d if layout.sharded or layout.sharded_optimizer else 1
    layers = math.ceil(size.layers / p)
    gathered = 2 * max(size.layer_parameters, size.vocabulary * size.width) / t if layout.sharded else 2 * weights
    states = weights * (8 / share + 8 / of_optimizer) + gathered
    rows, in_flight = layout.micro_batch * length, min(p, micro_batches)
    whole_layer = layer_activation_bytes(size, layout, length)
    kept = 2 * rows * size.width / (t if layout.sequence else 1) if layout.recompute == "full" else whole_layer
    activations = in_flight * layers * kept + (whole_layer if layout.recompute == "full" else 0.0)
    at_once = rows * size.vocabulary / t
    held = at_once if layout.whole_logits else min(at_once, 2**26)
    return states + activations + 10 * held  # logits in bfloat16 and float32, and their gradient


def best_layout(
    size: TransformerSize, device: Device, devices: int, *, batch_size: int, length: int
) -> tuple[Layout, Cost] | None:
    """Return the fastest of the layouts that fit into memory, and its cost; None if none fits.

    Tried are tensor parallelism within a node, pipelines that divide the layers, data parallelism plain and sharded,
    micro-batches up to 64, and recomputation.

    Raises:
        TypeError, ValueError: what `training_cost` refuses, and `devices` below 1.
    """
    checks.instance(TransformerSize, size=size)
    checks.instance(Device, device=device)
    checks.whole(devices=devices, batch_size=batch_size, length=length, at_least=1)
    best: tuple[Layout, Cost] | None = None
    for t, p in itertools.product((1, 2, 4, 8), range(1, size.layers + 1)):
        if t > device.per_node or size.heads % t or size.layers % p or devices % (t * p):
            continue
        plain = Layout(data=devices // (t * p), tensor=t, pipeline=p, sequence=t > 1)
        if batch_size % plain.data:
            continue
        for b, sharded, recompute in itertools.product((1, 2, 4, 8, 16, 32, 64), (False, True), ("none", "full")):
            if batch_size % (plain.data * b) or (sharded and (p > 1 or plain.data == 1)):
                continue
            layout = replace(plain, micro_batch=b, sharded=sharded, recompute=recompute)  # type: ignore[arg-type]
            cost = training_cost(size, device, layout, batch_size=batch_size, length=length)
            if cost.memory_bytes <= 0.9 * device.memory_bytes and (best is None or cost.step_s < best[1].step_s):
                best = layout, cost
    return best


def _ring(sent: float, devices: int, rate: float) -> float:
    """Return the seconds that bytes take around a ring of devices; an all-reduce sends the tensor twice."""
    if devices == 1:
        return 0.0
    return sent * (devices - 1) / devices / (rate * REACHED_BY_MOVES) + 2 * (devices - 1) * LATENCY_S
