#include "search/drive.h"

#include "core/vec3.h"
#include "search/curves.h"

#include <math.h>
#include <string.h>

lw_drive *lwi_drive_make(const lw_allocator *allocator) {
  lwi_memory memory = lwi_memory_make(allocator);
  lw_drive *drive = lwi_alloc_zero(&memory, sizeof *drive);
  if (drive) drive->memory = memory;
  return drive;
}

bool lwi_drive_add(lw_drive *drive, const lw_drive_point *point) {
  if (!lwi_reserve(&drive->memory, &drive->points, &drive->capacity, drive->count + 1, sizeof *point))
    return false;
  drive->points[drive->count++] = *point;
  return true;
}

void lwi_drive_sum_up(lw_drive *drive) {
  drive->reversed = 0;
  drive->cusps = 0;
  for (int i = 0; i + 1 < drive->count; i++) {
    const lw_drive_point *point = &drive->points[i];
    if (point->gear < 0) drive->reversed += point[1].along - point->along;
    drive->cusps += i > 0 && point->gear != point[-1].gear;
  }
  if (drive->count > 0) drive->points[drive->count - 1].curvature = 0;
}

float lwi_drive_trailer_at(const lw_drive *drive, int piece, float along) {
  const lw_drive_point *from = &drive->points[piece];
  if (piece + 1 >= drive->count) return from->trailer_heading;
  const float length = from[1].along - from->along, part = length > 0 ? (along - from->along) / length : 1;
  const float turn = remainderf(from[1].trailer_heading - from->trailer_heading, (float)LWI_TURN);
  return remainderf(from->trailer_heading + fminf(1, fmaxf(0, part)) * turn, (float)LWI_TURN);
}

void lwi_drive_cut(lw_drive *drive, float along) {
  int i = 1;
  while (i < drive->count && drive->points[i].along < along) i += 1;
  if (i >= drive->count) return;
  const lw_drive_point *from = &drive->points[i - 1];
  lw_drive_point *end = &drive->points[i];
  const float whole = end->along - from->along, part = whole > 0 ? (along - from->along) / whole : 1;
  const float turn = from->curvature;
  const lwi_curve_pose to =
      lwi_curve_move((lwi_curve_pose){(double)from->at.x, (double)from->at.z, (double)from->heading},
                     turn == 0 ? 1 : 1 / fabs((double)turn),
                     turn > 0   ? 1
                     : turn < 0 ? -1
                                : 0,
                     (double)((float)from->gear * part * whole));
  end->at = lwi_vec3((float)to.x, lwi_lerp(from->at, end->at, part).y, (float)to.z);
  end->heading = (float)remainder(to.heading, LWI_TURN);
  end->trailer_heading = lwi_drive_trailer_at(drive, i - 1, along);
  end->along = along;
  drive->count = i + 1;
  lwi_drive_sum_up(drive);
}

bool lwi_drive_append_from(lw_drive *drive, const lw_drive *next, int piece, float along) {
  const float length = lw_drive_length(drive);
  lw_drive_point *last = &drive->points[drive->count - 1];
  last->curvature = next->points[piece].curvature;
  last->gear = next->points[piece].gear;
  for (int i = piece + 1; i < next->count; i++) {
    lw_drive_point point = next->points[i];
    point.along = length + fmaxf(0, point.along - along);
    if (!lwi_drive_add(drive, &point)) return false;
  }
  lwi_drive_sum_up(drive);
  return true;
}

bool lwi_drive_append(lw_drive *drive, const lw_drive *next) {
  if (!lwi_drive_append_from(drive, next, 0, 0)) return false;
  drive->cost += next->cost;
  drive->nodes = next->nodes;
  return true;
}

lw_drive *lwi_drive_copy(const lw_drive *drive, const lw_allocator *allocator) {
  lw_drive *copy = lwi_drive_make(allocator);
  if (!copy) return NULL;
  const lwi_memory memory = copy->memory;
  *copy = *drive;
  copy->memory = memory;
  copy->points = NULL;
  copy->capacity = 0;
  if (lwi_reserve(&copy->memory, &copy->points, &copy->capacity, drive->count, sizeof *copy->points)) {
    memcpy(copy->points, drive->points, (size_t)drive->count * sizeof *copy->points);
    return copy;
  }
  lw_drive_destroy(copy);
  return NULL;
}

void lw_drive_destroy(lw_drive *drive) {
  if (!drive) return;
  lwi_memory memory = drive->memory;
  lwi_free(&memory, drive->points, (size_t)drive->capacity * sizeof *drive->points);
  lwi_free(&memory, drive, sizeof *drive);
}

const lw_drive_point *lw_drive_points(const lw_drive *drive, int *count) {
  if (count) *count = drive ? drive->count : 0;
  return drive ? drive->points : NULL;
}

float lw_drive_length(const lw_drive *drive) {
  return drive && drive->count > 0 ? drive->points[drive->count - 1].along : 0;
}
float lw_drive_reversed(const lw_drive *drive) {
  return drive ? drive->reversed : 0;
}
int lw_drive_cusps(const lw_drive *drive) {
  return drive ? drive->cusps : 0;
}
float lw_drive_cost(const lw_drive *drive) {
  return drive ? drive->cost : 0;
}
int lw_drive_nodes(const lw_drive *drive) {
  return drive ? drive->nodes : 0;
}
int lw_drive_navmesh(const lw_drive *drive) {
  return drive ? drive->navmesh : -1;
}
