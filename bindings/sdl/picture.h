/// Pictures: the chart on a surface in memory, written as a PNG. Needs no display.
#ifndef LEEWARD_SDL_PICTURE_H
#define LEEWARD_SDL_PICTURE_H

#include <lua.h>

/*
** sdl.picture{ file=, world= | navmesh=, geometry=, width=, height=, layers=, title= } --> true | nil, message, code
*/
int picture_write(lua_State *L);
/*
** sdl.read_pixel{ file=, x=, y= } --> 0xRRGGBB | nil, message, code
*/
int picture_read_pixel(lua_State *L);
/// Make the metatable of what picture_write() works with.
void picture_open(lua_State *L);

#endif
