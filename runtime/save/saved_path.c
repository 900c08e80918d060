/* A path in a world's file: polygons are places (lwi_poly_place()), and areas those of the file. */
#include "save/saved.h"

/* No path has more points, nor any other of its parts. */
#define PARTS_MAX (1u << 24)

/* Flags of a path. */
enum { PARTIAL = 1, REDUCED = 2 };

static void put_floats(lwi_bytes *to, const float *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) lwi_put_float(to, numbers[i]);
}

static void put_record(lwi_bytes *to, const lwi_cost_record *t) {
  const float numbers[] = {t->length, t->exposed, t->seen,  t->danger,    t->lanes,
                           t->open,   t->deep,    t->water, t->obstacles, t->link};
  put_floats(to, numbers, sizeof numbers / sizeof *numbers);
}

static void put_points(lwi_bytes *to, const lw_path *path) {
  for (int i = 0; i < path->point_count; i++) {
    lwi_put_vec3(to, path->points[i]);
    lwi_put(to, path->areas[i], 1);
    lwi_put_float(to, path->remaining[i]);
    lwi_put_u32(to, (uint32_t)(path->ground.polygons[i] + 1));
    put_record(to, &path->records[i]);
  }
  put_floats(to, path->seen, (size_t)path->point_count * (size_t)path->threat_count);
}

static void put_runs(lwi_bytes *to, const lw_path *path) {
  for (int i = 0; i < path->run_count; i++) {
    const lwi_run *run = &path->runs[i];
    lwi_put_u32(to, (uint32_t)run->first);
    lwi_put_u32(to, (uint32_t)run->link);
    lwi_put(to, run->area, 1);
    lwi_put(to, (uint64_t)run->stance, 1);
    lwi_put_float(to, run->water);
    put_floats(to, run->terms.of, LW_COST_TERM_COUNT);
  }
}

static void put_links(lwi_bytes *to, const lw_world *world, const lw_path *path) {
  int navmesh = path->navmesh;
  for (int i = 0; i < path->link_count; i++) {
    const lwi_path_link *link = &path->links[i];
    if (link->navmesh >= 0) navmesh = link->navmesh;
    lwi_put_u32(to, (uint32_t)link->point);
    lwi_put_u32(to, (uint32_t)link->kind);
    lwi_put_float(to, link->length);
    lwi_put_u64(to, lwi_poly_place(world->scene.meshes[navmesh], link->to));
    lwi_put_u32(to, (uint32_t)(link->navmesh + 1));
    lwi_put_u32(to, (uint32_t)link->corridor);
    lwi_put_u64(to, link->version);
    lwi_put_u32(to, lwi_world_link_code(world, link->id));
  }
}

static void put_arcs(lwi_bytes *to, const lw_path *path) {
  lwi_put_u32(to, (uint32_t)path->arcs.count);
  for (int i = 0; i < path->arcs.count; i++) {
    const lw_path_arc *arc = &path->arcs.items[i];
    lwi_put_u32(to, (uint32_t)arc->first);
    lwi_put_u32(to, (uint32_t)arc->last);
    lwi_put_vec3(to, arc->centre);
    put_floats(to, (const float[]){arc->radius, arc->from, arc->to}, 3);
    lwi_put(to, arc->is_reduced, 1);
  }
}

void lwi_saved_put_path(lwi_bytes *to, const lw_world *world, const lwi_agent *agent) {
  const lw_path *path = agent->route.path;
  const int flags = (path->partial ? PARTIAL : 0) | (path->reduced ? REDUCED : 0);
  const int counts[] = {path->point_count, path->run_count, path->link_count,  path->corridor_count, flags,
                        path->navmesh,     path->nodes,     path->threat_count};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) lwi_put_u32(to, (uint32_t)counts[i]);
  lwi_put_float(to, path->length);
  lwi_put_float(to, path->cost);
  lwi_put_float(to, path->exposed);
  put_points(to, path);
  put_runs(to, path);
  put_links(to, world, path);
  put_arcs(to, path);
  for (int i = 0; i < path->corridor_count; i++) {
    const lw_navmesh *mesh = world->scene.meshes[lw_path_corridor_navmesh(path, i)];
    const bool is_known = !lwi_world_has_changed_under(world, agent, i);
    lwi_put_u64(to, is_known ? lwi_poly_place(mesh, path->corridor[i]) : LWI_NO_PLACE);
    lwi_put_float(to, path->ground.prices[i]);
  }
  lwi_put_u64(to, path->ground.version);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool get_floats(lwi_reader *from, float *numbers, size_t count) {
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    numbers[i] = lwi_get_float(from);
    good &= lwi_saved_is_amount(fabsf(numbers[i])); /* rounding may take differences below 0 */
  }
  return good;
}

static bool read_record(lwi_reader *from, lwi_cost_record *t) {
  float n[10];
  bool good = get_floats(from, n, 10);
  *t = (lwi_cost_record){n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]};
  return good;
}

static bool read_points(const lw_saved *saved, lwi_reader *from, lw_path *path) {
  bool good = true;
  for (int i = 0; i < path->point_count; i++) {
    path->points[i] = lwi_get_vec3(from);
    path->areas[i] = (lw_area_id)lwi_get(from, 1);
    path->remaining[i] = lwi_get_float(from);
    const uint32_t polygon = lwi_get_u32(from);
    if (polygon > (uint32_t)path->corridor_count) return false;
    path->ground.polygons[i] = (int)polygon - 1;
    good &= read_record(from, &path->records[i]) && lwi_saved_is_place(path->points[i]) &&
            path->areas[i] <= saved->area_count && lwi_saved_is_amount(path->remaining[i]);
  }
  return get_floats(from, path->seen, (size_t)path->point_count * (size_t)path->threat_count) && good;
}

static bool read_runs(const lw_saved *saved, lwi_reader *from, lw_path *path) {
  bool good = true;
  for (int i = 0; i < path->run_count; i++) {
    uint32_t first = lwi_get_u32(from), link = lwi_get_u32(from);
    lwi_run run = {.area = (lw_area_id)lwi_get(from, 1)};
    run.stance = (int)lwi_get(from, 1);
    run.water = lwi_get_float(from);
    good &= get_floats(from, run.terms.of, LW_COST_TERM_COUNT) && lwi_saved_is_amount(fabsf(run.water)) &&
            link <= LW_LINK_NONE && run.area <= saved->area_count && run.stance < LW_STANCES_MAX &&
            first < (uint32_t)path->point_count && (i > 0 ? (int)first >= path->runs[i - 1].first : first == 0);
    if (!good) return false;
    run.first = (int)first;
    run.link = (lw_link_kind)link;
    path->runs[i] = run;
  }
  return true;
}

static bool read_links(lwi_reader *from, lw_path *path) {
  for (int i = 0; i < path->link_count; i++) {
    uint32_t point = lwi_get_u32(from), kind = lwi_get_u32(from);
    lwi_path_link link = {.length = lwi_get_float(from), .to = lwi_get_u64(from)};
    uint32_t navmesh = lwi_get_u32(from), corridor = lwi_get_u32(from);
    link.version = lwi_get_u64(from);
    link.id = lwi_saved_get_link(from);
    if (point + 1 >= (uint32_t)path->point_count || (i > 0 && (int)point <= path->links[i - 1].point) ||
        kind >= LW_LINK_NONE || !lwi_saved_is_amount(link.length) || navmesh > LW_NAVMESHES_MAX ||
        corridor >= (uint32_t)path->corridor_count)
      return false;
    link.point = (int)point;
    link.kind = (lw_link_kind)kind;
    link.navmesh = (int)navmesh - 1;
    link.corridor = (int)corridor;
    path->links[i] = link;
  }
  lwi_path_note_crossings(path);
  return true;
}

/* @return NULL; or what is wrong: "" for no memory. */
static const char *read_arcs(lwi_reader *from, lw_path *path) {
  static const char *const wrong = "an arc of a path has a number out of range";
  const uint32_t count = lwi_get_u32(from);
  if (from->failed || count > (uint32_t)path->point_count) return wrong;
  if (!lwi_path_alloc_arcs(path, (int)count)) return "";
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t first = lwi_get_u32(from), last = lwi_get_u32(from);
    lw_path_arc arc = {.centre = lwi_get_vec3(from)};
    float numbers[3];
    if (!get_floats(from, numbers, 3)) return wrong;
    const uint64_t is_reduced = lwi_get(from, 1);
    if (first > last || last >= (uint32_t)path->point_count || !lwi_finite(arc.centre) || numbers[0] < 0 ||
        is_reduced > 1)
      return wrong;
    arc.first = (int)first;
    arc.last = (int)last;
    arc.radius = numbers[0];
    arc.from = numbers[1];
    arc.to = numbers[2];
    arc.is_reduced = is_reduced == 1;
    path->arcs.items[i] = arc;
  }
  return NULL;
}

/* @return false: more than what is left can hold, or none of what each path has. */
static bool read_counts(lwi_reader *from, lw_path *path, size_t *points, size_t *runs, size_t *polygons) {
  uint32_t counts[8];
  size_t left = (size_t)(from->end - from->at);
  for (int i = 0; i < 8; i++) counts[i] = lwi_get_u32(from);
  if (from->failed) return false;
  for (int i = 0; i < 4; i++)
    if (counts[i] > PARTS_MAX || counts[i] > left) return false;
  if (counts[0] < 1 || counts[3] < 1 || (counts[1] < 1 && counts[0] > 1) || counts[4] > (PARTIAL | REDUCED) ||
      counts[5] >= LW_NAVMESHES_MAX || counts[6] > INT32_MAX || counts[7] > left / counts[0])
    return false;
  *points = counts[0];
  *runs = counts[1];
  *polygons = counts[3];
  path->link_count = (int)counts[2];
  path->partial = (counts[4] & PARTIAL) != 0;
  path->reduced = (counts[4] & REDUCED) != 0;
  path->navmesh = (int)counts[5];
  path->nodes = (int)counts[6];
  path->threat_count = (int)counts[7];
  return true;
}

/* @return NULL; or what is wrong: "" for no memory. */
static const char *read_parts(const lw_saved *saved, lwi_reader *from, lw_path *path) {
  static const char *const wrong = "a path has a number out of range";
  bool good = true;
  if (!read_points(saved, from, path) || !read_runs(saved, from, path) || !read_links(from, path)) return wrong;
  const char *why = read_arcs(from, path);
  if (why) return why;
  for (int i = 0; i < path->corridor_count; i++) {
    path->corridor[i] = lwi_get_u64(from);
    good &= get_floats(from, &path->ground.prices[i], 1);
  }
  path->ground.version = lwi_get_u64(from);
  good &= lwi_saved_is_amount(path->length) && lwi_saved_is_amount(path->cost) &&
          lwi_saved_is_amount(fabsf(path->exposed));
  return good ? NULL : wrong;
}

const char *lwi_saved_read_path(lw_saved *saved, lwi_reader *from, lw_path **out) {
  size_t points, runs, polygons;
  lw_path head = {.memory = lwi_memory_make(&saved->memory.allocator)};
  *out = NULL;
  if (!read_counts(from, &head, &points, &runs, &polygons)) return "a path has a number out of range";
  head.length = lwi_get_float(from);
  head.cost = lwi_get_float(from);
  head.exposed = lwi_get_float(from);
  lw_path *path = lwi_alloc(&head.memory, sizeof *path);
  if (!path) return "";
  *path = head;
  *out = path;
  if (!lwi_path_alloc(path, points, runs, head.link_count, polygons)) return "";
  path->point_count = (int)points;
  path->run_count = (int)runs;
  return read_parts(saved, from, path);
}

/* --- giving it to a world ----------------------------------------------------------------------------------------- */

static lw_path *copy(const lw_world *world, const lw_path *from) {
  lwi_memory memory = lwi_memory_make(&world->memory.allocator);
  lw_path *path = lwi_alloc(&memory, sizeof *path);
  if (!path) return NULL;
  *path = *from;
  path->memory = memory;
  if (!lwi_path_alloc(path, (size_t)from->point_count, (size_t)from->run_count, from->link_count,
                      (size_t)from->corridor_count) ||
      !lwi_path_alloc_arcs(path, from->arcs.count)) {
    lwi_path_free_arrays(path);
    memory = path->memory;
    lwi_free(&memory, path, sizeof *path);
    return NULL;
  }
  memcpy(path->arrays.block, from->arrays.block, from->arrays.size);
  memcpy(path->corridor, from->corridor, (size_t)from->corridor_count * sizeof *from->corridor);
  memcpy(path->ground.prices, from->ground.prices, (size_t)from->corridor_count * sizeof(float));
  if (from->arcs.count > 0)
    memcpy(path->arcs.items, from->arcs.items, (size_t)from->arcs.count * sizeof(lw_path_arc));
  return path;
}

/* A polygon that was cut since the path was found gets the id 0. @return false: there is no such polygon. */
static bool find_polygon(const lw_world *world, const lw_saved *saved, int navmesh, lw_poly_id *polygon) {
  if (navmesh >= world->scene.nav_count) return false;
  const bool is_stale = *polygon == LWI_NO_PLACE;
  const uint64_t place = lwi_saved_place(world, saved, navmesh, *polygon);
  *polygon = is_stale ? 0 : lwi_poly_at_place(world->scene.meshes[navmesh], place);
  return is_stale || *polygon != 0;
}

/* @return false: there is no area of that name. */
static bool find_area(const lw_world *world, const lw_saved *saved, lw_area_id *area) {
  if (*area == LW_AREA_NONE) return true;
  *area = lwi_saved_area(saved, world->scene.meshes[0]->areas, *area);
  return *area != LW_AREA_NONE;
}

static bool translate(const lw_world *world, const lw_saved *saved, lw_path *path) {
  int navmesh = path->navmesh;
  bool good = navmesh < world->scene.nav_count;
  for (int i = 0; i < path->point_count; i++) good &= find_area(world, saved, &path->areas[i]);
  for (int i = 0; i < path->run_count; i++) good &= find_area(world, saved, &path->runs[i].area);
  for (int i = 0; i < path->link_count; i++) {
    if (path->links[i].navmesh >= 0) navmesh = path->links[i].navmesh;
    good &= find_polygon(world, saved, navmesh, &path->links[i].to);
    const uint32_t code = path->links[i].id.slot;
    path->links[i].id = lwi_world_link_of_code(world, code);
    good &= code == 0 || !lw_link_id_is_none(path->links[i].id); /* the link is gone */
  }
  for (int i = 0; i < path->corridor_count; i++)
    good &= find_polygon(world, saved, lw_path_corridor_navmesh(path, i), &path->corridor[i]);
  path->table = world->scene.meshes[0]->areas;
  return good;
}

lw_path *lwi_saved_open_path(const lw_world *world, const lw_saved *saved, const lw_path *from) {
  lw_path *path = copy(world, from);
  if (!path || translate(world, saved, path)) return path;
  lw_path_destroy(path);
  return NULL;
}
