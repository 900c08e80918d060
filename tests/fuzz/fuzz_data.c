/* Data files of a mod with any contents are refused with file and place, or define a profile; areas.lua, too. An input
   holds up to three files with form feeds between them: the profile `fuzzed`, the profile `base` and areas.lua. */
#include "fuzz.h"
#include "memory_files.h"

#include <lauxlib.h>
#include <lualib.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Folders that exist, for they are looked for; what is in them is in memory. */
#define FOLDER "tests/fuzz"
#define SHIPPED "tests/fuzz/corpus"
#define FILES 3

int luaopen_leeward(lua_State *L);

static const char script[] = "local leeward = ...\n"
                             "local profile = leeward.profile('fuzzed')\n"
                             "if profile then leeward.profile('other', { extends = 'fuzzed' }) end\n"
                             "leeward.profile_info('fuzzed')\n"
                             "leeward.reload()\n"
                             "leeward.areas()\n";

static int run(lua_State *L) {
  luaL_openlibs(L);
  luaL_requiref(L, "leeward", luaopen_leeward, 0);
  if (luaL_loadstring(L, script) != LUA_OK) return lua_error(L);
  lua_insert(L, -2);
  lua_call(L, 1, 0);
  return 0;
}

/* The shipped profile that others extend; its areas alone in place of the many that are shipped. */
static void set_shipped(void) {
  static const char areas[] =
      "return { areas = { { name = 'ground', resistance = 0.5 }, { name = 'grass' } } }";
  static char human[8192];
  static size_t size;
  if (size == 0) {
    FILE *file = fopen("scripts/profiles/human.lua", "rb");
    if (!file) fuzz_fail("no scripts/profiles/human.lua, expected to run in the repository's root");
    size = fread(human, 1, sizeof human, file);
    fclose(file);
    setenv("LEEWARD_PATH", FOLDER ";" SHIPPED, 1);
    memory_files_only();
  }
  memory_file_set(SHIPPED "/scripts/areas.lua", areas, sizeof areas - 1);
  memory_file_set(SHIPPED "/scripts/profiles/human.lua", human, size);
}

static void set_files(const uint8_t *data, size_t size) {
  static const char *const names[FILES] = {FOLDER "/scripts/profiles/fuzzed.lua",
                                           FOLDER "/scripts/profiles/base.lua", FOLDER "/scripts/areas.lua"};
  const uint8_t *at = data, *end = data + size;
  for (int i = 0; i < FILES && at < end; i++) {
    const uint8_t *feed = i + 1 < FILES ? memchr(at, '\f', (size_t)(end - at)) : NULL;
    const uint8_t *stop = feed ? feed : end;
    if (stop > at) memory_file_set(names[i], at, (size_t)(stop - at));
    at = feed ? feed + 1 : end;
  }
}

void fuzz_input(const uint8_t *data, size_t size) {
  if (size == 0) return;
  set_shipped();
  set_files(data, size);
  lua_State *L = luaL_newstate();
  if (!L) fuzz_fail("no Lua state");
  lua_pushcfunction(L, run);
  if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
    const char *message = lua_tostring(L, -1);
    if (getenv("FUZZ_SHOW")) printf("%s\n", message);
    if (!message || !*message) fuzz_fail("refused without a reason");
  }
  lua_close(L);
  memory_files_clear();
}
