"""Which case fails without each rule that a statement makes: a table for each chapter, held true by test_rules.py.

`RULES[task]` lists (says, case, broken by):

- says: words of the statement's docstring, exactly;
- case: the label of a case that fails without the rule; its arguments are the same for every seed;
- broken by: the name of a slip of the task that breaks the rule, or a patch of the answer, `(old, new)`.

`NO_RULE[task]` has what else the statement says, each with why it needs no case. Every clause of a statement is in one
of the two: a clause ends at a full stop or a semicolon, or with its argument.
"""
