/// Files that fail: every file operation of the runtime passes through here (the Makefile links it in front of
/// core/platform.h).
#ifndef LW_TESTS_FILE_FAULTS_H
#define LW_TESTS_FILE_FAULTS_H

#include <stdbool.h>

/// Operations: opening, reading, creating, writing, syncing, closing, replacing.
typedef struct file_faults {
  int left;        ///< Operations until one fails; < 0: none does.
  const char *why; ///< The reason of the failure. NULL: "No space left on device".
  bool full;       ///< Then every later write fails, too.
  bool fast;       ///< Nothing waits for the device.
  int calls;       ///< Operations so far.
  int failed;      ///< Operations that failed on purpose.
} file_faults;

/// None fails, until a test says otherwise.
extern file_faults support_faults;

#endif
