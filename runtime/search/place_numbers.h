/// Numbers from 0 on for the turning points that one search comes to: of all that there are, a few.
#ifndef LW_SEARCH_PLACE_NUMBERS_H
#define LW_SEARCH_PLACE_NUMBERS_H

#include "core/memory.h"

/// A hash table, kept from search to search. Begin with zeros.
typedef struct lwi_place_numbers {
  uint32_t *places; ///< [count] By number.
  int count, capacity;
  uint32_t *slots; ///< [slot_count] A number plus 1, or 0.
  uint32_t slot_count;
} lwi_place_numbers;

#define LWI_NO_NUMBER UINT32_MAX

/// @return LWI_NO_NUMBER: it has none.
uint32_t lwi_place_number(const lwi_place_numbers *numbers, uint32_t place);
/// Give a place a number unless it has one. @return LWI_NO_NUMBER: no memory.
uint32_t lwi_place_number_add(lwi_place_numbers *numbers, lwi_memory *memory, uint32_t place);
/// Take all numbers back.
void lwi_place_numbers_clear(lwi_place_numbers *numbers);
void lwi_place_numbers_free(lwi_place_numbers *numbers, lwi_memory *memory);

#endif
