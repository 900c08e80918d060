#include "core/parallel.h"

typedef struct crew {
  const lwi_parallel *parallel;
  lwi_mutex mutex;
  lwi_condition changed; /* a piece is finished, or a thread's work is */
  int next, done;        /* pieces */
  int working;           /* threads other than the caller's */
  bool stop;
} crew;

/* The mutex is held. @return false: no piece is left to begin. */
static bool begin_piece(crew *c, int *piece) {
  if (c->stop || c->next == c->parallel->count) return false;
  *piece = c->next++;
  return true;
}

/* The mutex is held, but not while the piece is worked on. */
static void do_piece(crew *c, int piece) {
  lwi_mutex_unlock(&c->mutex);
  bool good = c->parallel->work(c->parallel->user, piece);
  lwi_mutex_lock(&c->mutex);
  c->done += 1;
  c->stop = c->stop || !good;
  lwi_condition_signal(&c->changed);
}

static void run_worker(void *user) {
  crew *c = user;
  int piece;
  lwi_mutex_lock(&c->mutex);
  while (begin_piece(c, &piece)) do_piece(c, piece);
  c->working -= 1;
  lwi_condition_signal(&c->changed);
  lwi_mutex_unlock(&c->mutex);
}

/* Call `done` for the pieces finished since. The mutex is held, but not during the calls. @return false: stopped. */
static bool report(crew *c, int *reported) {
  while (*reported < c->done && c->parallel->done && !c->stop) {
    lwi_mutex_unlock(&c->mutex);
    bool go_on = c->parallel->done(c->parallel->user, *reported + 1);
    lwi_mutex_lock(&c->mutex);
    *reported += 1;
    c->stop = c->stop || !go_on;
  }
  return !c->stop;
}

/* The calling thread works like the others, and reports between pieces and at the end. */
static void run_caller(crew *c) {
  int piece, reported = 0;
  lwi_mutex_lock(&c->mutex);
  while (report(c, &reported) && begin_piece(c, &piece)) do_piece(c, piece);
  while (c->working > 0) {
    lwi_condition_wait(&c->changed, &c->mutex);
    report(c, &reported);
  }
  report(c, &reported);
  lwi_mutex_unlock(&c->mutex);
}

/* Threads wait for the mutex until their number is known. */
static int start_workers(crew *c, lwi_thread *threads) {
  const lwi_parallel *parallel = c->parallel;
  int limit = parallel->threads < parallel->count ? parallel->threads : parallel->count;
  int started = 0;
  if (limit > LWI_THREADS_MAX) limit = LWI_THREADS_MAX;
  lwi_mutex_lock(&c->mutex);
  while (started + 1 < limit && lwi_thread_start(&threads[started], run_worker, c)) ++started;
  c->working = started;
  lwi_mutex_unlock(&c->mutex);
  return started;
}

static bool run_alone(const lwi_parallel *parallel) {
  for (int piece = 0; piece < parallel->count; ++piece) {
    if (!parallel->work(parallel->user, piece)) return false;
    if (parallel->done && !parallel->done(parallel->user, piece + 1)) return false;
  }
  return true;
}

static void run_together(crew *c) {
  lwi_thread threads[LWI_THREADS_MAX];
  const int started = start_workers(c, threads);
  run_caller(c);
  for (int i = 0; i < started; ++i) lwi_thread_join(&threads[i]);
}

bool lwi_parallel_run(const lwi_parallel *parallel) {
  crew c = {.parallel = parallel};
  if (parallel->threads <= 1 || parallel->count <= 1 || !lwi_mutex_init(&c.mutex)) return run_alone(parallel);
  const bool has_condition = lwi_condition_init(&c.changed);
  if (has_condition) {
    run_together(&c);
    lwi_condition_destroy(&c.changed);
  }
  lwi_mutex_destroy(&c.mutex);
  return has_condition ? !c.stop : run_alone(parallel);
}

static void *resize_guarded(void *user, void *block, size_t old_size, size_t size) {
  lwi_memory_guard *guard = user;
  lwi_mutex_lock(&guard->mutex);
  void *moved = guard->inner.resize(guard->inner.user, block, old_size, size);
  lwi_mutex_unlock(&guard->mutex);
  return moved;
}

bool lwi_memory_guard_open(lwi_memory_guard *guard, const lw_allocator *inner, lwi_memory *memory) {
  *memory = lwi_memory_make(inner);
  if (!lwi_mutex_init(&guard->mutex)) return false;
  guard->inner = memory->allocator;
  if (inner && inner->resize) memory->allocator = (lw_allocator){resize_guarded, guard};
  return true;
}

void lwi_memory_guard_close(lwi_memory_guard *guard) {
  lwi_mutex_destroy(&guard->mutex);
}
