"""Submissions that attack the marking. Each is the code of one answer cell; all other cells of its notebook are right.

`{...}` stands for paths that the test fills in. Code that got what it should not get raises an error with LOOT in it.
"""

# The statuses that may come of it. What is "marked" was called on all cases, and its results are wrong.
STOPPED = {"timeout", "memory", "violated"}
REFUSED = {"violated", "ungradable"}

LOOPS = {
    "loop_in_the_cell": ("while True: pass", {"timeout"}),
    "loop_in_the_answer": ("def phrase_matrix(*_):\n    while True: pass", {"timeout"}),
    "loop_that_catches_all": (
        "def phrase_matrix(*_):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        {"timeout"},
    ),
    "sleep": ("import time\ndef phrase_matrix(*_):\n    time.sleep(1000)", {"timeout"}),
    "stops_itself": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\nos.kill(0, signal.SIGSTOP)",
        STOPPED | REFUSED,
    ),
    "regular_expression": ("import re\nre.match(r'(a+)+$', 'a' * 60 + 'b')", {"timeout"}),
}

MEMORY = {
    "one_big_block": ("def phrase_matrix(*_):\n    return bytearray(10**11)", {"memory"}),
    "one_big_tensor": ("import torch\ndef phrase_matrix(*_):\n    return torch.ones(10**11)", {"memory"}),
    "many_blocks": ("x = []\nwhile True: x.append(bytearray(10**7))", STOPPED),
    "many_processes_with_blocks": (
        "import os, time\nfor _ in range(20):\n    if os.fork() == 0:\n        x = bytearray(b'x') * (2 * 10**8)\n        time.sleep(60)\n"
        "time.sleep(60)",
        STOPPED,
    ),
    "files_without_a_name": (
        "import os\nfor number in range(500):\n    os.write(os.memfd_create('x'), bytes(10**7))",
        {"violated", "ungradable", "memory"},
    ),
    "endless_recursion": ("def phrase_matrix(*_):\n    return phrase_matrix(*_)", {"marked"}),
    "deep_recursion": (
        "import sys\nsys.setrecursionlimit(10**9)\ndef phrase_matrix(*_):\n    return phrase_matrix(*_)",
        None,
    ),
}

OUTPUT = {
    "prints_50_MB": ("print('x' * 50_000_000)\nimport sys\nprint('x' * 50_000_000, file=sys.stderr)", {"ungradable"}),
    "returns_50_MB": ("def phrase_matrix(*_):\n    return 'x' * 50_000_000", STOPPED),
    "returns_a_deep_list": (
        "def phrase_matrix(*_):\n    x = []\n    for _ in range(20_000): x = [x]\n    return x",
        {"marked"},
    ),
    "returns_a_list_of_itself": ("def phrase_matrix(*_):\n    x = []\n    x.append(x)\n    return x", None),
    "returns_many_parts": ("def phrase_matrix(*_):\n    return list(range(10**6))", STOPPED),
    "returns_colliding_keys": (
        "def phrase_matrix(*_):\n    return {number * (2**61 - 1): 0 for number in range(1, 5000)}",
        None,
    ),
    "returns_a_huge_number": ("def phrase_matrix(*_):\n    return 1 << 1_000_000", {"marked"}),
    "writes_files_till_the_end": (
        "for number in range(10**6):\n    open(f'/tmp/{number}', 'wb').write(bytes(10**7))",
        {"violated"},
    ),
    "long_error_message": ("def phrase_matrix(*_):\n    raise ValueError('x' * 10**7)", {"marked"}),
}

PROCESSES = {
    "fork_bomb": (
        "import os\ndef phrase_matrix(*_):\n    while True:\n        try: os.fork()\n        except OSError: pass",
        {"timeout"},
    ),
    "thread_bomb": (
        "import threading, time\ndef phrase_matrix(*_):\n    while True:\n"
        "        try: threading.Thread(target=time.sleep, args=(99,)).start()\n        except RuntimeError: pass",
        {"timeout", "memory"},
    ),
    "exit_in_the_cell": ("import os\nos._exit(0)", {"violated"}),
    "exit_in_the_answer": ("import os\ndef phrase_matrix(*_):\n    os._exit(0)", {"violated"}),
    "system_exit": ("raise SystemExit(0)", {"ungradable"}),
    "keyboard_interrupt": ("def phrase_matrix(*_):\n    raise KeyboardInterrupt", {"ungradable"}),
    "kills_itself": ("import os\nos.kill(os.getpid(), 9)\nos.abort()", {"violated"}),
    "kills_everybody": (
        "import os\nfor number in (1, 2, 3, os.getppid(), -1, 0):\n    try: os.kill(number, 9)\n    except OSError: pass",
        {"violated", "ungradable"},
    ),
    "segmentation_fault": ("import ctypes\nctypes.string_at(0)", {"violated"}),
    "outlives": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        for number in range(600):\n"
        "            try: open('{marker}', 'a').write('alive')\n            except OSError: pass\n            time.sleep(0.1)\n"
        "    os._exit(0)\nos._exit(0)",
        {"violated"},
    ),
    "holds_the_pipe_open": (
        "import os, time\nif os.fork() == 0: time.sleep(600)\nos._exit(0)",
        {"violated", "timeout"},
    ),
    "starts_a_shell": (
        "import subprocess\nraise OSError(subprocess.run('id; ls /', shell=True).returncode)",
        {"violated"},
    ),
}

FILES = {
    "deletes_the_course": ("import shutil\nshutil.rmtree('{course}')", {"violated"}),
    "deletes_everything": (
        "import os, shutil\nfor place in ('{out}', '{submissions}', '{course}', '/usr', '/run/bundle', '/run/answer', '/tmp', '/'):\n"
        "    shutil.rmtree(place, ignore_errors=True)",
        {"violated", "timeout"},
    ),
    "reads_the_seed": ("raise OSError('LOOT' + open('{out}/state/seed').read())", {"violated"}),
    "reads_the_solutions": (
        "raise OSError('LOOT' + open('{course}/solutions/00_start_here/00_start_here.ipynb').read())",
        {"violated"},
    ),
    "reads_the_grade_book": ("raise OSError('LOOT' + str(open('{out}/gradebook.db', 'rb').read(99)))", {"violated"}),
    "reads_other_students": (
        "raise OSError('LOOT' + open('{submissions}/honest/00_start_here/00_start_here.ipynb').read())",
        {"violated"},
    ),
    "reads_results": ("import os\nraise OSError('LOOT' + str(os.listdir('{out}/state')))", {"violated"}),
    "looks_for_the_solutions": (
        "import os\nfor place, _, files in os.walk('/'):\n    for file in files:\n        if 'start_here' in file: raise OSError('LOOT' + file)",
        {"violated", "timeout"},
    ),
    "imports_the_tasks": ("import lmcourse.tasks.ch00.softmax as t\nraise OSError('LOOT')", {"ungradable", "violated"}),
    "imports_the_library": (
        "from lmcourse.models.ngram import NGramModel\nraise OSError('LOOT')",
        {"ungradable", "violated"},
    ),
    "imports_the_file": (
        "import importlib.util as u\nspec = u.spec_from_file_location('x', '{library}/tasks/ch00/softmax.py')\n"
        "m = u.module_from_spec(spec)\nspec.loader.exec_module(m)\nraise OSError('LOOT')",
        {"violated"},
    ),
    "reads_the_seed_of_the_course": (
        "from lmcourse.exercises import secret_seed\nraise OSError('LOOT')",
        {"ungradable"},
    ),
    "reads_the_environment": (
        "import os\nraise OSError('LOOT' if any('LMCOURSE' in name or 'TOKEN' in name for name in os.environ) else 'nothing')",
        {"ungradable"},
    ),
    "reads_the_parents_memory": (
        "import os\nfound = [p for p in os.listdir('/proc') if p.isdecimal() and int(p) != os.getpid()]\n"
        "raise OSError('LOOT' + str(found) if found else 'alone')",
        REFUSED,
    ),
    "searches_its_memory_for_others": (
        "import gc\nhits = [x for x in gc.get_objects() if isinstance(x, dict) and 'wanted' in x and 'reference' in x]\n"
        "if hits: raise OSError('LOOT')\nraise OSError('nothing')",
        {"violated"},
    ),
    "writes_for_the_next_one": (
        "import os\nwritten = []\nfor place in ('/', '/run/answer', '/tmp', '/dev', '/dev/shm', '/run/bundle', '/usr', '/etc', '/run', '/var'):\n"
        "    try:\n        open(place + '/note', 'w').write('x')\n        written.append(place)\n    except OSError: pass\n"
        "if set(written) - {{'/run/answer', '/tmp', '/dev/shm'}}: raise OSError('LOOT' + str(written))\nraise OSError('nothing')",
        {"violated"},
    ),
    "reads_from_the_one_before": (
        "import os\nfound = [place for place in ('/run/answer', '/tmp', '/dev/shm') if os.path.exists(place + '/note')]\n"
        "raise OSError('LOOT' + str(found) if found else 'nothing')",
        REFUSED,
    ),
    "mounts": (
        "import ctypes\nc = ctypes.CDLL(None)\nif c.unshare(0x10000000) == 0 or c.mount(b'x', b'/tmp', b'tmpfs', 0, None) == 0:\n"
        "    raise OSError('LOOT')\nraise OSError('nothing')",
        REFUSED,
    ),
    "becomes_root": (
        "import os\nfor change in (lambda: os.setuid(12345), lambda: os.chroot('/tmp'), lambda: os.mknod('/tmp/d', 0o60600, os.makedev(1, 1))):\n"
        "    try: change()\n    except OSError: continue\n    raise OSError('LOOT')\nraise OSError('nothing')",
        REFUSED,
    ),
}

NETWORK = {
    "connects": ("import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=1)", {"violated"}),
    "connects_at_home": (
        "import socket\nsocket.create_connection(('127.0.0.1', {port}), timeout=1)\nraise OSError('LOOT')",
        {"violated"},
    ),
    "asks_a_name": (
        "import urllib.request\nurllib.request.urlopen('http://localhost:{port}')\nraise OSError('LOOT')",
        {"violated"},
    ),
}

# Right results must come out of the sandbox: whatever is patched inside changes no mark.
PATCHES = {
    "patches_numpy": (
        "import numpy as np\nnp.allclose = np.array_equal = np.isclose = lambda *a, **k: True\nnp.testing = None\n"
        "def phrase_matrix(*_): return np.zeros(1)",
        {"violated"},
    ),
    "patches_numpy_for_others": (
        "import numpy as np\nnp.exp = np.log = np.sqrt = np.zeros = np.array = np.arange = lambda *a, **k: 0\ndef phrase_matrix(*_): return 1",
        {"violated"},
    ),
    "patches_torch": (
        "import torch\ntorch.equal = torch.allclose = lambda *a, **k: True\ntorch.tensor = None\ndef phrase_matrix(*_): return 1",
        {"violated"},
    ),
    "patches_builtins": (
        "import builtins\nbuiltins.all = builtins.any = lambda *a: True\nbuiltins.len = lambda x: 0\nbuiltins.isinstance = lambda *a: True\n"
        "def phrase_matrix(*_): return 1",
        None,
    ),
    "patches_check": (
        "import lmcourse.exercises\nlmcourse.exercises.check = check = lambda *a, **k: 'right'\ndef phrase_matrix(*_): return 1",
        {"violated"},
    ),
    "patches_the_engine": (
        "import sys\nfor name, module in list(sys.modules.items()):\n    if name.startswith('lmcourse'):\n        for part in list(vars(module)):\n"
        "            if not part.startswith('__'): setattr(module, part, lambda *a, **k: True)\ndef phrase_matrix(*_): return 1",
        STOPPED | REFUSED,
    ),
    "hides_names": ("np = math = check = None\ndef phrase_matrix(*_): return 1", {"marked"}),
    "ast_transformer": (
        "import ast\nclass Drop(ast.NodeTransformer):\n    def visit_Assert(self, node): return ast.Pass()\n"
        "get_ipython().ast_transformers.append(Drop())\ndef phrase_matrix(*_): return 1",
        {"ungradable"},
    ),
    "replaced_run_code": (
        "shell = get_ipython()\nasync def run_code(*a, **k): return False\nshell.run_code = run_code\ndef phrase_matrix(*_): return 1",
        {"ungradable"},
    ),
    "traces": (
        "import sys\ndef tracer(frame, event, arg):\n    frame.f_locals.clear()\n    return tracer\nsys.settrace(tracer)\n"
        "def phrase_matrix(*_): return 1",
        {"violated"},
    ),
    "walks_the_stack": (
        "import sys\ndef phrase_matrix(*_):\n    frame, found = sys._getframe(), []\n    while frame:\n        found += list(frame.f_locals)\n"
        "        for value in frame.f_locals.values():\n            if hasattr(value, 'reference') or hasattr(value, 'slips'): raise OSError('LOOT')\n"
        "        frame = frame.f_back\n    return found",
        {"marked"},
    ),
    "forges_results": (
        "import os, json, struct\ndef frame(x):\n    b = json.dumps(x).encode()\n    return struct.pack('>I', len(b)) + b\n"
        "words = [{{'task': t, 'outcomes': [], 'earned': 99, 'passed': True}} for t in ('phrase_matrix', 'softmax')] + [{{'done': True}}]\n"
        "for number in range(3, 30):\n    try: os.write(number, b''.join(map(frame, words)))\n    except OSError: pass",
        STOPPED | REFUSED,
    ),
    "forges_garbage": (
        "import os\nfor number in range(3, 30):\n    try: os.write(number, b'\\xff' * 100)\n    except OSError: pass",
        STOPPED | REFUSED,
    ),
    "says_it_is_through": (
        "import os, json, struct\nb = json.dumps({{'done': True}}).encode()\nfor number in range(3, 30):\n"
        "    try: os.write(number, struct.pack('>I', len(b)) + b)\n    except OSError: pass",
        STOPPED | REFUSED,
    ),
    "says_the_sandbox_is_broken": (
        "import os, json, struct\nb = json.dumps({{'broken': 'LOOT'}}).encode()\nfor number in range(3, 30):\n"
        "    try: os.write(number, struct.pack('>I', len(b)) + b)\n    except OSError: pass",
        STOPPED | REFUSED,
    ),
}

_EQUAL = (
    "class Equal:\n    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = __contains__ = lambda *_: True\n    __ne__ = lambda *_: False\n"
    "    __hash__ = lambda *_: 0\n    __len__ = lambda *_: 0\n    __float__ = lambda *_: 0.0\n    __array__ = lambda *_, **__: __import__('numpy').zeros(1)\n"
    '    __reduce__ = lambda *_: (eval, (\'open("{marker}", "w")\',))\n    __getattr__ = lambda self, name: self\n    __call__ = lambda self, *_: self\n'
    "    __repr__ = lambda *_: 'right'\n"
)
LIARS = {
    "equals_everything": (_EQUAL + "def phrase_matrix(*_): return Equal()", {"marked"}),
    "says_it_is_an_array": (
        "import numpy as np\nclass Right:\n    __class__ = property(lambda _: np.ndarray)\n    shape, dtype = (3, 5), np.dtype(float)\n"
        "    __eq__ = lambda *_: True\n    __array__ = lambda *_, **__: np.zeros((3, 5))\ndef phrase_matrix(*_): return Right()",
        {"marked"},
    ),
    "array_subclass": (
        "import numpy as np\nclass Lies(np.ndarray):\n    __eq__ = lambda *_: np.True_\n    tobytes = lambda *_: b''\n"
        "def phrase_matrix(phrase, vocabulary): return np.zeros((len(phrase), len(vocabulary))).view(Lies)",
        {"marked"},
    ),
    "array_of_liars": (
        _EQUAL
        + "import numpy as np\ndef phrase_matrix(p, v):\n    a = np.empty((len(p), len(v)), object)\n    a.fill(Equal())\n    return a",
        {"marked"},
    ),
    "lying_float": ("class F(float):\n    __eq__ = lambda *_: True\ndef phrase_matrix(*_): return F(0)", {"marked"}),
    "nan": ("def phrase_matrix(p, v): return np.full((len(p), len(v)), np.nan)", {"marked"}),
    "all_at_once": ("def phrase_matrix(p, v): return np.ma.masked_all((len(p), len(v)))", {"marked"}),
    "error_that_lies": (
        "class ValueError(Exception):\n    __str__ = lambda *_: 1 / 0\ndef phrase_matrix(*_): raise ValueError",
        {"marked"},
    ),
    "error_with_a_terrible_name": (
        "E = type('<script>alert(1)</script>' * 99, (Exception,), {{}})\ndef phrase_matrix(*_): raise E('<b>\\x00\\x1b[2J')",
        {"marked"},
    ),
    "not_a_function": ("phrase_matrix = 7", {"ungradable"}),
    "syntax_error": ("def phrase_matrix(:", {"ungradable"}),
    "null_byte": ("def phrase_matrix(*_): return '\\x00'\nx = '\x00'", {"ungradable", "marked"}),
    "deep_brackets": ("(" * 5000 + ")" * 5000, {"ungradable", "memory"}),
}

# Against the engine itself: its frames, its socket, its memory, what comes out in odd wrappings.
_FRAME = "import json, os, struct, sys, time\ndef frame(x):\n    b = json.dumps(x).encode()\n    return struct.pack('>I', len(b)) + b\n"
_EVERYWHERE = "def everywhere(b):\n    for number in range(3, 30):\n        try: os.write(number, b)\n        except OSError: pass\n"
CLEVER = {
    "begins_for_ever": (
        _FRAME + _EVERYWHERE + "while True:\n    everywhere(frame({{'begin': 'phrase_matrix'}}))\n    time.sleep(0.2)",
        STOPPED,
    ),
    "begins_the_next_for_ever": (
        _FRAME
        + _EVERYWHERE
        + "while True:\n    everywhere(frame({{'begin': 'cosine_similarity'}}))\n    time.sleep(0.2)",
        STOPPED,
    ),
    "dribbles": (
        _FRAME + _EVERYWHERE + "for byte in frame('x' * 10_000): everywhere(bytes([byte])), time.sleep(0.2)",
        {"timeout"},
    ),
    "sends_half_a_million_lists": (
        _FRAME + _EVERYWHERE + "everywhere(frame({{'task': 'phrase_matrix', 'audit': [[]] * 500_000}}))",
        {"violated"},
    ),
    "empties_the_cases": (
        "import sys\nframe = sys._getframe()\nwhile frame:\n    if 'page' in frame.f_locals:\n"
        "        for task in frame.f_locals['page'].tasks.values(): task.cases.clear()\n    frame = frame.f_back\n"
        "def phrase_matrix(*_): return 1",
        {"violated"},
    ),
    "answers_with_what_is_wanted_of_others": (
        "import sys\ndef phrase_matrix(*_):\n    frame = sys._getframe()\n    while frame:\n        task = frame.f_locals.get('task')\n"
        "        for name in ('reference', 'slips', 'wanted', 'seed'):\n            if hasattr(task, name): raise OSError('LOOT')\n"
        "        frame = frame.f_back\n    return 1",
        {"marked"},
    ),
    "fakes_modules": (
        "import sys, types\nfor name in list(sys.modules):\n    if name.split('.')[0] in ('numpy', 'torch', 'lmcourse', 'json'):\n"
        "        sys.modules[name] = types.ModuleType(name)\ndef phrase_matrix(*_): return 1",
        {"violated"},
    ),
    "swaps_the_encoder": (
        "import sys\nsys.modules['lmcourse.exercises.codec'].encode = lambda *_: ['array', '<f8', [1], 'AAAAAAAA8D8=']\n"
        "def phrase_matrix(*_): return 1",
        {"violated"},
    ),
    "a_thread_that_goes_on": (
        "import threading, time, __main__\ndef later(sleep=time.sleep, names=vars(__main__)):\n    while True:\n"
        "        sleep(0.001)\n        names.update(dict.fromkeys([name for name in list(names) if name[0] != '_']))\n"
        "threading.Thread(target=later, daemon=True).start()\ndef phrase_matrix(*_): return 1",
        {"violated"},
    ),
    "an_alarm_that_goes_on": (
        "import signal\ndef ring(*_): raise RuntimeError('ring')\nsignal.signal(signal.SIGALRM, ring)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.01, 0.003)\ndef phrase_matrix(*_):\n    while True: pass",
        None,
    ),
    "changes_what_all_share": (
        "import sys, torch, random\ntorch.set_default_dtype(torch.float64)\nnp.seterr(all='raise')\nsys.setrecursionlimit(60)\n"
        "torch.set_grad_enabled(False)\nsum = len = range = None\ndef phrase_matrix(*_): return 1",
        None,
    ),
    "a_finaliser_that_loops": (
        "class Loops:\n    def __del__(self):\n        while True: pass\ndef phrase_matrix(*_): return Loops()",
        {"timeout"},
    ),
    "an_error_whose_name_lies": (
        "class Meta(type):\n    __name__ = property(lambda _: 1 / 0)\nclass E(Exception, metaclass=Meta): pass\ndef phrase_matrix(*_): raise E",
        None,
    ),
    "a_name_of_a_million": ("def phrase_matrix(*_): raise type('E' * 10**6, (Exception,), {{}})", {"marked"}),
    "calls_the_kernel_in_32_bits": (
        "import ctypes, mmap\nm = mmap.mmap(-1, 4096, prot=7)\nm.write(bytes.fromhex('b814000000cd80c3'))\n"
        "at = ctypes.addressof(ctypes.c_char.from_buffer(m))\nctypes.CFUNCTYPE(ctypes.c_int)(at)()\nraise OSError('LOOT')",
        {"violated"},
    ),
    "opens_all_files": ("held = []\nwhile True: held.append(open('/dev/null'))", {"violated"}),
    "tensor_on_meta": ("import torch\ndef phrase_matrix(*_): return torch.empty(3, 5, device='meta')", {"marked"}),
    "tensor_sparse": ("import torch\ndef phrase_matrix(*_): return torch.eye(3).to_sparse()", {"marked"}),
    "tensor_of_a_million_millions": (
        "import torch\ndef phrase_matrix(*_): return torch.zeros(1).expand(10**12)",
        {"memory"},
    ),
    "array_of_a_million_millions": ("def phrase_matrix(*_): return np.broadcast_to(0.0, (10**12,))", {"memory"}),
    "array_of_records": (
        "def phrase_matrix(p, v): return np.zeros((len(p), len(v)), [('a', float), ('b', object)])",
        {"marked"},
    ),
    "array_of_times": ("def phrase_matrix(p, v): return np.zeros((len(p), len(v)), 'M8[s]')", {"marked"}),
    "generator": ("def phrase_matrix(*_): yield from range(10**9)", {"marked"}),
    "coroutine": ("async def phrase_matrix(*_): return 1", {"marked"}),
    "dict_that_lies": (
        "class D(dict):\n    items = keys = values = __iter__ = lambda self: iter([(1, 1)] * 10**9)\n    __len__ = lambda _: 10**9\n"
        "def phrase_matrix(*_): return D(a=1)",
        {"marked"},
    ),
    "keys_that_change": (
        "import itertools\nclass K:\n    n = itertools.count()\n    __hash__ = lambda _: next(K.n)\n    __eq__ = lambda *_: False\n"
        "def phrase_matrix(*_): return {{K(): K() for _ in range(99)}}",
        {"marked"},
    ),
    "half_a_character": ("def phrase_matrix(*_): return '\\ud800' + chr(0x202e)", {"marked"}),
}

ATTACKS = LOOPS | MEMORY | OUTPUT | PROCESSES | FILES | NETWORK | PATCHES | LIARS | CLEVER

#: One or two of each kind, for every day; all of them are marked by the slow test.
SAMPLE = (
    *("loop_in_the_answer", "one_big_block", "prints_50_MB", "returns_50_MB", "fork_bomb", "exit_in_the_cell"),
    *(
        "kills_everybody",
        "outlives",
        "deletes_the_course",
        "reads_the_seed",
        "reads_the_solutions",
        "looks_for_the_solutions",
        "reads_other_students",
    ),
    *(
        "imports_the_tasks",
        "imports_the_library",
        "connects_at_home",
        "writes_for_the_next_one",
        "patches_numpy_for_others",
    ),
    *("patches_check", "hides_names", "ast_transformer", "replaced_run_code", "forges_results", "equals_everything"),
    *("begins_for_ever", "empties_the_cases", "a_thread_that_goes_on", "tensor_of_a_million_millions"),
    *("array_subclass", "nan", "error_with_a_terrible_name", "says_the_sandbox_is_broken", "syntax_error"),
)
