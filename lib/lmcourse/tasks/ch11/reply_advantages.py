from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch11.shared import drawer


def reply_advantages(rewards, values, gamma=1.0, lam=0.95):
    """Return the advantages and returns of one reply.

    Args:
        rewards: of its T tokens, a list of floats; it may be empty.
        values: before each token, a list of T floats.
        gamma: discount.
        lam: lambda.

    Returns:
        advantages and returns, two lists of T floats; beyond the end of the reply there is nothing to expect.

    >>> advantages, returns = reply_advantages([0.0, 0.0, 1.0], [0.5, 0.4, 0.6], 1.0, 0.5)
    >>> [round(a, 3) for a in advantages], [round(r, 3) for r in returns]
    ([0.1, 0.4, 0.4], [0.6, 0.8, 1.0])
    """
    advantages, later = [0.0] * len(rewards), 0.0
    for t in reversed(range(len(rewards))):
        next_value = values[t + 1] if t + 1 < len(rewards) else 0.0
        delta = rewards[t] + gamma * next_value - values[t]
        later = delta + gamma * lam * later
        advantages[t] = later
    return advantages, [a + v for a, v in zip(advantages, values)]


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def some(n: int) -> list[float]:
        return draw(n).tolist()

    return [
        case("the worked example", [0.0, 0.0, 1.0], [0.5, 0.4, 0.6], 1.0, 0.5),
        case("seven tokens", some(7), some(7), 0.9, 0.8),
        case("gamma and lambda as usual for replies", some(5), some(5)),
        border("no tokens", [], [], 1.0, 0.9),
        border("lambda = 0: one step ahead", some(5), some(5), 0.9, 0.0),
        border("lambda = 1: all that came", some(5), some(5), 0.9, 1.0),
        case("four tokens in a fixed order", [1.0, 0.0, -1.0, 2.0], [0.5, 1.0, 0.25, -0.5], 0.5, 0.25),
        border("gamma = 0: each token by itself", some(4), some(4), 0.0, 0.9),
        border("rewards of zero", [0.0, 0.0, 0.0], some(3), 0.9, 0.5),
        case("sixty tokens", some(60), some(60)),
    ]


SLIPS = mistakes("""
repeated_end: "beyond the end of the reply there is nothing to expect"
    else 0.0 => else values[t]
  After the last token the last value was used once more. The reply is over there: what is still to come is 0.
no_lambda: "lambda"
    gamma * lam * later => gamma * later
  lambda was not used in the recursion: A_t = delta_t + gamma * lambda * A_{t+1}.
only_lambda
    gamma * lam * => lam *
  The recursion used lambda alone. A surprise one step later is discounted as well: gamma * lambda.
no_gamma: "discount"
    gamma * next_value => next_value
  The next value was not discounted: it counts gamma times.
no_trace: "Return the advantages and returns of one reply"
    + gamma * lam * later =>
  Only the single steps came back. Each advantage adds gamma * lambda times the next token's advantage.
forwards: "of its T tokens, a list of floats"
    reversed(range(len(rewards))) => range(len(rewards))
  The loop runs forwards, so that a token is praised for what came before it. Go from the last token to the first.
sums_of_rewards
    [a + v for a, v in zip(advantages, values)] =>
        [sum(gamma**k * r for k, r in enumerate(rewards[t:])) for t in range(len(rewards))]
  The returns are sums of rewards here. What the value should have been is the advantage plus the value.
normalised
    return advantages, => mean = sum(advantages) / max(1, len(advantages))
    |    return [a - mean for a in advantages],
  The mean was taken off the advantages. Return them as they are.
one_step_returns
    [a + v for a, v in zip(advantages, values)] => [r + gamma * v for r, v in zip(rewards, [*values[1:], 0.0])]
  The returns look one step ahead only. The return is the advantage plus the value, whatever lambda is.
first_value_at_the_end
    values[t + 1] if t + 1 < len(rewards) else 0.0 => values[(t + 1) % len(rewards)]
  After the last token the first value was used. The reply is over there: what is still to come is 0.
a_few_steps
    return advantages, => ahead = [*values[1:], 0.0]
    |    deltas = [r + gamma * after - v for r, after, v in zip(rewards, ahead, values)]
    |    for t in range(len(deltas)):
    |        advantages[t] = sum((gamma * lam) ** k * d for k, d in enumerate(deltas[t : t + 20]))
    |    return advantages,
  The sum over later tokens was cut off. Every later token counts, however little.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-6)
HINTS = hints("""
- Start at the last token, where nothing more is to come, and walk back with one number.
- delta = rewards[t] + gamma * next_value - values[t], next_value 0 beyond the end. Then A_t = delta + gamma * lam *
  A_{t+1}.
- later = 0.0; for t in reversed(range(n)): later = delta_t + gamma * lam * later; advantages[t] = later. The returns
  are advantages plus values.
""")
task = Task(reply_advantages, points=4, difficulty=4, minutes=30, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
