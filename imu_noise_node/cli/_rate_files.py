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

"""The files that the demo leaves: a bag and a picture, each replaced whole or not at all."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ..analysis.rate_runs import RUNS
from ..errors import InputError
from ._rate_demo import RateDemo, output_of

PICTURE, BAG = "rate_table.png", "rate_table"


def prepare(folder: Path) -> None:
    """Make `folder`, and refuse one in which the files could not be written.

    Raises
    ------
    InputError
        It cannot be made or written to, or holds something else under one of the names.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        found = sorted(path.name for path in (folder / BAG).iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        place = error.filename or folder
        raise InputError(
            "--output", str(folder), f"nothing can be written there: {place}: {error.strerror}"
        ) from None
    if not {"metadata.yaml", f"{BAG}.mcap"}.issuperset(found):
        raise InputError(
            "--output", str(folder), f"holds a folder {BAG} that is not a bag of this demo"
        )


def write_bag(folder: Path, demo: RateDemo) -> Path:
    """Write truth and samples as a bag; return its folder.

    Raises
    ------
    MissingPackageError
        rosbags is not installed.
    """
    from ..bags.writing import write_bag as write

    final = folder / BAG
    with tempfile.TemporaryDirectory(prefix=".unfinished_", dir=folder) as unfinished:
        new = Path(unfinished, BAG)
        write(new, demo.channels)
        if final.exists():
            final.rename(Path(unfinished, "old"))
        new.rename(final)
    return final


def write_picture(folder: Path, demo: RateDemo) -> Path:
    """Draw samples and averages; return the file.

    Raises
    ------
    MissingPackageError
        matplotlib is not installed.
    """
    from ..analysis.plots import plot_rates

    by_topic = {channel.topic: channel for channel in demo.channels}
    recorded = {run: by_topic[output_of(run)] for run in RUNS}
    path = folder / PICTURE
    plot_rates(path, demo.truth, {run: (c.stamps, c.values) for run, c in recorded.items()})
    return path
