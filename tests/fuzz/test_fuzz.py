"""Every public callable is given wrong arguments, and refuses them in words that name the argument.

Daily each callable meets one fault of each argument and one of each sort; `-m slow` tries all faults, and many
combinations. For one callable, whenever it changes: `pytest tests/fuzz -m "slow or not slow" -k models.GPT.forward`.
"""

from collections import Counter, defaultdict
from fnmatch import fnmatchcase
from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.doors import INSIDE, RECORDS, ROOMS, doors, parameters, public_callables, takes_any_keyword
from tests.fuzz.examples import EXAMPLES
from tests.fuzz.judge import all_faults, call, judge

DOORS = doors()
EACH = sorted(EXAMPLES)


def test_every_room_has_doors():
    assert {name.split(".")[0] for name in DOORS} <= set(ROOMS)
    assert len(DOORS) > 150


def test_every_public_callable_has_an_example():
    assert sorted(set(DOORS) - set(EXAMPLES)) == []


def test_every_example_is_of_a_public_callable():
    assert sorted(set(EXAMPLES) - set(DOORS)) == []


@pytest.mark.parametrize("pattern", [*RECORDS, *INSIDE])
def test_what_is_left_out_is_there(pattern):
    assert any(fnmatchcase(name, pattern) for name in public_callables())


def _some(name, each):
    """One fault of each argument and one of each sort, other ones for each callable."""
    groups = defaultdict(list)
    for argument, fault in each:
        groups[argument].append((argument, fault))
        groups["sort " + fault.name.removeprefix("item ").removeprefix("value ").split()[0]].append((argument, fault))
    chosen = [group[crc32(f"{name} {key}".encode()) % len(group)] for key, group in groups.items()]
    return list({(argument, fault.name): (argument, fault) for argument, fault in chosen}.values())


@pytest.mark.parametrize("which", ["some", pytest.param("all", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", EACH)
def test_a_fault_alone(name, which, record_property):
    example = EXAMPLES[name]
    function, arguments = example.make()
    wanted, given_names = set(parameters(DOORS[name])), set(arguments)
    if takes_any_keyword(DOORS[name]):
        assert given_names > wanted, "an example gives every argument, and some of **kwargs"
    else:
        assert given_names == wanted, "an example gives every argument"
    call(function, arguments)  # the example is good
    each = all_faults(DOORS[name], arguments)
    outcomes = [
        judge(name, example, {argument: (fault.name, fault.example)})
        for argument, fault in (each if which == "all" else _some(name, each))
    ]
    counts = Counter(outcome.kind for outcome in outcomes)
    record_property("fuzz callables", 1)
    record_property("fuzz calls", len(outcomes))
    for kind in ("accepted", "refused", "unclear"):
        record_property(f"fuzz {kind}", counts[kind])
    stories = [f"{name}: {outcome.story}" for outcome in outcomes if outcome.kind == "unclear"]
    if stories:
        pytest.fail("\n".join([f"{len(stories)} of {len(outcomes)} calls are unclear:", *stories]), pytrace=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", EACH)
def test_several_faults_at_once(name, record_property):
    """Combinations of one to three faults, with values of hypothesis' choice."""
    example = EXAMPLES[name]
    _, arguments = example.make()
    each = all_faults(DOORS[name], arguments)
    calls = 0

    @settings(derandomize=True, max_examples=500, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def draw(data):
        nonlocal calls
        chosen = data.draw(st.lists(st.sampled_from(each), min_size=1, max_size=3, unique_by=lambda pair: pair[0]))
        wrong = {argument: (fault.name, data.draw(fault.values)) for argument, fault in chosen}
        calls += 1
        outcome = judge(name, example, wrong)
        assert outcome.kind != "unclear", outcome.story

    draw()
    record_property("fuzz calls", calls)


@pytest.mark.slow
def test_every_acceptance_is_needed():
    """A line that no call rests on says what is no longer so; one that examples share is needed by one of them."""
    used, lines = set(), set()
    for name, example in EXAMPLES.items():
        _, arguments = example.make()
        lines |= {(f"{argument} {fault}", reason) for argument, fault, reason in example.accepts}
        for argument, fault in all_faults(DOORS[name], arguments):
            outcome = judge(name, example, {argument: (fault.name, fault.example)})
            used |= {(pattern, reason) for _, pattern, reason in outcome.reasons}
    assert sorted(lines - used) == []
