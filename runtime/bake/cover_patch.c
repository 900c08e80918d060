/* The segments of a wall depend on its facets, and on ground and facets near it; then segments of walls are joined where
   they go on in each other. So the walls near what changed are scanned again, and those of all segments that may be joined,
   directly or over others; segments of the base that these are part of are dropped. */
#include "bake/cover_patch.h"

#include "bake/near_walls.h"
#include "bake/wall_ground.h"
#include "core/sort.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* A segment that was found may lie this far beside the joined one that it is part of, over or under it. [m] */
#define BESIDE 0.1f
#define OVER 0.75f
/* The greatest angle between the two, and between a segment that goes on in another and walls that this may be at.
   [cosine] */
#define ALONG_MIN 0.5f
#define ON_MIN 0.85f
/* How far the ground of cover is from the heights of its wall, at most. [m] */
#define GROUND_APART 1.5f

/* A segment of a wall as it was found. */
typedef struct raw {
  lwi_cover_segment at;
  int wall, place; /* the wall, and which of its segments */
  bool is_in;      /* it is joined again */
} raw;

typedef struct numbers {
  int *items; /* [count] */
  int count, capacity;
} numbers;

typedef struct patching {
  const lwi_cover_patch *patch;
  lwi_memory *memory;
  const lwi_occluders *occluders;
  lwi_near_walls near;
  /* Facets that were taken, in turn. The walls of the first `done` were scanned. */
  numbers taken;
  int done;
  lwi_wall_facet *seeds; /* of walls */
  int wall_count, seed_capacity;
  raw *raws;
  int raw_count, raw_capacity;
  lwi_cell_list raw_cells;
  const lwi_cover *before;
  uint8_t *is_dropped; /* [before->segment_count] */
  lwi_cell_list before_cells;
  numbers in, dropped; /* raws and segments of before whose surroundings are still to be looked at */
  int *window;         /* [cells] the last round in which lines may lead through it */
  int round;
  lw_box *boxes;
  uint8_t *has_box;
  bool failed; /* no memory */
} patching;

static lw_box box_of(const lwi_cover_segment *segment, float beside) {
  const lw_box box = lwi_box_add(lwi_box_add(lwi_box_empty(), segment->a), segment->b);
  return lwi_box_grow(box, beside);
}

static bool overlaps(const lw_box *a, const lw_box *b) {
  return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.z <= b->max.z && b->min.z <= a->max.z;
}

/* --- relations -------------------------------------------------------------------------------------------- */

static float distance_to(const lwi_cover_segment *segment, lw_vec3 p, float *height) {
  const float x = segment->b.x - segment->a.x, z = segment->b.z - segment->a.z, length2 = x * x + z * z;
  float t = length2 > 0 ? ((p.x - segment->a.x) * x + (p.z - segment->a.z) * z) / length2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const lw_vec3 at = lwi_lerp(segment->a, segment->b, t);
  *height = fabsf(at.y - p.y);
  return lwi_distance_xz(at, p);
}

static bool lies_on(const lwi_cover_segment *part, const lwi_cover_segment *whole) {
  float over[2];
  return distance_to(whole, part->a, &over[0]) <= BESIDE && distance_to(whole, part->b, &over[1]) <= BESIDE &&
         over[0] <= OVER && over[1] <= OVER;
}

/* May one be a part of the other? What designers remove is cut out of joined segments. */
static bool may_share(const lwi_cover_segment *a, const lwi_cover_segment *b) {
  if (a->kind != b->kind || lwi_dot(lwi_segment_along(a), lwi_segment_along(b)) < ALONG_MIN) return false;
  return lies_on(a, b) || lies_on(b, a);
}

static bool go_on(const lwi_cover_segment *a, const lwi_cover_segment *b) {
  return lwi_segments_go_on(a, b) || lwi_segments_go_on(b, a);
}

/* May joined segments go on in each other? Their heights may have been others where they meet. */
static bool may_go_on(const lwi_cover_segment *a, const lwi_cover_segment *b) {
  const bool meet = lwi_distance_xz(a->b, b->a) <= BESIDE && fabsf(a->b.y - b->a.y) <= OVER,
             meet_back = lwi_distance_xz(b->b, a->a) <= BESIDE && fabsf(b->b.y - a->a.y) <= OVER;
  return a->kind == b->kind && (meet || meet_back) &&
         lwi_dot(lwi_segment_along(a), lwi_segment_along(b)) >= ALONG_MIN;
}

/* --- what is taken in ------------------------------------------------------------------------------------- */

static void push(patching *p, numbers *list, int item) {
  if (lwi_reserve(p->memory, &list->items, &list->capacity, list->count + 1, sizeof item))
    list->items[list->count++] = item;
  else
    p->failed = true;
}

static void take_facet(patching *p, int facet) {
  if (p->near.facets[facet].is_taken) return;
  p->near.facets[facet].is_taken = true;
  push(p, &p->taken, facet);
}

static void take_in(patching *p, int number) {
  if (p->raws[number].is_in) return;
  p->raws[number].is_in = true;
  push(p, &p->in, number);
}

static void drop(patching *p, int segment) {
  if (p->is_dropped[segment]) return;
  p->is_dropped[segment] = 1;
  push(p, &p->dropped, segment);
}

static bool overlaps_in_space(const lw_box *a, const lw_box *b) {
  return overlaps(a, b) && a->min.y <= b->max.y && b->min.y <= a->max.y;
}

/* Take the facets of walls in a box, but for those that `fits` refuses. @param fits  NULL: all fit. */
static void take_near(patching *p, const lw_box *box,
                      bool (*fits)(const void *user, const lwi_wall_facet *facet), const void *user) {
  const lwi_near_range range = lwi_near_range_of(&p->near, box);
  if (!lwi_near_walls_list(&p->near, &range)) p->failed = true;
  for (int cell = -1; (cell = lwi_near_next(&p->near, &range, cell)) >= 0 && !p->failed;) {
    for (int i = p->near.listed.first[cell]; i >= 0 && !p->failed; i = p->near.listed.members[i].next) {
      const int item = p->near.listed.members[i].item;
      const lwi_near_facet *facet = &p->near.facets[item];
      if (!facet->is_taken && overlaps_in_space(&facet->box, box) && (!fits || fits(user, &facet->wall)))
        take_facet(p, item);
    }
  }
}

static bool is_beside(const void *user, const lwi_wall_facet *facet) {
  return lwi_facets_may_share_wall(user, facet);
}

/* A wall is found from all of its facets. */
static void take_walls(patching *p) {
  for (int i = p->done; i < p->taken.count && !p->failed; i++) {
    const lwi_near_facet facet = p->near.facets[p->taken.items[i]];
    const lw_box box = lwi_box_grow(facet.box, BESIDE);
    take_near(p, &box, is_beside, &facet.wall);
  }
}

/* What may be at a segment, or go on there. */
typedef struct beside_segment {
  lw_vec3 normal;
  float turn; /* greatest [cosine] */
  uint8_t kind;
} beside_segment;

static bool is_at_segment(const void *user, const lwi_wall_facet *facet) {
  const beside_segment *of = user;
  const lw_vec3 n = facet->normal;
  const float level = sqrtf(n.x * n.x + n.z * n.z);
  return facet->kind == of->kind && fabsf(n.x * of->normal.x + n.z * of->normal.z) >= of->turn * level;
}

static beside_segment beside(const lwi_cover_segment *segment, float turn) {
  return (beside_segment){lwi_segment_normal(segment), turn, segment->kind};
}

/* Where walls may be whose ground is in a box. */
static lw_box walls_of(lw_box box) {
  box.min.y -= GROUND_APART;
  box.max.y += GROUND_APART;
  return box;
}

/* --- scanning --------------------------------------------------------------------------------------------- */

static bool is_in_window(const void *user, const lw_box *box) {
  const patching *p = user;
  const lwi_near_range range = lwi_near_range_of(&p->near, box);
  for (int cell = -1; (cell = lwi_near_next(&p->near, &range, cell)) >= 0;)
    if (p->window[cell] == p->round) return true;
  return false;
}

static void open_window(patching *p, float reach) {
  p->round += 1;
  for (int i = p->done; i < p->taken.count; i++) {
    const lw_box box = lwi_box_grow(p->near.facets[p->taken.items[i]].box, reach);
    const lwi_near_range range = lwi_near_range_of(&p->near, &box);
    for (int cell = -1; (cell = lwi_near_next(&p->near, &range, cell)) >= 0;) p->window[cell] = p->round;
  }
}

/* Is a segment that was found now joined again? */
static bool is_wanted(const patching *p, const lwi_cover_segment *at) {
  const lw_box box = box_of(at, BESIDE);
  const lwi_near_range range = lwi_near_range_of(&p->near, &box);
  for (int cell = -1; (cell = lwi_near_next(&p->near, &range, cell)) >= 0;) {
    for (int i = p->before_cells.first[cell]; i >= 0; i = p->before_cells.members[i].next) {
      const int item = p->before_cells.members[i].item;
      if (p->is_dropped[item] && may_share(at, &p->before->segments[item])) return true;
    }
    for (int i = p->raw_cells.first[cell]; i >= 0; i = p->raw_cells.members[i].next) {
      const raw *other = &p->raws[p->raw_cells.members[i].item];
      if (other->is_in && go_on(at, &other->at)) return true;
    }
  }
  return false;
}

static void add_raw(patching *p, const lwi_cover_segment *at, int place) {
  const lw_box box = box_of(at, BESIDE);
  const int number = p->raw_count;
  if (!lwi_reserve(p->memory, &p->raws, &p->raw_capacity, number + 1, sizeof *p->raws)) {
    p->failed = true;
    return;
  }
  p->raws[p->raw_count++] = (raw){*at, p->wall_count - 1, place, false};
  if (p->round == 1 || is_wanted(p, at)) take_in(p, number);
  if (!lwi_cell_list_add(&p->raw_cells, &p->near, &box, number)) p->failed = true;
}

static void add_wall(patching *p, const lwi_wall_facet *seed, const lwi_cover_segment *found, int count) {
  if (!lwi_reserve(p->memory, &p->seeds, &p->seed_capacity, p->wall_count + 1, sizeof *seed)) {
    p->failed = true;
    return;
  }
  p->seeds[p->wall_count++] = *seed;
  for (int i = 0; i < count && !p->failed; i++) add_raw(p, &found[i], i);
}

static bool scan(patching *p, const lwi_sight_lines *lines, const lwi_walls *walls) {
  const size_t size = (size_t)walls->wall_count * sizeof(int);
  const lwi_segment_places places = {p->occluders, lines, p->patch->mesh, p->boxes, p->has_box};
  lwi_segment_list list = {.memory = p->memory};
  int *found = lwi_alloc(p->memory, size);
  bool done = (found || size == 0) && lwi_segments_scan(&list, &places, walls, 1, found);
  for (int wall = 0, at = 0; done && wall < walls->wall_count; at += found[wall++])
    add_wall(p, lwi_wall_seed(walls, wall), list.items + at, found[wall]);
  lwi_segments_free(&list);
  lwi_free(p->memory, found, found ? size : 0);
  return done;
}

/* Find the walls of the facets that were taken, and their segments. */
static void scan_taken(patching *p) {
  take_walls(p);
  const int count = p->taken.count - p->done;
  if (count == 0) p->round += 1;
  if (count == 0) return;
  const size_t size = (size_t)count * sizeof(lwi_occluder_facet);
  lwi_occluder_facet *facets = lwi_alloc(p->memory, size);
  lwi_walls walls = {.memory = p->memory};
  lwi_sight_lines lines = {.memory = p->memory};
  bool done = facets && !p->failed;
  for (int i = 0; done && i < count; i++) facets[i] = p->near.facets[p->taken.items[p->done + i]].facet;
  open_window(p, lwi_beside_range(p->patch->mesh));
  done = done && lwi_walls_find_some(&walls, facets, count, p->memory) &&
         lwi_lines_make_some(&lines, p->occluders, is_in_window, p, p->memory) && scan(p, &lines, &walls);
  p->done = p->taken.count;
  p->failed |= !done;
  lwi_lines_free(&lines);
  lwi_walls_free(&walls);
  lwi_free(p->memory, facets, facets ? size : 0);
}

/* --- what goes on ----------------------------------------------------------------------------------------- */

static void look_round_end(patching *p, const lwi_cover_segment *at, lw_vec3 end) {
  const lw_box box = {{end.x - BESIDE, end.y, end.z - BESIDE}, {end.x + BESIDE, end.y, end.z + BESIDE}};
  const beside_segment of = beside(at, ON_MIN);
  const lw_box walls = walls_of(box);
  take_near(p, &walls, is_at_segment, &of);
}

/* A segment that is joined again: what it was part of, what it goes on in, and walls where there may be more. */
static void look_round_raw(patching *p, int number) {
  const lwi_cover_segment at = p->raws[number].at;
  const lw_box box = box_of(&at, BESIDE);
  const lwi_near_range range = lwi_near_range_of(&p->near, &box);
  for (int cell = -1; (cell = lwi_near_next(&p->near, &range, cell)) >= 0;) {
    for (int i = p->before_cells.first[cell]; i >= 0; i = p->before_cells.members[i].next) {
      const int item = p->before_cells.members[i].item;
      if (!p->is_dropped[item] && may_share(&at, &p->before->segments[item])) drop(p, item);
    }
    for (int i = p->raw_cells.first[cell]; i >= 0; i = p->raw_cells.members[i].next) {
      const int item = p->raw_cells.members[i].item;
      if (!p->raws[item].is_in && go_on(&at, &p->raws[item].at)) take_in(p, item);
    }
  }
  look_round_end(p, &at, at.a);
  look_round_end(p, &at, at.b);
}

/* A segment that is dropped: what it may have been joined with, and all that it is made of. */
static void look_round_dropped(patching *p, int number) {
  const lwi_cover_segment *at = &p->before->segments[number];
  const lw_box box = box_of(at, BESIDE), walls = walls_of(box);
  const beside_segment of = beside(at, ALONG_MIN);
  const lwi_near_range range = lwi_near_range_of(&p->near, &box);
  for (int cell = -1; (cell = lwi_near_next(&p->near, &range, cell)) >= 0;) {
    for (int i = p->before_cells.first[cell]; i >= 0; i = p->before_cells.members[i].next) {
      const int item = p->before_cells.members[i].item;
      if (!p->is_dropped[item] && may_go_on(at, &p->before->segments[item])) drop(p, item);
    }
    for (int i = p->raw_cells.first[cell]; i >= 0; i = p->raw_cells.members[i].next) {
      const int item = p->raw_cells.members[i].item;
      if (!p->raws[item].is_in && may_share(&p->raws[item].at, at)) take_in(p, item);
    }
  }
  take_near(p, &walls, is_at_segment, &of);
}

static void spread(patching *p) {
  while (!p->failed) {
    if (p->in.count > 0)
      look_round_raw(p, p->in.items[--p->in.count]);
    else if (p->dropped.count > 0)
      look_round_dropped(p, p->dropped.items[--p->dropped.count]);
    else if (p->taken.count > p->done || p->round == 0)
      scan_taken(p);
    else
      return;
  }
}

/* --- what changed ----------------------------------------------------------------------------------------- */

static void drop_near(patching *p, const lw_box *box) {
  const lwi_near_range range = lwi_near_range_of(&p->near, box);
  for (int cell = -1; (cell = lwi_near_next(&p->near, &range, cell)) >= 0;)
    for (int i = p->before_cells.first[cell]; i >= 0; i = p->before_cells.members[i].next) {
      const int item = p->before_cells.members[i].item;
      const lw_box about = box_of(&p->before->segments[item], BESIDE);
      if (overlaps(&about, box)) drop(p, item);
    }
}

/* Level ground that is cut along the border of a tile stays level: what lies outside is as it was, to the bit. */
static bool is_level(const lwi_occluder_facet *facet) {
  for (int i = 1; i < facet->count; i++)
    if (facet->corners[i].y != facet->corners[0].y) return false;
  return true;
}

static lw_box box_of_change(const lwi_facet_change *change) {
  lw_box box = lwi_box_empty();
  for (int i = 0; i < change->facet.count; i++)
    box = lwi_box_add(box, lwi_add(change->facet.corners[i], change->origin));
  return box;
}

static void look_round(patching *p, const lw_box *box) {
  take_near(p, box, NULL, NULL);
  drop_near(p, box);
}

/* Whatever its height: ground may be under a wall or over it. */
static lw_box column_of(lw_box box, float reach) {
  return (lw_box){{box.min.x - reach, -INFINITY, box.min.z - reach},
                  {box.max.x + reach, INFINITY, box.max.z + reach}};
}

static void look_round_changes(patching *p) {
  const lwi_replaced *replaced = p->patch->replaced;
  const float reach = lwi_beside_range(p->patch->mesh);
  for (int i = 0; i < replaced->count && !p->failed; i++) {
    const double x = (double)replaced->corner.x + replaced->items[i].x * replaced->size,
                 z = (double)replaced->corner.z + replaced->items[i].z * replaced->size;
    const lw_box tile = {{(float)x, 0, (float)z},
                         {(float)(x + replaced->size), 0, (float)(z + replaced->size)}},
                 box = column_of(tile, reach);
    look_round(p, &box);
  }
  for (int i = 0; i < p->patch->changes->count && !p->failed; i++) {
    const lwi_facet_change *change = &p->patch->changes->items[i];
    const lw_box box = column_of(box_of_change(change), reach);
    if (!is_level(&change->facet)) look_round(p, &box);
  }
}

/* --- the list --------------------------------------------------------------------------------------------- */

typedef struct placed {
  const raw *of;
  const lwi_wall_facet *seed;
} placed;

static int compare_placed(const void *left, const void *right) {
  const placed *a = left, *b = right;
  const int order = a->of->wall == b->of->wall ? 0 : lwi_wall_seeds_compare(a->seed, b->seed);
  if (order != 0) return order;
  if (a->of->wall != b->of->wall) return a->of->wall - b->of->wall;
  return a->of->place - b->of->place;
}

/* In the order in which all would have been found. */
static bool join(const patching *p, lwi_segment_list *list) {
  const size_t size = (size_t)p->raw_count * sizeof(placed);
  placed *order = lwi_alloc(p->memory, size);
  int count = 0;
  bool done = order || size == 0;
  for (int i = 0; done && i < p->raw_count; i++)
    if (p->raws[i].is_in) order[count++] = (placed){&p->raws[i], &p->seeds[p->raws[i].wall]};
  if (done && count > 0) lwi_sort(order, (size_t)count, sizeof *order, compare_placed);
  for (int i = 0; done && i < count; i++) done = lwi_segments_add(list, &order[i].of->at);
  lwi_free(p->memory, order, order ? size : 0);
  done = done && lwi_segments_join(list);
  if (done) lwi_segments_drop(list, LWI_SEGMENT_LENGTH_MIN);
  return done;
}

/* What designers added to the base is added again. @return false: no memory. */
static bool drop_asked(const patching *p) {
  const lw_navmesh *base = p->patch->replaced->base;
  const size_t boxes = base->polygons.count * sizeof(lw_box),
               size = p->before->added_count * sizeof *p->before->added;
  if (p->before->added_count == 0) return true;
  lwi_segment_list list = {.memory = p->memory};
  lwi_segment_places places = {p->occluders, NULL, base, lwi_alloc(p->memory, boxes),
                               lwi_alloc_zero(p->memory, base->polygons.count)};
  lwi_cover copy = {.added_count = p->before->added_count, .added = lwi_alloc(p->memory, size)};
  bool done = places.boxes && places.has && copy.added;
  if (done) {
    memcpy(copy.added, p->before->added, size);
    done = lwi_segments_add_asked(&list, &places, &copy);
  }
  for (int i = 0; done && i < list.count; i++)
    for (uint32_t k = 0; k < p->before->segment_count; k++)
      if (memcmp(&list.items[i], &p->before->segments[k], sizeof *list.items) == 0) p->is_dropped[k] = 1;
  lwi_segments_free(&list);
  lwi_free(p->memory, copy.added, copy.added ? size : 0);
  lwi_free(p->memory, places.boxes, places.boxes ? boxes : 0);
  lwi_free(p->memory, places.has, places.has ? base->polygons.count : 0);
  return done;
}

static bool open(patching *p, const lwi_cover_patch *patch) {
  const uint32_t polygons = patch->mesh->polygons.count;
  p->before = lwi_cover_of(patch->replaced->base);
  p->occluders = lwi_occluders_of(patch->mesh);
  if (!lwi_near_walls_open(&p->near, p->occluders, p->memory) || !lwi_cell_list_open(&p->raw_cells, &p->near) ||
      !lwi_cell_list_open(&p->before_cells, &p->near))
    return false;
  p->is_dropped = lwi_alloc_zero(p->memory, p->before->segment_count);
  p->window = lwi_alloc_zero(p->memory, (size_t)p->near.width * (size_t)p->near.height * sizeof *p->window);
  p->boxes = lwi_alloc(p->memory, polygons * sizeof *p->boxes);
  p->has_box = lwi_alloc_zero(p->memory, polygons);
  if ((!p->is_dropped && p->before->segment_count > 0) || !p->window || !p->boxes || !p->has_box) return false;
  for (uint32_t i = 0; i < p->before->segment_count; i++) {
    const lw_box box = box_of(&p->before->segments[i], BESIDE);
    if (!lwi_cell_list_add(&p->before_cells, &p->near, &box, (int)i)) return false;
  }
  return true;
}

static void close(patching *p) {
  const uint32_t polygons = p->patch->mesh->polygons.count;
  const size_t cells = (size_t)p->near.width * (size_t)p->near.height;
  lwi_cell_list_close(&p->raw_cells, &p->near);
  lwi_cell_list_close(&p->before_cells, &p->near);
  lwi_near_walls_close(&p->near);
  lwi_free(p->memory, p->taken.items, (size_t)p->taken.capacity * sizeof *p->taken.items);
  lwi_free(p->memory, p->seeds, (size_t)p->seed_capacity * sizeof *p->seeds);
  lwi_free(p->memory, p->raws, (size_t)p->raw_capacity * sizeof *p->raws);
  lwi_free(p->memory, p->in.items, (size_t)p->in.capacity * sizeof *p->in.items);
  lwi_free(p->memory, p->dropped.items, (size_t)p->dropped.capacity * sizeof *p->dropped.items);
  lwi_free(p->memory, p->is_dropped, p->is_dropped ? p->before->segment_count : 0);
  lwi_free(p->memory, p->window, p->window ? cells * sizeof *p->window : 0);
  lwi_free(p->memory, p->boxes, p->boxes ? polygons * sizeof *p->boxes : 0);
  lwi_free(p->memory, p->has_box, p->has_box ? polygons : 0);
}

/* The segments of before that stay, in order, and those that were found. */
static bool put_together(const patching *p, lwi_cover *edits, lwi_segment_list *list) {
  const lwi_segment_places places = {p->occluders, NULL, p->patch->mesh, p->boxes, p->has_box};
  lwi_segment_list found = {.memory = p->memory};
  bool done = join(p, &found) && lwi_segments_veto(&found, edits, p->patch->mesh->agent.height) &&
              lwi_segments_add_asked(&found, &places, edits) && drop_asked(p);
  for (uint32_t i = 0; done && i < p->before->segment_count; i++)
    if (!p->is_dropped[i]) done = lwi_segments_add(list, &p->before->segments[i]);
  done = done && lwi_segments_merge(list, &found, p->before);
  lwi_segments_free(&found);
  return done;
}

bool lwi_cover_patch_find(const lwi_cover_patch *patch, lwi_cover *edits, lwi_segment_list *list) {
  patching p = {.patch = patch, .memory = list->memory};
  bool done = open(&p, patch);
  if (done) {
    look_round_changes(&p);
    spread(&p);
    done = !p.failed && put_together(&p, edits, list);
  }
  close(&p);
  return done;
}
