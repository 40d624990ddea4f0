"""A person's server in a control group of its own, so that nobody's notebook takes the memory of the whole class."""

from collections.abc import Callable
from typing import Any

from jupyterhub.spawner import LocalProcessSpawner
from traitlets import Integer

from lmcourse.grader.cgroup import Cgroup


class ClassSpawner(LocalProcessSpawner):
    """JupyterHub's own spawner of local processes, which by itself limits nothing.

    `mem_limit` and `cpu_limit` are enforced by the kernel: the hub makes a control group for each user and puts the
    server in it before the server gives up root's rights. Where no group can be made (the hub is not root, or has no
    control groups), the server starts without limits and the log says so; `lmcourse hub doctor` says it beforehand.
    On a machine that runs systemd, `jupyterhub-systemdspawner` does the same.
    """

    process_limit = Integer(512, help="Processes and threads that a user's server may have, all together.", config=True)
    _group: Cgroup | None = None

    def make_preexec_fn(self, name: str) -> Callable[[], None]:
        become_user = super().make_preexec_fn(name)
        self._group = self._make_group(name)
        folders = [] if self._group is None else self._group.folders

        def join_and_become_user() -> None:
            for folder in folders:
                (folder / "cgroup.procs").write_text("0", encoding="ascii")  # 0 is the process that writes
            become_user()

        return join_and_become_user

    def _make_group(self, name: str) -> Cgroup | None:
        if not self.mem_limit:
            return None
        group = Cgroup.make_by_hand(
            int(self.mem_limit), self.process_limit, f"lmcourse-hub-{name}", cpus=self.cpu_limit, again=True
        )
        if group is None:
            self.log.warning("No control group can be made for %s: the server starts without limits.", name)
        return group

    async def stop(self, *args: Any, **options: Any) -> None:
        await super().stop(*args, **options)
        if self._group is not None:
            self._group.remove()  # stays if a process is left in it, and serves the next start
