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

"""What can be asked of the node while it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rclpy.node import Node
from rclpy.parameter import Parameter
from std_srvs.srv import Trigger

from ..errors import InputError
from .fault_settings import NONE
from .instrument import Instrument

Deed = Callable[[Instrument], str]
"""Does something to an IMU and says so; InputError where it cannot be done."""


class Services:
    """The services, each of type std_srvs/Trigger: of all IMUs, and of each of several.

    Parameters
    ----------
    node : Node
    instruments : mapping of str to Instrument
    """

    def __init__(self, node: Node, instruments: Mapping[str, Instrument]) -> None:
        self._node = node
        everybody = tuple(instruments.values())
        groups = {"": everybody, **{each.prefix: (each,) for each in everybody}}
        deeds = {"reset": _reset, "calibrate": _calibrate, "checkpoint": _checkpoint}
        self._offered = []
        for prefix, group in groups.items():
            calls = {name: partial(_serve, deed, group) for name, deed in deeds.items()}
            calls["clear_faults"] = partial(self._clear_faults, group, bool(prefix))
            for name, call in calls.items():
                self._offered.append(node.create_service(Trigger, f"~/{prefix}{name}", call))

    def _clear_faults(
        self, group: tuple[Instrument, ...], alone: bool, request: Any, response: Any
    ) -> Any:
        _serve(_clear_faults, group, request, response)
        # What was injected is gone; the parameters must not say otherwise. One IMU alone must
        # say `none` where the node may say something else.
        own = [f"{each.name}.fault.mode" for each in group if each.name]
        changes = [] if alone else [Parameter("fault.mode", value=NONE)]
        changes += [Parameter(name, value=NONE if alone else "") for name in own]
        self._node.set_parameters(changes)
        return response


def _serve(deed: Deed, group: tuple[Instrument, ...], _request: Any, response: Any) -> Any:
    """Do it to each of the group; it succeeds if it does for all."""
    response.success = True
    said = []
    for instrument in group:
        try:
            sentence = deed(instrument)
        except InputError as error:
            response.success = False
            sentence = str(error)
        said.append(f"{instrument.name}: {sentence}" if instrument.name else sentence)
    response.message = "; ".join(said)
    return response


def _clear_faults(instrument: Instrument) -> str:
    faults = [r for r in instrument.condition.reasons if r.startswith("fault ")]
    instrument.pipeline.model.clear_faults()
    return f"ended: {', '.join(faults)}" if faults else "no fault was active"


def _reset(instrument: Instrument) -> str:
    instrument.reset()
    return "the run begins again with the next truth message"


def _calibrate(instrument: Instrument) -> str:
    duration = instrument.calibrate()
    return (
        f"keep the sensor still for {duration:g} s; the result comes in the log and in "
        "/diagnostics"
    )


def _checkpoint(instrument: Instrument) -> str:
    return f"written to {instrument.save()}"
