# leeward: `make run` shows it, `make test` tests it; `make help` lists the rest.

# All that is needed outside this repository, as Debian packages, in this one place.
PACKAGES_RUNTIME := gcc g++ libc6-dev pkg-config
PACKAGES_BAKE    := librecast-dev libassimp-dev
PACKAGES_LUA     := lua5.4 liblua5.4-dev
PACKAGES_SDL     := libsdl2-dev libsdl2-ttf-dev libsdl2-image-dev fonts-dejavu-core
PACKAGES_TEST    := libcmocka-dev lua-busted lua-dkjson
PACKAGES_LINT    := clang clang-format lua-check
PACKAGES_FUZZ    := clang libclang-rt-dev
PACKAGES_DOCS    := lua5.4 doxygen
PACKAGES_COVERAGE := lcov

# SIMD=no: vectors in plain C, with the same results bit for bit; in a build folder of its own.
SIMD   ?= yes
ifeq ($(filter yes no,$(SIMD)),)
$(error SIMD is $(SIMD), expected yes or no)
endif
BUILD  ?= build$(if $(filter no,$(SIMD)),/scalar)
PREFIX ?= /usr/local
DEPS   ?= yes
LEVEL  ?=
RUNTIME_ONLY ?=

# --- what is asked for decides which packages -------------------------------------------------------------------
PACKAGES := $(PACKAGES_RUNTIME) $(PACKAGES_LUA)
ifeq ($(RUNTIME_ONLY),)
PACKAGES += $(PACKAGES_BAKE) $(PACKAGES_SDL)
endif
PACKAGES_ALL := $(PACKAGES_RUNTIME) $(PACKAGES_BAKE) $(PACKAGES_LUA) $(PACKAGES_SDL) $(PACKAGES_TEST) $(PACKAGES_LINT)

V ?=
# V=1 shows the commands.
Q := $(if $(V),,@)
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += --no-print-directory
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
endif

# --- compilers --------------------------------------------------------------------------------------------------
CC  ?= gcc
CXX ?= g++
WARN     := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
OPTIMIZE ?= -O2 -g
COMMON   := $(WARN) $(OPTIMIZE) -fPIC -fvisibility=hidden -ffp-contract=off -MMD -MP -Iruntime -Iruntime/include \
            $(if $(filter no,$(SIMD)),-DLW_SIMD=0) $(EXTRA_FLAGS)
C_FLAGS   = -std=c17 -Wstrict-prototypes -Wmissing-prototypes $(COMMON)
CXX_FLAGS = -std=c++17 $(COMMON)
LD_FLAGS  = $(EXTRA_FLAGS) -Wl,--no-undefined

# Expanded when used, so that `make deps` may install pkg-config first.
LUA_CFLAGS = $(shell pkg-config --cflags lua5.4)
LUA_LIBS   = $(shell pkg-config --libs lua5.4)
SDL_CFLAGS = $(shell pkg-config --cflags sdl2 SDL2_ttf SDL2_image)
SDL_LIBS   = $(shell pkg-config --libs sdl2 SDL2_ttf SDL2_image)
BAKE_CFLAGS = -isystem /usr/include/recastnavigation $(shell pkg-config --cflags assimp)
BAKE_LIBS   = -lRecast $(shell pkg-config --libs assimp)
TEST_LIBS   = -lcmocka
PEER_LIBS   = -lDetourCrowd -lDetourTileCache -lDetour -lRecast

# --- sources ----------------------------------------------------------------------------------------------------
# Files that only libleeward_bake.so links; all others of runtime/ make libleeward.
PLUGIN_SOURCES  := runtime/bake/recast.cpp runtime/bake/recast_memory.cpp runtime/bake/plugin.c \
                   runtime/geometry/import_assimp.c runtime/geometry/import_files.c runtime/geometry/import_memory.cpp
# The program that reads level files for the library, in a process of its own.
IMPORT_SOURCES  := runtime/geometry/import_main.c
RUNTIME_SOURCES := $(filter-out $(PLUGIN_SOURCES) $(IMPORT_SOURCES),$(wildcard runtime/*/*.c))
# What the program, the Lua modules and libleeward_bake.so use of the runtime's inside: each links its own hidden copy.
SHARED_SOURCES  := $(patsubst %,runtime/core/%.c,platform_posix platform_process file hash_index memory status text) \
                   $(patsubst %,runtime/geometry/%.c,import_scene lines plugin_load)
LUA_SOURCES     := $(wildcard bindings/lua/*.c)
SDL_SOURCES     := $(wildcard bindings/sdl/*.c)
HOST_SOURCES    := $(wildcard bindings/host/*.c)
TEST_SOURCES    := $(wildcard tests/c/test_*.c)
TEST_SUPPORT    := $(filter-out tests/support/growth.c,$(wildcard tests/support/*.c))
PEER_SOURCES    := $(wildcard tests/support/*.cpp)
BENCH_SOURCES   := $(wildcard tests/bench/*.c)
SOAK_SOURCES    := $(wildcard tests/soak/*.c)
FUZZ_SOURCES    := $(wildcard tests/fuzz/*.c)
# One program each.
FUZZ_TARGETS    := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

comma := ,
objects = $(patsubst %,$(BUILD)/obj/%.o,$(basename $(1)))
RUNTIME_OBJECTS := $(call objects,$(RUNTIME_SOURCES))
SHARED_OBJECTS  := $(call objects,$(SHARED_SOURCES))
PLUGIN_OBJECTS  := $(call objects,$(PLUGIN_SOURCES))
IMPORT_OBJECTS  := $(call objects,$(IMPORT_SOURCES))
LUA_OBJECTS     := $(call objects,$(LUA_SOURCES))
SDL_OBJECTS     := $(call objects,$(SDL_SOURCES))
# The checks of options that the modules share.
LWL_OBJECTS     := $(call objects,bindings/lua/lwl.c bindings/lua/text.c bindings/lua/vec3.c)
HOST_OBJECTS    := $(call objects,$(HOST_SOURCES))
TEST_OBJECTS    := $(call objects,$(TEST_SOURCES))
SUPPORT_OBJECTS := $(call objects,$(TEST_SUPPORT))
PEER_OBJECTS    := $(call objects,$(PEER_SOURCES))
BENCH_OBJECTS   := $(call objects,$(BENCH_SOURCES))
SOAK_OBJECTS    := $(call objects,$(SOAK_SOURCES))
FUZZ_OBJECTS    := $(call objects,$(FUZZ_SOURCES))
# The runtime with a call at every branch, and what counts these, for the tests of growth alone.
COUNTED_OBJECTS := $(patsubst %.c,$(BUILD)/obj/counted/%.o,$(RUNTIME_SOURCES))
GROWTH_OBJECTS  := $(call objects,tests/support/growth.c)
ALL_OBJECTS     := $(RUNTIME_OBJECTS) $(PLUGIN_OBJECTS) $(IMPORT_OBJECTS) $(LUA_OBJECTS) $(SDL_OBJECTS) $(HOST_OBJECTS) \
                   $(TEST_OBJECTS) $(GROWTH_OBJECTS) \
                   $(SUPPORT_OBJECTS) $(PEER_OBJECTS) $(BENCH_OBJECTS) $(SOAK_OBJECTS) $(FUZZ_OBJECTS)

# --- products ---------------------------------------------------------------------------------------------------
PROGRAM := $(BUILD)/leeward
PRODUCTS := $(PROGRAM) $(BUILD)/libleeward.a $(BUILD)/libleeward.so $(BUILD)/lua/leeward.so
ifeq ($(RUNTIME_ONLY),)
PRODUCTS += $(BUILD)/libleeward_bake.so $(BUILD)/leeward_import $(BUILD)/lua/leeward_sdl.so
endif
TESTS   := $(patsubst tests/c/%.c,$(BUILD)/tests/%,$(TEST_SOURCES))
# Each runs the kept inputs of a fuzz target.
TESTS   += $(addprefix $(BUILD)/tests/test_,$(FUZZ_TARGETS))
GROWTH_TESTS := $(addprefix $(BUILD)/tests/,test_growth test_growth_bake test_growth_paths test_growth_changes \
                test_growth_cut)
SOAKS   := $(patsubst tests/soak/%.c,$(BUILD)/soak/%,$(SOAK_SOURCES))
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))

.PHONY: all products run view test test-c spec lint asan bench docs install clean deps deps-test deps-lint deps-fuzz deps-docs deps-coverage help
.DEFAULT_GOAL := all

all: deps ## build everything (and install what is missing)
	@$(MAKE) products

products: $(PRODUCTS)

.PHONY: objects
objects: $(ALL_OBJECTS)

run: deps ## bake a level and let agents live in it (LEVEL=file: any level, CAST=guard=4,hunter: its trees; default: the bundled scenarios)
	@$(MAKE) products
ifeq ($(LEVEL),)
	@$(PROGRAM) run courtyard_sniper --picture $(BUILD)/run.png
	@$(PROGRAM) run courtyard_bridge --picture $(BUILD)/bridge.png
	@$(PROGRAM) run courtyard_breach --picture $(BUILD)/breach.png
	@$(PROGRAM) run courtyard_profiles --picture $(BUILD)/profiles.png
else
	@$(PROGRAM) run $(if $(CAST),cast --cast "$(CAST)",roam) --level "$(LEVEL)" --seconds 60 --picture $(BUILD)/run.png
endif

view: deps ## bake the bundled level and look at it
	@$(MAKE) products
	@$(PROGRAM) bake courtyard $(BUILD)/courtyard.lwn
	@$(PROGRAM) view $(BUILD)/courtyard.lwn

test: deps-test ## run every test; ends with `N passed, N failed, N skipped`
	@$(MAKE) products $(TESTS)
	@BUILD=$(BUILD) tests/run c spec

test-c: deps-test ## run the C tests
	@$(MAKE) products $(TESTS)
	@BUILD=$(BUILD) tests/run c

spec: deps-test ## run the busted specs
	@$(MAKE) products
	@BUILD=$(BUILD) tests/run spec

bench: deps-test ## measure beside Detour and Recast
	@$(MAKE) products $(BENCHES)
	@for bench in $(BENCHES); do $$bench || exit 1; done
	@$(PROGRAM) lua tests/bench/bench_leaf.lua
	@$(PROGRAM) lua tests/bench/bench_tree.lua
	@PROGRAM=$(PROGRAM) $(PROGRAM) lua tests/bench/bench_sandbox.lua
	@$(PROGRAM) lua tests/bench/bench_walk_ahead.lua
	@mkdir -p $(BUILD)/bench/mod/scripts/profiles
	@levels=$$(ls $${LEEWARD_SHARED:-../shared}/levels/oa_wrackdm17.obj $${LEEWARD_SHARED:-../shared}/levels/wz_highground.obj 2>/dev/null); \
	  LEEWARD_PATH=$(BUILD)/bench/mod BENCH_MOD=$(BUILD)/bench/mod $(PROGRAM) lua tests/bench/bench_reload.lua $$levels

asan: deps-test ## run every test under the address and undefined-behaviour sanitizers (SPECS=files: only these specs)
	@$(MAKE) BUILD=$(BUILD)/asan OPTIMIZE="-O1 -g" EXTRA_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" asan-run

# The tests of growth run a runtime of their own, and count its work: they have no place where all is compiled otherwise.
CHECKED_TESTS = $(filter-out $(GROWTH_TESTS),$(TESTS))

.PHONY: asan-run
asan-run: products $(CHECKED_TESTS)
	@BUILD=$(BUILD) SANITIZE=1 SPECS="$(SPECS)" tests/run c spec

coverage: deps-coverage ## run every test; print which lines, branches and errors of runtime and bindings they take
	@$(MAKE) BUILD=$(BUILD)/coverage OPTIMIZE="-O0 -g" EXTRA_FLAGS=--coverage coverage-run

.PHONY: coverage coverage-run
coverage-run: products $(CHECKED_TESTS)
	@find $(BUILD)/obj -name '*.gcda' -delete
	-@BUILD=$(BUILD) LINK_FLAGS="$(EXTRA_FLAGS)" tests/run c spec | tail -1
	@lcov --quiet --capture --directory $(BUILD)/obj --rc lcov_branch_coverage=1 --output-file $(BUILD)/all.info 2>$(BUILD)/lcov.log
	@for part in runtime bindings; do \
	  lcov --quiet --rc lcov_branch_coverage=1 --extract $(BUILD)/all.info "*/$$part/*" --output-file $(BUILD)/$$part.info; \
	  echo "$$part:"; lcov --rc lcov_branch_coverage=1 --summary $(BUILD)/$$part.info 2>&1 | grep -E 'lines|branches'; \
	done
	@lua5.4 tests/support/coverage_errors.lua $(BUILD)/obj 2>/dev/null

# What runs on several threads, under the thread sanitizer.
TSAN_NAMES := test_parallel test_bake_threads test_workspace_threads test_changing_threads test_planner_threads
TSAN_TESTS := $(filter $(addprefix %/,$(TSAN_NAMES)),$(TESTS))

tsan: deps-test ## run the tests of what several threads do under the thread sanitizer
	@$(MAKE) BUILD=$(BUILD)/tsan OPTIMIZE="-O1 -g" EXTRA_FLAGS="-fsanitize=thread -fno-omit-frame-pointer" tsan-run

.PHONY: tsan tsan-run
tsan-run: $(if $(RUNTIME_ONLY),,$(BUILD)/libleeward_bake.so $(BUILD)/leeward_import) $(TSAN_TESTS)
	@for test in $(TSAN_TESTS); do TSAN_OPTIONS="halt_on_error=1 $$TSAN_OPTIONS" $$test || exit 1; done

# The runs of tests/golden come out the same whatever compiles them: gcc-O2-yes is gcc, -O2, SIMD=yes.
GOLDEN_SIMD    := yes no
GOLDEN_CONFIGS := $(foreach c,gcc clang,$(foreach o,O0 O2,$(foreach s,$(GOLDEN_SIMD),golden-$c-$o-$s)))
GOLDEN_CACHE   := $(filter ccache,$(CC))
golden_part     = $(word $(1),$(subst -, ,$*))

golden: $(GOLDEN_CONFIGS) ## compare the golden runs under gcc and clang, -O0 and -O2, with vectors and without
.PHONY: golden golden-run $(GOLDEN_CONFIGS)
$(GOLDEN_CONFIGS): golden-%: | deps-lint
	@$(MAKE) BUILD=$(BUILD)/golden/$* OPTIMIZE=-$(call golden_part,2) SIMD=$(call golden_part,3) \
	  CC="$(GOLDEN_CACHE) $(call golden_part,1)" \
	  CXX="$(GOLDEN_CACHE) $(patsubst clang,clang++,$(patsubst gcc,g++,$(call golden_part,1)))" golden-run

golden-run: $(BUILD)/libleeward_bake.so $(BUILD)/leeward_import $(BUILD)/tests/test_golden
	@$(BUILD)/tests/test_golden >$(BUILD)/golden.log 2>&1 && echo "golden: $(notdir $(BUILD)) is the same" || \
	  { cat $(BUILD)/golden.log; echo "golden: $(notdir $(BUILD)) differs"; exit 1; }

SECONDS ?= 60
RUNS    ?=
# Without a trace of comparisons, which takes a third of the time; what they would find stands in the dictionaries. Clang
# counts NULL + 0 as a fault; gcc, whose sanitizer checks other pointers under `make asan`, does not, nor will the next C.
FUZZ_FLAGS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
              -fno-sanitize=pointer-overflow -fno-sanitize-coverage=trace-cmp
FUZZERS := $(addprefix $(BUILD)/,$(FUZZ_TARGETS))

fuzz: deps-fuzz ## fuzz every reader and the C API for SECONDS (60) each, or with RUNS inputs each; needs clang
	@$(MAKE) products
	@mkdir -p $(BUILD)/fuzz/seeds/navmesh_load
	@$(PROGRAM) lua tests/fuzz/seeds.lua $(BUILD)/fuzz/seeds
	@$(MAKE) BUILD=$(BUILD)/fuzz CC=clang CXX=clang++ OPTIMIZE="-O1 -g" \
	  EXTRA_FLAGS="$(FUZZ_FLAGS)" fuzz-run

.PHONY: fuzz fuzz-run
fuzz-run: $(FUZZERS)
	@BUILD=$(BUILD) SECONDS=$(SECONDS) RUNS=$(RUNS) tests/fuzz/run $(FUZZ_TARGETS)

soak: SECONDS := 1200
soak: deps-test ## change navmeshes OPERATIONS and CYCLES times; let agents live and die for SECONDS (1200) of simulated time
	@$(MAKE) products $(SOAKS)
	@for soak in $(SOAKS); do $$soak || exit 1; done
	@$(PROGRAM) lua tests/soak/soak.lua $(SECONDS) $(SEED)
.PHONY: soak

lint: deps-lint ## check format, folders, Lua, and warnings under gcc and clang
	+@tests/lint

DOCS_PAGES := $(BUILD)/obj/docs

docs: deps-docs ## write the HTML manual of C, Lua and READMEs into BUILD/docs
	@for program in $(PACKAGES_DOCS); do command -v $$program >/dev/null || { \
	  echo "leeward: make docs needs $$program: install the Debian package $$program, or leave DEPS=no out" >&2; exit 1; }; done
	@rm -rf $(BUILD)/docs $(DOCS_PAGES)
	@mkdir -p $(BUILD)/docs $(DOCS_PAGES)
	@lua5.4 bindings/docs/manual.lua $(DOCS_PAGES)
	@PAGES=$(DOCS_PAGES) OUTPUT=$(BUILD)/docs doxygen bindings/docs/Doxyfile
	@echo "wrote $(BUILD)/docs/index.html"

install: products ## install below PREFIX (default /usr/local)
	@BUILD=$(BUILD) PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" bindings/host/install

clean: ## remove the build folder
	rm -rf $(BUILD)

help: ## show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
	@echo "  DEPS=no: install nothing; RUNTIME_ONLY=1: no bake, no window; SIMD=no: no vector registers; BUILD=dir; PREFIX=dir"

# --- dependencies -----------------------------------------------------------------------------------------------
# $(call install-missing,PACKAGES): says what it installs; sudo only when not root. Targets of one make -j install one
# after another: `apt-get update` does not wait for another one. They wait up to five minutes for other programs' dpkg.
APT_GET := apt-get -qq -o DPkg::Lock::Timeout=300
THIS_MAKEFILE := $(firstword $(MAKEFILE_LIST))
define install-missing
	@[ "$(DEPS)" = no ] || ! command -v dpkg-query >/dev/null || { \
	  missing() { for p in $(1); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'install ok installed' || echo $$p; done; }; \
	  [ -z "$$(missing)" ] || { \
	    ! command -v flock >/dev/null || flock 9; \
	    missing=$$(missing); [ -z "$$missing" ] || { \
	    echo "leeward: installing" $$missing "(DEPS=no turns this off)"; \
	    as_root=; [ $$(id -u) = 0 ] || as_root=sudo; \
	    $$as_root $(APT_GET) update && \
	    $$as_root env DEBIAN_FRONTEND=noninteractive $(APT_GET) install -y --no-install-recommends $$missing >/dev/null; }; \
	  } 9<$(THIS_MAKEFILE); }
endef

deps: ## install what building and running need
	$(call install-missing,$(PACKAGES))
deps-test:
	$(call install-missing,$(PACKAGES) $(PACKAGES_TEST))
deps-fuzz:
	$(call install-missing,$(PACKAGES) $(PACKAGES_FUZZ))
deps-coverage:
	$(call install-missing,$(PACKAGES) $(PACKAGES_TEST) $(PACKAGES_COVERAGE))
deps-docs:
	$(call install-missing,$(PACKAGES_DOCS))
deps-lint:
	$(call install-missing,$(PACKAGES_ALL))

# --- rules ------------------------------------------------------------------------------------------------------
$(BUILD)/obj/bindings/lua/%.o $(BUILD)/obj/bindings/host/%.o: private EXTRA_CFLAGS = $(LUA_CFLAGS)
$(BUILD)/obj/bindings/sdl/%.o: private EXTRA_CFLAGS = $(LUA_CFLAGS) $(SDL_CFLAGS) -Ibindings/lua
$(PLUGIN_OBJECTS) $(PEER_OBJECTS): private EXTRA_CFLAGS = $(BAKE_CFLAGS)
# The runtime and the bindings reach the operating system through core/platform.h alone; tests call POSIX directly.
$(TEST_OBJECTS) $(GROWTH_OBJECTS) $(SUPPORT_OBJECTS) $(PEER_OBJECTS) $(BENCH_OBJECTS) $(SOAK_OBJECTS) $(FUZZ_OBJECTS): private EXTRA_CFLAGS += \
  -Itests/support -D_POSIX_C_SOURCE=200809L

$(BUILD)/obj/counted/%.o: %.c
	@mkdir -p $(@D)
	@echo '  CC $< (counted)'
	$(Q)$(CC) $(C_FLAGS) -fsanitize-coverage=trace-pc -c $< -o $@

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo '  CC $<'
	$(Q)$(CC) $(C_FLAGS) $(EXTRA_CFLAGS) -c $< -o $@

$(BUILD)/obj/%.o: %.cpp
	@mkdir -p $(@D)
	@echo '  CXX $<'
	$(Q)$(CXX) $(CXX_FLAGS) $(EXTRA_CFLAGS) -c $< -o $@

$(BUILD)/libleeward.a: $(RUNTIME_OBJECTS)
	@rm -f $@
	@echo '  LD $@'
	$(Q)$(AR) rcs $@ $^

# Also made again when the list of its sources, above, may have changed: their objects need not be newer.
$(BUILD)/obj/shared.a: $(SHARED_OBJECTS) $(THIS_MAKEFILE)
	@rm -f $@
	@echo '  LD $@'
	$(Q)$(AR) rcs $@ $(SHARED_OBJECTS)

# Links them without exporting their symbols.
LINK_SHARED := $(BUILD)/obj/shared.a -Wl,--exclude-libs,shared.a

$(BUILD)/libleeward.so: $(RUNTIME_OBJECTS)
	@echo '  LD $@'
	$(Q)$(CC) -shared $^ $(LD_FLAGS) -lm -Wl,-soname,libleeward.so -o $@

$(BUILD)/libleeward_bake.so: $(PLUGIN_OBJECTS) $(BUILD)/obj/shared.a
	@echo '  LD $@'
	$(Q)$(CXX) -shared $(PLUGIN_OBJECTS) $(LINK_SHARED) $(LD_FLAGS) $(BAKE_LIBS) -lm -Wl,-soname,libleeward_bake.so -o $@

$(BUILD)/leeward_import: $(IMPORT_OBJECTS) $(BUILD)/obj/shared.a
	@echo '  LD $@'
	$(Q)$(CC) $^ $(LD_FLAGS) -o $@

# A Lua module leaves lua_* to the program that loads it. It stays loaded when the state is closed: os.exit(0, true) in
# a callback of a bake does that while other threads bake. The library is beside it in the build, two up when installed.
MODULE_RPATH := -Wl,-rpath,'$$ORIGIN/..:$$ORIGIN/../..'
$(BUILD)/lua/leeward.so: $(LUA_OBJECTS) $(BUILD)/libleeward.so $(BUILD)/obj/shared.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) -shared $(LUA_OBJECTS) $(EXTRA_FLAGS) -L$(BUILD) -lleeward $(LINK_SHARED) -lm $(MODULE_RPATH) -Wl,-z,nodelete -o $@

$(BUILD)/lua/leeward_sdl.so: $(SDL_OBJECTS) $(LWL_OBJECTS) $(BUILD)/libleeward.so $(BUILD)/obj/shared.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) -shared $(SDL_OBJECTS) $(LWL_OBJECTS) $(EXTRA_FLAGS) -L$(BUILD) -lleeward $(LINK_SHARED) $(SDL_LIBS) -lm $(MODULE_RPATH) -o $@

$(PROGRAM): $(HOST_OBJECTS) $(BUILD)/obj/shared.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) $^ $(EXTRA_FLAGS) $(LUA_LIBS) -o $@

# C tests see the runtime from inside, so they link the archive. Peers (Detour) are linked by tests and benches alone.
$(BUILD)/tests/%: $(BUILD)/obj/tests/c/%.o $(SUPPORT_OBJECTS) $(PEER_OBJECTS) $(BUILD)/libleeward.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CXX) $(filter %.o,$^) $(filter %.a,$^) $(EXTRA_FLAGS) $(FILE_FAULTS) $(WRAP_FLAGS) $(TEST_LIBS) $(PEER_LIBS) -lm -o $@

# It runs the Lua module on an allocator of its own.
$(BUILD)/tests/test_lua_memory: $(LUA_OBJECTS) $(BUILD)/libleeward_bake.so
$(BUILD)/tests/test_lua_memory: private TEST_LIBS += $(LUA_LIBS)
$(BUILD)/obj/tests/c/test_lua_memory.o: private EXTRA_CFLAGS += $(LUA_CFLAGS)

# It runs the Lua module, and asks what the trees of a step take.
$(BUILD)/bench/bench_wander: $(LUA_OBJECTS) $(BUILD)/libleeward_bake.so
$(BUILD)/bench/bench_wander: private TEST_LIBS += $(LUA_LIBS)
$(BUILD)/bench/bench_wander: private WRAP_FLAGS := -Wl,--wrap=lwi_world_tick_trees
$(BUILD)/obj/tests/bench/bench_wander.o: private EXTRA_CFLAGS += $(LUA_CFLAGS)

$(BUILD)/soak/%: $(BUILD)/obj/tests/soak/%.o $(SUPPORT_OBJECTS) $(PEER_OBJECTS) $(BUILD)/libleeward.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CXX) $^ $(EXTRA_FLAGS) $(FILE_FAULTS) $(TEST_LIBS) $(PEER_LIBS) -lm -o $@

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(SUPPORT_OBJECTS) $(PEER_OBJECTS) $(BUILD)/libleeward.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CXX) $(filter %.o,$^) $(filter %.a,$^) $(EXTRA_FLAGS) $(FILE_FAULTS) $(WRAP_FLAGS) $(TEST_LIBS) $(PEER_LIBS) -lm -o $@

# They link the counted runtime, and count the bytes that are copied, too.
$(GROWTH_TESTS): $(BUILD)/tests/%: $(BUILD)/obj/tests/c/%.o $(GROWTH_OBJECTS) $(SUPPORT_OBJECTS) $(PEER_OBJECTS) $(COUNTED_OBJECTS)
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CXX) $^ $(EXTRA_FLAGS) $(FILE_FAULTS) -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset $(TEST_LIBS) $(PEER_LIBS) -lm -o $@

# Tests put a failure in the place of what the system would do: tests/support/file_faults.c, and what is named here.
FILE_FAULTS := $(patsubst %,-Wl$(comma)--wrap=lwi_file_%,open get create put sync close replace)
$(BUILD)/tests/test_parallel: private WRAP_FLAGS := -Wl,--wrap=lwi_thread_start

# It casts rays where the search asks what is seen.
$(BUILD)/bench/bench_watched: private WRAP_FLAGS := -Wl,--wrap=lwi_exposure_find
$(BUILD)/bench/bench_senses: private WRAP_FLAGS := -Wl,--wrap=lwi_world_look

# Files in memory in the place of those of the system (tests/fuzz/memory_files.h).
FUZZ_WRAPPED := lwi_file_open lwi_file_create lwi_file_sync lwi_file_replace lwi_file_remove \
                lwi_path_is_file lwi_path_resolve
FUZZ_WRAP    := $(patsubst %,-Wl$(comma)--wrap=%,$(FUZZ_WRAPPED))
FUZZ_SUPPORT := $(filter-out %/replay.o $(BUILD)/obj/tests/fuzz/fuzz_%,$(FUZZ_OBJECTS)) \
                $(filter %/damage.o %/damage_probe.o,$(SUPPORT_OBJECTS))
FUZZ_LINK     = $(CC) $(filter %.o,$^) $(filter %.a,$^) $(EXTRA_FLAGS) $(FUZZ_WRAP) $(FUZZ_LIBS) -lm -o $@
$(BUILD)/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_SUPPORT) $(BUILD)/libleeward.a
	@echo '  LD $@'
	$(Q)$(FUZZ_LINK) -fsanitize=fuzzer

$(BUILD)/tests/test_fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/replay.o $(FUZZ_SUPPORT) $(BUILD)/libleeward.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(FUZZ_LINK)

# What would load Assimp is the end of the checks.
$(foreach t,$(BUILD)/fuzz_ $(BUILD)/tests/test_fuzz_,$tlevel_file): private FUZZ_LIBS = -Wl,--wrap=lwi_plugin_open

FUZZ_LUA := $(foreach t,fuzz_data fuzz_pattern,$(BUILD)/$t $(BUILD)/tests/test_$t)
$(FUZZ_LUA): $(LUA_OBJECTS)
$(FUZZ_LUA): private FUZZ_LIBS = $(LUA_LIBS)
$(patsubst %,$(BUILD)/obj/tests/fuzz/fuzz_%.o,data pattern): private EXTRA_CFLAGS += $(LUA_CFLAGS)

-include $(ALL_OBJECTS:.o=.d) $(COUNTED_OBJECTS:.o=.d)
