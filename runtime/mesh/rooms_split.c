/* Cutting rooms that are too large: across the order in which a search from one end of the room reaches its polygons,
   where the border is shortest. */
#include "mesh/rooms.h"

/* The smaller part of a cut has this much of the room at least. */
#define PART_MIN 0.3
/* What the rest of a room falls into joins the other side if it has less of the room than that. */
#define DEBRIS_MAX 0.15

typedef struct room_split {
  lwi_room_work *work;
  uint32_t *first; /* [label] of a list of polygons */
  uint32_t *next;  /* [polygons] */
  uint32_t *order; /* [count] polygons of the room, as they are reached */
  uint32_t count;
  uint32_t *pending; /* [pending_count] labels that may be too large */
  int first_capacity, pending_capacity, pending_count;
} room_split;

static double area_of(const room_split *split, uint32_t label) {
  double area = 0;
  for (uint32_t p = split->first[label]; p != LWI_NONE; p = split->next[p]) area += split->work->areas[p];
  return area;
}

static bool relax(room_split *split, uint32_t p) {
  lwi_room_work *work = split->work;
  const lw_navmesh *mesh = work->mesh;
  for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
    const uint32_t to = mesh->graph.portals[k].to;
    if (work->labels[to] != work->labels[p]) continue;
    const float distance = work->distances[p] + lwi_distance(work->middles[p], work->middles[to]);
    if (distance >= work->distances[to]) continue;
    work->distances[to] = distance;
    if (!lwi_heap_push(&work->heap, work->memory, distance, to)) return false;
  }
  return true;
}

/* Order the polygons of a room by distance from one of them. @return false: no memory. */
static bool order_from(room_split *split, uint32_t start) {
  lwi_room_work *work = split->work;
  for (uint32_t p = split->first[work->labels[start]]; p != LWI_NONE; p = split->next[p])
    work->distances[p] = INFINITY;
  split->count = 0;
  work->distances[start] = 0;
  lwi_heap_entry next;
  if (!lwi_heap_push(&work->heap, work->memory, 0, start)) return false;
  while (lwi_heap_pop(&work->heap, &next)) {
    if (next.key > work->distances[next.item]) continue;
    split->order[split->count++] = next.item;
    if (!relax(split, next.item)) return false;
  }
  return true;
}

/* How much longer the border of what was reached becomes by a polygon. [m] */
static double border_change(const lwi_room_work *work, uint32_t p) {
  const lw_navmesh *mesh = work->mesh;
  double change = 0;
  for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
    const lwi_portal *portal = &mesh->graph.portals[k];
    if (work->labels[portal->to] != work->labels[p]) continue;
    const double width = (double)lwi_portal_width(mesh, p, portal);
    change += work->sources[portal->to] < work->sources[p] ? -width : width;
  }
  return change;
}

/* How many polygons of the order to cut off. @return 0: one polygon has most of the room. */
static uint32_t choose_cut(const room_split *split, double whole) {
  lwi_room_work *work = split->work;
  double area = 0, border = 0, best_border = INFINITY, best_off = INFINITY;
  uint32_t narrow = 0, half = 1;
  for (uint32_t i = 0; i < split->count; i++) work->sources[split->order[i]] = i;
  for (uint32_t i = 0; i + 1 < split->count; i++) {
    area += work->areas[split->order[i]];
    border += border_change(work, split->order[i]);
    const double off = fabs(area / whole - 0.5);
    if (off < best_off) {
      best_off = off;
      half = i + 1;
    }
    if (off > 0.5 - PART_MIN || border >= best_border) continue;
    best_border = border;
    narrow = i + 1;
  }
  return narrow > 0 ? narrow : best_off < 0.5 - DEBRIS_MAX ? half : 0;
}

static void add_to(room_split *split, uint32_t label, uint32_t polygon) {
  split->work->labels[polygon] = label;
  split->next[polygon] = split->first[label];
  split->first[label] = polygon;
}

static bool add_label(room_split *split, uint32_t *label) {
  lwi_memory *memory = split->work->memory;
  *label = split->work->count;
  const int needed = (int)*label + 1;
  if (!lwi_reserve(memory, &split->first, &split->first_capacity, needed, sizeof *split->first)) return false;
  split->first[*label] = LWI_NONE;
  split->work->count += 1;
  return true;
}

static bool add_pending(room_split *split, uint32_t label) {
  if (!lwi_reserve(split->work->memory, &split->pending, &split->pending_capacity, split->pending_count + 1,
                   sizeof *split->pending))
    return false;
  split->pending[split->pending_count++] = label;
  return true;
}

/* Take the connected part about a polygon, of the polygons behind the cut, out of the room. Those are marked by their
   label. @param rest  That label. */
static void take_part(room_split *split, uint32_t from, uint32_t rest, uint32_t label) {
  lwi_room_work *work = split->work;
  const lw_navmesh *mesh = work->mesh;
  uint32_t count = 0;
  work->stack[count++] = from;
  add_to(split, label, from);
  while (count > 0) {
    const uint32_t p = work->stack[--count];
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
      const uint32_t to = mesh->graph.portals[k].to;
      if (work->labels[to] != rest) continue;
      add_to(split, label, to);
      work->stack[count++] = to;
    }
  }
}

static void give_back(room_split *split, uint32_t part, uint32_t label) {
  for (uint32_t p = split->first[part], next; p != LWI_NONE; p = next) {
    next = split->next[p];
    add_to(split, label, p);
  }
  split->first[part] = LWI_NONE;
}

/* Part what was ordered at `cut`: what is before it keeps the label. */
static bool part_room(room_split *split, uint32_t label, uint32_t cut, double whole) {
  uint32_t rest, part;
  if (!add_label(split, &rest)) return false;
  split->first[label] = LWI_NONE;
  for (uint32_t i = 0; i < split->count; i++) {
    if (i < cut)
      add_to(split, label, split->order[i]);
    else
      split->work->labels[split->order[i]] = rest;
  }
  for (uint32_t i = cut; i < split->count; i++) {
    if (split->work->labels[split->order[i]] != rest) continue;
    if (!add_label(split, &part)) return false;
    take_part(split, split->order[i], rest, part);
    if (area_of(split, part) < DEBRIS_MAX * whole)
      give_back(split, part, label);
    else if (!add_pending(split, part))
      return false;
  }
  return area_of(split, label) >= (1 - DEBRIS_MAX) * whole || add_pending(split, label);
}

static bool split_room(room_split *split, uint32_t label, float max_area) {
  const double whole = area_of(split, label);
  if (whole <= (double)max_area) return true;
  if (!order_from(split, split->first[label])) return false;
  if (split->count < 2) return true;
  if (!order_from(split, split->order[split->count - 1])) return false;
  const uint32_t cut = choose_cut(split, whole);
  return cut == 0 || part_room(split, label, cut, whole);
}

static bool run(room_split *split, float max_area) {
  lwi_room_work *work = split->work;
  const uint32_t labels = work->count;
  if (!lwi_reserve(work->memory, &split->first, &split->first_capacity, (int)labels, sizeof *split->first))
    return false;
  for (uint32_t i = 0; i < labels; i++) split->first[i] = LWI_NONE;
  for (uint32_t p = work->mesh->polygons.count; p-- > 0;) add_to(split, work->labels[p], p);
  for (uint32_t i = 0; i < labels; i++)
    if (split->first[i] != LWI_NONE && !add_pending(split, i)) return false;
  while (split->pending_count > 0)
    if (!split_room(split, split->pending[--split->pending_count], max_area)) return false;
  return true;
}

bool lwi_rooms_split(lwi_room_work *work, float max_area) {
  const size_t size = work->mesh->polygons.count * sizeof(uint32_t);
  lwi_memory *memory = work->memory;
  room_split split = {.work = work, .next = lwi_alloc(memory, size), .order = lwi_alloc(memory, size)};
  const bool done = split.next && split.order && run(&split, max_area);
  lwi_free(memory, split.next, size);
  lwi_free(memory, split.order, size);
  lwi_free(memory, split.first, (size_t)split.first_capacity * sizeof *split.first);
  lwi_free(memory, split.pending, (size_t)split.pending_capacity * sizeof *split.pending);
  return done;
}
