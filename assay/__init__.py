"""What proves the exercises, and no learner or teacher runs."""
