/// Small numbers that are in use: the smallest free number is taken next. So it depends on the numbers in use
/// alone, and not on the order in which they came and went.
#ifndef LW_CORE_NUMBER_SET_H
#define LW_CORE_NUMBER_SET_H

#include "core/memory.h"

/// Begin with zeros.
typedef struct lwi_number_set {
  uint64_t *words; ///< [capacity] A bit for each number, set while it is in use.
  int capacity;
  int first; ///< All words before this one are full.
} lwi_number_set;

void lwi_number_set_free(lwi_number_set *set, lwi_memory *memory);
/// Take the smallest free number. @return UINT32_MAX: no memory.
uint32_t lwi_number_set_take(lwi_number_set *set, lwi_memory *memory);
bool lwi_number_set_has(const lwi_number_set *set, uint32_t number);
/// Take that number, which is free. @return false: no memory.
bool lwi_number_set_take_this(lwi_number_set *set, lwi_memory *memory, uint32_t number);
/// @param number  In use.
void lwi_number_set_give_back(lwi_number_set *set, uint32_t number);
/// No number is in use.
void lwi_number_set_clear(lwi_number_set *set);

#endif
