# Copyright 2026 the imu_noise contributors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""How a tool is found and run, and what the user reads when it is not."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from imu_noise_node import cli

TOOL = '''
"""Greet somebody.

The rest of the help.
"""
from imu_noise_node.errors import InputError

def add_arguments(parser):
    parser.add_argument("name")
    parser.add_argument("--how-loud")

def run(args):
    if args.name == "library":
        raise InputError("how_loud", args.how_loud, "how_loud must be less", "how_loud says it")
    if args.name == "ctrl-c":
        raise KeyboardInterrupt
    if args.name == "file":
        raise FileNotFoundError(2, "gone", "file")
    if args.name == "nobody":
        raise InputError("name", args.name, "somebody is needed")
    print("hello", args.name)
    return 3 if args.name == "fail" else 0
'''


@pytest.fixture(autouse=True)
def greet(tmp_path, monkeypatch):
    """Add a tool, as a file beside the others would."""
    (tmp_path / "greet.py").write_text(TOOL)
    (tmp_path / "_helper.py").write_text("raise AssertionError('a helper is no tool')")
    monkeypatch.setattr(cli, "__path__", [*cli.__path__, str(tmp_path)])
    yield
    sys.modules.pop("imu_noise_node.cli.greet", None)


@pytest.mark.parametrize(("name", "code"), [("you", 0), ("fail", 3)])
def test_a_tool_gets_its_arguments_and_gives_the_exit_code(name, code, capsys):
    assert cli.run(["greet", name], "prog") == code
    assert capsys.readouterr().out == f"hello {name}\n"


def test_a_script_runs_the_tool_it_is_named_after(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["/opt/ws/lib/imu_noise/greet", "you"])
    assert cli.script() == 0
    assert capsys.readouterr().out == "hello you\n"


def test_a_misspelt_tool_is_answered_with_the_nearest_one(capsys):
    assert cli.run(["gret"], "prog") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "gret" in error
    assert "did you mean 'greet'?" in error


def test_bad_input_is_one_sentence(capsys):
    assert cli.run(["greet", "nobody"], "prog") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert error.startswith("prog: name = 'nobody'")


@pytest.mark.parametrize("given", [["--how-loud", "9"], ["--how-loud=9"], ["--how", "9"]])
def test_an_argument_of_the_library_is_called_what_the_user_calls_it(given, capsys):
    assert cli.run(["greet", "library", *given], "prog") == 2
    error = capsys.readouterr().err
    assert error == "prog: --how-loud = '9': --how-loud must be less (--how-loud says it)\n"


def test_what_the_user_has_not_given_keeps_its_name(capsys):
    assert cli.run(["greet", "library"], "prog") == 2
    error = capsys.readouterr().err
    assert error == "prog: how_loud = None: --how-loud must be less (--how-loud says it)\n"


def test_ctrl_c_ends_a_tool_without_a_traceback(capsys):
    assert cli.run(["greet", "ctrl-c"], "prog") == 130
    assert capsys.readouterr().err == ""


def test_the_overview_lists_each_tool_with_what_it_does(capsys):
    assert cli.run(["--help"], "prog") == 0
    overview = capsys.readouterr().out
    assert "greet" in overview
    assert "Greet somebody." in overview
    assert "_helper" not in overview


def test_a_tool_explains_itself(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.run(["greet", "--help"], "prog")
    assert ended.value.code == 0
    assert "The rest of the help." in capsys.readouterr().out


def test_the_module_can_be_run():
    command = [sys.executable, "-m", "imu_noise_node"]
    assert subprocess.run(command, capture_output=True, text=True).returncode == 2
    told = subprocess.run([*command, "--help"], capture_output=True, text=True)
    assert told.returncode == 0
    assert told.stdout.startswith("usage: python3 -m imu_noise_node")


PROFILE = [sys.executable, "-m", "imu_noise_node", "profile"]
PRINTING = [["list"], ["show", "bmi088"], ["convert", "bmi270"], ["--help"]]


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_an_output_that_is_full_is_one_sentence(arguments):
    with Path("/dev/full").open("w") as full:
        told = subprocess.run(
            [*PROFILE, *arguments], stdout=full, stderr=subprocess.PIPE, text=True
        )
    sentence = "python3 -m imu_noise_node: standard output cannot be written: No space left"
    *notes, last = told.stderr.splitlines()
    assert last.startswith(sentence)
    assert all(note.startswith("note: ") for note in notes)
    assert told.returncode == 1


@pytest.mark.parametrize("arguments", PRINTING[:2], ids=" ".join)
def test_a_reader_that_has_gone_is_no_fault(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        told = subprocess.run([*PROFILE, *arguments], stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert (told.returncode, told.stderr) == (141, b"")


def test_an_output_that_is_closed_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.run(["greet", "you"], "prog") == 1
    error = capsys.readouterr().err
    assert error == "prog: standard output cannot be written: it is closed\n"


def test_a_fault_of_another_file_is_not_taken_for_one_of_the_output(capsys):
    with pytest.raises(FileNotFoundError):
        cli.run(["greet", "file"], "prog")


def test_a_tool_sees_standard_output_as_it_is():
    with contextlib.redirect_stdout(io.StringIO()) as text:
        assert cli.run(["greet", "you"], "prog") == 0
    assert text.getvalue() == "hello you\n"
