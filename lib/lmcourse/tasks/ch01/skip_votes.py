from collections import Counter, defaultdict

import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch01.shared import random_sentences


def skip_votes(sentences, prefix, keep=None):
    """Return the votes for the next word, from every pair (earlier word, last word) of the prefix.

    Args:
        sentences: what the model has seen: a list of lists of words.
        prefix: the words so far, a list with at least one.
        keep: the earlier words that may vote, a list; None lets all of them vote.

    Returns:
        A dict from word to votes (float) with every word that followed the last word in the sentences.

    Raises:
        ValueError: the prefix is empty.

    >>> seen = [["the", "program", "ran", "please"], ["the", "battery", "ran", "down", "please"]]
    >>> votes = skip_votes(seen, ["the", "program", "ran"])
    >>> votes["please"], votes["down"]
    (1.5, 0.5)
    >>> votes = skip_votes(seen, ["the", "program", "ran"], ["program", "battery"])
    >>> votes["please"], votes["down"]
    (1.0, 0.0)
    """
    if not prefix:
        raise ValueError("`prefix` must hold at least one word.")
    pairs, votes = defaultdict(Counter), {}
    for sentence in sentences:
        for t in range(len(sentence) - 1):
            if sentence[t] == prefix[-1]:
                votes[sentence[t + 1]] = 0.0
                for earlier in set(sentence[:t]):
                    pairs[earlier][sentence[t + 1]] += 1
    for earlier in set(prefix[:-1]):
        if keep is None or earlier in keep:
            for word, count in pairs[earlier].items():
                votes[word] += count / sum(pairs[earlier].values())
    return votes


_PROGRAM = ["check", "the", "program", "log", "and", "find", "out", "whether", "it", "ran", "please"]


_BATTERY = ["check", "the", "battery", "log", "and", "find", "out", "whether", "it", "ran", "down", "please"]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    both = [_PROGRAM, _BATTERY]
    text = random_sentences(rng, 29, 5)
    other = random_sentences(rng, 17, 3)
    return [
        case("the worked example", both, _PROGRAM[:10], None),
        case("a mask that keeps program and battery", both, _PROGRAM[:10], ["program", "battery"]),
        border("a mask that keeps nothing", both, _BATTERY[:10], []),
        case("random sentences", text, ["sea", "moon", "sun"], None),
        case("random sentences and a mask", other, ["tea", "sea", "tea", "sun"], ["tea"]),
        case(
            "an earlier word twice",
            [["tea", "tea", "sun", "moon"], ["sea", "sun", "rain"]],
            ["tea", "tea", "sun"],
            None,
        ),
        case("the last word among the earlier ones", [["tea", "sun", "tea", "moon"]], ["tea", "sun", "tea"], None),
        border(
            "the last word at the start of a sentence", [["sun", "rain"], ["tea", "sun", "moon"]], ["tea", "sun"], None
        ),
        case(
            "an earlier word twice in what was seen, once in the prefix",
            [["tea", "tea", "sun", "moon"], ["tea", "sun", "rain"]],
            ["tea", "sun"],
            None,
        ),
        case("a mask with a word that the prefix has not", both, _PROGRAM[:10], ["program", "battery", "down"]),
        border("a mask that names a word twice", both, _PROGRAM[:10], ["program", "program"]),
        border("capital letters", [["Tea", "sun", "moon"], ["tea", "sun", "rain"]], ["Tea", "sun"], None),
        border("a prefix of one word", both, ["ran"], None),
        border("a last word that was never seen", both, ["check", "the", "engine"], None),
        border("no sentences", [], ["check", "ran"], None),
        border("an empty prefix", both, [], None),
        border("an empty prefix and no sentences", [], [], None),
    ]


SLIPS = mistakes("""
bigram: "from every pair (earlier word, last word) of the prefix"
    votes[sentence[t + 1]] = 0.0 => votes[sentence[t + 1]] = votes.get(sentence[t + 1], 0.0) + 1
    for earlier in set(prefix[:-1]): => votes = {word: n / sum(votes.values()) for word, n in votes.items()}
    |    for earlier in ():
  Only the last word was used, so this is a bigram: it cannot distinguish the battery from the program. Let every pair
  (earlier word, last word) vote.
first_only: "every word that followed the last word in the sentences"
    in range(len(sentence) - 1): => in [t for t in range(len(sentence) - 1) if sentence[t] == prefix[-1]][:1]:
  In each sentence only the first place of the last word was looked at, as sentence.index finds it. The word may stand
  there again: go through all positions.
raw_counts: "votes"
    count / sum(pairs[earlier].values()) => count
  Each pair gave as many votes as it has counts, so a frequent pair shouts the others down. A pair has one vote in all:
  divide its counts by their sum.
neighbour_only: "from every pair (earlier word, last word) of the prefix"
    set(prefix[:-1]) => prefix[:-1][-1:]
  Only the word right before the last one voted. That is a trigram; skips let every earlier word of the prefix vote.
mask_ignored: "None lets all of them vote"
    keep is None or earlier in keep => True
  The votes without a mask are right, but `keep` changes nothing. When it is given, only the earlier words in it may
  vote.
mask_reversed: "the earlier words that may vote, a list"
    earlier in keep: => earlier not in keep:
  The mask works the wrong way round: the words in `keep` were silenced and the others voted. True in this course's
  masks means: takes part.
repeats_vote_twice: "from every pair (earlier word, last word) of the prefix"
    set(prefix[:-1]) => prefix[:-1]
  An earlier word that occurs twice in the prefix voted twice. A feature is present or absent (1 or 0), so go through
  set(prefix[:-1]).
losers_left_out: "every word that followed the last word in the sentences"
    return votes => return {word: vote for word, vote in votes.items() if vote}
  Words with no votes are missing from the result. Every word that followed the last word in the sentences belongs in
  it, if need be with 0.0: 0 against 1 is the point of the mask.
""")
HINTS = hints("""
- Find every position in the sentences at which the prefix's last word occurs and is followed by a word. Which words are
  before it in that sentence, and which one follows?
- Keep a table pairs[earlier][after] of counts for those positions, with set(sentence[:t]) as the earlier words. Then
  each word of set(prefix[:-1]) that the mask keeps gives one vote, split by its counts.
- Start with votes = {every word seen after the last word: 0.0}. Then for earlier in set(prefix[:-1]): if keep is None
  or earlier in keep: for each after, votes[after] += pairs[earlier][after] / its row's sum.
""")
task = Task(skip_votes, points=4, difficulty=4, minutes=30, cases=cases, slips=SLIPS, hints=HINTS)
