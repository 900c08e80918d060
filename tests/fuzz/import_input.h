/// What fuzz_polyanya.c and fuzz_detour.c share.
#ifndef LW_TESTS_IMPORT_INPUT_H
#define LW_TESTS_IMPORT_INPUT_H

#include <stddef.h>
#include <stdint.h>

/// Import a file of these contents: it is refused with a reason, or passes lw_navmesh_validate(), answers every
/// question, and is the same when it was saved and loaded.
void import_input(const uint8_t *data, size_t size);

#endif
