#include "bake/rebuild_known.h"

#include "bake/sight_lines.h"
#include "bake/wall_ground.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "sight/occluder.h"

#include <string.h>

/* --- changes of what blocks sight ------------------------------------------------------------------------- */

/* Boxes beyond this number are united with their neighbours: facets come in the order of the BVH. */
#define BOXES_MAX 512

typedef struct entry {
  lwi_occluder_facet facet;
  int next; /* next with the same hash; -1: none */
  bool met;
} entry;

/* The old facets, by hash. */
typedef struct comparison {
  lwi_changes *changes;
  lw_vec3 origin;
  entry *entries; /* [count] */
  int count;
  int *heads; /* [slots] -1: none */
  uint32_t slots;
} comparison;

static uint32_t slot_of(const comparison *c, const lwi_occluder_facet *facet) {
  return (uint32_t)lwi_hash(facet->kind, facet->corners, facet->count * sizeof *facet->corners) &
         (c->slots - 1);
}

static bool is_same(const lwi_occluder_facet *a, const lwi_occluder_facet *b) {
  return a->count == b->count && a->kind == b->kind &&
         memcmp(a->corners, b->corners, a->count * sizeof *a->corners) == 0;
}

static bool keep_facet(lwi_changes *changes, const lwi_occluder_facet *facet, bool is_new) {
  if (!changes->keeps_facets) return true;
  if (!lwi_reserve(changes->memory, &changes->facets, &changes->facet_capacity, changes->facet_count + 1,
                   sizeof *changes->facets))
    return false;
  changes->facets[changes->facet_count++] = (lwi_changed_facet){*facet, is_new};
  return true;
}

static bool add_change(const comparison *c, const lwi_occluder_facet *facet, bool is_new) {
  lwi_changes *changes = c->changes;
  if (!keep_facet(changes, facet, is_new)) return false;
  lw_box box = lwi_box_empty();
  if (!lwi_reserve(changes->memory, &changes->boxes, &changes->capacity, changes->count + 1, sizeof box))
    return false;
  for (int i = 0; i < facet->count; i++) box = lwi_box_add(box, lwi_add(facet->corners[i], c->origin));
  changes->boxes[changes->count++] = box;
  return true;
}

static void remember(comparison *c, const lwi_occluders *before) {
  lwi_occluder_cursor at = {0};
  for (uint32_t i = 0; i < c->slots; i++) c->heads[i] = -1;
  while (lwi_occluders_next(before, &at, &c->entries[c->count].facet)) {
    entry *added = &c->entries[c->count];
    int *head = &c->heads[slot_of(c, &added->facet)];
    added->met = false;
    added->next = *head;
    *head = c->count++;
  }
}

/* Match each old facet with an equal new one; what is left over has changed. */
static bool compare(comparison *c, const lwi_occluders *now) {
  lwi_occluder_cursor at = {0};
  lwi_occluder_facet facet;
  while (lwi_occluders_next(now, &at, &facet)) {
    int i = c->heads[slot_of(c, &facet)];
    while (i >= 0 && (c->entries[i].met || !is_same(&c->entries[i].facet, &facet))) i = c->entries[i].next;
    if (i >= 0)
      c->entries[i].met = true;
    else if (!add_change(c, &facet, true))
      return false;
  }
  for (int i = 0; i < c->count; i++)
    if (!c->entries[i].met && !add_change(c, &c->entries[i].facet, false)) return false;
  return true;
}

static void unite_some(lwi_changes *changes) {
  const int together = (changes->count + BOXES_MAX - 1) / BOXES_MAX;
  if (together <= 1) return;
  int count = 0;
  for (int i = 0; i < changes->count; i++) {
    const lw_box box = changes->boxes[i];
    if (i % together == 0) changes->boxes[count++] = box;
    changes->boxes[count - 1] = lwi_box_add(lwi_box_add(changes->boxes[count - 1], box.min), box.max);
  }
  changes->count = count;
}

bool lwi_changes_find(lwi_changes *changes, const lwi_occluders *before, const lwi_occluders *now) {
  changes->count = changes->facet_count = 0;
  changes->all = before->node_count == 0 || now->node_count == 0 || before->quantum != now->quantum ||
                 !lwi_equal(before->origin, now->origin) || lwi_lines_slack(before) != lwi_lines_slack(now);
  if (changes->all) return true;
  comparison c = {.changes = changes, .origin = now->origin, .slots = 16};
  while (c.slots < before->facet_count) c.slots *= 2;
  const size_t entries =
      ((size_t)before->facet_count + 1) * sizeof *c.entries; /* one more, to read behind the last */
  c.entries = lwi_alloc(changes->memory, entries);
  c.heads = lwi_alloc(changes->memory, c.slots * sizeof *c.heads);
  bool done = c.entries && c.heads;
  if (done) {
    remember(&c, before);
    done = compare(&c, now);
    unite_some(changes);
  }
  lwi_free(changes->memory, c.entries, entries);
  lwi_free(changes->memory, c.heads, c.slots * sizeof *c.heads);
  return done;
}

static float apart(float low, float high, float other_low, float other_high) {
  return lwi_max(0, lwi_max(other_low - high, low - other_high));
}

bool lwi_changes_near(const lwi_changes *changes, const lw_box *box, float reach) {
  for (int i = 0; i < changes->count; i++) {
    const lw_box *other = &changes->boxes[i];
    float x = apart(box->min.x, box->max.x, other->min.x, other->max.x);
    float y = apart(box->min.y, box->max.y, other->min.y, other->max.y);
    float z = apart(box->min.z, box->max.z, other->min.z, other->max.z);
    if (x * x + y * y + z * z <= reach * reach) return true;
  }
  return changes->all;
}

void lwi_changes_free(lwi_changes *changes) {
  lwi_free(changes->memory, changes->boxes, (size_t)changes->capacity * sizeof *changes->boxes);
  lwi_free(changes->memory, changes->facets, (size_t)changes->facet_capacity * sizeof *changes->facets);
  *changes = (lwi_changes){.memory = changes->memory};
}

/* --- polygons --------------------------------------------------------------------------------------------- */

bool lwi_rebuild_same(const lw_navmesh *a, uint32_t p, const lw_navmesh *b, uint32_t q) {
  lwi_polygon one = lwi_polygon_get(a, p), other = lwi_polygon_get(b, q);
  return one.count == other.count && a->polygons.areas[p] == b->polygons.areas[q] &&
         memcmp(one.at, other.at, 3 * (size_t)one.count * sizeof *one.at) == 0;
}

/* A polygon's range in an optional array. */
typedef struct range {
  uint32_t first, count;
} range;

static range range_of(const uint32_t *firsts, uint32_t polygon) {
  if (!firsts) return (range){0, 0};
  return (range){firsts[polygon], firsts[polygon + 1] - firsts[polygon]};
}

bool lwi_rebuild_as_high(const lw_navmesh *a, uint32_t p, const lw_navmesh *b, uint32_t q) {
  range one = range_of(a->detail.first_vertex, p), other = range_of(b->detail.first_vertex, q);
  range from = range_of(a->detail.first_triangle, p), to = range_of(b->detail.first_triangle, q);
  if (one.count != other.count || from.count != to.count) return false;
  if (one.count > 0 && memcmp(a->detail.vertices + one.first, b->detail.vertices + other.first,
                              one.count * sizeof *a->detail.vertices) != 0)
    return false;
  return from.count == 0 || memcmp(a->detail.triangles + 3 * (size_t)from.first,
                                   b->detail.triangles + 3 * (size_t)to.first, 3 * (size_t)from.count) == 0;
}

/* The polygons of a tile keep their order; some may be missing in either mesh. */
static void match_tile(const lw_navmesh *before, const lwi_tile *old, const lw_navmesh *now,
                       const lwi_tile *tile, uint32_t *known) {
  uint32_t from = old->first_polygon;
  const uint32_t end = from + old->polygon_count;
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    const uint32_t p = tile->first_polygon + i;
    uint32_t q = from;
    while (q < end && !lwi_rebuild_same(now, p, before, q)) q++;
    if (q == end) continue;
    if (lwi_rebuild_as_high(now, p, before, q)) known[p] = q;
    from = q + 1;
  }
}

static bool is_behind(const lwi_tile *a, const lwi_tile *b) {
  return a->z != b->z ? a->z > b->z : a->x > b->x;
}

/* Match tiles, which are in the order of the grid. */
static void match(const lw_navmesh *before, const lw_navmesh *now, uint32_t *known) {
  for (uint32_t i = 0, k = 0; i < now->tiles.count; i++) {
    const lwi_tile *tile = &now->tiles.items[i];
    while (k < before->tiles.count && is_behind(tile, &before->tiles.items[k])) k++;
    if (k < before->tiles.count && !is_behind(&before->tiles.items[k], tile))
      match_tile(before, &before->tiles.items[k], now, tile, known);
  }
}

bool lwi_rebuild_known(const lw_navmesh *before, const lw_navmesh *now, const lwi_changes *changes, float reach,
                       lwi_memory *memory, uint32_t *known) {
  const size_t size = now->polygons.count * sizeof(lw_box);
  lw_box *boxes = lwi_alloc(memory, size);
  if (!boxes && size > 0) return false;
  lwi_beside_boxes(now, boxes);
  for (uint32_t p = 0; p < now->polygons.count; p++) known[p] = LWI_NONE;
  if (!changes->all) match(before, now, known);
  for (uint32_t p = 0; p < now->polygons.count; p++)
    if (known[p] != LWI_NONE && lwi_changes_near(changes, &boxes[p], reach)) known[p] = LWI_NONE;
  lwi_free(memory, boxes, size);
  return true;
}
