# Two commands matter: `make run` and `make test`. The rest is for those who change the code.
PYTHON ?= python3
ARCHITECTURE ?= arm64
BIN := .venv/bin
LOCK := uv pip compile --system-certs --quiet --universal --no-header --python-version 3.11 pyproject.toml
export PYTHONPATH := shared:.

.PHONY: run test nightly bench eval check build demo format requirements clean \
    with-local with-test with-check with-sam

run: with-local
	@exec $(BIN)/python -m infra.local

test: with-test
	@$(BIN)/python -m pytest $(ARGS)

nightly: with-test
	@HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest tests/property $(ARGS)

# What we are compared with has an environment of its own. Without a network the comparison is left
# out, and tried again the next time.
bench: with-test
	@$(PYTHON) -m infra.set_up mem0 || rm -rf .venv-bench
	@$(BIN)/python -m tests.bench $(ARGS)

demo: with-local
	@$(BIN)/python -m infra.local.demo $(ARGS)

eval: with-test
	@$(BIN)/python -m tests.eval $(ARGS)

check: with-check
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/cfn-lint template.yaml
	@cp shared/requirements.txt .venv/requirements.txt
	$(BIN)/$(LOCK) --output-file .venv/requirements.txt
	diff shared/requirements.txt .venv/requirements.txt
	$(BIN)/python -m pytest tests/architecture

build: with-local with-sam
	ARCHITECTURE=$(ARCHITECTURE) SAM_CLI_TELEMETRY=0 .venv-build/bin/sam build --build-in-source \
	    --parameter-overrides Architecture=$(ARCHITECTURE)
	@$(BIN)/python -m infra.pin_architecture .aws-sam/build/template.yaml $(ARCHITECTURE)

format: with-check
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

requirements: with-check
	$(BIN)/$(LOCK) --output-file shared/requirements.txt

clean:
	rm -rf .venv .venv-build .venv-bench .aws-sam .gieok .mypy_cache .ruff_cache .pytest_cache .hypothesis

# `sam build` calls these, one for each resource of template.yaml. Called without `make build` it
# would not say for which architecture, and layer and functions could differ.
build-EngineLayer build-ChatFunction build-MemoryWorkerFunction build-RetentionSweepFunction:
	@test "$(origin ARCHITECTURE)" != file || { \
	    echo "build: run \`make build\`, or set ARCHITECTURE to what the template is told" >&2; exit 1; }
	@$(BIN)/python -m infra.build $(@:build-%=%) $(ARTIFACTS_DIR) --architecture $(ARCHITECTURE)

# Any Python since 2.7 can say its version. What it is told to set up, infra/set_up.py knows.
with-local with-test with-check with-sam: with-%:
	@found=$$($(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3]); \
	    sys.exit(sys.version_info < (3, 11))' 2>/dev/null) || { \
	    echo "Gieok needs Python 3.11 or newer; $(PYTHON) is $${found:-missing}." \
	        "Name another: make $(or $(MAKECMDGOALS),run) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m infra.set_up $*
