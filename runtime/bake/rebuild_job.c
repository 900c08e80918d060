/* A rebuild on a thread of its own. */
#include "bake/rebuild.h"
#include "core/memory.h"
#include "core/platform.h"
#include "core/status.h"

#include <stdatomic.h>

struct lw_rebuild_job {
  lwi_memory memory;
  lw_rebuild_def def;
  lw_bake_settings settings;
  lw_allocator allocator; /* of the settings */
  lwi_thread thread;
  bool runs; /* The thread is still to be joined. */
  atomic_bool is_cancelled, is_done;
  atomic_int done, total; /* Tiles. */
  /* Written by the thread, and read once it is done. */
  lw_navmesh *navmesh;
  lw_bake_report report;
  lw_error error;
};

static bool report(void *user, int done, int total) {
  lw_rebuild_job *job = user;
  atomic_store(&job->done, done);
  atomic_store(&job->total, total);
  return !atomic_load(&job->is_cancelled);
}

static void run(void *user) {
  lw_rebuild_job *job = user;
  job->error.status = lw_navmesh_rebuild(&job->def, &job->navmesh, &job->report, &job->error);
  atomic_store(&job->is_done, true);
}

lw_status lw_rebuild_job_start(const lw_rebuild_def *def, lw_rebuild_job **out, lw_error *error) {
  if (!out) return lwi_fail_null(error, "job");
  *out = NULL;
  if (!def) return lwi_fail_null(error, "def");
  const lw_status status = lwi_rebuild_check(def, error);
  if (status != LW_OK) return status;
  const lw_bake_settings settings = def->settings ? *def->settings : lw_bake_settings_default();
  lwi_memory memory = lwi_memory_make(settings.allocator);
  lw_rebuild_job *job = lwi_alloc_zero(&memory, sizeof *job);
  if (!job) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  job->memory = memory;
  job->def = *def;
  job->settings = settings;
  job->def.settings = &job->settings;
  if (settings.allocator) job->allocator = *settings.allocator;
  if (settings.allocator) job->settings.allocator = &job->allocator;
  job->settings.progress = (lw_bake_progress){.report = report, .user = job};
  job->runs = lwi_thread_start(&job->thread, run, job);
  if (!job->runs) run(job); /* there are no more threads: it is done now */
  *out = job;
  return LW_OK;
}

bool lw_rebuild_job_is_done(const lw_rebuild_job *job) {
  return job && atomic_load(&((lw_rebuild_job *)job)->is_done);
}

void lw_rebuild_job_progress(const lw_rebuild_job *job, int *done, int *total) {
  if (done) *done = job ? atomic_load(&((lw_rebuild_job *)job)->done) : 0;
  if (total) *total = job ? atomic_load(&((lw_rebuild_job *)job)->total) : 0;
}

void lw_rebuild_job_cancel(lw_rebuild_job *job) {
  if (job) atomic_store(&job->is_cancelled, true);
}

lw_status lw_rebuild_job_wait(lw_rebuild_job *job, lw_error *error) {
  if (!job) return lwi_fail_null(error, "job");
  if (job->runs) lwi_thread_join(&job->thread);
  job->runs = false;
  if (job->error.status == LW_OK) return LW_OK;
  return lwi_fail(error, job->error.status, "%s", job->error.text);
}

lw_status lw_rebuild_job_take(lw_rebuild_job *job, lw_navmesh **navmesh, lw_bake_report *taken,
                              lw_error *error) {
  if (navmesh) *navmesh = NULL;
  if (taken) *taken = (lw_bake_report){0};
  if (!navmesh) return lwi_fail_null(error, "navmesh");
  const lw_status status = lw_rebuild_job_wait(job, error);
  if (status != LW_OK) return status;
  if (!job->navmesh) return lwi_fail(error, LW_EMPTY, "the navmesh was taken before, expected one call");
  *navmesh = job->navmesh;
  if (taken) *taken = job->report;
  job->navmesh = NULL;
  return LW_OK;
}

void lw_rebuild_job_destroy(lw_rebuild_job *job) {
  if (!job) return;
  lw_rebuild_job_cancel(job);
  lw_rebuild_job_wait(job, NULL);
  lw_navmesh_destroy(job->navmesh);
  lwi_memory memory = job->memory;
  lwi_free(&memory, job, sizeof *job);
}
