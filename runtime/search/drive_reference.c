/* The poses along a path that the search for a drive follows where it can, and the drive made of what it found. */
#include "core/vec3.h"
#include "search/drive_search.h"

#include <math.h>

#define SPACING 1.0f /* of poses on the reference [m] */
/* Of places on floors above or below. [m] */
#define SNAP 0.5f

void lwi_drive_scratch_free(lwi_drive_scratch *scratch) {
  if (!scratch->memory) return;
  lwi_drive_search_drop(scratch);
  lwi_free(scratch->memory, scratch->reference,
           (size_t)scratch->reference_capacity * sizeof *scratch->reference);
  lwi_free(scratch->memory, scratch->nodes, (size_t)scratch->node_capacity * sizeof *scratch->nodes);
  lwi_free(scratch->memory, scratch->chain, (size_t)scratch->chain_capacity * sizeof *scratch->chain);
  lwi_hash_index_free(&scratch->states, scratch->memory);
  lwi_heap_free(&scratch->open, scratch->memory);
  lwi_drive_flood_free(&scratch->flood);
}

/* Go over the surface from one place of the path to the next, or find that place there. */
static lw_location go(const lwi_drive_body *body, lw_location from, lw_vec3 to) {
  lw_raycast ray;
  lw_location at;
  const lw_filter *filter = &body->prices->filter;
  if (lw_navmesh_raycast(body->mesh, from, to, filter, &ray) == LW_OK && !ray.hit) return ray.at;
  const lw_vec3 snap = {SNAP, 2 * SNAP, SNAP};
  return lw_navmesh_nearest(body->mesh, to, snap, filter, &at) == LW_OK ? at : ray.at;
}

static bool add(lwi_drive_scratch *scratch, lw_location at, double heading, float along) {
  if (!lwi_reserve(scratch->memory, &scratch->reference, &scratch->reference_capacity,
                   scratch->reference_count + 1, sizeof *scratch->reference))
    return false;
  scratch->reference[scratch->reference_count++] =
      (lwi_drive_reference){{.at = at, .heading = heading}, along, 0};
  return true;
}

static bool lay_piece(lwi_drive_scratch *scratch, const lwi_drive_body *body, lw_vec3 from, lw_vec3 to) {
  const float length = lwi_distance_xz(from, to);
  const int count = (int)ceilf(length / SPACING);
  const double heading = atan2(-((double)to.z - (double)from.z), (double)to.x - (double)from.x);
  for (int i = 0; i < count; i++) {
    const lwi_drive_reference last = scratch->reference[scratch->reference_count - 1];
    const lw_location at = go(body, last.pose.at, lwi_lerp(from, to, (float)(i + 1) / (float)count));
    scratch->reference[scratch->reference_count - 1].pose.heading = heading;
    if (!add(scratch, at, heading, last.along + length / (float)count)) return false;
  }
  return true;
}

static float price_at(const lwi_drive_body *body, lw_location at) {
  const uint32_t polygon = lwi_poly_index(body->mesh, at.poly);
  const float price = polygon == LWI_NONE ? 1 : lwi_price_on(body->prices, body->mesh, polygon);
  return price < INFINITY ? price : 1;
}

bool lwi_drive_lay_reference(lwi_drive_scratch *scratch, const lwi_drive_body *body, lw_location from,
                             const lw_vec3 *points, int count) {
  scratch->reference_count = 0;
  if (!add(scratch, from, 0, 0)) return false;
  for (int i = 0; i + 1 < count; i++)
    if (!lay_piece(scratch, body, points[i], points[i + 1])) return false;
  for (int i = scratch->reference_count - 2; i >= 0; i--) {
    lwi_drive_reference *at = &scratch->reference[i];
    at->rest = at[1].rest + (at[1].along - at->along) * price_at(body, at[1].pose.at);
  }
  return true;
}
