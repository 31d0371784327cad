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

"""What the launch files can be asked for, and what each answer means to the node.

Nothing here needs launch: `read` turns the texts of a command line into a `Setup`, and
`launching` turns that into actions. An empty text sets nothing, so that the parameter file
and, behind it, the profile stay in charge of whatever was not asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from ..errors import InputError, ParameterError
from ..motion.kinematics import TWIST_FRAMES
from . import recording
from .recording import TRUTH_SOURCES, Recording

LOG_LEVELS = ("debug", "info", "warn", "error", "fatal")
REMAPPED = {"odom_topic": "odom", "ideal_topic": "imu/ideal", "imu_topic": "imu/data_raw"}

Value: TypeAlias = bool | int | float | str
Texts: TypeAlias = Mapping[str, str]

NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)

_WORD = NAME.pattern
_NAMESPACE = re.compile(rf"/|/?{_WORD}(/{_WORD})*/?", re.ASCII)
_TOPIC = re.compile(rf"(/|~/)?{_WORD}(/{_WORD})*", re.ASCII)
_LOG_LEVEL = re.compile(rf"([\w.]+:=)?({'|'.join(LOG_LEVELS)})", re.ASCII | re.IGNORECASE)
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_OPEN = "Empty: as the params_file says."


@dataclass(frozen=True)
class Argument:
    """One launch argument, as `--show-args` lists it."""

    name: str
    description: str
    default: str = ""
    choices: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Setup:
    """The node as the arguments want it; `parameters` has only what was asked for."""

    namespace: str
    name: str
    params_file: Path | None
    parameters: Mapping[str, Value]
    remappings: Mapping[str, str]
    log_level: str
    recording: Recording | None


def arguments(params_file: Path) -> tuple[Argument, ...]:
    """Return the arguments of a launch file whose node reads `params_file` unless told else."""
    return (
        Argument("namespace", "Namespace of the node and of its relative topics."),
        Argument("name", "Name of the node.", default="imu_noise"),
        Argument(
            "params_file",
            "YAML file of parameters, keyed /** or by the node's full name. What it sets wins"
            " over the profile; the other arguments win over it.",
            default=str(params_file),
        ),
        Argument(
            "profile",
            "The sensor: the name of a preset (such as bmi088 or adis16470) or the path of a"
            f" profile. {_OPEN}",
        ),
        Argument(
            "truth_source",
            "Where the true motion comes from: odometry (Odometry messages), imu (the Imu"
            " messages of an ideal IMU) or tf (poses from TF, between tf.world_frame and"
            f" tf.body_frame). {_OPEN}",
            choices=("", *TRUTH_SOURCES),
        ),
        Argument("odom_topic", "Topic to take Odometry from. Empty: odom."),
        Argument(
            "ideal_topic",
            "Topic to take an ideal IMU from, with truth_source imu. Empty: imu/ideal.",
        ),
        Argument("imu_topic", "Topic to publish the noisy IMU on. Empty: imu/data_raw."),
        Argument("frame_id", f"Frame of the sensor, in the header of its messages. {_OPEN}"),
        Argument(
            "rate",
            "Samples per second, no more than the truth has; 0 gives one for each truth message."
            f" {_OPEN}",
        ),
        Argument(
            "seed",
            "Seed of the noise: 0 or more repeats a run exactly, -1 draws a new seed and logs it."
            f" {_OPEN}",
        ),
        Argument("use_sim_time", f"true: time from the topic /clock; false: not. {_OPEN}"),
        Argument(
            "log_level",
            f"{', '.join(LOG_LEVELS[:-1])} or {LOG_LEVELS[-1]}; LOGGER:=LEVEL for one logger."
            " Empty: info.",
        ),
        Argument(
            "record",
            "true records truth and output with `ros2 bag record`, into a folder named by date; a"
            " path records into that folder, which must not exist yet; false does not record.",
            default="false",
        ),
    )


def read(values: Texts) -> Setup:
    """Turn the texts given for the arguments into a setup; a missing one counts as empty.

    Raises
    ------
    ParameterError, InputError
        The first text that cannot be used.
    """
    given = {name: text.strip() for name, text in values.items() if text.strip()}
    remappings = {
        topic: matching(given, name, _TOPIC, "a topic name, such as odom or /robot1/imu")
        for name, topic in REMAPPED.items()
        if name in given
    }
    levels = f"one of {', '.join(LOG_LEVELS)}, or LOGGER:= before it"
    return Setup(
        namespace=matching(given, "namespace", _NAMESPACE, "words joined by /, such as robot1"),
        name=matching(given, "name", NAME, "of letters, digits and _, no digit first")
        or "imu_noise",
        params_file=_params_file(given),
        parameters={
            name: reader(given[name]) for name, reader in _READERS.items() if name in given
        },
        remappings=remappings,
        log_level=matching(given, "log_level", _LOG_LEVEL, levels),
        recording=_recording(given, remappings),
    )


def misspelt(command_line: Iterable[str], known: Iterable[str]) -> list[tuple[str, str]]:
    """Return (given name, the known name it resembles) for each NAME:=VALUE not known."""
    names = list(known)
    given = [text.split(":=", 1)[0] for text in command_line if ":=" in text]
    # Only close ones: the launch file that includes this one has arguments of its own.
    near = {name: get_close_matches(name, names, n=1, cutoff=0.75) for name in given}
    return [(name, found[0]) for name, found in near.items() if found and name not in names]


def matching(given: Texts, name: str, pattern: re.Pattern[str], allowed: str) -> str:
    """Return the text given for `name`, which may be empty or else must match whole.

    Raises
    ------
    ParameterError
        It does not match; `allowed` says what would.
    """
    text = given.get(name, "")
    if text and not pattern.fullmatch(text):
        raise ParameterError(name, text, f"must be {allowed}")
    return text


def boolean(given: Texts, name: str) -> bool:
    """Return what is given for `name`, False where nothing is.

    Raises
    ------
    ParameterError
        It is neither true nor false.
    """
    text = given.get(name, "false")
    if text.lower() not in _BOOLEANS:
        raise ParameterError(name, text, "must be true or false")
    return _BOOLEANS[text.lower()]


def _params_file(given: Texts) -> Path | None:
    if "params_file" not in given:
        return None
    path = Path(given["params_file"]).expanduser()
    if not path.is_file():
        raise InputError("params_file", given["params_file"], "must be an existing YAML file")
    return path


def _recording(given: Texts, remappings: Mapping[str, str]) -> Recording | None:
    text = given.get("record", "false")
    if not _BOOLEANS.get(text.lower(), True):
        return None
    output = None if text.lower() in _BOOLEANS else Path(text).expanduser()
    if output is not None and output.exists():
        raise InputError("record", text, "must be true, false or a path that does not exist yet")
    return Recording(
        topics=recording.topics(given.get("truth_source", ""), remappings),
        output=output,
        use_sim_time=boolean(given, "use_sim_time"),
    )


def _profile(text: str) -> str:
    # Shells do not expand the ~ of `profile:=~/mine.yaml`.
    return str(Path(text).expanduser()) if text.startswith("~") else text


def _truth_source(text: str) -> str:
    if text not in TRUTH_SOURCES:
        raise ParameterError("truth_source", text, f"must be one of {', '.join(TRUTH_SOURCES)}")
    return text


def _twist_frame(text: str) -> str:
    if text not in TWIST_FRAMES:
        raise ParameterError("twist_frame", text, f"must be {' or '.join(TWIST_FRAMES)}")
    return text


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not (math.isfinite(rate) and rate >= 0.0):
        raise ParameterError("rate", text, "must be a number, 0 or more [Hz]")
    return rate


def _seed(text: str) -> int:
    if not re.fullmatch(r"-1|\d{1,19}", text, re.ASCII) or int(text) >= 2**63:
        raise ParameterError(
            "seed", text, "must be a whole number, 0 or more, or -1 for a new seed"
        )
    return int(text)


def _use_sim_time(text: str) -> bool:
    return boolean({"use_sim_time": text}, "use_sim_time")


_READERS: Mapping[str, Callable[[str], Value]] = {
    "profile": _profile,
    "truth_source": _truth_source,
    "twist_frame": _twist_frame,
    "frame_id": str,
    "rate": _rate,
    "seed": _seed,
    "use_sim_time": _use_sim_time,
}
