/// Things that are said once in the life of a Lua state.
#ifndef LEEWARD_SDL_NOTICE_H
#define LEEWARD_SDL_NOTICE_H

#include <lua.h>

/// Say that there is no font, on standard error.
void notice_no_font(lua_State *L);

#endif
