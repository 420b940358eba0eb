# `make play` and `make test` need python3 and make, nothing else: they create .venv and install what is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DONE := $(VENV)/.installed
WORKERS ?= auto

.PHONY: play test test-fast setup check audit bench fuzz docs shots golden pictures strings lock clean

play: $(DONE)
	$(BIN)/arcade play --train

test: check
	$(BIN)/python -m pytest -n $(WORKERS)

# What needs no ray, no torch and no window.
test-fast: $(DONE)
	$(BIN)/python -m pytest -n $(WORKERS) -m "not ray and not window and not wheel"

setup: $(DONE)

check: $(DONE)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.checks.borrowed_imports
	$(BIN)/python -m tests.checks.circles
	$(BIN)/python -m tests.checks.portability
	$(BIN)/python -m tests.checks.sizes
	$(BIN)/python -m tests.checks.words

# Known vulnerabilities of the installed packages; skipped without pip-audit or its database.
audit: $(DONE)
	$(BIN)/python -m tests.checks.audit

BENCHMARKS := boot stage remote netplay flood frames latency swap volley_batch opponent_env selfplay freeze learning imitation pool watch recording ladder placement strengths boards thinking
bench: $(DONE)
	@for name in $(BENCHMARKS); do echo "$$name:"; $(BIN)/python -m tests.benchmarks.$$name || exit 1; done

# Fuzz each parser of what strangers write for so long; exits with an error for findings, kept in build/fuzz.
SECONDS ?= 60
fuzz: $(DONE)
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# The documentation as a site, in build/docs; warnings are errors, and nothing is fetched.
docs: $(DONE)
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --builder html docs build/docs

shots: $(DONE)
	$(BIN)/python -m tests.shots shots

# Approve the screens as they look now; see what changed with git diff.
golden: $(DONE)
	$(BIN)/python -m pytest tests/golden --update-golden

# Make the pictures of the built-in games anew, each of a match between random players, and that of the README.
pictures: $(DONE)
	$(BIN)/python -m tests.support.readme_picture assets/volley.webp
	$(BIN)/python -m tests.support.game_pictures assets/games

# Collect the texts of the screens, and compile the translations; new ones are empty until somebody writes them.
LOCALE := assets/locale
GERMAN := $(LOCALE)/de/LC_MESSAGES/arcade
# Written without pybabel compile, which takes "95 % interval" for a format of printf.
strings: $(DONE)
	mkdir -p build
	$(BIN)/python -m tests.support.game_texts > build/game_texts.py
	$(BIN)/pybabel -q extract --no-location --sort-output --keyword N_ --output-file build/arcade.pot \
	    agents arcade build/game_texts.py
	$(BIN)/pybabel -q update --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date --domain arcade \
	    --input-file build/arcade.pot --output-dir $(LOCALE)
	$(BIN)/python -c "from babel.messages import mofile, pofile; \
	    mofile.write_mo(open('$(GERMAN).mo', 'wb'), pofile.read_po(open('$(GERMAN).po', 'rb')))"

# What `make setup` installs on any system with Python 3.11 to 3.13, with the hashes of all files.
UV ?= uv
lock:
	$(UV) pip compile pyproject.toml --extra data --extra train --extra games --extra libraries --extra docs --extra dev \
	    --constraint constraints.txt --universal --python-version 3.11.5 --generate-hashes --no-header --no-annotate \
	    --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV) build dist shots

$(DONE): pyproject.toml constraints.txt
	test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || \
	    { rm -rf $(VENV); echo "expected python3 with venv; on Debian: apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[data,train,libraries,docs,dev]'
	touch $(DONE)
