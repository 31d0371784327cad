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

import pytest

pytest.importorskip("rclpy", reason="needs ROS 2: rclpy is not installed")

from imu_noise_node.ros.outbox import Outbox


class Publisher:
    def __init__(self, name, heard):
        self._name, self._heard = name, heard

    def publish(self, message):
        self._heard.append((self._name, message))


def publishers():
    heard = []
    return Publisher("a", heard), Publisher("b", heard), heard


def test_without_a_block_all_goes_out_at_once():
    a, _, heard = publishers()
    Outbox().send(a, 1)
    assert heard == [("a", 1)]


def test_a_block_publishes_at_its_end_and_in_order():
    a, b, heard = publishers()
    outbox = Outbox()
    for _ in range(2):
        heard.clear()
        with outbox:
            outbox.send(a, 1)
            outbox.send(b, 2)
            outbox.send(a, 3)
            assert heard == []
        assert heard == [("a", 1), ("b", 2), ("a", 3)]
    outbox.send(b, 4)
    assert heard[3:] == [("b", 4)]


def send_and_fail(outbox, publisher):
    with outbox:
        outbox.send(publisher, 1)
        raise RuntimeError


def test_a_block_that_fails_publishes_what_was_sent_before():
    a, _, heard = publishers()
    outbox = Outbox()
    with pytest.raises(RuntimeError):
        send_and_fail(outbox, a)
    assert heard == [("a", 1)]
    outbox.send(a, 2)
    assert heard == [("a", 1), ("a", 2)]
