#include "search/mend.h"

#include "search/taut_path.h"

#include <string.h>

/* Nodes that the search round what was cut away may expand. */
#define NODES_MAX 192
/* That search leaves the old path this far before what was cut away, and comes back to it as far behind. [m] */
#define MARGIN 6.0f
/* A path through fewer polygons is searched again in the same time. */
#define LONG_CORRIDOR 48

/* The regions of the old corridor from the agent on, and the steps between them. */
typedef struct old_corridor {
  const lwi_search_query *query;
  const lwi_mend *mend;
  lwi_corridor *steps; /* [i] leads out of region `first + i` of the path's corridor; node LWI_NONE: no more */
  int first;           /* -1: the agent stands beside it */
  int gone, back;      /* the first region that is gone, and the first one behind the last that is */
} old_corridor;

static uint32_t region_of(const old_corridor *old, int i) {
  const uint32_t index = lwi_poly_index(old->query->graph->mesh, old->mend->path->corridor[i]);
  if (index == LWI_NONE || lwi_price_in(old->query->cost_model.prices, old->query->graph, index) == INFINITY)
    return LWI_NONE;
  return index;
}

/* Find where the agent is in the corridor, and which part of it is gone. @return false: there is none such. */
static bool find_gone(old_corridor *old) {
  const lw_path *path = old->mend->path;
  old->first = old->gone = old->back = -1;
  for (int i = path->corridor_count - 1; i >= 0; i--) {
    if (region_of(old, i) == LWI_NONE) {
      old->gone = i;
      if (old->back < 0) old->back = i + 1;
    } else if (path->corridor[i] == old->mend->at) {
      old->first = i;
      break;
    }
  }
  return old->gone >= 0;
}

static uint32_t portal_between(const lwi_search_query *query, uint32_t from, uint32_t to) {
  const lwi_graph *graph = query->graph;
  const float climb = query->cost_model.prices->filter.climb;
  for (uint32_t k = graph->first_portal[from]; k < graph->end_portal[from]; k++)
    if (graph->portals[k].to == to && lwi_climbs_over(graph, climb, &graph->portals[k])) return k;
  return LWI_NONE;
}

/* Where the old path crosses a portal, or near by. @param[in, out] at  The piece that does so; begin with the first. */
static lw_vec3 crossing_of(const lw_path *path, const lwi_portal_ends *ends, int *at) {
  while (*at + 2 < path->point_count && lwi_turn(ends->right, ends->left, path->points[*at + 1]) > 0) *at += 1;
  const lw_vec3 a = path->points[*at], b = path->points[*at + 1 < path->point_count ? *at + 1 : *at];
  const double near = lwi_turn(ends->right, ends->left, a), far = lwi_turn(ends->right, ends->left, b);
  const lw_vec3 on = near > 0 && far < 0 ? lwi_lerp(a, b, (float)(near / (near - far))) : b;
  return lwi_nearest_on(ends->right, ends->left, on);
}

/* @return false: no memory. */
static bool find_steps(old_corridor *old, lwi_memory *memory) {
  const lwi_graph *graph = old->query->graph;
  const lw_path *path = old->mend->path;
  const int first = old->first < 0 ? old->gone : old->first, count = path->corridor_count - 1 - first;
  int piece = old->mend->next_point - 1;
  if (!lwi_reserve(memory, &old->steps->steps, &old->steps->capacity, count + 1, sizeof *old->steps->steps))
    return false;
  old->steps->count = count;
  for (int i = 0; i < count; i++) {
    const uint32_t from = region_of(old, first + i), to = region_of(old, first + i + 1);
    const uint32_t k = from == LWI_NONE || to == LWI_NONE ? LWI_NONE : portal_between(old->query, from, to);
    lwi_step *step = &old->steps->steps[i];
    *step = (lwi_step){.node = LWI_NONE, .region = to};
    if (k == LWI_NONE) continue;
    lwi_portal_ends ends;
    lwi_graph_points(graph, from, &graph->portals[k], &ends.left, &ends.right);
    step->node = 1 + graph->mesh->links.count + k;
    step->point = crossing_of(path, &ends, &piece);
  }
  return true;
}

/* The part of the old corridor that stays: of its steps the first `before`, and those from `behind` on. */
typedef struct kept_steps {
  int before, behind;
} kept_steps;

static kept_steps keep_steps(const old_corridor *old) {
  const lwi_step *steps = old->steps->steps;
  const int first = old->first < 0 ? old->gone : old->first;
  kept_steps kept = {old->gone - first - 1, old->back - first};
  if (kept.before < 0) kept.before = 0;
  if (kept.behind > old->steps->count) kept.behind = old->steps->count;
  if (kept.before > 0) {
    const lw_vec3 edge = steps[kept.before - 1].point;
    while (kept.before > 0 && lwi_distance(steps[kept.before - 1].point, edge) < MARGIN) kept.before -= 1;
  }
  if (kept.behind < old->steps->count) {
    const lw_vec3 edge = steps[kept.behind].point;
    while (kept.behind < old->steps->count && lwi_distance(steps[kept.behind].point, edge) < MARGIN)
      kept.behind += 1;
  }
  return kept;
}

/* Do the steps that stay lead on without a gap? */
static bool are_whole(const old_corridor *old, kept_steps kept) {
  for (int i = 0; i < old->steps->count; i++)
    if ((i < kept.before || i >= kept.behind) && old->steps->steps[i].node == LWI_NONE) return false;
  return true;
}

static lw_status search_round(lwi_search *search, const old_corridor *old, kept_steps kept) {
  lwi_search_query query = *old->query;
  const lwi_step *steps = old->steps->steps;
  if (kept.before > 0) {
    query.from = steps[kept.before - 1].point;
    query.from_region = steps[kept.before - 1].region;
  }
  if (kept.behind < old->steps->count) {
    query.to = steps[kept.behind].point;
    query.to_region = region_of(old, (old->first < 0 ? old->gone : old->first) + kept.behind);
  }
  query.max_nodes = query.max_nodes < NODES_MAX ? query.max_nodes : NODES_MAX;
  const lw_status status = lwi_search_run(search, &query);
  return status == LW_OUT_OF_NODES ? LW_NO_PATH : status;
}

/* Leave out what leads through the old corridor back and forth. @param[out] from, end  The steps found that stay. */
static void cut_loops(const lwi_search *search, const old_corridor *old, kept_steps *kept, int *from,
                      int *end) {
  const lwi_step *steps = old->steps->steps, *found = search->corridor.steps;
  const int count = search->corridor.count;
  *from = 0;
  *end = count;
  for (int i = 0; i <= kept->before; i++) { /* region behind the first `i` steps */
    const uint32_t region = i > 0 ? steps[i - 1].region : old->query->from_region;
    for (int k = count; k > 0; k--) {
      if (found[k - 1].region != region) continue;
      kept->before = i;
      *from = k;
      break;
    }
  }
  for (int i = old->steps->count; i > kept->behind; i--) {
    for (int k = *from; k < count; k++) {
      if (found[k].region != steps[i - 1].region) continue;
      kept->behind = i;
      *end = k + 1;
      break;
    }
  }
}

/* @return false: no memory. */
static bool splice(lwi_search *search, const old_corridor *old, kept_steps kept) {
  int from, end;
  cut_loops(search, old, &kept, &from, &end);
  lwi_corridor *to = &search->corridor;
  const int middle = end - from, behind = old->steps->count - kept.behind,
            count = kept.before + middle + behind;
  if (!lwi_reserve(search->memory, &to->steps, &to->capacity, count + 1, sizeof *to->steps)) return false;
  const size_t size = sizeof *to->steps;
  memmove(to->steps + kept.before, to->steps + from, (size_t)middle * size);
  memcpy(to->steps, old->steps->steps, (size_t)kept.before * size);
  memcpy(to->steps + kept.before + middle, old->steps->steps + kept.behind, (size_t)behind * size);
  to->count = count;
  return true;
}

/* Build the path along the corridor, unless it costs too much. */
static lw_status build_within(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                              const lwi_mend *mend, lw_path **path) {
  const lw_status built = lwi_path_build(search, query, scratch, &mend->path->memory.allocator, path);
  if (built != LW_OK || (*path)->cost <= mend->limit) return built;
  lw_path_destroy(*path);
  *path = NULL;
  return LW_NO_PATH;
}

lw_status lwi_path_mend(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                        const lwi_mend *mend, lw_path **path) {
  old_corridor old = {.query = query, .mend = mend, .steps = &scratch->best_corridor};
  *path = NULL;
  if (mend->path->corridor_count < LONG_CORRIDOR || !find_gone(&old)) return LW_NO_PATH;
  if (!find_steps(&old, scratch->memory)) return LW_OUT_OF_MEMORY;
  const kept_steps kept = keep_steps(&old);
  if (!are_whole(&old, kept)) return LW_NO_PATH;
  const lw_status status = search_round(search, &old, kept);
  if (status != LW_OK) return status;
  if (!splice(search, &old, kept)) return LW_OUT_OF_MEMORY;
  return build_within(search, query, scratch, mend, path);
}

lw_status lwi_path_rejoin(lwi_search *search, const lwi_search_query *query, lwi_path_scratch *scratch,
                          const lwi_mend *mend, lw_path **path) {
  old_corridor old = {.query = query, .mend = mend, .steps = &scratch->best_corridor};
  *path = NULL;
  if (find_gone(&old) || old.first < 0) return LW_NO_PATH;
  if (!find_steps(&old, scratch->memory)) return LW_OUT_OF_MEMORY;
  const kept_steps kept = {.before = old.steps->count, .behind = old.steps->count};
  if (!are_whole(&old, kept)) return LW_NO_PATH;
  search->graph = *query->graph;
  search->place_base = search->lane_base = LWI_NONE;
  search->prices_differ = !query->is_uniform;
  search->turned = false;
  search->expanded = 0;
  if (!lwi_corridor_copy(&search->corridor, old.steps, search->memory)) return LW_OUT_OF_MEMORY;
  return build_within(search, query, scratch, mend, path);
}
