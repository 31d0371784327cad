"""Profiles by name or path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import InputError, ParameterError, UnknownNameError
from ..model.spec import SENSORS, ImuSpec, spell_out_unit
from ..schema import from_mapping
from .yaml_reader import read_yaml

_PRESETS = Path(__file__).parent / "presets"
_ABOUT = ("name", "description", "sources")
"""Keys of a profile that describe it and are no figures."""


def presets() -> dict[str, Path]:
    """Return the files of the presets that come with the package, by name."""
    return {path.stem: path for path in sorted(_PRESETS.glob("*.yaml"))}


def load_profile(name: str | Path) -> ImuSpec:
    """Return the spec of a preset, or of the profile file at a path.

    A text with a slash or a YAML suffix is a path, any other is a preset's name.

    Raises
    ------
    UnknownNameError
        No such preset, or a key that the schema does not have.
    InputError, ParameterError
        The file cannot be read, or a figure is not allowed.
    """
    if not isinstance(name, str | Path):
        raise ParameterError("profile", name, "must be a preset's name, or a path")
    path = Path(name).expanduser()
    if "/" not in str(name) and path.suffix not in (".yaml", ".yml"):
        known = presets()
        if str(name) not in known:
            raise UnknownNameError("profile", str(name), known)
        path = known[str(name)]
    figures = _figures(read_yaml(path), path)
    try:
        spec: ImuSpec = from_mapping(ImuSpec, figures, str(path))
    except ParameterError as error:
        # The key reads "path: sensor: figure".
        sensor = error.key.removeprefix(f"{path}: ").split(":")[0]
        allowed = spell_out_unit(error.allowed, sensor)
        raise ParameterError(error.key, error.value, allowed, error.hint) from None
    return spec


def _figures(content: Any, path: Path) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise InputError("file", str(path), f"must be a mapping with {' and '.join(SENSORS)}")
    return {key: value for key, value in content.items() if key not in _ABOUT}
