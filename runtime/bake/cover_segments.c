/* Each wall is scanned from each side in columns: the heights between which the wall is solid in one, and the floors
   beside it that an agent can stand on. Columns of one floor and about equal height make a segment. */
#include "bake/cover_segments.h"

#include "bake/wall_columns.h"
#include "bake/wall_ground.h"
#include "core/parallel.h"
#include "core/vec3.h"
#include "cover/cover_run.h"

#include <stdlib.h>

/* Columns for which the mesh is looked up together. */
#define GATHERED 16
#define PIECES 64

typedef struct wall_scan {
  lwi_memory *memory;
  lwi_beside beside;
  const lwi_walls *walls;
  lwi_segment_list *out;
  float tall;
  lw_vec3 origin;
  lwi_wall_columns columns;
  lwi_cover_run *runs;
  int run_count, run_capacity;
} wall_scan;

/* --- runs ------------------------------------------------------------------------------------------------- */

static bool add_column(wall_scan *s, const lwi_wall_span *reach, float ground) {
  const lwi_cover_column column = {.number = reach->column,
                                   .begin = s->columns.cuts[reach->column],
                                   .end = s->columns.cuts[reach->column + 1],
                                   .middle = lwi_wall_middle(&s->columns, reach->column),
                                   .low = reach->low,
                                   .high = reach->high,
                                   .ground = ground};
  for (int i = 0; i < s->run_count; i++)
    if (lwi_cover_run_extend(&s->runs[i], &column, s->tall)) return true;
  if (!lwi_reserve(s->memory, &s->runs, &s->run_capacity, s->run_count + 1, sizeof *s->runs)) return false;
  s->runs[s->run_count++] = lwi_cover_run_begin(&column, s->tall);
  return true;
}

/* A point on the wall's face at its lower edge, or at the ground if that is higher. */
static lw_vec3 foot(const wall_scan *s, const lwi_wall_plane *wall, const lwi_cover_run *r, double at,
                    double ground) {
  double off = wall->place + wall->lean * (fmax(ground, (double)r->bottom) - s->origin.y);
  return lwi_vec3((float)(s->origin.x + wall->hz * at + wall->hx * off), (float)ground,
                  (float)(s->origin.z - wall->hx * at + wall->hz * off));
}

static bool finish(wall_scan *s, const lwi_wall_plane *wall, bool behind, const lwi_cover_run *r) {
  const lwi_cover_ground ground = lwi_cover_run_ground(r);
  lwi_cover_segment segment = {.a = foot(s, wall, r, r->begin, ground.begin),
                               .b = foot(s, wall, r, r->end, ground.end),
                               .kind = wall->kind};
  if (behind) {
    lw_vec3 swap = segment.a;
    segment.a = segment.b;
    segment.b = swap;
  }
  lwi_cover_run_heights(r, &ground, &segment);
  return lwi_segments_add(s->out, &segment);
}

/* Finish the runs that end before the column. */
static bool finish_before(wall_scan *s, const lwi_wall_plane *wall, bool behind, int column) {
  int left = 0;
  for (int i = 0; i < s->run_count; i++) {
    if (s->runs[i].column >= column)
      s->runs[left++] = s->runs[i];
    else if (!finish(s, wall, behind, &s->runs[i]))
      return false;
  }
  s->run_count = left;
  return true;
}

static lwi_wall_place place_of(const wall_scan *s, const lwi_wall_plane *wall, bool behind,
                               const lwi_wall_span *at) {
  double sign = behind ? -1 : 1, along = lwi_wall_middle(&s->columns, at->column),
         off = wall->place - wall->lean * s->origin.y;
  return (lwi_wall_place){.x = s->origin.x + wall->hz * along + wall->hx * off,
                          .z = s->origin.z - wall->hx * along + wall->hz * off,
                          .hx = sign * wall->hx,
                          .hz = sign * wall->hz,
                          .lean = sign * wall->lean,
                          .soft = wall->kind == LW_COVER_SOFT,
                          .low = at->low + s->origin.y,
                          .high = at->high + s->origin.y};
}

/* Look up the mesh along the next columns. @return The first span behind them; -1: out of memory. */
static int gather(wall_scan *s, const lwi_wall_plane *wall, bool behind, int first) {
  lw_box box = lwi_box_empty();
  int end = first;
  for (;
       end < s->columns.span_count && s->columns.spans[end].column < s->columns.spans[first].column + GATHERED;
       end++) {
    lwi_wall_place place = place_of(s, wall, behind, &s->columns.spans[end]);
    box = lwi_beside_reach(&s->beside, &place, box);
  }
  return lwi_beside_gather(&s->beside, &box) ? end : -1;
}

/* Scan the wall from one side. */
static bool scan_side(wall_scan *s, const lwi_wall_plane *wall, bool behind) {
  s->run_count = 0;
  for (int i = 0, gathered = 0; i < s->columns.span_count; i++) {
    lwi_wall_span reach = s->columns.spans[i];
    if (i == gathered && (gathered = gather(s, wall, behind, i)) < 0) return false;
    if (!finish_before(s, wall, behind, reach.column - 1)) return false;
    if (s->beside.count == 0) continue;
    lwi_wall_place place = place_of(s, wall, behind, &reach);
    float floors[LWI_FLOORS];
    int count = lwi_beside_find(&s->beside, &place, floors);
    reach.low = place.low;
    reach.high = place.high;
    for (int k = 0; k < count; k++)
      if (!add_column(s, &reach, floors[k])) return false;
  }
  return finish_before(s, wall, behind, INT32_MAX);
}

static bool scan_wall(wall_scan *s, const lwi_wall_plane *wall) {
  if (!lwi_wall_columns_make(&s->columns, s->walls, wall)) return false;
  return scan_side(s, wall, false) && scan_side(s, wall, true);
}

/* --- all walls -------------------------------------------------------------------------------------------- */

/* Walls are dealt to pieces in turn, so that each piece has large and small ones; results are stored in the
   order of the walls. */
typedef struct work {
  const lwi_segment_places *places;
  const lwi_walls *walls;
  lwi_memory memory; /* counts nothing yet: what pieces start from */
  lwi_segment_list pieces[PIECES];
  int piece_count;
  int *found; /* [wall_count] segments found on each */
} work;

static bool scan_piece(void *user, int piece) {
  work *w = user;
  const lwi_segment_places *places = w->places;
  lwi_segment_list *out = &w->pieces[piece];
  lwi_memory memory = w->memory;
  wall_scan s = {.memory = &memory,
                 .beside = {&memory, places->lines, places->mesh, places->boxes, places->has, NULL, 0, 0},
                 .walls = w->walls,
                 .columns = {.memory = &memory},
                 .out = out,
                 .tall = lwi_cover_tall(places->mesh->agent.height),
                 .origin = places->occluders->origin};
  bool done = true;
  out->memory = &memory;
  for (int i = piece; i < w->walls->wall_count && done; i += w->piece_count) {
    const int before = out->count;
    done = scan_wall(&s, &w->walls->walls[i]);
    w->found[i] = out->count - before;
  }
  lwi_wall_columns_free(&s.columns);
  lwi_free(s.memory, s.runs, (size_t)s.run_capacity * sizeof *s.runs);
  lwi_beside_free(&s.beside);
  out->memory = NULL;
  return done;
}

static bool collect(const work *w, lwi_segment_list *list) {
  int at[PIECES] = {0};
  for (int i = 0; i < w->walls->wall_count; i++) {
    const int piece = i % w->piece_count;
    for (int k = 0; k < w->found[i]; k++)
      if (!lwi_segments_add(list, &w->pieces[piece].items[at[piece]++])) return false;
  }
  return true;
}

bool lwi_segments_scan(lwi_segment_list *list, const lwi_segment_places *places, const lwi_walls *walls,
                       int threads, int *found) {
  work w = {.places = places, .walls = walls, .found = found};
  lwi_memory_guard guard;
  if (walls->wall_count == 0) return true;
  if (!lwi_memory_guard_open(&guard, &list->memory->allocator, &w.memory)) return false;
  w.piece_count = walls->wall_count < PIECES ? walls->wall_count : PIECES;
  lwi_parallel pieces = {.count = w.piece_count, .threads = threads, .work = scan_piece, .user = &w};
  bool done = lwi_parallel_run(&pieces) && collect(&w, list);
  for (int i = 0; i < w.piece_count; i++) {
    w.pieces[i].memory = &w.memory;
    lwi_segments_free(&w.pieces[i]);
  }
  lwi_memory_guard_close(&guard);
  return done;
}

bool lwi_segments_find(lwi_segment_list *list, const lwi_segment_places *places, int threads) {
  lwi_walls walls;
  bool done = lwi_walls_find(&walls, places->occluders, list->memory);
  const size_t size = done ? (size_t)walls.wall_count * sizeof(int) : 0;
  int *found = lwi_alloc(list->memory, size);
  done = done && (found || size == 0) && lwi_segments_scan(list, places, &walls, threads, found) &&
         lwi_segments_join(list);
  lwi_free(list->memory, found, found ? size : 0);
  lwi_walls_free(&walls);
  if (done) lwi_segments_drop(list, LWI_SEGMENT_LENGTH_MIN);
  return done;
}

void lwi_segments_free(lwi_segment_list *list) {
  lwi_free(list->memory, list->items, (size_t)list->capacity * sizeof *list->items);
  *list = (lwi_segment_list){.memory = list->memory};
}

bool lwi_segments_add(lwi_segment_list *list, const lwi_cover_segment *segment) {
  if (!lwi_reserve(list->memory, &list->items, &list->capacity, list->count + 1, sizeof *segment)) return false;
  list->items[list->count++] = *segment;
  return true;
}
