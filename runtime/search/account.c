#include "search/account.h"

/* --- what a metre costs ------------------------------------------------------------------------------------------- */

static const lwi_terms *terms_on(const lwi_prices *prices, lw_area_id area) {
  static const lwi_terms plain = {{[LW_TERM_LENGTH] = 1}};
  return prices->terms ? &prices->terms[area] : &plain;
}

static float water_on(const lw_area_table *areas, lw_area_id area) {
  const lw_area_def *def = lw_area_table_get(areas, area);
  return def ? def->deep_water : 0;
}

lwi_run lwi_run_ground(const lwi_prices *prices, lw_area_id area) {
  return (lwi_run){.link = LW_LINK_NONE, .area = area, .terms = *terms_on(prices, area)};
}

/* Add such a share of a metre on an area that lies so open and is so deep. */
static void add_area(lwi_run *run, const lwi_prices *prices, const lw_area_table *areas, lw_area_id area,
                     float open, float deep, float share) {
  lwi_terms_add(&run->terms, terms_on(prices, area), share);
  run->terms.of[LW_TERM_EXPOSURE] += share * lwi_price_of_open(prices, area, open);
  run->terms.of[LW_TERM_WATER] += share * lwi_price_of_deep(prices, area, deep);
  run->water += share * fmaxf(deep, water_on(areas, area));
}

/* On a waypoint edge the resistance is another than on the ground of that area: what is left of its price.
   @param per_metre  The prices' `waypoint` or `between`. */
static void add_waypoint(lwi_run *run, const lwi_prices *prices, lw_area_id area, const float *per_metre,
                         float share) {
  float *terms = run->terms.of, more = share * (per_metre[area] - prices->per_metre[area]);
  if (!prices->terms) return;
  if (per_metre == prices->between && prices->waypoint_area != LW_AREA_NONE) {
    float factor = share * prices->terms[prices->waypoint_area].of[LW_TERM_AREA];
    terms[LW_TERM_AREA] += factor;
    more -= factor;
  }
  terms[LW_TERM_RESISTANCE] += more;
}

/* Half of it counts as one of its ends. */
static void add_end(lwi_run *run, const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon) {
  lw_area_id area = mesh->poly_areas[polygon];
  add_area(run, prices, mesh->areas, area, lwi_byte_part(mesh->exposures[polygon]),
           lwi_byte_part(mesh->deep_waters[polygon]), 0.5f);
  if (run->link == LW_LINK_WAYPOINT) add_waypoint(run, prices, area, prices->between, 0.5f);
}

lwi_run lwi_run_link(const lwi_prices *prices, const lwi_edge *edge) {
  lw_area_id own = edge->area;
  lwi_run run = {.link = edge->kind, .area = own};
  if (own == LW_AREA_NONE) {
    run.area = edge->from_mesh->poly_areas[edge->from];
    add_end(&run, prices, edge->from_mesh, edge->from);
    add_end(&run, prices, edge->to_mesh, edge->to);
    return run;
  }
  add_area(&run, prices, edge->from_mesh->areas, own, lwi_edge_open(edge), lwi_edge_deep(edge), 1);
  if (edge->kind == LW_LINK_WAYPOINT) add_waypoint(&run, prices, own, prices->waypoint, 1);
  return run;
}

/* --- what a piece was charged ------------------------------------------------------------------------------------- */

void lwi_tally_place(lwi_tally *tally, const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon,
                     float length) {
  lw_area_id area = mesh->poly_areas[polygon];
  float deep = lwi_byte_part(mesh->deep_waters[polygon]);
  tally->open += length * lwi_price_of_open(prices, area, lwi_byte_part(mesh->exposures[polygon]));
  tally->deep += length * lwi_price_of_deep(prices, area, deep);
  tally->water += length * fmaxf(0, deep - water_on(mesh->areas, area));
}

lwi_account lwi_account_of(const lwi_run *run, const lwi_tally *tally, const lw_area_table *areas) {
  lwi_account account = {.length = tally->length, .exposed = tally->exposed};
  float water = run->link == LW_LINK_NONE ? water_on(areas, run->area) : run->water;
  account.water = tally->length * water + tally->water;
  lwi_terms_add(&account.terms, &run->terms, tally->length);
  account.terms.of[LW_TERM_EXPOSURE] += tally->open;
  account.terms.of[LW_TERM_WATER] += tally->deep;
  account.terms.of[LW_TERM_THREATS] = tally->seen;
  account.terms.of[LW_TERM_DANGER] = tally->danger;
  account.terms.of[LW_TERM_FIRE_LANES] = tally->lanes;
  return account;
}

lw_link_type lwi_run_type(const lwi_run *run, const lw_area_table *areas) {
  const lw_area_def *def = lw_area_table_get(areas, run->area);
  if (run->link == LW_LINK_WAYPOINT) return LW_WAYPOINT;
  return def ? def->type : LW_TRIANGULAR;
}
