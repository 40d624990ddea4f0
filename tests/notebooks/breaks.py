"""For every claim of every chapter, a line that breaks the model it speaks of; the claim must then fail.

A break assigns to names of the notebook (untrained weights, shuffled labels, another model's figures). It runs in a
copy of the notebook's names just before the claim's cell is run again.
"""

BREAKS: dict[str, str] = {
    # 01_ngrams
    "the table made by hand is the library's transition matrix": "library_table = library_table.T",
    "at history 1 the next word after ran is open, 40 to 60": "after = {**after, ('ran',): {'down': 0.5, 'please': 0.5}}",
    "at history 2 it is certain": "after = dict.fromkeys(after, after['ran',])",
    "after the program sentence 4 votes for down, 5 for please": "program_votes = battery_votes",
    "after the battery sentence it is the other way": "battery_votes = program_votes",
    "after masking the votes are 0 against 1": "masked = skips.masked_votes(program_prefix, keep=['log', 'it'])",
    "counting by hand gives the library's bigram": "by_library = {word: NGramModel(1, MLE()).fit(train[:500]).prob(word) for word in by_library}",
    "the probabilities after my sum to 1": "by_hand = {word: n / len(train) for word, n in counts.items()}",
    "most test pairs were seen": "shares = {'words': [seen_share(train[:50], test[:500], n) for n in range(1, 6)]}",
    "of five words in a row, fewer than 1 in 20 were seen": "shares = {'words': [seen_share(test, test, n) for n in range(1, 6)]}",
    "without smoothing one unseen pair makes the whole test text impossible": "mle_perplexity = NGramModel(2).fit(train[:500]).perplexity(test[:500])",
    "from every count from 1 to 9, between 0.5 and 1.6 is missing": "held_out = [r * 0.9 for r in range(1, 10)]",
    "Kneser-Ney by hand equals the library's": "hand_values = np.array([mle(word, history) for word, history in probes])",
    "the bigram is less than half as perplexed as the unigram": "perplexity = {name: [row[0]] * 5 for name, row in perplexity.items()}",
    "the trigram gains at least 5 % more": "perplexity = {name: [row[0], *[row[1]] * 4] for name, row in perplexity.items()}",
    "orders 4 and 5 gain under 5 % together": "perplexity = {name: [300, 200, 150, 120, 90] for name in perplexity}",
    "with add-k order 5 is ten times worse than order 2": "perplexity = {**perplexity, 'add 0.01': perplexity['Kneser-Ney']}",
    "each method beats the one before it: interpolation, discounting, Kneser-Ney, modified Kneser-Ney": "best = {**best, 'modified Kneser-Ney': best['interpolation']}",
    "every distribution sums to 1": "totals = {**totals, 'Kneser-Ney': backoff.distribution(['my']).sum()}",
    "the scores of stupid backoff do not sum to 1": "totals = {**totals, 'stupid backoff': models['Kneser-Ney'][1].distribution(['my']).sum()}",
    "order 6 needs 2.2 to 2.4 bits per byte of the test text": "on_test = [bits_per_byte(-NGramModel(n).fit([million[:20_000]]).logprob(test_text[:20_000]), 20_000) for n in range(1, 9)]",
    "from order 6 to 8 the test gains under 0.03 bits while training gains over 0.3": "on_train = on_test",
    "the gap between test and training grows with every order from 3 on": "on_train = [value - 0.1 for value in on_test]",
    "four times the text saves 0.1 bits per byte or more": "scores = dict.fromkeys(scores, 2.3)",
    "the share of copied strings grows from under 5 % at order 2 to over 45 % at order 8": "copied_share = dict.fromkeys(copied_share, copied(characters[2], 2, size=1_000))",
    "fewer than one in a million cells of the trigram table is filled": "possible = [float(len(counts)) ** 1 for _ in possible]",
    "for words never seen after a history, the history plays no part": "ratios = {history: models['Kneser-Ney'][1].prob('me', [history]) for history in ratios}",
    "a word outside the window changes nothing at all": "changed = float(np.abs(one - fourgram.distribution(near[:-1] + ['king'])).max())",
}
