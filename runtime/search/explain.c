#include "search/explain.h"

#include "core/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { OWN, SHORTEST }; /* in lwi_explained_area */

static bool continues(const lw_path *path, const lw_path_segment *last, int i) {
  return last->link == LW_LINK_NONE && lw_path_link(path, i) == LW_LINK_NONE && last->area == path->areas[i] &&
         last->navmesh == lw_path_navmesh_at(path, i) && last->stance == lw_path_stance(path, i);
}

static void add(lw_path_segment *to, float *exposed_to, const lw_path *path, int i,
                const lwi_cost_breakdown *breakdown) {
  to->length += breakdown->length;
  for (int k = 0; k < LW_COST_TERM_COUNT; k++) {
    to->terms[k] += breakdown->terms.of[k];
    to->cost += breakdown->terms.of[k];
  }
  to->water += breakdown->water;
  to->low += breakdown->low;
  to->exposed += breakdown->exposed;
  for (int k = 0; k < path->threat_count; k++) exposed_to[k] += path->seen[i * path->threat_count + k];
}

/* The part of e->exposed_to that belongs to segment i; behind the segments come those of the whole paths. */
static float *exposed_of(const lw_explanation *e, int i) {
  return e->exposed_to ? e->exposed_to + (size_t)i * (size_t)e->threat_count : NULL;
}

static void begin_segment(lw_explanation *e, const lw_path *path, int i, const lwi_run *run) {
  float *exposed_to = exposed_of(e, e->segment_count);
  e->segments[e->segment_count++] = (lw_path_segment){
      .first = i,
      .area = path->areas[i],
      .type = lwi_run_type(run, path->table),
      .link = run->link,
      .navmesh = lw_path_navmesh_at(path, i),
      .stance = run->stance,
      .exposed_to = exposed_to,
  };
}

static void fill_segments(lw_explanation *e, const lw_path *path) {
  int run = 0;
  for (int i = 0; i < path->point_count; i++) {
    lw_path_segment *last = e->segment_count > 0 ? &e->segments[e->segment_count - 1] : NULL;
    bool is_end = i + 1 == path->point_count; /* a cost without length goes to the last segment */
    if (is_end && !last) return;
    const lwi_cost_breakdown breakdown = lwi_path_cost_breakdown(path, i, &run);
    if (!is_end && (!last || !continues(path, last, i))) {
      begin_segment(e, path, i, &path->runs[run]);
      last = &e->segments[e->segment_count - 1];
    }
    if (!is_end) last->last = i + 1;
    add(last, exposed_of(e, e->segment_count - 1), path, i, &breakdown);
  }
}

/* The whole path: sums in double, as the path's own cost is. */
static void fill_whole(lw_path_segment *whole, float *exposed_to, const lw_path *path) {
  double terms[LW_COST_TERM_COUNT] = {0}, length = 0, water = 0, low = 0, exposed = 0, cost = 0;
  int run = 0;
  for (int i = 0; i < path->point_count; i++) {
    const lwi_cost_breakdown breakdown = lwi_path_cost_breakdown(path, i, &run);
    length += (double)breakdown.length;
    water += (double)breakdown.water;
    low += (double)breakdown.low;
    exposed += (double)breakdown.exposed;
    for (int k = 0; k < LW_COST_TERM_COUNT; k++) terms[k] += (double)breakdown.terms.of[k];
    for (int k = 0; k < path->threat_count; k++) exposed_to[k] += path->seen[i * path->threat_count + k];
  }
  *whole = (lw_path_segment){.last = path->point_count - 1,
                             .link = LW_LINK_NONE,
                             .navmesh = path->navmesh,
                             .length = (float)length,
                             .water = (float)water,
                             .low = (float)low,
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
    lwi_text_show(added->name, sizeof added->name, def->name);
  return added;
}

static bool fill_areas(lw_explanation *e, const lw_path *path, int which) {
  int run = 0;
  for (int i = 0; i < path->point_count && path->run_count > 0; i++) {
    const lwi_cost_breakdown breakdown = lwi_path_cost_breakdown(path, i, &run);
    lwi_explained_area *area = find_area(e, &path->runs[run], path->table);
    if (!area) return false;
    area->metres[which] += breakdown.length;
    lwi_terms_add(&area->terms[which], &breakdown.terms, 1);
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
  fill_whole(&e->total, exposed_of(e, e->segment_capacity), path);
  e->comparison.status = LW_EMPTY;
  e->reduced = path->reduced;
  return e;
}

bool lwi_explain_beside(lw_explanation *e, const lw_path *plain) {
  lw_path_comparison *beside = &e->comparison;
  fill_whole(&beside->shortest, exposed_of(e, e->segment_capacity + 1), plain);
  if (!fill_areas(e, plain, SHORTEST)) return false;
  beside->status = LW_OK;
  beside->longer = e->total.length - beside->shortest.length;
  beside->saves = beside->shortest.cost - e->total.cost;
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
  if (count) *count = e ? e->segment_count : 0;
  return e ? e->segments : NULL;
}
const lw_path_segment *lw_explanation_total(const lw_explanation *e) {
  return e ? &e->total : NULL;
}
const lw_path_comparison *lw_explanation_comparison(const lw_explanation *e) {
  return e ? &e->comparison : NULL;
}
int lw_explanation_threat_count(const lw_explanation *e) {
  return e ? e->threat_count : 0;
}

/* --- text ------------------------------------------------------------------------------------------------- */

/* A length or cost is left out below this... [m] */
#define SLIGHT 0.05f
/* ...and an item below this part of all that the items explain. */
#define SLIGHT_PART 0.02f

typedef struct writer {
  char *text;
  size_t size, length; /* `length` needed so far, which may be more */
} writer;

LW_PRINTF(2, 3) static void put(writer *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t space = to->length < to->size ? to->size - to->length : 0;
  int length = vsnprintf(space > 0 ? to->text + to->length : NULL, space, format, arguments);
  va_end(arguments);
  if (length > 0) to->length += (size_t)length;
}

/* --- the sentence ----------------------------------------------------------------------------------------- */

/* A reason why one path costs more than another. */
typedef struct item {
  char text[96];
  float cost; /* [metre-equivalents] */
} item;

#define ITEMS_MAX 12

typedef struct item_list {
  item items[ITEMS_MAX]; /* largest cost first */
  int count;
  float threshold; /* items of less are left out [metre-equivalents] */
} item_list;

static item *insert(item_list *list, float cost) {
  if (!(cost >= list->threshold)) return NULL;
  int at = list->count;
  while (at > 0 && list->items[at - 1].cost < cost) at -= 1;
  if (at == ITEMS_MAX) return NULL;
  if (list->count < ITEMS_MAX) list->count += 1;
  memmove(&list->items[at + 1], &list->items[at], (size_t)(list->count - 1 - at) * sizeof(item));
  list->items[at].cost = cost;
  return &list->items[at];
}

/* What one path has beyond another, or by itself. */
typedef struct difference {
  const lw_explanation *e;
  const lw_path_segment *more, *less; /* `less` NULL: `more` by itself */
  int more_index;                     /* OWN or SHORTEST */
} difference;

static float term(const difference *d, lw_cost_term which) {
  return d->more->terms[which] - (d->less ? d->less->terms[which] : 0);
}

static float area_term(const difference *d, const lwi_explained_area *area, lw_cost_term which) {
  return area->terms[d->more_index].of[which] - (d->less ? area->terms[1 - d->more_index].of[which] : 0);
}

/* Areas and links that cost more for resistance, unsafe ground or area factor; water is an item of its own. */
static void add_areas(const difference *d, item_list *list) {
  for (int i = 0; i < d->e->area_count; i++) {
    const lwi_explained_area *area = &d->e->areas[i];
    float water = area_term(d, area, LW_TERM_WATER);
    float ground = area_term(d, area, LW_TERM_RESISTANCE) + area_term(d, area, LW_TERM_UNSAFE) +
                   area_term(d, area, LW_TERM_AREA);
    float metres = area->metres[d->more_index] - (d->less ? area->metres[1 - d->more_index] : 0);
    if (ground <= water || metres < SLIGHT) continue;
    item *added = insert(list, ground);
    if (added)
      snprintf(added->text, sizeof added->text, "%.1f m %s %s", (double)metres,
               area->link == LW_LINK_NONE ? "of" : "by", area->name);
  }
}

static void add_term(const difference *d, item_list *list, lw_cost_term which, const char *words) {
  item *added = insert(list, term(d, which));
  if (added) snprintf(added->text, sizeof added->text, "%s worth %.1f", words, (double)term(d, which));
}

/* What each threat sees more of; or one item for all, where they see no more but weigh more. */
static void add_threats(const difference *d, item_list *list) {
  float metres = 0, cost = term(d, LW_TERM_THREATS);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < d->e->threat_count; i++) {
      float more = d->more->exposed_to[i] - (d->less ? d->less->exposed_to[i] : 0);
      if (more < SLIGHT) continue;
      if (pass == 0) metres += more;
      item *added = pass == 1 ? insert(list, cost * more / metres) : NULL;
      if (added)
        snprintf(added->text, sizeof added->text, "%.1f exposed metres to threat %d", (double)more, i + 1);
    }
  if (metres < SLIGHT) add_term(d, list, LW_TERM_THREATS, "being seen");
}

static void add_metres(const difference *d, item_list *list, lw_cost_term which, float metres,
                       const char *words) {
  item *added = metres >= SLIGHT ? insert(list, term(d, which)) : NULL;
  if (added) snprintf(added->text, sizeof added->text, "%.1f m %s", (double)metres, words);
}

/* @param all  The cost that the items explain together. [metre-equivalents] */
static void put_items(const difference *d, float all, writer *to) {
  item_list list = {.threshold = fmaxf(SLIGHT, SLIGHT_PART * all)};
  add_metres(d, &list, LW_TERM_WATER, d->more->water - (d->less ? d->less->water : 0), "of water");
  add_metres(d, &list, LW_TERM_CROUCH, d->more->low - (d->less ? d->less->low : 0), "under low ceilings");
  add_areas(d, &list);
  add_threats(d, &list);
  add_term(d, &list, LW_TERM_OPENNESS, "open ground");
  add_term(d, &list, LW_TERM_DANGER, "danger");
  add_term(d, &list, LW_TERM_FIRE_LANES, "fire lanes");
  add_term(d, &list, LW_TERM_OBSTACLES, "obstacles");
  add_term(d, &list, LW_TERM_LINKS, "links at a price");
  for (int i = 0; i < list.count; i++) put(to, "%s%s", i == 0 ? ": " : ", ", list.items[i].text);
}

/// Is the path shorter than the one that was searched by length alone? A search finds nearly the shortest path.
static bool is_beaten(const lw_explanation *e) {
  return e->comparison.longer < -SLIGHT;
}

static void put_comparison(const lw_explanation *e, writer *to) {
  const lw_path_comparison *beside = &e->comparison;
  const difference saved = {e, &beside->shortest, &e->total, 1};
  const bool is_longer = beside->longer > SLIGHT;
  if (is_longer)
    put(to, "%.1f m longer, ", (double)beside->longer);
  else if (is_beaten(e))
    put(to, "%.1f m shorter than the path searched by length, ", (double)-beside->longer);
  else
    put(to, "as long as the shortest path, ");
  if (beside->saves > SLIGHT) {
    put(to, "saves %.1f", (double)beside->saves);
    put_items(&saved, beside->saves, to);
  } else if (beside->saves < -SLIGHT) {
    put(to, "and costs %.1f more%s", (double)-beside->saves, is_longer ? " than the shortest path" : "");
  } else {
    put(to, "for the price of the shortest path");
  }
}

/* The path by itself. */
static void put_extra(const lw_explanation *e, const char *costs, const char *nothing, writer *to) {
  const difference extra = {e, &e->total, NULL, 0};
  float more = e->total.cost - e->total.length;
  put(to, "%s", more > SLIGHT ? costs : nothing);
  if (more <= SLIGHT) return;
  put(to, "%.1f more than its length", (double)more);
  put_items(&extra, more, to);
}

static void put_sentence(const lw_explanation *e, writer *to) {
  const lw_path_comparison *beside = &e->comparison;
  if (beside->status != LW_OK)
    put_extra(e, "costs ", "costs its length", to);
  else if (beside->longer <= SLIGHT && fabsf(beside->saves) <= SLIGHT)
    put_extra(e, "the shortest path, costs ", "the shortest path", to);
  else
    put_comparison(e, to);
  if (beside->status == LW_INVALID)
    put(to, "; not compared with the shortest path: it was searched with other threats");
  else if (beside->status != LW_OK && beside->status != LW_EMPTY)
    put(to, "; not compared with the shortest path: %s", lw_status_text(beside->status));
  if (e->reduced)
    put(to, "; the number of dangers and fire lanes limited the search, there may be a cheaper path");
}

int lw_explanation_sentence(const lw_explanation *e, char *text, size_t size) {
  if (!text) size = 0;
  if (size > 0) text[0] = 0;
  if (!e) return 0;
  writer to = {text, size, 0};
  put_sentence(e, &to);
  return (int)to.length;
}

/* --- the table -------------------------------------------------------------------------------------------- */

/* The columns: words, then numbers, of which the cost terms come first. */
typedef enum word { WORD_POINTS, WORD_AREA, WORD_LINK, WORD_COUNT } word;
enum { NUMBER_COST = LW_COST_TERM_COUNT, NUMBER_WATER, NUMBER_LOW, NUMBER_EXPOSED, NUMBER_THREATS };

#define CELL 96
typedef char cell[CELL];

static int number_count(const lw_explanation *e) {
  return NUMBER_THREATS + e->threat_count;
}

static float number_of(const lw_path_segment *row, int column) {
  if (column < LW_COST_TERM_COUNT) return row->terms[column];
  if (column == NUMBER_COST) return row->cost;
  if (column == NUMBER_WATER) return row->water;
  if (column == NUMBER_LOW) return row->low;
  return column == NUMBER_EXPOSED ? row->exposed : row->exposed_to[column - NUMBER_THREATS];
}

static void title_of(int column, cell text) {
  if (column < LW_COST_TERM_COUNT)
    snprintf(text, CELL, "%s", lw_cost_term_name((lw_cost_term)column));
  else if (column == NUMBER_COST)
    snprintf(text, CELL, "cost");
  else if (column == NUMBER_WATER)
    snprintf(text, CELL, "m of water");
  else if (column == NUMBER_LOW)
    snprintf(text, CELL, "m crouched");
  else if (column == NUMBER_EXPOSED)
    snprintf(text, CELL, "m exposed");
  else
    snprintf(text, CELL, "to threat %d", column - NUMBER_THREATS + 1);
}

static bool is_compared(const lw_explanation *e) {
  return e->comparison.status == LW_OK;
}

/* Columns of zeros are left out. The metres that one threat sees are those that any sees. */
static bool is_shown(const lw_explanation *e, int column) {
  if (column == LW_TERM_LENGTH || column == NUMBER_COST) return true;
  if (column == NUMBER_EXPOSED && e->threat_count == 1) return false;
  return number_of(&e->total, column) > 0 || (is_compared(e) && number_of(&e->comparison.shortest, column) > 0);
}

static int number_width(const lw_explanation *e, int column) {
  cell title, own, plain = "";
  title_of(column, title);
  snprintf(own, CELL, "%.1f", (double)number_of(&e->total, column));
  if (is_compared(e)) snprintf(plain, CELL, "%.1f", (double)number_of(&e->comparison.shortest, column));
  size_t width = strlen(title);
  if (strlen(own) > width) width = strlen(own);
  return (int)(strlen(plain) > width ? strlen(plain) : width);
}

static const char *area_name(const lw_explanation *e, lw_area_id id) {
  const lw_area_def *def = lw_area_table_get(e->table, id);
  return def ? def->name : "";
}

static const char *plain_title(const lw_explanation *e) {
  return is_beaten(e) ? "by length" : "shortest";
}

/* Points are counted from 1. */
static void word_of(const lw_explanation *e, const lw_path_segment *row, word which, cell text) {
  const bool is_whole = row == &e->total || row == &e->comparison.shortest;
  const char *kind = row->link != LW_LINK_NONE ? lw_link_kind_name(row->link) : lw_link_type_name(row->type);
  text[0] = 0;
  if (which == WORD_POINTS && is_whole)
    snprintf(text, CELL, "%s", row == &e->total ? "all" : plain_title(e));
  else if (which == WORD_POINTS)
    snprintf(text, CELL, "%d-%d", row->first + 1, row->last + 1);
  else if (!is_whole)
    lwi_text_show(text, CELL, which == WORD_AREA ? area_name(e, row->area) : kind);
}

static void put_row(const lw_explanation *e, const lw_path_segment *row, const int widths[WORD_COUNT],
                    writer *to) {
  static const char *const titles[WORD_COUNT] = {"points", "area", "link"};
  cell text;
  for (int i = 0; i < WORD_COUNT; i++) {
    if (row)
      word_of(e, row, (word)i, text);
    else
      snprintf(text, CELL, "%s", titles[i]);
    put(to, "%s%-*s", i == 0 ? "" : "  ", widths[i], text);
  }
  for (int i = 0; i < number_count(e); i++) {
    if (!is_shown(e, i)) continue;
    if (row)
      snprintf(text, CELL, "%.1f", (double)number_of(row, i));
    else
      title_of(i, text);
    put(to, "  %*s", number_width(e, i), text);
  }
  put(to, "\n");
}

int lw_explanation_table(const lw_explanation *e, char *text, size_t size) {
  if (!text) size = 0;
  if (size > 0) text[0] = 0;
  if (!e) return 0;
  writer to = {text, size, 0};
  int widths[WORD_COUNT] = {(int)strlen(plain_title(e)), 4, 4}; /* of the titles */
  cell one;
  for (int i = 0; i < e->segment_count; i++)
    for (int k = 0; k < WORD_COUNT; k++) {
      word_of(e, &e->segments[i], (word)k, one);
      widths[k] = (int)strlen(one) > widths[k] ? (int)strlen(one) : widths[k];
    }
  put_row(e, NULL, widths, &to);
  for (int i = 0; i < e->segment_count; i++) put_row(e, &e->segments[i], widths, &to);
  put_row(e, &e->total, widths, &to);
  if (is_compared(e)) put_row(e, &e->comparison.shortest, widths, &to);
  put_sentence(e, &to);
  return (int)to.length;
}
