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

"""Text tables of all kinds come out the same; what is wrong is said with line and column."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from imu_noise_node.errors import InputError, ParameterError, UnknownNameError
from imu_noise_node.recordings.reading import read_imu, read_pressure

G = 9.80665
COUNT = 20
STAMPS = 1_700_000_000_000_000_000 + 2_500_000 * np.arange(COUNT)
VALUES = np.arange(6.0)[:, None] + np.arange(COUNT) / 8.0

NAMES = "time,gx,gy,gz,ax,ay,az"


def table(header: str = NAMES, scale: float = 1.0, times=STAMPS) -> str:
    """Return the readings as text, the time as `times` has it."""
    rows = (
        ",".join([str(time), *(repr(value * scale) for value in row)])
        for time, row in zip(times, VALUES.T.tolist(), strict=True)
    )
    return "\n".join([header, *rows, ""])


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a text, or bytes, as a file."""

    def read(content: str | bytes, **options):
        path = tmp_path / "log.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_imu(path, **options)

    return read


def same(record, values=VALUES) -> bool:
    return np.array_equal(record.stamps, STAMPS) and np.allclose(record.values, values, 1e-15)


HEADERS = {
    "EuRoC": "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],"
    "a_RS_S_x [m s^-2],a_RS_S_y [m s^-2],a_RS_S_z [m s^-2]",
    "plain": NAMES,
    "kalibr": "timestamp,omega_x,omega_y,omega_z,alpha,a_x,a_y,a_z".replace("alpha,", ""),
    "camel": "timestamp,gyroX,gyroY,gyroZ,accelX,accelY,accelZ",
    "long": "t,angular_velocity.x,angular_velocity.y,angular_velocity.z,"
    "linear_acceleration.x,linear_acceleration.y,linear_acceleration.z",
    "plotjuggler": "__time,/imu/angular_velocity/x,/imu/angular_velocity/y,"
    "/imu/angular_velocity/z,/imu/linear_acceleration/x,/imu/linear_acceleration/y,"
    "/imu/linear_acceleration/z",
    "quoted": '"Time (ns)","Gyroscope x (rad/s)","Gyroscope y (rad/s)","Gyroscope z (rad/s)",'
    '"Acceleration x (m/s^2)","Acceleration y (m/s^2)","Acceleration z (m/s^2)"',
    "unit in the name": "stamp_ns,wx,wy,wz,acc_x,acc_y,acc_z",
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_usual_names_are_understood(read, header):
    assert same(read(table(header)))


@pytest.mark.parametrize("sign", [";", "\t", " ", "   ", " , "])
def test_columns_may_be_separated_by_anything(read, sign):
    assert same(read(table().replace(",", sign)))


LAYOUTS = {
    "mark": lambda text: "\ufeff" + text,
    "windows": lambda text: text.replace("\n", "\r\n"),
    "old mac": lambda text: text.replace("\n", "\r"),
    "blank lines": lambda text: "\n\n" + text.replace("\n", "\n  \n"),
    "comments": lambda text: "# Recorded on a table, at night.\n#\n" + text + "# the end\n",
    "commented header": lambda text: "#" + text,
    "last separator": lambda text: text.replace("\n", ",\n"),
    "no last line end": lambda text: text.rstrip(),
    "title": lambda text: "Run 7 of 12 at night\n" + text,
}


@pytest.mark.parametrize("laid_out", LAYOUTS.values(), ids=LAYOUTS)
def test_the_layout_does_not_matter(read, laid_out):
    assert same(read(laid_out(table())))


def test_gzipped_text_is_read_under_any_name(read):
    assert same(read(gzip.compress(table().encode())))


@pytest.mark.parametrize(("unit", "power"), [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)])
def test_stamps_are_exact_in_any_unit(read, unit, power):
    digits = [str(stamp + 123) for stamp in STAMPS]
    times = [f"{d[: len(d) - power]}.{d[len(d) - power :]}" if power else d for d in digits]
    record = read(table(times=times))
    assert np.array_equal(record.stamps, STAMPS + 123)


def test_rostopic_has_two_times_and_the_headers_is_the_one(read):
    prefix = "field.angular_velocity", "field.linear_acceleration"
    axes = ",".join(f"{name}.{axis}" for name in prefix for axis in "xyz")
    header = f"%time,field.header.seq,field.header.stamp,field.header.frame_id,{axes}"
    rows = table().splitlines()[1:]
    lines = [header]
    for k, row in enumerate(rows):
        stamp, rest = row.split(",", 1)
        lines.append(f"{int(stamp) + 4_000_000},{k},{stamp},imu_link,{rest}")
    assert same(read("\n".join(lines)))


def test_the_sensorstream_app_has_no_header(read):
    order = VALUES[[3, 4, 5, 0, 1, 2]].T.tolist()
    rows = [
        f"{stamp / 1e9:.9f}, 3, {a}, {b}, {c}, 4, {d}, {e}, {f}, 5, -6.7,-15.9, 14.1"
        for stamp, (a, b, c, d, e, f) in zip(
            range(0, COUNT * 2_500_000, 2_500_000), order, strict=True
        )
    ]
    record = read("\n".join(rows))
    assert np.array_equal(record.stamps, STAMPS - STAMPS[0])
    assert np.array_equal(record.values, VALUES)


def test_columns_are_named_by_number_where_there_is_no_header(read):
    columns = {"t": "1", "ax": "5", "ay": "6", "az": "7"}
    record = read(table().split("\n", 1)[1], columns=columns)
    assert np.isnan(record.values[:3]).all()
    assert np.array_equal(record.values[3:], VALUES[3:])
    assert not record.has_gyroscope
    assert record.has_accelerometer


def test_rows_may_have_more_columns_than_the_header_has_names(read):
    columns = {"t": "1", "ax": "5", "ay": "6", "az": "7"}
    record = read("time,left\n" + table().split("\n", 1)[1], columns=columns)
    assert np.array_equal(record.values[3:], VALUES[3:])


def test_columns_that_are_named_go_before_those_that_are_found(read):
    header = "when,time,gx,gy,gz,ax,ay,az"
    text = "\n".join(f"{line.split(',')[0]},{line}" for line in table().splitlines()[1:])
    record = read(f"{header}\n{text}\n", columns={"t": "when", "wx": "az", "wz": "3"})
    assert np.array_equal(record.values[[0, 2]], VALUES[[5, 0]])


@pytest.mark.parametrize(
    ("header", "options"),
    [
        (NAMES, {"gyroscope_unit": "deg/s", "accelerometer_unit": "g"}),
        ("t,gx [deg/s],gy [deg/s],gz [deg/s],ax (g),ay (g),az (g)", {}),
        (
            "t,gx [rad/s],gy,gz,ax,ay,az",
            {"gyroscope_unit": "1 deg/s", "accelerometer_unit": "1 g"},
        ),
    ],
)
def test_units_come_from_the_header_or_are_given(read, header, options):
    scale = np.repeat([np.pi / 180.0, G], 3)[:, None]
    assert same(read(table(header), **options), VALUES * scale)


def test_counts_are_given_what_one_is_worth(read):
    record = read(table(), gyroscope_unit="0.05 deg/s", accelerometer_unit="0.00333 g")
    np.testing.assert_allclose(record.values[:3], VALUES[:3] * 0.05 * np.pi / 180.0, rtol=1e-14)
    np.testing.assert_allclose(record.values[3:], VALUES[3:] * 0.00333 * G, rtol=1e-14)


def test_values_that_are_no_numbers_are_left_for_the_reader_to_judge(read):
    record = read(table().replace(",1.0,", ",nan,", 1))
    assert np.isnan(record.values).sum() == 1


def broken(line: int, column: int, cell: str) -> str:
    lines = table().splitlines()
    cells = lines[line - 1].split(",")
    cells[column - 1] = cell
    return "\n".join([*lines[: line - 1], ",".join(cells), *lines[line:]])


WRONG = {
    "text": (
        broken(12, 4, "abc"),
        r"line 12 of .*log.csv, column 4 \(gz\) = 'abc': must be a num",
    ),
    "first row": (broken(2, 7, "x"), r"line 2 of .*column 7 \(az\) = 'x'"),
    "empty cell": (broken(21, 2, ""), r"line 21 of .*column 2 \(gx\) = ''"),
    "decimal comma": (broken(5, 2, "1;5"), r"line 5 of .*column 2 \(gx\) = '1;5'"),
    "no time": (broken(9, 1, "nan"), r"line 9 of .*column 1 \(time\) = 'nan': must be a time"),
    "short row": ("\n".join(table().splitlines()[:-1]) + "\n5,1", "line 21 of .*has 2 columns"),
    "cut": (table()[:-14], "line 21 of .* has . columns where 7 are needed"),
    "header only": (NAMES, "has no rows of numbers"),
    "comments only": ("# a\n# b\n", "has no rows of numbers"),
    "blank": ("\n\n\n", "has no rows of numbers"),
    "empty": ("", "is empty"),
    "html": ("<html><body>Not found</body></html>", "has no rows of numbers"),
    "binary": (bytes(range(256)), "is neither a bag nor npz nor UTF-8 text"),
    "latin": ("t,gx (°/s)\n".encode("latin-1"), "is neither a bag nor npz nor UTF-8 text"),
    "half gzip": (gzip.compress(table().encode())[:-20], "truncated: its gzip data end too early"),
    "damaged gzip": (gzip.compress(b"a" * 999)[:-8] + b"12345678", "damaged: its gzip data are"),
    "no header": (
        table().split("\n", 1)[1],
        "which column is t, the time; it has 7 columns and no",
    ),
    "no time column": (table("a,gx,gy,gz,ax,ay,az"), "t, the time; it has: a, gx, gy"),
    "no sensor": (table("t,a,b,c,d,e,f"), "of a gyroscope or an accelerometer; it has: t, a"),
    "half a sensor": (table("t,gx,gy,c,ax,ay,az"), "wz, gyroscope z; it has: t, gx"),
    "two of a kind": (
        table("t,gx,gyro_x,gz,ax,ay,az"),
        "several columns for wx: gx, gyro_x; name",
    ),
    "1 kHz or 1 Hz": (table(times=range(COUNT)), "has stamps 1 apart: are these ms or s"),
}


@pytest.mark.parametrize(("content", "sentence"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_file_is_one_sentence(read, content, sentence):
    with pytest.raises(InputError, match=sentence):
        read(content)


@pytest.mark.parametrize(
    ("options", "kind", "sentence"),
    [
        ({"columns": {"gyro_x": "gx"}}, UnknownNameError, "unknown column 'gyro_x'; known: ax"),
        (
            {"columns": {"t": "when"}},
            InputError,
            "column t = 'when': is not in .*it has: time, gx",
        ),
        ({"columns": {"wx": "8"}}, InputError, "column wx = '8': is not in"),
        ({"columns": {"wx": "9" * 5000}}, InputError, r"column wx = '9+\.\.\.9+': is not in"),
        ({"stamp_unit": "min"}, ParameterError, "must be ns, us, ms or s"),
        (
            {"gyroscope_unit": "furlong"},
            ParameterError,
            "gyroscope_unit = 'furlong': must be a unit",
        ),
        ({"gyroscope_unit": "g"}, ParameterError, "must be a unit, as deg/s or deg/h"),
        ({"accelerometer_unit": "-1 g"}, ParameterError, "must be positive"),
        ({"topic": "/imu"}, InputError, "only bags have topics"),
    ],
)
def test_what_is_wrong_with_the_options_is_one_sentence(read, options, kind, sentence):
    with pytest.raises(kind, match=sentence):
        read(table(), **options)


def test_a_unit_that_the_header_makes_up_is_said_to_be_the_files(read):
    with pytest.raises(ParameterError, match="the file's unit of wx = 'foo'"):
        read(table("t,gx [foo],gy,gz,ax,ay,az"))


@pytest.mark.parametrize("path", ["/nowhere/log.csv", "/dev/null"])
def test_what_is_no_file_is_said_to_be_none(path):
    with pytest.raises(InputError, match=r"does not exist|is not a file"):
        read_imu(Path(path))


@pytest.mark.parametrize(
    ("header", "scale"), [("t,pressure", 1.0), ("t,baro (hPa)", 100.0), ("t,Pressure [kPa]", 1e3)]
)
def test_a_pressure_is_read_in_pascal(tmp_path, header, scale):
    path = tmp_path / "baro.csv"
    path.write_text(f"{header}\n0.00,101.5\n0.02,101.25\n")
    stamps, pressures = read_pressure(path)
    assert stamps.tolist() == [0, 20_000_000]
    assert pressures.tolist() == [101.5 * scale, 101.25 * scale]


def test_a_table_without_pressure_has_none(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(table())
    assert read_pressure(path) is None


def test_a_pressure_in_an_odd_unit_is_refused(tmp_path):
    path = tmp_path / "baro.csv"
    path.write_text("t,pressure (psi)\n0.00,14.7\n0.02,14.7\n")
    with pytest.raises(InputError, match="has pressures in psi, not in Pa, hPa or kPa"):
        read_pressure(path)
