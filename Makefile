# Two commands matter: `make run` and `make test`. Everything else is for those who change the code.
PYTHON ?= python3
BIN := .venv/bin
export PYTHONPATH := shared:.

.PHONY: run test check build demo format clean

run: .venv/local
	@exec $(BIN)/python -m infra.local

test: .venv/test
	$(BIN)/pytest $(ARGS)

demo: .venv/local
	$(BIN)/python -m infra.local.demo $(ARGS)

.venv/%: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.3'
	@$(BIN)/pip install --quiet --disable-pip-version-check --constraint shared/requirements.txt --requirement shared/requirements.txt --group $*
	@touch $@
