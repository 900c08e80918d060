/// Files in memory in the place of those of the system: no input is written to a disk, and nothing waits for one. The
/// linker puts these in the places of the functions of core/platform.h (Makefile, FUZZ_WRAPPED).
#ifndef LW_TESTS_MEMORY_FILES_H
#define LW_TESTS_MEMORY_FILES_H

#include <stddef.h>

/// Give a file these contents. Files of other names are those of the system, for reading only.
/// @param name  Borrowed, as is `data`, until memory_files_clear().
void memory_file_set(const char *name, const void *data, size_t size);
/// @return What was set, or written since; NULL: there is no such file.
const void *memory_file_get(const char *name, size_t *size);
/// From now on there are no others: files of the system are not seen, nor any folder.
void memory_files_only(void);
/// Remove all files.
void memory_files_clear(void);

#endif
