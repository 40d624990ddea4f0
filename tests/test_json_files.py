"""JSON of our own is read whole, or refused with the name of the file."""

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lmcourse import json_files

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=7,
)


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(VALUES)
def test_what_is_written_is_read(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("json") / "value.json"
    json_files.write(path, value)
    assert json_files.read(path) == value


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is not JSON"),
        (b"{", "it is not JSON"),
        (b"{'a': 1}", "it is not JSON"),
        (b"\xff\xfe\x00", "it is not JSON"),
        (b"[" + b"1" * 5_000 + b"]", "it is not JSON"),  # Python refuses integers of so many digits
        (b"[" * 100_000, "nested at most 50 deep"),
        (b'{"a":' * 100_000, "nested at most 50 deep"),
        (b"[" * 51 + b"]" * 51, "nested at most 50 deep"),
        (b'{"a":' * 51 + b"0" + b"}" * 51, "nested at most 50 deep"),
    ],
)
def test_a_damaged_file_is_named(tmp_path, content, reason):
    path = tmp_path / "record.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=reason) as raised:
        json_files.read(path)
    assert str(raised.value).startswith(f"{path} is damaged: ")


def test_the_limits_themselves_are_allowed(tmp_path):
    path = tmp_path / "record.json"
    path.write_text("[" * 50 + "1" + "]" * 50)
    assert json_files.read(path, max_bytes=101) == json.loads(path.read_text())
    with pytest.raises(ValueError, match=r"record\.json is damaged: it must have at most 100 bytes"):
        json_files.read(path, max_bytes=100)
    with pytest.raises(ValueError, match="at most 49 deep"):
        json_files.read(path, max_depth=49)


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(FileNotFoundError):
        json_files.read(tmp_path / "none.json")
    with pytest.raises((ValueError, OSError), match=str(tmp_path.name)):
        json_files.read(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(ValueError, match=r"pipe\.json must be a regular file"):
        json_files.read(tmp_path / "pipe.json")


def test_text_inside_another_file_is_called_by_name():
    assert json_files.parse('{"a": [1]}', "the metadata of m.safetensors") == {"a": [1]}
    with pytest.raises(ValueError, match=r"^the metadata of m\.safetensors is damaged: it is not JSON"):
        json_files.parse("{", "the metadata of m.safetensors")


def test_what_json_cannot_hold_leaves_the_old_file(tmp_path):
    path = tmp_path / "record.json"
    json_files.write(path, {"b": 1, "a": 2})
    assert path.read_text() == '{\n "a": 2,\n "b": 1\n}\n'
    with pytest.raises(TypeError):
        json_files.write(path, {"a": object()})
    assert json_files.read(path) == {"a": 2, "b": 1}
