"""`torchrun --nproc-per-node N -m lmcourse.train CONFIG`: train a GPT as a config file says.

`python -m lmcourse.train CONFIG` and `lmcourse train CONFIG` do the same in one process.
"""

import os
import sys

from lmcourse.pretraining import ConfigError, TokensError, pretrain, read_config
from lmcourse.pretraining.run import StoppedError
from lmcourse.training import CheckpointError

#: Exit statuses, and errors that every process finds alike, so that one of them tells of it.
OK, FAILED, REFUSED, STOPPED = 0, 1, 2, 143
COMMON = (ConfigError, TokensError, CheckpointError, StoppedError)


def main(path: str, *, progress: bool = True) -> int:
    """Train, print one line about the result or the error, and return the exit status.

    0: trained; 1: it could not go on; 2: the config, the tokens or the state in `out` do not fit; 143: stopped by
    SIGTERM, after writing the training state.
    """
    rank = int(os.environ.get("RANK", "0"))
    try:
        result = pretrain(read_config(path), progress=progress)
    except COMMON as error:
        _tell(str(error), rank, only_first=True)
        return STOPPED if isinstance(error, StoppedError) else REFUSED
    except (RuntimeError, ValueError, OSError) as error:
        _tell(_explained(error), rank, only_first=str(error).startswith("training stopped"))
        return FAILED
    if rank == 0:
        print(f"{result['bits_per_byte']:.4f} bits per byte on {result['bytes']:,} bytes of validation text")
        print(f"wrote {result['model']}")
    return OK


def _explained(error: Exception) -> str:
    text = str(error)
    if isinstance(error, RuntimeError) and any(sign in text for sign in ("gloo", "NCCL", "Connection closed by peer")):
        return (
            f"another process of this training has ended, or cannot be reached ({text.splitlines()[0][:200]}). "
            "The same command goes on from the last training state."
        )
    return text


def _tell(text: str, rank: int, *, only_first: bool) -> None:
    if rank == 0 or not only_first:
        print(f"Error: {text}" if rank == 0 else f"Error in process {rank}: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__, file=sys.stderr)
        sys.exit(0 if sys.argv[1:] and sys.argv[1] in ("-h", "--help") else REFUSED)
    sys.exit(main(sys.argv[1]))
