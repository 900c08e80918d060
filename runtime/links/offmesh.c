/* Off-mesh links: requests are joined to the mesh, or refused with a reason. */
#include "core/status.h"
#include "mesh/link_notes.h"
#include "mesh/reduction.h"
#include "mesh/sections.h"

#include <stdio.h>
#include <string.h>

/* Ends nearer to each other than this are one place. [m] */
#define SAME_PLACE 0.01f

/* --- joining ---------------------------------------------------------------------------------------------- */

/* A box of this half size about the point holds the whole mesh. */
static float reach(const lw_navmesh *mesh, lw_vec3 p) {
  lw_box box = mesh->bounds;
  float x = fmaxf(fabsf(p.x - box.min.x), fabsf(p.x - box.max.x));
  float y = fmaxf(fabsf(p.y - box.min.y), fabsf(p.y - box.max.y));
  float z = fmaxf(fabsf(p.z - box.min.z), fabsf(p.z - box.max.z));
  return 1.01f * fmaxf(x, fmaxf(y, z)) + 100; /* detail rises above the corners */
}

static bool find(const lw_navmesh *mesh, lw_vec3 p, float half, lwi_link_end *end) {
  lw_location found;
  if (lw_navmesh_nearest(mesh, p, lwi_vec3(half, half, half), NULL, &found) != LW_OK) return false;
  *end = (lwi_link_end){lwi_poly_index(mesh, found.poly), found.point, lwi_distance(found.point, p)};
  return true;
}

/* Find the nearest place. The first search finds any place within the radius; the second is for refused ends.
   @return Whether it is within the radius. */
static bool snap(const lw_navmesh *mesh, lw_vec3 p, float radius, lwi_link_end *end) {
  *end = (lwi_link_end){LWI_NONE, p, 0};
  if (find(mesh, p, radius, end) && end->distance <= radius) return true;
  find(mesh, p, reach(mesh, p), end);
  return false;
}

static lw_link_state judge(const lw_navmesh *mesh, lwi_request *request) {
  bool from = snap(mesh, request->from, request->radius, &request->start);
  bool to = snap(mesh, request->to, request->radius, &request->end);
  if (!from || !to) return from ? LW_LINK_NO_END : to ? LW_LINK_NO_START : LW_LINK_NO_ENDS;
  return lwi_distance(request->start.at, request->end.at) < SAME_PLACE ? LW_LINK_SAME_PLACE : LW_LINK_JOINED;
}

static float length_of(const lwi_request *request) {
  return request->length >= 0 ? request->length : lwi_distance(request->start.at, request->end.at);
}

lw_link_state lwi_link_place(const lw_navmesh *mesh, const lw_link_def *def, lwi_link *link) {
  lwi_request request = lwi_request_of(def);
  const lw_link_state state = judge(mesh, &request);
  *link = (lwi_link){.from = request.start.polygon,
                     .to = request.end.polygon,
                     .start = request.start.at,
                     .end = request.end.at,
                     .length = length_of(&request),
                     .kind = request.kind,
                     .area = request.area};
  return state;
}

static void make_wait(lwi_request *request) {
  request->state = LW_LINK_WAITING;
  request->start = (lwi_link_end){LWI_NONE, request->from, 0};
  request->end = (lwi_link_end){LWI_NONE, request->to, 0};
}

static void judge_all(lw_navmesh *mesh) {
  for (uint32_t i = 0; i < mesh->annotations.request_count; i++) {
    lwi_request *request = &mesh->annotations.requests[i];
    request->state = (uint8_t)judge(mesh, request);
    mesh->links.joined_count += request->state == LW_LINK_JOINED;
    mesh->links.refused_count += request->state != LW_LINK_JOINED;
    if (request->state == LW_LINK_JOINED) mesh->links.count += request->bidirectional ? 2 : 1;
  }
}

/* Counted for the next polygon, so that running sums become beginnings. */
static void count_link(lw_navmesh *mesh, uint32_t from) {
  mesh->links.first[from + 1] += 1;
}

/* @param note  NULL: it has none. */
static void put_link(lw_navmesh *mesh, const lwi_request *request, const lwi_link_note *note,
                     const lwi_link_end *from, const lwi_link_end *to) {
  mesh->links.items[mesh->links.first[from->polygon]++] =
      (lwi_link){.from = from->polygon,
                 .to = to->polygon,
                 .start = from->at,
                 .end = to->at,
                 .length = length_of(request),
                 .kind = request->kind,
                 .area = request->area,
                 .openness = note ? note->openness : 0,
                 .has_openness = note ? note->has_openness : 0};
}

static void count_links(lw_navmesh *mesh) {
  for (uint32_t i = 0; i < mesh->annotations.request_count; i++) {
    const lwi_request *request = &mesh->annotations.requests[i];
    if (request->state != LW_LINK_JOINED) continue;
    count_link(mesh, request->start.polygon);
    if (request->bidirectional) count_link(mesh, request->end.polygon);
  }
  for (uint32_t p = 0; p < mesh->polygons.count; p++) mesh->links.first[p + 1] += mesh->links.first[p];
}

static void sort_links(lw_navmesh *mesh) {
  size_t polygons = mesh->polygons.count;
  count_links(mesh);
  for (uint32_t i = 0; i < mesh->annotations.request_count; i++) {
    const lwi_request *request = &mesh->annotations.requests[i];
    if (request->state != LW_LINK_JOINED) continue;
    const lwi_link_note *note = lwi_link_note_find(&mesh->annotations, i);
    put_link(mesh, request, note, &request->start, &request->end);
    if (request->bidirectional) put_link(mesh, request, note, &request->end, &request->start);
  }
  /* put_link() has turned beginnings into ends. */
  memmove(mesh->links.first + 1, mesh->links.first, polygons * sizeof *mesh->links.first);
  mesh->links.first[0] = 0;
}

bool lwi_graph_join(lw_navmesh *mesh) {
  bool waits = mesh->part.total > 0;
  for (uint32_t i = 0; waits && i < mesh->annotations.request_count; i++)
    make_wait(&mesh->annotations.requests[i]);
  if (waits) return true;
  judge_all(mesh);
  if (mesh->links.count == 0) return true;
  mesh->links.items = lwi_alloc_zero(&mesh->memory, mesh->links.count * sizeof *mesh->links.items);
  mesh->links.first =
      lwi_alloc_zero(&mesh->memory, ((size_t)mesh->polygons.count + 1) * sizeof *mesh->links.first);
  if (!mesh->links.items || !mesh->links.first) return false;
  sort_links(mesh);
  return true;
}

bool lwi_graph_add_links(lw_navmesh *mesh, const lwi_request *requests, uint32_t count) {
  const uint32_t before = mesh->annotations.request_count;
  if (count == 0) return true;
  lwi_request *all = lwi_alloc(&mesh->memory, ((size_t)before + count) * sizeof *all);
  if (!all) return false;
  if (before > 0) memcpy(all, mesh->annotations.requests, before * sizeof *all);
  memcpy(all + before, requests, count * sizeof *all);
  mesh->annotations.requests = all; /* the old ones, and the old links, are parts of the block */
  mesh->annotations.request_count = before + count;
  mesh->links = (lwi_mesh_links){0};
  return lwi_graph_join(mesh) && lwi_reduction_make(mesh) && lwi_sections_pack(mesh);
}

/* --- checking --------------------------------------------------------------------------------------------- */

static bool is_on(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 at) {
  const double slack = 0.01;
  lwi_polygon corners = lwi_polygon_get(mesh, polygon);
  return lwi_polygon_holds(&corners, at, slack) &&
         fabs((double)lwi_polygon_height(mesh, polygon, at.x, at.z) - at.y) <= slack;
}

static lw_status check_link(const lw_navmesh *mesh, uint32_t from, uint32_t index, lw_error *error) {
  const lwi_link *link = &mesh->links.items[index];
  unsigned number = index;
  if (link->from != from || link->to >= mesh->polygons.count)
    return lwi_fail(error, LW_INVALID, "off-mesh link %u names a polygon that does not exist", number);
  if (!lwi_finite(link->start) || !is_on(mesh, link->from, link->start))
    return lwi_fail(error, LW_INVALID, "off-mesh link %u does not begin on polygon %u", number,
                    (unsigned)link->from);
  if (!lwi_finite(link->end) || !is_on(mesh, link->to, link->end))
    return lwi_fail(error, LW_INVALID, "off-mesh link %u does not end on polygon %u", number,
                    (unsigned)link->to);
  if (!(link->length >= 0 && isfinite(link->length)))
    return lwi_fail(error, LW_INVALID, "off-mesh link %u: length is %g, expected metres >= 0", number,
                    (double)link->length);
  if (link->has_openness > 1 || (link->openness != 0 && link->has_openness == 0) ||
      (link->has_openness == 1 && link->kind != LW_LINK_WAYPOINT))
    return lwi_fail(error, LW_INVALID, "off-mesh link %u: its openness is out of range", number);
  if (link->kind >= LW_LINK_KIND_COUNT)
    return lwi_fail(error, LW_INVALID, "off-mesh link %u: kind is %u, expected 0 to %d", number,
                    (unsigned)link->kind, LW_LINK_KIND_COUNT - 1);
  if (link->area != LW_AREA_NONE && !lw_area_table_get(mesh->areas, link->area))
    return lwi_fail(error, LW_INVALID, "off-mesh link %u: area is %u, which does not exist", number,
                    (unsigned)link->area);
  return LW_OK;
}

static lw_status check_order(const lw_navmesh *mesh, lw_error *error) {
  if (mesh->links.count == 0) return LW_OK;
  const uint32_t *first = mesh->links.first;
  bool rises = first && first[0] == 0 && first[mesh->polygons.count] == mesh->links.count;
  for (uint32_t p = 0; rises && p < mesh->polygons.count; p++) rises = first[p] <= first[p + 1];
  if (!rises) return lwi_fail(error, LW_INVALID, "off-mesh links are out of order");
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    for (uint32_t k = first[p]; k < first[p + 1]; k++) {
      lw_status status = check_link(mesh, p, k, error);
      if (status != LW_OK) return status;
    }
  return LW_OK;
}

/* The link for this direction of a request. @return LWI_NONE: there is none. */
static uint32_t find_link(const lw_navmesh *mesh, const lwi_request *request, const lwi_link_end *from,
                          const lwi_link_end *to) {
  for (uint32_t k = mesh->links.first[from->polygon]; k < mesh->links.end[from->polygon]; k++) {
    const lwi_link *link = &mesh->links.items[k];
    if (link->to == to->polygon && lwi_equal(link->start, from->at) && lwi_equal(link->end, to->at) &&
        link->kind == request->kind && link->area == request->area)
      return k;
  }
  return LWI_NONE;
}

static bool has_link(const lw_navmesh *mesh, const lwi_request *request, const lwi_link_end *from,
                     const lwi_link_end *to) {
  return find_link(mesh, request, from, to) != LWI_NONE;
}

void lwi_links_set_openness(lw_navmesh *mesh, const lwi_link_note *note) {
  const lwi_request *request = &mesh->annotations.requests[note->request];
  if (request->state != LW_LINK_JOINED) return;
  const lwi_link_end *ends[] = {&request->start, &request->end};
  for (int i = 0; i < (request->bidirectional ? 2 : 1); i++) {
    const uint32_t index = find_link(mesh, request, ends[i], ends[1 - i]);
    if (index == LWI_NONE) continue;
    mesh->links.items[index].openness = note->openness;
    mesh->links.items[index].has_openness = note->has_openness;
  }
}

static lw_status check_request(const lw_navmesh *mesh, uint32_t index, lw_error *error) {
  const lwi_request *request = &mesh->annotations.requests[index];
  unsigned number = index + 1;
  if (request->state != LW_LINK_JOINED) return LW_OK;
  if (!(request->start.distance <= request->radius && request->end.distance <= request->radius))
    return lwi_fail(error, LW_INVALID, "link %u was joined to a place beyond its radius", number);
  if (!mesh->links.first || !has_link(mesh, request, &request->start, &request->end) ||
      (request->bidirectional && !has_link(mesh, request, &request->end, &request->start)))
    return lwi_fail(error, LW_INVALID, "link %u was joined, but is not among the off-mesh links", number);
  return LW_OK;
}

lw_status lwi_graph_check_joins(const lw_navmesh *mesh, lw_error *error) {
  uint32_t joined = 0, refused = 0;
  lw_status status = check_order(mesh, error);
  for (uint32_t i = 0; i < mesh->annotations.request_count && status == LW_OK; i++) {
    status = check_request(mesh, i, error);
    joined += mesh->annotations.requests[i].state == LW_LINK_JOINED;
    refused += mesh->annotations.requests[i].state != LW_LINK_JOINED &&
               mesh->annotations.requests[i].state != LW_LINK_WAITING;
  }
  if (status != LW_OK || (joined == mesh->links.joined_count && refused == mesh->links.refused_count))
    return status;
  return lwi_fail(error, LW_INVALID, "%u links were joined and %u refused, but the counts are %u and %u",
                  (unsigned)joined, (unsigned)refused, (unsigned)mesh->links.joined_count,
                  (unsigned)mesh->links.refused_count);
}

/* --- reading ---------------------------------------------------------------------------------------------- */

lwi_request lwi_request_of(const lw_link_def *def) {
  return (lwi_request){.from = def->from,
                       .to = def->to,
                       .radius = def->radius,
                       .length = def->length,
                       .kind = (uint8_t)def->kind,
                       .area = def->area,
                       .bidirectional = def->bidirectional,
                       .state = LW_LINK_WAITING};
}

int lw_navmesh_link_count(const lw_navmesh *mesh) {
  return mesh ? (int)mesh->annotations.request_count : 0;
}

static lw_link_def def_of(const lw_navmesh *mesh, uint32_t index) {
  const lwi_request *request = &mesh->annotations.requests[index];
  const lwi_link_note *note = lwi_link_note_find(&mesh->annotations, index);
  lw_link_def def = lw_link_def_default();
  def.kind = (lw_link_kind)request->kind;
  def.from = request->from;
  def.to = request->to;
  def.bidirectional = request->bidirectional;
  def.radius = request->radius;
  def.length = request->length;
  def.area = request->area;
  if (!note) return def;
  def.capacity = note->capacity;
  def.name = note->name[0] ? note->name : NULL;
  return def;
}

static lw_location location_of(const lw_navmesh *mesh, const lwi_link_end *end) {
  return (lw_location){end->at, end->polygon == LWI_NONE ? 0 : lwi_poly_id(mesh, end->polygon)};
}

lw_status lw_navmesh_get_link(const lw_navmesh *mesh, int index, lw_link *link) {
  if (link) *link = (lw_link){.def = lw_link_def_default()};
  if (!mesh || !link) return LW_INVALID;
  if (index < 0 || (uint32_t)index >= mesh->annotations.request_count) return LW_NOT_FOUND;
  const lwi_request *request = &mesh->annotations.requests[index];
  *link = (lw_link){.def = def_of(mesh, (uint32_t)index),
                    .state = (lw_link_state)request->state,
                    .from = location_of(mesh, &request->start),
                    .to = location_of(mesh, &request->end),
                    .length = length_of(request),
                    .from_distance = request->start.distance,
                    .to_distance = request->end.distance};
  return LW_OK;
}

void lw_link_reason(const lw_link *link, char *text, size_t size) {
  if (!text || size == 0) return;
  text[0] = 0;
  if (!link) return;
  const lw_link_def *def = &link->def;
  double from = (double)link->from_distance, to = (double)link->to_distance, radius = (double)def->radius;
  switch (link->state) {
  case LW_LINK_NO_START:
    snprintf(text, size, "the nearest navmesh is %.2f m from its 'from', more than its radius %g m", from,
             radius);
    return;
  case LW_LINK_NO_END:
    snprintf(text, size, "the nearest navmesh is %.2f m from its 'to', more than its radius %g m", to, radius);
    return;
  case LW_LINK_NO_ENDS:
    snprintf(
        text, size,
        "the nearest navmesh is %.2f m from its 'from' and %.2f m from its 'to', more than its radius %g m",
        from, to, radius);
    return;
  case LW_LINK_SAME_PLACE:
    snprintf(text, size, "both of its ends come to lie at (%.2f, %.2f, %.2f)", (double)link->from.point.x,
             (double)link->from.point.y, (double)link->from.point.z);
    return;
  case LW_LINK_ONE_NAVMESH:
    snprintf(text, size,
             "both of its ends are nearest to the same navmesh: give it to that navmesh's geometry");
    return;
  case LW_LINK_WAITING:
    snprintf(text, size, "it is joined or refused when the parts of the bake are merged");
    return;
  case LW_LINK_JOINED: break;
  }
}
