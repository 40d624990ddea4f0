"""What all callables take although it looks like a fault, and why: "argument fault" -> reason, * and ? as in a shell.

What a single callable takes stands beside its example.
"""

EVERYWHERE = {
    "* int32": "ids of any integer dtype are ids",
    "* float16": "any floating-point dtype",
    "seed *": "any whole number is a seed",
}
