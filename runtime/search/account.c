#include "search/account.h"

/* So many metres on an area. */
static void charge_area(lwi_account *account, const lwi_prices *prices, const lw_area_table *areas,
                        lw_area_id area, float length) {
  static const lwi_terms plain = {{[LW_TERM_LENGTH] = 1}};
  const lw_area_def *def = lw_area_table_get(areas, area);
  lwi_terms_add(&account->terms, prices->terms ? &prices->terms[area] : &plain, length);
  if (def) account->water += length * def->deep_water;
}

/* What comes on top where they lie open, and where they are deep. */
static void charge_place(lwi_account *account, const lwi_prices *prices, const lw_area_table *areas,
                         lw_area_id area, float open, float deep, float length) {
  const lw_area_def *def = lw_area_table_get(areas, area);
  account->terms.of[LW_TERM_EXPOSURE] += length * lwi_price_of_open(prices, area, open);
  account->terms.of[LW_TERM_WATER] += length * lwi_price_of_deep(prices, area, deep);
  if (def && deep > def->deep_water) account->water += length * (deep - def->deep_water);
}

void lwi_account_piece(lwi_account *account, const lwi_bill *bill) {
  account->length += bill->length;
  account->exposed += bill->exposed;
  account->terms.of[LW_TERM_THREATS] += bill->seen;
  account->terms.of[LW_TERM_DANGER] += bill->danger;
  account->terms.of[LW_TERM_FIRE_LANES] += bill->lanes;
}

void lwi_account_place(lwi_account *account, const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon,
                       float length) {
  charge_place(account, prices, mesh->areas, mesh->poly_areas[polygon], lwi_byte_part(mesh->exposures[polygon]),
               lwi_byte_part(mesh->deep_waters[polygon]), length);
}

void lwi_account_ground(lwi_account *account, const lwi_prices *prices, const lw_area_table *areas,
                        lw_area_id area) {
  const lw_area_def *def = lw_area_table_get(areas, area);
  account->type = def ? def->type : LW_TRIANGULAR;
  charge_area(account, prices, areas, area, account->length);
}

/* On a waypoint edge the resistance is another than on the ground of that area: what is left of its price.
   @param per_metre  The prices' `waypoint` or `between`. */
static void charge_waypoint(lwi_account *account, const lwi_prices *prices, lw_area_id area,
                            const float *per_metre, float length) {
  float *terms = account->terms.of, more = length * (per_metre[area] - prices->per_metre[area]);
  if (!prices->terms) return;
  if (per_metre == prices->between && prices->waypoint_area != LW_AREA_NONE) {
    float factor = length * prices->terms[prices->waypoint_area].of[LW_TERM_AREA];
    terms[LW_TERM_AREA] += factor;
    more -= factor;
  }
  terms[LW_TERM_RESISTANCE] += more;
}

static void charge_end(lwi_account *account, const lwi_prices *prices, const lwi_edge *edge,
                       const lw_navmesh *mesh, uint32_t polygon, float length) {
  lw_area_id area = mesh->poly_areas[polygon];
  charge_area(account, prices, mesh->areas, area, length);
  lwi_account_place(account, prices, mesh, polygon, length);
  if (edge->kind == LW_LINK_WAYPOINT) charge_waypoint(account, prices, area, prices->between, length);
}

lwi_account lwi_account_link(const lwi_prices *prices, const lwi_edge *edge, float length) {
  const lw_area_table *areas = edge->from_mesh->areas;
  lwi_account account = {.length = length};
  lw_area_id own = edge->area, shown = own != LW_AREA_NONE ? own : edge->from_mesh->poly_areas[edge->from];
  const lw_area_def *def = lw_area_table_get(areas, shown);
  account.type = edge->kind == LW_LINK_WAYPOINT ? LW_WAYPOINT : def ? def->type : LW_TRIANGULAR;
  if (own == LW_AREA_NONE) {
    charge_end(&account, prices, edge, edge->from_mesh, edge->from, length / 2);
    charge_end(&account, prices, edge, edge->to_mesh, edge->to, length / 2);
    return account;
  }
  charge_area(&account, prices, areas, own, length);
  charge_place(&account, prices, areas, own, lwi_edge_open(edge), lwi_edge_deep(edge), length);
  if (edge->kind == LW_LINK_WAYPOINT) charge_waypoint(&account, prices, own, prices->waypoint, length);
  return account;
}

void lwi_account_add(lwi_account *to, const lwi_account *more) {
  to->length += more->length;
  lwi_terms_add(&to->terms, &more->terms, 1);
  to->water += more->water;
  to->exposed += more->exposed;
}
