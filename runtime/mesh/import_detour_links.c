/* Detour's off-mesh connections, 36 bytes each:

     from and to (6 floats); radius (float); its polygon (2 bytes); flags (1 byte: 1 = both ways); side (1 byte);
     user's id (4 bytes)

   They become jumps, priced as the area of their polygon, and are joined to the mesh anew. */
#include "core/status.h"
#include "geometry/geometry.h"
#include "mesh/import_detour.h"

#include <stdio.h>

#define CONNECTION_SIZE 36
#define POLYGON_SIZE 32
#define BOTH_WAYS 1u

uint32_t lwi_detour_link_count(const lwi_detour_tile *tiles, int count) {
  uint64_t links = 0;
  for (int i = 0; i < count; i++) links += tiles[i].counts[LWI_DETOUR_CONNECTION_COUNT];
  return (uint32_t)links; /* the file is smaller than 2 GiB */
}

static lw_vec3 point(const unsigned char *at) {
  return lwi_vec3(lwi_detour_float(at), lwi_detour_float(at + 4), lwi_detour_float(at + 8));
}

static lw_status read_link(const lwi_import *import, const lwi_detour_tile *tile, uint32_t index,
                           lwi_request *request) {
  const unsigned char *from = tile->parts[LWI_DETOUR_CONNECTIONS] + CONNECTION_SIZE * (size_t)index;
  uint32_t polygon = (uint32_t)from[28] | (uint32_t)from[29] << 8;
  lw_error error;
  if (polygon >= tile->counts[LWI_DETOUR_POLYGON_COUNT])
    return lwi_fail(import->error, LW_BAD_FILE, "'%s': tile %d: off-mesh connection %u is polygon %u of %u",
                    import->name, tile->number, (unsigned)index + 1, (unsigned)polygon + 1,
                    (unsigned)tile->counts[LWI_DETOUR_POLYGON_COUNT]);
  unsigned area = tile->parts[LWI_DETOUR_POLYGONS][POLYGON_SIZE * (size_t)polygon + 31] & 63u;
  lw_link_def link = lw_link_def_default();
  link.from = point(from);
  link.to = point(from + 12);
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
