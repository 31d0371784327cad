VENV := .venv
PY := $(VENV)/bin/python

# The wheels bring a whole ROS 2. One that the calling shell has sourced, or settings meant for it,
# would get between them.
unexport PYTHONPATH PYTHONHOME LD_LIBRARY_PATH AMENT_PREFIX_PATH _ROS_WHEELS_BOOTSTRAP_COMPLETE
unexport RMW_IMPLEMENTATION ROS_DISCOVERY_SERVER FASTRTPS_DEFAULT_PROFILES_FILE
unexport FASTDDS_DEFAULT_PROFILES_FILE

.PHONY: help setup demo test lint bench docs showcase

help:
	@echo 'make demo      run the node on a real ROS graph; prints a table, writes a bag and a picture'
	@echo 'make test      run the tests'
	@echo 'make lint      check style and types'
	@echo 'make bench     measure speed and memory'
	@echo 'make docs      write docs/parameters.md from the schema'
	@echo 'make showcase  draw the pictures of docs/ and README'
	@echo 'make setup     make $(VENV), which the others do by themselves'

setup: $(VENV)/.ready

demo: setup
	@$(PY) -m imu_noise_node demo

test: setup
	@$(PY) -m pytest

lint: setup
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@$(PY) -m mypy

bench: $(VENV)/.ready-bench
	@$(PY) -m benchmarks

docs: setup
	@$(PY) -m imu_noise_node.ros.reference docs/parameters.md

showcase: setup
	@$(PY) -m imu_noise_node.analysis.pictures docs/images
	@$(PY) docs/examples/why.py --picture docs/images/why.png

$(VENV)/.ready: .ci/setup .ci/constraints.txt setup.py
	@bash .ci/setup $(VENV)

$(VENV)/.ready-bench: $(VENV)/.ready
	@$(PY) -m pip install --quiet --no-build-isolation --constraint .ci/constraints.txt --editable '.[bench]'
	@touch $@
