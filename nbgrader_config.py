"""nbgrader on this clone: solutions/ is the source, exercises/ what is released, everything private lies in .grading/.

`lmcourse grade .grading/submitted --out .grading` marks what `nbgrader collect` brought; formgrader shows it.
"""

from pathlib import Path

c = get_config()

here = Path(__file__).resolve().parent
private = here / ".grading"
if not private.exists():
    private.mkdir()
    private.chmod(0o700)  # whatever the umask: submissions, marks and the secret seed are the teacher's alone

c.CourseDirectory.course_id = "lmcourse"
c.CourseDirectory.root = str(here)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
c.CourseDirectory.submitted_directory = ".grading/submitted"
c.CourseDirectory.autograded_directory = ".grading/autograded"
c.CourseDirectory.feedback_directory = ".grading/feedback"
c.CourseDirectory.solution_directory = ".grading/solution"
c.CourseDirectory.db_url = f"sqlite:///{private}/gradebook.db"
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("write your answer here")'}
c.Autograde.exporter_class = "lmcourse.grader.refused.Refused"  # it has no sandbox: `lmcourse grade` marks
