/// The arrays of a navmesh, in the order in which memory and file hold them: the navmesh's own, then those of
/// the groups that other folders attach to it.
#ifndef LW_MESH_SECTIONS_H
#define LW_MESH_SECTIONS_H

#include "mesh/mesh.h"

/// Sections begin at multiples of this in memory and file. [bytes]
#define LWI_SECTION_ALIGNMENT 16

/// One array.
typedef struct lwi_section {
  const char *name; ///< As messages say it.
  size_t pointer;   ///< Offset of the array's pointer in the group's struct.
  size_t element;   ///< [bytes]
} lwi_section;
/// The array that `field` of struct `type` points to.
#define LWI_SECTION(text, type, field)                                                                         \
  { text, offsetof(type, field), sizeof *((type *)0)->field }

/// Arrays that belong together, and the struct that holds their pointers. To add a group: describe it in the
/// folder that reads it, take a slot of lwi_attachments for it, put it into lwi_attached_groups, and raise
/// LWI_FILE_VERSION.
typedef struct lwi_section_group {
  const char *name;            ///< As messages say it.
  const lwi_section *sections; ///< [section_count]
  int section_count;
  size_t size;          ///< Of the group's struct. [bytes]
  size_t head_size;     ///< Of what the struct begins with: numbers, saved as they are. [bytes, no gaps]
  size_t old_head_size; ///< That up to LWI_FILE_VERSION_OPEN; the rest is by default. 0: the same. [bytes]
  const void *defaults; ///< The struct of a navmesh that has nothing of this group. NULL: zeros.
  /// How many elements section `section` has, by the numbers that the struct begins with.
  uint64_t (*count)(const lw_navmesh *mesh, const void *group, int section);
  /// NULL, or what is wrong with the numbers that the struct begins with. The function may be NULL.
  const char *(*check_head)(const void *group);
  /// NULL, or what is wrong with a section that is not empty. Sections before it are already checked.
  const char *(*check)(const lw_navmesh *mesh, const void *group, int section);
  /// Copy the numbers of what does not depend on how ground is cut into polygons, for a navmesh of other
  /// polygons; its arrays are then copied by `count`. NULL: there is nothing of that kind.
  void (*carry)(const void *from, void *to);
  /// Fill the group's fields of the statistics. NULL: it has none.
  void (*add_stats)(const lw_navmesh *mesh, const void *group, lw_navmesh_stats *stats);
} lwi_section_group;

/// The attached groups by slot of lwi_attachments. Defined in cover/cover_sections.c, which sees every folder
/// that has one.
extern const lwi_section_group *const lwi_attached_groups[LWI_ATTACHMENT_COUNT];

/// The navmesh's own sections.
enum {
  LWI_TILES,
  LWI_RANGES,
  LWI_CORNERS,
  LWI_EDGES,
  LWI_AREAS,
  LWI_OPENNESS,
  LWI_DEPTHS,
  LWI_HEADROOMS,
  LWI_STEPS,
  LWI_DETAIL_VERTEX_RANGES,
  LWI_DETAIL_VERTICES,
  LWI_DETAIL_TRIANGLE_RANGES,
  LWI_DETAIL_TRIANGLES,
  LWI_DETAIL_NEIGHBOUR_RANGES,
  LWI_DETAIL_NEIGHBOURS,
  LWI_PORTAL_RANGES,
  LWI_PORTALS,
  LWI_INTERVALS,
  LWI_INTERVAL_STEPS,
  LWI_ISLANDS,
  LWI_ALIASES,
  LWI_GRID_RANGES,
  LWI_GRID_REFERENCES,
  LWI_GRID_FLOORS,
  LWI_LINK_RANGES,
  LWI_LINKS,
  LWI_REQUESTS,
  LWI_WATERS,
  LWI_WATER_POINTS,
  LWI_SECTION_COUNT
};

/// A section of a navmesh: what lwi_section_next() walks over.
typedef struct lwi_section_place {
  const lw_navmesh *mesh;
  const lwi_section_group *group;
  void *data;   ///< The group's struct.
  int slot;     ///< -1: the navmesh's own.
  int index;    ///< Within the group.
  int position; ///< Among all sections.
} lwi_section_place;

/// Begin walking over all sections, in order, with the first call of lwi_section_next().
lwi_section_place lwi_section_begin(const lw_navmesh *mesh);
/// @return false: there are no more.
bool lwi_section_next(lwi_section_place *at);
/// @param section  One of the navmesh's own.
lwi_section_place lwi_section_own(const lw_navmesh *mesh, int section);

static inline const lwi_section *lwi_section_of(const lwi_section_place *at) {
  return &at->group->sections[at->index];
}
/// Elements.
static inline uint64_t lwi_section_count(const lwi_section_place *at) {
  return at->group->count(at->mesh, at->data, at->index);
}
/// [bytes]
static inline uint64_t lwi_section_size(const lwi_section_place *at) {
  return lwi_section_count(at) * lwi_section_of(at)->element;
}
/// The size with what fills it up to the next section. [bytes]
static inline uint64_t lwi_section_padded(uint64_t size) {
  return (size + LWI_SECTION_ALIGNMENT - 1) / LWI_SECTION_ALIGNMENT * LWI_SECTION_ALIGNMENT;
}
void *lwi_section_get(const lwi_section_place *at);
void lwi_section_set(const lwi_section_place *at, void *array);
/// What a group's arrays take. [bytes]
size_t lwi_attachment_bytes(const lw_navmesh *mesh, int slot);
/// Free a group's arrays, and set its struct to zeros.
void lwi_attachment_clear(lw_navmesh *mesh, int slot);

/// @return An empty navmesh with its attachments, or NULL: no memory. The caller frees it with
///   lw_navmesh_destroy().
lw_navmesh *lwi_navmesh_new(const lwi_memory *memory);
/// Give the groups the arrays that they carry from `from` (lwi_section_group.carry). @return false: no memory.
bool lwi_attachments_carry(lw_navmesh *mesh, const lwi_attachments *from);

/// Move arrays that were allocated one by one, and those of the block that there is, into a block of the
/// navmesh's own.
/// @return false: no memory.
bool lwi_sections_pack(lw_navmesh *mesh);
/// Set the arrays that are parts of sections, once these are where they stay.
void lwi_sections_derive(lw_navmesh *mesh);
/// Free all arrays, packed or not.
void lwi_sections_free(lw_navmesh *mesh);
/// Check every number whose value could make a query read outside the arrays or never end. Fast enough for
/// every file that is loaded. @param[out] which  The section that is wrong. @return NULL, or what is wrong with
/// it.
const char *lwi_sections_check(const lw_navmesh *mesh, lwi_section_place *which);
/// Check the numbers that are no arrays, and so how many elements each section has. Before the sections.
/// @param[out] whose  What of the file is wrong. @return NULL, or what is wrong with it.
const char *lwi_heads_check(const lw_navmesh *mesh, const char **whose);
/// lwi_section_group.check of the navmesh's own sections.
const char *lwi_own_section_check(const lw_navmesh *mesh, const void *group, int section);

/// Checks that several groups need: coordinates that are finite and not so large that floats cannot hold
/// differences, and ranges that begin with 0, end with `total` and never fall.
bool lwi_check_finite(const float *numbers, size_t count);
bool lwi_check_ranges(const uint32_t *first, uint64_t count, uint32_t total);

/// Generations of tiles that were never replaced. Those of different navmeshes begin differently, so that an id
/// of one is stale in another (but for one pair of navmeshes in 32,767); the same navmesh, baked or loaded,
/// always has the same ids.
/// @return false: no memory.
bool lwi_generations_make(lw_navmesh *mesh);

#endif
