#include "visibility_check.h"

#include "core/vec3.h"
#include "sight/exposure.h"
#include "sight/visibility_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define LINES 24
#define WAYS 3
#define EXACT 1e-5f /* per metre of segment [m] */
#define SEAM 1e-3f  /* gap that exact exposure may leave between facets that meet [m] */
#define SEAM_LINES 32
#define HIDDEN_MAX 64

typedef struct checker {
  const lw_navmesh *mesh;
  lw_random random;
  uint64_t seed;
  lwi_memory memory;
  lwi_exposure_scratch scratch;
  pair_counts counts;
} checker;

static float between(checker *c, float low, float high) {
  return low + (high - low) * lwi_random_unit(&c->random);
}

/* Anywhere in xz, its corners included. */
static lw_vec3 place_in(checker *c, uint32_t p) {
  lwi_polygon polygon = lwi_polygon_get(c->mesh, p);
  lw_vec3 sum = {0, 0, 0};
  float weights = 0;
  if (between(c, 0, 1) < 0.2f) /* the worst places are at the border */
    sum = lwi_corner(&polygon, (uint32_t)lwi_random_bits(&c->random) % polygon.count);
  else {
    for (uint32_t i = 0; i < polygon.count; i++) {
      float weight = -logf(between(c, 1e-6f, 1));
      sum = lwi_add(sum, lwi_scale(lwi_corner(&polygon, i), weight));
      weights += weight;
    }
    sum = lwi_scale(sum, 1 / weights);
  }
  sum.y = lwi_polygon_height(c->mesh, p, sum.x, sum.z);
  return sum;
}

/* Anywhere in the prism. */
static lw_vec3 eye_in(checker *c, uint32_t p) {
  const lwi_prism *prism = &lwi_visibility_of(c->mesh)->prisms[p];
  lwi_polygon polygon = lwi_polygon_get(c->mesh, p);
  lw_vec3 first = lwi_corner(&polygon, 0), at = place_in(c, p);
  float part = between(c, -0.1f, 1.1f);
  part = part < 0 ? 0 : part > 1 ? 1 : part;
  at.y = prism->slope_x * (at.x - first.x) + prism->slope_z * (at.z - first.z) + prism->low +
         (prism->high - prism->low) * part;
  return at;
}

static void say(const checker *c, uint32_t p, uint32_t q, lw_vec3 eye, lw_vec3 at) {
  print_message("seed %llu: polygons %u and %u, from %.9g %.9g %.9g to %.9g %.9g %.9g\n",
                (unsigned long long)c->seed, p, q, (double)eye.x, (double)eye.y, (double)eye.z, (double)at.x,
                (double)at.y, (double)at.z);
}

static void check_lines(checker *c, uint32_t p, uint32_t q, lwi_pair_visibility pair) {
  for (int i = 0; i < LINES; i++) {
    lw_vec3 eye = eye_in(c, p), body = eye_in(c, q);
    bool seen = lwi_occluders_see(lwi_occluders_of(c->mesh), eye, body, pair == LWI_VISIBILITY_VISIBLE);
    if (seen != (pair == LWI_VISIBILITY_VISIBLE)) {
      say(c, p, q, eye, body);
      fail_msg("a pair is surely %s, but not here", pair == LWI_VISIBILITY_VISIBLE ? "visible" : "hidden");
    }
    c->counts.lines++;
  }
}

static lw_exposure ask(checker *c, const lwi_sight *sight, const lw_exposure_query *query) {
  lw_exposure exposure;
  assert_int_equal(lwi_exposure_find(sight, query, &c->memory, &c->scratch, &exposure), LW_OK);
  return exposure;
}

/* Does the eye see anything by lines between the parts that are hidden? There rounding may leave seams of what
   is not. */
static bool sees_any(const checker *c, const lw_exposure_query *query, const lw_interval *hidden, int count) {
  for (int i = 0; i <= count; i++) {
    float low = i > 0 ? hidden[i - 1].t1 : 0, high = i < count ? hidden[i].t0 : 1;
    for (int k = 0; k <= SEAM_LINES && low < high; k++)
      for (int h = 0; h < query->height_count; h++) {
        lw_vec3 at = lwi_lerp(query->from, query->to, low + (high - low) * (float)k / SEAM_LINES);
        at.y += query->heights[h];
        if (lwi_occluders_see(lwi_occluders_of(c->mesh), query->threats[0].at, at, !query->shots)) return true;
      }
  }
  return false;
}

/* Exposure of a segment over q to an eye over p, with the table and without. */
static void check_segment(checker *c, uint32_t p, uint32_t q) {
  const lwi_occluders *sets[] = {lwi_occluders_of(c->mesh)};
  const lwi_sight plain = {.sets = sets, .count = 1};
  lwi_sight paired = plain;
  lw_interval hidden[HIDDEN_MAX];
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  threat.at = place_in(c, p);
  threat.at.y += between(c, 0.5f, 1.7f);
  threat.facing = (lw_vec3){between(c, -1, 1), 0, between(c, -1, 1.01f)};
  threat.half_angle = between(c, 0, 1) < 0.5f ? 0.8f : 4;
  threat.range = between(c, 0, 1) < 0.5f ? between(c, 5, 60) : INFINITY;
  threat.weight = between(c, 0, 3);
  query.from = place_in(c, q);
  query.to = place_in(c, q);
  query.threats = &threat;
  query.threat_count = 1;
  query.accuracy = LW_ACCURACY_EXACT;
  query.hidden = hidden;
  query.hidden_capacity = HIDDEN_MAX;
  query.shots = between(c, 0, 1) < 0.5f;
  const uint32_t over = lwi_visibility_table_over(c->mesh, threat.at);
  paired.over = &over;
  paired.ground = c->mesh;
  paired.polygon = q;
  lw_exposure sure = ask(c, &paired, &query), exact = ask(c, &plain, &query);
  const float slack = EXACT * fmaxf(1, exact.length); /* short segments are rounded as much as longer ones */
  c->counts.segments++;
  if (fabsf(exact.exposed - sure.exposed) <= slack && fabsf(exact.weighted - sure.weighted) <= 3 * slack)
    return;
  c->counts.seams++;
  if (sure.exposed == 0 && exact.exposed <= SEAM && !sees_any(c, &query, hidden, exact.hidden_count)) return;
  say(c, p, q, query.from, query.to);
  fail_msg("seen %.7f m, weighed %.7f, but exactly %.7f and %.7f", (double)sure.exposed, (double)sure.weighted,
           (double)exact.exposed, (double)exact.weighted);
}

pair_counts pair_check(const lw_navmesh *mesh, int pairs, uint64_t seed) {
  checker c = {.mesh = mesh, .random = lwi_random_make(seed, 5), .seed = seed, .memory = lwi_memory_make(NULL)};
  for (int i = 0; i < pairs; i++) {
    uint32_t p = (uint32_t)(lwi_random_bits(&c.random) % mesh->polygons.count),
             q = (uint32_t)(lwi_random_bits(&c.random) % mesh->polygons.count);
    lwi_pair_visibility pair = lwi_visibility_table_get(mesh, p, q);
    if (pair == LWI_VISIBILITY_MIXED) continue;
    c.counts.hidden += pair == LWI_VISIBILITY_HIDDEN;
    c.counts.visible += pair == LWI_VISIBILITY_VISIBLE;
    check_lines(&c, p, q, pair);
    for (int k = 0; k < WAYS; k++) check_segment(&c, p, q);
  }
  assert_true(c.scratch.sure > 0 || c.counts.segments == 0);
  lwi_exposure_scratch_free(&c.scratch);
  return c.counts;
}
