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

"""What reads the inputs: each function takes a file, and may raise ImuNoiseError alone."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import fuzz_corpus
import fuzz_mutations
import fuzz_recordings
import fuzz_trajectories
import numpy as np

from imu_noise_node.checkpoint import save
from imu_noise_node.errors import ImuNoiseError
from imu_noise_node.model.imu import ImuModel
from imu_noise_node.model.plausible import implausible
from imu_noise_node.model.spec import ImuSpec
from imu_noise_node.profiles.documents import read_document
from imu_noise_node.profiles.fault_schedule import load_faults
from imu_noise_node.profiles.formats import FORMATS, MEANINGS, Ask, import_document
from imu_noise_node.profiles.formats.kalibr_export import kalibr_text
from imu_noise_node.profiles.formats.sdf_export import sdf_text
from imu_noise_node.profiles.json_reader import parse_json
from imu_noise_node.profiles.loader import read_profile
from imu_noise_node.profiles.writer import json_text, yaml_text
from imu_noise_node.profiles.yaml_reader import parse_yaml
from imu_noise_node.ros.resuming import resume
from imu_noise_node.schema import AXES, MATRIX, Parameter, check, from_mapping
from imu_noise_node.units import CUSTOMARY

Corpus = Callable[[Path], list[bytes]]


@dataclass(frozen=True)
class Target:
    """A reader, its valid files, and the suffixes that these may have."""

    read: Callable[[Path, Random], None]
    corpus: Corpus
    suffixes: tuple[str, ...]
    is_document: bool = True

    def input(self, random: Random, folder: Path) -> bytes:
        """Return the next input: most often a valid one with a few changes."""
        corpus = self.corpus(folder)
        data, kind = random.choice(corpus), random.random()
        if kind < 0.05:
            return fuzz_mutations.noise(random)
        if kind < 0.35:
            return fuzz_mutations.change_figures(random, data, corpus)
        if self.is_document and kind < 0.65:
            return fuzz_mutations.restructure(random, data, corpus)
        return fuzz_mutations.mutate(random, data, corpus)


def profile(path: Path, _random: Random) -> None:
    """Read a profile, write it again, and let a sensor of its figures run."""
    spec = read_profile(path).spec
    _is_sound(spec)


def imported(path: Path, random: Random) -> None:
    """Import the figures of another tool, and export them for others."""
    ask = Ask(
        str(path),
        random.choice((None, 200.0)),
        random.choice((*[None] * 6, *MEANINGS)),
        random.choice((*[None] * 9, "imu0")),
    )
    document = read_document(path)
    found = import_document(document, ask, random.choice((*[None] * 50, *FORMATS)))
    _is_sound(found.spec)
    for write in (kalibr_text, sdf_text):
        with contextlib.suppress(ImuNoiseError):
            write(found.spec, 200.0)


def faults(path: Path, _random: Random) -> None:
    """Read a schedule, and let it strike."""
    model = ImuModel(fuzz_corpus.SPEC, faults=load_faults(path))
    for _ in range(3):
        model.step(0.01, (0.0, 0.0, 0.0), (0.0, 0.0, 9.8))
    assert model.condition.reasons is not None


def checkpoint(path: Path, random: Random) -> None:
    """Go on from a checkpoint; in half of them the digest is right, whatever else is not."""
    one = fuzz_corpus.instrument()
    forged = random.random() < 0.5 and _sign(path)
    resume(one, path)
    if forged:
        return
    for k in range(60, 66):
        sample = one.pipeline.feed(fuzz_corpus.truth(k))
        if sample is not None:
            one.delivery.accept(sample, sample.stamp)
            assert sample.measurement.covariance.shape == (6, 6)
    one.pipeline.state()


def _sign(path: Path) -> bool:
    """Write a checkpoint with the digest that its content has; return whether it could be done."""
    try:
        found = json.loads(path.read_bytes())
        save(path, {k: v for k, v in found.items() if k not in ("format", "digest")})
    except (ValueError, AttributeError, RecursionError):
        return False
    return True


def unit(path: Path, random: Random) -> None:
    """Read a figure in every unit there is; one may fit."""
    text = path.read_bytes().decode("utf-8", "replace")
    shape = random.choice(((), AXES, MATRIX))
    found = []
    for name in CUSTOMARY:
        with contextlib.suppress(ImuNoiseError):
            found.append(check("figure", text, Parameter("", name, shape=shape)))
    assert np.isfinite(np.array(found)).all()
    if not found:
        check("figure", text, Parameter("", shape=shape))


def _is_sound(spec: ImuSpec) -> None:
    """Write the spec and read it again; its sensor gives finite numbers."""
    implausible(spec)
    where = Path("written")
    for text, parse in ((yaml_text(spec), parse_yaml), (json_text(spec), parse_json)):
        again = from_mapping(ImuSpec, parse(text, where), "written")
        assert json_text(again) == json_text(spec)
    model = ImuModel(spec)
    field = (1e-5, 0.0, 0.0) if spec.magnetometer else None
    for _ in range(2):
        made = model.step(0.01, (0.1, 0.0, 0.0), (0.0, 0.0, 9.8), 30.0, field)
        assert np.isfinite(made.values).all()
        assert np.isfinite(made.covariance).all()


TARGETS = {
    "profile": Target(profile, lambda _: fuzz_corpus.profiles(), (".yaml", ".json", ".txt")),
    "import": Target(imported, lambda _: fuzz_corpus.foreign(), (".yaml", ".json", ".sdf")),
    "faults": Target(faults, lambda _: fuzz_corpus.schedules(), (".yaml", ".json")),
    "checkpoint": Target(checkpoint, fuzz_corpus.checkpoints, (".json",)),
    "recording": Target(
        fuzz_recordings.recording,
        fuzz_recordings.recordings,
        (*[".log"] * 9, ".csv", ".npz", ".mcap", ".db3", ".bag"),
        is_document=False,
    ),
    "trajectory": Target(
        fuzz_trajectories.trajectory,
        fuzz_trajectories.trajectories,
        (*[".txt"] * 9, ".csv", ".mcap", ".db3", ".bag"),
        is_document=False,
    ),
    "units": Target(unit, lambda _: fuzz_corpus.units(), (".txt",), is_document=False),
}
"""By name, with the share that each has of the inputs: all alike."""
