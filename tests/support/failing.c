#include "failing.h"

#include "file_faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Where the n-th one fails. */
typedef enum failing_place { ONE_ALLOCATION, ALL_ALLOCATIONS, ONE_OPERATION, ALL_WRITES, PLACES } failing_place;
static const char *const place_names[PLACES] = {"allocation", "allocation and all later ones", "file operation",
                                                "file operation and all later ones"};

typedef struct failing_try {
  const failing_call *of;
  void *state;
  support_memory *memory;
  failing_place place;
  int n;
} failing_try;

static void fail_at(const failing_try *this, const char *what) {
  fail_msg("%s, %s %d: %s", this->of->name, place_names[this->place], this->n, what);
}

static void begin(const failing_try *this) {
  const bool files = this->place == ONE_OPERATION || this->place == ALL_WRITES;
  support_faults = (file_faults){.left = files ? this->n : -1, .full = this->place == ALL_WRITES, .fast = true};
  this->memory->left = files ? -1 : this->n;
  this->memory->once = this->place == ONE_ALLOCATION;
  this->memory->refused = 0;
}

/* @return How many failed. */
static long end(const failing_try *this) {
  const long failed = this->memory->refused + support_faults.failed;
  support_faults = (file_faults){.left = -1, .fast = true};
  this->memory->left = -1;
  this->memory->once = false;
  return failed;
}

static void open_state(const failing_try *this) {
  if (this->of->open) this->of->open(this->state);
}

static void close_state(const failing_try *this) {
  if (this->of->close) this->of->close(this->state);
}

static uint64_t hash_state(const failing_try *this) {
  return this->of->hash ? this->of->hash(this->state) : 0;
}

static void check_status(const failing_try *this, lw_status status) {
  const bool files = this->place == ONE_OPERATION || this->place == ALL_WRITES;
  if (status == (files ? LW_FILE : LW_OUT_OF_MEMORY)) return;
  if (status == LW_OK && (this->of->kind != FAILING_WHOLE || files)) return; /* closing what was read */
  fail_at(this, lw_status_name(status));
}

/* @return Whether something failed: there may be more to fail. */
static bool try_once(const failing_try *this, uint64_t expected) {
  const long bytes = this->memory->bytes;
  open_state(this);
  const uint64_t before = hash_state(this);
  begin(this);
  const lw_status status = this->of->call(this->state);
  const bool failed = end(this) > 0;
  if (failed)
    check_status(this, status);
  else if (status != LW_OK)
    fail_at(this, lw_status_name(status));
  if (status != LW_OK) {
    const bool whole = this->of->kind != FAILING_PARTLY;
    if (whole && hash_state(this) != before) fail_at(this, "what it was called with has changed");
    const bool later = this->place == ALL_ALLOCATIONS || this->place == ALL_WRITES; /* one after one will do */
    const lw_status again = later ? LW_OK : this->of->call(this->state);
    if (again != LW_OK && whole) fail_at(this, "it does not succeed when called again");
    if (whole && !later && hash_state(this) != expected)
      fail_at(this, "when called again it does something else");
  } else if (this->of->kind <= FAILING_SLOWER && hash_state(this) != expected) {
    fail_at(this, "it does something else");
  }
  close_state(this);
  if (this->memory->bytes != bytes) fail_at(this, "memory leaks");
  return failed;
}

/* @param chosen  [count] NULL: all fail in turn. */
static int try_each(failing_try *this, uint64_t expected, const bool *chosen, long count) {
  int failed = 0;
  for (this->n = 0; !chosen || this->n < count; this->n++) {
    if (chosen && !chosen[this->n]) continue;
    if (!try_once(this, expected)) break;
    failed += 1;
  }
  return failed;
}

/* --- which allocations fail ----------------------------------------------------------------------------------- */

#define STACKS_MAX (1 << 20)

typedef struct noted_stack {
  uint64_t hash;
  long n;
} noted_stack;

static int by_stack(const void *left, const void *right) {
  const noted_stack *a = left, *b = right;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return a->n < b->n ? -1 : a->n > b->n;
}

/* The first allocation of each stack. @return [count] The caller frees it. */
static bool *choose(const uint64_t *stacks, long count) {
  bool *chosen = calloc((size_t)count + 1, sizeof *chosen);
  noted_stack *sorted = calloc((size_t)count + 1, sizeof *sorted);
  assert_non_null(chosen);
  assert_non_null(sorted);
  for (long i = 0; i < count; i++) sorted[i] = (noted_stack){stacks[i], i};
  qsort(sorted, (size_t)count, sizeof *sorted, by_stack);
  for (long i = 0; i < count; i++) {
    chosen[sorted[i].n] = i == 0 || sorted[i - 1].hash != sorted[i].hash;
  }
  free(sorted);
  return chosen;
}

static uint64_t try_unharmed(failing_try *this) {
  const long bytes = this->memory->bytes;
  this->n = -1;
  open_state(this);
  const lw_status status = this->of->call(this->state);
  if (status != LW_OK) fail_at(this, lw_status_name(status));
  const uint64_t expected = hash_state(this);
  close_state(this);
  if (this->memory->bytes != bytes) fail_at(this, "memory leaks when nothing fails");
  return expected;
}

/* Which of the allocations of a call fail. @return [count] The caller frees it. */
static bool *choose_of_call(const failing_try *this, uint64_t *expected, long *count) {
  support_memory *memory = this->memory;
  const long calls = memory->calls;
  open_state(this);
  memory->stacks = calloc(STACKS_MAX, sizeof *memory->stacks);
  assert_non_null(memory->stacks);
  memory->stack_capacity = STACKS_MAX;
  memory->calls = 0;
  const lw_status status = this->of->call(this->state);
  *count = memory->calls;
  memory->stack_capacity = 0;
  memory->calls += calls;
  if (status != LW_OK) fail_at(this, lw_status_name(status));
  *expected = hash_state(this);
  close_state(this);
  assert_true(*count <= STACKS_MAX);
  bool *chosen = choose(memory->stacks, *count);
  free(memory->stacks);
  memory->stacks = NULL;
  return chosen;
}

static int run_briefly(failing_try *this) {
  long count;
  uint64_t expected;
  bool *chosen = choose_of_call(this, &expected, &count);
  const int failed = try_each(this, expected, chosen, count);
  free(chosen);
  return failed;
}

static int run(const failing_call *call, void *state, support_memory *memory) {
  failing_try this = {.of = call, .state = state, .memory = memory};
  const uint64_t expected = try_unharmed(&this);
  if (call->brief) return run_briefly(&this);
  int failed = 0;
  for (int place = 0; place < (call->files ? PLACES : ONE_OPERATION); place++) {
    this.place = (failing_place)place;
    failed += try_each(&this, expected, NULL, 0);
  }
  return failed;
}

int failing_run(const failing_call *calls, int count, void *state, support_memory *memory) {
  int failed = 0;
  support_faults = (file_faults){.left = -1, .fast = true};
  for (int i = 0; i < count; i++) {
    const int here = run(&calls[i], state, memory);
    print_message("%s: %d failures\n", calls[i].name, here);
    failed += here;
  }
  support_faults = (file_faults){.left = -1};
  return failed;
}
