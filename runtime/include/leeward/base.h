/// @file base.h
/// What every other header uses: statuses, vectors, memory and log hooks.
///
/// Threads, in all headers unless they say otherwise: a function that takes an object without `const` changes
/// it and needs it alone; functions that take it with `const` may run together on any number of threads. The
/// functions of this header may run on any thread; one lw_random is used by one thread at a time.
///
/// Results, in all headers unless they say otherwise: on any other status than LW_OK a function sets what it
/// gives through pointers to NULL, 0, false or all zero. Arrays of the caller may then hold anything. A pointer
/// that is NULL is LW_INVALID, unless the parameter's comment says what NULL means.
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

/// Greatest coordinate, to either side of 0, of geometry, of an eye and of its target. [m]
#define LW_COORDINATE_MAX 1e6f
#define LW_TEAM_NAME_MAX 31 ///< Bytes of a team's name at most.

/// A point or direction. Right-handed, y up. [m]
typedef struct lw_vec3 {
  float x, y, z;
} lw_vec3;

/// An axis-aligned box. [m]
typedef struct lw_box {
  lw_vec3 min, max;
} lw_box;

/// Every status with its name and its text: X(name, text). LW_OK is 0.
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
  X(TAKEN, "another agent has that place")                                                                     \
  X(TRAPPED, "the ground under the agent was cut away, and there is none near by")                             \
  X(PENDING, "a change waits for the next step")                                                               \
  X(UNFINISHED, "the search has not ended yet")

/// The outcome of a call. Each function says which ones it returns, and when.
typedef enum lw_status {
#define X(name, text) LW_##name,
  LW_STATUS_LIST(X)
#undef X
      LW_STATUS_COUNT
} lw_status;

/// @param status  Any value.
/// @return The name without `LW_`, such as "NO_PATH". Static storage.
LW_API const char *lw_status_name(lw_status status);
/// @param status  Any value.
/// @return One sentence without a full stop. Static storage.
LW_API const char *lw_status_text(lw_status status);

/// An error in words: where it is, the value, and what was expected. Functions that take an `lw_error *` fill
/// it when they return anything but LW_OK. The pointer may always be NULL.
typedef struct lw_error {
  lw_status status; ///< The status that the function returned.
  char text[512];   ///< Zero-terminated, without a full stop; one line, control characters as `\n` or `\x1B`.
} lw_error;

/// Where memory comes from: one function in the manner of Lua's allocator. The thread that calls into an object
/// calls the allocator of that object, so it must be safe to call from several threads if several threads use
/// the object at once.
typedef struct lw_allocator {
  /// `size` 0 frees and returns NULL; `block` NULL allocates; otherwise the block is resized. Returns NULL when
  /// memory runs out and then leaves `block` as it was. Blocks are aligned for any type. [NULL: realloc and
  /// free of the C library]
  void *(*resize)(void *user, void *block, size_t old_size, size_t size);
  void *user; ///< Handed to `resize`.
} lw_allocator;

/// How serious a message is.
typedef enum lw_log_level { LW_LOG_DEBUG, LW_LOG_INFO, LW_LOG_WARNING, LW_LOG_ERROR } lw_log_level;

/// Where messages go.
typedef struct lw_logger {
  /// `message` is one line without a newline, valid during the call. [NULL: standard error, for warnings and
  /// errors]
  void (*write)(void *user, lw_log_level level, const char *message);
  void *user; ///< Handed to `write`.
} lw_logger;

/// A stream of random numbers (SplitMix64, Steele, Lea and Flood 2014). A copy draws the same numbers again.
/// Draws from one stream never change what another gives.
typedef struct lw_random {
  uint64_t stream;  ///< Which stream.
  uint64_t counter; ///< Numbers drawn so far.
} lw_random;

/// Create a stream of random numbers.
/// @return A stream that differs for every (seed, index).
LW_API lw_random lw_random_create(uint64_t seed, uint64_t index);
/// Draw a number.
/// @param random  Not NULL.
/// @return Uniform in 0..1, 1 excluded.
LW_API float lw_random_unit(lw_random *random);

/// A polygon of a navmesh; 0: no polygon. The id of a polygon that has been replaced is stale, which is
/// detected until its place in memory was used again 32,767 times. The id of another navmesh is detected too,
/// except between navmeshes whose ids begin alike, one pair in 32,767.
typedef uint64_t lw_poly_id;

/// State of a game: navmeshes, agents, threats, timed regions and time (world.h).
typedef struct lw_world lw_world;
/// All memory that a query needs (workspace.h).
typedef struct lw_workspace lw_workspace;
/// The numbers of one kind of agent (profile.h).
typedef struct lw_profile lw_profile;
/// A compiled behaviour tree (tree.h).
typedef struct lw_tree lw_tree;
/// The state of one agent's run of a tree (tree.h).
typedef struct lw_tree_run lw_tree_run;

#ifdef __cplusplus
}
#endif
#endif
