/// Whole files, read at once.
#ifndef LW_CORE_FILE_H
#define LW_CORE_FILE_H

#include "core/memory.h"

/// @param[out] data  NULL for an empty file. The caller frees it with lwi_free(memory, data, size).
/// @return LW_OK; LW_FILE with the reason; LW_OUT_OF_MEMORY.
lw_status lwi_file_read(const char *name, lwi_memory *memory, unsigned char **data, size_t *size,
                        lw_error *error);

#endif
