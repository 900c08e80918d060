/// Messages that are printed once per Lua state.
#ifndef LEEWARD_SDL_NOTICE_H
#define LEEWARD_SDL_NOTICE_H

#include <lua.h>

/// Print to standard error that there is no font.
void notice_no_font(lua_State *L);

#endif
