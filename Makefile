# The commands of the project; `make` alone lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash

CLIENT := Clients/Apple
SOURCES := Package.swift Sources Tests $(CLIENT)/Package.swift $(CLIENT)/Sources $(CLIENT)/Tests
TOKENS ?= 1000000
SEEDS ?= 20
SEED ?= 1
TEST_FLAGS ?=
DEMO ?=
FEEDS ?=
FUZZ_SECONDS ?= 60
CRASH ?=
# Tests start real servers and databases: beside more of them than cores, leases of three seconds run out.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 2

.PHONY: help dependencies build demo crash test verify feeds fuzz bench-engine bench-store bench-fanout simulate \
	check format release clean

help: ## List what can be done
	@sed -nE 's/^(\.?[a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

dependencies: ## Install missing Debian packages (root or sudo)
	@deploy/install-dependencies.sh

build: dependencies ## Build for debugging
	swift build

release: dependencies ## Build score-server and score-lab for production
	swift build -c release

demo: release ## Play a whole match end to end: feed, server, APNs, phones (DEMO="--speed 60" for more options)
	"$$(swift build -c release --show-bin-path)/score-lab" demo --exit-when-finished $(DEMO)

crash: release ## Lose one of two servers in mid fan-out, 20 seeds (CRASH="--seeds 2 --activities 20000" for fewer)
	"$$(swift build -c release --show-bin-path)/score-lab" crash $(CRASH)

test: dependencies ## Run all tests against a PostgreSQL that they start themselves
	@deploy/run-tests.sh $(TEST_FLAGS)

.corpus: ## Unpack the recorded matches of SCORE_DATA (2.7 GB)
	mkdir -p .corpus && tar xJf "$(SCORE_DATA)/cricsheet/matches.tar.xz" -C .corpus

verify: release .corpus ## Hold the engine against every recorded match (SCORE_DATA names the folder of the data)
	"$$(swift build -c release --show-bin-path)/score-lab" verify .corpus \
		--totals "$(SCORE_DATA)/cricsheet/innings_totals.csv"

.special: ## Unpack the recorded matches with special cases of SCORE_DATA
	mkdir -p .special && tar xJf "$(SCORE_DATA)/cricsheet/special.tar.xz" -C .special

feeds: release .special ## Play the matches with special cases through faulty feeds of every provider (FEEDS="--seed 7")
	"$$(swift build -c release --show-bin-path)/score-lab" verify-feeds .special $(FEEDS)

fuzz: ## Fuzz each provider's adapter for FUZZ_SECONDS from the seeds in Fuzzing/Corpus
	deploy/run-fuzzers.sh $(FUZZ_SECONDS)

bench-engine: ## Measure folds and renders
	cd Benchmarks && swift package --scratch-path ../.build-benchmarks --allow-writing-to-package-directory \
		benchmark --no-progress

bench-store: release ## Measure registrations and token arenas on a private PostgreSQL
	"$$(swift build -c release --show-bin-path)/score-lab" bench registrations
	"$$(swift build -c release --show-bin-path)/score-lab" bench arena

bench-fanout: release ## Send to a million tokens, beside h2load with the same body and sink (TOKENS=1000000)
	@deploy/bench-fanout.sh "$$(swift build -c release --show-bin-path)/score-lab" $(TOKENS)

simulate: dependencies ## Play tournament days in virtual time, with faults drawn from seeds (SEEDS=200 SEED=1)
	SEEDS=$(SEEDS) SEED=$(SEED) swift test --disable-xctest --filter PushDispatcherTests.SimulationTests

check: dependencies ## Lint, check imports, hold the plan
	swift format lint --strict --recursive $(SOURCES)
	swift build --build-tests --explicit-target-dependency-import-check error
	swift build --package-path $(CLIENT) --explicit-target-dependency-import-check error

format: ## Format all sources
	swift format --in-place --recursive $(SOURCES)

clean: ## Forget all that was built
	swift package clean
