# Waybill. `make run` and `make test` install what is missing on a Debian 12, build, and go.
.PHONY: run demo build test bench format lint asan tsan fuzz clean setup

LISTEN ?= 127.0.0.1:8000
DATA ?= ./data

build/release/waybill: build

build: setup
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --target waybill

setup:
	@scripts/setup build

# CONTRACTS=contracts puts those of the project in force.
CONTRACTS ?=
run: build
	@exec build/release/waybill serve --listen $(LISTEN) --data $(DATA) $(if $(CONTRACTS),--contracts $(CONTRACTS))

# A server with the project's contracts and workers, and a tour of what they do.
demo: build
	@LISTEN=$(LISTEN) DATA=$(if $(filter-out ./data,$(DATA)),$(DATA),build/demo) scripts/demo

test:
	@scripts/test

# Waybill beside its peers; see docs/PERFORMANCE.md. BENCH=--quick gives the main ratios in some minutes.
BENCH ?=
bench:
	@scripts/bench $(BENCH)

# The unit tests under AddressSanitizer and UBSan, or ThreadSanitizer.
asan tsan:
	@scripts/setup test
	@cmake --preset $@ --log-level=WARNING >/dev/null
	@cmake --build --preset $@
	@TSAN_OPTIONS="ignore_noninstrumented_modules=1 die_after_fork=0" ctest --test-dir build/$@ --output-on-failure

# Every fuzz target for FUZZ_SECONDS each, from the seeds in tests/fuzz/seeds.
FUZZ_SECONDS ?= 60
fuzz:
	@scripts/setup test
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz

format:
	@git ls-files 'src/*.h' 'src/*.cc' 'tests/*.h' 'tests/*.cc' 'bench/*.h' 'bench/*.cc' | xargs clang-format-19 -i

lint:
	@scripts/setup test
	@scripts/lint

clean:
	@rm -rf build
