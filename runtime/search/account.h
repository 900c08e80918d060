/// What a path is charged: noted while it is built, so that it can be told when world and profile are gone.
#ifndef LW_SEARCH_ACCOUNT_H
#define LW_SEARCH_ACCOUNT_H

#include "search/charge.h"

/// Of the pieces from one kept point of a path to the next.
typedef struct lwi_account {
  float length;    ///< [m]
  lwi_terms terms; ///< [metre-equivalents]
  float water;     ///< To be swum. [m]
  float exposed;   ///< Seen by any threat. [m]
  lw_link_type type;
} lwi_account;

/// Add a straight piece's bill, but for what its ground costs.
void lwi_account_piece(lwi_account *account, const lwi_bill *bill);

/// Charge so many metres for how open and how deep their polygon lies.
void lwi_account_place(lwi_account *account, const lwi_prices *prices, const lw_navmesh *mesh, uint32_t polygon,
                       float length);

/// Charge the piece's metres for the ground of their area: what depends on it alone.
void lwi_account_ground(lwi_account *account, const lwi_prices *prices, const lw_area_table *areas,
                        lw_area_id area);

/// An off-mesh link, or one between navmeshes (lwi_edge_price()).
lwi_account lwi_account_link(const lwi_prices *prices, const lwi_edge *edge, float length);

/// Add what another piece was charged. The type stays.
void lwi_account_add(lwi_account *to, const lwi_account *more);

#endif
