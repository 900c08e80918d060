#include "cost/prices.h"

#include "core/hash.h"
#include "mesh/link_fits.h"

#include <math.h>
#include <string.h>

const char *lw_cost_term_name(lw_cost_term term) {
  static const char *const names[] = {
#define X(name, text) text,
      LW_COST_TERM_LIST(X)
#undef X
  };
  return (unsigned)term < LW_COST_TERM_COUNT ? names[term] : "?";
}

lwi_terms lwi_terms_on_area(const lw_profile_def *def, const lw_area_def *area, lw_area_id id) {
  return (lwi_terms){{
      [LW_TERM_LENGTH] = 1,
      [LW_TERM_RESISTANCE] = def->resistance_factor[area->type] * area->resistance,
      [LW_TERM_WATER] = def->swim_resistance_factor * area->deep_water,
      [LW_TERM_UNSAFE] = def->safety_bias * area->unsafe,
      [LW_TERM_AREA] = def->area_factor[id],
  }};
}

/* The terms of the cost model that depend on the ground (DESIGN, the cost model). Exposure to threats, dangers
   and fire lanes are costed in search/cost_model.c. */

void lwi_prices_plain(lwi_prices *prices) {
  *prices = (lwi_prices){.filter = lw_filter_all(), .lowest = 1, .visibility = 1, .wade_depth = INFINITY};
  for (int id = 0; id <= LW_AREA_MAX; id++)
    prices->per_metre[id] = prices->in_water[id] = prices->waypoint[id] = prices->between[id] = 1;
}

/* --- by area ---------------------------------------------------------------------------------------------- */

static bool may_enter(const lw_profile_def *def, const lw_area_def *area, lw_area_id id) {
  bool is_door = strcmp(area->name, "door") == 0; /* the area that ships under this name is that of doors */
  return !def->avoid[id] && def->can_traverse[area->type] && (def->can_open_doors || !is_door);
}

static bool may_take(const lw_profile_def *def, lw_link_kind kind, lw_area_id waypoint) {
  if (!def->can_take[kind] || def->body.vehicle.wheelbase > 0) return false;
  if (kind == LW_LINK_WAYPOINT)
    return def->can_traverse[LW_WAYPOINT] && !(waypoint != LW_AREA_NONE && def->avoid[waypoint]);
  if (kind == LW_LINK_DOOR) return def->can_open_doors;
  return def->can_traverse[LW_TRIANGULAR];
}

/* The price of a metre without its resistance, which depends on the type of the link. */
static float price_without_resistance(const lwi_terms *terms) {
  lwi_terms others = *terms;
  others.of[LW_TERM_RESISTANCE] = 0;
  return lwi_terms_sum(&others);
}

static void compile_area(lwi_prices *prices, lwi_terms *terms, const lw_profile_def *def,
                         const lw_area_def *area, lw_area_id id, const lw_area_def *waypoint) {
  *terms = lwi_terms_on_area(def, area, id);
  const float others = price_without_resistance(terms), factor = def->resistance_factor[LW_WAYPOINT];
  float between = others + factor * area->resistance;
  if (waypoint) between = others + factor * waypoint->resistance + def->area_factor[prices->waypoint_area];
  prices->in_water[id] = lwi_terms_sum(terms) - terms->of[LW_TERM_WATER];
  prices->exposure[id] = def->exposure_factor * area->exposure;
  prices->deep_water[id] = area->deep_water;
  prices->more_between[id] = between - lwi_terms_sum(terms);
  prices->filter.areas[id >> 6] |= 1ULL << (id & 63);
  prices->by_polygon |= prices->exposure[id] > 0;
  if (def->can_swim || area->deep_water <= 0) {
    prices->per_metre[id] = lwi_terms_sum(terms);
    prices->waypoint[id] = others + factor * area->resistance;
    prices->between[id] = between;
  } else {
    prices->filter.deep_areas[id >> 6] |= 1ULL << (id & 63);
  }
  prices->lowest = fminf(prices->lowest, fminf(prices->per_metre[id], prices->in_water[id]));
  if (prices->filter.links >> LW_LINK_WAYPOINT & 1)
    prices->lowest =
        fminf(prices->lowest, fminf(prices->waypoint[id], prices->in_water[id] + prices->more_between[id]));
}

/* --- stances ---------------------------------------------------------------------------------------------- */

static void set_height(lwi_prices *prices, float height) {
  prices->height = height;
  for (prices->headroom = 0; prices->headroom < LWI_HEADROOM_OPEN; prices->headroom++)
    if (lwi_has_headroom(prices->headroom, height, 0)) break;
}

/* Stances by their speed, the fastest first, and the lowest as the limit of what it may enter. */
static void compile_stances(lwi_prices *prices, const lw_profile_def *def) {
  set_height(prices, def->height);
  prices->filter.height = def->height;
  for (int i = 0; i < def->stance_count && def->body.can_crouch; i++) {
    const float height = lwi_stance_height(def, i), speed = def->stances[i].speed;
    if (!(height < def->height)) continue;
    const lwi_low_stance low = {i, height, fmaxf(0, def->stances[LW_STAND].speed / speed - 1)};
    int at = prices->low_count++;
    for (; at > 0 && prices->low[at - 1].more > low.more; at--) prices->low[at] = prices->low[at - 1];
    prices->low[at] = low;
    prices->filter.height = fminf(prices->filter.height, height);
  }
}

float lwi_stance_height(const lw_profile_def *def, int stance) {
  const float top = def->stances[stance].body[1], less = def->stances[LW_STAND].body[1] - top;
  return fminf(def->height, fmaxf(def->height - less, top));
}

const lwi_low_stance *lwi_prices_stance(const lwi_prices *prices, uint8_t headroom, float kept) {
  if (lwi_has_headroom(headroom, prices->height, kept)) return NULL;
  for (int i = 0; i < prices->low_count; i++)
    if (lwi_has_headroom(headroom, prices->low[i].height, kept)) return &prices->low[i];
  return NULL;
}

float lwi_price_of_low(const lwi_prices *prices, uint8_t headroom, float kept) {
  if (!lwi_has_headroom(headroom, prices->filter.height, kept)) return INFINITY;
  const lwi_low_stance *low = lwi_prices_stance(prices, headroom, kept);
  return low ? low->more : 0;
}

/* A hash of all that prices depend on but for visibility. */
static uint64_t content_of(const lwi_prices *prices) {
  uint64_t hash = lwi_hash(LWI_HASH_SEED, prices->per_metre, sizeof prices->per_metre);
  hash = lwi_hash(hash, prices->exposure, sizeof prices->exposure);
  hash = lwi_hash(hash, prices->deep_water, sizeof prices->deep_water);
  hash = lwi_hash(hash, prices->waypoint, sizeof prices->waypoint);
  hash = lwi_hash(hash, prices->between, sizeof prices->between);
  hash = lwi_hash(hash, prices->in_water, sizeof prices->in_water);
  hash = lwi_hash(hash, prices->more_between, sizeof prices->more_between);
  hash = lwi_hash(hash, &prices->swim, sizeof prices->swim);
  hash = lwi_hash(hash, &prices->wade_depth, sizeof prices->wade_depth);
  hash = lwi_hash(hash, &prices->filter.wade_depth, sizeof prices->filter.wade_depth);
  hash = lwi_hash(hash, &prices->filter.climb, sizeof prices->filter.climb);
  hash = lwi_hash(hash, &prices->filter.links, sizeof prices->filter.links);
  hash = lwi_hash(hash, &prices->filter.height, sizeof prices->filter.height);
  hash = lwi_hash(hash, prices->filter.areas, sizeof prices->filter.areas);
  hash = lwi_hash(hash, prices->filter.deep_areas, sizeof prices->filter.deep_areas);
  hash = lwi_hash(hash, &prices->height, sizeof prices->height);
  for (int i = 0; i < prices->low_count; i++) {
    hash = lwi_hash(hash, &prices->low[i].height, sizeof prices->low[i].height);
    hash = lwi_hash(hash, &prices->low[i].more, sizeof prices->low[i].more);
  }
  return hash != 0 ? hash : 1;
}

void lwi_prices_compile(lwi_prices *prices, lwi_terms *terms, const lw_profile_def *def,
                        const lw_area_table *areas) {
  *prices = (lwi_prices){.filter.radius = def->radius, .lowest = INFINITY, .terms = terms, .visibility = 1};
  prices->filter.climb = def->climb;
  prices->wade_depth = def->wade_depth;
  prices->filter.wade_depth = def->can_swim ? INFINITY : def->wade_depth;
  prices->waypoint_area = lw_area_table_find(areas, "waypoint");
  const lw_area_def *waypoint = lw_area_table_get(areas, prices->waypoint_area);
  prices->swim = def->swim_resistance_factor;
  prices->by_polygon = prices->swim > 0;
  compile_stances(prices, def);
  for (int kind = 0; kind < LW_LINK_KIND_COUNT; kind++)
    if (may_take(def, (lw_link_kind)kind, prices->waypoint_area)) prices->filter.links |= 1U << kind;
  for (int id = 0; id <= LW_AREA_MAX; id++) {
    const lw_area_def *area = lw_area_table_get(areas, (lw_area_id)id);
    prices->per_metre[id] = prices->in_water[id] = prices->waypoint[id] = prices->between[id] = INFINITY;
    if (area && may_enter(def, area, (lw_area_id)id))
      compile_area(prices, &terms[id], def, area, (lw_area_id)id, waypoint);
  }
  if (prices->lowest == INFINITY) prices->lowest = 1;
  prices->content = content_of(prices);
  if (!def->is_brief) prices->identity = prices->content;
}

void lwi_prices_limit(lwi_prices *prices, const lw_filter *limits) {
  lw_filter *filter = &prices->filter;
  for (int id = 0; id <= LW_AREA_MAX; id++) {
    if (!lw_filter_passes(limits, (lw_area_id)id))
      prices->per_metre[id] = prices->waypoint[id] = prices->between[id] = INFINITY;
    if (!(limits->areas[id >> 6] >> (id & 63) & 1)) prices->in_water[id] = INFINITY;
  }
  for (size_t i = 0; i < sizeof filter->areas / sizeof *filter->areas; i++) {
    filter->areas[i] &= limits->areas[i];
    filter->deep_areas[i] |= limits->deep_areas[i];
  }
  filter->wade_depth = fminf(filter->wade_depth, limits->wade_depth);
  filter->climb = fminf(filter->climb, limits->climb);
  if (limits->height > filter->height) filter->height = limits->height;
  if (limits->height > prices->height) set_height(prices, limits->height);
  filter->links &= limits->links;
  filter->radius = fmaxf(filter->radius, limits->radius);
  prices->content = content_of(prices);
  if (prices->identity != 0) prices->identity = prices->content;
}

/* --- of links --------------------------------------------------------------------------------------------- */

/* The price of a link with an area of its own. */
static float own_price(const lwi_prices *prices, const lwi_edge *edge) {
  float price = edge->kind == LW_LINK_WAYPOINT ? prices->waypoint[edge->area] : prices->per_metre[edge->area];
  if (!prices->by_polygon) return price;
  return price + lwi_price_of_open(prices, edge->area, lwi_edge_open(edge)) +
         lwi_price_of_deep(prices, edge->area, lwi_edge_deep(prices, edge));
}

/* What a metre of the edge costs more for its openness than one of the ground at an end. */
static float more_open(const lwi_prices *prices, const lwi_edge *edge, const lw_navmesh *mesh, uint32_t end) {
  const lw_area_id area = mesh->polygons.areas[end];
  return lwi_price_of_open(prices, area, lwi_byte_part(edge->openness)) -
         lwi_price_of_open(prices, area, lwi_byte_part(mesh->polygons.openness[end]));
}

float lwi_edge_price(const lwi_prices *prices, const lwi_edge *edge) {
  float from = lwi_price_of_ground(prices, edge->from_mesh, edge->from);
  float to = lwi_price_of_ground(prices, edge->to_mesh, edge->to);
  if (!(prices->filter.links >> edge->kind & 1) || from == INFINITY || to == INFINITY) return INFINITY;
  if (edge->area != LW_AREA_NONE) return own_price(prices, edge);
  if (edge->has_openness && prices->by_polygon) { /* along it, in place of that of the ends */
    from += more_open(prices, edge, edge->from_mesh, edge->from);
    to += more_open(prices, edge, edge->to_mesh, edge->to);
  }
  if (edge->kind == LW_LINK_WAYPOINT) { /* the resistance of the waypoint replaces that of the ends */
    lw_area_id a = edge->from_mesh->polygons.areas[edge->from], b = edge->to_mesh->polygons.areas[edge->to];
    from += prices->more_between[a];
    to += prices->more_between[b];
  }
  return (from + to) / 2;
}

float lwi_link_price(const lw_navmesh *mesh, const lwi_link *link, const lwi_prices *prices) {
  const lwi_edge edge = lwi_edge_of(mesh, link);
  return lwi_link_fits(mesh, link, &prices->filter) ? lwi_edge_price(prices, &edge) : INFINITY;
}
