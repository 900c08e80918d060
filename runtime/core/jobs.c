#include "core/jobs.h"

/* --- threads of one's own ------------------------------------------------------------------------------------- */

typedef void item_task(void *user, int item);

typedef struct lwi_thread_pool {
  lwi_mutex mutex; /* for all that follows */
  lwi_condition work, done;
  item_task *task;
  void *user;
  int count, next; /* items of the run; those from `next` on are not begun */
  int running;     /* items on threads of the pool */
  bool stop;
  int thread_count; /* that were started */
  lwi_thread threads[LW_THREADS_MAX];
} thread_pool;

/* The mutex is held, but not while the item is worked on. */
static void do_item(thread_pool *pool) {
  const int item = pool->next++;
  lwi_mutex_unlock(&pool->mutex);
  pool->task(pool->user, item);
  lwi_mutex_lock(&pool->mutex);
}

static void run_thread(void *user) {
  thread_pool *pool = user;
  lwi_mutex_lock(&pool->mutex);
  while (!pool->stop) {
    if (pool->next == pool->count) {
      lwi_condition_wait(&pool->work, &pool->mutex);
      continue;
    }
    pool->running += 1;
    do_item(pool);
    pool->running -= 1;
    if (pool->running == 0) lwi_condition_signal(&pool->done);
  }
  lwi_mutex_unlock(&pool->mutex);
}

static bool init_locks(thread_pool *pool) {
  if (!lwi_mutex_init(&pool->mutex)) return false;
  const bool has_work = lwi_condition_init(&pool->work);
  if (has_work && lwi_condition_init(&pool->done)) return true;
  if (has_work) lwi_condition_destroy(&pool->work);
  lwi_mutex_destroy(&pool->mutex);
  return false;
}

static void stop_threads(thread_pool *pool) {
  lwi_mutex_lock(&pool->mutex);
  pool->stop = true;
  for (int i = 0; i < pool->thread_count; i++) lwi_condition_signal(&pool->work);
  lwi_mutex_unlock(&pool->mutex);
  for (int i = 0; i < pool->thread_count; i++) lwi_thread_join(&pool->threads[i]);
}

static void free_pool(thread_pool *pool, lwi_memory *memory) {
  if (!pool) return;
  stop_threads(pool);
  lwi_condition_destroy(&pool->work);
  lwi_condition_destroy(&pool->done);
  lwi_mutex_destroy(&pool->mutex);
  lwi_free(memory, pool, sizeof *pool);
}

/* @param threads  To start. @return NULL: no memory, or no locks. */
static thread_pool *make_pool(int threads, lwi_memory *memory) {
  thread_pool *pool = lwi_alloc_zero(memory, sizeof *pool);
  if (!pool) return NULL;
  if (!init_locks(pool)) {
    lwi_free(memory, pool, sizeof *pool);
    return NULL;
  }
  while (pool->thread_count < threads && lwi_thread_start(&pool->threads[pool->thread_count], run_thread, pool))
    pool->thread_count += 1;
  return pool;
}

/* The calling thread works like the others, and so all is done also where none of them was started. */
static void run_pool(thread_pool *pool, int count, item_task *task, void *user) {
  lwi_mutex_lock(&pool->mutex);
  pool->task = task;
  pool->user = user;
  pool->next = 0;
  pool->count = count;
  for (int i = 0; i < pool->thread_count && i + 1 < count; i++) lwi_condition_signal(&pool->work);
  while (pool->next < pool->count) do_item(pool);
  while (pool->running > 0) lwi_condition_wait(&pool->done, &pool->mutex);
  lwi_mutex_unlock(&pool->mutex);
}

/* --- the program's job system --------------------------------------------------------------------------------- */

typedef struct job {
  item_task *task;
  void *user;
} job;

static void run_range(int begin, int end, void *context) {
  const job *of = context;
  for (int i = begin; i < end; i++) of->task(of->user, i);
}

static void run_by_system(const lw_job_system *system, int count, item_task *task, void *user) {
  job of = {task, user};
  void *handle = system->enqueue(system->user, run_range, count, 1, &of);
  if (handle) system->finish(system->user, handle);
}

/* --- either --------------------------------------------------------------------------------------------------- */

bool lwi_jobs_init(lwi_jobs *jobs, int threads, const lw_job_system *system, lwi_memory *memory) {
  *jobs = (lwi_jobs){.system = *system, .threads = threads};
  if (system->enqueue || threads <= 1) return true;
  jobs->pool = make_pool(threads - 1, memory);
  return jobs->pool != NULL;
}

void lwi_jobs_free(lwi_jobs *jobs, lwi_memory *memory) {
  free_pool(jobs->pool, memory);
  *jobs = (lwi_jobs){.pool = NULL};
}

void lwi_jobs_run(lwi_jobs *jobs, int count, item_task *task, void *user) {
  if (jobs->system.enqueue && count > 1) {
    run_by_system(&jobs->system, count, task, user);
  } else if (jobs->pool && count > 1) {
    run_pool(jobs->pool, count, task, user);
  } else {
    for (int i = 0; i < count; i++) task(user, i);
  }
}
