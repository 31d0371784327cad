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
