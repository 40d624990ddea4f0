"""Marking a class: sandbox, worker, results, grade book, report. A learner at home needs nothing of it."""
