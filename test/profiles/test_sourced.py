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

from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.profiles.loader import read_profile
from imu_noise_node.profiles.provenance import Provenance, Source
from imu_noise_node.profiles.sourced import sourced_text
from imu_noise_node.profiles.writer import to_mapping


def test_a_profile_comes_back_with_its_sources(write):
    spec = ImuSpec(
        gyroscope=TriadSpec(noise_density=[1e-4, 2e-4, 3e-05], bias_instability=4e-6),
        accelerometer=TriadSpec(random_walk=1e-5),
    )
    sources = {"log": Source(title="a log: 3 h", address="C:\\logs\\a.bag", date="2026-11-30")}
    origins = {"gyroscope.noise_density": Provenance(None, what="N: fitted", source="log")}
    found = read_profile(write(sourced_text(spec, {"name": "Mine"}, sources, origins)))
    assert to_mapping(found.spec) == to_mapping(spec)
    assert (found.name, found.sources) == ("Mine", sources)
    noise = found.provenance["gyroscope.noise_density"]
    assert (noise.what, noise.source) == ("N: fitted", "log")
    assert not found.provenance["accelerometer.random_walk"].source
