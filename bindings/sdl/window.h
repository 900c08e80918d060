/// The debug window.
#ifndef LEEWARD_SDL_WINDOW_H
#define LEEWARD_SDL_WINDOW_H

#include <lua.h>

/*
** sdl.view{ world= | navmesh=, geometry=, layers=, title=, seconds=, on_step= } --> true | nil, message, code
*/
int window_view(lua_State *L);
/// Create the metatable that window_view() needs.
void window_open(lua_State *L);

#endif
