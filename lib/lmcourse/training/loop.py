"""The one training loop of the course.

`fit` knows no model: it calls `loss(model, batch)`, which gives a scalar. Besides gradient, clipping and step, it
follows a learning-rate schedule, validates, uses mixed precision, accumulates gradients, shows a progress bar, records
a history, and writes checkpoints from which a killed training resumes to the same result, bit for bit. Steps count from
1, and nothing depends on the clock. One process trains, or several together (`distributed`).
"""

import contextlib
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from tqdm.auto import tqdm

from lmcourse import checks
from lmcourse.runtime import evaluation_mode
from lmcourse.training import distributed
from lmcourse.training.history import History
from lmcourse.training.optimizers import adamw, trainable
from lmcourse.training.resuming import Batches, Feed, Loss, Run


def fit(
    model: nn.Module,
    batches: Batches,
    loss: Loss,
    *,
    optimizer: torch.optim.Optimizer | None = None,
    schedule: Callable[[int], float] | None = None,
    max_steps: int,
    clip_norm: float | None = 1.0,
    accumulate: int = 1,
    validate: Callable[[Any], float] | None = None,
    validate_every: int | None = None,
    precision: str = "auto",
    progress: bool = True,
    checkpoint: str | Path | None = None,
    checkpoint_every: int | None = None,
    history: History | None = None,
    stop: Callable[[], bool] | None = None,
    gather_every: int = 1,
) -> History:
    """Train `model` in place for a fixed number of steps; it is left in evaluation mode.

    Args:
        model: trained on the device where its parameters are; batches are moved there.
        batches: a function of the step, counted from 1 (`token_batches` and `example_batches` give one), or an
            iterable: a list, a DataLoader, a generator. An iterable that ends is begun again.
        loss: `loss(model, batch)` gives a scalar, a mean over the batch, or a pair of that mean and the number of items
            that it is over (see `accumulate`). If it keeps something between steps (the state that a recurrent model
            carries along), it has `state_dict` and `load_state_dict`, and a checkpoint holds that too.
        optimizer: by default `adamw(model)`.
        schedule: function of the step that gives the factor on the optimizer's learning rate; None keeps it at 1.
            The learning rate is restored when `fit` returns.
        max_steps: in all, including the steps before a resumption and those in `history`.
        clip_norm: a longer gradient is scaled down to this norm; None leaves it.
        accumulate: n, batches per step: their gradients are added up before the optimizer steps, so that n small
            batches need the memory of one. `batches`, as a function, then counts batches: step s takes n (s - 1) + 1 to
            n s. The step is that of one batch n times as large (but for rounding, dropout, and layers that normalize
            over the batch) if each loss is a mean over equally many items, or comes with their number: then the mean
            of all items is taken, of batches with unequal numbers of tokens too. Losses without a number are averaged.
        validate: `validate(model)` gives a number; called in evaluation mode and without gradients.
        validate_every: steps between validations, by default a tenth of `max_steps`; always after the last step.
        precision: "float32" (the precision of the parameters), "bfloat16" (autocast: matrix products in bfloat16,
            parameters and sums in float32), or "auto": bfloat16 on a GPU that has it, else float32. On a CPU bfloat16
            helps only wide models on some processors, so "auto" does not use it there.
        progress: show a progress bar.
        checkpoint: a file for the training state (a folder if the model is sharded). If it exists, training resumes
            from it.
        checkpoint_every: steps between writes, by default a tenth of `max_steps`; always after the last step.
        history: filled in place, step by step, so that the caller has it when the training is interrupted (by Ctrl-C,
            or by an error). Without it, what was recorded is the exception's `history`; after Ctrl-C in a notebook, in
            the next cell: `sys.last_value.history`. If it holds steps already, they count as done, and training
            continues with the next one. A checkpoint replaces its content.
        stop: asked at each step. Once it says True, in any process, training ends after that step as if it had been
            killed at that moment: a checkpoint is written, but not validated.
        gather_every: n, steps after which their losses are taken from the device (at validations and checkpoints too).
            With 1, a GPU waits for the program at every step. With more, the history grows by n steps at a time, `stop`
            may be heard n steps later by several processes, and a loss that is not finite is told when up to n - 1
            further steps have been made; it reaches no checkpoint.

    Returns:
        The history (`history`, if it was given), including the steps before a resumption.

    Raises:
        RuntimeError: the loss or the gradient is not finite, in this process or in another (the message names the step;
            neither the model nor the checkpoint has been changed by it), or `batches` ran out.
        CheckpointError: the checkpoint is damaged, foreign, of another model or optimizer, or beyond `max_steps`.
        ValueError, TypeError: an argument out of range; an optimizer of another model; a loss that is no scalar or has
            no gradient; a loss that goes round the forward of a model in DistributedDataParallel.

    In a process group (`training.process_group`, under torchrun) the processes train one model. Each calls `fit` with
    batches of its own, and the step is that of all their batches together, as with `accumulate`. A plain model is
    trained with DistributedDataParallel, whatever the loss calls; one that `torch.distributed.fsdp.fully_shard` has
    sharded stays so (`register_fsdp_forward_method` names what the loss calls, if it is not `forward`). Losses and
    validations in the history are means over the processes, and the first one shows the bar and writes checkpoints; all
    of them must be able to read these. Another number of processes may resume, but with other random numbers, and only
    if batches are a function of the step and the loss keeps nothing.

    A killed run that is called again in the same way ends with the same result, bit for bit: the checkpoint holds the
    parameters, the optimizer, the states of the random generators (Python, NumPy, torch) and the position in `batches`.
    A function of the step is simply called with the next step; an iterable is read up to its position, with the
    generators set to where its epoch began. A `torch.Generator` of the caller's own is not stored: use a function of
    the step. On CUDA, kernels that add in no fixed order, and the dropout inside cuDNN's recurrent layers, are not
    covered.
    """
    checks.whole(max_steps=max_steps, accumulate=accumulate, gather_every=gather_every, at_least=1)
    checks.whole(
        at_least=1,
        validate_every=1 if validate_every is None else validate_every,
        checkpoint_every=1 if checkpoint_every is None else checkpoint_every,
    )
    if clip_norm is not None:
        checks.number(clip_norm=clip_norm, above=0.0)
    checks.function(loss=loss, schedule=schedule or loss, validate=validate or loss, stop=stop or loss)
    if checkpoint is not None:
        checks.file_path(checkpoint=checkpoint)
    history = History() if history is None else history
    checks.instance(History, history=history)
    if len(history) >= max_steps:
        raise ValueError(f"`max_steps` must be more than the {len(history)} steps in `history`, got {max_steps}.")
    parameters = trainable(model)
    device = parameters[0].device
    in_precision = autocast(precision, device)
    if optimizer is None:
        optimizer = adamw(model)
    _check_optimizer(optimizer, model)
    run = Run(distributed.unwrapped(model), optimizer, [float(group["lr"]) for group in optimizer.param_groups], loss,
              Feed(batches), history, accumulate, device)  # fmt: skip
    if checkpoint is not None and run.is_saved(Path(checkpoint)):
        run.load(Path(checkpoint), max_steps)
    tenth = max(1, max_steps // 10)
    validate_every, checkpoint_every = validate_every or tenth, checkpoint_every or tenth
    done = len(history)
    distributed.check_same(
        checkpoint_step=done, max_steps=max_steps, accumulate=accumulate, validate_every=validate_every,
        checkpoint_every=checkpoint_every, stop=stop is None, validate=validate is None, checkpoint=checkpoint is None,
        gather_every=gather_every,
    )  # fmt: skip
    joined = distributed.JoinedLoss(model, loss)
    model.train()
    pending: list[_Step] = []
    try:
        with tqdm(total=max_steps, initial=done, disable=not progress or distributed.rank() > 0, unit="step") as bar:
            for step in range(done + 1, max_steps + 1):
                _set_rates(run, 1.0 if schedule is None else _number("schedule", schedule(step)))
                optimizer.zero_grad(set_to_none=True)
                total, items = _backward(run, joined, step, parameters, in_precision)
                norm = _clip(parameters, math.inf if clip_norm is None else clip_norm)
                pending.append(_Step(step, total, items, norm, float(optimizer.param_groups[0]["lr"])))
                asked, last = stop is not None and bool(stop()), step == max_steps
                validating = validate is not None and (last or step % validate_every == 0)
                saving = checkpoint is not None and (last or step % checkpoint_every == 0)
                alone_and_asked = asked and distributed.world_size() == 1
                gathers = len(pending) >= gather_every or last or validating or saving or alone_and_asked
                found, stopping = _results(pending, asked) if gathers else ([], False)
                optimizer.step()
                for (loss_now, norm_now), passed in zip(found, pending, strict=False):
                    history._record(loss_now, passed.lr, norm_now)
                if gathers:
                    pending.clear()
                if validate is not None and validating and not stopping:
                    with evaluation_mode(model.modules()), torch.no_grad():
                        value = _number("validate", validate(run.model))
                    history.validation.append((step, distributed.mean(value, device)))
                if checkpoint is not None and (saving or stopping):
                    run.save(Path(checkpoint))
                bar.update()
                if len(history) and (last or step % max(1, max_steps // 100) == 0):
                    bar.set_postfix_str(f"loss {history.loss[-1]:.3f}", refresh=False)
                if stopping:
                    break
    except BaseException as error:
        with contextlib.suppress(AttributeError):  # an exception with __slots__
            error.history = history  # type: ignore[attr-defined]
        raise
    finally:
        joined.close()
        _set_rates(run, 1.0)
        history._drop_incomplete()
        model.eval()
    return history


def autocast(precision: str, device: torch.device) -> Callable[[], contextlib.AbstractContextManager[Any]]:
    """Return a function that makes the context in which `fit` computes the loss: autocast to bfloat16, or none.

    Raises:
        ValueError: a `precision` other than "auto", "float32" and "bfloat16".
    """
    checks.one_of(("auto", "float32", "bfloat16"), precision=precision)
    checks.instance(torch.device, device=device)
    helps = device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    if precision == "bfloat16" or (precision == "auto" and helps):
        return lambda: torch.autocast(device.type, dtype=torch.bfloat16)
    return contextlib.nullcontext


def _backward(
    run: Run,
    joined: distributed.JoinedLoss,
    step: int,
    parameters: list[nn.Parameter],
    in_precision: Callable[[], contextlib.AbstractContextManager[Any]],
) -> tuple[Tensor, int | Tensor]:
    """Compute the gradient of one step: that of the mean over the items of all batches, of all processes.

    Returns:
        the sum of the losses of this process's items, and their number.
    """
    n, several = run.accumulate, distributed.world_size() > 1
    total: Tensor | float = 0.0
    items: Tensor | int = 0
    counted = False
    for number in range((step - 1) * n + 1, step * n + 1):
        batch = _to(run.feed.next(number), run.device)
        with contextlib.nullcontext() if number == step * n else joined.alone():
            with in_precision():
                found = joined(batch)
            counted = isinstance(found, tuple) and len(found) == 2
            mean, count = found if counted else (found, 1)
            _check_loss(mean)
            if n == 1 and not (several and counted):
                mean.backward()
                return mean.detach(), 1
            (mean * count).backward()
        total, items = total + mean.detach() * count, items + count
    everywhere = distributed.mean(items, run.device) if counted and several else items
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad.div_(everywhere)
    return torch.as_tensor(total), items


def _clip(parameters: list[nn.Parameter], clip_norm: float) -> Tensor:
    """Scale a longer gradient down, and return the norm that it had."""
    norm = nn.utils.clip_grad_norm_(parameters, clip_norm)
    return norm.full_tensor() if hasattr(norm, "full_tensor") else norm  # of sharded parameters


class _Step(NamedTuple):
    """A step whose numbers are still on the device: the sum of its losses, their number, and the gradient's norm."""

    step: int
    total: Tensor
    items: int | Tensor
    norm: Tensor
    lr: float


def _results(steps: list[_Step], asked: bool) -> tuple[list[tuple[float, float]], bool]:
    """Return loss and gradient norm of each step over all processes, and whether one of them asks to stop.

    Raises:
        RuntimeError: one of the numbers is not finite. It is raised in every process alike.
    """
    values = [value for each in steps for value in (each.total, each.items, each.norm)]
    rows = distributed.gathered(*values, float(asked), device=steps[-1].norm.device)
    found = []
    for at, each in enumerate(steps):
        of_processes = [row[3 * at : 3 * at + 3] for row in rows]
        losses, norms = [total / items for total, items, _ in of_processes], [norm for *_, norm in of_processes]
        later = len(steps) - 1 - at
        _check_finite(each.step, "loss", losses, later)
        _check_finite(each.step, "norm of the gradient", norms, later)
        distributed.check_norms(each.step, norms)
        one = len(rows) == 1
        all_losses, all_items = (math.fsum(row[column] for row in of_processes) for column in (0, 1))
        found.append((losses[0] if one else all_losses / all_items, norms[0]))
    return found, any(row[-1] for row in rows)


def _set_rates(run: Run, factor: float) -> None:
    for group, rate in zip(run.optimizer.param_groups, run.base_rates, strict=True):
        group["lr"] = rate * factor


def _check_optimizer(optimizer: torch.optim.Optimizer, model: nn.Module) -> None:
    """Raise unless it trains this model, and nothing else."""
    checks.instance(torch.optim.Optimizer, optimizer=optimizer)
    held = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    foreign = held - {id(parameter) for parameter in model.parameters()}
    if foreign:
        raise ValueError(
            f"`optimizer` must hold parameters of `model` only, got {len(foreign)} of {len(held)} that are not the "
            "model's: was it made for another model, or before a layer was replaced?"
        )
    if not held & {id(parameter) for parameter in trainable(model)}:
        raise ValueError("`optimizer` must hold parameters that require a gradient, got only frozen ones.")


def _check_loss(value: Any) -> None:
    if not isinstance(value, Tensor) or value.dim() != 0:
        got = f"a tensor of shape {tuple(value.shape)}" if isinstance(value, Tensor) else type(value).__name__
        raise TypeError(f"`loss` must return a scalar tensor, got {got}.")
    if not value.requires_grad:
        raise ValueError("`loss` must depend on the model's parameters; what it returned has no gradient.")


def _number(name: str, value: Any) -> float:
    """What a function of the caller's has returned, as a float."""
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"`{name}` must return a number, got {type(value).__name__}.") from error


def _check_finite(step: int, what: str, values: list[float], later: int) -> None:
    """Raise unless the value of every process is finite; `later` steps were made before it was looked at."""
    for number, value in enumerate(values):
        if not math.isfinite(value):
            where = f" in process {number} of {len(values)}" if len(values) > 1 else ""
            left = f"has been spoiled by {later} more steps" if later else f"is as step {step - 1} left it"
            raise RuntimeError(
                f"training stopped at step {step}: the {what} is {value}{where}. The model {left}, and a checkpoint "
                "stays as it was last written. A smaller learning rate, a warm-up or a smaller clip_norm may help."
            )


def _to(batch: Any, device: torch.device) -> Any:
    """Move the tensors of a batch (a tensor; a tuple, list or dict of them) to a device."""
    if isinstance(batch, Tensor):
        return batch.to(device, non_blocking=True)
    if isinstance(batch, dict):
        return {key: _to(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple | list):
        items = [_to(value, device) for value in batch]
        return type(batch)(*items) if hasattr(batch, "_fields") else type(batch)(items)
    return batch
