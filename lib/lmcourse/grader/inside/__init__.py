"""What runs in the sandbox, copied there: nothing of it is trusted after a learner's code has run."""
