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

"""Runs the real `ros2 launch` in a place of its own, where stand-ins show what they were told."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LAUNCH = [sys.executable, "-c", "import sys; from ros2cli.cli import main; sys.exit(main())"]
STAND_IN = f"""#!{sys.executable}
import json, os, signal, sys
signal.signal(signal.SIGINT, lambda *_: os._exit(0))
files = [sys.argv[i + 1] for i, word in enumerate(sys.argv) if word == "--params-file"]
told = dict(command=sys.argv, files=files, texts=[open(path).read() for path in files])
json.dump(told, open(os.environ["TOLD"] + "/" + str(os.getpid()), "w"))
print("READY", flush=True)
if os.environ["STAND_IN"] == "fail":
    sys.exit(2)
if os.environ["STAND_IN"] == "hold":
    signal.pause()
"""


class Launcher:
    """Runs a launch file in a place where the stand-in is the package's node."""

    def __init__(self, prefix, file):
        self.prefix = prefix
        self.file = ROOT / "launch" / file
        self.environment = {
            **os.environ,
            "AMENT_PREFIX_PATH": str(prefix),
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "ROS_LOG_DIR": str(prefix / "log"),
            "TOLD": str(prefix / "told"),
        }
        (prefix / "told").mkdir()
        self.install("imu_noise")
        self.executable("lib/imu_noise/imu_noise_node")

    @property
    def told(self):
        """What each stand-in was told, by the name of its executable."""
        texts = [path.read_text() for path in (self.prefix / "told").iterdir()]
        return {Path(told["command"][0]).name: told for told in map(json.loads, texts)}

    def install(self, package):
        marker = self.prefix / "share/ament_index/resource_index/packages" / package
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()

    def executable(self, path):
        path = self.prefix / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(STAND_IN)
        path.chmod(0o755)

    def start(self, *arguments, stand_in="", stdin=subprocess.DEVNULL):
        return subprocess.Popen(
            [*LAUNCH, "launch", str(self.file), *arguments],
            cwd=self.prefix,
            env={**self.environment, "STAND_IN": stand_in},
            start_new_session=True,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def until_ctrl_c(self, *arguments, nodes=1):
        """Press Ctrl-C when so many stand-ins run; return the output of a clean end."""
        # At a terminal; elsewhere launch passes on a second SIGINT, too late for a quick node.
        terminal, stdin = pty.openpty()
        process = self.start(*arguments, stand_in="hold", stdin=stdin)
        output = ""
        for line in process.stdout:
            output += line
            if "READY" in line and output.count("READY") == nodes:
                os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=30) == 0
        os.close(terminal)
        os.close(stdin)
        assert not traceback(output)
        return output

    def __call__(self, *arguments, stand_in=""):
        process = self.start(*arguments, stand_in=stand_in)
        output, _ = process.communicate(timeout=60)
        assert not traceback(output)
        return process.returncode, output


def traceback(output):
    """Whether launch itself shows one; a stand-in may be interrupted before it is ready for it."""
    return re.search(r"^(?!\[\w+-\d+\]).*Traceback", output, re.MULTILINE) is not None


def after(command, flag):
    return [command[i + 1] for i, word in enumerate(command) if word == flag]
