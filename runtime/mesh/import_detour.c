/* Detour's tile sets, as RecastDemo saves them. All numbers little-endian, four bytes unless said otherwise:

     set      magic 'MSET', version 1, number of tiles, then the grid: origin (3 floats), tile width (x) and
              height (z) (floats), most tiles, most polygons a tile
     tile     reference, size of what follows up to the next tile
       head   magic 'DNAV', version 7, x, z, layer, user id, then counts: polygons, vertices, links, detail
              meshes, detail vertices, detail triangles, tree nodes, off-mesh connections, the first polygon
              that is one; floats: agent height, radius, climb, bounds (minimum, maximum), tree scale
       vertices          3 floats; those of off-mesh connections come last
       polygons          first link; 6 corners (2 bytes each); 6 neighbours (2 bytes each: 0 none, n + 1 polygon
                         n of the tile, 0x8000 | side: the border of the tile at +x 0, +z 2, -x 4, -z 6); flags
                         (2 bytes); corner count (1 byte); area (6 bits) and type (2 bits: 0 ground, 1 off-mesh)
       links             12 bytes each, filled when a tile is added: not read
       detail meshes     first vertex, first triangle, vertex and triangle count (1 byte each), 2 bytes unused
       detail vertices   3 floats
       detail triangles  3 corners (1 byte each: below the polygon's corner count one of those, else a detail
                         vertex), flags (1 byte)
       tree              16 bytes a node: not read
       off-mesh connections  from and to (6 floats), radius (float), its polygon (2 bytes), flags (1 byte: 1 =
                         both ways), side (1 byte), user id

   Off-mesh connections become jumps, priced as the area of their polygon, and are joined to the mesh again.
   With 64-bit references (DT_POLYREF64) reference, links and gaps are larger; such files are refused. */
#include "mesh/import_detour.h"

#include "core/status.h"
#include "geometry/geometry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET_SIZE 40
#define TILE_SIZE 8
#define HEAD_SIZE 100
#define SET_VERSION 1
#define TILE_VERSION 7

static bool is_word(const unsigned char *at, const char *reversed_magic) {
  return memcmp(at, reversed_magic, 4) == 0;
}

bool lwi_detour_is(const unsigned char *data, size_t size) {
  static const char *const starts[] = {"TESM", "MSET", "VAND", "DNAV", "TEST", "TSET"};
  for (size_t i = 0; size >= 4 && i < sizeof starts / sizeof *starts; i++)
    if (is_word(data, starts[i])) return true;
  return false;
}

/* --- finding the tiles ------------------------------------------------------------------------------------ */

static lw_status check_set(const lwi_import *import) {
  const unsigned char *data = import->data;
  const char *wrong = NULL;
  if (is_word(data, "MSET") || is_word(data, "DNAV") || is_word(data, "TSET"))
    wrong = "is from a machine of another byte order (big-endian): save it on a little-endian one";
  else if (is_word(data, "VAND"))
    wrong = "is a single Detour tile: save the tile set ('MSET')";
  else if (is_word(data, "TEST"))
    wrong = "is a Detour tile cache ('TSET'), which holds no polygons: save the tile set ('MSET')";
  if (wrong) return lwi_fail(import->error, LW_BAD_FILE, "'%s' %s", import->name, wrong);
  if (import->size < SET_SIZE)
    return lwi_fail(import->error, LW_BAD_FILE, "'%s' is cut short within its head", import->name);
  if (lwi_detour_word(data + 4) != SET_VERSION)
    return lwi_fail(import->error, LW_BAD_FILE, "'%s' is a Detour tile set of version %u, expected version %d",
                    import->name, (unsigned)lwi_detour_word(data + 4), SET_VERSION);
  if (lwi_detour_word(data + 8) == 0)
    return lwi_fail(import->error, LW_EMPTY, "'%s' holds no tiles", import->name);
  if (lwi_detour_word(data + 8) > (import->size - SET_SIZE) / (TILE_SIZE + HEAD_SIZE))
    return lwi_fail(import->error, LW_BAD_FILE, "'%s' is too short for its %u tiles", import->name,
                    (unsigned)lwi_detour_word(data + 8));
  if (import->size >= SET_SIZE + 20 && is_word(data + SET_SIZE + 16, "VAND"))
    return lwi_fail(import->error, LW_BAD_FILE,
                    "'%s' has 64-bit polygon references: save it from a Detour without DT_POLYREF64",
                    import->name);
  return LW_OK;
}

/* Sizes of the parts after a tile's head. */
static void part_sizes(const lwi_detour_tile *tile, uint64_t sizes[LWI_DETOUR_PARTS]) {
  const uint32_t *count = tile->counts;
  sizes[LWI_DETOUR_VERTICES] = 12ULL * count[LWI_DETOUR_VERTEX_COUNT];
  sizes[LWI_DETOUR_POLYGONS] = 32ULL * count[LWI_DETOUR_POLYGON_COUNT];
  sizes[LWI_DETOUR_LINKS] = 12ULL * count[LWI_DETOUR_LINK_COUNT];
  sizes[LWI_DETOUR_MESHES] = 12ULL * count[LWI_DETOUR_MESH_COUNT];
  sizes[LWI_DETOUR_DETAIL_VERTICES] = 12ULL * count[LWI_DETOUR_DETAIL_VERTEX_COUNT];
  sizes[LWI_DETOUR_TRIANGLES] = 4ULL * count[LWI_DETOUR_TRIANGLE_COUNT];
  sizes[LWI_DETOUR_TREE] = 16ULL * count[LWI_DETOUR_NODE_COUNT];
  sizes[LWI_DETOUR_CONNECTIONS] = 36ULL * count[LWI_DETOUR_CONNECTION_COUNT];
}

static lw_status check_counts(const lwi_import *import, const lwi_detour_tile *tile, uint32_t size) {
  const uint32_t *count = tile->counts;
  uint64_t sizes[LWI_DETOUR_PARTS], total = HEAD_SIZE;
  part_sizes(tile, sizes);
  for (int i = 0; i < LWI_DETOUR_PARTS; i++) total += sizes[i];
  if (total != size)
    return lwi_fail(import->error, LW_BAD_FILE,
                    "'%s': tile %d has %u bytes, but its head counts parts of %llu bytes", import->name,
                    tile->number, (unsigned)size, (unsigned long long)total);
  uint64_t ground = count[LWI_DETOUR_GROUND_COUNT];
  if (ground + count[LWI_DETOUR_CONNECTION_COUNT] != count[LWI_DETOUR_POLYGON_COUNT])
    return lwi_fail(import->error, LW_BAD_FILE,
                    "'%s': tile %d has %u polygons, but its first off-mesh connection of %u is number %llu",
                    import->name, tile->number, (unsigned)count[LWI_DETOUR_POLYGON_COUNT],
                    (unsigned)count[LWI_DETOUR_CONNECTION_COUNT], (unsigned long long)(ground + 1));
  if (count[LWI_DETOUR_MESH_COUNT] != 0 && count[LWI_DETOUR_MESH_COUNT] < ground)
    return lwi_fail(import->error, LW_BAD_FILE, "'%s': tile %d has %llu polygons, but only %u detail meshes",
                    import->name, tile->number, (unsigned long long)ground,
                    (unsigned)count[LWI_DETOUR_MESH_COUNT]);
  return LW_OK;
}

static lw_status check_numbers(const lwi_import *import, const lwi_detour_tile *tile) {
  const float *size = &tile->agent.radius;
  for (int i = 0; i < 3; i++)
    if (!(size[i] >= 0 && size[i] <= 1e6f))
      return lwi_fail(import->error, LW_BAD_FILE,
                      "'%s': tile %d: radius, height and climb are %g, %g and %g, expected 0 to 1e+06",
                      import->name, tile->number, (double)size[0], (double)size[1], (double)size[2]);
  const lw_vec3 corners[2] = {tile->bounds.min, tile->bounds.max};
  for (int i = 0; i < 2; i++)
    if (!lwi_detour_is_sane(corners[i]))
      return lwi_fail(import->error, LW_BAD_FILE,
                      "'%s': tile %d: its bounds reach (%g, %g, %g), expected numbers within +-1e+06",
                      import->name, tile->number, (double)corners[i].x, (double)corners[i].y,
                      (double)corners[i].z);
  return LW_OK;
}

/* The floats of a head come as height, radius, climb, bounds. */
static void read_floats(lwi_detour_tile *tile, const unsigned char *at) {
  float values[9];
  for (int i = 0; i < 9; i++) values[i] = lwi_detour_float(at + 4 * i);
  tile->agent = (lw_navmesh_agent){.radius = values[1], .height = values[0], .climb = values[2]};
  tile->bounds = (lw_box){{values[3], values[4], values[5]}, {values[6], values[7], values[8]}};
}

static lw_status open_tile(const lwi_import *import, lwi_detour_tile *tile, const unsigned char *head,
                           uint32_t size) {
  if (size < HEAD_SIZE || !is_word(head, "VAND"))
    return lwi_fail(import->error, LW_BAD_FILE, "'%s': tile %d is not a Detour tile ('DNAV')", import->name,
                    tile->number);
  if (lwi_detour_word(head + 4) != TILE_VERSION)
    return lwi_fail(import->error, LW_BAD_FILE, "'%s': tile %d is of version %u, expected version %d",
                    import->name, tile->number, (unsigned)lwi_detour_word(head + 4), TILE_VERSION);
  tile->x = (int32_t)lwi_detour_word(head + 8);
  tile->z = (int32_t)lwi_detour_word(head + 12);
  tile->layer = (int32_t)lwi_detour_word(head + 16);
  for (int i = 0; i < LWI_DETOUR_COUNTS; i++) tile->counts[i] = lwi_detour_word(head + 24 + 4 * i);
  read_floats(tile, head + 60);
  lw_status status = check_counts(import, tile, size);
  if (status == LW_OK) status = check_numbers(import, tile);
  if (status != LW_OK) return status;
  uint64_t sizes[LWI_DETOUR_PARTS];
  part_sizes(tile, sizes);
  const unsigned char *at = head + HEAD_SIZE;
  for (int i = 0; i < LWI_DETOUR_PARTS; at += sizes[i++]) tile->parts[i] = at;
  return LW_OK;
}

static lw_status find_tiles(lwi_import *import, lwi_detour_tile *tiles, int count) {
  const unsigned char *at = import->data + SET_SIZE, *end = import->data + import->size;
  for (int i = 0; i < count; i++) {
    lwi_detour_tile *tile = &tiles[i];
    tile->number = i + 1;
    if (end - at < TILE_SIZE || lwi_detour_word(at + 4) > (size_t)(end - at - TILE_SIZE))
      return lwi_fail(import->error, LW_BAD_FILE, "'%s' is cut short within tile %d of %d", import->name,
                      tile->number, count);
    uint32_t size = lwi_detour_word(at + 4);
    lw_status status = open_tile(import, tile, at + TILE_SIZE, size);
    if (status != LW_OK) return status;
    if (memcmp(&tile->agent, &tiles[0].agent, sizeof tile->agent) != 0)
      return lwi_fail(import->error, LW_BAD_FILE, "'%s': tile %d is for another size of agent than tile 1",
                      import->name, tile->number);
    at += TILE_SIZE + size;
  }
  if (at == end) return LW_OK;
  return lwi_fail(import->error, LW_BAD_FILE, "'%s' has %zu bytes after its last tile", import->name,
                  (size_t)(end - at));
}

static int compare_places(const void *left, const void *right) {
  const lwi_detour_tile *a = *(lwi_detour_tile *const *)left, *b = *(lwi_detour_tile *const *)right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  if (a->z != b->z) return a->z < b->z ? -1 : 1;
  if (a->layer != b->layer) return a->layer < b->layer ? -1 : 1;
  return a->number - b->number;
}

static lw_status check_places(const lwi_import *import, lwi_detour_tile *tiles, int count) {
  size_t size = (size_t)count * sizeof(lwi_detour_tile *);
  lwi_detour_tile **sorted = lwi_alloc(import->memory, size);
  if (!sorted) return lwi_fail_status(import->error, LW_OUT_OF_MEMORY);
  for (int i = 0; i < count; i++) sorted[i] = &tiles[i];
  qsort(sorted, (size_t)count, sizeof *sorted, compare_places);
  lw_status status = LW_OK;
  for (int i = 1; i < count && status == LW_OK; i++) {
    const lwi_detour_tile *a = sorted[i - 1], *b = sorted[i];
    if (a->x == b->x && a->z == b->z && a->layer == b->layer)
      status = lwi_fail(import->error, LW_BAD_FILE, "'%s': tiles %d and %d both lie at %d, %d in layer %d",
                        import->name, a->number, b->number, a->x, a->z, a->layer);
  }
  lwi_free(import->memory, sorted, size);
  return status;
}

/* Only square tiles make a grid. */
static lw_status read_tile_size(const lwi_import *import, float *tile_size) {
  float width = lwi_detour_float(import->data + 24), height = lwi_detour_float(import->data + 28);
  if (!(width > 0 && width <= 1e6f && height > 0 && height <= 1e6f))
    return lwi_fail(import->error, LW_BAD_FILE, "'%s': its tiles are %g x %g m, expected 0 < size <= 1e+06",
                    import->name, (double)width, (double)height);
  *tile_size = width == height ? width : 0;
  return LW_OK;
}

lw_status lwi_detour_import(lwi_import *import, lw_navmesh **navmesh) {
  float tile_size = 0;
  lw_status status = check_set(import);
  if (status == LW_OK) status = read_tile_size(import, &tile_size);
  if (status != LW_OK) return status;
  int count = (int)lwi_detour_word(import->data + 8);
  size_t size = (size_t)count * sizeof(lwi_detour_tile);
  lwi_detour_tile *tiles = lwi_alloc_zero(import->memory, size);
  if (!tiles) return lwi_fail_status(import->error, LW_OUT_OF_MEMORY);
  status = find_tiles(import, tiles, count);
  if (status == LW_OK) status = check_places(import, tiles, count);
  if (status == LW_OK) status = lwi_detour_build(import, tiles, count, tile_size, navmesh);
  lwi_free(import->memory, tiles, size);
  return status;
}

/* --- off-mesh connections --------------------------------------------------------------------------------- */

#define CONNECTION_SIZE 36
#define POLYGON_SIZE 32
#define BOTH_WAYS 1u

uint32_t lwi_detour_link_count(const lwi_detour_tile *tiles, int count) {
  uint64_t links = 0;
  for (int i = 0; i < count; i++) links += tiles[i].counts[LWI_DETOUR_CONNECTION_COUNT];
  return (uint32_t)links; /* fits: the file is smaller than 2 GiB */
}

static lw_status read_link(const lwi_import *import, const lwi_detour_tile *tile, uint32_t index,
                           lwi_request *request) {
  const unsigned char *from = tile->parts[LWI_DETOUR_CONNECTIONS] + CONNECTION_SIZE * (size_t)index;
  uint32_t polygon = lwi_detour_half(from + 28);
  lw_error error;
  if (polygon >= tile->counts[LWI_DETOUR_POLYGON_COUNT])
    return lwi_fail(import->error, LW_BAD_FILE, "'%s': tile %d: off-mesh connection %u is polygon %u of %u",
                    import->name, tile->number, (unsigned)index + 1, (unsigned)polygon + 1,
                    (unsigned)tile->counts[LWI_DETOUR_POLYGON_COUNT]);
  unsigned area = tile->parts[LWI_DETOUR_POLYGONS][POLYGON_SIZE * (size_t)polygon + 31] & 63u;
  lw_link_def link = lw_link_def_default();
  link.from = lwi_detour_point(from);
  link.to = lwi_detour_point(from + 12);
  link.radius = lwi_detour_float(from + 24);
  link.bidirectional = (from[30] & BOTH_WAYS) != 0;
  link.area = import->settings->areas[area];
  *request = lwi_request_of(&link);
  if (lwi_link_check(&link, import->areas, "off-mesh connection", &error) == LW_OK) return LW_OK;
  return lwi_fail(import->error, LW_BAD_FILE, "'%s': tile %d: %s (number %u)", import->name, tile->number,
                  error.text, (unsigned)index + 1);
}

lw_status lwi_detour_read_links(const lwi_import *import, const lwi_detour_tile *tiles, int count,
                                lwi_request *links) {
  for (int i = 0; i < count; i++)
    for (uint32_t k = 0; k < tiles[i].counts[LWI_DETOUR_CONNECTION_COUNT]; k++) {
      lw_status status = read_link(import, &tiles[i], k, links++);
      if (status != LW_OK) return status;
    }
  return LW_OK;
}
