/// Names and capacities of a navmesh's off-mesh links, and how open waypoint edges lie. They stand behind the
/// sections of its file, and only if there are any: files from before there were names are read, too.
#ifndef LW_MESH_LINK_NOTES_H
#define LW_MESH_LINK_NOTES_H

#include "leeward/base.h"
#include "mesh/mesh.h"

/// Does the link need a note? Those of bakes need one for waypoint edges, too.
static inline bool lwi_link_has_note(const lw_link_def *def, const char *name) {
  return def->capacity != -1 || (name && name[0] != 0);
}
/// @param name  Of at most LW_LINK_NAME_MAX bytes; NULL: none.
lwi_link_note lwi_link_note_of(uint32_t request, const lw_link_def *def, const char *name);
/// The note of a request; NULL: it has none.
const lwi_link_note *lwi_link_note_find(const lwi_annotations *annotations, uint32_t request);
/// Copy the notes of other annotations. @return false: no memory.
bool lwi_link_notes_copy(lw_navmesh *mesh, const lwi_annotations *from);
void lwi_link_notes_free(lw_navmesh *mesh);

/// In the file: a checksum of what follows, then the notes. [bytes, a multiple of LWI_SECTION_ALIGNMENT]
size_t lwi_link_notes_size(const lwi_annotations *annotations);
/// @param[out] to  [lwi_link_notes_size()]
void lwi_link_notes_write(const lwi_annotations *annotations, unsigned char *to);
/// @param wrong  What is wrong with them. @return LW_OK, LW_BAD_FILE, LW_OUT_OF_MEMORY.
lw_status lwi_link_notes_read(lw_navmesh *mesh, const unsigned char *from, size_t size, const char **wrong);

#endif
