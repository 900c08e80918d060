/* lw_navmesh_import(): which program's file it is, what holds for all kinds, and Polyanya's files. Detour's are
   read in import_detour.c. */
#include "mesh/import.h"

#include "core/file.h"
#include "core/status.h"
#include "core/vec3.h"
#include "mesh/mesh.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WALKABLE_AREA 63 /* RC_WALKABLE_AREA */

lw_import_settings lw_import_settings_default(void) {
  return (lw_import_settings){.areas = {[0] = 1, [WALKABLE_AREA] = 1}, .cookie = LWI_COOKIE};
}

/* Messages name an edge by its ends, since edges are numbered otherwise in the file. */
static lw_status differs(const lwi_import *import, const lw_navmesh *mesh, uint32_t polygon, uint32_t edge,
                         uint32_t other, bool they_meet) {
  lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  lw_vec3 a = lwi_corner(&outline, edge), b = lwi_corner(&outline, lwi_next_corner(&outline, edge));
  return lwi_fail(
      import->error, LW_BAD_FILE,
      "'%s': polygon %u %s polygon %u behind its edge from (%g, %g, %g) to (%g, %g, %g), but the two %s "
      "there",
      import->name, (unsigned)polygon + 1, they_meet ? "does not have" : "has", (unsigned)other + 1,
      (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z,
      they_meet ? "meet" : "do not meet");
}

static lw_status check_edge(const lwi_import *import, const lw_navmesh *mesh, uint32_t polygon, uint32_t edge,
                            uint32_t *portal, int behind) {
  uint32_t end = mesh->graph.end_portal[polygon], first = *portal;
  while (*portal < end && mesh->graph.portals[*portal].edge == edge) *portal += 1;
  if (behind == LWI_BEHIND_ANYTHING) return LW_OK;
  for (uint32_t k = first; k < *portal; k++)
    if (behind == LWI_BEHIND_NOTHING || mesh->graph.portals[k].to != (uint32_t)behind)
      return differs(import, mesh, polygon, edge, mesh->graph.portals[k].to, true);
  if (*portal > first || behind == LWI_BEHIND_NOTHING) return LW_OK;
  return differs(import, mesh, polygon, edge, (uint32_t)behind, false);
}

lw_status lwi_import_check_neighbors(const lwi_import *import, const lw_navmesh *mesh, const int *behind) {
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    uint32_t portal = mesh->graph.first_portal[p], corners = lwi_polygon_get(mesh, p).count;
    for (uint32_t edge = 0; edge < corners; edge++) {
      lw_status status = check_edge(import, mesh, p, edge, &portal, *behind++);
      if (status != LW_OK) return status;
    }
  }
  return LW_OK;
}

static lw_status check_settings(const lw_area_table *areas, const lw_import_settings *settings,
                                lw_error *error) {
  if (!areas || lw_area_table_count(areas) == 0)
    return lwi_fail(error, LW_INVALID, "areas is %s, expected a table with at least one area",
                    areas ? "empty" : "NULL");
  lw_status status = lwi_check_cookie(settings->cookie, "lw_import_settings", error);
  if (status != LW_OK) return status;
  for (int i = 0; i < LW_IMPORT_AREAS; i++)
    if (settings->areas[i] != LW_AREA_NONE && !lw_area_table_get(areas, settings->areas[i]))
      return lwi_fail(error, LW_INVALID, "areas[%d] is %d, expected 0 (none) to %d", i, settings->areas[i],
                      lw_area_table_count(areas));
  return LW_OK;
}

static lw_status read_kind(lwi_import *import, lw_navmesh **navmesh) {
  static const char own_magic[] = "LWNMESH";
  if (import->size == 0) return lwi_fail(import->error, LW_BAD_FILE, "'%s' is an empty file", import->name);
  if (import->size > INT32_MAX)
    return lwi_fail(import->error, LW_LIMIT, "'%s' is larger than 2 GiB", import->name);
  if (lwi_polyanya_is(import->data, import->size)) return lwi_polyanya_import(import, navmesh);
  if (lwi_detour_is(import->data, import->size)) return lwi_detour_import(import, navmesh);
  if (import->size >= sizeof own_magic && memcmp(import->data, own_magic, sizeof own_magic) == 0)
    return lwi_fail(import->error, LW_BAD_FILE, "'%s' is a leeward navmesh already: load it", import->name);
  return lwi_fail(import->error, LW_BAD_FILE,
                  "'%s' cannot be imported: expected a mesh of Polyanya or a tile set of Detour", import->name);
}

lw_status lw_navmesh_import(const char *file, const lw_area_table *areas, const lw_import_settings *settings,
                            lw_navmesh **navmesh, lw_error *error) {
  if (!navmesh) return lwi_fail_null(error, "navmesh");
  *navmesh = NULL;
  lw_import_settings defaults = lw_import_settings_default();
  if (!settings) settings = &defaults;
  if (!file) return lwi_fail_null(error, "file");
  if (!areas) return lwi_fail_null(error, "areas");
  lw_status status = check_settings(areas, settings, error);
  if (status != LW_OK) return status;
  lwi_memory memory = lwi_memory_make(settings->allocator);
  unsigned char *data;
  size_t size;
  status = lwi_file_read(file, &memory, &data, &size, error);
  if (status != LW_OK) return status;
  lwi_import import = {file, data, size, areas, settings, &memory, error};
  lw_navmesh *mesh = NULL;
  status = read_kind(&import, &mesh);
  lwi_free(&memory, data, size);
  lw_error invalid;
  if (status == LW_OK && lw_navmesh_validate(mesh, &invalid) != LW_OK)
    status = lwi_fail(error, LW_BAD_FILE, "'%s': %.400s", file, invalid.text);
  if (status == LW_OK)
    *navmesh = mesh;
  else
    lw_navmesh_destroy(mesh);
  return status;
}

/* --- Polyanya --------------------------------------------------------------------------------------------- */

/* Polyanya's `.mesh`, version 2 (Cui, Harabor, Grastien 2017): text, numbers separated by white space.

     mesh
     2
     V P                      numbers of vertices and polygons
     x y n p1 .. pn           a vertex, and the polygons around it in order; -1 is the outside
     n v1 .. vn p1 .. pn      a polygon's corners, and its neighbours: p_i shares v_{i-1} and v_i; -1 is blocked

   Vertices and polygons count from 0. The polygons around a vertex follow from the rest of the file, so only
   their range is checked. */
#define TOKEN_SIZE 64
/* The fewest bytes of a vertex ("0 0 0 ") and of a polygon ("3 0 1 2 0 0 0 "), except a last space. */
#define VERTEX_BYTES 6
#define POLYGON_BYTES 14

typedef struct scanner {
  lwi_import *import;
  const unsigned char *at, *end;
  int line;
  char token[TOKEN_SIZE];
} scanner;

typedef struct polyanya {
  scanner scan;
  lwi_memory *memory;
  int vertex_count, polygon_count;
  lw_vec3 *vertices;     /* [vertex_count] */
  int *counts;           /* [polygon_count] */
  int *corners, *behind; /* [corner_count] of all polygons; what is behind the edge that begins at the corner */
  int corner_count, corner_capacity, behind_capacity;
} polyanya;

/* What a number is, for messages: "the number of corners of polygon 3". */
typedef struct subject {
  const char *what;
  int index; /* 0: without a number */
} subject;

static void describe(subject about, char *text, size_t size) {
  if (about.index > 0)
    snprintf(text, size, "%s %d", about.what, about.index);
  else
    snprintf(text, size, "%s", about.what);
}

static bool next_token(scanner *scan) {
  while (scan->at < scan->end && isspace(*scan->at)) scan->line += *scan->at++ == '\n';
  size_t length = 0;
  while (scan->at < scan->end && !isspace(*scan->at)) {
    unsigned char c = *scan->at++;
    if (length + 1 < TOKEN_SIZE) scan->token[length++] = (char)(isprint(c) ? c : '?');
  }
  scan->token[length] = 0;
  return length > 0;
}

static lw_status wrong(const scanner *scan, subject about, const char *expected) {
  char what[96];
  describe(about, what, sizeof what);
  return lwi_fail(scan->import->error, LW_BAD_FILE, "%s:%d: %s is '%s', expected %s", scan->import->name,
                  scan->line, what, scan->token, expected);
}

static lw_status need_token(scanner *scan, subject about) {
  if (next_token(scan)) return LW_OK;
  char what[96];
  describe(about, what, sizeof what);
  return lwi_fail(scan->import->error, LW_BAD_FILE, "%s:%d: the file ends, expected %s", scan->import->name,
                  scan->line, what);
}

static lw_status read_integer(scanner *scan, subject about, long low, long high, int *value) {
  lw_status status = need_token(scan, about);
  if (status != LW_OK) return status;
  char *end, expected[80];
  long number = strtol(scan->token, &end, 10);
  if (*end == 0 && number >= low && number <= high) {
    *value = (int)number;
    return LW_OK;
  }
  snprintf(expected, sizeof expected, "a whole number from %ld to %ld", low, high);
  return wrong(scan, about, expected);
}

static lw_status read_coordinate(scanner *scan, subject about, float *value) {
  lw_status status = need_token(scan, about);
  if (status != LW_OK) return status;
  char *end;
  double number = lwi_number_read(scan->token, &end);
  if (*end != 0 || !isfinite(number) || fabs(number) > 1e6) return wrong(scan, about, "a number within +-1e6");
  *value = (float)number;
  return LW_OK;
}

bool lwi_polyanya_is(const unsigned char *data, size_t size) {
  size_t i = 0;
  while (i < size && isspace(data[i])) i++;
  return size - i > 4 && memcmp(data + i, "mesh", 4) == 0 && isspace(data[i + 4]);
}

/* Counts that the rest of the file is too short for are refused before anything is allocated. */
static lw_status read_head(polyanya *mesh) {
  scanner *scan = &mesh->scan;
  int version;
  next_token(scan); /* mesh */
  lw_status status = read_integer(scan, (subject){"the version", 0}, 0, INT32_MAX, &version);
  if (status != LW_OK) return status;
  if (version != 2) return wrong(scan, (subject){"the version", 0}, "2");
  status = read_integer(scan, (subject){"the number of vertices", 0}, 3, INT32_MAX, &mesh->vertex_count);
  if (status != LW_OK) return status;
  status = read_integer(scan, (subject){"the number of polygons", 0}, 1, INT32_MAX, &mesh->polygon_count);
  if (status != LW_OK) return status;
  int64_t left = scan->end - scan->at + 1; /* one for the space that may be missing at the end */
  if ((int64_t)mesh->vertex_count * VERTEX_BYTES + (int64_t)mesh->polygon_count * POLYGON_BYTES <= left)
    return LW_OK;
  return lwi_fail(scan->import->error, LW_BAD_FILE,
                  "%s:%d: the file is too short for %d vertices and %d polygons", scan->import->name,
                  scan->line, mesh->vertex_count, mesh->polygon_count);
}

static lw_status read_vertex(polyanya *mesh, int vertex) {
  scanner *scan = &mesh->scan;
  float x, y;
  int around, polygon;
  lw_status status = read_coordinate(scan, (subject){"x of vertex", vertex + 1}, &x);
  if (status == LW_OK) status = read_coordinate(scan, (subject){"y of vertex", vertex + 1}, &y);
  if (status == LW_OK)
    status = read_integer(scan, (subject){"the number of polygons around vertex", vertex + 1}, 0, INT32_MAX,
                          &around);
  if (status != LW_OK) return status;
  mesh->vertices[vertex] = lwi_vec3(x, 0, y);
  for (int i = 0; i < around && status == LW_OK; i++)
    status = read_integer(scan, (subject){"a polygon around vertex", vertex + 1}, -1, mesh->polygon_count - 1,
                          &polygon);
  return status;
}

static bool reserve_corners(polyanya *mesh, int more) {
  int needed = mesh->corner_count + more;
  return lwi_reserve(mesh->memory, &mesh->corners, &mesh->corner_capacity, needed, sizeof *mesh->corners) &&
         lwi_reserve(mesh->memory, &mesh->behind, &mesh->behind_capacity, needed, sizeof *mesh->behind);
}

/* In the file neighbour i is behind the edge that ends at corner i: rotate the list to the edge that begins
   there. */
static void turn_neighbors(int *behind, int count) {
  int first = behind[0];
  for (int i = 1; i < count; i++) behind[i - 1] = behind[i];
  behind[count - 1] = first;
}

static void reverse(int *numbers, int count) {
  for (int i = 0, j = count - 1; i < j; i++, j--) {
    int number = numbers[i];
    numbers[i] = numbers[j];
    numbers[j] = number;
  }
}

/* Counter-clockwise in the file's plane is clockwise in xz seen from above. After reversing, edge i runs from
   the old corner n-1-i to n-2-i, so it is the edge that began at n-2-i. */
static void wind(const polyanya *mesh, int *corners, int *behind, int count) {
  double area2 = 0;
  for (int i = 2; i < count; i++)
    area2 += lwi_turn(mesh->vertices[corners[0]], mesh->vertices[corners[i - 1]], mesh->vertices[corners[i]]);
  if (area2 >= 0) return;
  reverse(corners, count);
  reverse(behind, count - 1);
}

static lw_status read_polygon(polyanya *mesh, int polygon) {
  scanner *scan = &mesh->scan;
  int count;
  lw_status status =
      read_integer(scan, (subject){"the number of corners of polygon", polygon + 1}, 3, 255, &count);
  if (status != LW_OK) return status;
  if (!reserve_corners(mesh, count)) return lwi_fail_status(scan->import->error, LW_OUT_OF_MEMORY);
  int *corners = mesh->corners + mesh->corner_count, *behind = mesh->behind + mesh->corner_count;
  for (int i = 0; i < count && status == LW_OK; i++)
    status = read_integer(scan, (subject){"a corner of polygon", polygon + 1}, 0, mesh->vertex_count - 1,
                          &corners[i]);
  for (int i = 0; i < count && status == LW_OK; i++)
    status = read_integer(scan, (subject){"a neighbour of polygon", polygon + 1}, LWI_BEHIND_NOTHING,
                          mesh->polygon_count - 1, &behind[i]);
  if (status != LW_OK) return status;
  turn_neighbors(behind, count);
  wind(mesh, corners, behind, count);
  mesh->counts[polygon] = count;
  mesh->corner_count += count;
  return LW_OK;
}

static lw_status read_all(polyanya *mesh) {
  scanner *scan = &mesh->scan;
  lw_status status = LW_OK;
  for (int i = 0; i < mesh->vertex_count && status == LW_OK; i++) status = read_vertex(mesh, i);
  for (int i = 0; i < mesh->polygon_count && status == LW_OK; i++) status = read_polygon(mesh, i);
  if (status == LW_OK && next_token(scan))
    return lwi_fail(scan->import->error, LW_BAD_FILE,
                    "%s:%d: the text after %d polygons is '%s', expected the end of the file",
                    scan->import->name, scan->line, mesh->polygon_count, scan->token);
  return status;
}

static lw_status build(const polyanya *mesh, lw_navmesh **navmesh) {
  const lwi_import *import = mesh->scan.import;
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = import->areas;
  def.vertices = mesh->vertices;
  def.vertex_count = mesh->vertex_count;
  def.corners = mesh->corners;
  def.corner_counts = mesh->counts;
  def.polygon_count = mesh->polygon_count;
  def.allocator = import->settings->allocator;
  lw_error inner;
  lw_status status = lw_navmesh_create(&def, navmesh, &inner);
  if (status == LW_INVALID)
    return lwi_fail(import->error, LW_BAD_FILE, "'%s': %.400s", import->name, inner.text);
  if (status != LW_OK) return lwi_fail_status(import->error, status);
  return lwi_import_check_neighbors(import, *navmesh, mesh->behind);
}

lw_status lwi_polyanya_import(lwi_import *import, lw_navmesh **navmesh) {
  polyanya mesh = {
      .scan = {.import = import, .at = import->data, .end = import->data + import->size, .line = 1},
      .memory = import->memory};
  lw_status status = read_head(&mesh);
  if (status != LW_OK) return status;
  size_t vertices = (size_t)mesh.vertex_count, polygons = (size_t)mesh.polygon_count;
  mesh.vertices = lwi_alloc(mesh.memory, vertices * sizeof *mesh.vertices);
  mesh.counts = lwi_alloc(mesh.memory, polygons * sizeof *mesh.counts);
  status = mesh.vertices && mesh.counts ? read_all(&mesh) : lwi_fail_status(import->error, LW_OUT_OF_MEMORY);
  if (status == LW_OK) status = build(&mesh, navmesh);
  lwi_free(mesh.memory, mesh.vertices, vertices * sizeof *mesh.vertices);
  lwi_free(mesh.memory, mesh.counts, polygons * sizeof *mesh.counts);
  lwi_free(mesh.memory, mesh.corners, (size_t)mesh.corner_capacity * sizeof *mesh.corners);
  lwi_free(mesh.memory, mesh.behind, (size_t)mesh.behind_capacity * sizeof *mesh.behind);
  return status;
}
