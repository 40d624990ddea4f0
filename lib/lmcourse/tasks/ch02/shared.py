"""What several exercises of chapter 02 share: drawing cases, and what counts as the same result."""
