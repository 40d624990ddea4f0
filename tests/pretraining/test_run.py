"""A pretraining from its config file to its model, alone and under torchrun, whatever happens to its processes."""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from lmcourse import data, train
from lmcourse.models import GPT, GPTConfig
from lmcourse.pretraining import ConfigError, TokenShards, pretrain, read_config, run, tokenize
from lmcourse.pretraining.run import build_model
from lmcourse.tokenizers import tokenizer_from_dict
from lmcourse.training import CheckpointError, bits_per_byte, load_checkpoint, read_recipe
from lmcourse.training.states import load_training_state

ROOT = Path(__file__).parents[2]
CONFIG = """
[model]
context_length = 16
embed_dim = 24
num_heads = 3
num_layers = 2
positions = "rotary"
dropout = 0.1
[data]
tokens = "tokens"
[training]
out = "run"
max_steps = 12
batch_size = 8
precision = "float32"
validate_every = 5
checkpoint_every = 2
validation_tokens = 300
warmup = 4
"""
WITHOUT_DROPOUT = CONFIG.replace("dropout = 0.1", "dropout = 0.0")


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tokens")
    (folder / "text.txt").write_text(data.load_text("python-docs", split="valid")[:40_000], encoding="utf-8")
    tokenize([folder / "text.txt"], folder / "tokens", 300, valid_share=0.05)
    return folder / "tokens"


@pytest.fixture
def place(tmp_path, tokens):
    """A folder with tokens and a config that can be changed."""
    shutil.copytree(tokens, tmp_path / "tokens")

    def write(text=CONFIG, name="config", **training):
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in training.items())
        kept = "".join(line for line in text.splitlines(True) if line.split(" = ")[0] not in training)
        (tmp_path / f"{name}.toml").write_text(kept + lines)
        return tmp_path / f"{name}.toml"

    return write


def history(config, out="run"):
    found = json.loads((config.parent / out / "history.json").read_text())
    del found["resumed_from"]
    return found


def command(config, processes=1, *options):
    if processes == 1 and not options:
        return [sys.executable, "-m", "lmcourse.train", str(config)]
    return [sys.executable, "-m", "torch.distributed.run", *(options or ["--standalone"]), "--nproc-per-node",
            str(processes), "-m", "lmcourse.train", str(config)]  # fmt: skip


def start(config, processes=1, *options, mark="none", **environment):
    environment = {**os.environ, "LMCOURSE_MARK": mark, **environment}
    return subprocess.Popen(command(config, processes, *options), cwd=config.parent, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment)  # fmt: skip


def finish(config, processes=1):
    done = subprocess.run(command(config, processes), cwd=config.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done


def marked(mark):
    """The processes that were started with this mark and have not ended."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"LMCOURSE_MARK={mark}".encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def wait_until(condition, seconds=600.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.fixture
def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def is_listening(port):
    with socket.socket() as to:
        return to.connect_ex(("127.0.0.1", port)) == 0


def processes_of(state):
    """How many processes have written a training state; 0 if there is none."""
    return 1 + len(load_training_state(state).get("others", [])) if state.exists() else 0


# In one process.


def test_a_model_is_trained_scored_and_saved(place):
    config = read_config(place())
    result = pretrain(config, progress=False)
    assert len(result["history"]) == 12
    assert result["history"].loss[-1] < result["history"].loss[0]
    assert [step for step, _ in result["history"].validation] == [5, 10, 12]

    recipe = read_recipe(result["model"])
    model = GPT(GPTConfig(**recipe["config"]))
    valid = TokenShards(config.tokens, "valid")
    assert tokenizer_from_dict(recipe["vocabulary"]).encode("import os") == valid.tokenizer.encode("import os")
    load_checkpoint(result["model"], model, vocabulary=valid.tokenizer)
    ids = valid[:]
    text = valid.tokenizer.decode_bytes(ids[1:-1])  # the last one is <|endoftext|>, which is no text
    score = bits_per_byte(model.eval().total_nll(torch.from_numpy(ids)), len(text))
    assert result["bits_per_byte"] == pytest.approx(score, rel=1e-6)
    assert result["bytes"] == len(text)
    assert recipe["valid_bits_per_byte"] == result["bits_per_byte"]


def test_a_finished_training_is_not_done_again(place):
    path = place()
    assert train.main(str(path), progress=False) == 0
    before = history(path)
    assert train.main(str(path), progress=False) == 0
    assert history(path) == before


@pytest.mark.slow
@pytest.mark.parametrize("switch", ["compile", "compile_whole"])
def test_a_compiled_model_has_the_same_losses(place, switch):
    eager = pretrain(read_config(place(WITHOUT_DROPOUT, max_steps=3, warmup=1)), progress=False)
    compiled = place(WITHOUT_DROPOUT, "compiled", max_steps=3, warmup=1, out="compiled", **{switch: True})
    found = pretrain(read_config(compiled), progress=False)
    assert found["history"].loss == pytest.approx(eager["history"].loss, rel=1e-5)


@pytest.mark.parametrize("switch", [{"prefetch": True}, {"gather_every": 4}, {"recompute": True}], ids=str)
def test_what_serves_speed_or_memory_changes_no_loss(place, switch):
    plain = place()
    pretrain(read_config(plain), progress=False)
    pretrain(read_config(place(name="other", out="other", **switch)), progress=False)
    assert history(plain, "other") == history(plain)


def test_a_layer_that_is_computed_again_keeps_its_input_alone(place):
    found = []
    for recompute in (False, True):
        config = read_config(place(WITHOUT_DROPOUT, recompute=recompute))
        model = build_model(config, 300, torch.device("cpu"))
        kept = []
        with torch.autograd.graph.saved_tensors_hooks(lambda tensor, kept=kept: kept.append(tensor.numel()), id):
            model.hidden(torch.zeros(2, 8, dtype=torch.int64))
        found.append(sum(kept))
    assert found[1] < found[0] / 4


def test_a_padded_vocabulary_costs_no_more_than_its_share_of_the_probability(place):
    """So it is not equal: the tokens that no text has begin with four in 304 of the probability, and lose it."""
    config = read_config(place(WITHOUT_DROPOUT))
    ids = torch.randint(300, (4, 9), generator=torch.Generator().manual_seed(0))
    plain, padded = (build_model(config, size, torch.device("cpu")) for size in (300, 304))
    padded.load_state_dict(
        {k: torch.cat([v, v.new_zeros(4, 24)]) if len(v) == 300 else v for k, v in plain.state_dict().items()}
    )
    before, after = (model.loss(ids[:, :-1], ids[:, 1:]).item() for model in (plain, padded))
    assert after - before == pytest.approx(4 / 300, rel=0.1)


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_sigterm_writes_a_state_from_which_the_training_goes_on(place, capsys, monkeypatch, optimizer):
    whole, path = place(out="whole", name="whole", optimizer=optimizer), place(optimizer=optimizer)
    assert train.main(str(whole), progress=False) == 0
    score, calls = run._score, []

    def terminated(*arguments):
        calls.append(1)
        if len(calls) == 1:
            os.kill(os.getpid(), signal.SIGTERM)
        return score(*arguments)

    monkeypatch.setattr(run, "_score", terminated)
    before = signal.getsignal(signal.SIGTERM)
    assert train.main(str(path), progress=False) == 143
    assert "stopped by SIGTERM after step 6 of 12; the training state is written" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) is before
    assert train.main(str(path), progress=False) == 0
    assert history(path) == history(whole, "whole")


def test_another_vocabulary_or_model_than_that_of_the_state_is_refused(place, capsys):
    path = place()
    assert train.main(str(path), progress=False) == 0
    shutil.rmtree(path.parent / "tokens")
    text = path.parent / "other.txt"
    text.write_text("Another text, another vocabulary. " * 300)
    tokenize([text], path.parent / "tokens", 300, valid_share=0.05)
    with pytest.raises(CheckpointError, match="its vocabulary is another one than that of the tokens"):
        pretrain(read_config(path), progress=False)
    changed = place(CONFIG.replace("num_layers = 2", "num_layers = 3"), optimizer="muon")
    assert train.main(str(changed), progress=False) == 2
    said = capsys.readouterr().err
    assert "`num_layers` is 2 there, 3 here; `optimizer` is 'adamw' there, 'muon' here." in said


def test_a_state_from_before_an_option_existed_goes_on_with_its_default(place):
    path = place()
    assert train.main(str(path), progress=False) == 0
    run = path.parent / "run" / "run.json"
    noted = json.loads(run.read_text())
    del noted["model"]["unrotated_layers"]
    run.write_text(json.dumps(noted))
    assert train.main(str(path), progress=False) == 0


def test_a_config_that_does_not_fit_the_tokens_is_refused_with_all_faults(place, tokens):
    text = CONFIG.replace("context_length = 16", "context_length = 16\nvocab_size = 299")
    config = read_config(place(text, batch_size=4000))
    n = len(TokenShards(tokens, "train"))
    with pytest.raises(ConfigError) as found:
        pretrain(config, progress=False)
    assert str(found.value).splitlines() == [
        "[model] `vocab_size` must be at least 300, that of the tokens, got 299.",
        "[training] `batch_size` must leave a batch of 4000 windows of 16 tokens (64,001 tokens), "
        f"but the text has {n:,}.",
    ]


def test_errors_are_one_line_and_a_status(place, capsys):
    path = place()
    shutil.rmtree(path.parent / "tokens")
    assert train.main(str(path)) == 2
    assert "has no tokens.json: write it with `lmcourse data tokenize TEXT" in capsys.readouterr().err
    assert train.main("nothing.toml") == 2
    assert "must be that of a config file: nothing.toml" in capsys.readouterr().err
    assert train.main(str(place(optimiser="adam", embed_dim=3))) == 2
    said = capsys.readouterr().err
    assert "`optimiser` is no setting; do you mean optimizer." in said
    assert "Traceback" not in said


def test_two_trainings_in_one_folder_are_refused(place, monkeypatch):
    config = read_config(place())
    monkeypatch.setattr(run, "LOCK_S", 0.1)
    with run._alone_in(config), pytest.raises(CheckpointError, match="another training is writing to it"):
        pretrain(config, progress=False)


def test_sharded_in_one_process(place):
    whole = pretrain(read_config(place(WITHOUT_DROPOUT)), progress=False)
    sharded = read_config(place(WITHOUT_DROPOUT, "sharded", strategy="fsdp", out="sharded"))
    found = pretrain(sharded, progress=False)
    assert found["history"].loss == pytest.approx(whole["history"].loss, rel=1e-6)
    assert found["bits_per_byte"] == pytest.approx(whole["bits_per_byte"], rel=1e-6)
    with pytest.raises(CheckpointError, match="state is a folder, as fit writes for a model that is sharded"):
        pretrain(read_config(place(WITHOUT_DROPOUT, out="sharded")), progress=False)


def test_a_folder_without_a_complete_state_is_no_state(place):
    """As a process leaves it that is killed while it writes its first one."""
    sharded = read_config(place(WITHOUT_DROPOUT, strategy="fsdp", max_steps=5))
    (sharded.out / "state" / "writing-step-00000002").mkdir(parents=True)
    assert pretrain(sharded, progress=False)["history"].resumed_from == 0
    assert [folder.name for folder in (sharded.out / "state").iterdir()] == ["step-00000005"]


# Under torchrun.


@pytest.mark.slow  # every day tests/training/test_distributed.py holds `fit`, which trains here too, to the same
@pytest.mark.parametrize(("optimizer", "rel"), [("adamw", 1e-6), ("muon", 1e-5)])
def test_strategies_have_equal_losses_at_the_same_global_batch(place, optimizer, rel):
    single = place(WITHOUT_DROPOUT, "single", strategy="single", out="single", optimizer=optimizer)
    finish(single)
    wanted = history(single, "single")
    for strategy, processes in (("ddp", 2), ("fsdp", 2), ("ddp", 4)):
        config = place(WITHOUT_DROPOUT, strategy=strategy, optimizer=optimizer, out=f"{strategy}-{processes}")
        done = finish(config, processes)
        found = history(config, f"{strategy}-{processes}")
        assert found["loss"] == pytest.approx(wanted["loss"], rel=rel), (strategy, processes)
        assert found["bits_per_byte"] == pytest.approx(wanted["bits_per_byte"], rel=1e-4), (strategy, processes)
        assert done.stdout.count("bits per byte on") == 1  # the first process speaks, the others are silent


@pytest.mark.slow
def test_two_processes_go_on_as_four(place):
    config = place(WITHOUT_DROPOUT, strategy="fsdp", out="whole")
    finish(config, 2)
    config = place(WITHOUT_DROPOUT, strategy="fsdp")
    process = start(config, 2)
    wait_until(lambda: list((config.parent / "run").glob("state/step-*")))
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=600)
    finish(config, 4)
    resumed_from = json.loads((config.parent / "run" / "history.json").read_text())["resumed_from"]
    assert 0 < resumed_from <= 12
    assert history(config)["loss"] == pytest.approx(history(config, "whole")["loss"], rel=1e-6)


def agent(port, nodes="2"):
    """The options of a torchrun that stands for a machine; those of all machines meet at this port."""
    conf = "last_call_timeout=1,keep_alive_interval=1,keep_alive_max_attempt=3"  # seconds, so that a test can wait
    return ["--nnodes", nodes, "--max-restarts", "5", "--rdzv-backend", "c10d", "--rdzv-id", "run", "--rdzv-conf", conf,
            "--rdzv-endpoint", f"127.0.0.1:{port}", "--local-addr", "127.0.0.1"]  # fmt: skip


@pytest.mark.slow
def test_two_agents_train_as_one_with_two_processes(place, free_port):
    one = place(WITHOUT_DROPOUT, "one", out="one")
    finish(one, 2)
    config = place(WITHOUT_DROPOUT)
    agents = [start(config, 1, *agent(free_port), mark=f"agents{free_port}") for _ in range(2)]
    told = [process.communicate(timeout=600) for process in agents]
    assert [process.returncode for process in agents] == [0, 0], told
    assert sum(out.count("bits per byte on") for out, _ in told) == 1, told
    assert history(config) == history(one, "one")
    wait_until(lambda: not marked(f"agents{free_port}"))


@pytest.mark.slow
def test_an_agent_dies_another_comes_and_the_training_goes_on(place, free_port):
    """From the last state each time; the losses are those of one process that nobody disturbed.

    Without TORCH_DISABLE_SHARE_RDZV_TCP_STORE, torchrun of torch 2.13 never tells the third one where the first is.
    """
    settings = {"schedule": "constant", "warmup": 0, "validate_every": 100_000}  # a step does not depend on the last
    config = place(WITHOUT_DROPOUT, max_steps=100_000, checkpoint_every=5, **settings)
    state, mark = config.parent / "run" / "state", f"elastic{free_port}"

    def begin(name):
        environment = {"TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1", "TQDM_DISABLE": "1"}
        return start(config, 1, *agent(free_port, "1:2"), mark=mark + name, **environment)

    def reached(condition):
        wait_until(lambda: first.poll() is not None or condition())
        assert first.poll() is None, first.stderr.read()[-3000:]

    def steps():
        return len(load_training_state(state)["history"]["loss"])

    def train_on():
        before = steps()
        reached(lambda: steps() > before + 10)

    first = begin("first")
    reached(lambda: is_listening(free_port))  # the first one holds what all meet at
    second = begin("second")
    reached(lambda: processes_of(state) == 2)
    os.kill(second.pid, signal.SIGKILL)
    second.communicate()
    reached(lambda: processes_of(state) == 1)
    train_on()
    third = begin("third")
    reached(lambda: processes_of(state) == 2)
    train_on()
    for process in (first, third):
        process.send_signal(signal.SIGTERM)
    for process in (first, third):
        process.communicate(timeout=600)
    wait_until(lambda: not any(marked(mark + name) for name in ("first", "second", "third")))

    found = load_training_state(state)["history"]["loss"].tolist()
    undisturbed = place(WITHOUT_DROPOUT, "undisturbed", out="undisturbed", max_steps=len(found), **settings)
    finish(undisturbed)
    assert found == pytest.approx(history(undisturbed, "undisturbed")["loss"], rel=1e-5)


@pytest.mark.slow
def test_sigterm_to_torchrun_writes_a_state(place):
    config = place(max_steps=100_000, checkpoint_every=50_000)
    process = start(config, 2, mark=str(config.parent))
    wait_until(lambda: (config.parent / "run" / "run.json").exists())
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=600)
    assert process.returncode != 0
    assert said.count("stopped by SIGTERM after step") == 1
    assert (config.parent / "run" / "state").exists()
    wait_until(lambda: not marked(str(config.parent)))


@pytest.mark.slow  # daily an error ends all processes (training/test_launching)
def test_a_process_that_dies_ends_all_and_leaves_no_port_open(place, free_port):
    config, mark, port = place(max_steps=100_000, checkpoint_every=5), "dies", free_port
    options = ["--master-addr", "127.0.0.1", "--master-port", str(port)]
    process = start(config, 2, *options, mark=f"{mark}{port}")
    wait_until(lambda: (config.parent / "run" / "state").exists())
    victim = max(marked(f"{mark}{port}"))  # started last: a worker
    os.kill(victim, signal.SIGKILL)
    _, said = process.communicate(timeout=600)
    assert process.returncode != 0
    assert "another process of this training has ended, or cannot be reached" in said
    assert "Signal 9 (SIGKILL) received" in said
    wait_until(lambda: not marked(f"{mark}{port}"))
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections that have ended may linger
        again.bind(("127.0.0.1", port))


@pytest.mark.slow
def test_nan_in_a_process_is_told_once(place):
    config = place(lr=1e30, warmup=0, clip_norm=0)
    done = subprocess.run(command(config, 2), cwd=config.parent, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert done.stderr.count("training stopped at step") == 1


@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "processes"), [("single", 1), ("ddp", 2), ("fsdp", 2)])
def test_killed_at_ten_moments_it_goes_on_to_the_same_losses(place, strategy, processes):
    """The moments are random: while modules are imported, in a step, while a state is written."""
    settings = {"strategy": strategy, "max_steps": 60, "checkpoint_every": 1}
    whole = place(name="whole", out="whole", **settings)
    finish(whole, processes)
    config, chance = place(**settings), random.Random(strategy)
    mark, states = f"killed{os.getpid()}{strategy}", config.parent / "run" / "state"

    def written(since=0):
        return states.exists() and states.stat().st_mtime_ns > since

    for _ in range(10):
        process = start(config, processes, mark=mark)
        before = states.stat().st_mtime_ns if states.exists() else 0
        wait_until(lambda ended=process.poll, before=before: ended() is not None or written(before))
        time.sleep(chance.uniform(0, 0.5))
        assert process.poll() is None, f"ended before ten kills: {process.stderr.read()[-3000:]}"
        victims = marked(mark)
        os.kill(chance.choice(victims), signal.SIGKILL)  # torchrun, or one of its processes
        process.communicate(timeout=600)
        wait_until(lambda: not marked(mark))
    finish(config, processes)
    assert history(config) == history(whole, "whole")
