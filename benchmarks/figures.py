"""The sensor on which everything is measured: all the noise terms that peers have, too."""

from __future__ import annotations

from typing import Any

from imu_noise_node import ImuSpec, TriadSpec

BAND = (1.0, 1000.0)
"""Of the flicker noise [s]."""

FULL: dict[str, dict[str, Any]] = {
    "gyroscope": {
        "noise_density": 2e-4,
        "turn_on_bias_stddev": 1e-3,
        "bias_stddev": 1e-4,
        "bias_correlation_time": 100.0,
        "bias_instability": 3e-5,
        "bias_instability_band": BAND,
    },
    "accelerometer": {
        "noise_density": 2e-3,
        "turn_on_bias_stddev": 1e-2,
        "bias_stddev": 1e-3,
        "bias_correlation_time": 100.0,
        "bias_instability": 3e-4,
        "bias_instability_band": BAND,
    },
}
"""White noise, turn-on bias, Gauss-Markov bias and flicker, by sensor [SI]."""

WHITE: dict[str, dict[str, Any]] = {
    sensor: {"noise_density": figures["noise_density"]} for sensor, figures in FULL.items()
}
"""White noise alone."""


def spec(figures: dict[str, dict[str, Any]]) -> ImuSpec:
    """Return the spec with these figures."""
    return ImuSpec(**{sensor: TriadSpec(**triad) for sensor, triad in figures.items()})


def ros_arguments(figures: dict[str, dict[str, Any]]) -> list[str]:
    """Return the command line that gives a node these figures."""
    values = {
        f"{sensor}.{name}": list(value) if isinstance(value, tuple) else value
        for sensor, triad in figures.items()
        for name, value in triad.items()
    }
    return [part for name, value in values.items() for part in ("-p", f"{name}:={value}")]
