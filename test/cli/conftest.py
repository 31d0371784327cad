"""What the tests of the tools share."""

import pytest

from imu_noise_node import cli


@pytest.fixture
def tool(capsys):
    """Return a function that runs `profile` and returns code, output and error output."""

    def tool(*arguments):
        code = cli.run(["profile", *map(str, arguments)], "prog")
        return code, *capsys.readouterr()

    return tool
