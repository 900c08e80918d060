/* What agents in a world's file are in the middle of: an off-mesh link, or a drive. */
#include "agent/driving.h"
#include "save/saved.h"

/* --- links -------------------------------------------------------------------------------------------------- */

/* Flags of a link that an agent is on. */
enum { HELD = 1, FINISHED = 2 };

void lwi_saved_put_traverse(lwi_bytes *to, const lw_world *world, const lwi_agent *agent) {
  const lwi_traverse *link = &agent->link;
  lwi_put_u32(to, link->active);
  if (!link->active) return;
  lwi_put_u32(to, (uint32_t)link->kind);
  lwi_put_vec3(to, link->from);
  lwi_put_vec3(to, link->to.point);
  const lw_navmesh *mesh = world->scene.meshes[lwi_agent_footing_navmesh(agent)];
  lwi_put_u64(to, lwi_poly_place(mesh, link->to.poly));
  lwi_put_u32(to, (uint32_t)(link->navmesh + 1));
  lwi_put_float(to, link->straight);
  lwi_put_float(to, link->done);
  lwi_put_float(to, link->counted);
  lwi_put_u32(to, lwi_world_link_code(world, link->id));
  lwi_put_u32(to, (link->is_held ? HELD : 0U) | (link->is_finished ? FINISHED : 0U));
}

bool lwi_saved_read_traverse(lwi_reader *from, lwi_agent *as) {
  lwi_traverse *link = &as->link;
  uint32_t active = lwi_get_u32(from);
  if (active == 0) return true;
  uint32_t kind = lwi_get_u32(from);
  link->from = lwi_get_vec3(from);
  link->to.point = lwi_get_vec3(from);
  link->to.poly = lwi_get_u64(from);
  uint32_t navmesh = lwi_get_u32(from);
  link->straight = lwi_get_float(from);
  link->done = lwi_get_float(from);
  link->counted = lwi_get_float(from);
  link->id = lwi_saved_get_link(from);
  const uint32_t flags = lwi_get_u32(from);
  if (active > 1 || flags > (HELD | FINISHED) || kind >= LW_LINK_NONE || !lwi_saved_is_place(link->from) ||
      !lwi_saved_is_place(link->to.point) || navmesh > LW_NAVMESHES_MAX ||
      !lwi_saved_is_amount(link->straight) || !lwi_saved_is_amount(link->done) ||
      !(link->done <= link->straight) || !lwi_saved_is_amount(link->counted))
    return false;
  link->is_held = flags & HELD;
  link->is_finished = flags & FINISHED;
  link->active = true;
  link->kind = (lw_link_kind)kind;
  link->navmesh = (int)navmesh - 1;
  return true;
}

/* --- drives ------------------------------------------------------------------------------------------------- */

/* lwi_driving.checked in a file: versions are those of a world. */
enum { NOT_YET, CHECKED, OUTDATED };

static unsigned checked_of(const lwi_driving *driving, const lw_navmesh *mesh) {
  if (driving->checked == 0) return NOT_YET;
  return driving->checked == mesh->live.version + 1 ? CHECKED : OUTDATED;
}

static void put_yielding(lwi_bytes *to, const lwi_yielding *yielding) {
  lwi_put_u32(to, (uint32_t)yielding->kind);
  lwi_put_u32(to, (uint32_t)yielding->tried);
  lwi_put_u64(to, yielding->to);
  lwi_put_u64(to, yielding->refused);
  lwi_put_float(to, yielding->hold);
  lwi_put_float(to, yielding->far);
  lwi_put_vec3(to, yielding->place);
  lwi_put_float(to, yielding->heading);
  lwi_put_vec3(to, yielding->passing);
  lwi_put_double(to, yielding->until);
}

/* @return false: a number is out of range. */
static bool read_yielding(lwi_reader *from, lwi_yielding *yielding) {
  const uint32_t kind = lwi_get_u32(from), tried = lwi_get_u32(from);
  yielding->to = lwi_get_u64(from);
  yielding->refused = lwi_get_u64(from);
  yielding->hold = lwi_get_float(from);
  yielding->far = lwi_get_float(from);
  yielding->place = lwi_get_vec3(from);
  yielding->heading = lwi_get_float(from);
  yielding->passing = lwi_get_vec3(from);
  yielding->until = lwi_get_double(from);
  if (kind >= LWI_YIELD_COUNT || tried > LWI_YIELD_TRIES || !lwi_saved_is_amount(yielding->hold) ||
      !lwi_saved_is_amount(yielding->far) || !lwi_saved_is_place(yielding->place) ||
      !lwi_saved_is_angle(yielding->heading) || !lwi_saved_is_place(yielding->passing) ||
      !isfinite(yielding->until))
    return false;
  yielding->kind = (lwi_yield_kind)kind;
  yielding->tried = (int)tried;
  return true;
}

void lwi_saved_put_driving(lwi_bytes *to, const lwi_driving *driving, const lw_navmesh *mesh) {
  const lw_drive *drive = driving->drive;
  lwi_put_u32(to, checked_of(driving, mesh));
  lwi_put_float(to, driving->speed);
  lwi_put_float(to, driving->curvature);
  lwi_put_float(to, driving->trailer_angle);
  lwi_put_float(to, driving->along);
  lwi_put_u32(to, (uint32_t)driving->piece);
  lwi_put_u32(to, driving->is_blocked);
  lwi_put_vec3(to, driving->blocked_at);
  lwi_put_u32(to, driving->number);
  lwi_put_u64(to, driving->blocked_by);
  put_yielding(to, &driving->yielding);
  lwi_put_u32(to, drive ? (uint32_t)drive->count : 0);
  if (!drive) return;
  lwi_put_u32(to, (uint32_t)drive->navmesh);
  lwi_put_float(to, drive->cost);
  for (int i = 0; i < drive->count; i++) {
    const lw_drive_point *point = &drive->points[i];
    lwi_put_vec3(to, point->at);
    lwi_put_float(to, point->heading);
    lwi_put_float(to, point->trailer_heading);
    lwi_put_float(to, point->curvature);
    lwi_put_float(to, point->along);
    lwi_put_u32(to, point->gear < 0);
  }
}

/* No vehicle turns in circles of a millimetre. [1/m] */
static bool is_curvature(float number) {
  return fabsf(number) <= 1e3f;
}

/* @return false: a number is out of range. */
static bool read_point(lwi_reader *from, lw_drive_point *point, float along) {
  point->at = lwi_get_vec3(from);
  point->heading = lwi_get_float(from);
  point->trailer_heading = lwi_get_float(from);
  point->curvature = lwi_get_float(from);
  point->along = lwi_get_float(from);
  const uint32_t is_back = lwi_get_u32(from);
  point->gear = is_back ? -1 : 1;
  return lwi_saved_is_place(point->at) && lwi_saved_is_angle(point->heading) &&
         lwi_saved_is_angle(point->trailer_heading) && is_curvature(point->curvature) &&
         lwi_saved_is_amount(point->along) && point->along >= along && is_back <= 1;
}

static const char *read_points(lwi_reader *from, lw_drive *drive, uint32_t count) {
  float along = 0;
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    lw_drive_point point;
    if (!read_point(from, &point, along)) return "a number of a drive is out of range";
    along = point.along;
    if (!lwi_drive_add(drive, &point)) return "";
  }
  lwi_drive_sum_up(drive);
  return NULL;
}

const char *lwi_saved_read_driving(lw_saved *saved, lwi_reader *from, lwi_driving *driving) {
  driving->checked = lwi_get_u32(from);
  driving->speed = lwi_get_float(from);
  driving->curvature = lwi_get_float(from);
  driving->trailer_angle = lwi_get_float(from);
  driving->along = lwi_get_float(from);
  const uint32_t piece = lwi_get_u32(from), is_blocked = lwi_get_u32(from);
  driving->is_blocked = is_blocked;
  driving->blocked_at = lwi_get_vec3(from);
  driving->number = lwi_get_u32(from);
  driving->blocked_by = lwi_get_u64(from);
  const bool good = read_yielding(from, &driving->yielding);
  const uint32_t count = lwi_get_u32(from);
  if (from->failed) return NULL;
  if (!good || driving->checked > OUTDATED || is_blocked > 1 || !lwi_saved_is_place(driving->blocked_at) ||
      !(fabsf(driving->speed) <= LW_PROFILE_SPEED_MAX) || !is_curvature(driving->curvature) ||
      !lwi_saved_is_trailer_angle(driving->trailer_angle) || !lwi_saved_is_amount(driving->along) ||
      count > INT32_MAX || (piece > 0 && (piece >= count || piece == count - 1)))
    return "a number of a drive is out of range";
  driving->piece = (int)piece;
  if (count == 0) return NULL;
  const uint32_t navmesh = lwi_get_u32(from);
  const float cost = lwi_get_float(from);
  if (navmesh >= LW_NAVMESHES_MAX || !lwi_saved_is_amount(cost)) return "a number of a drive is out of range";
  driving->drive = lwi_drive_make(&saved->memory.allocator);
  if (!driving->drive) return "";
  driving->drive->navmesh = (int)navmesh;
  driving->drive->cost = cost;
  return read_points(from, driving->drive, count);
}

bool lwi_saved_restore_driving(lw_world *world, lwi_agent *agent, const lwi_agent *as) {
  lwi_driving *driving = &agent->route.driving;
  const lw_drive *drive = as->route.driving.drive;
  lwi_driving_begin(driving, NULL);
  driving->number = as->route.driving.number;
  if (!lwi_is_vehicle(agent->profile)) return true;
  *driving = as->route.driving;
  if (driving->checked == CHECKED) driving->checked = world->scene.meshes[agent->navmesh]->live.version + 1;
  if (as->route.driving.checked == OUTDATED) driving->checked = UINT64_MAX;
  driving->drive = NULL;
  if (drive && agent->route.path) {
    driving->drive = lwi_drive_copy(drive, &world->memory.allocator);
    if (!driving->drive) return false;
  }
  const bool is_lost = agent->route.path && !driving->drive && agent->route.staleness != LWI_WAITING;
  if (!is_lost) return true;
  lw_path_destroy(agent->route.path); /* it is searched again */
  agent->route.path = NULL;
  return true;
}
