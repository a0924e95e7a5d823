# `make` lists what there is. What takes more than a line is in scripts/.
SHELL := /bin/bash
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# where `make serve` and `make dev` keep their data and listen
DATABASE ?= data/clusterwright.sqlite
ADDRESS ?= 127.0.0.1:3000

# tools of the project first: see scripts/common.sh
export PATH := $(CURDIR)/node_modules/.bin:$(or $(CARGO_HOME),$(HOME)/.cargo)/bin:$(PATH)

.PHONY: help setup build serve dev test audit bench measure screenshots plotly-css clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what it takes to build, if missing
	@bash scripts/setup.sh build

build: setup ## build the release, if anything changed
	@bash scripts/build.sh

serve: build ## install what is missing, build, migrate the database and serve on ADDRESS (127.0.0.1:3000)
	@mkdir -p $(dir $(DATABASE))
	@exec target/release/clusterwright serve --migrate --database $(DATABASE) --address $(ADDRESS) --site-root target/site

dev: setup ## build for development, serve, and build again on each change
	@mkdir -p $(dir $(DATABASE))
	cargo leptos watch -- serve --migrate --database $(DATABASE) --address $(ADDRESS)

test: ## every check that CI runs
	@bash scripts/test.sh

audit: ## ask the advisory database about the dependencies (needs the network)
	@bash scripts/setup.sh audit
	cargo deny check advisories

bench: ## measure the engine
	cargo bench -p engine --locked

measure: build ## measure the pages in a browser, and the server under load
	@bash scripts/setup.sh test
	node end2end/responsiveness.mjs
	node end2end/lighthouse.mjs
	node end2end/load.mjs

screenshots: build ## pictures of each page into end2end/screenshots
	@bash scripts/setup.sh test
	npm run --silent screenshots

plotly-css: ## write public/vendor/plotly.css anew, after a change of the plotly.js version
	@bash scripts/setup.sh test
	npm run --silent plotly-css

clean: ## remove what was built and installed here (never the data)
	cargo clean
	rm -rf node_modules public/vendor/plotly-basic.min.js public/vendor/plotly-LICENSE.txt end2end/screenshots
