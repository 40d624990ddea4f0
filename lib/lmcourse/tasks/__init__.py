"""The exercises' tasks, one module a chapter. Each `Task` at a module's top level is found by `lmcourse.exercises`."""
