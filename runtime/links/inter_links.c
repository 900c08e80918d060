/* Links between navmeshes: their ends are moved onto the navmeshes, or the link is refused with a reason. */
#include "links/inter_links.h"

#include "core/hash.h"
#include "core/vec3.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

/* --- judging ------------------------------------------------------------------------------------------------------ */

/* An end of a link. */
typedef struct link_end {
  int navmesh; /* -1: none is near */
  lw_location at;
  float distance;
} link_end;

/* The nearest place on one navmesh within a box, if it is nearer than `end`. */
static void look_on(const lwi_inter_links_def *in, int navmesh, lw_vec3 p, float half, link_end *end) {
  lw_location found;
  if (lw_navmesh_nearest(in->meshes[navmesh], p, lwi_vec3(half, half, half), NULL, &found) != LW_OK) return;
  float distance = lwi_distance(found.point, p);
  if (end->navmesh < 0 || distance < end->distance) *end = (link_end){navmesh, found, distance};
}

/* Of all navmeshes but one. */
static link_end nearest_but(const lwi_inter_links_def *in, int other, lw_vec3 p, float half) {
  link_end end = {-1, {.point = p}, 0};
  for (int i = 0; i < in->mesh_count; i++)
    if (i != other) look_on(in, i, p, half, &end);
  return end;
}

/* Further than any place is from the point. */
static float far_from(const lwi_inter_links_def *in, lw_vec3 p) {
  float far = 0;
  for (int i = 0; i < in->mesh_count; i++) {
    lw_box box = in->meshes[i]->bounds;
    far = fmaxf(far, lwi_distance(p, box.min) + lwi_distance(box.min, box.max));
  }
  return 1.01f * far + 100; /* details rise above the corners */
}

/* The nearest place, within the radius or not. What is within it lies within the box, so the second look is for refused
   ends only. */
static link_end find_end(const lwi_inter_links_def *in, lw_vec3 p, float radius) {
  link_end end = nearest_but(in, -1, p, radius);
  if (end.navmesh >= 0 && end.distance <= radius) return end;
  return nearest_but(in, -1, p, far_from(in, p));
}

static void set_ends(lw_world_link *link, const link_end *from, const link_end *to) {
  lw_link *inner = &link->link;
  inner->from = from->at;
  inner->to = to->at;
  inner->from_distance = from->distance;
  inner->to_distance = to->distance;
  inner->length = inner->def.length >= 0 ? inner->def.length : lwi_distance(from->at.point, to->at.point);
  link->from_navmesh = from->navmesh;
  link->to_navmesh = to->navmesh;
}

static lw_link_state judge(const link_end *from, const link_end *to, float radius) {
  bool starts = from->navmesh >= 0 && from->distance <= radius,
       ends = to->navmesh >= 0 && to->distance <= radius;
  if (!starts || !ends) return starts ? LW_LINK_NO_END : ends ? LW_LINK_NO_START : LW_LINK_NO_ENDS;
  return from->navmesh == to->navmesh ? LW_LINK_ONE_NAVMESH : LW_LINK_JOINED;
}

static lw_world_link own_link(const lwi_inter_links_def *in, const lw_link_def *def) {
  lw_world_link link = {.link = {.def = *def}, .requested_by = -1};
  link_end from = find_end(in, def->from, def->radius), to = find_end(in, def->to, def->radius);
  set_ends(&link, &from, &to);
  link.link.state = judge(&from, &to, def->radius);
  return link;
}

/* One that a navmesh refused, with its missing end looked for on the others. @return Whether it is there. */
static bool adopt(const lwi_inter_links_def *in, int navmesh, int index, lw_world_link *link) {
  *link = (lw_world_link){.requested_by = navmesh};
  lw_navmesh_get_link(in->meshes[navmesh], index, &link->link);
  bool no_start = link->link.state == LW_LINK_NO_START;
  if (!no_start && link->link.state != LW_LINK_NO_END) return false;
  const lw_link_def *def = &link->link.def;
  link_end from = {navmesh, link->link.from, link->link.from_distance};
  link_end to = {navmesh, link->link.to, link->link.to_distance};
  link_end found = nearest_but(in, navmesh, no_start ? def->from : def->to, def->radius);
  if (found.navmesh < 0 || found.distance > def->radius) return false;
  *(no_start ? &from : &to) = found;
  set_ends(link, &from, &to);
  link->link.state = LW_LINK_JOINED;
  return true;
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

/* Links of one level that were asked of two navmeshes, which have one end each, are found twice. */
static bool is_same_name(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same(const lw_world_link *a, const lw_world_link *b) {
  const lw_link_def *x = &a->link.def, *y = &b->link.def;
  return a->link.state == b->link.state && a->from_navmesh == b->from_navmesh &&
         a->to_navmesh == b->to_navmesh && x->kind == y->kind && x->area == y->area &&
         x->bidirectional == y->bidirectional && x->length == y->length && is_same_name(x->name, y->name) &&
         lwi_equal(a->link.from.point, b->link.from.point) && lwi_equal(a->link.to.point, b->link.to.point);
}

/* Where a link is looked for among those that are listed: open addressing by its start. */
typedef struct link_set {
  uint32_t *slots; /* [count] Index of the link + 1, 0: free. A power of two. */
  uint32_t count;
} link_set;

/* @return The slot of an equal link, or a free one. */
static uint32_t *find_slot(const link_set *set, const lwi_inter_links *links, const lw_world_link *link) {
  const lw_vec3 at = link->link.from.point;
  const float place[] = {at.x + 0, at.y + 0, at.z + 0}; /* -0 is 0 */
  uint32_t slot = (uint32_t)lwi_hash(LWI_HASH_SEED, place, sizeof place) & (set->count - 1);
  while (set->slots[slot] != 0 && !is_same(&links->links[set->slots[slot] - 1], link))
    slot = (slot + 1) & (set->count - 1);
  return &set->slots[slot];
}

static bool add_link(lwi_inter_links *links, lwi_memory *memory, const lw_world_link *link) {
  if (!lwi_reserve(memory, &links->links, &links->link_capacity, links->link_count + 1, sizeof *links->links))
    return false;
  links->links[links->link_count++] = *link;
  return true;
}

static bool adopt_links(lwi_inter_links *links, const lwi_inter_links_def *in, link_set *set,
                        lwi_memory *memory) {
  lw_world_link link;
  for (int i = 0; i < links->link_count; i++) *find_slot(set, links, &links->links[i]) = (uint32_t)i + 1;
  for (int i = 0; i < in->mesh_count; i++) {
    for (int k = 0; k < lw_navmesh_link_count(in->meshes[i]); k++) {
      if (!adopt(in, i, k, &link)) continue;
      uint32_t *slot = find_slot(set, links, &link);
      if (*slot != 0) continue;
      if (!add_link(links, memory, &link)) return false;
      *slot = (uint32_t)links->link_count;
    }
  }
  return true;
}

/* Keep the names of the world's links. @return false: no memory. */
static bool keep_names(lwi_inter_links *links, const lwi_inter_links_def *in, lwi_memory *memory) {
  if (in->link_count == 0) return true;
  links->names = lwi_alloc_zero(memory, (size_t)in->link_count * sizeof *links->names);
  if (!links->names) return false;
  links->name_count = in->link_count;
  for (int i = 0; i < in->link_count; i++) {
    if (!in->links[i].name) continue;
    memcpy(links->names[i], in->links[i].name, strlen(in->links[i].name));
    links->links[i].link.def.name = links->names[i];
  }
  return true;
}

/* First those of the world in their order, then those that navmeshes had refused. */
static bool list_links(lwi_inter_links *links, const lwi_inter_links_def *in, lwi_memory *memory) {
  size_t limit = (size_t)in->link_count;
  for (int i = 0; i < in->link_count; i++) {
    const lw_world_link link = own_link(in, &in->links[i]);
    if (!add_link(links, memory, &link)) return false;
  }
  if (!keep_names(links, in, memory)) return false;
  if (in->mesh_count < 2) return true;
  for (int i = 0; i < in->mesh_count; i++) limit += (size_t)lw_navmesh_link_count(in->meshes[i]);
  link_set set = {.count = 16};
  while (set.count < 2 * limit) set.count *= 2;
  set.slots = lwi_alloc_zero(memory, set.count * sizeof *set.slots);
  const bool good = set.slots && adopt_links(links, in, &set, memory);
  lwi_free(memory, set.slots, set.count * sizeof *set.slots);
  return good;
}

/* --- what can be taken -------------------------------------------------------------------------------------------- */

static lwi_inter_link item_of(const lwi_inter_links_def *in, const lw_world_link *link, bool back) {
  const lw_link *inner = &link->link;
  lwi_inter_link item = {.from = back ? link->to_navmesh : link->from_navmesh,
                         .to = back ? link->from_navmesh : link->to_navmesh,
                         .start = back ? inner->to : inner->from,
                         .end = back ? inner->from : inner->to,
                         .length = inner->length,
                         .kind = inner->def.kind,
                         .area = inner->def.area};
  item.start_polygon = lwi_poly_index(in->meshes[item.from], item.start.poly);
  item.end_polygon = lwi_poly_index(in->meshes[item.to], item.end.poly);
  return item;
}

lw_world_link lwi_inter_link_place(const lwi_inter_links_def *in, const lw_link_def *def) {
  return own_link(in, def);
}

bool lwi_inter_links_add(lwi_inter_links *links, const lwi_inter_links_def *in, uint32_t number,
                         const lw_world_link *link, lwi_memory *memory) {
  if (number >= INT32_MAX ||
      !lwi_reserve(memory, &links->joined, &links->joined_capacity, (int)number + 1, sizeof *links->joined))
    return false;
  for (; links->joined_count <= (int)number; links->joined_count++)
    links->joined[links->joined_count] = (lwi_joined_link){.is_there = false};
  links->joined[number] = (lwi_joined_link){.is_there = true,
                                            .is_bidirectional = link->link.def.bidirectional,
                                            .there = item_of(in, link, false),
                                            .back = item_of(in, link, true)};
  links->is_changed = true;
  return true;
}

void lwi_inter_links_remove(lwi_inter_links *links, uint32_t number) {
  if (number >= (uint32_t)links->joined_count) return;
  links->is_changed |= links->joined[number].is_there;
  links->joined[number].is_there = false;
}

void lwi_inter_links_name(lwi_inter_links *links, uint32_t number, lw_link_id id) {
  links->joined[number].there.id = links->joined[number].back.id = id;
  links->is_changed = true;
}

void lwi_inter_links_change(lwi_inter_links *links, uint32_t number, bool is_off, float cost) {
  lwi_joined_link *link = &links->joined[number];
  if (link->is_off == is_off && link->there.cost == cost && link->back.cost == cost) return;
  link->is_off = is_off;
  link->there.cost = link->back.cost = cost;
  links->is_changed = true;
}

static bool is_taken(const lwi_joined_link *link) {
  return link->is_there && !link->is_off;
}

/* How many can be taken. @param[out] next  [LW_NAVMESHES_MAX + 1] Where those that leave each navmesh begin. */
static int count_items(const lwi_inter_links *links, int mesh_count, int *next) {
  int count = 0;
  for (int i = 0; i < links->joined_count; i++) {
    const lwi_joined_link *link = &links->joined[i];
    if (!is_taken(link)) continue;
    next[link->there.from + 1] += 1;
    if (link->is_bidirectional) next[link->back.from + 1] += 1;
    count += link->is_bidirectional ? 2 : 1;
  }
  for (int i = 0; i < mesh_count; i++) next[i + 1] += next[i];
  return count;
}

bool lwi_inter_links_apply(lwi_inter_links *links, int mesh_count, lwi_memory *memory) {
  int next[LW_NAVMESHES_MAX + 1] = {0};
  if (!links->is_changed) return true;
  const int count = count_items(links, mesh_count, next);
  if (!links->first) links->first = lwi_alloc_zero(memory, ((size_t)mesh_count + 1) * sizeof *links->first);
  if (!links->first) return false;
  links->mesh_count = mesh_count;
  if (!lwi_reserve(memory, &links->items, &links->capacity, count, sizeof *links->items)) return false;
  for (int i = 0; i <= mesh_count; i++) links->first[i] = next[i];
  for (int i = 0; i < links->joined_count; i++) {
    const lwi_joined_link *link = &links->joined[i];
    if (!is_taken(link)) continue;
    links->items[next[link->there.from]++] = link->there;
    if (link->is_bidirectional) links->items[next[link->back.from]++] = link->back;
  }
  links->count = count;
  links->is_changed = false;
  return true;
}

/* Those that have joined. */
static bool list_joined(lwi_inter_links *links, const lwi_inter_links_def *in, lwi_memory *memory) {
  for (int i = 0; i < links->link_count; i++)
    if (links->links[i].link.state == LW_LINK_JOINED &&
        !lwi_inter_links_add(links, in, (uint32_t)links->joined_count, &links->links[i], memory))
      return false;
  return lwi_inter_links_apply(links, in->mesh_count, memory);
}

bool lwi_inter_links_init(lwi_inter_links *links, const lwi_inter_links_def *in, lwi_memory *memory) {
  return list_links(links, in, memory) && list_joined(links, in, memory);
}

/* Ends lie on the surface but for rounding, and pieces end that far from sides at most. [m] */
#define END_SLACK 0.01

static void renew_end(const lw_navmesh *mesh, uint32_t polygon, lw_location *end) {
  const uint32_t part = lwi_part_at(mesh, polygon, end->point, END_SLACK);
  end->poly = part == LWI_NONE ? 0 : lwi_poly_id(mesh, part);
}

void lwi_inter_links_renew(lwi_inter_links *links, const lw_navmesh *const *meshes) {
  for (int i = 0; i < links->count; i++) {
    lwi_inter_link *item = &links->items[i];
    renew_end(meshes[item->from], item->start_polygon, &item->start);
    renew_end(meshes[item->to], item->end_polygon, &item->end);
  }
}

void lwi_inter_links_free(lwi_inter_links *links, lwi_memory *memory) {
  lwi_free(memory, links->links, (size_t)links->link_capacity * sizeof *links->links);
  lwi_free(memory, links->items, (size_t)links->capacity * sizeof *links->items);
  lwi_free(memory, links->joined, (size_t)links->joined_capacity * sizeof *links->joined);
  lwi_free(memory, links->names, (size_t)links->name_count * sizeof *links->names);
  lwi_free(memory, links->first, ((size_t)links->mesh_count + 1) * sizeof *links->first);
  *links = (lwi_inter_links){0};
}
