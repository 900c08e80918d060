/// Whole files: read at once, replaced in one step.
#ifndef LW_CORE_FILE_H
#define LW_CORE_FILE_H

#include "core/memory.h"
#include "core/platform.h"

/// Read a whole file.
/// @param[out] data  NULL for an empty file. The caller frees it with lwi_free(memory, data, size).
/// @return LW_OK; LW_FILE: "cannot read 'NAME': REASON"; LW_OUT_OF_MEMORY.
lw_status lwi_file_read(const char *name, lwi_memory *memory, unsigned char **data, size_t *size,
                        lw_error *error);
/// The same, for callers that word their own messages.
/// @param limit  The largest size to accept. [bytes]
/// @param[out] reason  Of LW_FILE; NULL otherwise.
/// @return LW_OK; LW_FILE; LW_LIMIT: the file is larger; LW_OUT_OF_MEMORY.
lw_status lwi_file_read_up_to(const char *name, size_t limit, lwi_memory *memory, unsigned char **data,
                              size_t *size, const char **reason);

/// A file that is being written under another name beside its own, which it takes at the end: readers see the
/// old contents or the new, and a failure leaves the old. A link stays, and what it leads to is written.
typedef struct lwi_writer {
  const char *name;   ///< Borrowed until lwi_writer_close().
  const char *reason; ///< The first failure. NULL: none so far.
  lwi_replacement to; ///< Its file is NULL: it could not be created, or it is closed.
} lwi_writer;

/// A failure is kept in the writer, and lwi_writer_close() returns it.
void lwi_writer_open(lwi_writer *writer, const char *name);
/// @return false: it failed, now or before.
bool lwi_writer_put(lwi_writer *writer, const void *data, size_t size);
/// Wait until the contents are on the device, then let them replace the file. To be called once, also after a
/// failure.
/// @return LW_OK; LW_FILE: "cannot write 'NAME': REASON", and the old file is as it was.
lw_status lwi_writer_close(lwi_writer *writer, lw_error *error);
/// Close it and keep the old file.
void lwi_writer_cancel(lwi_writer *writer);

#endif
