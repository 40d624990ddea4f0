"""What `isinstance` asks of a protocol: methods alone.

From Python 3.12 on, `isinstance` looks at an object without its `__getattr__`, in which an `nn.Module` keeps its parts:
a model with a `head` would be none.
"""

import importlib
import inspect
import pkgutil

import lmcourse


def protocols():
    found = set()
    for module in pkgutil.walk_packages(lmcourse.__path__, "lmcourse."):
        if not module.name.startswith("lmcourse.tasks") and not module.name.endswith("__main__"):
            members = vars(importlib.import_module(module.name)).values()
            found |= {
                each for each in members if inspect.isclass(each) and getattr(each, "_is_runtime_protocol", False)
            }
    return {each for each in found if each.__module__.startswith("lmcourse")}


def test_isinstance_asks_for_methods_alone():
    found = protocols()
    assert len(found) >= 5
    for protocol in found:
        members = {name: each for name, each in vars(protocol).items() if not name.startswith("_")}
        assert not inspect.get_annotations(protocol), protocol
        assert all(inspect.isfunction(each) for each in members.values()), protocol
