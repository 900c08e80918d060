#include "search/explain.h"

#include <string.h>

enum { OWN, PLAIN }; /* in lwi_explained_area */

static bool continues(const lw_path *path, const lw_path_segment *last, int i) {
  return last->link == LW_LINK_NONE && lw_path_link(path, i) == LW_LINK_NONE && last->area == path->areas[i] &&
         last->navmesh == lw_path_navmesh_at(path, i);
}

static void add(lw_path_segment *to, float *exposed_to, const lw_path *path, int i,
                const lwi_account *account) {
  to->length += account->length;
  for (int k = 0; k < LW_COST_TERM_COUNT; k++) {
    to->terms[k] += account->terms.of[k];
    to->cost += account->terms.of[k];
  }
  to->water += account->water;
  to->exposed += account->exposed;
  for (int k = 0; k < path->threat_count; k++) exposed_to[k] += path->seen[i * path->threat_count + k];
}

static void begin_segment(lw_explanation *e, const lw_path *path, int i, const lwi_run *run) {
  float *exposed_to = e->exposed_to + e->segment_count * e->threat_count;
  e->segments[e->segment_count++] = (lw_path_segment){
      .first = i,
      .area = path->areas[i],
      .type = lwi_run_type(run, path->table),
      .link = run->link,
      .navmesh = lw_path_navmesh_at(path, i),
      .exposed_to = exposed_to,
  };
}

static void fill_segments(lw_explanation *e, const lw_path *path) {
  int run = 0;
  for (int i = 0; i < path->point_count; i++) {
    lw_path_segment *last = e->segment_count > 0 ? &e->segments[e->segment_count - 1] : NULL;
    bool is_end = i + 1 == path->point_count; /* what was charged on the spot goes to the last segment */
    if (is_end && !last) return;
    const lwi_account account = lwi_path_account(path, i, &run);
    if (!is_end && (!last || !continues(path, last, i))) {
      begin_segment(e, path, i, &path->runs[run]);
      last = &e->segments[e->segment_count - 1];
    }
    if (!is_end) last->last = i + 1;
    add(last, e->exposed_to + (e->segment_count - 1) * e->threat_count, path, i, &account);
  }
}

/* The whole of a path: double sums, as the path's own cost is one. */
static void fill_whole(lw_path_segment *whole, float *exposed_to, const lw_path *path) {
  double terms[LW_COST_TERM_COUNT] = {0}, length = 0, water = 0, exposed = 0, cost = 0;
  int run = 0;
  for (int i = 0; i < path->point_count; i++) {
    const lwi_account account = lwi_path_account(path, i, &run);
    length += (double)account.length;
    water += (double)account.water;
    exposed += (double)account.exposed;
    for (int k = 0; k < LW_COST_TERM_COUNT; k++) terms[k] += (double)account.terms.of[k];
    for (int k = 0; k < path->threat_count; k++) exposed_to[k] += path->seen[i * path->threat_count + k];
  }
  *whole = (lw_path_segment){.last = path->point_count - 1,
                             .link = LW_LINK_NONE,
                             .navmesh = path->navmesh,
                             .length = (float)length,
                             .water = (float)water,
                             .exposed = (float)exposed,
                             .exposed_to = exposed_to};
  for (int k = 0; k < LW_COST_TERM_COUNT; k++) {
    whole->terms[k] = (float)terms[k];
    cost += terms[k];
  }
  whole->cost = (float)cost;
}

/* @return NULL: no memory. */
static lwi_explained_area *find_area(lw_explanation *e, const lwi_run *run, const lw_area_table *table) {
  for (int i = 0; i < e->area_count; i++) {
    lwi_explained_area *area = &e->areas[i];
    if (area->link == run->link && (run->link != LW_LINK_NONE || area->area == run->area)) return area;
  }
  if (!lwi_reserve(&e->memory, &e->areas, &e->area_capacity, e->area_count + 1, sizeof *e->areas)) return NULL;
  const lw_area_def *def = lw_area_table_get(table, run->area);
  lwi_explained_area *added = &e->areas[e->area_count++];
  *added = (lwi_explained_area){.link = run->link, .area = run->area};
  if (run->link != LW_LINK_NONE)
    strcpy(added->name, lw_link_kind_name(run->link));
  else if (def)
    strcpy(added->name, def->name);
  return added;
}

static bool fill_areas(lw_explanation *e, const lw_path *path, int which) {
  int run = 0;
  for (int i = 0; i < path->point_count && path->run_count > 0; i++) {
    const lwi_account account = lwi_path_account(path, i, &run);
    lwi_explained_area *area = find_area(e, &path->runs[run], path->table);
    if (!area) return false;
    area->metres[which] += account.length;
    lwi_terms_add(&area->terms[which], &account.terms, 1);
  }
  return true;
}

lw_explanation *lwi_explain(const lw_path *path, const lw_allocator *allocator) {
  lwi_memory memory = lwi_memory_make(allocator);
  lw_explanation *e = lwi_alloc_zero(&memory, sizeof *e);
  if (!e) return NULL;
  size_t segments = (size_t)path->point_count, threats = (size_t)path->threat_count;
  e->memory = memory;
  e->table = path->table;
  e->threat_count = path->threat_count;
  e->segment_capacity = path->point_count;
  e->segments = lwi_alloc(&e->memory, segments * sizeof *e->segments);
  e->exposed_to = lwi_alloc_zero(&e->memory, (segments + 2) * threats * sizeof *e->exposed_to);
  if (!e->segments || (threats > 0 && !e->exposed_to) || !fill_areas(e, path, OWN)) {
    lw_explanation_destroy(e);
    return NULL;
  }
  fill_segments(e, path);
  fill_whole(&e->total, e->exposed_to + segments * threats, path);
  e->comparison.status = LW_EMPTY;
  return e;
}

bool lwi_explain_beside(lw_explanation *e, const lw_path *plain) {
  lw_path_comparison *beside = &e->comparison;
  fill_whole(&beside->plain, e->exposed_to + (e->segment_capacity + 1) * e->threat_count, plain);
  if (!fill_areas(e, plain, PLAIN)) return false;
  beside->status = LW_OK;
  beside->longer = e->total.length - beside->plain.length;
  beside->saves = beside->plain.cost - e->total.cost;
  return true;
}

void lw_explanation_destroy(lw_explanation *e) {
  if (!e) return;
  lwi_memory memory = e->memory;
  size_t segments = (size_t)e->segment_capacity, threats = (size_t)e->threat_count;
  lwi_free(&memory, e->segments, segments * sizeof *e->segments);
  lwi_free(&memory, e->exposed_to, (segments + 2) * threats * sizeof *e->exposed_to);
  lwi_free(&memory, e->areas, (size_t)e->area_capacity * sizeof *e->areas);
  lwi_free(&memory, e, sizeof *e);
}

const lw_path_segment *lw_explanation_segments(const lw_explanation *e, int *count) {
  *count = e->segment_count;
  return e->segments;
}
const lw_path_segment *lw_explanation_total(const lw_explanation *e) {
  return &e->total;
}
const lw_path_comparison *lw_explanation_comparison(const lw_explanation *e) {
  return &e->comparison;
}
int lw_explanation_threat_count(const lw_explanation *e) {
  return e->threat_count;
}
