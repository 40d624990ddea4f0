"""Run a command and tell the minutes and the processor time that it took: `python -m tools.measured make lint unit`.

Processes that it starts count too. More than the budget of `make test` is told and fails nothing: other machines, and
busy ones, have other times.
"""

import os
import subprocess
import sys
import time

BUDGET_S = 1700  # of `make test`, in processor seconds: a quarter of an hour on two cores


def told(minutes: float, seconds: float) -> str:
    """The line that a run ends with."""
    over = f", {seconds - BUDGET_S:,.0f} s over it" if seconds > BUDGET_S else ""
    return f"{minutes:.1f} minutes, {seconds:,.0f} s of processor time of at most {BUDGET_S:,}{over}"


def main() -> None:
    began = time.monotonic()
    status = subprocess.run(sys.argv[1:], check=False).returncode
    print(told((time.monotonic() - began) / 60, sum(os.times()[2:4])))  # user and system time of children that ended
    sys.exit(status)


if __name__ == "__main__":
    main()
