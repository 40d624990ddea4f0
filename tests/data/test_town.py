import random
from collections import Counter

import pytest

from lmcourse.data import chains, logbook, town


def test_a_fact_is_the_same_wherever_it_is_stated_and_every_skill_is_true():
    rng = random.Random(3)
    for _ in range(300):
        skill = rng.choice(town.SKILLS)
        question = town.ask(skill, rng)
        words = question.phrase.removeprefix(f"the {skill} of ").split()
        if skill in ("first", "last"):
            right = words[0 if skill == "first" else -1]
        elif skill == "backwards":
            right = " ".join(question.phrase.split()[-2::-1])
        elif skill == "kind":
            right = next(kind for kind, members in town.KINDS.items() if words[0] in members)
        elif skill == "opposite":
            right = dict([*town.OPPOSITES, *((b, a) for a, b in town.OPPOSITES)])[words[0]]
        else:
            right = (town.HOMES if skill == "home" else town.WORK)[words[0]]
        assert question.answer == right, question


def test_documents_hold_only_known_words_and_come_in_their_shares():
    documents = town.load_documents(2_000)
    known = set(town.vocabulary_words())
    assert {token for text in documents for token in town.tokens(text)} <= known
    exams = [text for text in documents if text.startswith("exam :")]
    assert abs(len(exams) / 2_000 - town.SHARES["exam"] * town.HEADERS) < 0.03
    assert all(" is " not in text.replace("what is", "") for text in exams)
    assert documents == town.load_documents(2_000) != town.load_documents(2_000, split="test")


def test_passages_state_what_they_ask_and_contradict_the_town():
    rng = random.Random(5)
    quizzes = [town.document("quiz", rng, header=True) for _ in range(60)]
    with_news = [text for text in quizzes if "news :" in text]
    assert 15 < len(with_news) < 45
    for text in with_news:
        name, home = next(iter(town.HOMES.items()))
        assert f"the home of {name} is {home} ." not in text


def test_turns_hold_out_strangers_wordings_and_tasks():
    lessons = town.load_turns(500, skills=["stranger"])
    tests = town.load_turns(200, skills=["stranger"], split="test", wordings=town.HELD_OUT_WORDINGS)
    names = [{turn.question.phrase.split()[-1] for turn in turns} for turns in (lessons, tests)]
    assert not names[0] & names[1]
    assert all(turn.reply == town.UNKNOWN_ANSWER for turn in (*lessons, *tests))
    assert all(turn.prompt.split()[0] in ("please", "can") for turn in tests)


def test_a_sum_goes_to_the_tool():
    (turn,) = town.load_turns(1, skills=["sum"])
    roles = [role for role, _ in turn.conversation()]
    assert roles == ["user", "bot", "tool", "bot"]
    expression = turn.question.phrase.replace(" ", "")
    sign = next(sign for sign in "+-*" if sign in expression)
    a, b = map(int, expression.split(sign))
    assert int(turn.question.answer.replace(" ", "")) == {"+": a + b, "-": a - b, "*": a * b}[sign]
    assert turn.reply == f"it is {turn.question.answer} ."


def test_a_note_changes_the_answer_where_it_is_about_the_question():
    turns = town.load_turns(600, skills=["home", "job", "kind"], notes=0.8)
    assert all(not turn.note for turn in turns if turn.question.skill == "kind")
    asked = [turn for turn in turns if turn.question.skill != "kind"]
    noted = [turn for turn in asked if turn.note]
    assert 0.72 < len(noted) / len(asked) < 0.88
    about = [turn for turn in noted if turn.question.phrase in turn.note]
    assert 0.65 < len(about) / len(noted) < 0.87
    for turn in asked:
        *_, name = turn.question.phrase.split()
        remembered = (town.HOMES if turn.question.skill == "home" else town.WORK)[name]
        stated = f"{turn.question.phrase} is" in turn.note
        assert (turn.question.answer == remembered) != stated
        assert (turn.question.statement() in turn.note) == stated
        assert turn.reply == town.good_reply(turn.question)
    facts = [turn.note.removeprefix("news : ").split(" . ") for turn in noted]
    for some in (about, [turn for turn in noted if turn not in about]):
        counts = Counter(len(turn.note.split(" . ")) for turn in some)
        assert sorted(counts) == [1, 2, 3]
        assert min(counts.values()) > 0.2 * len(some)
    assert all(len({fact.split(" is ")[0] for fact in each}) == len(each) for each in facts)
    assert max(each.index(f) for turn, each in zip(noted, facts) for f in each if turn.question.phrase in f) == 2


def test_bad_names_are_refused():
    rng = random.Random(0)
    with pytest.raises(ValueError, match="skill"):
        town.ask("cooking", rng)
    with pytest.raises(ValueError, match="kind"):
        town.document("novel", rng)
    with pytest.raises(ValueError, match="split"):
        town.load_turns(3, split="dev")


def test_chains_by_hand():
    # 7 - 8 = -1, last digit 9; 9 x 3 = 27; 7 + 5 = 12
    digits = [7]
    for step in ("-8", "x3", "+5"):
        digits.append(chains.apply_step(digits[-1], step))
    assert digits[1:] == [9, 7, 2]
    chain = chains.Chain(7, ("-8", "x3", "+5"), (9, 7, 2))
    assert chain.reply("steps") == ["9", "7", "2", chains.STOP]
    assert chain.reply("dots") == [".", ".", "2", chains.STOP]
    assert chain.reply("answer") == ["2", chains.STOP]
    with pytest.raises(ValueError, match="form"):
        chain.reply("essay")
    with pytest.raises(ValueError, match="step"):
        chains.apply_step(3, "x2")
    with pytest.raises(ValueError, match="length"):
        chains.draw_chain(0, random.Random(0))


def test_no_step_loses_information():
    for step in chains.STEPS:
        assert {chains.apply_step(digit, step) for digit in range(10)} == set(range(10))


def test_the_log_is_the_same_at_every_call_and_differs_by_split():
    assert logbook.load_log(7) == logbook.load_log(7) != logbook.load_log(7, split="test")
    assert logbook.load_log(7).count("Dinner: ") == 7
    with pytest.raises(ValueError, match="days"):
        logbook.load_log(0)


def test_the_facts_of_an_entry_of_the_log():
    entry = (
        "Day 7.\nWind north-east, 31 knots. Sea very rough. Sky clear.\nSighted a buoy adrift at 6:12.\nDinner: pizza."
    )
    facts = {"day": 7, "wind": "north-east", "knots": 31, "sea": "very rough", "sighted": "a buoy adrift"}
    assert logbook.read_entry(entry) == facts
    assert logbook.read_entry(entry.replace("Sighted a buoy adrift at 6:12.\n", "")) == facts | {"sighted": None}
    rng = random.Random(3)
    for day in range(1, 40):
        entry = logbook.log_entry(day, rng)
        found = logbook.read_entry(entry)
        assert f"Day {found['day']}." in entry
        assert f"Wind {found['wind']}, {found['knots']} knots. Sea {found['sea']}." in entry
        assert (found["sighted"] is None) == ("Sighted" not in entry)
    with pytest.raises(ValueError, match="`entry` must be one of the log, got 'HAMLET"):
        logbook.read_entry("HAMLET. To be")
