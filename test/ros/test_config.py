"""The parameter file that is installed with the package."""

import re
from pathlib import Path

import yaml

TEXT = (Path(__file__).parents[2] / "config/imu_noise.yaml").read_text()


def parameters(text):
    document = yaml.safe_load(text)
    assert list(document) == ["/**"]
    assert list(document["/**"]) == ["ros__parameters"]
    return document["/**"]["ros__parameters"]


def test_it_sets_no_figure_over_a_profile_given_on_the_command_line():
    assert set(parameters(TEXT)) == {"profile", "seed"}


def test_what_is_commented_out_can_be_taken_in_by_removing_the_hash():
    examples = parameters(re.sub(r"^    #(\w|  \w)", r"    \1", TEXT, flags=re.MULTILINE))
    assert {"rate", "frame_id", "mount", "gyroscope", "accelerometer", "max_gap"} < set(examples)
    assert set(examples["gyroscope"]) == set(examples["accelerometer"])
