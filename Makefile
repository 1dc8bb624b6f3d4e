# Two commands matter: `make run` and `make test`. The rest is for those who change the code.
PYTHON ?= python3
ARCHITECTURE ?= arm64
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
LOCK := uv pip compile --system-certs --quiet --universal --no-header --python-version 3.11 pyproject.toml
export PYTHONPATH := shared:.

.PHONY: run test nightly bench eval check build demo format requirements clean

run: .venv/local
	@exec $(BIN)/python -m infra.local

test: .venv/test
	@$(BIN)/python -m pytest $(ARGS)

nightly: .venv/test
	@HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest tests/property $(ARGS)

bench: .venv/test .venv-bench/mem0
	@$(BIN)/python -m tests.bench $(ARGS)

demo: .venv/local
	@$(BIN)/python -m infra.local.demo $(ARGS)

eval: .venv/test
	@$(BIN)/python -m tests.eval $(ARGS)

check: .venv/check
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/cfn-lint template.yaml
	@cp shared/requirements.txt .venv/requirements.txt
	$(BIN)/$(LOCK) --output-file .venv/requirements.txt
	diff shared/requirements.txt .venv/requirements.txt
	$(BIN)/python -m pytest tests/architecture

build: .venv/local .venv-build/sam
	ARCHITECTURE=$(ARCHITECTURE) SAM_CLI_TELEMETRY=0 .venv-build/bin/sam build --build-in-source \
	    --parameter-overrides Architecture=$(ARCHITECTURE)
	@$(BIN)/python -m infra.pin_architecture .aws-sam/build/template.yaml $(ARCHITECTURE)

format: .venv/check
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

requirements: .venv/check
	$(BIN)/$(LOCK) --output-file shared/requirements.txt

clean:
	rm -rf .venv .venv-build .venv-bench .aws-sam .gieok .mypy_cache .ruff_cache .pytest_cache .hypothesis

# `sam build` calls these, one for each resource of template.yaml. Called without `make build` it
# would not say for which architecture, and layer and functions could differ.
build-EngineLayer build-ChatFunction build-MemoryWorkerFunction build-RetentionSweepFunction:
	@test "$(origin ARCHITECTURE)" != file || { \
	    echo "build: run \`make build\`, or set ARCHITECTURE to what the template is told" >&2; exit 1; }
	@$(BIN)/python -m infra.build $(@:build-%=%) $(ARTIFACTS_DIR) --architecture $(ARCHITECTURE)

.venv/local .venv/test .venv/check: .venv/%: pyproject.toml shared/requirements.txt
	@echo "Setting up .venv ($*) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) --upgrade 'pip>=25.3'
	@$(PIP) --constraint shared/requirements.txt --requirement shared/requirements.txt --group $*
	@touch $@

.venv-build/sam:
	@echo "Setting up .venv-build …"
	@test -x .venv-build/bin/python || $(PYTHON) -m venv .venv-build
	@.venv-build/bin/python -m pip install --quiet --disable-pip-version-check aws-sam-cli==1.170.0
	@touch $@

# What we are compared with, in an environment of its own. Without a network the comparison is left
# out, and tried again the next time.
.venv-bench/mem0:
	@echo "Setting up .venv-bench …"
	@test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check \
	    mem0ai==2.2.1 'psycopg[binary,pool]>=3.3,<4' && touch $@ || rm -rf .venv-bench
