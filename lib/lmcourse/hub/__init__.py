"""A class on a JupyterHub: its configuration written and checked, and what runs when a student's server starts."""
