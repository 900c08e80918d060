/// OBJ files before Assimp reads them: their vertices and faces, line by line, as Assimp takes lines and words.
/// It reads `nan` as a number and letters as 0, and leaves out what it does not understand.
#ifndef LW_GEOMETRY_OBJ_CHECK_H
#define LW_GEOMETRY_OBJ_CHECK_H

#include "leeward/base.h"

#include <stdio.h>

/// @param stream  Open, at its beginning.
/// @return LW_OK; LW_BAD_FILE; LW_EMPTY; LW_INVALID; LW_FILE: it cannot be read.
lw_status lwi_obj_check(const char *file, FILE *stream, lw_error *error);

#endif
