/// Navmesh files damaged on purpose, so cleverly that only what they say can give them away; and questions to ask of what is
/// loaded all the same.
#ifndef LW_TESTS_DAMAGE_H
#define LW_TESTS_DAMAGE_H

#include "core/random.h"
#include "leeward/navmesh.h"

/// Make checksums, size and kind fit the contents, as far as the sections fit into the file.
void damage_repair(unsigned char *data, size_t size);
/// Change a bit, or a number to one that may be out of range, somewhere behind `begin`.
void damage_number(unsigned char *data, size_t begin, size_t size, lwi_random *random);
/// Bytes of the head.
size_t damage_head_size(void);
/// Where section `which` lies in a good file. @return Its size. [bytes]
size_t damage_section(const unsigned char *data, int which, size_t *begin);

/// Ask everything that can be asked, from places on the navmesh and beside it. What it answers does not matter.
void damage_probe(const lw_navmesh *navmesh, uint64_t seed);

#endif
