/// Navmesh files damaged on purpose, with valid checksums, so that only their contents can be detected as
/// wrong; and queries on files that load.
#ifndef LW_TESTS_DAMAGE_H
#define LW_TESTS_DAMAGE_H

#include "core/random.h"
#include "leeward/navmesh.h"

/// Make checksums, size and kind fit the contents, as far as the sections fit into the file.
void damage_repair(unsigned char *data, size_t size);
/// Change a bit, or a number to one that may be out of range, somewhere behind `begin`.
void damage_number(unsigned char *data, size_t begin, size_t size, lw_random *random);
/// Bytes of the head.
size_t damage_head_size(void);
/// Where section `which` lies in a good file, from 0. [bytes] @return Its name, or NULL: there are not so many.
const char *damage_section(const unsigned char *data, int which, size_t *begin, size_t *size);

/// Ask everything that can be asked, from places on the navmesh and beside it. What it answers does not matter.
void damage_probe(const lw_navmesh *navmesh, uint64_t seed);

#endif
