#include "cover/changes.h"

#include "core/hash.h"
#include "core/vec3.h"
#include "cover/lines.h"
#include "cover/occluder.h"

#include <string.h>

/* More boxes are united with their neighbours: facets come from one end of the tree to the other. */
#define MOST_BOXES 512

typedef struct entry {
  lwi_occluder_facet facet;
  int next; /* with the same hash; -1: none */
  bool met;
} entry;

/* The facets there were, by what they are. */
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

static bool add_change(const comparison *c, const lwi_occluder_facet *facet) {
  lwi_changes *changes = c->changes;
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
    entry *made = &c->entries[c->count];
    int *head = &c->heads[slot_of(c, &made->facet)];
    made->met = false;
    made->next = *head;
    *head = c->count++;
  }
}

/* Each facet there was goes with one that there is. */
static bool compare(comparison *c, const lwi_occluders *now) {
  lwi_occluder_cursor at = {0};
  lwi_occluder_facet facet;
  while (lwi_occluders_next(now, &at, &facet)) {
    int i = c->heads[slot_of(c, &facet)];
    while (i >= 0 && (c->entries[i].met || !is_same(&c->entries[i].facet, &facet))) i = c->entries[i].next;
    if (i >= 0)
      c->entries[i].met = true;
    else if (!add_change(c, &facet))
      return false;
  }
  for (int i = 0; i < c->count; i++)
    if (!c->entries[i].met && !add_change(c, &c->entries[i].facet)) return false;
  return true;
}

static void unite_some(lwi_changes *changes) {
  const int together = (changes->count + MOST_BOXES - 1) / MOST_BOXES;
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
  changes->count = 0;
  changes->all = before->node_count == 0 || now->node_count == 0 || before->quantum != now->quantum ||
                 !lwi_equal(before->origin, now->origin) || lwi_lines_slack(before) != lwi_lines_slack(now);
  if (changes->all) return true;
  comparison c = {.changes = changes, .origin = now->origin, .slots = 16};
  while (c.slots < before->facet_count) c.slots *= 2;
  const size_t entries = ((size_t)before->facet_count + 1) * sizeof *c.entries; /* the last is read into */
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
  return lwi_most(0, lwi_most(other_low - high, low - other_high));
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
  *changes = (lwi_changes){.memory = changes->memory};
}
