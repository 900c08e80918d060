#include "search/body_area.h"

#include <math.h>

lwi_body_area lwi_body_area_about(lw_vec3 axle, float heading, float front, float back, float width) {
  const float c = cosf(heading), s = -sinf(heading), middle = (front - back) / 2;
  return (lwi_body_area){.at = {axle.x + c * middle, axle.y, axle.z + s * middle},
                         .c = c,
                         .s = s,
                         .length = (front + back) / 2,
                         .width = width / 2};
}

lwi_body_area lwi_body_area_disc(lw_vec3 at, float radius) {
  return (lwi_body_area){.at = at, .c = 1, .radius = radius};
}

static bool is_disc(const lwi_body_area *body) {
  return body->length == 0 && body->width == 0;
}

static float gap_to_place(const lwi_body_area *body, lw_vec3 at) {
  const float dx = at.x - body->at.x, dz = at.z - body->at.z;
  const float along = fabsf(dx * body->c + dz * body->s) - body->length,
              across = fabsf(dz * body->c - dx * body->s) - body->width;
  const float gap = along > 0 && across > 0 ? sqrtf(along * along + across * across) : fmaxf(along, across);
  return gap - body->radius;
}

/* The distance across the one of the sides of the first that keeps them farthest apart. */
static float gap_across_sides(const lwi_body_area *body, const lwi_body_area *other) {
  const float dx = other->at.x - body->at.x, dz = other->at.z - body->at.z;
  const float c = fabsf(body->c * other->c + body->s * other->s),
              s = fabsf(body->c * other->s - body->s * other->c);
  const float along = fabsf(dx * body->c + dz * body->s), across = fabsf(dz * body->c - dx * body->s);
  return fmaxf(along - body->length - other->length * c - other->width * s,
               across - body->width - other->length * s - other->width * c);
}

float lwi_body_area_gap(const lwi_body_area *a, const lwi_body_area *b) {
  if (is_disc(b)) return gap_to_place(a, b->at) - b->radius;
  if (is_disc(a)) return gap_to_place(b, a->at) - a->radius;
  return fmaxf(gap_across_sides(a, b), gap_across_sides(b, a));
}
