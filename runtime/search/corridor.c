#include "search/corridor.h"

#include <string.h>

bool lwi_corridor_copy(lwi_corridor *to, const lwi_corridor *from, lwi_memory *memory) {
  to->count = from->count;
  if (from->count == 0) return true;
  if (!lwi_reserve(memory, &to->steps, &to->capacity, from->count, sizeof *to->steps)) return false;
  memcpy(to->steps, from->steps, (size_t)from->count * sizeof *to->steps);
  return true;
}

void lwi_corridor_free(lwi_corridor *corridor, lwi_memory *memory) {
  lwi_free(memory, corridor->steps, (size_t)corridor->capacity * sizeof *corridor->steps);
  *corridor = (lwi_corridor){0};
}
