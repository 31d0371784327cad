"""The real `ros2 launch` on a stand-in node that shows what it was told."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytest.importorskip("launch_ros", reason="launch_ros comes with a ROS installation only")
pytest.importorskip("ros2launch", reason="ros2launch comes with a ROS installation only")

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
    """Runs the launch file in a place where the stand-in is the package's node."""

    def __init__(self, prefix):
        self.prefix = prefix
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
        """What each stand-in was told; the node first."""
        texts = [path.read_text() for path in (self.prefix / "told").iterdir()]
        return sorted(map(json.loads, texts), key=lambda told: "record" in told["command"])

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
            [*LAUNCH, "launch", str(ROOT / "launch/sim.launch.py"), *arguments],
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
        assert "Traceback" not in output
        return output

    def __call__(self, *arguments, stand_in=""):
        process = self.start(*arguments, stand_in=stand_in)
        output, _ = process.communicate(timeout=60)
        assert "Traceback" not in output
        return process.returncode, output


@pytest.fixture
def launch(tmp_path):
    return Launcher(tmp_path)


def after(command, flag):
    return [command[i + 1] for i, word in enumerate(command) if word == flag]


def test_show_args_describes_every_argument(launch):
    code, output = launch("--show-args")
    assert code == 0
    assert "no description given" not in output
    assert re.findall(r"^    '(\w+)':", output, re.MULTILINE) == [
        *("namespace", "name", "params_file", "profile", "truth_source"),
        *("odom_topic", "ideal_topic", "imu_topic", "frame_id", "rate", "seed"),
        *("use_sim_time", "log_level", "record"),
    ]


def test_by_default_the_node_is_told_of_the_parameter_file_alone(launch):
    code, _ = launch()
    assert code == 0
    (node,) = launch.told
    assert node["files"] == [str(ROOT / "config/imu_noise.yaml")]
    assert after(node["command"], "-r") == ["__node:=imu_noise", "__ns:=/"]
    assert "--log-level" not in node["command"]


def test_arguments_reach_the_node_after_the_parameter_file(launch):
    file = launch.prefix / "mine.yaml"
    file.write_text("/robot1/front: {ros__parameters: {rate: 50.0}}\n")
    code, _ = launch(
        *("namespace:=robot1", "name:=front", f"params_file:={file}", "profile:=bmi088"),
        *("truth_source:=imu", "frame_id:=7", "rate:=200", "seed:=3", "use_sim_time:=true"),
        *("odom_topic:=/gt", "ideal_topic:=ideal", "imu_topic:=imu", "log_level:=debug"),
    )
    assert code == 0
    (node,) = launch.told
    assert node["files"][0] == str(file)
    # Keyed by the full name, they win over the section of that name in the file before.
    assert yaml.safe_load(node["texts"][1]) == {
        "/robot1/front": {
            "ros__parameters": {
                "profile": "bmi088",
                "truth_source": "imu",
                "frame_id": "7",
                "rate": 200.0,
                "seed": 3,
                "use_sim_time": True,
            }
        }
    }
    assert after(node["command"], "--log-level") == ["debug"]
    assert after(node["command"], "-r") == [
        *("__node:=front", "__ns:=/robot1"),
        *("odom:=/gt", "imu/ideal:=ideal", "imu/data_raw:=imu"),
    ]


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("rate:=fast", "rate = 'fast': must be a number, 0 or more [Hz]"),
        ("truth_source:=lidar", "lidar"),
        ("params_file:=/no.yaml", "params_file = '/no.yaml': must be an existing YAML file"),
        ("record:=true", "record = 'true': needs `ros2 bag`, which is not installed"),
    ],
)
def test_a_bad_argument_starts_nothing(launch, argument, sentence):
    code, output = launch(argument)
    assert code == 1
    assert sentence in output
    assert not launch.told


def test_a_misspelt_argument_is_pointed_out(launch):
    code, output = launch("sed:=3")
    assert code == 0
    assert "unknown launch argument 'sed' sets nothing here; did you mean 'seed'?" in output


def test_a_failing_node_fails_the_launch(launch):
    code, output = launch(stand_in="fail")
    assert code == 1
    assert "imu_noise_node-1 ended with exit code 2" in output


def test_ctrl_c_ends_it_cleanly(launch):
    assert "process has finished cleanly" in launch.until_ctrl_c()


def test_recording_follows_namespace_and_remappings(launch):
    launch.install("ros2bag")
    launch.executable("bin/ros2")
    path = os.pathsep.join([str(launch.prefix / "bin"), launch.environment["PATH"]])
    launch.environment["PATH"] = path
    launch.until_ctrl_c("record:=run", "namespace:=r", "imu_topic:=/imu", nodes=2)
    _, recorder = (told["command"] for told in launch.told)
    assert recorder[1:4] == ["bag", "record", "--regex"]
    assert recorder[-2:] == ["--output", "run"]
    topics = ["/r/odom", "/r/imu/ideal", "/imu", "/r/imu_noise/truth"]
    assert all(re.search(recorder[4], topic) for topic in topics)
    assert not re.search(recorder[4], "/r/imu/data_raw")
