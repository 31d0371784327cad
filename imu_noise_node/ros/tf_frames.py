"""Between which frames TF tells the truth; no rclpy here."""

from __future__ import annotations

from dataclasses import dataclass

from ..schema import check_fields, parameter


@dataclass(frozen=True, eq=False)
class TfFrames:
    """Which frames of TF tell the truth."""

    world_frame: str = parameter(
        "odom", "frame in which the body moves, for truth_source tf", kind=str, live=False
    )
    body_frame: str = parameter(
        "base_link", "frame of the body, for truth_source tf", kind=str, live=False
    )

    def __post_init__(self) -> None:
        check_fields(self)
