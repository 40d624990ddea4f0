import random

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


def test_a_sum_goes_to_the_tool_and_a_note_changes_the_answer():
    (turn,) = town.load_turns(1, skills=["sum"])
    roles = [role for role, _ in turn.conversation()]
    assert roles == ["user", "bot", "tool", "bot"]
    expression = turn.question.phrase.replace(" ", "")
    sign = next(sign for sign in "+-*" if sign in expression)
    a, b = map(int, expression.split(sign))
    assert int(turn.question.answer.replace(" ", "")) == {"+": a + b, "-": a - b, "*": a * b}[sign]
    assert turn.reply == f"it is {turn.question.answer} ."
    noted = [turn for turn in town.load_turns(200, skills=["home"], notes=1.0) if turn.question.phrase in turn.note]
    assert len(noted) > 50
    for turn in noted:
        assert turn.question.answer != town.HOMES[turn.question.phrase.split()[-1]]
        assert turn.note == f"news : {turn.question.statement()}"


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
