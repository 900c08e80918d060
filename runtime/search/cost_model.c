#include "search/cost_model.h"

/* --- exposure to threats ---------------------------------------------------------------------------------- */

/* An estimate takes samples no further apart. [m] */
#define SAMPLE_SPACING 0.7f

/* The part of a body that the ground leaves in sight. */
static float unconcealed(const lwi_watch *watch, lw_area_id area) {
  const lw_area_def *def = lw_area_table_get(watch->mesh->areas, area);
  return def ? 1 - def->concealment : 1;
}

/* Estimates do not say which threat sees how much. */
static float estimate_piece(const lwi_watch *watch, uint32_t polygon, lw_vec3 from, lw_vec3 to,
                            lwi_seen *seen) {
  const float weighted = lwi_watch_seen(watch, polygon, from, to);
  if (seen) seen->exposed = weighted;
  for (int i = 0; seen && seen->exposed_to && i < watch->query.threat_count; i++) seen->exposed_to[i] = 0;
  return watch->factor * weighted;
}

float lwi_watch_cost(const lwi_watch *watch, bool approximate, uint32_t polygon, lw_vec3 from, lw_vec3 to,
                     lwi_seen *seen) {
  lwi_sight sight = watch->sight;
  lw_exposure_query query = watch->query;
  lw_exposure exposure;
  if (approximate) return estimate_piece(watch, polygon, from, to, seen);
  sight.polygon = lwi_origin_of(watch->mesh, polygon);
  query.from = from;
  query.to = to;
  query.exposed_to = seen ? seen->exposed_to : NULL;
  if (lwi_exposure_find(&sight, &query, watch->memory, watch->scratch, &exposure) != LW_OK) return -1;
  if (seen) seen->exposed = exposure.exposed;
  return watch->factor * exposure.weighted * unconcealed(watch, watch->mesh->polygons.areas[polygon]);
}

float lwi_watch_seen_at(const lwi_watch *watch, uint32_t polygon, lw_vec3 at) {
  return unconcealed(watch, watch->mesh->polygons.areas[polygon]) *
         lwi_visibility_samples_at(watch->visibility, lwi_origin_of(watch->mesh, polygon), at);
}

float lwi_watch_cost_at(const lwi_watch *watch, uint32_t polygon, lw_vec3 at) {
  return watch->factor * lwi_watch_seen_at(watch, polygon, at);
}

float lwi_watch_seen(const lwi_watch *watch, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  const uint32_t whole = lwi_origin_of(watch->mesh, polygon);
  float length = lwi_distance(from, to), sum = 0;
  int samples = 1 + (int)(length / SAMPLE_SPACING);
  for (int i = 0; i < samples; i++)
    sum += lwi_visibility_samples_at(watch->visibility, whole,
                                     lwi_lerp(from, to, ((float)i + 0.5f) / (float)samples));
  return unconcealed(watch, watch->mesh->polygons.areas[polygon]) * sum / (float)samples * length;
}

float lwi_watch_estimate(const lwi_watch *watch, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  return watch->factor * lwi_watch_seen(watch, polygon, from, to);
}

/* --- a piece ---------------------------------------------------------------------------------------------- */

bool lwi_cost_of_piece(const lwi_cost_model *cost_model, uint32_t polygon, lw_vec3 from, lw_vec3 to,
                       lwi_piece_cost *piece_cost) {
  *piece_cost = lwi_cost_of_ground(cost_model, polygon, from, to);
  if (cost_model->lanes) piece_cost->lanes = lwi_lanes_price(cost_model->lanes, polygon, from, to);
  if (cost_model->dangers) piece_cost->danger = lwi_dangers_entered(cost_model->dangers, polygon, from, to);
  if (!cost_model->watch) return true;
  lwi_seen seen = {.exposed_to = cost_model->exposed_to};
  piece_cost->seen = lwi_watch_cost(cost_model->watch, cost_model->approximate, polygon, from, to, &seen);
  piece_cost->exposed = seen.exposed;
  return piece_cost->seen >= 0;
}

float lwi_cost_over_ground(const lwi_cost_model *cost_model, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  lw_vec3 creases[LWI_GROUND_CREASES];
  int count = cost_model->watch ? lwi_ground_creases(cost_model->mesh, polygon, from, to, creases) : 0;
  float sum = 0;
  for (int i = 0; i <= count; i++) {
    lw_vec3 next = i < count ? creases[i] : to;
    float cost = lwi_cost_of_piece_sum(cost_model, polygon, from, next);
    if (cost < 0) return cost;
    sum += cost;
    from = next;
  }
  return sum;
}

/* --- creases of the ground -------------------------------------------------------------------------------- */

/* The ground under a straight piece is sampled so far apart... [m] */
#define HEIGHT_SPACING 2.0f
/* ...and the piece may pass this far above or below it, which hides or shows little of a body. [m] */
#define HEIGHT_TOLERANCE 0.2f
#define HEIGHTS_MAX LWI_GROUND_CREASES

typedef struct ground_profile {
  int steps;
  lw_vec3 ground[HEIGHTS_MAX + 1]; /* [steps + 1] */
  bool is_crease[HEIGHTS_MAX + 1];
} ground_profile;

/* Where the straight line between two samples misses the ground most there is a crease, and both halves are
   looked at again (Ramer 1972, Douglas and Peucker 1973). */
static void find_creases(ground_profile *profile, int first, int last) {
  const lw_vec3 a = profile->ground[first], b = profile->ground[last];
  int worst = -1;
  float largest = HEIGHT_TOLERANCE;
  for (int i = first + 1; i < last; i++) {
    float t = (float)(i - first) / (float)(last - first);
    float off = fabsf(a.y + (b.y - a.y) * t - profile->ground[i].y);
    if (off <= largest) continue;
    largest = off;
    worst = i;
  }
  if (worst < 0) return;
  profile->is_crease[worst] = true;
  find_creases(profile, first, worst);
  find_creases(profile, worst, last);
}

int lwi_ground_creases(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 from, lw_vec3 to, lw_vec3 *creases) {
  ground_profile profile;
  int count = 0;
  profile.steps = (int)fminf(HEIGHTS_MAX, ceilf(lwi_distance(from, to) / HEIGHT_SPACING));
  for (int i = 0; i <= profile.steps; i++) {
    lw_vec3 at = lwi_lerp(from, to, (float)i / (float)profile.steps);
    if (i > 0 && i < profile.steps) at.y = lwi_polygon_height(mesh, polygon, at.x, at.z);
    profile.ground[i] = at;
    profile.is_crease[i] = false;
  }
  if (profile.steps > 1) find_creases(&profile, 0, profile.steps);
  for (int i = 1; i < profile.steps; i++)
    if (profile.is_crease[i]) creases[count++] = profile.ground[i];
  return count;
}

/* --- runs ------------------------------------------------------------------------------------------------- */

static const lwi_terms *terms_on(const lwi_prices *prices, lw_area_id area) {
  static const lwi_terms plain = {{[LW_TERM_LENGTH] = 1}};
  return prices->terms ? &prices->terms[area] : &plain;
}

static float water_on(const lw_area_table *areas, lw_area_id area) {
  const lw_area_def *def = lw_area_table_get(areas, area);
  return def ? def->deep_water : 0;
}

lwi_run lwi_run_ground(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  const lw_area_id area = mesh->polygons.areas[polygon];
  lwi_run run = {.link = LW_LINK_NONE, .area = area, .terms = *terms_on(prices, area)};
  run.stance = lwi_prices_stance_on(prices, mesh, polygon);
  run.terms.of[LW_TERM_CROUCH] = lwi_price_of_headroom(prices, mesh, polygon);
  return run;
}

/* The part of a metre that is swum on a polygon more than its area says, which may be less. */
static float more_deep(const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  const lwi_depth depth = lwi_depth_of(mesh, polygon);
  if (depth.max == 0) return 0;
  return lwi_deep_part(depth, prices->wade_depth) - water_on(mesh->areas, mesh->polygons.areas[polygon]);
}

/* The part of a metre of a link that counts as ground of one kind. */
typedef struct ground_share {
  lw_area_id area;
  float openness;  /* [0..1] */
  float more_deep; /* than the area says [-1..1] */
  float part;      /* of the metre [0..1] */
} ground_share;

static void add_ground(lwi_run *run, const lwi_prices *prices, const lw_area_table *areas, ground_share of) {
  lwi_terms_add(&run->terms, terms_on(prices, of.area), of.part);
  run->terms.of[LW_TERM_OPENNESS] += of.part * lwi_price_of_open(prices, of.area, of.openness);
  run->terms.of[LW_TERM_WATER] += of.part * prices->swim * of.more_deep;
  run->water += of.part * (of.more_deep + water_on(areas, of.area));
}

/* A waypoint edge has another resistance than the ground of that area: the rest of its price.
   @param is_own  The area is the edge's own, not that of the ground at an end. */
static void add_waypoint(lwi_run *run, const lwi_prices *prices, lw_area_id area, bool is_own, float part) {
  if (!prices->terms) return;
  const float whole = is_own ? prices->waypoint[area] - prices->per_metre[area] : prices->more_between[area];
  float *terms = run->terms.of, more = part * whole;
  if (!is_own && prices->waypoint_area != LW_AREA_NONE) {
    float factor = part * prices->terms[prices->waypoint_area].of[LW_TERM_AREA];
    terms[LW_TERM_AREA] += factor;
    more -= factor;
  }
  terms[LW_TERM_RESISTANCE] += more;
}

/* Half of a link without an area counts as the ground at one of its ends. */
static void add_end(lwi_run *run, const lwi_prices *prices, const lwi_edge *edge, bool is_start) {
  const lw_navmesh *mesh = is_start ? edge->from_mesh : edge->to_mesh;
  const uint32_t polygon = is_start ? edge->from : edge->to;
  const uint8_t openness = edge->has_openness ? edge->openness : mesh->polygons.openness[polygon];
  lw_area_id area = mesh->polygons.areas[polygon];
  const ground_share half = {area, lwi_byte_part(openness), more_deep(prices, mesh, polygon), 0.5f};
  add_ground(run, prices, mesh->areas, half);
  run->terms.of[LW_TERM_CROUCH] += half.part * lwi_price_of_headroom(prices, mesh, polygon);
  if (run->link == LW_LINK_WAYPOINT) add_waypoint(run, prices, area, false, 0.5f);
}

lwi_run lwi_run_link(const lwi_prices *prices, const lwi_edge *edge) {
  lw_area_id own = edge->area;
  lwi_run run = {.link = edge->kind, .area = own};
  if (own == LW_AREA_NONE) {
    run.area = edge->from_mesh->polygons.areas[edge->from];
    add_end(&run, prices, edge, true);
    add_end(&run, prices, edge, false);
    return run;
  }
  const float more = lwi_edge_deep(prices, edge) - water_on(edge->from_mesh->areas, own);
  add_ground(&run, prices, edge->from_mesh->areas, (ground_share){own, lwi_edge_open(edge), fmaxf(0, more), 1});
  if (edge->kind == LW_LINK_WAYPOINT) add_waypoint(&run, prices, own, true, 1);
  return run;
}

lw_link_type lwi_run_type(const lwi_run *run, const lw_area_table *areas) {
  const lw_area_def *def = lw_area_table_get(areas, run->area);
  if (run->link == LW_LINK_WAYPOINT) return LW_WAYPOINT;
  return def ? def->type : LW_TRIANGULAR;
}

/* --- the record ------------------------------------------------------------------------------------------- */

void lwi_cost_record_place(lwi_cost_record *record, const lwi_prices *prices, const lw_navmesh *mesh,
                           uint32_t polygon, float length) {
  lw_area_id area = mesh->polygons.areas[polygon];
  const float deep = more_deep(prices, mesh, polygon);
  record->open += length * lwi_price_of_open(prices, area, lwi_byte_part(mesh->polygons.openness[polygon]));
  record->deep += length * prices->swim * deep;
  record->water += length * deep;
  record->obstacles += length * lwi_price_of_obstacles(prices, mesh, polygon);
}

lwi_cost_breakdown lwi_cost_breakdown_of(const lwi_run *run, const lwi_cost_record *record,
                                         const lw_area_table *areas) {
  lwi_cost_breakdown breakdown = {.length = record->length, .exposed = record->exposed};
  float water = run->link == LW_LINK_NONE ? water_on(areas, run->area) : run->water;
  breakdown.water = record->length * water + record->water;
  breakdown.low = run->stance == LW_STAND ? 0 : record->length;
  lwi_terms_add(&breakdown.terms, &run->terms, record->length);
  breakdown.terms.of[LW_TERM_OPENNESS] += record->open;
  breakdown.terms.of[LW_TERM_WATER] += record->deep;
  breakdown.terms.of[LW_TERM_THREATS] = record->seen;
  breakdown.terms.of[LW_TERM_DANGER] = record->danger;
  breakdown.terms.of[LW_TERM_FIRE_LANES] = record->lanes;
  breakdown.terms.of[LW_TERM_OBSTACLES] = record->obstacles;
  breakdown.terms.of[LW_TERM_LINKS] = record->link;
  return breakdown;
}
