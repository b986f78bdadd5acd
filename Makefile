# The commands of the project; `make` without arguments lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash

CLIENT := Clients/Apple
SOURCES := Package.swift Sources Tests $(CLIENT)/Package.swift $(CLIENT)/Sources $(CLIENT)/Tests Examples
TOKENS ?= 1000000
SEEDS ?= 20
SEED ?= 1
TEST_FLAGS ?=
DEMO ?=
# A debug build takes a third of the time of a release build and serves the tests, too.
BUILD ?= debug
# Whole modules: by default a debug build compiles 25 files at a time and parses the module again for each 25.
export DEBUG_FLAGS := -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2
BUILD_FLAGS := -c $(BUILD) $(if $(filter debug,$(BUILD)),$(DEBUG_FLAGS))
FEEDS ?=
FUZZ_SECONDS ?= 60
SECONDS ?= 120
REQUEST_SEEDS ?=
CRASH ?=
READS ?=
HISTORIES ?=
COMPARE ?=
HA ?=
MINUTES ?= 30
AUDIENCE ?= --devices 1000000 --devices 10000000
# Tests start servers and databases. When more of them run than there are cores, leases of three seconds expire.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 2

.PHONY: help dependencies build demo crash network-faults soak bench-audience test test-client verify feeds fuzz bench-engine \
	bench-store bench-fanout bench-reads compare-senders simulate client-histories pictures console-check \
	lint-openapi schemathesis offline rules ha backup package image try-package check faults \
	format release clean

help: ## List the commands
	@sed -nE 's/^(\.?[a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

dependencies: ## Install missing Debian packages (root or sudo)
	@deploy/install-dependencies.sh

build: dependencies ## Build in debug mode
	swift build $(DEBUG_FLAGS)

release: dependencies ## Build score-server and score-lab in release mode
	swift build -c release

demo: dependencies ## Run a whole match with feed, server, APNs and phones (DEMO="--speed 60", BUILD=release)
	swift build $(BUILD_FLAGS)
	"$$(swift build -c $(BUILD) --show-bin-path)/score-lab" demo --exit-when-finished $(DEMO)

crash: release ## Kill or stop one of two servers during a fan-out (fewer runs: CRASH="--seeds 2 --activities 20000")
	"$$(swift build -c release --show-bin-path)/score-lab" crash $(CRASH)

network-faults: dependencies ## Play SEEDS=20 matches with two servers that are killed and whose networks fail (SEED=1)
	swift build $(BUILD_FLAGS)
	@lab="$$(swift build -c $(BUILD) --show-bin-path)/score-lab"; \
		for seed in $$(seq $(SEED) $$(($(SEED) + $(SEEDS) - 1))); do \
			echo "seed $$seed"; \
			"$$lab" demo --exit-when-finished --json --speed 300 --followers 60 --nodes 2 --kill-serve 2 \
				--network-faults 0.2 --seed $$seed || exit 1; \
		done

soak: release ## Play matches with phones, streams and faults for MINUTES=30, and judge the server's memory
	"$$(swift build -c release --show-bin-path)/score-lab" soak --minutes $(MINUTES)

bench-audience: release ## Measure PostgreSQL with one and ten million devices (AUDIENCE="--devices 1000000")
	"$$(swift build -c release --show-bin-path)/score-lab" bench audience $(AUDIENCE)

client-histories: release ## Play random histories of apps against a server (HISTORIES="--histories 100 --seed 7")
	"$$(swift build -c release --show-bin-path)/score-lab" verify-client $(HISTORIES)

test: dependencies ## Run all tests; they start their own PostgreSQL (TEST_FLAGS="--filter EngineTests")
	@deploy/run-tests.sh $(TEST_FLAGS)

test-client: ## Run the tests of the client package in a copy of its folder, without the repository and its packages
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && \
		tar -C $(CLIENT) --exclude=.build -cf - . | tar -C "$$copy" -xf - && \
		cd "$$copy" && env -u SCORE_DATA swift test --disable-xctest

.corpus: ## Unpack the recorded matches of SCORE_DATA (2.7 GB)
	rm -rf $@.part && mkdir $@.part && tar xJf "$(SCORE_DATA)/cricsheet/matches.tar.xz" -C $@.part && mv $@.part $@

verify: release .corpus ## Compare the engine with every recorded match (folder in SCORE_DATA)
	"$$(swift build -c release --show-bin-path)/score-lab" verify .corpus \
		--totals "$(SCORE_DATA)/cricsheet/innings_totals.csv"

.special: ## Unpack the recorded matches of SCORE_DATA that have special cases
	rm -rf $@.part && mkdir $@.part && tar xJf "$(SCORE_DATA)/cricsheet/special.tar.xz" -C $@.part && mv $@.part $@

feeds: release .special ## Run the matches with special cases through faulty feeds of every provider (FEEDS="--seed 7")
	"$$(swift build -c release --show-bin-path)/score-lab" verify-feeds .special $(FEEDS)

fuzz: ## Fuzz the adapter of each provider for FUZZ_SECONDS=60, with the seeds in Fuzzing/Corpus
	deploy/run-fuzzers.sh $(FUZZ_SECONDS)

bench-engine: ## Measure folding and rendering of matches
	cd Benchmarks && swift package --scratch-path ../.build-benchmarks --allow-writing-to-package-directory \
		benchmark --no-progress

bench-store: release ## Measure registrations and token arenas on a private PostgreSQL
	"$$(swift build -c release --show-bin-path)/score-lab" bench registrations
	"$$(swift build -c release --show-bin-path)/score-lab" bench arena

bench-fanout: release ## Compare a fan-out to TOKENS=1000000 tokens with h2load on the same sink
	@deploy/bench-fanout.sh "$$(swift build -c release --show-bin-path)/score-lab" $(TOKENS)

bench-reads: release ## Compare reads of a match with a bare route and with nginx (READS="--matches 100")
	@deploy/install-dependencies.sh wrk nginx-light
	"$$(swift build -c release --show-bin-path)/score-lab" bench reads $(READS)

compare-senders: dependencies ## Compare senders of pushes on a calm day and ten bad days of APNs (COMPARE="--only curl")
	swift build $(BUILD_FLAGS) --product score-lab
	@deploy/compare-senders.sh "$$(swift build -c $(BUILD) --show-bin-path)/score-lab" $(COMPARE)

simulate: dependencies ## Simulate days from feeds to phones in virtual time with random faults (SEEDS=20 SEED=1)
	SEEDS=$(SEEDS) SEED=$(SEED) swift test --disable-xctest $(DEBUG_FLAGS) \
		--filter PushDispatcherTests.SimulationTests

pictures: dependencies ## Draw the pictures of docs/pictures, which README shows
	WRITE_EXAMPLES=1 swift test --disable-xctest $(DEBUG_FLAGS) --filter 'SurfaceImagesTests\..*/theImages'

console-check: dependencies ## Use the console in Chromium beside a demo, and write screenshots to .console-check
	@deploy/console/install.sh
	swift build $(BUILD_FLAGS)
	.build-console/bin/python deploy/console/check_console.py \
		--lab "$$(swift build -c $(BUILD) --show-bin-path)/score-lab"

lint-openapi: ## Lint openapi.yaml with vacuum from PyPI
	@deploy/openapi/lint.sh

schemathesis: dependencies ## Send random requests to a server for SECONDS=120 (REQUEST_SEEDS="7 8")
	@deploy/openapi/install.sh
	swift build $(BUILD_FLAGS)
	.build-openapi/bin/python deploy/openapi/run_schemathesis.py "$$(swift build -c $(BUILD) --show-bin-path)" \
		--seconds $(SECONDS) $(addprefix --seed ,$(REQUEST_SEEDS))

ha: ## Change leaders of databases and nodes during a match; report what stood still and what phones missed (HA="--calm 60", BUILD=release)
	@deploy/install-dependencies.sh etcd-server etcd-client patroni postgresql-15 python3-psycopg2 python3-yaml
	swift build $(BUILD_FLAGS)
	@deploy/ha/rehearse.py "$$(swift build -c $(BUILD) --show-bin-path)" $(HA)

backup: ## Back up a PostgreSQL with pgBackRest, drop a table, and restore it to the moment before
	@deploy/install-dependencies.sh pgbackrest postgresql-15
	@deploy/backup/rehearse.sh

package: dependencies ## Build a Debian package of score-server with a static Swift runtime, in .build-package
	swift build -c release --static-swift-stdlib --scratch-path .build-package --product score-server
	@deploy/debian/build.sh .build-package/release/score-server .build-package

image: package ## Build and try the container image with buildah, without a registry (root)
	@deploy/install-dependencies.sh buildah mmdebstrap
	@deploy/container/build-local.sh .build-package/release/score-server

try-package: package ## Install the Debian package in a fresh Debian, start the server, and remove it (root)
	@deploy/install-dependencies.sh mmdebstrap
	@deploy/debian/try.sh .build-package/score-server_*.deb

offline: build ## Build without a network, from the packages that are resolved
	@deploy/offline-build.sh .build

rules: ## Check and test the alert rules with promtool (apt-get install prometheus), and compare the dashboards with their source
	@deploy/prometheus/check.sh
	@deploy/grafana/dashboards.py --check

faults: dependencies ## Run the tests that show a fault, and write their results to docs/faults.md
	@code=0; deploy/run-tests.sh --filter "$$(deploy/faults.py --filter)" $(TEST_FLAGS) || code=$$?; \
		deploy/faults.py --results .build/*/tests-*.xml && exit $$code

check: dependencies ## Lint, build with warnings as errors, check imports and docs/faults.md
	swift format lint --strict --recursive $(SOURCES)
	swift build --build-tests --disable-xctest $(DEBUG_FLAGS) \
		--explicit-target-dependency-import-check error
	swift build --package-path $(CLIENT) --explicit-target-dependency-import-check error
	@deploy/faults.py --check

format: ## Format all sources
	swift format --in-place --recursive $(SOURCES)

clean: ## Delete the build products
	swift package clean
