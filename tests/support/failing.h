/// Calls in which each allocation and each file operation fails in turn.
#ifndef LW_TESTS_FAILING_H
#define LW_TESTS_FAILING_H

#include "allocator.h"

/// What a call may have done after a failure.
typedef enum failing_kind {
  FAILING_WHOLE, ///< Nothing: what it is called with is as it was, and it succeeds when called again.
  FAILING_SLOWER, ///< The same; or it succeeds with the same result, without what the memory would have made faster.
  FAILING_ELSE,  ///< The same; or it succeeds in another way, which its comment says.
  FAILING_PARTLY ///< What its comment says.
} failing_kind;

/// A call. All functions get the same state.
typedef struct failing_call {
  const char *name;
  failing_kind kind;
  /// Make anew all that the call changes. Nothing fails meanwhile. May be NULL.
  void (*open)(void *state);
  /// On failure it checks that the call gave nothing.
  lw_status (*call)(void *state);
  /// A hash of what it is called with, and of what it gives. May be NULL.
  uint64_t (*hash)(void *state);
  /// Free all that the other two made. May be NULL.
  void (*close)(void *state);
  bool files; ///< Its file operations fail, too: LW_FILE.
  /// The call takes long: of the allocations that the same calls lead to, the first one fails, alone.
  bool brief;
} failing_call;

/// Make the call with each allocation failing in turn, alone and with all that follow; then with each file operation.
/// Fails the test where the status is another one than that of the failure, something leaks, a call that failed
/// changed what it should not have, or what comes after it is not as if nothing had failed.
/// @param memory  Of all that the calls allocate. @return How many failures there were.
int failing_run(const failing_call *calls, int count, void *state, support_memory *memory);

#endif
