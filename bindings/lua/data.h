/// Data files: where in a file a value was set.
#ifndef LWL_DATA_H
#define LWL_DATA_H

#include "lwl.h"

/// Push a table: path of a key ("speed.calm", "areas[3].color") -> its line in the text of a data file. Right for what
/// the file returns as a table constructor, and for tables in local variables that it names there; what is computed is
/// not found.
void lwl_push_data_lines(lua_State *L, const char *text, size_t length);

#endif
