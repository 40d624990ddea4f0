"""The models of the course, one module a family."""
