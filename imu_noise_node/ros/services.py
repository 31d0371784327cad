"""What can be asked of the node while it runs."""

from __future__ import annotations

from typing import Any

from rclpy.node import Node
from rclpy.parameter import Parameter
from std_srvs.srv import Trigger

from ..errors import InputError
from .fault_settings import NONE
from .instrument import Instrument


class Services:
    """The services of one IMU, each of type std_srvs/Trigger.

    Parameters
    ----------
    node : Node
    instrument : Instrument
    """

    def __init__(self, node: Node, instrument: Instrument) -> None:
        self._node = node
        self._instrument = instrument
        self._offered = [
            node.create_service(Trigger, "~/reset", self._reset),
            node.create_service(Trigger, "~/clear_faults", self._clear_faults),
            node.create_service(Trigger, "~/calibrate", self._calibrate),
            node.create_service(Trigger, "~/checkpoint", self._checkpoint),
        ]

    def _reset(self, _request: Any, response: Any) -> Any:
        self._instrument.reset()
        return _answer(response, "the run begins again with the next truth message")

    def _checkpoint(self, _request: Any, response: Any) -> Any:
        try:
            path = self._instrument.save()
        except InputError as error:
            return _answer(response, str(error), success=False)
        return _answer(response, f"written to {path}")

    def _calibrate(self, _request: Any, response: Any) -> Any:
        duration = self._instrument.calibrate()
        return _answer(
            response,
            f"keep the sensor still for {duration:g} s; the result comes in the log and in "
            "/diagnostics",
        )

    def _clear_faults(self, _request: Any, response: Any) -> Any:
        reasons = self._instrument.condition.reasons
        self._instrument.pipeline.model.clear_faults()
        # What was injected is gone; the parameter must not say otherwise.
        self._node.set_parameters([Parameter("fault.mode", value=NONE)])
        faults = [reason for reason in reasons if reason.startswith("fault ")]
        return _answer(
            response, f"ended: {', '.join(faults)}" if faults else "no fault was active"
        )


def _answer(response: Any, message: str, success: bool = True) -> Any:
    response.success = success
    response.message = message
    return response
