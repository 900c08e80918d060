/* Memory by part beside Detour's tiles, and how long a navmesh file takes to load. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/platform.h"
#include "mesh/sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 21

/* --- memory -------------------------------------------------------------------------------------------------------- */

/* What the parts of the table are made of. */
static const struct {
  const char *name;
  int sections[10]; /* ends with -1 */
} parts[] = {
    {"corners", {LWI_CORNERS, LWI_EDGES, -1}},
    {"portals", {LWI_PORTAL_RANGES, LWI_PORTALS, LWI_INTERVALS, -1}},
    {"grid", {LWI_GRID_RANGES, LWI_GRID_REFERENCES, LWI_GRID_FLOORS, -1}},
    {"polygon", {LWI_RANGES, LWI_AREAS, LWI_ISLANDS, LWI_ALIASES, -1}},
    {"detail",
     {LWI_DETAIL_VERTEX_RANGES, LWI_DETAIL_VERTICES, LWI_DETAIL_TRIANGLE_RANGES, LWI_DETAIL_TRIANGLES,
      LWI_DETAIL_NEIGHBOUR_RANGES, LWI_DETAIL_NEIGHBOURS, -1}},
};
#define DETAIL 4
#define SIGHT 5 /* all that is attached */
enum { REST = SIGHT + 1, PARTS };

static void sum_parts(const lw_navmesh *mesh, size_t bytes[PARTS]) {
  bytes[REST] = lw_navmesh_get_stats(mesh).bytes;
  bytes[SIGHT] = 0;
  for (int slot = 0; slot < LWI_ATTACHMENT_COUNT; slot++) bytes[SIGHT] += lwi_attachment_bytes(mesh, slot);
  for (int part = 0; part < SIGHT; part++) {
    bytes[part] = 0;
    for (const int *section = parts[part].sections; *section >= 0; section++) {
      const lwi_section_place at = lwi_section_own(mesh, *section);
      bytes[part] += (size_t)lwi_section_size(&at);
    }
  }
  for (int part = 0; part <= SIGHT; part++) bytes[REST] -= bytes[part];
}

/* @param detour  NULL: it has not these polygons. */
static void print_memory(const char *name, const lw_navmesh *mesh, const peer *detour) {
  size_t bytes[PARTS], total = lw_navmesh_get_stats(mesh).bytes;
  double polygons = mesh->polygons.count;
  sum_parts(mesh, bytes);
  total -= bytes[SIGHT]; /* Detour has none */
  double without_detail = (double)(total - bytes[DETAIL]);
  printf("%-18s %5.0f", name, polygons);
  for (int part = 0; part < DETAIL; part++) printf(" %8.1f", (double)bytes[part] / polygons);
  printf(" %8.1f %8.1f %8.1f %6.0f", (double)bytes[REST] / polygons, without_detail / polygons,
         (double)bytes[DETAIL] / polygons, (double)bytes[SIGHT] / 1e3);
  if (detour) {
    size_t all = peer_bytes(detour), detail = peer_detail_bytes(detour);
    printf(" %8.1f %8.1f %5.2f %5.2f", (double)(all - detail) / polygons, (double)detail / polygons,
           without_detail / (double)(all - detail), (double)total / (double)all);
  }
  printf("\n");
}

/* --- loading ------------------------------------------------------------------------------------------------------- */

typedef struct load_row {
  const char *name, *kind;
  int polygons;
  long size;                  /* [bytes] */
  double median, worst, read; /* [s] */
} load_row;

typedef struct loads {
  load_row rows[2 * (LEVEL_COUNT + GRID_COUNT)];
  int count;
  bool failed;
} loads;

/* Only to read the file's bytes: what no loading without mapping can be faster than. */
static double time_read(const char *file, long *size) {
  double begin = lwi_clock();
  FILE *stream = fopen(file, "rb");
  if (!stream) return 0;
  fseek(stream, 0, SEEK_END);
  *size = ftell(stream);
  rewind(stream);
  char *bytes = malloc((size_t)*size + 1);
  if (!bytes || fread(bytes, 1, (size_t)*size, stream) != (size_t)*size) abort();
  fclose(stream);
  free(bytes);
  return lwi_clock() - begin;
}

static bool time_load(const char *file, const lw_area_table *areas, load_row *row) {
  double times[ROUNDS], reads[ROUNDS];
  lw_error error = {0};
  for (int round = -1; round < ROUNDS; round++) { /* once unmeasured: the file is in the page cache */
    lw_navmesh *mesh;
    double begin = lwi_clock();
    lw_status status = lw_navmesh_load(file, areas, NULL, &mesh, &error);
    double took = lwi_clock() - begin, read = time_read(file, &row->size);
    if (status != LW_OK) {
      printf("%s: %s\n", row->name, error.text);
      return false;
    }
    lw_navmesh_destroy(mesh);
    if (round < 0) continue;
    times[round] = took;
    reads[round] = read;
  }
  row->median = bench_quantile(times, ROUNDS, 0.5);
  row->worst = times[ROUNDS - 1];
  row->read = bench_quantile(reads, ROUNDS, 0.5);
  return true;
}

static bool measure_load(const char *name, const char *kind, const lw_navmesh *mesh, loads *out) {
  const char *folder = getenv("TMPDIR");
  char file[1024];
  lw_error error = {0};
  snprintf(file, sizeof file, "%s/leeward-bench-%ld.lwn", folder && *folder ? folder : "/tmp", (long)getpid());
  load_row row = {.name = name, .kind = kind, .polygons = (int)mesh->polygons.count};
  bool saved = lw_navmesh_save(mesh, file, &error) == LW_OK;
  if (!saved) printf("%s: %s\n", name, error.text);
  bool measured = saved && time_load(file, lw_navmesh_area_table(mesh), &row);
  remove(file);
  if (measured) out->rows[out->count++] = row;
  return measured;
}

static void measure(bench_place *place, void *user) {
  loads *out = user;
  print_memory(place->name, place->same.mesh, place->detour);
  if (place->whole.mesh) print_memory("  unsplit", place->whole.mesh, NULL);
  fflush(stdout);
  bool measured = measure_load(place->name, place->whole.mesh ? "split" : "", place->same.mesh, out);
  if (place->whole.mesh) measured = measure_load(place->name, "unsplit", place->whole.mesh, out) && measured;
  out->failed = out->failed || !measured;
}

static void print_loads(const loads *of) {
  printf(
      "\nloading a navmesh file, checks included, page cache warm, of %d times; read: only to read its bytes\n",
      ROUNDS);
  printf("%-26s %6s %8s %10s %9s %8s\n", "level", "polys", "kB", "median, ms", "worst, ms", "read, ms");
  for (int i = 0; i < of->count; i++) {
    const load_row *row = &of->rows[i];
    printf("%-18s %-7s %6d %8.0f %10.3f %9.3f %8.3f\n", row->name, row->kind, row->polygons,
           (double)row->size / 1e3, row->median * 1e3, row->worst * 1e3, row->read * 1e3);
  }
  printf("\n");
}

int main(void) {
  static loads all;
  bench_head("memory");
  printf("bytes a polygon; sum: storage and search graph together, height detail apart, of Detour (tiles, no "
         "search\n"
         "nodes) as well; polygon: ranges, tile, area, island, alias; sight: occluders and cover, kB in all, "
         "in no sum\n");
  printf("%-18s %5s %8s %8s %8s %8s %8s %8s %8s %6s %8s %8s %11s\n", "", "", "", "", "", "", "", "", "", "",
         "Detour", "Detour", "ratio");
  printf("%-18s %5s %8s %8s %8s %8s %8s %8s %8s %6s %8s %8s %5s %5s\n", "level", "polys", "corners", "portals",
         "grid", "polygon", "rest", "sum", "detail", "sight", "sum", "detail", "sum", "all");
  int places = bench_places(measure, &all);
  print_loads(&all);
  return places == 0 || all.failed;
}
