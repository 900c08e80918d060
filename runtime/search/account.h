/// What a path is charged: noted while it is built, so that it can be told when world and profile are gone.
#ifndef LW_SEARCH_ACCOUNT_H
#define LW_SEARCH_ACCOUNT_H

#include "search/charge.h"

/// What is noted of a piece, from one kept point of a path to the next.
typedef struct lwi_tally {
  float length;  ///< [m]
  float exposed; ///< Seen by any threat. [m]
  float seen;    ///< For being seen. [metre-equivalents]
  float danger;  ///< For the dangers that it enters. [metre-equivalents]
  float lanes;   ///< For the fire lanes that it runs in. [metre-equivalents]
  float open;    ///< For lying open, and... [metre-equivalents]
  float deep;    ///< ...for being deeper than the area says. [metre-equivalents]
  float water;   ///< So many of its metres are. [m]
} lwi_tally;
static inline void lwi_tally_add(lwi_tally *to, const lwi_tally *more) {
  to->length += more->length;
  to->exposed += more->exposed;
  to->seen += more->seen;
  to->danger += more->danger;
  to->lanes += more->lanes;
  to->open += more->open;
  to->deep += more->deep;
  to->water += more->water;
}
/// Add so many metres of a polygon: how open and how deep it lies.
void lwi_tally_place(lwi_tally *tally, const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon,
                     float length);

/// And of a run of pieces on one area, or one link: what each of its metres costs.
typedef struct lwi_run {
  int first;         ///< Its first piece; it ends where the next run begins.
  lw_link_kind link; ///< LW_LINK_NONE: over the surface.
  lw_area_id area;
  float water;     ///< Of a link, to be swum. [m/m]
  lwi_terms terms; ///< Of a metre.
} lwi_run;
lwi_run lwi_run_ground(const lwi_prices *prices, lw_area_id area);
/// An off-mesh link, or one between navmeshes: its terms add up to lwi_edge_price().
lwi_run lwi_run_link(const lwi_prices *prices, const lwi_edge *edge);

/// Both together: what a piece was charged.
typedef struct lwi_account {
  float length, water, exposed; ///< [m]
  lwi_terms terms;              ///< [metre-equivalents]
} lwi_account;
lwi_account lwi_account_of(const lwi_run *run, const lwi_tally *tally, const lw_area_table *areas);
lw_link_type lwi_run_type(const lwi_run *run, const lw_area_table *areas);

#endif
