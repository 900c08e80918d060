/// Graphs: lines over one axis, such as a number over time, written as a PNG.
#ifndef LEEWARD_SDL_GRAPH_H
#define LEEWARD_SDL_GRAPH_H

#include <lua.h>

/* sdl.graph{ file =, series = { { name =, points = { {x, y}, ... }, color = }, ... }, title =, x =, y =,
**   width =, height = } --> true | nil, message, code */
int graph_write(lua_State *L);
/// Create the metatable that graph_write() needs.
void graph_open(lua_State *L);

#endif
