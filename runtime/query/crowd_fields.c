#include "query/crowd_fields.h"

#include "core/hash.h"
#include "core/status.h"

#include <math.h>

/* After TRIED paths a field is useless if more than one in USELESS of them was searched all the same. */
#define TRIED 16
#define USELESS 4

/* --- fields ------------------------------------------------------------------------------------------------------- */

static void free_field(lwi_crowd_field *field) {
  lwi_field_free(&field->field);
  *field = (lwi_crowd_field){.is_there = false};
}

void lwi_crowd_fields_forget(lwi_crowd_fields *fields) {
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++) free_field(&fields->of_agents[i]);
}

void lwi_crowd_fields_free(lwi_crowd_fields *fields) {
  lwi_crowd_fields_forget(fields);
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++) free_field(&fields->of_requests[i]);
}

bool lwi_crowd_field_is_valid(const lwi_crowd_field *field, const lwi_scene *scene) {
  if (!field->is_there || field->key.navmesh >= scene->nav_count) return false;
  const lwi_nav *nav = &scene->navs[field->key.navmesh];
  return field->version == 0 || (field->base == nav->base && field->version == nav->mesh->live.version + 1);
}

static void expire(lwi_crowd_field *field, const lwi_scene *scene, uint64_t step) {
  const bool is_used = field->used + LWI_CROWD_STEPS_KEPT >= step && field->used <= step;
  if (field->is_there && !(is_used && lwi_crowd_field_is_valid(field, scene))) free_field(field);
}

void lwi_crowd_fields_expire(lwi_crowd_fields *fields, const lwi_scene *scene, uint64_t step) {
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++) {
    expire(&fields->of_agents[i], scene, step);
    expire(&fields->of_requests[i], scene, step);
  }
}

static void note_ground(lwi_crowd_field *field, const lwi_nav *nav) {
  field->base = nav->base;
  field->version = nav->mesh->live.version + 1;
}

void lwi_crowd_fields_settle(lwi_crowd_fields *fields, const lwi_scene *scene) {
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++) {
    lwi_crowd_field *field = &fields->of_agents[i]; /* others are not saved */
    if (field->is_there && field->version == 0 && field->key.navmesh < scene->nav_count)
      note_ground(field, &scene->navs[field->key.navmesh]);
  }
}

int lwi_crowd_fields_count(const lwi_crowd_fields *fields, const lwi_scene *scene) {
  int count = 0;
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++)
    count += lwi_crowd_field_is_valid(&fields->of_agents[i], scene) +
             lwi_crowd_field_is_valid(&fields->of_requests[i], scene);
  return count;
}

int lwi_crowd_field_grown(const lwi_crowd_field *field) {
  return field->regrow > 0 ? field->regrow : field->field.expanded;
}

static bool is_same(const lwi_crowd_key *a, const lwi_crowd_key *b) {
  return a->navmesh == b->navmesh && a->is_of_requests == b->is_of_requests && a->prices == b->prices &&
         a->region == b->region && lwi_equal(a->goal, b->goal);
}

static lwi_crowd_field *items_of(lwi_crowd_fields *fields, bool is_of_requests) {
  return is_of_requests ? fields->of_requests : fields->of_agents;
}

static lwi_crowd_field *find(lwi_crowd_fields *fields, const lwi_scene *scene, const lwi_crowd_key *key) {
  lwi_crowd_field *items = items_of(fields, key->is_of_requests);
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++) {
    lwi_crowd_field *field = &items[i];
    if (field->is_there && is_same(&field->key, key) && lwi_crowd_field_is_valid(field, scene)) return field;
  }
  return NULL;
}

static lwi_crowd_field *find_free(lwi_crowd_field *items) {
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++)
    if (!items[i].is_there) return &items[i];
  return NULL;
}

bool lwi_crowd_fields_restore(lwi_crowd_fields *fields, const lwi_crowd_field *from) {
  lwi_crowd_field *field = find_free(items_of(fields, from->key.is_of_requests));
  if (!field) return false;
  *field = *from;
  field->is_there = true;
  field->version = 0;
  field->field = (lwi_field){.memory = fields->memory};
  return true;
}

bool lwi_crowd_field_is_useless(const lwi_crowd_field *field) {
  return field->led >= TRIED && field->searched > field->led / USELESS;
}

bool lwi_crowd_is_large(const lwi_nav *nav, int members) {
  return members >= LWI_CROWD_MEMBERS &&
         (uint32_t)members >= nav->base->polygons.count / LWI_CROWD_POLYGONS_A_MEMBER;
}

/* In any order of the fields. */
uint64_t lwi_crowd_fields_hash(const lwi_crowd_fields *fields, const lwi_scene *scene) {
  uint64_t sum = 0;
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++) {
    const lwi_crowd_field *field = &fields->of_agents[i];
    if (!lwi_crowd_field_is_valid(field, scene)) continue;
    const uint64_t words[] = {(uint64_t)field->key.navmesh, field->used, (uint64_t)lwi_crowd_field_grown(field),
                              field->led, field->searched};
    sum += lwi_hash(lwi_hash(LWI_HASH_SEED, &field->key.goal, sizeof field->key.goal), words, sizeof words);
  }
  return sum;
}

/* --- a field ------------------------------------------------------------------------------------------------------ */

static lwi_field_query query_of(const lwi_search_query *asked, const lwi_field_goal *goal) {
  return (lwi_field_query){.graph = asked->graph,
                           .cost_model = &asked->cost_model,
                           .goals = goal,
                           .goal_count = 1,
                           .max_cost = INFINITY,
                           .is_uniform = true,
                           .is_close = true};
}

static lwi_field_place place_of(const lwi_search_query *asked) {
  const uint32_t polygon = lwi_region_polygon(asked->graph, asked->from_region);
  return (lwi_field_place){.graph = asked->graph,
                           .region = asked->from_region,
                           .polygon = polygon,
                           .at = asked->from,
                           .price = lwi_price_on(asked->cost_model.prices, asked->cost_model.mesh, polygon),
                           .cost_model = &asked->cost_model};
}

static lwi_crowd_key key_of(const lwi_crowd_use *use, const lwi_nav_search *search) {
  const lwi_search_query *asked = &search->search.asked;
  return (lwi_crowd_key){.navmesh = lwi_scene_index(search->run->scene, search->nav),
                         .is_of_requests = use->is_of_requests,
                         .prices = asked->cost_model.prices->content,
                         .goal = asked->to,
                         .region = asked->to_region};
}

static uint32_t polygons_of_all(const lwi_crowd_field *items, const lwi_scene *scene) {
  uint32_t sum = 0;
  for (int i = 0; i < LWI_CROWD_FIELDS_MAX; i++)
    if (items[i].is_there) sum += scene->navs[items[i].key.navmesh].base->polygons.count;
  return sum;
}

/* @return NULL: there are too many. */
static lwi_crowd_field *open_field(const lwi_crowd_use *use, const lwi_nav_search *search,
                                   const lwi_crowd_key *key) {
  const lwi_scene *scene = search->run->scene;
  lwi_crowd_field *items = items_of(use->fields, key->is_of_requests), *field = find_free(items);
  if (!field || polygons_of_all(items, scene) + search->nav->base->polygons.count > LWI_CROWD_POLYGONS_MAX)
    return NULL;
  *field = (lwi_crowd_field){.is_there = true, .key = *key, .field.memory = use->fields->memory};
  note_ground(field, search->nav);
  use->fields->opened += 1;
  return field;
}

/* Compute it as far as it was in a saved game, which does not count: it did then. */
static lw_status begin_field(lwi_crowd_field *field, const lwi_nav *nav, const lwi_field_query *query) {
  const int regrow = field->regrow;
  if (field->version == 0) note_ground(field, nav);
  field->regrow = 0;
  const lw_status status = lwi_field_begin(&field->field, query);
  return status == LW_OK ? lwi_field_grow_to(&field->field, query, regrow) : status;
}

/* Grow with what the work suffices for. */
static lw_status grow(lwi_crowd_field *field, const lwi_nav_search *search, uint64_t limit, uint64_t *work,
                      lwi_field_route *route) {
  const lwi_search_query *asked = &search->search.asked;
  const lwi_field_goal goal = {asked->to, asked->to_region, 0};
  const lwi_field_query query = query_of(asked, &goal);
  const lwi_field_place place = place_of(asked);
  lw_status status = LW_OK;
  if (field->field.region_count == 0) status = begin_field(field, search->nav, &query);
  if (status != LW_OK) return status;
  const int before = field->field.expanded;
  const uint64_t exits =
      limit < INT32_MAX / LWI_CROWD_EXITS_A_WORK ? limit * LWI_CROWD_EXITS_A_WORK : INT32_MAX;
  const int until = exits < (uint64_t)(INT32_MAX - before) ? before + (int)exits : INT32_MAX;
  status = lwi_field_grow(&field->field, &query, &place, until, route);
  *work += ((uint64_t)(field->field.expanded - before) + LWI_CROWD_EXITS_A_WORK - 1) / LWI_CROWD_EXITS_A_WORK;
  return status;
}

/* --- a corridor --------------------------------------------------------------------------------------------------- */

/* Is there another exit behind one of these, in a field? Else the goal lies in its region. */
static bool leads_on(const lwi_field_exit *exit) {
  return exit->portal != LWI_NONE;
}

static uint32_t exit_behind(const lwi_field_exit *exit) {
  return exit->parent != LWI_NONE ? exit->parent : exit->behind;
}

static lwi_step step_of(const lwi_graph *graph, const lwi_field_exit *exit) {
  const uint32_t links = graph->mesh->links.count;
  if (exit->parent == LWI_NONE) {
    const lwi_link *link = &graph->mesh->links.items[exit->portal];
    return (lwi_step){1 + exit->portal, lwi_graph_link_regions(graph, exit->portal).to, link->end};
  }
  lw_vec3 left, right;
  lwi_search_portal_ends(graph, exit->region, &graph->portals[exit->forth], &left, &right);
  return (lwi_step){1 + links + exit->forth, exit->behind, lwi_lerp(left, right, 0.5F)};
}

/* @return Its steps; NULL: no memory. */
static lwi_step *begin_corridor(lwi_path_search *run, int count) {
  lwi_search *search = run->search;
  lwi_corridor *corridor = &search->corridor;
  search->graph = *run->asked.graph;
  search->place_base = search->lane_base = LWI_NONE;
  search->prices_differ = search->turned = false;
  corridor->count = 0;
  if (!lwi_reserve(search->memory, &corridor->steps, &corridor->capacity, count, sizeof *corridor->steps))
    return NULL;
  corridor->count = count;
  run->has_corridor = true;
  return corridor->steps;
}

/* @return false: no memory. */
static bool give_corridor(lwi_path_search *search, const lwi_field *field, const lwi_field_route *route) {
  const uint32_t first = route->exit;
  int count = 0;
  for (uint32_t e = first; leads_on(&field->exits[e]); e = exit_behind(&field->exits[e])) count += 1;
  lwi_step *steps = begin_corridor(search, count);
  if (!steps) return false;
  search->bound = route->cost;
  for (uint32_t e = first; leads_on(&field->exits[e]); e = exit_behind(&field->exits[e]))
    *steps++ = step_of(search->asked.graph, &field->exits[e]);
  return true;
}

static lwi_crowd_lead lead_along(const lwi_field *field, lwi_nav_search *search, const lwi_field_route *route) {
  if (!(route->cost < INFINITY)) return LWI_CROWD_NONE;
  return give_corridor(&search->search, field, route) ? LWI_CROWD_LED : LWI_CROWD_FAILED;
}

/* Fields stay as they are. */
static lwi_crowd_lead lead_beside(const lwi_crowd_use *use, const lwi_crowd_field *field,
                                  lwi_nav_search *search) {
  if (!field) return use->is_of_crowd ? LWI_CROWD_ALONE : LWI_CROWD_NONE;
  if (lwi_crowd_field_is_useless(field)) return LWI_CROWD_NONE;
  if (field->field.region_count == 0) return LWI_CROWD_ALONE;
  const lwi_field_place place = place_of(&search->search.asked);
  const lwi_field_route route = lwi_field_from(&field->field, &place);
  return lwi_field_knows(&field->field, &route) ? lead_along(&field->field, search, &route) : LWI_CROWD_ALONE;
}

static lwi_crowd_lead lead_alone(const lwi_crowd_use *use, lwi_crowd_field *field, lwi_nav_search *search,
                                 uint64_t limit, uint64_t *work) {
  lwi_field_route route;
  if (lwi_crowd_field_is_useless(field)) return LWI_CROWD_NONE;
  if (!use->is_resumed) field->used = use->step;
  const lw_status status = grow(field, search, limit, work, &route);
  if (status == LW_UNFINISHED) return LWI_CROWD_GROWS;
  if (status == LW_OK) return lead_along(&field->field, search, &route);
  free_field(field);
  return LWI_CROWD_FAILED;
}

lwi_crowd_lead lwi_crowd_lead_search(const lwi_crowd_use *use, lwi_nav_search *search, uint64_t limit,
                                     uint64_t *work, lwi_crowd_field **field) {
  *field = NULL;
  const lwi_search_query *asked = &search->search.asked;
  if (!use->fields || asked->from_region == asked->to_region ||
      !lwi_path_search_takes_corridor(&search->search))
    return LWI_CROWD_NONE;
  const lwi_crowd_key key = key_of(use, search);
  lwi_crowd_field *found = find(use->fields, search->run->scene, &key);
  if (!found && use->is_of_crowd && !use->is_beside) found = open_field(use, search, &key);
  if (!found && !use->is_beside) return LWI_CROWD_NONE;
  const lwi_crowd_lead lead =
      use->is_beside ? lead_beside(use, found, search) : lead_alone(use, found, search, limit, work);
  if (lead == LWI_CROWD_LED) *field = found;
  return lead;
}

void lwi_crowd_note_led(lwi_crowd_fields *fields, lwi_crowd_field *field, uint64_t step, bool is_far) {
  fields->paths += !is_far;
  field->used = step;
  field->led += 1;
  field->searched += is_far;
  if (lwi_crowd_field_is_useless(field)) lwi_field_free(&field->field);
}
