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

"""The parameter file that is installed with the package."""

import re
from pathlib import Path

import yaml

from imu_noise_node.model.spec import SENSORS
from imu_noise_node.ros.settings import catalogue, defaults, settings, unknown_names

TEXT = (Path(__file__).parents[2] / "config/imu_noise.yaml").read_text()
EXAMPLES = re.sub(r"^    #(\w|  \w)", r"    \1", TEXT, flags=re.MULTILINE)


def parameters(text):
    document = yaml.safe_load(text)
    assert list(document) == ["/**"]
    assert list(document["/**"]) == ["ros__parameters"]
    return document["/**"]["ros__parameters"]


def given(text):
    """The parameters by their flat ROS names."""
    flat = {}
    for name, value in parameters(text).items():
        if isinstance(value, dict):
            flat |= {f"{name}.{inner}": figure for inner, figure in value.items()}
        else:
            flat[name] = value
    return flat


def test_it_sets_no_figure_over_a_profile_given_on_the_command_line():
    assert set(parameters(TEXT)) == {"profile", "seed"}


def test_what_is_commented_out_can_be_taken_in_by_removing_the_hash():
    named = set(given(EXAMPLES))
    assert unknown_names(named) == ["use_sim_time"]
    settings({**defaults(given(EXAMPLES)), **given(EXAMPLES)})


def test_all_is_shown_but_some_figures():
    missing = set(catalogue()) - set(given(EXAMPLES))
    assert {name.split(".")[0] for name in missing} == set(SENSORS)


def test_what_is_shown_as_a_default_is_one():
    shown = given(EXAMPLES)
    own = {name: value for name, value in defaults({}).items() if "." not in name}
    without = {name for name, value in own.items() if value is None}
    assert without == {"temperature", "magnetic_field", "operating_temperature"}
    names = set(own) - without - {"profile"}
    assert {name: shown[name] for name in names} == {name: own[name] for name in names}


def test_a_list_does_not_mix_integers_and_decimals():
    # ROS refuses such a file before the node exists.
    lists = [value for value in given(EXAMPLES).values() if isinstance(value, list)]
    assert lists
    assert all(isinstance(item, float) for value in lists for item in value)
