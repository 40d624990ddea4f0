# `make lab` and `make test` do all the set-up on a fresh machine. PYTHON chooses another interpreter (3.11 or newer).
# LOCK= (empty) installs the newest versions that pyproject.toml admits, in place of those in constraints.txt.
PYTHON ?= python3
VENV   ?= .venv
LOCK   ?= constraints.txt
RUN    := $(VENV)/bin/python
READY  := $(VENV)/.ready-dev
LAB    := $(VENV)/.ready-lab

# tests/budget.py keeps the time; nbval, which is for notebooks alone, would look at every file
PYTEST := $(RUN) -m pytest -p tests.budget -p no:nbval
TWO    := -n 2 --dist loadfile --no-loadscope-reorder

.PHONY: lab test check test-slow notebooks site slides print experiments checkpoints bench gpu lint unit smoke pages corpora wheel lock newest clean

lab: $(LAB)            ## open the course in JupyterLab
	-$(VENV)/bin/lmcourse data fetch --optional shakespeare
	$(VENV)/bin/lmcourse lab $(LAB_OPTIONS)

test: $(READY) corpora ## everything that CI runs: at most a quarter of an hour on two cores
	$(RUN) -m tools.measured $(MAKE) --no-print-directory lint unit smoke

check: lint            ## lint and the quick tests, for every day (under 3 minutes)
	$(PYTEST) -q $(TWO) --quick 150 -m "not slow and not browser and not network and not gpu" tests

test-slow: $(READY) corpora   ## what takes longer, the oldest first; OLDEST=30m: for so long
	$(PYTEST) -p tests.unchanged --oldest $(or $(OLDEST),all) -m "slow" tests

lint: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

unit: $(READY)         ## all tests that are not slow, and half a minute of those that are; RECORD=--record: durations
	$(PYTEST) -p tests.unchanged $(TWO) --oldest 30s $(RECORD) -m "not gpu" tests

smoke: $(READY)        ## every chapter and solution through nbval with short runs, network cut off; two chapters as below
	$(RUN) -m tools.pages --daily

pages: $(READY)        ## every chapter and solution in full, every claim broken once
	$(RUN) -m tools.pages

notebooks: $(READY)    ## build the notebooks whose text changed (FORCE=1: all)
	$(RUN) -m tools.notebooks $(if $(FORCE),--force) $(CHAPTERS)

site: $(READY)         ## the course as web pages, in build/site/html
	$(RUN) -m tools.site

slides: $(READY)       ## a lecture of each chapter, in build/slides
	$(RUN) -m tools.slides

print: site            ## the chapters and the whole course as PDF, in build/print; needs Chromium
	$(RUN) -m tools.printed

experiments: $(READY)  ## recorded runs that the chapters draw from (NAME=gpt-parts: that one; `python -m experiments --list`)
	$(RUN) -m experiments $(or $(NAME),--all experiment)

checkpoints: $(READY)  ## models trained longer than a page can wait (NAME=checkpoints/gpt: that one)
	$(RUN) -m experiments $(or $(NAME),--all checkpoint)

bench: $(READY)        ## this library beside its peers; the figures that chapters quote (NAME=bpe: that one)
	$(RUN) -m experiments $(or $(NAME),--all benchmark)

gpu: $(READY)          ## tests that need CUDA
	$(RUN) -m pytest -m gpu tests

corpora: $(READY)
	-$(VENV)/bin/lmcourse data fetch --optional shakespeare gpt2-merges ratings word-vectors \
		interface-en-de interface-en-fr interface-en-es smollm2 minilm

wheel: $(READY)
	$(RUN) -m build --wheel --no-isolation

$(LAB): pyproject.toml $(LOCK)
	@$(PYTHON) tools/set_up.py --venv $(VENV) --lock "$(LOCK)" lab
	@touch $@

$(READY): pyproject.toml $(LOCK)
	@$(PYTHON) tools/set_up.py --venv $(VENV) --lock "$(LOCK)" dev
	@touch $@ $(LAB)

lock: $(READY)         ## constraints.txt anew, for every Python and system; UPGRADE=1: with the newest versions
	$(RUN) -m uv --quiet pip compile --universal --python-version 3.11 --all-extras --no-header --no-annotate \
		$(if $(UPGRADE),--upgrade) --output-file constraints.txt pyproject.toml

newest:                ## the newest versions in an environment of its own: which differ, and what breaks with them
	$(MAKE) VENV=.venv-newest LOCK= .venv-newest/.ready-dev
	.venv-newest/bin/python -m tools.versions constraints.txt
	$(MAKE) VENV=.venv-newest LOCK= --keep-going check pages

clean:
	rm -rf $(VENV) .venv-newest .proof dist
