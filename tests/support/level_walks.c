#include "level_walks.h"

#include <stdlib.h>
#include <string.h>

#define LINE_MAX_LENGTH 65536
#define PATHS_MAX 256
#define POINTS_MAX 2048

FILE *level_truth(const char *name, const char *ending) {
  const char *folder = getenv("LEEWARD_SHARED");
  char file[1024];
  snprintf(file, sizeof file, "%s/levels/visibility/%s%s", folder && *folder ? folder : "../shared", name,
           ending);
  return fopen(file, "r");
}

int level_numbers(FILE *stream, float *numbers, int capacity) {
  static char line[LINE_MAX_LENGTH];
  int count = 0;
  do
    if (!fgets(line, sizeof line, stream)) return 0;
  while (line[0] == '#');
  for (char *at = line, *end; count < capacity; at = end) {
    float value = strtof(at, &end);
    if (end == at) break;
    numbers[count++] = value;
  }
  return count;
}

static bool read_eyes(const char *name, level_walks *walks) {
  FILE *stream = level_truth(name, ".eyes");
  bool done = stream != NULL;
  for (int i = 0; i < LEVEL_EYES && done; i++) {
    float at[3];
    done = level_numbers(stream, at, 3) == 3;
    walks->eyes[i] = (lw_vec3){at[0], at[1], at[2]};
  }
  if (stream) fclose(stream);
  return done;
}

static bool read_paths(const char *name, level_walks *walks) {
  static float numbers[3 * POINTS_MAX];
  FILE *stream = level_truth(name, ".paths");
  if (!stream) return false;
  walks->paths = calloc(PATHS_MAX, sizeof *walks->paths);
  while (walks->paths && walks->path_count < PATHS_MAX) {
    level_path *path = &walks->paths[walks->path_count];
    path->count = level_numbers(stream, numbers, 3 * POINTS_MAX) / 3;
    if (path->count < 2) break;
    path->points = malloc((size_t)path->count * sizeof *path->points);
    if (!path->points) abort();
    for (int i = 0; i < path->count; i++)
      path->points[i] = (lw_vec3){numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    walks->path_count++;
  }
  fclose(stream);
  return walks->path_count > 0;
}

bool level_walks_read(const char *name, level_walks *walks) {
  *walks = (level_walks){0};
  if (read_eyes(name, walks) && read_paths(name, walks)) return true;
  level_walks_free(walks);
  return false;
}

void level_walks_free(level_walks *walks) {
  for (int i = 0; i < walks->path_count; i++) free(walks->paths[i].points);
  free(walks->paths);
  *walks = (level_walks){0};
}
