/* Room graphs: what it costs to walk from door to door. */
#include "query/room_graph.h"

#include "core/sort.h"
#include "core/status.h"
#include "mesh/link_fits.h"

#include <math.h>
#include <string.h>

/* --- ground ------------------------------------------------------------------------------------------------------- */

typedef struct graph_build {
  lw_room_graph *graph;
  lwi_room_costs *costs;
  const lwi_reach *reach;
  uint32_t *parts; /* [region_count] The part of its room that a region is in, as obstacles leave it */
} graph_build;

static bool may_cross(const graph_build *build, const lwi_portal *portal) {
  return lwi_price_behind(&build->graph->prices, &build->reach->graph, portal) < INFINITY;
}

static bool find_ground(const graph_build *build) {
  lwi_room_costs *costs = build->costs;
  lwi_memory *memory = &build->graph->memory;
  const lwi_graph *graph = &build->reach->graph;
  const lw_navmesh *mesh = build->graph->nav->mesh;
  costs->region_count = graph->region_count;
  costs->room_count = build->graph->regions->layout.room_count;
  costs->rooms = lwi_alloc(memory, costs->region_count * sizeof *costs->rooms);
  costs->locals = lwi_alloc(memory, costs->region_count * sizeof *costs->locals);
  costs->by_room = lwi_alloc_zero(memory, costs->room_count * sizeof *costs->by_room);
  if (!costs->rooms || !costs->locals || !costs->by_room) return false;
  for (uint32_t r = 0; r < costs->region_count; r++) {
    costs->rooms[r] = LWI_NONE;
    costs->locals[r] = 0;
    if (build->reach->labels[r] == LWI_NONE || !lwi_is_there(mesh, lwi_region_polygon(graph, r))) continue;
    const uint32_t room = lwi_nav_room_of(build->graph->nav, lwi_region_polygon(graph, r));
    const float price = lwi_price_in(&build->graph->prices, graph, r);
    if (room == LWI_NONE || !(price < INFINITY)) continue;
    lwi_room_ends *of = &costs->by_room[room];
    const float area = (float)lwi_area_of(mesh, lwi_region_polygon(graph, r));
    costs->rooms[r] = room;
    costs->locals[r] = of->region_count++;
    of->price += price * area;
    if (of->region_count > costs->largest) costs->largest = of->region_count;
  }
  for (uint32_t i = 0; i < costs->room_count; i++) {
    const float area = (float)build->graph->regions->layout.rooms[i].area;
    costs->by_room[i].price = area > 0 ? fmaxf(costs->by_room[i].price / area, build->graph->prices.lowest) : 1;
  }
  return true;
}

/* Number the parts of rooms between which no agent gets within the room. @param open  [region_count] To be used. */
static void number_parts(const graph_build *build, uint32_t *open) {
  const lwi_graph *graph = &build->reach->graph;
  const uint32_t *rooms = build->costs->rooms;
  uint32_t *parts = build->parts, part = 0;
  for (uint32_t r = 0; r < build->costs->region_count; r++) parts[r] = LWI_NONE;
  for (uint32_t seed = 0; seed < build->costs->region_count; seed++) {
    if (rooms[seed] == LWI_NONE || parts[seed] != LWI_NONE) continue;
    uint32_t count = 0;
    parts[open[count++] = seed] = part;
    while (count > 0) {
      const uint32_t at = open[--count];
      for (uint32_t k = graph->first_portal[at]; k < graph->end_portal[at]; k++) {
        const uint32_t to = graph->portals[k].to;
        if (rooms[to] != rooms[at] || parts[to] != LWI_NONE || !may_cross(build, &graph->portals[k])) continue;
        parts[open[count++] = to] = part;
      }
    }
    part += 1;
  }
}

static bool find_parts(graph_build *build) {
  lwi_memory *memory = &build->graph->memory;
  const size_t size = build->costs->region_count * sizeof(uint32_t);
  uint32_t *open = lwi_alloc(memory, size);
  build->parts = lwi_alloc(memory, size);
  const bool done = open && build->parts;
  if (done) number_parts(build, open);
  lwi_free(memory, open, size);
  return done;
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static lwi_room_node *add_node(const graph_build *build, const lwi_room_node *node) {
  lwi_room_costs *costs = build->costs;
  if (!lwi_reserve(&build->graph->memory, &costs->nodes, &costs->node_capacity, costs->node_count + 1,
                   sizeof *costs->nodes))
    return NULL;
  lwi_room_node *added = &costs->nodes[costs->node_count++];
  *added = *node;
  added->first_piece = (uint32_t)costs->piece_count;
  return added;
}

static bool add_piece(const graph_build *build, const lwi_room_piece *piece) {
  lwi_room_costs *costs = build->costs;
  if (!lwi_reserve(&build->graph->memory, &costs->pieces, &costs->piece_capacity, costs->piece_count + 1,
                   sizeof *costs->pieces))
    return false;
  costs->pieces[costs->piece_count++] = *piece;
  costs->nodes[costs->node_count - 1].piece_count += 1;
  return true;
}

/* Where agents can cross from a region to a polygon of the base. */
static bool add_pieces(const graph_build *build, uint32_t region, uint32_t base, uint32_t room) {
  const lwi_graph *graph = &build->reach->graph;
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    const lwi_portal *portal = &graph->portals[k];
    if (lwi_origin_of(graph->mesh, lwi_region_polygon(graph, portal->to)) != base) continue;
    if (build->costs->rooms[portal->to] != room || !may_cross(build, portal)) continue;
    lwi_room_piece piece = {.regions = {region, portal->to},
                            .parts = {build->parts[region], build->parts[portal->to]}};
    lwi_graph_points(graph, region, portal, &piece.left, &piece.right);
    if (!add_piece(build, &piece)) return false;
  }
  return true;
}

/* The place of a door is the middle of the piece that is nearest to its middle: a part of it may be blocked. */
static void place_door(const graph_build *build, lwi_room_node *node, lw_vec3 middle) {
  lw_vec3 best = middle;
  for (uint32_t i = 0; i < node->piece_count; i++) {
    const lwi_room_piece *piece = &build->costs->pieces[node->first_piece + i];
    const lw_vec3 at = lwi_lerp(piece->left, piece->right, 0.5f);
    if (i == 0 || lwi_distance(at, middle) < lwi_distance(best, middle)) best = at;
  }
  node->at[0] = node->at[1] = best;
}

static bool joins_the_same(const lwi_room_piece *a, const lwi_room_piece *b) {
  return a->parts[0] == b->parts[0] && a->parts[1] == b->parts[1];
}

static int by_number(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

static int by_parts(const void *left, const void *right) {
  const lwi_room_piece *a = left, *b = right;
  for (int side = 0; side < 2; side++)
    if (a->parts[side] != b->parts[side]) return by_number(a->parts[side], b->parts[side]);
  for (int side = 0; side < 2; side++)
    if (a->regions[side] != b->regions[side]) return by_number(a->regions[side], b->regions[side]);
  return a->left.x != b->left.x ? (a->left.x > b->left.x ? 1 : -1)
                                : (a->left.z > b->left.z) - (a->left.z < b->left.z);
}

/* A door between rooms of several parts is one node for each two of these: its pieces lead into that part alone that is
   behind them. @param n  The node, with the pieces of all. @return false: no memory. */
static bool part_door(const graph_build *build, int n, lw_vec3 middle) {
  lwi_room_costs *costs = build->costs;
  const lwi_room_node door = costs->nodes[n];
  const uint32_t end = door.first_piece + door.piece_count;
  uint32_t to = door.first_piece + 1;
  while (to < end && joins_the_same(&costs->pieces[door.first_piece], &costs->pieces[to])) to++;
  if (to < end) lwi_sort(costs->pieces + door.first_piece, door.piece_count, sizeof *costs->pieces, by_parts);
  for (uint32_t from = door.first_piece; from < end; from = to) {
    for (to = from + 1; to < end && joins_the_same(&costs->pieces[from], &costs->pieces[to]);) to++;
    lwi_room_node *node = from == door.first_piece ? &costs->nodes[n] : add_node(build, &door);
    if (!node) return false;
    node->first_piece = from;
    node->piece_count = to - from;
    place_door(build, node, middle);
  }
  return true;
}

static bool add_door(const graph_build *build, uint32_t d) {
  const lw_regions *regions = build->graph->regions;
  const lwi_door *door = &regions->layout.doors[d];
  const lw_navmesh *mesh = build->graph->nav->mesh;
  lwi_room_node *node =
      add_node(build, &(lwi_room_node){.door = (int)d, .rooms = {door->rooms[0], door->rooms[1]}});
  if (!node) return false;
  for (uint32_t i = 0; i < door->portal_count; i++) {
    const lwi_crossing *crossing = &regions->layout.portals[door->first_portal + i];
    lwi_part_walk parts = lwi_parts_of(mesh, crossing->polygon);
    for (uint32_t part; lwi_next_part(&parts, &part);)
      for (uint32_t r = part; r != LWI_NONE; r = lwi_next_region(&build->reach->graph, r))
        if (build->costs->rooms[r] == door->rooms[0] &&
            !add_pieces(build, r, regions->mesh->graph.portals[crossing->portal].to, door->rooms[1]))
          return false;
  }
  if (node->piece_count > 0) return part_door(build, build->costs->node_count - 1, door->at);
  build->costs->node_count -= 1; /* it is shut */
  return true;
}

/* On another navmesh than that of the regions each portal between two rooms is a door. */
static bool add_crossings(const graph_build *build) {
  const lwi_graph *graph = &build->reach->graph;
  const lwi_room_costs *costs = build->costs;
  for (uint32_t r = 0; r < costs->region_count; r++) {
    if (costs->rooms[r] == LWI_NONE) continue;
    for (uint32_t k = graph->first_portal[r]; k < graph->end_portal[r]; k++) {
      const lwi_portal *portal = &graph->portals[k];
      const uint32_t here = costs->rooms[r], there = costs->rooms[portal->to];
      if (there == LWI_NONE || here >= there) continue;
      if (!may_cross(build, portal)) continue;
      lwi_room_piece piece = {.regions = {r, portal->to}};
      lwi_graph_points(graph, r, portal, &piece.left, &piece.right);
      lwi_room_node *node = add_node(build, &(lwi_room_node){.door = -1, .rooms = {here, there}});
      if (!node || !add_piece(build, &piece)) return false;
      place_door(build, node, lwi_lerp(piece.left, piece.right, 0.5f));
    }
  }
  return true;
}

static bool add_link(const graph_build *build, uint32_t from, uint32_t i) {
  const lw_navmesh *mesh = build->graph->nav->mesh;
  const lwi_link *link = &mesh->links.items[i];
  if (!lwi_link_passes(mesh, link, &build->graph->prices.filter)) return true;
  const lw_location start = {link->start, lwi_poly_id(mesh, from)},
                    end = {link->end, lwi_poly_id(mesh, link->to)};
  const lwi_room_piece piece = {
      .regions = {lwi_room_region_at(build->reach, mesh, start), lwi_room_region_at(build->reach, mesh, end)},
      .left = link->start,
      .right = link->end};
  if (piece.regions[0] == LWI_NONE || piece.regions[1] == LWI_NONE) return true;
  const uint32_t *rooms = build->costs->rooms;
  const uint32_t here = rooms[piece.regions[0]], there = rooms[piece.regions[1]];
  if (here == LWI_NONE || there == LWI_NONE || here == there) return true;
  const float price = 0.5f * (lwi_price_in(&build->graph->prices, &build->reach->graph, piece.regions[0]) +
                              lwi_price_in(&build->graph->prices, &build->reach->graph, piece.regions[1]));
  const lwi_room_node node = {.door = -1,
                              .link = mesh->links.ids ? mesh->links.ids[i] : lw_link_id_none(),
                              .rooms = {here, there},
                              .at = {link->start, link->end},
                              .price = price * link->length + lwi_link_cost(mesh, link)};
  return add_node(build, &node) && add_piece(build, &piece);
}

static bool find_nodes(const graph_build *build) {
  const lw_navmesh *mesh = build->graph->nav->mesh;
  if (build->graph->nav->base != build->graph->regions->mesh) {
    if (!add_crossings(build)) return false;
  } else {
    for (uint32_t d = 0; d < build->graph->regions->layout.door_count; d++)
      if (!add_door(build, d)) return false;
  }
  for (uint32_t p = 0; mesh->links.first && p < mesh->polygons.count; p++)
    for (uint32_t i = mesh->links.first[p]; lwi_is_there(mesh, p) && i < mesh->links.end[p]; i++)
      if (!add_link(build, p, i)) return false;
  return true;
}

/* List the nodes by room. */
static bool list_ends(const graph_build *build) {
  lwi_room_costs *costs = build->costs;
  costs->end_count = 2 * costs->node_count;
  if (!lwi_reserve(&build->graph->memory, &costs->ends, &costs->end_capacity, costs->end_count,
                   sizeof *costs->ends))
    return false;
  for (int n = 0; n < costs->node_count; n++)
    for (int side = 0; side < 2; side++) costs->by_room[costs->nodes[n].rooms[side]].count += 1;
  for (uint32_t i = 0, first = 0; i < costs->room_count; i++) {
    costs->by_room[i].first = first;
    first += costs->by_room[i].count;
    costs->by_room[i].count = 0;
  }
  for (int n = 0; n < costs->node_count; n++)
    for (int side = 0; side < 2; side++) {
      lwi_room_ends *room = &costs->by_room[costs->nodes[n].rooms[side]];
      costs->ends[room->first + room->count++] = (uint32_t)n;
    }
  return true;
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

static bool start_at_node(lwi_room_walk *walk, const lwi_room_node *node, int side) {
  for (uint32_t i = 0; i < node->piece_count; i++) {
    const lwi_room_piece *piece = &walk->costs->pieces[node->first_piece + i];
    const lw_vec3 at = lw_link_id_is_none(node->link)
                           ? lwi_nearest_on(piece->left, piece->right, node->at[side])
                           : node->at[side];
    const float price = lwi_price_in(&walk->graph->prices, &walk->reach->graph, piece->regions[side]);
    if (!lwi_room_walk_from(walk, piece->regions[side], at, price * lwi_distance(at, node->at[side])))
      return false;
  }
  return lwi_room_walk_run(walk);
}

/* What it costs to go on from a node, on one of its sides. */
static bool add_costs(const graph_build *build, lwi_room_walk *walk, lwi_room_node *node, int side) {
  lwi_room_costs *costs = build->costs;
  const uint32_t room = node->rooms[side];
  const lwi_room_ends *of = &costs->by_room[room];
  node->first_cost[side] = LWI_NONE;
  if (of->count > LWI_ROOM_ENDS_MAX) return true;
  if (!lwi_reserve(&build->graph->memory, &costs->costs, &costs->cost_capacity,
                   costs->cost_count + (int)of->count, sizeof *costs->costs))
    return false;
  lwi_room_walk_begin(walk, room);
  if (!start_at_node(walk, node, side)) return false;
  node->first_cost[side] = (uint32_t)costs->cost_count;
  for (uint32_t i = 0; i < of->count; i++) {
    const lwi_room_node *other = &costs->nodes[costs->ends[of->first + i]];
    costs->costs[costs->cost_count++] = lwi_room_walk_to(walk, other, other->rooms[0] == room ? 0 : 1);
  }
  return true;
}

static bool find_costs(const graph_build *build) {
  lwi_room_walk walk;
  bool done = lwi_room_walk_init(&walk, &build->graph->memory, build->graph, build->costs, build->reach);
  for (int n = 0; done && n < build->costs->node_count; n++) {
    lwi_room_node *node = &build->costs->nodes[n];
    const bool both = node->door >= 0 || lw_link_id_is_none(node->link);
    done = (!both || add_costs(build, &walk, node, 0)) && add_costs(build, &walk, node, 1);
  }
  lwi_room_walk_free(&walk);
  return done;
}

static void free_costs(lwi_room_costs *costs, lwi_memory *memory) {
  lwi_free(memory, costs->rooms, costs->region_count * sizeof *costs->rooms);
  lwi_free(memory, costs->locals, costs->region_count * sizeof *costs->locals);
  lwi_free(memory, costs->by_room, costs->room_count * sizeof *costs->by_room);
  lwi_free(memory, costs->nodes, (size_t)costs->node_capacity * sizeof *costs->nodes);
  lwi_free(memory, costs->pieces, (size_t)costs->piece_capacity * sizeof *costs->pieces);
  lwi_free(memory, costs->ends, (size_t)costs->end_capacity * sizeof *costs->ends);
  lwi_free(memory, costs->costs, (size_t)costs->cost_capacity * sizeof *costs->costs);
  *costs = (lwi_room_costs){0};
}

static lw_status compute(lw_room_graph *graph) {
  lwi_room_costs costs = {0};
  graph->regions = graph->nav->regions;
  if (!graph->regions) return LW_NOT_FOUND;
  lwi_prices scratch;
  graph->prices = *lwi_scene_prices(graph->scene, graph->profile, graph->scene->visibility, &scratch);
  const lwi_reach *reach = lwi_components_acquire(&graph->nav->shared->components, &graph->prices.filter);
  graph_build build = {.graph = graph, .costs = &costs, .reach = reach};
  const bool done = reach && find_ground(&build) && find_parts(&build) && find_nodes(&build) &&
                    list_ends(&build) && find_costs(&build);
  lwi_free(&graph->memory, build.parts, costs.region_count * sizeof *build.parts);
  lwi_components_release(&graph->nav->shared->components, reach);
  if (!done) {
    free_costs(&costs, &graph->memory);
    return LW_OUT_OF_MEMORY;
  }
  free_costs(&graph->costs, &graph->memory);
  graph->costs = costs;
  graph->costs.is_done = true;
  graph->changes = graph->scene->changes;
  graph->set = graph->nav->regions_set;
  graph->version = graph->regions->version;
  return LW_OK;
}

/* --- the graph ---------------------------------------------------------------------------------------------------- */

lw_status lw_room_graph_create(const lw_world *world, int navmesh, const lw_profile *profile,
                               lw_room_graph **graph) {
  if (!graph) return LW_INVALID;
  *graph = NULL;
  if (!world) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  if (navmesh < 0 || navmesh >= scene->nav_count) return LW_INVALID;
  lwi_memory memory = lwi_memory_make(&scene->allocator);
  lw_room_graph *created = lwi_alloc_zero(&memory, sizeof *created);
  if (!created) return LW_OUT_OF_MEMORY;
  created->memory = memory;
  created->scene = scene;
  created->nav = &scene->navs[navmesh];
  created->profile = profile;
  const lw_status status = compute(created);
  if (status == LW_OK)
    *graph = created;
  else
    lw_room_graph_destroy(created);
  return status;
}

void lw_room_graph_destroy(lw_room_graph *graph) {
  if (!graph) return;
  free_costs(&graph->costs, &graph->memory);
  lwi_memory last = graph->memory;
  lwi_free(&last, graph, sizeof *graph);
}

bool lw_room_graph_is_stale(const lw_room_graph *graph) {
  return graph && (!graph->costs.is_done || graph->changes != graph->scene->changes ||
                   graph->set != graph->nav->regions_set || graph->version != graph->regions->version);
}

lw_status lw_room_graph_refresh(lw_room_graph *graph) {
  if (!graph) return LW_INVALID;
  if (!lw_room_graph_is_stale(graph)) return LW_OK;
  graph->costs.is_done = false;
  return compute(graph);
}

size_t lw_room_graph_memory(const lw_room_graph *graph) {
  return graph ? graph->memory.bytes : 0;
}
