#include "search/price_tables.h"

#include "core/vec3.h"

#include <math.h>

/* Visibility changes from step to step, as by dusk. Tables are for the next lower one of these steps, at which nothing costs
   more. */
#define VISIBILITY_STEPS 8

static float visibility_of(const lwi_prices *prices) {
  return floorf(prices->visibility * VISIBILITY_STEPS) / VISIBILITY_STEPS;
}

lwi_prices lwi_price_table_prices(const lwi_prices *prices) {
  lwi_prices at = *prices;
  at.terms = NULL; /* which may be gone before the table is */
  at.visibility = visibility_of(prices);
  return at;
}

bool lwi_price_table_is_for(const lwi_price_table *table, const lwi_prices *prices) {
  return table->prices.identity == prices->identity && table->prices.visibility == visibility_of(prices);
}

/* --- the list --------------------------------------------------------------------------------------------- */

bool lwi_price_tables_init(lwi_price_tables *tables, size_t limit, const lw_allocator *allocator) {
  *tables = (lwi_price_tables){.memory = lwi_memory_make(allocator), .limit = limit};
  return lwi_mutex_init(&tables->lock);
}

static void unlist(lwi_price_tables *tables, lwi_price_table *table) {
  *(table->older ? &table->older->newer : &tables->oldest) = table->newer;
  *(table->newer ? &table->newer->older : &tables->newest) = table->older;
  table->older = table->newer = NULL;
}

static void list_newest(lwi_price_tables *tables, lwi_price_table *table) {
  table->older = tables->newest;
  *(table->older ? &table->older->newer : &tables->oldest) = table;
  tables->newest = table;
}

static void destroy(lwi_price_tables *tables, lwi_price_table *table) {
  unlist(tables, table);
  lwi_price_table_free(table, &tables->memory);
  lwi_free(&tables->memory, table, sizeof *table);
}

/* Free what was not asked for longest while the limit is exceeded, but neither the newest nor what is in use. */
static void trim(lwi_price_tables *tables) {
  for (lwi_price_table *table = tables->oldest, *newer;
       table && table != tables->newest && tables->memory.bytes > tables->limit; table = newer) {
    newer = table->newer;
    if (table->pins == 0) destroy(tables, table);
  }
}

void lwi_price_tables_clear(lwi_price_tables *tables) {
  while (tables->oldest) destroy(tables, tables->oldest);
  if (tables->has_graph) lwi_point_graph_free(&tables->graph, &tables->memory);
  tables->has_graph = false;
}

void lwi_price_tables_free(lwi_price_tables *tables) {
  lwi_price_tables_clear(tables);
  lwi_mutex_destroy(&tables->lock);
}

size_t lwi_price_tables_memory(lwi_price_tables *tables) {
  lwi_mutex_lock(&tables->lock);
  const size_t bytes = tables->memory.bytes;
  lwi_mutex_unlock(&tables->lock);
  return bytes;
}

/* --- asking ----------------------------------------------------------------------------------------------- */

static lwi_price_table *find(const lwi_price_tables *tables, const lwi_prices *prices) {
  lwi_price_table *table = tables->newest;
  while (table && !lwi_price_table_is_for(table, prices)) table = table->older;
  return table;
}

/* @return NULL: no memory. */
static const lwi_point_graph *graph_of(lwi_price_tables *tables, const lw_navmesh *base) {
  if (!tables->has_graph) tables->has_graph = lwi_point_graph_make(&tables->graph, &tables->memory, base);
  return tables->has_graph ? &tables->graph : NULL;
}

static lwi_price_table *make(lwi_price_tables *tables, const lw_navmesh *base, const lwi_prices *prices) {
  const lwi_point_graph *graph = graph_of(tables, base);
  if (!graph) return NULL;
  lwi_price_table *table = lwi_alloc_zero(&tables->memory, sizeof *table);
  if (!table) return NULL;
  table->graph = graph;
  table->prices = lwi_price_table_prices(prices);
  if (lwi_price_table_begin(table, &tables->memory)) {
    list_newest(tables, table);
    return table;
  }
  lwi_free(&tables->memory, table, sizeof *table);
  return NULL;
}

/* The newest of the list, measured as far as that work goes. NULL: no memory. */
static lwi_price_table *measured(lwi_price_tables *tables, const lw_navmesh *base, const lwi_prices *prices,
                                 uint64_t work) {
  lwi_price_table *table = find(tables, prices);
  if (!table) table = make(tables, base, prices);
  if (!table) return NULL;
  unlist(tables, table);
  list_newest(tables, table);
  if (lwi_price_table_measure(table, &tables->memory, work)) return table;
  destroy(tables, table); /* none is in use before it is measured */
  return NULL;
}

const lwi_price_table *lwi_price_tables_acquire(lwi_price_tables *tables, const lw_navmesh *base,
                                                const lwi_prices *prices) {
  lwi_mutex_lock(&tables->lock);
  lwi_price_table *table = measured(tables, base, prices, UINT64_MAX);
  if (table) table->pins += 1;
  trim(tables);
  lwi_mutex_unlock(&tables->lock);
  return table;
}

const lwi_point_graph *lwi_price_tables_graph(lwi_price_tables *tables, const lw_navmesh *base) {
  lwi_mutex_lock(&tables->lock);
  const lwi_point_graph *graph = graph_of(tables, base);
  lwi_mutex_unlock(&tables->lock);
  return graph;
}

bool lwi_price_tables_prepare(lwi_price_tables *tables, const lw_navmesh *base, const lwi_prices *prices,
                              uint64_t *work) {
  lwi_mutex_lock(&tables->lock);
  const lwi_price_table *table = measured(tables, base, prices, *work);
  const bool is_enough = !table || (!table->build && table->work < *work);
  if (table && is_enough) *work = table->work;
  trim(tables);
  lwi_mutex_unlock(&tables->lock);
  return is_enough;
}

void lwi_price_tables_release(lwi_price_tables *tables, const lwi_price_table *held) {
  lwi_price_table *table = (lwi_price_table *)held;
  if (!table) return;
  lwi_mutex_lock(&tables->lock);
  table->pins -= 1;
  trim(tables);
  lwi_mutex_unlock(&tables->lock);
}

lwi_price_row lwi_price_row_at(const lwi_price_table *table, uint32_t polygon, lw_vec3 at) {
  const lwi_point_graph *graph = table->graph;
  const float price = lwi_price_of_ground(&table->prices, graph->base, polygon);
  const uint32_t first = graph->first_of[polygon], end = graph->first_of[polygon + 1];
  float from[LWI_PRICE_LANDMARKS];
  for (int k = 0; k < LWI_PRICE_LANDMARKS; k++) from[k] = first == end ? 0 : LWI_LANDMARK_NONE;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t point = graph->of_polygon[i];
    const int16_t *distances = table->distances + (size_t)point * LWI_PRICE_LANDMARKS;
    const float apart = lwi_distance(at, graph->places[point]) * price / table->unit;
    for (int k = 0; k < LWI_PRICE_LANDMARKS; k++)
      if (distances[k] < LWI_LANDMARK_NONE) from[k] = lwi_min(from[k], (float)distances[k] + apart);
  }
  lwi_price_row row;
  for (int k = 0; k < LWI_PRICE_LANDMARKS; k++) row.from[k] = (int16_t)lwi_min(from[k], LWI_LANDMARK_NONE);
  return row;
}
