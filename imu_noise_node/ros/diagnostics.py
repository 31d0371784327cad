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

"""/diagnostics: once a second, what became of every truth message."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType, ROSClock
from rclpy.node import Node

from ..model.condition import State
from ..motion.intervals import Verdict
from ..motion.smoothing import PoseWindow
from .instrument import Instrument
from .source import Source
from .tf_source import TfSource

_NO_CLOCK = "use_sim_time is true, and nothing has come on /clock yet"

_PERIOD = 1.0
_MESSAGES_PER_LOOK = 100
_BAD = (Verdict.INVALID, Verdict.NO_TIME, Verdict.TELEPORT)
"""Reasons that point to a fault in the source when they grow."""

_IN_VAIN = (*_BAD, Verdict.REPEATED, Verdict.TOO_SOON, Verdict.LATE, Verdict.GAP, Verdict.NO_MOUNT)
"""Reasons that need telling where they are all that there is."""


class Diagnostics:
    """Publishes the counters and a verdict on the truth, for each IMU.

    Parameters
    ----------
    node : Node
    source : Source
    instruments : mapping of str to Instrument
    """

    def __init__(self, node: Node, source: Source, instruments: Mapping[str, Instrument]) -> None:
        self._node = node
        self._source = source
        self._reports = [_Report(node, source, each) for each in instruments.values()]
        self._publisher = node.create_publisher(DiagnosticArray, "/diagnostics", 10)
        self._messages = 0
        self._asked_for_clock = False
        self._last = time.monotonic()
        # Steady, so that it also tells of a simulator's clock that stands still.
        self._timer = node.create_timer(
            _PERIOD, self._on_timer, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )

    def heed(self) -> None:
        """Take note of a truth message; publish if the timer is kept waiting.

        The executor serves in order of arrival, so behind a long queue of truth a timer waits
        until the queue is done.
        """
        self._messages += 1
        if self._messages >= _MESSAGES_PER_LOOK:
            self._messages = 0
            if time.monotonic() - self._last > _PERIOD:
                self._publish()

    def _on_timer(self) -> None:
        # A timer that was kept waiting may come right after `heed` has stood in for it.
        if time.monotonic() - self._last > 0.5 * _PERIOD:
            self._publish()

    def _publish(self) -> None:
        self._last = time.monotonic()
        if _awaits_clock(self._node) and not self._asked_for_clock:
            self._asked_for_clock = True
            self._node.get_logger().warning(f"waiting for time: {_NO_CLOCK}")
        message = DiagnosticArray(status=[report.status() for report in self._reports])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)


def _awaits_clock(node: Node) -> bool:
    clock = node.get_clock()
    return isinstance(clock, ROSClock) and clock.ros_time_is_active and not clock.now().nanoseconds


def _window(source: Source) -> PoseWindow | None:
    return source.window if isinstance(source, TfSource) else None


def _refused(source: Source) -> dict[str, int]:
    """Return how many transforms were none; what TF has no pose of cannot be counted as one."""
    return {"transforms refused": source.refused} if isinstance(source, TfSource) else {}


def _unfed(window: PoseWindow) -> dict[str, int]:
    """Return how many poses have not been fed to the pipeline, by reason."""
    return {
        "waiting in tf.window": window.waiting,
        "at an end of tf.window": window.ends,
    }


class _Report:
    """What there is to say about one IMU, and what has been said before."""

    def __init__(self, node: Node, source: Source, instrument: Instrument) -> None:
        self._node = node
        self._source = source
        self._instrument = instrument
        self._pipeline = instrument.pipeline
        self._before: dict[Verdict, int] = {}
        self._lost = 0
        self._complained = False

    def status(self) -> DiagnosticStatus:
        """Return the status, with what is new since the last one."""
        new = self._pipeline.counts - Counter(self._before)
        level, summary = self._judge(new)
        if level == DiagnosticStatus.OK:
            level, summary = self._judge_state(summary)
        self._complain(new)
        self._before = dict(self._pipeline.counts)
        self._lost = self._source.lost
        counts = self._pipeline.counts
        condition = self._instrument.condition
        window = _window(self._source)
        unfed = {} if window is None else _unfed(window)
        values = {
            "state": condition.state.value,
            "reasons": "; ".join(condition.reasons),
            "uptime [s]": f"{self._pipeline.model.age:.3f}",
            "truth topic": self._source.topic,
            "truth publishers": self._source.publishers,
            "received": sum(counts.values()) + sum(unfed.values()),
            **{verdict.value: counts[verdict] for verdict in Verdict},
            **unfed,
            **_refused(self._source),
            "lost by the middleware": self._source.lost,
            "samples lost to faults": self._instrument.lost,
            "samples dropped in delivery": self._instrument.delivery.dropped,
            "samples on their way": self._instrument.delivery.waiting,
            "temperatures refused": self._instrument.misfelt,
            "calibration": self._instrument.calibration,
            "seed": self._pipeline.model.seed,
        }
        name = self._node.get_fully_qualified_name().lstrip("/")
        return DiagnosticStatus(
            level=level,
            name=f"{'/'.join(filter(None, (name, self._instrument.name)))}: samples",
            message=summary,
            hardware_id="imu_noise",
            values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
        )

    def _complain(self, new: Counter[Verdict]) -> None:
        """Say once in the log when truth comes but nothing can be made of it."""
        reasons = [verdict for verdict, count in new.items() if count and verdict in _IN_VAIN]
        if new[Verdict.SAMPLE]:
            self._complained = False
        elif reasons and not self._complained:
            self._complained = True
            told = ", ".join(f"{new[verdict]} {verdict.value}" for verdict in reasons)
            self._node.get_logger().warning(
                f"no samples from the truth on {self._source.topic} in the last second: {told}"
                f"{self._why(new)} (README: what becomes of each truth message)"
            )

    def _why(self, new: Counter[Verdict]) -> str:
        """Return what else may explain it."""
        if new[Verdict.NO_MOUNT]:
            settings = self._instrument.settings
            body, sensor = settings.frames.body_frame, settings.node.frame_id
            return f"; /tf_static has no links from '{body}' to '{sensor}' yet"
        if self._source.publishers > 1:
            return (
                f"; the truth comes from {self._source.publishers} publishers, and must from one"
            )
        return ""

    def _judge_state(self, summary: str) -> tuple[bytes, str]:
        condition = self._instrument.condition
        reasons = "; ".join(condition.reasons)
        if condition.state is State.FAILED:
            return DiagnosticStatus.ERROR, f"failed: {reasons}"
        if condition.state is State.DEGRADED:
            return DiagnosticStatus.WARN, f"degraded: {reasons}"
        return DiagnosticStatus.OK, f"{summary}; {reasons}" if reasons else summary

    def _judge(self, new: Counter[Verdict]) -> tuple[bytes, str]:
        if self._source.lost > self._lost:
            return (
                DiagnosticStatus.WARN,
                "the middleware lost truth messages: they come too fast",
            )
        if _awaits_clock(self._node):
            return DiagnosticStatus.WARN, _NO_CLOCK
        bad = [verdict.value for verdict in _BAD if new[verdict]]
        if bad:
            return DiagnosticStatus.WARN, f"truth messages not used: {', '.join(bad)}"
        if new[Verdict.DISABLED]:
            return DiagnosticStatus.OK, "disabled"
        window = _window(self._source)
        if window is not None and window.waiting and window.is_filling:
            return DiagnosticStatus.WARN, f"{window.waiting} poses so far for the first tf.window"
        if not sum(new.values()):
            return DiagnosticStatus.WARN, f"no truth on {self._source.topic} in the last second"
        if not new[Verdict.SAMPLE]:
            return DiagnosticStatus.WARN, "no samples in the last second"
        return DiagnosticStatus.OK, f"{new[Verdict.SAMPLE]} samples in the last second"
