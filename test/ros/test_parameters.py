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

"""The node's ROS parameters: from files and the command line, and through the real services."""

import signal
from signal import SIGINT, SIGTERM

import numpy as np
import pytest
import yaml
from graph import MS, SECOND, forces, parked, rates

from imu_noise_node import ImuNoiseError, load_profile
from imu_noise_node.ros.node import main
from imu_noise_node.ros.settings import catalogue

START = 1000 * SECOND
DEGREE = np.pi / 180.0


def ticks(count, start=START):
    return parked(*(start + k * 10 * MS for k in range(count)))


def spec(graph):
    return graph.node._instruments[""].settings.spec


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a parameter file and returns the arguments that name it."""

    def write(parameters, key="/**"):
        path = tmp_path / "parameters.yaml"
        if isinstance(parameters, str):
            path.write_text(f"{key}:\n  ros__parameters:\n    {parameters}\n")
        else:
            path.write_text(yaml.dump({key: {"ros__parameters": parameters}}))
        return ("--ros-args", "--params-file", str(path))

    return write


@pytest.fixture
def refused(domain, capfd):
    """Return a function that runs the node's main with arguments it must not accept."""

    def run(*arguments):
        handlers = {number: signal.getsignal(number) for number in (SIGINT, SIGTERM)}
        code = main(list(arguments))
        for number, handler in handlers.items():
            signal.signal(number, handler)
        out, err = capfd.readouterr()
        assert code == 2
        assert out == ""
        assert "Traceback" not in err
        (sentence,) = [line for line in err.splitlines() if line.startswith("imu_noise_node: ")]
        return sentence.removeprefix("imu_noise_node: ")

    return run


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("0", 0.0),
        ("4e-3", 4e-3),
        ("5e-06", 5e-6),
        ("'4e-3'", 4e-3),
        ("[0, 1, 1]", [0.0, 1.0, 1.0]),
        ("[0.0, 0.001, 0.001]", [0.0, 1e-3, 1e-3]),
        ("'[0, 0.001, 0.001]'", [0.0, 1e-3, 1e-3]),
        ("['0', '1e-3', '1e-3']", [0.0, 1e-3, 1e-3]),
        ("''", None),
        ("0.014 deg/s/sqrt(Hz)", 0.014 * DEGREE),
        ("'6, 12, 18 deg/sqrt(h)'", [0.1 * DEGREE, 0.2 * DEGREE, 0.3 * DEGREE]),
        ("['1 deg/s/√Hz', '0', '2 deg/s/√Hz']", [DEGREE, 0.0, 2 * DEGREE]),
        ("'[1 deg/s/sqrt(Hz), 0, 120 deg/sqrt(h)]'", [DEGREE, 0.0, 2 * DEGREE]),
    ],
)
def test_a_figure_comes_from_a_file_in_any_clothes(graph, file, text, figure):
    graph.start({}, *file(f"gyroscope.noise_density: {text}"))
    found = spec(graph).gyroscope.noise_density
    assert found == pytest.approx(figure, rel=1e-15) if figure is not None else found is None
    assert "all is at its default" not in graph.log


def test_whole_numbers_will_do(graph, file):
    graph.start({}, *file({"rate": 200, "gravity": 10, "max_gap": 1, "mount.rpy": [0, 0, 1]}))
    samples = graph.send(ticks(3))
    assert forces(samples).tolist() == [[0.0, 0.0, 10.0]] * 2
    assert graph.node._instruments[""].settings.policy.rate == 200.0


def test_figures_reach_the_samples(graph, file):
    """Two sigmas that differ by a factor of 1000, told from 200 samples each: no chance at all."""
    figures = "{noise_stddev: [0, 1, 1000]}"
    graph.start({}, *file(f"{{gyroscope: {figures}, accelerometer: {figures}}}"))
    samples = graph.send(ticks(201))
    for noise in (rates(samples), forces(samples) - [0.0, 0.0, 9.80665]):
        x, y, z = np.std(noise, axis=0)
        assert x == 0.0
        assert 0.5 < y < 2.0
        assert 500.0 < z < 2000.0


def test_a_list_that_mixes_integers_and_decimals_is_explained(refused, file):
    sentence = refused(*file("gyroscope.noise_density: [0, 0.001, 0.001]"))
    assert sentence.startswith(
        "ROS 2 refuses the arguments or a parameter file; a list must be all integers or all "
        "decimals: write 0.0, not 0, beside 0.001"
    )


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (
            "gyroscope.noise_densty: 0.001",
            "unknown parameter 'gyroscope.noise_densty'; did you mean 'gyroscope.noise_density'?",
        ),
        (
            "profle: bmi088",
            "unknown parameter 'profle'; did you mean 'profile'?",
        ),
        (
            "gyroscope.noise_density: -0.001",
            "gyroscope.noise_density = -0.001: must be a finite number, or three (x, y, z), "
            "0 or more [rad/s/sqrt(Hz)]",
        ),
        (
            "accelerometer.random_walk: .nan",
            "accelerometer.random_walk = nan: must be a finite number, or three (x, y, z), "
            "0 or more [m/s^2/s/sqrt(Hz)]",
        ),
        (
            "rate: .inf",
            "rate = inf: must be a finite number, 0 or more [Hz]",
        ),
        (
            "profile: bmi0888",
            "unknown profile 'bmi0888'; did you mean 'bmi088'?",
        ),
        (
            "profile: no/such/file.yaml",
            "file = 'no/such/file.yaml': cannot be read: No such file or directory",
        ),
        ("profile: 88", "profile = 88: must be a text"),
        (
            "gyroscope.noise_density: 60 ug/sqrt(Hz)",
            "gyroscope.noise_density = '60 ug/sqrt(Hz)': must be a number in rad/s/sqrt(Hz), "
            "deg/s/sqrt(Hz) or deg/sqrt(h)",
        ),
        (
            "rate: 200 hz",
            "rate = '200 hz': must be a number in Hz or kHz (no unit 'hz': did you mean 'Hz'?)",
        ),
        ("seed: -2", "seed = -2: must be a whole number from -1 to 9223372036854775807"),
        ("seed: 1.5", "seed = 1.5: must be a whole number from -1 to 9223372036854775807"),
        ("truth_source: lidar", "truth_source = 'lidar': must be one of odometry, imu, tf"),
        ("gyroscope: {bias_stddev: 0.1}", "gyroscope.bias_correlation_time = "),
        (
            "qos_overrides./odom.subscription.reliability: relible",
            "qos_overrides./odom.subscription.reliability = 'relible': "
            "must be one of reliable, best_effort",
        ),
    ],
)
def test_the_node_refuses_to_start_on_a_bad_parameter(refused, file, parameters, sentence):
    assert refused(*file(parameters)).startswith(sentence)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--ros-args", "--params-file", "/no/such/file.yaml"),
        ("--ros-args", "-p", "rate"),
        ("--ros-args", "-r", "odom:="),
        ("--ros-args", "--no-such-flag"),
    ],
)
def test_what_ros_refuses_is_told_in_one_sentence(refused, arguments):
    assert refused(*arguments).startswith("ROS 2 refuses the arguments or a parameter file")


def test_other_nodes_parameters_are_ignored_with_a_warning(graph, file):
    graph.start({}, *file({"robot_description": "<robot/>", "odom_frame_id": "odom", "seed": 3}))
    assert sorted(graph.warnings)[-2:] == [
        "parameter 'odom_frame_id' is not one of this node: ignored",
        "parameter 'robot_description' is not one of this node: ignored",
    ]
    assert graph.get(["seed"]) == {"seed": 3}


def test_a_file_keyed_to_another_node_is_noticed(graph, file):
    graph.start({}, *file({"profile": "bmi088"}, key="imu_nosie"), namespace="/robot1")
    assert (
        "all is at its default: if a parameter file was given, it must be keyed to '/**' or to "
        "'/robot1/imu_noise'" in graph.warnings
    )


@pytest.mark.parametrize("key", ["/**", "/robot1/imu_noise", "/robot1/**", "/*/imu_noise"])
def test_a_file_keyed_to_this_node_is_read(graph, file, key):
    graph.start({}, *file({"profile": "bmi088"}, key=key), namespace="/robot1")
    assert "all is at its default" not in graph.log
    assert spec(graph).gyroscope.noise_density == load_profile("bmi088").gyroscope.noise_density


def test_the_command_line_wins_over_the_file_and_the_file_over_the_profile(graph, file):
    arguments = file({"profile": "bmi088", "gyroscope.range": 5.0, "accelerometer.range": 100})
    graph.start({}, *arguments, "-p", "gyroscope.range:=6")
    found = spec(graph)
    assert (found.gyroscope.range, found.accelerometer.range) == (6.0, 100.0)
    assert found.gyroscope.resolution == load_profile("bmi088").gyroscope.resolution
    assert graph.get(["gyroscope.range", "gyroscope.resolution"]) == {
        "gyroscope.range": 6,
        "gyroscope.resolution": found.gyroscope.resolution,
    }


def test_a_profile_is_found_by_path(graph, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("%YAML:1.0\n---\ngyroscope: {noise_density: 4e-3}\n")
    graph.start({"profile": str(path)})
    assert spec(graph).gyroscope.noise_density == 4e-3
    assert f"gyroscope (profile {path}): noise density 0.004 rad/s/sqrt(Hz)" in graph.log


def test_a_fault_in_a_profile_is_placed(graph, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("gyroscope: {noise_density: -4e-3}\n")
    with pytest.raises(ImuNoiseError) as refusal:
        graph.start({"profile": str(path)})
    assert str(refusal.value).startswith(
        f"{path}: gyroscope: noise_density = -0.004: must be a finite number"
    )


def test_a_good_value_applies_at_once_and_the_states_go_on(graph):
    """After a change of density the turn-on bias, a state, is what it was."""
    graph.start({"gyroscope.turn_on_bias_stddev": 1.0})
    before = rates(graph.send(ticks(3)))
    assert graph.set("gyroscope.noise_density", "4e-3") == ""
    noisy = rates(graph.send(ticks(3, START + SECOND)))
    assert graph.set("gyroscope.noise_density", 0) == ""
    after = rates(graph.send(ticks(3, START + 2 * SECOND)))
    assert (before == before[0]).all()
    assert np.abs(before).min() > 1e-3
    assert (after == before[0]).all()
    assert (noisy != before[0]).all()
    assert np.abs(noisy - before[0]).max() < 0.4


def test_a_unit_can_be_given_while_running(graph):
    """A text is taken for what it says, and shown as it was given."""
    graph.start({"magnetic_field": "20, 0, -40 uT", "mount.rpy": "0 0 90 deg", "rate": "1 kHz"})
    assert graph.node._instruments[""].settings.mount.rpy == pytest.approx([0.0, 0.0, np.pi / 2])
    text = "0.014 deg/s/sqrt(Hz)"
    assert graph.set("gyroscope.noise_density", text) == ""
    assert spec(graph).gyroscope.noise_density == pytest.approx(0.014 * DEGREE, rel=1e-15)
    assert graph.get(["gyroscope.noise_density"]) == {"gyroscope.noise_density": text}
    assert graph.set("accelerometer.noise_density", "[160, 160, 190] µg/√Hz") == ""
    assert graph.set("magnetometer.turn_on_bias_stddev", ["5 mGauss", "0", "5 mGauss"]) == ""
    assert graph.set("operating_temperature", "-40, 85 degC") == ""
    assert graph.set("gyroscope.noise_density", 1e-3) == ""
    found = spec(graph)
    assert found.gyroscope.noise_density == 1e-3
    assert found.accelerometer.noise_density == pytest.approx(
        np.array([160e-6, 160e-6, 190e-6]) * 9.80665, rel=1e-15
    )
    assert found.magnetometer.turn_on_bias_stddev.tolist() == [5e-7, 0.0, 5e-7]
    assert found.operating_temperature.tolist() == [-40.0, 85.0]


def test_a_walk_goes_on_from_where_it_is_when_the_density_changes(graph):
    graph.start({"gyroscope.random_walk": 1.0})
    before = rates(graph.send(ticks(400)))
    assert np.abs(before[-1]).max() > 0.3
    assert graph.set("accelerometer.noise_density", 0.1) == ""
    (first, *_) = rates(graph.send(ticks(2, START + 4 * SECOND)))
    # One step of 10 ms has a sigma of 0.1.
    assert np.abs(first - before[-1]).max() < 0.7


REFUSED = [
    ("gyroscope.noise_density", -1e-3, "gyroscope.noise_density = -0.001: must be a finite"),
    ("gyroscope.noise_density", float("nan"), "gyroscope.noise_density = nan: must be a finite"),
    ("gyroscope.noise_density", float("inf"), "gyroscope.noise_density = inf: must be a finite"),
    ("gyroscope.noise_density", [1.0, 2.0], "gyroscope.noise_density = [1.0, 2.0]: must be a"),
    ("gyroscope.noise_density", "loud", "gyroscope.noise_density = 'loud': must be a finite"),
    ("gyroscope.noise_covariance", [1.0] * 9, "must be left out where noise_density is given"),
    ("gyroscope.noise_density", "1 g", "gyroscope.noise_density = '1 g': must be a number in rad"),
    ("gyroscope.noise_density", ["0.1", "1 deg/s/√Hz", "0"], "must have a unit with 0.1, too, as"),
    ("rate", "", "rate = '': must be a finite number, 0 or more [Hz]"),
    ("twist_frame", "map", "twist_frame = 'map': must be one of body, world, pose"),
    ("enabled", "no", "enabled = 'no': must be true or false"),
    ("seed", 3, "Trying to set a read-only parameter: seed."),
    ("profile", "bmi088", "Trying to set a read-only parameter: profile."),
    ("frame_id", "imu", "Trying to set a read-only parameter: frame_id."),
    ("truth_source", "imu", "Trying to set a read-only parameter: truth_source."),
    ("gyro.noise_density", 1, "unknown parameter 'gyro.noise_density'; did you mean 'gyro"),
    ("no_such", 1, "unknown parameter 'no_such'; known: accelerometer.bandwidth, acc"),
]


def test_bad_values_are_refused_with_the_reason_and_change_nothing(graph):
    noise = {"gyroscope.noise_density": 1e-3, "gyroscope.random_walk": 1e-3}
    other = graph.start(noise, namespace="/untouched")
    graph.start(noise)
    samples, held = graph.send(ticks(20)), spec(graph)
    values = graph.get(graph.names())
    for k, (name, value, reason) in enumerate(REFUSED):
        assert reason in graph.set(name, value)
        samples += graph.send(ticks(20, START + (k + 1) * 200 * MS))
    assert spec(graph) is held
    assert graph.get(graph.names()) == values
    # The samples are those of a node that was never asked.
    graph.node = other
    truth = ticks(20 * (1 + len(REFUSED)))
    assert samples == graph.send(truth, "/untouched/odom", "/untouched/imu/data_raw")


def test_an_implausible_density_is_taken_with_a_warning(graph):
    """At the start and while running; zero is a density like any other."""
    graph.start({"gyroscope.noise_density": [0.0, 0.5, 1e-3], "accelerometer.noise_density": 0})
    gyroscope = (
        "gyroscope.noise_density = 0.5 rad/s/sqrt(Hz) is outside 1e-08 to 0.02, where real "
        "sensors are: is the unit right?"
    )
    assert [line for line in graph.warnings if "is the unit right" in line] == [gyroscope]
    assert graph.set("accelerometer.noise_density", 160.0) == ""
    assert graph.set("rate", 100) == ""
    assert [line for line in graph.warnings if "is the unit right" in line] == [
        gyroscope,
        "accelerometer.noise_density = 160 m/s^2/sqrt(Hz) is outside 1e-07 to 0.5, where real "
        "sensors are: is the unit right?",
    ]


@pytest.mark.parametrize(("density", "warned"), [(1e-8, 0), (2e-2, 0), (2.1e-2, 1), (9e-9, 1)])
def test_plausible_densities_are_not_warned_about(graph, density, warned):
    graph.start({"gyroscope.noise_density": density})
    assert graph.log.count("is the unit right") == warned


def test_a_sensor_without_figures_is_called_perfect(graph):
    graph.start({"rate": 100})
    assert "no figure of the sensor is set, so it is perfect: set a profile" in graph.warnings
    graph.start({"accelerometer.constant_bias": 0.1}, namespace="/b")
    assert graph.log.count("so it is perfect") == 1


def test_changes_together_are_checked_as_a_whole(graph):
    graph.start()
    pair = {"gyroscope.bias_correlation_time": 10, "gyroscope.bias_stddev": 0.5}
    alone = graph.set("gyroscope.bias_stddev", 0.5)
    assert alone == (
        "gyroscope.bias_correlation_time = 0.0: must be above 0 [s] where bias_stddev is given"
    )
    assert graph.set_together({**pair, "rate": -1}) == (
        "rate = -1: must be a finite number, 0 or more [Hz]"
    )
    assert spec(graph).gyroscope.bias_correlation_time == 0.0
    assert graph.set_together(dict(reversed(pair.items()))) == ""
    assert spec(graph).gyroscope.bias_stddev == 0.5
    assert spec(graph).gyroscope.bias_correlation_time == 10.0
    assert graph.set("accelerometer.range", 20) == ""
    assert spec(graph).gyroscope.bias_stddev == 0.5
    # One by one, each is checked with what was set before it.
    assert graph.set_each({"gyroscope.bias_stddev": 0, "gyroscope.bias_correlation_time": 0}) == [
        "",
        "",
    ]


def test_a_figure_can_be_left_out_again(graph):
    graph.start({"profile": "bmi088"})
    covariance = [1e-6, 0.0, 0.0, 0.0, 1e-6, 0.0, 0.0, 0.0, 1e-6]
    assert "must be left out" in graph.set("gyroscope.noise_covariance", covariance)
    swap = {"gyroscope.noise_density": "", "gyroscope.noise_covariance": covariance}
    assert graph.set_together(swap) == ""
    assert spec(graph).gyroscope.noise_density is None
    assert spec(graph).gyroscope.noise_covariance[0, 0] == 1e-6


def test_a_parameter_cannot_be_deleted(graph):
    graph.start({"gyroscope.noise_density": 1e-3})
    names = graph.names()
    reason = graph.set("gyroscope.noise_density", None)
    assert reason == "gyroscope.noise_density cannot be deleted, only set"
    assert graph.names() == names
    assert graph.set("gyroscope.noise_density", 2e-3) == ""


def test_whoever_asks_for_all_parameters_gets_all(graph):
    """As `ros2 param dump` and rqt_reconfigure do, which see nothing if one has no value."""
    graph.start({"profile": "bmi088"})
    names = graph.names()
    assert set(catalogue()) <= set(names)
    values = graph.get(names)
    assert set(values) == set(names)
    assert values["gyroscope.noise_covariance"] == ""
    assert values["gyroscope.noise_density"] == load_profile("bmi088").gyroscope.noise_density


def test_what_is_dumped_can_be_loaded(graph, file):
    graph.start({"profile": "adis16470", "gyroscope.noise_density": [1e-3, 0.0, 2e-3], "rate": 50})
    held = graph.node._instruments[""].settings
    dumped = {
        name: list(value) if hasattr(value, "typecode") else value
        for name, value in graph.get(graph.names()).items()
    }
    graph.start({}, *file(dumped), namespace="/loaded")
    loaded = graph.node._instruments[""].settings
    for sensor, triad in held.spec.triads().items():
        for name, value in vars(triad).items():
            assert np.array_equal(getattr(loaded.spec.triads()[sensor], name), value)
    assert vars(loaded.node) == vars(held.node)
    assert loaded.policy == held.policy


def test_descriptors_say_what_a_parameter_is(graph):
    graph.start()
    described = graph.describe(graph.names())
    for name in catalogue():
        assert described[name].description
        assert described[name].additional_constraints.startswith("must be ")
        assert described[name].dynamic_typing
    density = described["accelerometer.noise_density"]
    assert density.description == (
        "white noise density (Kalibr's noise density; Allan deviation at 1 s) [m/s^2/sqrt(Hz)]"
    )
    assert density.additional_constraints == (
        "must be a finite number, or three (x, y, z), 0 or more [m/s^2/sqrt(Hz)]; "
        "empty is not given"
    )
    assert not density.read_only
    assert described["queue_depth"].integer_range[0].from_value == 1
    assert described["queue_depth"].integer_range[0].to_value == 1_000_000
    read_only = {name for name in catalogue() if described[name].read_only}
    assert read_only == {
        *("truth_source", "frame_id", "seed", "profile", "orientation", "queue_depth"),
        *("magnetic_field", "increments", "fault.schedule", "arrows", "checkpoint.path"),
        *(
            "checkpoint.resume",
            "instances",
            "tf.world_frame",
            "tf.body_frame",
            "tf.window",
            "mount.from_tf",
        ),
    }


def test_a_seed_of_minus_one_is_drawn_and_logged(graph):
    nodes = [graph.start({"seed": -1}, namespace=f"/n{k}") for k in range(3)]
    seeds = [node._instruments[""].pipeline.model.seed for node in nodes]
    # Three draws of 31 bits: two are equal by chance once in 7e8 runs.
    assert len(set(seeds)) == 3
    for k, seed in enumerate(seeds):
        assert f"truth from /n{k}/odom, seed {seed}\n" in graph.log


@pytest.mark.parametrize("seed", [0, 7, 2**63 - 1])
def test_a_seed_repeats_its_run_and_no_other(graph, seed):
    runs = []
    for name, given in (("/a", seed), ("/b", seed), ("/c", 1)):
        graph.start({"seed": given, "gyroscope.noise_density": 1e-3}, namespace=name)
        runs.append(rates(graph.send(ticks(10), f"{name}/odom", f"{name}/imu/data_raw")))
    assert (runs[0] == runs[1]).all()
    assert (runs[0] != runs[2]).all()
