#include "core/parallel.h"

#include <unistd.h>

typedef struct crew {
  const lwi_parallel *what;
  pthread_mutex_t lock;
  pthread_cond_t finished; /* a piece, or a thread's work */
  int next, done;          /* pieces */
  int working;             /* threads other than the caller's */
  bool stop;
} crew;

/* Take the next piece, if there is one. The lock is held. */
static bool take(crew *c, int *piece) {
  if (c->stop || c->next == c->what->count) return false;
  *piece = c->next++;
  return true;
}

static void finish(crew *c, bool good) {
  c->done += 1;
  c->stop = c->stop || !good;
  pthread_cond_signal(&c->finished);
}

static void *work(void *user) {
  crew *c = user;
  int piece;
  pthread_mutex_lock(&c->lock);
  while (take(c, &piece)) {
    pthread_mutex_unlock(&c->lock);
    bool good = c->what->work(c->what->user, piece);
    pthread_mutex_lock(&c->lock);
    finish(c, good);
  }
  c->working -= 1;
  pthread_cond_signal(&c->finished);
  pthread_mutex_unlock(&c->lock);
  return NULL;
}

/* Say what has been finished since; the lock is let go meanwhile. @return false: no more is to be said */
static bool report(crew *c, int *told) {
  while (*told < c->done && c->what->done && !c->stop) {
    pthread_mutex_unlock(&c->lock);
    bool go_on = c->what->done(c->what->user, *told + 1);
    pthread_mutex_lock(&c->lock);
    *told += 1;
    c->stop = c->stop || !go_on;
  }
  return !c->stop;
}

/* The calling thread works like the others, and reports between pieces and at the end. */
static void lead(crew *c) {
  int piece, told = 0;
  pthread_mutex_lock(&c->lock);
  while (report(c, &told) && take(c, &piece)) {
    pthread_mutex_unlock(&c->lock);
    bool good = c->what->work(c->what->user, piece);
    pthread_mutex_lock(&c->lock);
    finish(c, good);
  }
  while (c->working > 0) {
    pthread_cond_wait(&c->finished, &c->lock);
    report(c, &told);
  }
  report(c, &told);
  pthread_mutex_unlock(&c->lock);
}

bool lwi_parallel_run(const lwi_parallel *what) {
  crew c = {.what = what};
  pthread_t threads[LWI_THREADS_MAX];
  int started = 0;
  pthread_mutex_init(&c.lock, NULL);
  pthread_cond_init(&c.finished, NULL);
  pthread_mutex_lock(&c.lock);
  while (started + 1 < what->threads && started + 1 < what->count &&
         pthread_create(&threads[started], NULL, work, &c) == 0)
    ++started;
  c.working = started;
  pthread_mutex_unlock(&c.lock);
  lead(&c);
  for (int i = 0; i < started; ++i) pthread_join(threads[i], NULL);
  pthread_cond_destroy(&c.finished);
  pthread_mutex_destroy(&c.lock);
  return !c.stop;
}

int lwi_processor_count(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > LWI_THREADS_MAX ? LWI_THREADS_MAX : (int)count;
}

static void *resize_guarded(void *user, void *block, size_t old_size, size_t size) {
  lwi_memory_guard *guard = user;
  pthread_mutex_lock(&guard->lock);
  void *moved = guard->inner.resize(guard->inner.user, block, old_size, size);
  pthread_mutex_unlock(&guard->lock);
  return moved;
}

bool lwi_memory_guard_open(lwi_memory_guard *guard, const lw_allocator *inner, lwi_memory *memory) {
  *memory = lwi_memory_make(inner);
  if (pthread_mutex_init(&guard->lock, NULL)) return false;
  guard->inner = memory->allocator;
  if (inner && inner->resize) memory->allocator = (lw_allocator){resize_guarded, guard};
  return true;
}

void lwi_memory_guard_close(lwi_memory_guard *guard) {
  pthread_mutex_destroy(&guard->lock);
}
