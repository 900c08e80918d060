/// Inside a route table.
#ifndef LW_QUERY_ROUTE_TABLE_H
#define LW_QUERY_ROUTE_TABLE_H

#include "leeward/route_table.h"
#include "query/distance_field.h"

/// The route from one place to another.
typedef struct lwi_route {
  float cost; ///< [metre-equivalents] INFINITY: there is none.
  lw_vec3 next;
} lwi_route;

typedef struct lwi_route_name {
  char text[LW_ROUTE_NAME_SIZE]; ///< "": it has none.
} lwi_route_name;

struct lw_route_table {
  lwi_memory memory;
  const lwi_scene *scene;
  int count;
  lwi_route *routes;        ///< [count * count] From place i to place k at i * count + k.
  lwi_route_name *names;    ///< [count]
  char profile[32];         ///< Its name; "": none.
  uint64_t changes;         ///< lwi_scene.changes when it was computed.
  lw_distance_field *field; ///< Of the last place, without what it computed: its prices. NULL: it was loaded.
};

/// @return NULL: no memory.
lw_route_table *lwi_route_table_make(const lwi_scene *scene, int count);
/// By what a file's navmeshes are recognised.
uint64_t lwi_route_identity(const lwi_scene *scene);

#endif
