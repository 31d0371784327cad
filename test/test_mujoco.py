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

"""The MuJoCo example: its engine against our motion, its script beside the node, its page."""

from __future__ import annotations

import importlib.util
import re
import runpy
import shlex
import signal
import sys
from pathlib import Path
from subprocess import PIPE
from types import SimpleNamespace

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuSpec
from imu_noise_node.motion.intervals import TimePolicy
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.motion.rotations import conjugate, cross, rotate
from imu_noise_node.pipeline import Pipeline
from imu_noise_node.samples import Truth

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "docs" / "examples" / "mujoco_robot.py"
PAGE = (ROOT / "docs" / "mujoco.md").read_text(encoding="utf-8")
NODE = ("-m", "imu_noise_node.ros.node", "--ros-args", "-p", "use_sim_time:=true")

TIMESTEP = 0.0005
DURATION = 4.0
G = 9.80665
MOUNT = Mount(translation=(0.12, -0.05, 0.2), rpy=(0.1, -0.2, 1.0))


@pytest.fixture(scope="module")
def mujoco():
    return pytest.importorskip("mujoco", reason="needs MuJoCo: pip install mujoco")


@pytest.fixture(scope="module")
def example(mujoco):
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("mujoco_robot", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def quadrotor(mujoco, example):
    """Return the engine with the model of the example, at its start."""
    return example.Engine(mujoco.MjModel.from_xml_path(str(example.QUADROTOR)))


@pytest.fixture(scope="module")
def run(mujoco, example):
    """Return the run of the quadrotor."""
    # Before, the attitude that RK4 gives was right to second order of its step only.
    pytest.importorskip("mujoco", minversion="4.0")
    return recorded(example, mujoco.MjModel.from_xml_path(str(example.QUADROTOR)))


def recorded(example, model):
    """Return what the engine says at every step: the truth, and the readings of its sensors.

    The steps are half those of the example, so that an interval at 200 Hz has an even number.
    """
    model.opt.timestep = TIMESTEP
    engine = example.Engine(model)
    truth, readings = [Truth(0, *map(tuple, engine.odometry()))], [engine.readings()]
    for _ in range(round(DURATION / TIMESTEP)):
        engine.advance(1)
        truth.append(Truth(engine.stamp, *map(tuple, engine.odometry())))
        readings.append(engine.readings())
    return SimpleNamespace(truth=truth, readings=np.array(readings))


def simpson(readings):
    """Return the mean; a point value of the engine at each end of every step."""
    inner = 4.0 * readings[1:-1:2].sum(axis=0) + 2.0 * readings[2:-1:2].sum(axis=0)
    return (readings[0] + inner + readings[-1]) / (3.0 * (len(readings) - 1))


def read_by_the_engine(run, steps):
    """Return the mean readings over the intervals that our output has, (n, 6)."""
    ends = range(2 * steps, len(run.readings), steps)
    return np.array([simpson(run.readings[end - steps : end + 1]) for end in ends])


def ours(run, steps, mount=MOUNT):
    """Return the noise-free output of the pipeline, (n, 6); stamp 0 is no time, so one less."""
    warnings = []
    kinematics = PoseKinematics(mount, G, "body", 0.5, warnings.append)
    pipeline = Pipeline(TimePolicy(), kinematics, ImuModel(ImuSpec()), warnings.append)
    samples = [pipeline.feed(truth) for truth in run.truth[steps::steps]]
    assert warnings == []
    assert samples[0] is None
    assert [s.stamp for s in samples[1:]] == [t.stamp for t in run.truth[2 * steps :: steps]]
    return np.array([s.measurement.values for s in samples[1:]])


def derivatives(values, count):
    """Return the values at every step and so many derivatives by time of them."""
    found = [values]
    for _ in range(count):
        found.append(np.gradient(found[-1], TIMESTEP, axis=0))
    return found


def size(vectors):
    return np.linalg.norm(vectors, axis=-1)


def promised(run, dt):
    """Return how far rate and force may be off by the formulas of `motion.kinematics`, per step.

    These are the sizes of the first terms that the formulas leave out, worked out with the
    sensor's true rate w, its specific force f and F, the same in the axes of the world. Rate, of
    order dt^4: what a rotation vector has beyond dt^3 (Magnus), less dt/12 (w0 x w1). Force, of
    order dt^3: slope and force are taken half an interval before the middle.
    """
    w, w1, w2, w3 = (size(x) for x in derivatives(run.readings[:, :3], 3))
    attitudes = [MOUNT.turned(truth.orientation) for truth in run.truth]
    forces = run.readings[:, 3:].tolist()
    world = np.array([rotate(q, f) for q, f in zip(attitudes, forces, strict=True)])
    f, f1, f2 = (size(x) for x in derivatives(world, 2))
    turns = w1 * w2 / 120 + (w * w3 + w**2 * w2 + w**3 * w1) / 720 + w * w1**2 / 240
    return dt**4 * turns, dt**3 / 24 * (w * f2 + w1 * w * f + w**2 * f1)


def errors(found, expected):
    """Return the sizes of the errors of rate and force, from the third interval on.

    The first two lack the interval before.
    """
    off = (found - expected)[2:]
    return size(off[:, :3]), size(off[:, 3:])


@pytest.mark.parametrize("rate", [100, 200])
def test_the_noise_free_output_is_what_the_engine_reads(run, rate):
    steps = round(1.0 / rate / TIMESTEP)
    found = errors(ours(run, steps), read_by_the_engine(run, steps))
    middles = slice(3 * steps + steps // 2, None, steps)
    for error, bound in zip(found, promised(run, 1.0 / rate), strict=True):
        # A tenth for the terms of the next order.
        assert (error <= 1.1 * bound[middles]).all()


def rms(error):
    """Return the root of the mean square."""
    return np.sqrt(np.mean(error**2))


@pytest.fixture(scope="module")
def figures(run):
    """Return the RMS errors at 100 and at 200 Hz, by what has been done."""
    found = {"rate": [], "force": [], "no lever": [], "by start": []}
    for steps in (round(0.01 / TIMESTEP), round(0.005 / TIMESTEP)):
        expected = read_by_the_engine(run, steps)
        rate, force = errors(ours(run, steps), expected)
        found["rate"].append(rms(rate))
        found["force"].append(rms(force))
        elsewhere = ours(run, steps, Mount(rpy=MOUNT.rpy))
        found["no lever"].append(rms(errors(elsewhere, expected)[1]))
        found["by start"].append(rms(size(turned_by_the_start(run, steps) - expected[:, 3:])[2:]))
    return found


def turned_by_the_start(run, steps):
    """Return the force as the change of velocity gives it in the axes at the start, (n, 3)."""
    dt = steps * TIMESTEP
    velocities, attitudes = [], []
    for truth in run.truth[steps::steps]:
        turning = cross(truth.angular_velocity, MOUNT.lever)
        own = tuple(a + b for a, b in zip(truth.velocity, turning, strict=True))
        velocities.append(rotate(truth.orientation, own))
        attitudes.append(MOUNT.turned(truth.orientation))
    forces = np.diff(velocities, axis=0) / dt + [0.0, 0.0, G]
    pairs = zip(attitudes[:-1], forces.tolist(), strict=True)
    return np.array([rotate(conjugate(q), force) for q, force in pairs])


def test_half_the_interval_is_an_eighth_and_a_sixteenth_of_the_error(figures):
    (slow, fast), (slow_force, fast_force) = figures["rate"], figures["force"]
    assert slow < 2e-8
    assert slow_force < 1e-5
    assert slow / fast > 14
    assert slow_force / fast_force > 7


@pytest.mark.parametrize("mistake", ["no lever", "by start"])
def test_a_mistake_is_larger_by_orders(figures, mistake):
    for wrong, right in zip(figures[mistake], figures["force"], strict=True):
        assert wrong > 1e4 * right


def test_the_page_has_these_figures(figures):
    def row(name, figure, unit):
        slow, fast = (f"{x:.2g}".replace("e-0", "e-") for x in figures[figure])
        return f"| {name} | {slow} {unit} | {fast} {unit} |"

    assert row("angular rate", "rate", "rad/s") in PAGE
    assert row("specific force", "force", "m/s²") in PAGE
    assert row("specific force, lever arm left out", "no lever", "m/s²") in PAGE
    start = "specific force, turned by the attitude at the start of the interval"
    assert row(start, "by start", "m/s²") in PAGE


def test_the_means_of_the_script_are_those_of_finer_steps(quadrotor, run):
    found = np.array([quadrotor.advance(5) for _ in range(round(DURATION / 0.005))])[1:]
    off = found - read_by_the_engine(run, round(0.005 / TIMESTEP))
    # By the trapezoidal rule, timestep^2/12 times the second derivative.
    for sensor in (slice(0, 3), slice(3, 6)):
        second = size(derivatives(run.readings[:, sensor], 2)[2]).max()
        assert size(off[:, sensor]).max() <= 1.1 * 1e-6 / 12 * second


def test_the_odometry_is_the_free_joint_of_the_body(quadrotor):
    quadrotor.advance(1234)
    position, orientation, velocity, rate = quadrotor.odometry()
    data = quadrotor.data
    np.testing.assert_allclose(position, data.qpos[:3], atol=1e-15)
    np.testing.assert_allclose(orientation, data.qpos[[4, 5, 6, 3]], atol=1e-15)
    np.testing.assert_allclose(rotate(orientation, velocity), data.qvel[:3], atol=1e-14)
    np.testing.assert_allclose(rate, data.qvel[3:], atol=1e-14)
    assert size(np.subtract(velocity, data.qvel[:3])) > 0.01


def test_without_mujoco_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(SystemExit, match="pip install mujoco"):
        runpy.run_path(str(SCRIPT))


@pytest.fixture
def peer(domain, capfd):
    """Return a Graph without a node; node and script are other processes."""
    from graph import Graph

    graph = Graph(domain, lambda: capfd.readouterr().err)
    yield graph
    graph.close()


@pytest.fixture
def simulate(example, start):
    """Return a function that starts the script."""
    return lambda *options: start(sys.executable, SCRIPT, *options, stdout=PIPE, stderr=PIPE)


def test_beside_the_node(peer, start, simulate, quadrotor):
    from graph import MS, SECOND, DiagnosticArray, forces, rates, stamps

    start(*NODE, *shlex.split(quadrotor.parameters()))
    heard = peer.hear("/imu/data_raw")
    reports = peer.hear("/diagnostics", DiagnosticArray)
    script = simulate("--rate", "200", "--duration", "2", "--real-time-factor", "5")
    peer.until(lambda: script.poll() is not None, "the script to end")
    assert script.communicate()[0].splitlines()[-1] == "2 s simulated"
    assert script.returncode == 0
    peer.until(lambda: len(heard) >= 399, "all samples")

    _, values = peer.diagnostics()
    counts = {name: values[name] for name in ("received", "baseline", "samples")}
    assert counts == {"received": "400", "baseline": "1", "samples": "399"}
    assert values["lost by the middleware"] == "0"
    # The node's clock is where /clock has left it.
    assert stamps(reports)[-1] == 2 * SECOND

    captures = [5 * MS * k for k in range(2, 401)]
    assert stamps(heard) == captures
    means = np.array([quadrotor.advance(5) for _ in range(400)])
    assert np.abs(rates(heard) - means[1:, :3])[2:].max() < 1e-5
    assert np.abs(forces(heard) - means[1:, 3:])[2:].max() < 1e-4


def test_ctrl_c_while_it_waits(simulate):
    script = simulate()
    assert script.stdout.readline().startswith("The node needs: -p use_sim_time:=true -p mount")
    script.send_signal(signal.SIGINT)
    out, err = script.communicate(timeout=30)
    assert (script.returncode, out, err) == (0, "0 s simulated\n", "")


def test_ctrl_c_while_it_publishes(peer, simulate, quadrotor):
    from graph import MS, Imu, Odometry, forces, rates, stamps

    heard, read = [], []
    peer.peer.create_subscription(Odometry, "/truth", heard.append, 10_000)
    peer.peer.create_subscription(Imu, "/imu/engine", read.append, 10_000)
    script = simulate("--rate", "1000", "--ros-args", "-r", "odom:=truth")
    peer.until(lambda: len(heard) > 200 and len(read) > 200, "the engine's words")
    script.send_signal(signal.SIGINT)
    out, err = script.communicate(timeout=30)
    assert (script.returncode, err) == (0, "")
    assert re.fullmatch(r"\d+\.?\d* s simulated", out.splitlines()[-1])

    # Those that came before the two processes had found each other are missing.
    means, odometry = [], []
    for _ in range(max(stamps([heard[-1], read[-1]])) // MS):
        means.append(quadrotor.advance(1))
        odometry.append(quadrotor.odometry())
    told = np.hstack([rates(read), forces(read)])
    assert np.array_equal(told, [means[stamp // MS - 1] for stamp in stamps(read)])
    for message, stamp in zip(heard, stamps(heard), strict=True):
        pose, twist = message.pose.pose, message.twist.twist
        fields = (pose.position, pose.orientation, twist.linear, twist.angular)
        for field, values in zip(fields, odometry[stamp // MS - 1], strict=True):
            assert [getattr(field, name) for name in "xyzw"[: len(values)]] == values
    assert (heard[0].header.frame_id, heard[0].child_frame_id) == ("odom", "base_link")
    assert read[0].orientation_covariance[0] == -1.0


def joined(text):
    """Return the text in one line."""
    return " ".join(text.replace("\\\n", " ").split())


def blocks(kind):
    """Return the page's blocks of this kind, each in one line."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [joined(content) for other, content in found if other == kind]


def test_page_and_script_give_the_node_what_it_needs(quadrotor):
    needed = quadrotor.parameters().removesuffix(f" -p gravity:={G}")
    options = f"--ros-args -p use_sim_time:=true -p profile:=bmi088 {needed}"
    node = f"ros2 run imu_noise imu_noise_node {options}"
    (script,) = (block for block in blocks("") if "--duration" in block)
    assert node in blocks("")
    assert f"{node} {script}" in joined(runpy.run_path(str(SCRIPT))["__doc__"])


def test_the_script_takes_the_options_of_the_page(simulate):
    commands = [block.split() for block in blocks("") if str(SCRIPT.relative_to(ROOT)) in block]
    assert len(commands) == 2
    for command in commands:
        # What it does not know it would refuse before it looks at the rate.
        script = simulate(*command[2:], "--rate", "0")
        assert "must be above 0" in script.communicate(timeout=30)[1]


def test_the_robot_of_the_page(mujoco, example):
    (robot,) = blocks("xml")
    model = mujoco.MjModel.from_xml_string(robot)
    needed = example.Engine(model).parameters()
    assert f"The node needs: -p use_sim_time:=true {needed}" in blocks("")
    run = recorded(example, model)
    mount = Mount(translation=(0.0, 0.0, -1.0), rpy=(0.0, 0.0, 1.5))
    rate, force = errors(ours(run, 10, mount), read_by_the_engine(run, 10))
    assert run.readings[:, 3:].max() > 9.0
    assert rate.max() < 1e-9
    assert force.max() < 1e-6


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--rate", "300"], "--rate: 1/300 s is not a number of timesteps of the model"),
        (["--duration", "nan"], "--rate, --duration and --real-time-factor must be above 0"),
        (["--rate", "0"], "--rate, --duration and --real-time-factor must be above 0"),
        (["--model", "nowhere.xml"], "nowhere.xml"),
    ],
)
def test_bad_options_are_exit_code_2(simulate, options, sentence):
    script = simulate(*options)
    _, err = script.communicate(timeout=30)
    assert script.returncode == 2
    assert sentence in err.splitlines()[-1]
    assert "Traceback" not in err
