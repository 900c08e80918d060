/// What an OBJ file must not hold. Assimp reads `nan` as a number, letters as 0 and so on without a word, so the
/// file's own lines are looked at first: that also gives the line to name.
#ifndef LW_GEOMETRY_OBJ_CHECK_H
#define LW_GEOMETRY_OBJ_CHECK_H

#include "leeward/base.h"

/// @return Whether the name ends in `.obj`, in either case.
bool lwi_obj_is_named(const char *file);
/// @return LW_OK; LW_INVALID: a vertex that is not three finite numbers or an index out of range, with its line;
///   LW_BAD_FILE: a line that no OBJ has; LW_FILE.
lw_status lwi_obj_check(const char *file, lw_error *error);

#endif
