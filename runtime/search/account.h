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

/// Charge the piece's metres for the ground of their area: what depends on it alone.
void lwi_account_ground(lwi_account *account, const lwi_prices *prices, const lw_area_table *areas,
                        lw_area_id area);

/// An off-mesh link, or one between navmeshes: its own area, or the average of both ends'.
typedef struct lwi_accounted_link {
  lw_link_kind kind;
  float length;
  lw_area_id area; ///< LW_AREA_NONE: the average.
  lw_area_id from, to;
} lwi_accounted_link;
lwi_account lwi_account_link(const lwi_prices *prices, const lw_area_table *areas,
                             const lwi_accounted_link *link);

/// Add what another piece was charged. The type stays.
void lwi_account_add(lwi_account *to, const lwi_account *more);

#endif
