#include "search/account.h"

/* So many metres on an area. */
static void charge_area(lwi_account *account, const lwi_prices *prices, const lw_area_table *areas,
                        lw_area_id area, float length) {
  static const lwi_terms plain = {{[LW_TERM_LENGTH] = 1}};
  const lw_area_def *def = lw_area_table_get(areas, area);
  lwi_terms_add(&account->terms, prices->terms ? &prices->terms[area] : &plain, length);
  if (def) account->water += length * def->deep_water;
}

void lwi_account_piece(lwi_account *account, const lwi_bill *bill) {
  account->length += bill->length;
  account->exposed += bill->exposed;
  account->terms.of[LW_TERM_THREATS] += bill->seen;
  account->terms.of[LW_TERM_DANGER] += bill->danger;
  account->terms.of[LW_TERM_FIRE_LANES] += bill->lanes;
}

void lwi_account_ground(lwi_account *account, const lwi_prices *prices, const lw_area_table *areas,
                        lw_area_id area) {
  const lw_area_def *def = lw_area_table_get(areas, area);
  account->type = def ? def->type : LW_TRIANGULAR;
  charge_area(account, prices, areas, area, account->length);
}

lwi_account lwi_account_link(const lwi_prices *prices, const lw_area_table *areas,
                             const lwi_accounted_link *link) {
  lwi_account account = {.length = link->length};
  const lw_area_def *def = lw_area_table_get(areas, link->area != LW_AREA_NONE ? link->area : link->from);
  account.type = link->kind == LW_LINK_WAYPOINT ? LW_WAYPOINT : def ? def->type : LW_TRIANGULAR;
  if (link->area != LW_AREA_NONE) {
    charge_area(&account, prices, areas, link->area, link->length);
  } else {
    charge_area(&account, prices, areas, link->from, link->length / 2);
    charge_area(&account, prices, areas, link->to, link->length / 2);
  }
  return account;
}

void lwi_account_add(lwi_account *to, const lwi_account *more) {
  to->length += more->length;
  lwi_terms_add(&to->terms, &more->terms, 1);
  to->water += more->water;
  to->exposed += more->exposed;
}
