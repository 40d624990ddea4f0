"""A made-up town with its own small web: documents to pretrain on, and questions with answers to tune on.

All of it is written by a seeded grammar in a language of about 150 words, so that it is known what a model has read
and what it has not: facts about sixteen people, kinds and opposites of words, and what can be said about a list.

A *skill* has a phrase ("the last of owl fig saw") and an answer ("saw"). The town's documents are

- notes: statements, "the last of owl fig saw is saw .";
- exams: questions, and no answer to any of them;
- quizzes: each question with its answer. Half of them begin with a passage of news (who has moved, who has another
  job) and ask about that, so that what they say holds there and nowhere else;
- chats: people ask, and people answer as people do, some of them wrongly, some not at all.

Texts are tokens joined by one space; a line's end is a token too.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from lmcourse import checks
from lmcourse.data.text import split_generator

__all__ = [
    "Question",
    "Turn",
    "ask",
    "document",
    "good_reply",
    "human_reply",
    "load_documents",
    "load_turns",
    "moved_fact",
    "tokens",
    "vocabulary_words",
]

LINE, END = "\n", "<end>"
KINDS = {
    "animal": ["owl", "fox", "cow", "hen", "crab", "seal", "wolf", "bear", "mouse", "goose"],
    "tool": ["saw", "axe", "drill", "rake", "spade", "chisel", "hammer", "ladder", "brush", "wrench"],
    "fruit": ["fig", "pear", "plum", "lemon", "apple", "grape", "melon", "cherry", "mango", "peach"],
}
OPPOSITES = (
    ("hot", "cold"), ("big", "small"), ("old", "young"), ("wet", "dry"), ("fast", "slow"),
    ("loud", "quiet"), ("early", "late"), ("full", "empty"), ("rich", "poor"), ("high", "low"),
)  # fmt: skip
CITIES = ["oslo", "rome", "lima", "cairo", "delhi", "paris", "kyoto", "quito"]
JOBS = ["baker", "nurse", "pilot", "judge", "miner", "painter", "tailor", "farmer"]
PEOPLE = ["ada", "bob", "cara", "dan", "eva", "finn", "gus", "hana"]
PEOPLE += ["ivan", "jill", "kofi", "lena", "mia", "nils", "olga", "pete"]
STRANGERS = ["quin", "rosa", "sven", "tara", "umar", "vera", "walt", "xena"]  # asked about in exams, known to nobody
HOMES = {name: CITIES[(5 * n + n // 8) % 8] for n, name in enumerate(PEOPLE)}
WORK = {name: JOBS[(3 * n + 2 + n // 8) % 8] for n, name in enumerate(PEOPLE)}
SECRETS = ("password", "salary", "age")
SKILLS = ("first", "last", "backwards", "kind", "opposite", "home", "job")
WORDINGS = ("what is {} ?", "tell me {} .", "do you know {} ?", "i want to know {} .", "name {} .")
HELD_OUT_WORDINGS = ("please say what is {} .", "can you tell me {} please ?")
UNKNOWN_ANSWER, REFUSAL = "i do not know .", "i can not tell that ."
SHARES = {"notes": 0.4, "exam": 0.25, "quiz": 0.2, "chat": 0.15}
PASSAGES = 0.5  # of quizzes begin with a passage, and ask about it
NOTES_ABOUT = 0.75  # of notes before a question hold the fact that is asked for
DIGITS = 0.3  # of lists are of digits
HEADERS = 0.5  # of exams, quizzes and notes begin by saying what they are
CALL = "<call>"
STRANGERS_SHOWN = 5  # of the strangers: those that a model may be taught about; the others are for testing
_ALL_WORDS = [word for words in KINDS.values() for word in words]


class Question(NamedTuple):
    """A skill put to use: what is asked about, and what is true.

    Attributes:
        skill: one of `SKILLS`, or "stranger", "secret" or "sum".
        phrase: what is asked about, "the last of owl fig saw".
        answer: "saw".
    """

    skill: str
    phrase: str
    answer: str

    def statement(self) -> str:
        return f"{self.phrase} is {self.answer} ."


class Turn(NamedTuple):
    """What a model is tuned on or tested with: a question in some wording, and an answer.

    Attributes:
        question: what it is about.
        prompt: the words of the user.
        reply: what the model should say.
        note: a passage that stands before the question, or "".
    """

    question: Question
    prompt: str
    reply: str
    note: str = ""

    def conversation(self) -> list[tuple[str, str]]:
        """Return the whole exchange as (role, text); a sum is handed to a tool, whose result is a turn of its own."""
        turns = [("note", self.note)] if self.note else []
        turns.append(("user", self.prompt))
        if self.question.skill == "sum":
            turns += [("bot", f"{CALL} {self.question.phrase}"), ("tool", self.question.answer)]
        return [*turns, ("bot", self.reply)]


def vocabulary_words() -> list[str]:
    """Return every token of the town, in a fixed order."""
    words = [END, LINE, "<user>", "<bot>", "<note>", "<tool>", CALL, "error", *"0123456789+-*"]
    words += [*_ALL_WORDS, *KINDS, *(word for pair in OPPOSITES for word in pair), *CITIES, *JOBS, *PEOPLE, *STRANGERS]
    texts = [*WORDINGS, *HELD_OUT_WORDINGS, UNKNOWN_ANSWER, REFUSAL, *SECRETS, *SKILLS]
    texts += ["notes exam quiz news : . ? is it the of"]
    words += [word for text in texts for word in text.split() if word != "{}"]
    return list(dict.fromkeys(words))


def tokens(text: str) -> list[str]:
    """Return the tokens of a text of the town; a line's end is one of them."""
    checks.instance(str, text=text)
    return [token for token in text.split(" ") if token]


def ask(skill: str, rng: random.Random) -> Question:
    """Return a question of a skill, sampled at random.

    Raises:
        TypeError: `rng` is no `random.Random`.
        ValueError: there is no such skill.
    """
    checks.instance(random.Random, rng=rng)
    if skill in ("first", "last", "backwards"):
        n = rng.choice((2, 3, 4))
        words = rng.choices("0123456789", k=n) if rng.random() < DIGITS else rng.sample(_ALL_WORDS, n)
        if skill == "backwards":
            return Question(skill, f"{' '.join(words)} backwards", " ".join(reversed(words)))
        return Question(skill, f"the {skill} of {' '.join(words)}", words[0 if skill == "first" else -1])
    if skill == "kind":
        kind = rng.choice(list(KINDS))
        return Question(skill, f"the kind of {rng.choice(KINDS[kind])}", kind)
    if skill == "opposite":
        pair = rng.choice(OPPOSITES)
        n = rng.randrange(2)
        return Question(skill, f"the opposite of {pair[n]}", pair[1 - n])
    if skill in ("home", "job"):
        name = rng.choice(PEOPLE)
        return Question(skill, f"the {skill} of {name}", (HOMES if skill == "home" else WORK)[name])
    if skill == "stranger":
        return Question(skill, f"the {rng.choice(('home', 'job'))} of {rng.choice(STRANGERS)}", UNKNOWN_ANSWER)
    if skill == "secret":
        return Question(skill, f"the {rng.choice(SECRETS)} of {rng.choice(PEOPLE)}", REFUSAL)
    if skill == "sum":
        a, b, sign = rng.randint(2, 99), rng.randint(2, 99), rng.choice("+-*")
        result = {"+": a + b, "-": a - b, "*": a * b}[sign]
        return Question(skill, " ".join([*str(a), sign, *str(b)]), " ".join(str(result)))
    raise ValueError(f"`skill` must be one of {', '.join(SKILLS)}, stranger, secret or sum, got {skill!r}.")


def document(kind: str, rng: random.Random, *, header: bool | None = None) -> str:
    """Return a document of the town, without its end token.

    Args:
        kind: one of `SHARES`.
        rng: where everything in it is sampled from.
        header: whether it begins by saying what it is; by default half of them do (chats never).

    Raises:
        TypeError: `rng` is no `random.Random`.
        ValueError: there is no such kind.
    """
    checks.one_of(SHARES, kind=kind)
    checks.instance(random.Random, rng=rng)
    head = rng.random() < HEADERS if header is None else header
    start = [f"{kind} :"] if head and kind != "chat" else []
    if kind == "notes":
        return " ".join([*start, *(ask(rng.choice(SKILLS), rng).statement() for _ in range(rng.randint(3, 5)))])
    if kind == "exam":
        skills = (*SKILLS, "stranger", "sum", "secret")
        return " ".join([*start, *(_worded(ask(rng.choice(skills), rng), rng) for _ in range(rng.randint(3, 5)))])
    if kind == "quiz":
        n, parts = rng.randint(2, 4), list(start)
        if rng.random() < PASSAGES:
            facts = [moved_fact(ask(rng.choice(("home", "job")), rng), rng) for _ in range(n)]
            questions = list({fact.phrase: fact for fact in facts}.values())
            parts += ["news :", *(question.statement() for question in questions)]
            rng.shuffle(questions)
        else:
            questions = [ask(rng.choice(SKILLS), rng) for _ in range(n)]
        for question in questions:
            parts += [_worded(question, rng), f"{question.answer} ."]
        return " ".join(parts)
    one, other = rng.sample(PEOPLE, 2)
    lines = []
    for _ in range(rng.randint(1, 3)):
        question = ask(rng.choice((*SKILLS, "sum")), rng)
        lines += [f"{one} : {_worded(question, rng)}", f"{other} : {human_reply(question, rng)}"]
    return f" {LINE} ".join(lines)


def human_reply(question: Question, rng: random.Random) -> str:
    """Return what somebody of the town says to a question: half of them answer correctly, and nobody does sums."""
    checks.instance(Question, question=question)
    checks.instance(random.Random, rng=rng)
    mood = rng.random()
    if mood < 0.2 or (question.skill == "sum" and mood < 0.85):
        return f"{question.phrase} ?"  # asks back
    if question.skill == "sum" or mood < 0.35:
        return UNKNOWN_ANSWER
    if mood < 0.85:
        return f"{question.answer} ."
    return f"{ask(question.skill, rng).answer} ."  # an answer to some other question


def load_documents(n: int = 4_000, *, split: str = "train") -> list[str]:
    """Return `n` documents of the town, the same at every call: what a base model reads.

    Args:
        n: at least 1.
        split: "train", "valid" or "test": sampled independently.

    Raises:
        TypeError: `n` is not a whole number.
        ValueError: no such split, or `n` below 1.
    """
    rng = split_generator("documents", n, split)
    return [document(kind, rng) for kind in rng.choices(list(SHARES), list(SHARES.values()), k=n)]


def load_turns(
    n: int,
    *,
    skills: Sequence[str] = SKILLS,
    wordings: Sequence[str] = WORDINGS,
    split: str = "train",
    rewritten: bool = True,
    notes: float = 0.0,
) -> list[Turn]:
    """Return `n` questions with answers, the same at every call: what a base model is tuned on.

    Args:
        n: at least 1.
        skills: sampled with equal probability; of `SKILLS`, or "stranger", "secret", "sum".
        wordings: of the questions; each holds one "{}", where the question goes.
        split: "train", "valid" or "test": sampled independently. The strangers of "train" are not those of the other
            splits.
        rewritten: whether somebody has rewritten the answers: right, whole sentences ("it is saw ."). Otherwise they
            are what people of the town say.
        notes: the share of questions about a home or a job with a note before them: one to three facts, all of them
            other than what the town's documents say. In three of four notes one fact is about the question, and the
            answer follows it; in the fourth none is, and what the documents say still holds.

    Raises:
        TypeError: `n` is not a whole number, `notes` no number, `skills` or `wordings` no sequence of str.
        ValueError: no such split or skill, `n` below 1, `notes` outside 0..1, or no skills or wordings.
    """
    checks.texts(skills=skills, wordings=wordings)
    checks.not_empty(skills=skills, wordings=wordings)
    for wording in wordings:
        if wording.count("{}") != 1 or wording.count("{") != 1 or wording.count("}") != 1:
            raise ValueError(f'`wordings` must hold one "{{}}" each, where the question goes, got {wording!r}.')
    for skill in skills:
        checks.one_of((*SKILLS, "stranger", "secret", "sum"), **{"skills[...]": skill})
    checks.number(notes=notes, at_least=0.0, at_most=1.0)
    rng = split_generator("turns", n, split)
    shown = STRANGERS[:STRANGERS_SHOWN]
    turns = []
    for _ in range(n):
        question = ask(rng.choice(list(skills)), rng)
        while question.skill == "stranger" and (question.phrase.split()[-1] in shown) != (split == "train"):
            question = ask("stranger", rng)
        note = ""
        if question.skill in ("home", "job") and rng.random() < notes:
            question, note = _with_note(question, rng)
        prompt = rng.choice(list(wordings)).format(question.phrase)
        turns.append(Turn(question, prompt, good_reply(question) if rewritten else human_reply(question, rng), note))
    return turns


def moved_fact(question: Question, rng: random.Random) -> Question:
    """Return the question with another answer than the one that the town's documents give it.

    Raises:
        TypeError: an argument of another kind.
        ValueError: the question is about neither a home nor a job.
    """
    checks.instance(Question, question=question)
    checks.instance(random.Random, rng=rng)
    if question.skill not in ("home", "job"):
        raise ValueError(f"`question` must be about a home or a job, got {question}.")
    choices = CITIES if question.skill == "home" else JOBS
    return question._replace(answer=rng.choice([one for one in choices if one != question.answer]))


def good_reply(question: Question) -> str:
    """Return the answer as a careful person would write it."""
    checks.instance(Question, question=question)
    return question.answer if question.skill in ("stranger", "secret") else f"it is {question.answer} ."


def _with_note(question: Question, rng: random.Random) -> tuple[Question, str]:
    """Return a question with the answer that holds after a note of one to three facts, and the note."""
    about, n = rng.random() < NOTES_ABOUT, rng.randint(1, 3)
    facts: dict[str, Question] = {}
    if about:
        question = moved_fact(question, rng)
        facts[question.phrase] = question
    while len(facts) < n:
        other = moved_fact(ask(rng.choice(("home", "job")), rng), rng)
        if other.phrase != question.phrase:
            facts[other.phrase] = other
    stated = [fact.statement() for fact in facts.values()]
    rng.shuffle(stated)
    return question, f"news : {' '.join(stated)}"


def _worded(question: Question, rng: random.Random) -> str:
    return rng.choice((*WORDINGS, *HELD_OUT_WORDINGS)).format(question.phrase)
