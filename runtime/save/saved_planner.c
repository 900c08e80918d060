/* What the planner of a world's file has: the agents that wait for their paths, and how far the search in progress is. It is
   searched again so far, from where its agent stands. */
#include "save/saved.h"

#include <math.h>
#include <string.h>

/* From where the drive of a search leads, and what it keeps away from. */
static void put_drive(lwi_bytes *to, const lwi_plan_resume *search) {
  lwi_put_float(to, search->heading);
  lwi_put_float(to, search->trailer_angle);
  lwi_put_u32(to, (uint32_t)search->block_count);
  for (int i = 0; i < search->block_count; i++) {
    const lwi_body_area *body = &search->blocks[i].body;
    const float numbers[] = {body->c, body->s, body->length, body->width, body->radius, search->blocks[i].gap};
    lwi_put_vec3(to, body->at);
    for (int k = 0; k < 6; k++) lwi_put_float(to, numbers[k]);
  }
}

/* The gap of two that overlap is below 0. */
static bool is_block(const lwi_drive_block *block) {
  const lwi_body_area *body = &block->body;
  return lwi_saved_is_place(body->at) && fabsf(body->c) <= 1 && fabsf(body->s) <= 1 &&
         lwi_saved_is_amount(body->length) && lwi_saved_is_amount(body->width) &&
         lwi_saved_is_amount(body->radius) && lwi_saved_is_amount(fabsf(block->gap));
}

/* @return false: a number is out of range. */
static bool read_drive(lwi_reader *from, lwi_plan_resume *search) {
  search->heading = lwi_get_float(from);
  search->trailer_angle = lwi_get_float(from);
  const uint32_t count = lwi_get_u32(from);
  if (from->failed || count > LWI_DRIVE_BLOCKS || !lwi_saved_is_angle(search->heading) ||
      !lwi_saved_is_trailer_angle(search->trailer_angle))
    return false;
  search->block_count = (int)count;
  for (int i = 0; i < search->block_count; i++) {
    lwi_drive_block *block = &search->blocks[i];
    lwi_body_area *body = &block->body;
    float *const numbers[] = {&body->c, &body->s, &body->length, &body->width, &body->radius, &block->gap};
    body->at = lwi_get_vec3(from);
    for (int k = 0; k < 6; k++) *numbers[k] = lwi_get_float(from);
    if (!is_block(block)) return from->failed;
  }
  return true;
}

/* Those that a search leads its path past. */
static void put_blockers(lwi_bytes *to, const lwi_blocker_list *list) {
  lwi_put_u32(to, (uint32_t)list->count);
  for (int i = 0; i < list->count; i++) {
    lwi_put_vec3(to, list->items[i].at);
    lwi_put_float(to, list->items[i].radius);
    lwi_put_float(to, list->items[i].price);
  }
}

/* @return false: a number is out of range. */
static bool read_blockers(lwi_reader *from, lwi_blocker_list *list) {
  const uint32_t count = lwi_get_u32(from);
  if (from->failed || count > LWI_BLOCKERS_MAX) return false;
  list->count = (int)count;
  for (int i = 0; i < list->count; i++) {
    lwi_blocker *item = &list->items[i];
    item->at = lwi_get_vec3(from);
    item->radius = lwi_get_float(from);
    item->price = lwi_get_float(from);
    if (!lwi_saved_is_place(item->at) || !(item->radius > 0 && item->radius <= LW_PROFILE_SIZE_MAX) ||
        !(item->price > 0) || !lwi_saved_is_amount(item->price))
      return from->failed;
  }
  return true;
}

static const char *read_knowledge(lw_saved *saved, lwi_reader *from, lwi_plan_resume *search) {
  const char *wrong = lwi_saved_read_beliefs(saved, from, &search->threats);
  const uint32_t is_doubtful = lwi_get_u32(from), is_cold = lwi_get_u32(from);
  search->is_doubtful = is_doubtful == 1;
  search->is_cold = is_cold == 1;
  return wrong || (is_doubtful <= 1 && is_cold <= 1) ? wrong : "a number of the planner is out of range";
}

/* How far the search in progress for an agent is. Its threats are borrowed. */
static lwi_plan_resume search_for(const lw_world *world, const lwi_agent *agent) {
  const lwi_plan_client *client = &world->planner.client;
  const lw_search *from = lwi_planner_search(&world->planner);
  lwi_plan_resume search = {.work = from->work - from->field.work, /* fields have grown already */
                            .begins = from->begins,
                            .footing = client->footing,
                            .navmesh = client->navmesh,
                            .is_cold = from->from.is_cold,
                            .threats = {from->threats, from->query.threat_count, 0},
                            .is_doubtful =
                                client->is_doubtful || lwi_planner_has_news(world, agent, client->heard)};
  if (from->from.blockers) search.blockers = from->blockers;
  if (!from->drive.is_asked) return search;
  search.heading = from->drive.job.query.from_heading;
  search.trailer_angle = from->drive.job.query.trailer_angle;
  search.block_count = from->drive.job.block_count;
  memcpy(search.blocks, from->drive.job.blocks, sizeof search.blocks);
  return search;
}

/* Has the ground changed since the search in progress began? */
static bool is_outdated(const lw_world *world) {
  return lwi_sliced_search_is_outdated(lwi_planner_search(&world->planner));
}

/* What goes on in the next step: the search in progress, or that of the game that was loaded, if that is not taken up yet.
   @param[out] agent  For which; NULL: there is none. */
static lwi_plan_resume search_of(const lw_world *world, const lwi_agent **agent) {
  const lwi_agent *searching = lwi_planner_agent(world), *resumed = lwi_planner_resumed(world);
  lwi_plan_resume search = {.work = 0};
  *agent = searching && is_outdated(world) ? NULL : searching ? searching : resumed;
  if (!*agent) return search;
  if (searching) return search_for(world, searching);
  search = world->planner.resume;
  search.is_doubtful = search.is_doubtful || lwi_planner_has_news(world, resumed, search.heard);
  return search;
}

/* For which agent a search begins again. @param[out] begins  How often it has begun. @return NULL: there is none. */
static const lwi_agent *outdated_of(const lw_world *world, int *begins) {
  const lwi_agent *searching = lwi_planner_agent(world);
  const bool has_ended = searching && is_outdated(world);
  const lwi_agent *agent = has_ended ? searching : lwi_planner_outdated(world);
  *begins = !agent      ? 0
            : has_ended ? lwi_planner_search(&world->planner)->begins
                        : world->planner.outdated.begins;
  return agent;
}

/* The distance fields of crowds that go on being valid. */
static void put_fields(lwi_bytes *to, const lw_world *world) {
  const lwi_crowd_fields *fields = &world->planner.crowds.fields;
  uint32_t count = 0;
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++)
    count += lwi_crowd_field_is_valid(&fields->of_agents[i], &world->scene);
  lwi_put_u32(to, count);
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++) {
    const lwi_crowd_field *field = &fields->of_agents[i];
    if (!lwi_crowd_field_is_valid(field, &world->scene)) continue;
    const lw_navmesh *mesh = world->scene.meshes[field->key.navmesh];
    lwi_put_u32(to, (uint32_t)field->key.navmesh);
    lwi_put_u64(to, field->key.prices);
    lwi_put_vec3(to, field->key.goal);
    lwi_put_u64(to, lwi_poly_place(mesh, lwi_poly_id(mesh, field->key.region)));
    lwi_put_u64(to, field->used);
    lwi_put_u32(to, (uint32_t)lwi_crowd_field_grown(field));
    lwi_put_u32(to, field->led);
    lwi_put_u32(to, field->searched);
  }
}

/* @return false: a number is out of range. */
static bool read_fields(const lw_saved *saved, lwi_reader *from, lwi_saved_plan *plan) {
  const uint32_t count = lwi_get_u32(from);
  if (from->failed || count > LWI_CROWD_FIELDS_MAX) return false;
  plan->field_count = (int)count;
  for (uint32_t i = 0; i < count; i++) {
    lwi_crowd_field *field = &plan->fields[i].of;
    const uint32_t navmesh = lwi_get_u32(from);
    field->key = (lwi_crowd_key){.navmesh = (int)navmesh, .prices = lwi_get_u64(from)};
    field->key.goal = lwi_get_vec3(from);
    plan->fields[i].place = lwi_get_u64(from);
    field->used = lwi_get_u64(from);
    const uint32_t grown = lwi_get_u32(from);
    field->regrow = (int)grown;
    field->led = lwi_get_u32(from);
    field->searched = lwi_get_u32(from);
    if (navmesh >= LW_NAVMESHES_MAX || !lwi_saved_is_place(field->key.goal) || grown > INT32_MAX ||
        field->used > saved->clock.steps || field->searched > field->led)
      return from->failed;
  }
  return true;
}

/* The bounds at prices that count, and those that are being computed. They are computed again. */
static void put_tables(lwi_bytes *to, const lw_world *world) {
  const lwi_plan_tables *tables = &world->planner.tables;
  lwi_put_u32(to, (uint32_t)tables->count);
  for (int i = 0; i < tables->count; i++) {
    const lwi_plan_table *table = &tables->items[i];
    lwi_put_u32(to, (uint32_t)table->navmesh);
    lwi_put_u64(to, table->prices);
    lwi_put_float(to, table->visibility);
    lwi_put_u64(to, table->work);
    lwi_put_u64(to, table->user);
    lwi_put_u32(to, table->is_enough);
    lwi_put_u32(to, table->is_ready);
  }
}

/* @return false: a number is out of range. */
static bool read_tables(const lw_saved *saved, lwi_reader *from, lwi_plan_tables *tables) {
  const uint32_t count = lwi_get_u32(from);
  if (from->failed || count > LWI_PLAN_TABLES_MAX) return false;
  tables->count = (int)count;
  for (uint32_t i = 0; i < count; i++) {
    lwi_plan_table *table = &tables->items[i];
    const uint32_t navmesh = lwi_get_u32(from);
    table->navmesh = (int)navmesh;
    table->prices = lwi_get_u64(from);
    table->visibility = lwi_get_float(from);
    table->work = lwi_get_u64(from);
    table->user = lwi_get_u64(from);
    const uint32_t is_enough = lwi_get_u32(from), is_ready = lwi_get_u32(from);
    table->is_enough = is_enough == 1;
    table->is_ready = is_ready == 1;
    if (navmesh >= LW_NAVMESHES_MAX || !(table->visibility >= 0 && table->visibility <= 1) ||
        table->work > INT64_MAX || table->user > saved->clock.spawned || is_enough > 1 || is_ready > 1)
      return from->failed;
  }
  return true;
}

void lwi_saved_put_planner(lwi_bytes *to, const lw_world *world) {
  const lwi_planner *planner = &world->planner;
  const lwi_agent *searching;
  const lwi_plan_resume search = search_of(world, &searching);
  int begins;
  const lwi_agent *outdated = outdated_of(world, &begins);
  uint32_t count = 0;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) count += lwi_agent_waits(agent);
  lwi_put_u32(to, (uint32_t)world->def.search_work);
  lwi_put_u64(to, (uint64_t)planner->left);
  lwi_put_u32(to, lwi_planner_is_busy(planner));
  lwi_put_u64(to, searching ? searching->serial : 0);
  lwi_put_u64(to, search.work);
  lwi_put_u32(to, (uint32_t)search.begins);
  lwi_put_u32(to, (uint32_t)search.navmesh);
  lwi_put_vec3(to, search.footing.point);
  lwi_put_u64(to, lwi_poly_place(world->scene.meshes[search.navmesh], search.footing.poly));
  put_drive(to, &search);
  put_blockers(to, &search.blockers);
  lwi_saved_put_beliefs(to, &search.threats);
  lwi_put_u32(to, search.is_doubtful);
  lwi_put_u32(to, search.is_cold);
  lwi_put_u64(to, outdated ? outdated->serial : 0);
  lwi_put_u32(to, (uint32_t)begins);
  lwi_put_u32(to, planner->crowds.sent);
  put_fields(to, world);
  put_tables(to, world);
  lwi_put_u32(to, count);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (!lwi_agent_waits(agent)) continue;
    lwi_put_u64(to, agent->serial);
    lwi_put_u64(to, agent->route.waits_since);
    lwi_put_u32(to, (uint32_t)agent->route.ahead);
  }
}

/* @return false: it makes no sense. */
static bool read_waiting(const lw_saved *saved, lwi_reader *from, lwi_saved_waiting *waiting) {
  waiting->serial = lwi_get_u64(from);
  waiting->since = lwi_get_u64(from);
  const uint32_t ahead = lwi_get_u32(from);
  waiting->ahead = (lwi_ahead)ahead;
  return waiting->serial <= saved->clock.spawned && waiting->since <= saved->clock.steps &&
         ahead < LWI_AHEAD_COUNT;
}

const char *lwi_saved_read_planner(lw_saved *saved, lwi_reader *from) {
  static const char wrong[] = "a number of the planner is out of range";
  lwi_saved_plan *plan = &saved->run.plan;
  const uint32_t search_work = lwi_get_u32(from);
  plan->search_work = (int)search_work;
  plan->left = (int64_t)lwi_get_u64(from);
  const uint32_t is_busy = lwi_get_u32(from);
  plan->is_busy = is_busy == 1;
  plan->searching = lwi_get_u64(from);
  plan->search.work = lwi_get_u64(from);
  const uint32_t begins = lwi_get_u32(from), navmesh = lwi_get_u32(from);
  plan->search.begins = (int)begins;
  plan->search.navmesh = (int)navmesh;
  plan->search.footing.point = lwi_get_vec3(from);
  plan->search.footing.poly = lwi_get_u64(from);
  plan->is_there = true;
  if (search_work < 1 || search_work > INT32_MAX || plan->left > INT32_MAX ||
      plan->left < -(int64_t)INT32_MAX || is_busy > 1 || plan->searching > saved->clock.spawned ||
      plan->search.work > INT32_MAX || begins > LWI_SEARCH_BEGINS || (plan->search.work > 0 && begins == 0) ||
      navmesh >= LW_NAVMESHES_MAX || !lwi_saved_is_place(plan->search.footing.point))
    return wrong;
  if (!read_drive(from, &plan->search) || !read_blockers(from, &plan->search.blockers))
    return from->failed ? NULL : wrong;
  const char *unknown = read_knowledge(saved, from, &plan->search);
  if (unknown) return unknown;
  plan->outdated = lwi_get_u64(from);
  const uint32_t outdated_begins = lwi_get_u32(from);
  plan->begins = (int)outdated_begins;
  plan->sent = lwi_get_u32(from);
  if (plan->outdated > saved->clock.spawned || outdated_begins > LWI_SEARCH_BEGINS) return wrong;
  if (!read_fields(saved, from, plan) || !read_tables(saved, from, &plan->tables))
    return from->failed ? NULL : wrong;
  const uint32_t count = lwi_get_u32(from);
  uint64_t last = 0;
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    if (!lwi_reserve(&saved->memory, &plan->items, &plan->capacity, (int)i + 1, sizeof *plan->items)) return "";
    if (!read_waiting(saved, from, &plan->items[i]) || plan->items[i].serial <= last) return wrong;
    last = plan->items[i].serial;
    plan->count = (int)i + 1;
  }
  return NULL;
}

void lwi_saved_plan_free(lw_saved *saved) {
  lwi_free(&saved->memory, saved->run.plan.items,
           (size_t)saved->run.plan.capacity * sizeof *saved->run.plan.items);
  lwi_free(&saved->memory, saved->run.plan.search.threats.threats,
           (size_t)saved->run.plan.search.threats.capacity * sizeof(lw_threat));
}

/* The ground is as it was. */
static void restore_field(lw_world *world, const lw_saved *saved, const lwi_saved_field *field) {
  lwi_crowd_field of = field->of;
  const int navmesh = of.key.navmesh;
  if (navmesh >= world->scene.nav_count) return;
  const lw_navmesh *mesh = world->scene.meshes[navmesh];
  const lw_poly_id poly = lwi_poly_at_place(mesh, lwi_saved_place(world, saved, navmesh, field->place));
  of.key.region = lwi_poly_index(mesh, poly);
  if (of.key.region != LWI_NONE) lwi_crowd_fields_restore(&world->planner.crowds.fields, &of);
}

void lwi_saved_restore_plan(lw_world *world, const lw_saved *saved) {
  const lwi_saved_plan *plan = &saved->run.plan;
  if (plan->is_there) world->def.search_work = plan->search_work;
  lwi_planner_reset(world, plan->is_there ? plan->left : world->def.search_work, plan->is_busy);
  world->planner.crowds.sent = plan->sent;
  for (int i = 0; i < plan->field_count; i++) restore_field(world, saved, &plan->fields[i]);
  world->planner.tables = plan->tables;
}

/* Those that wait, by binary search: they are in the order of their serials. */
static const lwi_saved_waiting *find(const lwi_saved_plan *plan, uint64_t serial) {
  int low = 0, high = plan->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (plan->items[middle].serial < serial)
      low = middle + 1;
    else
      high = middle;
  }
  return low < plan->count && plan->items[low].serial == serial ? &plan->items[low] : NULL;
}

/* How far the search was. Where the ground on which it began is another one, it begins again. */
static lwi_plan_resume find_search(const lw_world *world, const lw_saved *saved) {
  lwi_plan_resume search = saved->run.plan.search;
  if (search.work == 0) return search;
  lw_poly_id poly = 0;
  if (search.navmesh < world->scene.nav_count) {
    const uint64_t place = lwi_saved_place(world, saved, search.navmesh, search.footing.poly);
    poly = lwi_poly_at_place(world->scene.meshes[search.navmesh], place);
  }
  search.footing.poly = poly;
  if (poly == 0) search.work = 0;
  return search;
}

void lwi_saved_restore_waiting(lw_world *world, lwi_agent *agent, const lw_saved *saved) {
  const lwi_saved_plan *plan = &saved->run.plan;
  const lwi_saved_waiting *waiting = find(plan, agent->serial);
  if (!lwi_agent_waits(agent)) return;
  agent->route.waits_since = waiting ? waiting->since : world->steps;
  agent->route.ahead = waiting ? waiting->ahead : LWI_AHEAD_NONE;
  world->planner.any_waiting = true;
  if (waiting && plan->outdated == agent->serial) lwi_planner_note_outdated(world, agent, plan->begins);
  if (!waiting || plan->searching != agent->serial) return;
  const lwi_plan_resume search = find_search(world, saved);
  lwi_planner_resume(world, agent, &search);
}
