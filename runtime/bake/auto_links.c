#include "bake/auto_links.h"

#include "bake/auto_link_search.h"
#include "core/parallel.h"
#include "core/platform.h"
#include "core/status.h"

#define CHUNK 64 /* polygons */
/* How far the ends of a link may be moved when it is joined again: they lie on the ground. [m] */
#define JOIN_RADIUS 0.1f

/* --- the search, on several threads ----------------------------------------------------------------------- */

/* The links of a chunk of polygons. */
typedef struct piece {
  lwi_memory memory; /* of the links */
  lwi_auto_link *items;
  int count, capacity;
} piece;

typedef struct finder {
  const lw_navmesh *mesh;
  lwi_auto_link_places places;
  lwi_memory memory; /* scratch of the calling thread */
  piece *pieces;     /* [piece_count] */
  int piece_count;
  lwi_ground_space ground;
  lwi_solid_space space;
} finder;

/* Runs on any thread. */
static bool search_piece(void *user, int index) {
  finder *f = user;
  piece *into = &f->pieces[index];
  lwi_auto_link_search search = {.places = &f->places, .memory = &into->memory};
  search.ground.memory = search.near.memory = search.walk.memory = &into->memory;
  const uint32_t first = (uint32_t)index * CHUNK, rest = f->mesh->polygons.count - first;
  bool done = true;
  for (uint32_t i = 0; done && i < CHUNK && i < rest; i++)
    done = lwi_auto_link_search_polygon(&search, first + i);
  lwi_auto_link_search_end(&search);
  into->items = search.items;
  into->count = search.count;
  into->capacity = search.capacity;
  return done;
}

static bool search_all(finder *f) {
  f->piece_count = (int)((f->mesh->polygons.count + CHUNK - 1) / CHUNK);
  f->pieces = lwi_alloc_zero(&f->memory, (size_t)f->piece_count * sizeof *f->pieces);
  if (!f->pieces && f->piece_count > 0) return false;
  for (int i = 0; i < f->piece_count; i++) {
    f->pieces[i].memory = f->memory;
    f->pieces[i].memory.bytes = 0;
  }
  const lw_box bounds = lwi_box_grow(f->mesh->bounds, lwi_auto_link_reach(f->places.used));
  const lwi_parallel run = {
      .count = f->piece_count, .threads = f->places.used->threads, .work = search_piece, .user = f};
  f->places.ground = &f->ground;
  f->places.space = &f->space;
  return lwi_ground_space_init(&f->ground, f->mesh, &f->memory) &&
         lwi_solid_space_init(&f->space, f->places.geometry, bounds, &f->memory) && lwi_parallel_run(&run);
}

static void end(finder *f) {
  for (int i = 0; f->pieces && i < f->piece_count; i++)
    lwi_free(&f->pieces[i].memory, f->pieces[i].items,
             (size_t)f->pieces[i].capacity * sizeof *f->pieces[i].items);
  lwi_free(&f->memory, f->pieces, (size_t)f->piece_count * sizeof *f->pieces);
  lwi_ground_space_free(&f->ground, &f->memory);
  lwi_solid_space_free(&f->space, &f->memory);
}

/* --- spacing ---------------------------------------------------------------------------------------------- */

/* A link in one direction, in the list of the cell where it begins. */
typedef struct kept_link {
  lw_vec3 from, to;
  uint8_t kind;
  int next; /* of the same slot; -1: none */
} kept_link;

/* Links by where they begin: a hash of cells as wide as the spacing. */
typedef struct kept_links {
  lwi_memory *memory;
  kept_link *items; /* [count] */
  int count, capacity;
  int *heads; /* [slot_count] */
  uint32_t slot_count;
} kept_links;

static int cell_of(float at) {
  return (int)floorf(at / LWI_AUTO_LINK_SPACING); /* coordinates are limited: no overflow */
}

static uint32_t slot_of(const kept_links *links, int x, int z) {
  return ((uint32_t)x * 2654435761u ^ (uint32_t)z * 2246822519u) & (links->slot_count - 1);
}

static bool keep(kept_links *links, lw_vec3 from, lw_vec3 to, uint8_t kind) {
  if (!lwi_reserve(links->memory, &links->items, &links->capacity, links->count + 1, sizeof *links->items))
    return false;
  int *head = &links->heads[slot_of(links, cell_of(from.x), cell_of(from.z))];
  links->items[links->count] = (kept_link){from, to, kind, *head};
  *head = links->count++;
  return true;
}

static bool is_near(const kept_link *link, lw_vec3 from, lw_vec3 to, uint8_t kind) {
  return link->kind == kind && lwi_distance(link->from, from) < LWI_AUTO_LINK_SPACING &&
         lwi_distance(link->to, to) < LWI_AUTO_LINK_SPACING;
}

static bool has_near(const kept_links *links, lw_vec3 from, lw_vec3 to, uint8_t kind) {
  const int x = cell_of(from.x), z = cell_of(from.z);
  for (int i = 0; i < 9; i++)
    for (int k = links->heads[slot_of(links, x + i % 3 - 1, z + i / 3 - 1)]; k >= 0; k = links->items[k].next)
      if (is_near(&links->items[k], from, to, kind)) return true;
  return false;
}

/* The links of the geometry count, too: what designers have placed is not found a second time. */
static bool keep_requests(kept_links *links, const lw_navmesh *mesh) {
  for (uint32_t i = 0; i < mesh->annotations.request_count; i++) {
    const lwi_request *request = &mesh->annotations.requests[i];
    if (request->state != LW_LINK_JOINED) continue;
    if (!keep(links, request->start.at, request->end.at, request->kind)) return false;
    if (request->bidirectional && !keep(links, request->end.at, request->start.at, request->kind)) return false;
  }
  return true;
}

static lwi_request request_of(const lwi_auto_link *link) {
  lw_link_def def = lw_link_def_default();
  def.kind = (lw_link_kind)link->kind;
  def.from = link->from;
  def.to = link->to;
  def.bidirectional = link->both;
  def.radius = JOIN_RADIUS;
  return lwi_request_of(&def);
}

/* The requests of the links that are kept. */
typedef struct requests {
  lwi_request *items;
  int count, capacity;
} requests;

static bool thin_out(const finder *f, kept_links *links, requests *out) {
  for (int i = 0; i < f->piece_count; i++)
    for (int k = 0; k < f->pieces[i].count; k++) {
      const lwi_auto_link *link = &f->pieces[i].items[k];
      if (has_near(links, link->from, link->to, link->kind)) continue;
      if (!keep(links, link->from, link->to, link->kind) ||
          (link->both && !keep(links, link->to, link->from, link->kind)) ||
          !lwi_reserve(links->memory, &out->items, &out->capacity, out->count + 1, sizeof *out->items))
        return false;
      out->items[out->count++] = request_of(link);
    }
  return true;
}

static uint32_t slots_for(const finder *f) {
  uint64_t links = f->mesh->annotations.request_count;
  uint32_t slots = 64;
  for (int i = 0; i < f->piece_count; i++) links += (uint64_t)f->pieces[i].count;
  while (slots < links && slots < 1u << 30) slots *= 2;
  return slots;
}

static bool space_out(finder *f, requests *out) {
  kept_links links = {.memory = &f->memory, .slot_count = slots_for(f)};
  links.heads = lwi_alloc(&f->memory, links.slot_count * sizeof *links.heads);
  for (uint32_t i = 0; links.heads && i < links.slot_count; i++) links.heads[i] = -1;
  const bool done = links.heads && keep_requests(&links, f->mesh) && thin_out(f, &links, out);
  lwi_free(&f->memory, links.heads, links.slot_count * sizeof *links.heads);
  lwi_free(&f->memory, links.items, (size_t)links.capacity * sizeof *links.items);
  return done;
}

/* --- all of it -------------------------------------------------------------------------------------------- */

static bool find(lw_navmesh *mesh, const lw_geometry *geometry, const lwi_memory *memory,
                 lw_bake_report *report) {
  finder f = {.mesh = mesh, .places = {mesh, geometry, NULL, NULL, &report->used}, .memory = *memory};
  requests found = {0};
  bool done = search_all(&f) && space_out(&f, &found);
  end(&f);
  done = done && lwi_graph_add_links(mesh, found.items, (uint32_t)found.count);
  report->auto_links = done ? found.count : 0;
  lwi_free(&f.memory, found.items, (size_t)found.capacity * sizeof *found.items);
  return done;
}

lw_status lwi_bake_auto_links(lw_navmesh *mesh, const lw_geometry *geometry, const lwi_memory *memory,
                              lw_bake_report *report, lw_error *error) {
  if (!(report->used.auto_links.drop > 0) && !(report->used.auto_links.jump > 0)) return LW_OK;
  const double begin = lwi_clock();
  const bool done = find(mesh, geometry, memory, report);
  report->auto_link_seconds = lwi_clock() - begin;
  return done ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}
