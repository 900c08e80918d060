/// @file base.h
/// What every other header uses: statuses, vectors, memory and log hooks.
#ifndef LEEWARD_BASE_H
#define LEEWARD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LW_API __attribute__((visibility("default")))
#define LW_PRINTF(string, first) __attribute__((format(__printf__, string, first)))
#else
#define LW_API
#define LW_PRINTF(string, first)
#endif

#define LW_VERSION_MAJOR 0
#define LW_VERSION_MINOR 1
#define LW_VERSION_PATCH 0

/// No coordinate of geometry, of an eye or of what it looks at lies further from 0. [m]
#define LW_COORDINATE_MAX 1e6f

/// A point or direction. Right-handed, y up. [m]
typedef struct lw_vec3 {
  float x, y, z;
} lw_vec3;

/// An axis-aligned box. [m]
typedef struct lw_box {
  lw_vec3 min, max;
} lw_box;

/// Every status with its name and its text. LW_OK is 0.
#define LW_STATUS_LIST(X)                                                                                      \
  X(OK, "ok")                                                                                                  \
  X(PARTIAL, "the goal cannot be reached; the path ends at the nearest point that can")                        \
  X(NO_START, "no navmesh near the start that the agent may enter")                                            \
  X(NO_GOAL, "no navmesh near the goal that the agent may enter")                                              \
  X(NO_PATH, "start and goal are not connected")                                                               \
  X(NO_POINT, "no navmesh there that the agent may enter")                                                     \
  X(OUT_OF_NODES, "the search used up its node budget")                                                        \
  X(OUT_OF_MEMORY, "out of memory")                                                                            \
  X(INVALID, "invalid argument")                                                                               \
  X(NOT_FOUND, "not found")                                                                                    \
  X(STALE, "the id is no longer valid")                                                                        \
  X(LIMIT, "a limit was exceeded")                                                                             \
  X(EMPTY, "nothing there")                                                                                    \
  X(CANCELLED, "cancelled")                                                                                    \
  X(FILE, "the file cannot be read or written")                                                                \
  X(BAD_FILE, "the file is damaged or of another kind")                                                        \
  X(NO_BAKE, "libleeward_bake.so cannot be loaded")                                                            \
  X(BAKE_FAILED, "the bake failed")                                                                            \
  X(STUCK, "the agent makes no progress")                                                                      \
  X(TAKEN, "another agent has that place")

typedef enum lw_status {
#define X(name, text) LW_##name,
  LW_STATUS_LIST(X)
#undef X
      LW_STATUS_COUNT
} lw_status;

/// @return The name without `LW_`, such as "NO_PATH". Static storage.
LW_API const char *lw_status_name(lw_status status);
/// @return One sentence without a full stop. Static storage.
LW_API const char *lw_status_text(lw_status status);

/// What went wrong, where, and what would be right. Filled by functions that take a `lw_error *` when they
/// return anything but LW_OK. The pointer may always be NULL.
typedef struct lw_error {
  lw_status status;
  char text[512]; ///< Zero-terminated, without a full stop.
} lw_error;

/// Where memory comes from: one function in the manner of Lua's allocator.
/// `size` 0 frees and returns NULL; `block` NULL allocates; otherwise the block is resized. Returns NULL when
/// there is no memory, and then leaves `block` as it was. Blocks are aligned for any type.
typedef struct lw_allocator {
  void *(*resize)(void *user, void *block, size_t old_size, size_t size); ///< NULL: realloc and free.
  void *user;                                                             ///< Handed to `resize`.
} lw_allocator;

typedef enum lw_log_level { LW_LOG_DEBUG, LW_LOG_INFO, LW_LOG_WARNING, LW_LOG_ERROR } lw_log_level;

/// Where messages go. A message is one line without a newline; it is valid during the call only.
typedef struct lw_logger {
  void (*write)(void *user, lw_log_level level, const char *message); ///< NULL: standard error, warnings up.
  void *user;                                                         ///< Handed to `write`.
} lw_logger;

/// A polygon of a navmesh. 0 is none. A polygon that was replaced since leaves a stale id, which is detected; so is the
/// id of another navmesh's (but for one pair of navmeshes in 32,767, whose ids look alike).
typedef uint64_t lw_poly_id;

#ifdef __cplusplus
}
#endif
#endif
