/// The Lua module leeward_sdl: the debug window and pictures.
#include "graph.h"
#include "notice.h"
#include "options.h"
#include "picture.h"
#include "window.h"

#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void notice_no_font(lua_State *L) {
  if (lua_getfield(L, LUA_REGISTRYINDEX, "leeward_sdl.no_font") == LUA_TNIL) {
    const char *chosen = getenv("LEEWARD_FONT");
    char shown[512];
    lwi_text_show(shown, sizeof shown, chosen ? chosen : "");
    fprintf(stderr, "leeward_sdl: %s%s; drawing without text (LEEWARD_FONT names a TrueType file)\n",
            *shown ? "cannot open the font " : "no font found", shown);
    lua_pushboolean(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, "leeward_sdl.no_font");
  }
  lua_pop(L, 1);
}

static bool is_set(const char *name) {
  const char *value = getenv(name);
  return value && *value;
}

/*
** sdl.is_headless() --> boolean
*/
static int is_headless(lua_State *L) {
  const char *driver = getenv("SDL_VIDEODRIVER");
  bool fake = driver && (strcmp(driver, "dummy") == 0 || strcmp(driver, "offscreen") == 0);
  lua_pushboolean(L, fake || (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")));
  return 1;
}

static const luaL_Reg functions[] = {{"picture", picture_write},
                                     {"graph", graph_write},
                                     {"view", window_view},
                                     {"is_headless", is_headless},
                                     {"read_pixel", picture_read_pixel},
                                     {NULL, NULL}};

extern LW_API int luaopen_leeward_sdl(lua_State *L);

int luaopen_leeward_sdl(lua_State *L) {
  picture_open(L);
  graph_open(L);
  window_open(L);
  luaL_newlib(L, functions);
  return 1;
}
