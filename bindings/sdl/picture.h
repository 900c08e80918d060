/// Pictures: the chart painted on a surface in memory and written as a PNG. Needs no display.
#ifndef LEEWARD_SDL_PICTURE_H
#define LEEWARD_SDL_PICTURE_H

#include <lua.h>

/* sdl.picture{ file =, world = | navmesh =, geometry =, width =, height =, layers =, title =, selected = }
**   --> true | nil, message, code */
int picture_write(lua_State *L);
/* sdl.read_pixel{ file =, x =, y = } --> 0xRRGGBB | nil, message, code */
int picture_read_pixel(lua_State *L);
/// Create the metatable that picture_write() needs.
void picture_open(lua_State *L);

#endif
