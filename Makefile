# leeward: `make run` shows it, `make test` tests it; `make help` lists the rest.

# All that is needed outside this repository, as Debian packages, in this one place.
PACKAGES_RUNTIME := gcc g++ libc6-dev pkg-config
PACKAGES_BAKE    := librecast-dev libassimp-dev
PACKAGES_LUA     := lua5.4 liblua5.4-dev
PACKAGES_SDL     := libsdl2-dev libsdl2-ttf-dev libsdl2-image-dev fonts-dejavu-core
PACKAGES_TEST    := libcmocka-dev lua-busted
PACKAGES_LINT    := clang clang-format lua-check
PACKAGES_FUZZ    := clang libclang-rt-dev

BUILD  ?= build
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
            -D_POSIX_C_SOURCE=200809L $(EXTRA_FLAGS)
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

# --- sources ----------------------------------------------------------------------------------------------------
# Files that only libleeward_bake.so links; all others of runtime/ make libleeward.
PLUGIN_SOURCES  := runtime/bake/recast.cpp runtime/bake/plugin.c runtime/geometry/import_assimp.c
RUNTIME_SOURCES := $(filter-out $(PLUGIN_SOURCES),$(wildcard runtime/*/*.c))
LUA_SOURCES     := $(wildcard bindings/lua/*.c)
SDL_SOURCES     := $(wildcard bindings/sdl/*.c)
HOST_SOURCES    := $(wildcard bindings/host/*.c)
TEST_SOURCES    := $(wildcard tests/c/test_*.c)
TEST_SUPPORT    := $(wildcard tests/support/*.c)
PEER_SOURCES    := $(wildcard tests/support/*.cpp)
BENCH_SOURCES   := $(wildcard tests/bench/*.c)
FUZZ_SOURCES    := $(wildcard tests/fuzz/fuzz_*.c)

objects = $(patsubst %,$(BUILD)/obj/%.o,$(basename $(1)))
RUNTIME_OBJECTS := $(call objects,$(RUNTIME_SOURCES))
PLUGIN_OBJECTS  := $(call objects,$(PLUGIN_SOURCES))
LUA_OBJECTS     := $(call objects,$(LUA_SOURCES))
SDL_OBJECTS     := $(call objects,$(SDL_SOURCES))
HOST_OBJECTS    := $(call objects,$(HOST_SOURCES))
TEST_OBJECTS    := $(call objects,$(TEST_SOURCES))
SUPPORT_OBJECTS := $(call objects,$(TEST_SUPPORT))
PEER_OBJECTS    := $(call objects,$(PEER_SOURCES))
BENCH_OBJECTS   := $(call objects,$(BENCH_SOURCES))
FUZZ_OBJECTS    := $(call objects,$(FUZZ_SOURCES))
ALL_OBJECTS     := $(RUNTIME_OBJECTS) $(PLUGIN_OBJECTS) $(LUA_OBJECTS) $(SDL_OBJECTS) $(HOST_OBJECTS) $(TEST_OBJECTS) \
                   $(SUPPORT_OBJECTS) $(PEER_OBJECTS) $(BENCH_OBJECTS) $(FUZZ_OBJECTS)

# --- products ---------------------------------------------------------------------------------------------------
PROGRAM := $(BUILD)/leeward
PRODUCTS := $(PROGRAM) $(BUILD)/libleeward.a $(BUILD)/libleeward.so $(BUILD)/lua/leeward.so
ifeq ($(RUNTIME_ONLY),)
PRODUCTS += $(BUILD)/libleeward_bake.so $(BUILD)/lua/leeward_sdl.so
endif
TESTS   := $(patsubst tests/c/%.c,$(BUILD)/tests/%,$(TEST_SOURCES))
BENCHES := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))

.PHONY: all products run view test test-c spec lint asan bench install clean deps deps-test deps-lint deps-fuzz help
.DEFAULT_GOAL := all

all: deps ## build everything (and install what is missing)
	@$(MAKE) products

products: $(PRODUCTS)

.PHONY: objects
objects: $(ALL_OBJECTS)

run: deps ## bake a level and let agents live in it (LEVEL=file: any level; default: the bundled scenario)
	@$(MAKE) products
ifeq ($(LEVEL),)
	@$(PROGRAM) run courtyard_sniper --picture $(BUILD)/run.png
else
	@$(PROGRAM) run roam --level "$(LEVEL)" --seconds 60 --picture $(BUILD)/run.png
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
	@mkdir -p $(BUILD)/bench/mod/scripts/profiles
	@levels=$$(ls $${LEEWARD_SHARED:-../shared}/levels/oa_wrackdm17.obj $${LEEWARD_SHARED:-../shared}/levels/wz_highground.obj 2>/dev/null); \
	  LEEWARD_PATH=$(BUILD)/bench/mod BENCH_MOD=$(BUILD)/bench/mod $(PROGRAM) lua tests/bench/bench_reload.lua $$levels

asan: deps-test ## run every test under the address and undefined-behaviour sanitizers
	@$(MAKE) BUILD=$(BUILD)/asan OPTIMIZE="-O1 -g" EXTRA_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" asan-run

.PHONY: asan-run
asan-run: products $(TESTS)
	@BUILD=$(BUILD) SANITIZE=1 tests/run c spec

SECONDS ?= 60
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(FUZZ_SOURCES))

fuzz: deps-fuzz ## damage navmesh files for SECONDS (60) and load them, under the sanitizers; needs clang
	@$(MAKE) products
	@mkdir -p $(BUILD)/fuzz/seeds $(BUILD)/fuzz/corpus
	@$(PROGRAM) lua tests/fuzz/seeds.lua $(BUILD)/fuzz/seeds
	@$(MAKE) BUILD=$(BUILD)/fuzz CC=clang OPTIMIZE="-O1 -g" \
	  EXTRA_FLAGS="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer" fuzz-run

.PHONY: fuzz fuzz-run
fuzz-run: $(FUZZERS)
	@for fuzzer in $(FUZZERS); do \
	  $$fuzzer -max_total_time=$(SECONDS) -timeout=10 -max_len=262144 -artifact_prefix=$(BUILD)/ $(BUILD)/corpus $(BUILD)/seeds || exit 1; \
	done

lint: deps-lint ## check format, folders, Lua, and warnings under gcc and clang
	+@tests/lint

install: products ## install below PREFIX (default /usr/local)
	@BUILD=$(BUILD) PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" bindings/host/install

clean: ## remove the build folder
	rm -rf $(BUILD)

help: ## show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
	@echo "  DEPS=no: install nothing; RUNTIME_ONLY=1: no bake, no window; BUILD=dir; PREFIX=dir"

# --- dependencies -----------------------------------------------------------------------------------------------
# $(call install-missing,PACKAGES): says what it installs; sudo only when not root.
define install-missing
	@[ "$(DEPS)" = no ] || ! command -v dpkg-query >/dev/null || { \
	  missing=$$(for p in $(1); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'install ok installed' || echo $$p; done); \
	  [ -z "$$missing" ] || { \
	    echo "leeward: installing" $$missing "(DEPS=no turns this off)"; \
	    as_root=; [ $$(id -u) = 0 ] || as_root=sudo; \
	    $$as_root apt-get update -qq && \
	    $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; }; }
endef

deps: ## install what building and running need
	$(call install-missing,$(PACKAGES))
deps-test:
	$(call install-missing,$(PACKAGES) $(PACKAGES_TEST))
deps-fuzz:
	$(call install-missing,$(PACKAGES) $(PACKAGES_FUZZ))
deps-lint:
	$(call install-missing,$(PACKAGES_ALL))

# --- rules ------------------------------------------------------------------------------------------------------
$(BUILD)/obj/bindings/lua/%.o $(BUILD)/obj/bindings/host/%.o: private EXTRA_CFLAGS = $(LUA_CFLAGS)
$(BUILD)/obj/bindings/sdl/%.o: private EXTRA_CFLAGS = $(LUA_CFLAGS) $(SDL_CFLAGS) -Ibindings/lua
$(PLUGIN_OBJECTS) $(PEER_OBJECTS): private EXTRA_CFLAGS = $(BAKE_CFLAGS)
$(TEST_OBJECTS) $(SUPPORT_OBJECTS) $(PEER_OBJECTS) $(BENCH_OBJECTS) $(FUZZ_OBJECTS): private EXTRA_CFLAGS += -Itests/support

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

$(BUILD)/libleeward.so: $(RUNTIME_OBJECTS)
	@echo '  LD $@'
	$(Q)$(CC) -shared $^ $(LD_FLAGS) -lm -Wl,-soname,libleeward.so -o $@

$(BUILD)/libleeward_bake.so: $(PLUGIN_OBJECTS)
	@echo '  LD $@'
	$(Q)$(CXX) -shared $^ $(LD_FLAGS) $(BAKE_LIBS) -lm -Wl,-soname,libleeward_bake.so -o $@

# A Lua module leaves lua_* to the program that loads it. The library is beside it in the build, two up when installed.
MODULE_RPATH := -Wl,-rpath,'$$ORIGIN/..:$$ORIGIN/../..'
$(BUILD)/lua/leeward.so: $(LUA_OBJECTS) $(BUILD)/libleeward.so
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) -shared $(LUA_OBJECTS) $(EXTRA_FLAGS) -L$(BUILD) -lleeward -lm $(MODULE_RPATH) -o $@

$(BUILD)/lua/leeward_sdl.so: $(SDL_OBJECTS) $(BUILD)/libleeward.so
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) -shared $(SDL_OBJECTS) $(EXTRA_FLAGS) -L$(BUILD) -lleeward $(SDL_LIBS) -lm $(MODULE_RPATH) -o $@

$(PROGRAM): $(HOST_OBJECTS)
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CC) $^ $(EXTRA_FLAGS) $(LUA_LIBS) -o $@

# C tests see the runtime from inside, so they link the archive. Peers (Detour) are linked by tests and benches alone.
$(BUILD)/tests/%: $(BUILD)/obj/tests/c/%.o $(SUPPORT_OBJECTS) $(PEER_OBJECTS) $(BUILD)/libleeward.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CXX) $^ $(EXTRA_FLAGS) $(TEST_LIBS) -lDetour -lRecast -lm -o $@

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(SUPPORT_OBJECTS) $(PEER_OBJECTS) $(BUILD)/libleeward.a
	@mkdir -p $(@D)
	@echo '  LD $@'
	$(Q)$(CXX) $^ $(EXTRA_FLAGS) $(TEST_LIBS) -lDetour -lRecast -lm -o $@

# It casts rays where the search asks what is seen.
$(BUILD)/bench/bench_watched: private EXTRA_FLAGS += -Wl,--wrap=lwi_exposure_find

FUZZ_SUPPORT := $(filter %/damage.o %/damage_probe.o,$(SUPPORT_OBJECTS))
$(BUILD)/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_SUPPORT) $(BUILD)/libleeward.a
	@echo '  LD $@'
	$(Q)$(CC) $^ $(EXTRA_FLAGS) -fsanitize=fuzzer -lm -o $@

-include $(ALL_OBJECTS:.o=.d)
