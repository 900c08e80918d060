/* An explanation in words: a sentence, and a table of aligned columns. */
#include "search/explain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What is not said of a length or a price: less than this... [m] */
#define SLIGHT 0.05f
/* ...or than this part of all that is said. */
#define SLIGHT_PART 0.02f

typedef struct writer {
  char *text;
  size_t size, length; /* `length` that was needed so far */
} writer;

LW_PRINTF(2, 3) static void put(writer *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = to->length < to->size ? to->size - to->length : 0;
  int length = vsnprintf(room > 0 ? to->text + to->length : NULL, room, format, arguments);
  va_end(arguments);
  if (length > 0) to->length += (size_t)length;
}

/* --- the sentence ------------------------------------------------------------------------------------------------- */

/* One thing that one path has more of than another. */
typedef struct item {
  char text[96];
  float price; /* that it counts for [metre-equivalents] */
} item;

#define ITEMS_MAX 12

typedef struct item_list {
  item items[ITEMS_MAX]; /* dearest first */
  int count;
  float least; /* what is cheaper is not worth a word */
} item_list;

static item *insert(item_list *list, float price) {
  if (!(price >= list->least)) return NULL;
  int at = list->count;
  while (at > 0 && list->items[at - 1].price < price) at -= 1;
  if (at == ITEMS_MAX) return NULL;
  if (list->count < ITEMS_MAX) list->count += 1;
  memmove(&list->items[at + 1], &list->items[at], (size_t)(list->count - 1 - at) * sizeof(item));
  list->items[at].price = price;
  return &list->items[at];
}

/* What is compared: what `more` has beyond `less`, which may be nothing at all. */
typedef struct difference {
  const lw_explanation *e;
  const lw_path_segment *more, *less; /* `less` NULL: nothing */
  int more_index;                     /* of `more` in the areas */
} difference;

static float term(const difference *d, lw_cost_term which) {
  return d->more->terms[which] - (d->less ? d->less->terms[which] : 0);
}

static float area_term(const difference *d, const lwi_explained_area *area, lw_cost_term which) {
  return area->terms[d->more_index].of[which] - (d->less ? area->terms[1 - d->more_index].of[which] : 0);
}

/* Ground and links that are dear for what they are, by name; water has a word of its own. */
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

static void add_priced(const difference *d, item_list *list, lw_cost_term which, const char *words) {
  item *added = insert(list, term(d, which));
  if (added) snprintf(added->text, sizeof added->text, "%s worth %.1f", words, (double)term(d, which));
}

/* What each threat sees more of; or only better, where it is nearer or the ground hides less. */
static void add_threats(const difference *d, item_list *list) {
  float metres = 0, price = term(d, LW_TERM_THREATS);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < d->e->threat_count; i++) {
      float more = d->more->exposed_to[i] - (d->less ? d->less->exposed_to[i] : 0);
      if (more < SLIGHT) continue;
      if (pass == 0) metres += more;
      item *added = pass == 1 ? insert(list, price * more / metres) : NULL;
      if (added)
        snprintf(added->text, sizeof added->text, "%.1f exposed metres to threat %d", (double)more, i + 1);
    }
  if (metres < SLIGHT) add_priced(d, list, LW_TERM_THREATS, "being seen");
}

/* @param all  What the items explain together. [metre-equivalents] */
static void put_items(const difference *d, float all, writer *to) {
  item_list list = {.least = fmaxf(SLIGHT, SLIGHT_PART * all)};
  float water = d->more->water - (d->less ? d->less->water : 0);
  item *added = water >= SLIGHT ? insert(&list, term(d, LW_TERM_WATER)) : NULL;
  if (added) snprintf(added->text, sizeof added->text, "%.1f m of water", (double)water);
  add_areas(d, &list);
  add_threats(d, &list);
  add_priced(d, &list, LW_TERM_EXPOSURE, "open ground");
  add_priced(d, &list, LW_TERM_DANGER, "danger");
  add_priced(d, &list, LW_TERM_FIRE_LANES, "fire lanes");
  for (int i = 0; i < list.count; i++) put(to, "%s%s", i == 0 ? ": " : ", ", list.items[i].text);
}

static void put_unlike(const lw_explanation *e, writer *to) {
  const lw_path_comparison *beside = &e->comparison;
  const difference saved = {e, &beside->plain, &e->total, 1};
  put(to, "%.1f m longer, ", (double)fmaxf(0, beside->longer));
  if (beside->saves > SLIGHT) {
    put(to, "saves %.1f", (double)beside->saves);
    put_items(&saved, beside->saves, to);
  } else if (beside->saves < -SLIGHT) {
    put(to, "and costs %.1f more than the shortest path", (double)-beside->saves);
  } else {
    put(to, "for the price of the shortest path");
  }
}

/* What it costs by itself. */
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
    put_unlike(e, to);
  if (beside->status == LW_INVALID)
    put(to, "; not compared with the shortest path: it was searched with other threats");
  else if (beside->status != LW_OK && beside->status != LW_EMPTY)
    put(to, "; not compared with the shortest path: %s", lw_status_text(beside->status));
}

int lw_explanation_sentence(const lw_explanation *e, char *text, size_t size) {
  writer to = {text, size, 0};
  if (size > 0) text[0] = 0;
  put_sentence(e, &to);
  return (int)to.length;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* The columns of a table: words, then numbers. */
typedef enum word { WORD_POINTS, WORD_AREA, WORD_LINK, WORD_COUNT } word;
enum {
  NUMBER_COST = LW_COST_TERM_COUNT,
  NUMBER_WATER,
  NUMBER_EXPOSED,
  NUMBER_THREATS
}; /* the terms come first */

#define CELL 96
typedef char cell[CELL];

static int number_count(const lw_explanation *e) {
  return NUMBER_THREATS + e->threat_count;
}

static float number_of(const lw_path_segment *row, int column) {
  if (column < LW_COST_TERM_COUNT) return row->terms[column];
  if (column == NUMBER_COST) return row->cost;
  if (column == NUMBER_WATER) return row->water;
  return column == NUMBER_EXPOSED ? row->exposed : row->exposed_to[column - NUMBER_THREATS];
}

static void title_of(int column, cell text) {
  if (column < LW_COST_TERM_COUNT)
    snprintf(text, CELL, "%s", lw_cost_term_name((lw_cost_term)column));
  else if (column == NUMBER_COST)
    snprintf(text, CELL, "cost");
  else if (column == NUMBER_WATER)
    snprintf(text, CELL, "m of water");
  else if (column == NUMBER_EXPOSED)
    snprintf(text, CELL, "m exposed");
  else
    snprintf(text, CELL, "to threat %d", column - NUMBER_THREATS + 1);
}

static bool is_compared(const lw_explanation *e) {
  return e->comparison.status == LW_OK;
}

/* Is there anything in that column? One threat's metres are those of all. */
static bool is_shown(const lw_explanation *e, int column) {
  if (column == LW_TERM_LENGTH || column == NUMBER_COST) return true;
  if (column == NUMBER_EXPOSED && e->threat_count == 1) return false;
  return number_of(&e->total, column) > 0 || (is_compared(e) && number_of(&e->comparison.plain, column) > 0);
}

static int number_width(const lw_explanation *e, int column) {
  cell title, own, plain = "";
  title_of(column, title);
  snprintf(own, CELL, "%.1f", (double)number_of(&e->total, column));
  if (is_compared(e)) snprintf(plain, CELL, "%.1f", (double)number_of(&e->comparison.plain, column));
  size_t width = strlen(title);
  if (strlen(own) > width) width = strlen(own);
  return (int)(strlen(plain) > width ? strlen(plain) : width);
}

/* The name of the area that a segment lies on; of a link, where it begins. */
static const char *area_name(const lw_explanation *e, lw_area_id id) {
  const lw_area_def *def = lw_area_table_get(e->table, id);
  return def ? def->name : "";
}

/* Points are counted from 1, as people do. */
static void word_of(const lw_explanation *e, const lw_path_segment *row, word which, cell text) {
  const bool is_whole = row == &e->total || row == &e->comparison.plain;
  const char *kind = row->link != LW_LINK_NONE ? lw_link_kind_name(row->link) : lw_link_type_name(row->type);
  text[0] = 0;
  if (which == WORD_POINTS && is_whole)
    snprintf(text, CELL, "%s", row == &e->total ? "all" : "shortest");
  else if (which == WORD_POINTS)
    snprintf(text, CELL, "%d-%d", row->first + 1, row->last + 1);
  else if (!is_whole)
    snprintf(text, CELL, "%s", which == WORD_AREA ? area_name(e, row->area) : kind);
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
  writer to = {text, size, 0};
  int widths[WORD_COUNT] = {8, 4, 4}; /* of "shortest" and the titles */
  cell one;
  if (size > 0) text[0] = 0;
  for (int i = 0; i < e->segment_count; i++)
    for (int k = 0; k < WORD_COUNT; k++) {
      word_of(e, &e->segments[i], (word)k, one);
      widths[k] = (int)strlen(one) > widths[k] ? (int)strlen(one) : widths[k];
    }
  put_row(e, NULL, widths, &to);
  for (int i = 0; i < e->segment_count; i++) put_row(e, &e->segments[i], widths, &to);
  put_row(e, &e->total, widths, &to);
  if (is_compared(e)) put_row(e, &e->comparison.plain, widths, &to);
  put_sentence(e, &to);
  return (int)to.length;
}
