/* Which rooms a path leads through. */
#include "core/vec3.h"
#include "query/regions.h"
#include "search/path.h"

/* Places of a path beside ground that was cut, or that is another one since, are looked for so far away. [m] */
static const lw_vec3 BESIDE = {0.5f, 1, 0.5f};

/* A path that leads less far through a room only touches it. [m] */
#define TOUCH 1e-3f

typedef struct visit_list {
  const lwi_scene *scene;
  lw_room_visit *visits;
  int capacity, count;
  lw_room_visit last;   /* the last one, and the room before it */
  lw_world_room before; /* -1: there is none, or it is not known */
} visit_list;

static bool is_same(lw_world_room a, lw_world_room b) {
  return a.navmesh == b.navmesh && a.room == b.room;
}

static void visit(visit_list *list, int navmesh, uint32_t room, lw_vec3 at) {
  const lw_world_room in = {navmesh, (int)room}, none = {-1, -1};
  if (room == LWI_NONE || is_same(list->last.in, in)) return;
  if (list->count > 0 && lwi_distance(list->last.at, at) < TOUCH) { /* the last one was only touched */
    list->count -= 1;
    list->last.in = list->before;
    list->before = none;
    if (is_same(list->last.in, in)) return;
  }
  list->before = list->last.in;
  list->last = (lw_room_visit){in, at};
  if (list->count < list->capacity) list->visits[list->count] = list->last;
  list->count += 1;
}

/* Where ab enters an outline in xz. [0..1] @return 1: it does not come there. */
static float entry_of(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 a, lw_vec3 b) {
  const lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  double from = 0, to = 1;
  for (uint32_t i = 0; i < outline.count; i++) {
    const lw_vec3 c = lwi_corner(&outline, i), d = lwi_corner(&outline, lwi_next_corner(&outline, i));
    const double at_a = lwi_turn(c, d, a), at_b = lwi_turn(c, d, b); /* > 0: inside of that edge */
    if (at_a < 0 && at_b <= 0) return 1;
    if (at_a < 0) from = lwi_larger(from, at_a / (at_a - at_b));
    if (at_b < 0 && at_a > 0) to = lwi_smaller(to, at_a / (at_a - at_b));
  }
  return (float)lwi_smaller(from, to);
}

/* Does a piece end at a corner or an edge of a polygon, without having entered it? */
static bool ends_at(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 end) {
  const lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  return lwi_polygon_holds(&outline, end, 1e-3);
}

/* The ground under a point of the path, where that of its corridor is not there any more. */
static uint32_t room_at(const lwi_nav *nav, lw_vec3 at) {
  lw_location place;
  if (lw_navmesh_nearest(nav->mesh, at, BESIDE, NULL, &place) != LW_OK) return LWI_NONE;
  return lwi_nav_room_of(nav, lwi_poly_index(nav->mesh, place.poly));
}

/* The rooms under a piece, by the polygons of the corridor that it leads over. */
static void visit_piece(visit_list *list, const lw_path *path, int point, const lwi_nav *nav) {
  const lw_vec3 a = path->points[point], b = path->points[point + 1];
  const int navmesh = lwi_scene_index(list->scene, nav);
  const int first = path->ground.polygons[point], last = path->ground.polygons[point + 1];
  float t = 0;
  for (int i = first < 0 ? 0 : first; i <= last; i++) {
    const uint32_t index = lwi_poly_index(nav->mesh, path->corridor[i]);
    if (index == LWI_NONE) {
      visit(list, navmesh, room_at(nav, lwi_lerp(a, b, t)), lwi_lerp(a, b, t));
      continue;
    }
    const float entry = entry_of(nav->mesh, index, a, b);
    if (entry < 1 || ends_at(nav->mesh, index, b)) t = lwi_max(t, entry);
    visit(list, navmesh, lwi_nav_room_of(nav, index), lwi_lerp(a, b, t));
  }
}

static lw_status check_navs(const lw_path *path, const lwi_scene *scene) {
  for (int i = 0; i < path->point_count; i++) {
    const int navmesh = lw_path_navmesh_at(path, i);
    if (navmesh < 0 || navmesh >= scene->nav_count) return LW_INVALID;
    if (!scene->navs[navmesh].regions) return LW_NOT_FOUND;
  }
  return LW_OK;
}

lw_status lw_path_rooms(const lw_path *path, const lw_world *world, lw_room_visit *visits, int capacity,
                        int *count) {
  if (count) *count = 0;
  if (!path || !world || !count || capacity < 0 || (!visits && capacity > 0)) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  const lw_status status = check_navs(path, scene);
  if (status != LW_OK) return status;
  visit_list list = {
      .scene = scene, .visits = visits, .capacity = capacity, .last.in = {-1, -1}, .before = {-1, -1}};
  for (int i = 0; i < path->point_count; i++) {
    const int navmesh = lw_path_navmesh_at(path, i);
    const lwi_nav *nav = &scene->navs[navmesh];
    const bool begins = i == 0 || lwi_path_link_at(path, i - 1);
    const bool goes_on = i + 1 < path->point_count && !lwi_path_link_at(path, i);
    if (begins && (path->ground.polygons[i] < 0 || !goes_on)) /* no piece over ground says more */
      visit(&list, navmesh, room_at(nav, path->points[i]), path->points[i]);
    if (goes_on) visit_piece(&list, path, i, nav);
  }
  *count = list.count;
  return LW_OK;
}
