/// What targets share: the calls of libFuzzer, and damage to binary inputs.
#ifndef LW_TESTS_FUZZ_H
#define LW_TESTS_FUZZ_H

#include "core/random.h"
#include "leeward/area.h"

#include <stddef.h>
#include <stdint.h>

/// Runs one input: each target defines it.
void fuzz_input(const uint8_t *data, size_t size);
/// Runs one input, within a second of processor time. Called by libFuzzer, and by replay.c for kept ones.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/// Replaces libFuzzer's own changes. @return The new size, up to `max_size`.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
/// libFuzzer's own changes. @return The new size, up to `max_size`.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/// End the program, with what is wrong: it counts as a crash of the input.
_Noreturn void fuzz_fail(const char *format, ...);
/// @return A table of the shipped areas' names, made once.
lw_area_table *fuzz_areas(void);
/// Change one number of 1, 4 or 8 bytes anywhere behind `begin`, to one near by or one that may be out of range.
void fuzz_damage(uint8_t *data, size_t begin, size_t size, lw_random *random);
/// @return A whole number from 0 to count - 1.
uint32_t fuzz_below(lw_random *random, uint32_t count);

#endif
