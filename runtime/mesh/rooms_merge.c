/* Rooms from cores; merging of rooms that are too small. */
#include "mesh/region.h"
#include "mesh/rooms.h"

/* --- merging ------------------------------------------------------------------------------------------------------ */

/* Contacts of sets as lists that can be joined: contact c has the entries 2 c, of its item `a`, and 2 c + 1, of `b`. */
typedef struct contact_lists {
  uint32_t *first, *last; /* [count] LWI_NONE: empty */
  uint32_t *next;         /* [2 * contact_count] */
  float *widths;          /* [count] of the borders that the set which is merged shares with others */
  uint32_t *touched;      /* [count] sets with such a border */
} contact_lists;

static void append_entry(contact_lists *lists, uint32_t item, uint32_t entry) {
  lists->next[entry] = LWI_NONE;
  if (lists->first[item] == LWI_NONE)
    lists->first[item] = entry;
  else
    lists->next[lists->last[item]] = entry;
  lists->last[item] = entry;
}

static void append_list(contact_lists *lists, uint32_t to, uint32_t from) {
  if (lists->first[from] == LWI_NONE) return;
  if (lists->first[to] == LWI_NONE)
    lists->first[to] = lists->first[from];
  else
    lists->next[lists->last[to]] = lists->first[from];
  lists->last[to] = lists->last[from];
  lists->first[from] = LWI_NONE;
}

/* Sum up the borders of a set. @return How many sets it touches. */
static uint32_t sum_borders(const lwi_merge *merge, contact_lists *lists, uint32_t set) {
  uint32_t count = 0, entry = lists->first[set];
  lists->first[set] = LWI_NONE;
  for (uint32_t next; entry != LWI_NONE; entry = next) {
    const lwi_contact *contact = &merge->contacts[entry / 2];
    const uint32_t other = lwi_root_of(merge->parents, entry % 2 == 0 ? contact->b : contact->a);
    next = lists->next[entry];
    if (other == set) continue; /* it lies inside now */
    append_entry(lists, set, entry);
    if (lists->widths[other] == 0) lists->touched[count++] = other;
    lists->widths[other] += lwi_max(contact->width, 1e-6f);
  }
  return count;
}

/* @return LWI_NONE: it has no neighbour that it may be merged with. */
static uint32_t choose_neighbour(const lwi_merge *merge, contact_lists *lists, uint32_t set) {
  uint32_t best = LWI_NONE;
  float best_width = 0;
  const uint32_t count = sum_borders(merge, lists, set);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t other = lists->touched[i];
    const float width = lists->widths[other];
    lists->widths[other] = 0;
    if (merge->areas[set] + merge->areas[other] > merge->max) continue;
    if (width < best_width || (width == best_width && other > best)) continue;
    best = other;
    best_width = width;
  }
  return best;
}

static bool run_merge(lwi_merge *merge, contact_lists *lists, lwi_heap *heap) {
  lwi_heap_entry entry;
  for (uint32_t i = 0; i < merge->count; i++)
    if (merge->areas[i] < merge->min && !lwi_heap_push(heap, merge->memory, (float)merge->areas[i], i))
      return false;
  while (lwi_heap_pop(heap, &entry)) {
    const uint32_t set = entry.item;
    if (merge->parents[set] != set || entry.key != (float)merge->areas[set]) continue; /* it has grown since */
    const uint32_t other = choose_neighbour(merge, lists, set);
    if (other == LWI_NONE) continue;
    const uint32_t kept = set < other ? set : other, gone = set < other ? other : set;
    append_list(lists, kept, gone);
    lwi_unite(merge->parents, kept, gone);
    merge->areas[kept] += merge->areas[gone];
    if (merge->areas[kept] < merge->min && !lwi_heap_push(heap, merge->memory, (float)merge->areas[kept], kept))
      return false;
  }
  return true;
}

bool lwi_merge_items(lwi_merge *merge) {
  const size_t items = merge->count * sizeof(uint32_t);
  const size_t entries = 2 * (size_t)merge->contact_count * sizeof(uint32_t);
  lwi_memory *memory = merge->memory;
  lwi_heap heap = {0};
  contact_lists lists = {.first = lwi_alloc(memory, items),
                         .last = lwi_alloc(memory, items),
                         .next = lwi_alloc(memory, entries),
                         .widths = lwi_alloc_zero(memory, merge->count * sizeof(float)),
                         .touched = lwi_alloc(memory, items)};
  bool done = merge->count == 0 || (lists.first && lists.last && lists.widths && lists.touched);
  done = done && (entries == 0 || lists.next);
  if (done) {
    for (uint32_t i = 0; i < merge->count; i++) {
      merge->parents[i] = i;
      lists.first[i] = LWI_NONE;
    }
    for (uint32_t c = 0; c < merge->contact_count; c++) {
      append_entry(&lists, merge->contacts[c].a, 2 * c);
      append_entry(&lists, merge->contacts[c].b, 2 * c + 1);
    }
    done = run_merge(merge, &lists, &heap);
  }
  lwi_heap_free(&heap, memory);
  lwi_free(memory, lists.first, items);
  lwi_free(memory, lists.last, items);
  lwi_free(memory, lists.next, entries);
  lwi_free(memory, lists.widths, merge->count * sizeof(float));
  lwi_free(memory, lists.touched, items);
  return done;
}

/* --- rooms -------------------------------------------------------------------------------------------------------- */

static bool has_contact(const lwi_room_work *work, uint32_t polygon, const lwi_portal *portal) {
  return polygon < portal->to && work->labels[polygon] != work->labels[portal->to];
}

/* The borders between labels, portal by portal. @param contacts  NULL: they are only counted. */
static uint32_t list_contacts(const lwi_room_work *work, lwi_contact *contacts) {
  const lw_navmesh *mesh = work->mesh;
  uint32_t count = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
      const lwi_portal *portal = &mesh->graph.portals[k];
      if (!has_contact(work, p, portal)) continue;
      if (contacts)
        contacts[count] =
            (lwi_contact){work->labels[p], work->labels[portal->to], lwi_portal_width(mesh, p, portal)};
      count++;
    }
  }
  return count;
}

bool lwi_rooms_merge(lwi_room_work *work, float min_area) {
  lwi_memory *memory = work->memory;
  const uint32_t polygons = work->mesh->polygons.count, count = work->count;
  const uint32_t contact_count = list_contacts(work, NULL);
  const size_t sizes[] = {contact_count * sizeof(lwi_contact), count * sizeof(double),
                          count * sizeof(uint32_t)};
  lwi_contact *contacts = lwi_alloc(memory, sizes[0]);
  lwi_merge merge = {.memory = memory,
                     .count = count,
                     .areas = lwi_alloc_zero(memory, sizes[1]),
                     .contacts = contacts,
                     .contact_count = contact_count,
                     .min = (double)min_area,
                     .max = INFINITY,
                     .parents = lwi_alloc(memory, sizes[2])};
  bool done = (contacts || contact_count == 0) && merge.areas && merge.parents;
  if (done) {
    list_contacts(work, contacts);
    for (uint32_t p = 0; p < polygons; p++) merge.areas[work->labels[p]] += work->areas[p];
    done = lwi_merge_items(&merge);
  }
  for (uint32_t p = 0; done && p < polygons; p++) work->labels[p] = lwi_root_of(merge.parents, work->labels[p]);
  lwi_free(memory, contacts, sizes[0]);
  lwi_free(memory, merge.areas, sizes[1]);
  lwi_free(memory, merge.parents, sizes[2]);
  return done;
}

static uint32_t label_from(const lw_navmesh *mesh, uint32_t first, const uint32_t *old, uint32_t *labels,
                           uint32_t label, uint32_t *stack) {
  uint32_t count = 0;
  stack[count++] = first;
  labels[first] = label;
  while (count > 0) {
    const uint32_t p = stack[--count];
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
      const uint32_t to = mesh->graph.portals[k].to;
      if (labels[to] != LWI_NONE || old[to] != old[first]) continue;
      labels[to] = label;
      stack[count++] = to;
    }
  }
  return label + 1;
}

uint32_t lwi_rooms_separate(const lw_navmesh *mesh, uint32_t *labels, uint32_t *stack, uint32_t *scratch) {
  const uint32_t polygons = mesh->polygons.count;
  uint32_t count = 0;
  for (uint32_t p = 0; p < polygons; p++) {
    scratch[p] = labels[p];
    labels[p] = LWI_NONE;
  }
  for (uint32_t p = 0; p < polygons; p++)
    if (labels[p] == LWI_NONE) count = label_from(mesh, p, scratch, labels, count, stack);
  return count;
}

static void separate(lwi_room_work *work) {
  work->count = lwi_rooms_separate(work->mesh, work->labels, work->stack, work->sources);
}

static void measure(lwi_room_work *work) {
  for (uint32_t p = 0; p < work->mesh->polygons.count; p++) {
    const lwi_polygon outline = lwi_polygon_get(work->mesh, p);
    lw_vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < outline.count; i++) sum = lwi_add(sum, lwi_corner(&outline, i));
    work->middles[p] = lwi_scale(sum, 1 / (float)outline.count);
    work->areas[p] = lwi_area_of(work->mesh, p);
  }
}

static bool divide(lwi_room_work *work, const lwi_room_rules *rules) {
  measure(work);
  if (!lwi_rooms_find_cores(work, rules->door_width)) return false;
  separate(work);
  if (!lwi_rooms_merge(work, rules->min_area)) return false;
  separate(work);
  if (!lwi_rooms_split(work, rules->max_area)) return false;
  separate(work);
  return true;
}

bool lwi_rooms_divide(lwi_memory *memory, const lw_navmesh *mesh, const lwi_room_rules *rules, uint32_t *rooms,
                      uint32_t *count) {
  const size_t polygons = mesh->polygons.count;
  lwi_room_work work = {.memory = memory,
                        .mesh = mesh,
                        .labels = rooms,
                        .areas = lwi_alloc(memory, polygons * sizeof(double)),
                        .middles = lwi_alloc(memory, polygons * sizeof(lw_vec3)),
                        .stack = lwi_alloc(memory, polygons * sizeof(uint32_t)),
                        .sources = lwi_alloc(memory, polygons * sizeof(uint32_t)),
                        .distances = lwi_alloc(memory, polygons * sizeof(float))};
  const bool done =
      work.areas && work.middles && work.stack && work.sources && work.distances && divide(&work, rules);
  lwi_heap_free(&work.heap, memory);
  lwi_free(memory, work.areas, polygons * sizeof(double));
  lwi_free(memory, work.middles, polygons * sizeof(lw_vec3));
  lwi_free(memory, work.stack, polygons * sizeof(uint32_t));
  lwi_free(memory, work.sources, polygons * sizeof(uint32_t));
  lwi_free(memory, work.distances, polygons * sizeof(float));
  *count = work.count;
  return done;
}
