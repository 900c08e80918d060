#include "search/price_links.h"

#include "core/vec3.h"

#include <math.h>

void lwi_price_links_add(lwi_price_links *links, const lwi_price_table *table, const lwi_link *link) {
  if (links->count == LWI_PRICE_LINKS_MAX) return;
  links->items[links->count++] = (lwi_price_link){.start = lwi_price_row_at(table, link->from, link->start),
                                                  .end = lwi_price_row_at(table, link->to, link->end),
                                                  .cost = link->length * table->prices.lowest};
}

/* Dijkstra (1959) from the goal backwards over the links, each of which may follow any other. */
static void find_left(lwi_price_goal *goal) {
  const lwi_price_links *links = goal->links;
  bool is_final[LWI_PRICE_LINKS_MAX] = {false};
  for (int n = 0; n < links->count; n++) {
    int next = -1;
    for (int i = 0; i < links->count; i++)
      if (!is_final[i] && (next < 0 || goal->left[i] < goal->left[next])) next = i;
    is_final[next] = true;
    for (int i = 0; i < links->count; i++) {
      if (is_final[i]) continue;
      const lwi_price_link *link = &links->items[i];
      const float between = lwi_price_bound_between(goal->table, link->end.from, &links->items[next].start);
      goal->left[i] = fminf(goal->left[i], link->cost + fmaxf(0, between) + goal->left[next]);
    }
  }
}

void lwi_price_goal_begin(lwi_price_goal *goal, const lwi_price_table *table, const lwi_price_links *links,
                          uint32_t polygon, lw_vec3 at) {
  *goal = (lwi_price_goal){.table = table,
                           .links = links && links->count > 0 ? links : NULL,
                           .goal = lwi_price_row_at(table, polygon, at)};
  if (!goal->links) return;
  for (int i = 0; i < links->count; i++) {
    const float behind = lwi_price_bound_between(table, links->items[i].end.from, &goal->goal);
    goal->left[i] = links->items[i].cost + fmaxf(0, behind);
  }
  find_left(goal);
}

float lwi_price_bound_over_links(const lwi_price_goal *goal, const int16_t *here, float bound) {
  const lwi_price_links *links = goal->links;
  for (int i = 0; i < links->count; i++) {
    if (goal->left[i] >= bound) continue;
    const float before = lwi_price_bound_between(goal->table, here, &links->items[i].start);
    bound = fminf(bound, fmaxf(0, before) + goal->left[i]);
  }
  return bound;
}
