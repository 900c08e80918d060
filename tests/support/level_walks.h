/// Walked paths and eyes on the shared levels (levels/visibility), for which another program has computed
/// visibility by rays.
#ifndef LW_TESTS_LEVEL_WALKS_H
#define LW_TESTS_LEVEL_WALKS_H

#include "leeward/base.h"

#include <stdio.h>

#define LEVEL_EYES 5

typedef struct level_path {
  int count;
  lw_vec3 *points; ///< [count, >= 2] On the floor.
} level_path;

typedef struct level_walks {
  lw_vec3 eyes[LEVEL_EYES];
  int path_count;
  level_path *paths; ///< [path_count]
} level_walks;

/// @return NULL: there is no such file beside the level.
FILE *level_truth(const char *name, const char *ending);
/// The numbers of a file's next line that is not a comment. @return How many, at most `capacity`; 0: the end.
int level_numbers(FILE *stream, float *numbers, int capacity);

/// @param[out] walks  The caller frees it with level_walks_free(). @return false: they are missing.
bool level_walks_read(const char *name, level_walks *walks);
void level_walks_free(level_walks *walks);

#endif
