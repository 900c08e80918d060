/// What an off-mesh link costs: its price, and what sees and lies on the line that feet follow over it, as on
/// the ground. A link that counts for another length than its line has (lw_link.length) pays in proportion.
#ifndef LW_SEARCH_LINK_COST_H
#define LW_SEARCH_LINK_COST_H

#include "links/link_line.h"
#include "search/cost_model.h"

/// A link whose extra costs are asked for.
typedef struct lwi_link_crossing {
  lw_link_kind kind;
  lw_vec3 start, end;
  float length;  ///< That it counts for. [m]
  float visible; ///< The part of a body that the ground there leaves in sight. [0..1]
} lwi_link_crossing;

/// The part of a body that is in sight on a link: by its own area, or the average of its ends.
float lwi_edge_visible(const lwi_edge *edge);

/// Does the line enter the danger? It does not if it begins there, as on the ground.
bool lwi_link_enters(const lwi_timed_shape *disc, const lwi_link_line *line);

/// What it costs beside its price: `ground` and `length` are 0.
/// @param[in, out] exposed_to  [threats of the watch] What each threat sees is added. [m] NULL: not wanted.
/// @return false: no memory.
bool lwi_cost_on_link(const lwi_cost_model *cost_model, const lwi_link_crossing *link, float *exposed_to,
                      lwi_piece_cost *cost);
/// All that a link within a navmesh costs; `ground` is its price with what was set on it (lw_link_set_cost()).
/// @param exposed_to  As for lwi_cost_on_link(). @return false: no memory.
bool lwi_cost_of_link_terms(const lwi_cost_model *cost_model, const lwi_link *link, float *exposed_to,
                            lwi_piece_cost *cost);
/// Their sum. @return Negative: no memory. [metre-equivalents]
float lwi_cost_of_link(const lwi_cost_model *cost_model, const lwi_link *link);
/// Their sum without the extras, which only add. [metre-equivalents]
static inline float lwi_cost_of_link_bound(const lwi_cost_model *cost_model, const lwi_link *link) {
  return link->length * lwi_link_price(cost_model->mesh, link, cost_model->prices) +
         (cost_model->prices->by_length ? 0 : lwi_link_cost(cost_model->mesh, link));
}

#endif
