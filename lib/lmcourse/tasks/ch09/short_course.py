"""The course in short, for the project `CourseSearch`: passages of twelve pages, and questions that they answer."""

#: page -> its passages
PAGES: dict[str, tuple[str, ...]] = {
    "n-grams": (
        "An n-gram model counts how often each word follows the words before it. The probability of the next word is "
        "one count divided by another. The model is trained in a single pass over the text.",
        "Most combinations of words never occur in the training text, so their count is zero. Smoothing takes a "
        "little probability from what was seen and gives it to what was not. Kneser-Ney asks in how many contexts a "
        "word occurs.",
        "Perplexity says how surprised the model is by a text: among how many equally likely words it hesitates on "
        "average.",
    ),
    "embeddings": (
        "Each word becomes a vector of a few hundred numbers. Words that are used in similar contexts get similar "
        "vectors, so synonyms are neighbours. The angle between two vectors, the cosine, says how alike the words "
        "are.",
        "Skip-gram predicts the neighbours of a word. For each true neighbour it also draws a few random words, the "
        "negative samples, and learns to tell them from the true one.",
        "King minus man plus woman is near queen. Such analogies are solved by adding and subtracting vectors.",
    ),
    "recurrent": (
        "A recurrent network reads a text word by word and keeps a hidden state, a summary of what it has read. The "
        "same weights are used at every step.",
        "Going back through many steps, the gradient is multiplied again and again, so it vanishes or explodes. "
        "Clipping limits its norm. The LSTM has gates and a memory cell, along which the gradient survives.",
        "Gates decide what the cell forgets, what it writes and what it shows. An LSTM can remember a bracket for "
        "hundreds of characters until it is closed.",
    ),
    "translation": (
        "An encoder reads the source sentence, a decoder writes its translation. Without attention the whole sentence "
        "must fit into one vector, the bottleneck, and long sentences are translated badly.",
        "Beam search keeps several unfinished translations at once and extends the most probable ones. Greedy search "
        "keeps one. A penalty makes up for the preference for short outputs.",
        "In training, the decoder is fed the right previous word, which is called teacher forcing. Later it has to "
        "live with its own mistakes.",
    ),
    "attention": (
        "Each word has a query, a key and a value. The query is compared with all keys by dot products, the softmax "
        "turns the scores into weights, and the values are averaged with these weights.",
        "The scores are divided by the square root of the width, or else the softmax saturates. A causal mask hides "
        "the future: the scores of later words are set to minus infinity.",
        "Attention does not know the order of the words. Positions are added as sinusoids or learned vectors, or the "
        "queries and keys are rotated. Several heads look at several words at once.",
    ),
    "transformer": (
        "A transformer block is attention and a feed-forward network, each with a residual connection and a "
        "normalisation. The residual stream carries the word from layer to layer, so that deep stacks can be trained.",
        "The learning rate is warmed up: it rises over the first steps and falls afterwards. Dropout switches off "
        "random numbers in training and fights overfitting.",
        "Label smoothing asks for a little less than full confidence in the right word.",
    ),
    "tokens": (
        "Byte-pair encoding starts with single bytes and merges the most frequent pair again and again, until the "
        "vocabulary is large enough. Frequent words become one piece, rare words several.",
        "Languages that were rare in the training text are cut into many more tokens than English, so the same message "
        "costs more. Emoji are made of several bytes.",
        "A model sees pieces, not letters, which is why it miscounts the letters of strawberry.",
    ),
    "gpt": (
        "GPT is a decoder alone. It is pretrained to predict the next token of billions of words, at all positions of "
        "a text at the same time.",
        "Sampling at a low temperature is careful, at a high one it is wild. Top-p keeps the smallest set of tokens "
        "whose probabilities add up to p.",
        "The cache stores keys and values of the tokens that were written, so that each new token costs a single step.",
    ),
    "bert": (
        "BERT is an encoder that reads both sides. Fifteen percent of the tokens are hidden, and it has to guess "
        "them. The encoder is then fine-tuned with a small head on labelled sentences.",
        "In contrastive training the partner of a sentence must be found among the other sentences of the batch. A "
        "cross-encoder reads question and passage together and reranks what was retrieved.",
        "The vector of a word depends on its sentence, so the bank of a river and the bank with the money are apart.",
    ),
    "instruction": (
        "A base model only continues a text. After fine-tuning on instructions with good replies, it answers. The "
        "loss is taken on the reply and not on the prompt.",
        "With LoRA the large matrices stay frozen, and two thin matrices beside each are trained. A chat template "
        "marks who is speaking.",
        "A tool call asks a program for the result. Retrieval puts passages into the prompt, so that the model can "
        "read what it does not know.",
    ),
    "rlhf": (
        "People compare two replies, and a reward model learns from these preferences to score a reply. Bradley and "
        "Terry turn the difference of two scores into a probability.",
        "PPO raises the probability of replies with a high reward, and clips steps that are too large. A penalty "
        "keeps the policy near the reference model.",
        "DPO learns from pairs directly, without a reward model. Optimised too far, the policy exploits the mistakes "
        "of the reward.",
    ),
    "scaling": (
        "The loss falls as a power law of the number of parameters, the amount of data and the compute. Chinchilla "
        "says how to divide a budget between model and data.",
        "Quantisation stores weights with eight or four bits. A small draft model can propose tokens that the large "
        "one checks, which is called speculative decoding.",
        "A mixture of experts has many feed-forward blocks, and a router sends each token to a few of them.",
    ),
}

#: (question, page that answers it)
QUESTIONS: tuple[tuple[str, str], ...] = (
    ("How does a model by counting find the probability of a word?", "n-grams"),
    ("What is done about combinations of words that never occurred?", "n-grams"),
    ("What is the perplexity of a model?", "n-grams"),
    ("Who was Kneser, and what is smoothed?", "n-grams"),
    ("Are the vectors of synonyms near each other?", "embeddings"),
    ("How can you solve an analogy with kings and queens?", "embeddings"),
    ("Why does skip-gram draw negative samples?", "embeddings"),
    ("What does the cosine of two words say?", "embeddings"),
    ("Why do gradients vanish over many steps?", "recurrent"),
    ("What is a gate in an LSTM for?", "recurrent"),
    ("When should I clip the gradient because it is exploding?", "recurrent"),
    ("What does the hidden state of a recurrent network summarise?", "recurrent"),
    ("Why is a long sentence translated badly through a bottleneck?", "translation"),
    ("How many translations does a beam keep?", "translation"),
    ("What does forcing by a teacher mean?", "translation"),
    ("Why do decoders prefer short outputs?", "translation"),
    ("Why are scores divided by a square root?", "attention"),
    ("What are the queries, the keys and the values?", "attention"),
    ("How do masks hide the future?", "attention"),
    ("Which positions are sinusoids?", "attention"),
    ("What does a residual connection do for deep stacks?", "transformer"),
    ("Why should the learning rate be warming up?", "transformer"),
    ("Does dropout help against an overfitted model?", "transformer"),
    ("Why smooth the labels?", "transformer"),
    ("How are pairs of bytes merged into a vocabulary?", "tokens"),
    ("Why does a message in some languages cost more tokens?", "tokens"),
    ("Why can a model not count the letters of a strawberry?", "tokens"),
    ("Is an emoji one token?", "tokens"),
    ("What happens when I sample at a high temperature?", "gpt"),
    ("What is stored in a cache while a token is written?", "gpt"),
    ("Which tokens does top-p sampling keep?", "gpt"),
    ("On how many billion words is the next token predicted in pretraining?", "gpt"),
    ("Which share of the tokens has to be guessed?", "bert"),
    ("How does contrastive training find the partner of a sentence?", "bert"),
    ("What is a cross-encoder for reranking?", "bert"),
    ("Does the bank of the river get another vector?", "bert"),
    ("Why does a base model not answer an instruction?", "instruction"),
    ("Which matrices does LoRA freeze?", "instruction"),
    ("How can a model call tools?", "instruction"),
    ("On what is the loss taken, the reply or the prompt?", "instruction"),
    ("How is a reward model learned from the preferences of people?", "rlhf"),
    ("What does PPO clip?", "rlhf"),
    ("Can DPO do without a reward?", "rlhf"),
    ("What happens if a policy is optimised too far?", "rlhf"),
    ("Which power law does the loss follow?", "scaling"),
    ("How many bits does a quantised weight have?", "scaling"),
    ("What is speculative decoding with a draft?", "scaling"),
    ("Where does the router send a token in a mixture of experts?", "scaling"),
)
