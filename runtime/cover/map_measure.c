/* What a map loses: other eyes than those that it was made by, and ways within a polygon. */
#include "core/parallel.h"
#include "core/vec3.h"
#include "cover/map.h"
#include "cover/places.h"

#define SEED 28
/* Pairs of an eye and a way, in pieces. */
#define PIECES 50
#define MEASURED 1000
#define EYE 1.6f

typedef struct work {
  const lwi_map_list *map;
  const lwi_occluders *occluders;
  const lw_navmesh *mesh;
  lwi_memory memory; /* to begin counting with */
  double sums[PIECES];
} work;

/* What of a way is hidden from the eye. @param some  NULL: exactly. */
static bool measure_way(const lwi_occluders *occluders, const lwi_leaf_list *some, lw_vec3 eye, lw_vec3 from,
                        lw_vec3 to, lwi_intervals rooms[3], float *hidden) {
  static const float heights[] = {0.9f, 1.6f};
  rooms[0].count = rooms[1].count = 0;
  if (!lwi_occluders_clip_two(occluders, some, eye, from, to, heights, true, NULL, rooms)) return false;
  if (!lwi_intervals_intersect(&rooms[0], &rooms[1], &rooms[2])) return false;
  *hidden = fminf(1, lwi_intervals_sum(&rooms[0]));
  return true;
}

static bool measure_pair(const work *w, lwi_random *random, lwi_intervals rooms[3], double *sum) {
  uint32_t at = lwi_draw_polygon(w->mesh, random), way = lwi_draw_polygon(w->mesh, random);
  lw_vec3 eye = lwi_draw_place(w->mesh, at, random), from = lwi_draw_place(w->mesh, way, random),
          to = lwi_draw_place(w->mesh, way, random);
  lwi_leaf_list list = lwi_map_list_of(w->map->first, w->map->bytes.items, at);
  float mapped, exact;
  eye.y += EYE;
  if (!measure_way(w->occluders, NULL, eye, from, to, rooms, &exact) ||
      !measure_way(w->occluders, &list, eye, from, to, rooms, &mapped))
    return false;
  *sum += fabs((double)exact - (double)mapped);
  return true;
}

static bool measure_piece(void *user, int piece) {
  work *w = user;
  lwi_memory memory = w->memory;
  lwi_random random = lwi_random_make(SEED, (uint64_t)piece);
  lwi_intervals rooms[3] = {{.memory = &memory}, {.memory = &memory}, {.memory = &memory}};
  bool done = true;
  for (int i = 0; i < MEASURED / PIECES && done; i++) done = measure_pair(w, &random, rooms, &w->sums[piece]);
  for (int i = 0; i < 3; i++) lwi_intervals_free(&rooms[i]);
  return done;
}

bool lwi_map_measure(const lwi_map_list *map, const lwi_occluders *occluders, const lw_navmesh *mesh,
                     int threads, float *loss) {
  work w = {.map = map, .occluders = occluders, .mesh = mesh};
  lwi_memory_guard guard;
  double sum = 0;
  if (!lwi_memory_guard_open(&guard, &map->memory->allocator, &w.memory)) return false;
  lwi_parallel pieces = {.count = PIECES, .threads = threads, .work = measure_piece, .user = &w};
  bool done = lwi_parallel_run(&pieces);
  lwi_memory_guard_close(&guard);
  for (int i = 0; i < PIECES; i++) sum += w.sums[i];
  *loss = (float)(sum / MEASURED);
  return done;
}
