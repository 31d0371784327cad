VENV := .venv
PY := $(VENV)/bin/python
# The ROS 2 whose wheels .venv gets, and the tests to run; empty is all.
DISTRO := jazzy
TESTS :=

# The wheels bring a whole ROS 2. One that the calling shell has sourced, or settings meant for it,
# would get between them.
unexport PYTHONPATH PYTHONHOME LD_LIBRARY_PATH AMENT_PREFIX_PATH _ROS_WHEELS_BOOTSTRAP_COMPLETE
unexport RMW_IMPLEMENTATION ROS_DISCOVERY_SERVER FASTRTPS_DEFAULT_PROFILES_FILE
unexport FASTDDS_DEFAULT_PROFILES_FILE

.PHONY: help setup demo test test-all coverage lint bench docs showcase

help:
	@echo 'make demo      run the node on a real ROS graph; prints a table, writes a bag and a picture'
	@echo 'make test      run the tests, or some: make test TESTS=test/motion'
	@echo 'make lint      check style, types and that nothing is left unused'
	@echo 'make bench     measure speed and memory'
	@echo 'make docs      write docs/parameters.md from the schema'
	@echo 'make showcase  draw the pictures of docs/ and README'
	@echo 'make setup     make $(VENV), which the others do by themselves'
	@echo 'make test-all  the tests on Python 3.10 to 3.13, with Jazzy and with Kilted; an hour or two'
	@echo 'make coverage  which lines the tests run, child processes included'

setup: $(VENV)/.ready

demo: setup
	@$(PY) -m imu_noise_node demo

test: setup
	@$(PY) -m pytest --numprocesses auto --dist loadfile $(TESTS)

test-all:
	@bash .ci/test-all $(TESTS)

coverage: setup
	@$(PY) -m coverage erase
	@$(PY) -m coverage run -m pytest --numprocesses auto --dist loadfile $(TESTS)
	@$(PY) -m coverage combine --quiet
	@$(PY) -m coverage report

lint: setup
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@$(PY) -m mypy
	@$(PY) -m vulture --config .vulture.toml

bench: $(VENV)/.ready-bench
	@$(PY) -m benchmarks

docs: setup
	@$(PY) -m imu_noise_node.ros.reference docs/parameters.md

showcase: setup
	@$(PY) -m imu_noise_node.analysis.pictures docs/images
	@$(PY) docs/examples/why.py --picture docs/images/why.png

$(VENV)/.ready: .ci/setup .ci/constraints.txt .ci/ros-$(DISTRO).txt setup.py
	@bash .ci/setup $(VENV) $(DISTRO)

$(VENV)/.ready-bench: $(VENV)/.ready
	@$(PY) -m pip install --quiet --no-build-isolation --constraint .ci/constraints.txt --editable '.[bench]'
	@touch $@
