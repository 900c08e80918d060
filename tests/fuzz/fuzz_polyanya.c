/* A mesh of Polyanya with any contents is refused with its line, or becomes a navmesh that holds. */
#include "fuzz.h"
#include "import_input.h"

#include <string.h>

void fuzz_input(const uint8_t *data, size_t size) {
  if (size >= 4 && memcmp(data, "mesh", 4) == 0) import_input(data, size);
}
