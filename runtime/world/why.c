/* What an agent does and why, as text for people. */
#include "agent/crowd.h"
#include "behavior/tree.h"
#include "core/text.h"
#include "core/vec3.h"
#include "world/driving.h"
#include "world/world.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* An agent that waits for others says so from then on. [s] */
#define SAID_AFTER 1
/* One that arrived further from its goal than it was to, by this, says how far. [m] */
#define SHORT 0.1f

/* --- in a line -------------------------------------------------------------------------------------------- */

/* What its path costs, if that is more than its length. */
static void describe_path(const lwi_agent *agent, char *text, size_t size) {
  text[0] = 0;
  if (!agent->route.path || lw_path_cost(agent->route.path) <= 1.01f * lw_path_length(agent->route.path))
    return;
  lw_explanation *e = lwi_explain(agent->route.path, &agent->route.path->memory.allocator);
  if (!e) return;
  char sentence[256];
  lw_explanation_sentence(e, sentence, sizeof sentence);
  snprintf(text, size, "; the path %s", sentence);
  lw_explanation_destroy(e);
}

/* The agent that blocks it, or did. */
static void describe_blocker(const lw_world *world, const lwi_agent *agent, char *text, size_t size) {
  float seconds;
  const lwi_agent *other = lwi_world_agent(world, lwi_agent_blocker(agent, &seconds));
  char name[32];
  text[0] = 0;
  if (!other) return;
  lwi_agent_name(other->id, name, sizeof name);
  if (lwi_is_vehicle(agent->profile))
    snprintf(text, size, "; a %.63s at (%.1f, %.1f, %.1f) blocks it", other->profile->def.name,
             (double)other->at.point.x, (double)other->at.point.y, (double)other->at.point.z);
  else if (agent->move == LW_MOVE_FAILED)
    snprintf(text, size, ", blocked by %s", name);
  else if (seconds >= SAID_AFTER)
    snprintf(text, size, ", waits behind %s for %.0f s", name, (double)seconds);
}

/* The vehicle that it lets pass. */
static void describe_yielding(const lw_world *world, const lwi_agent *agent, char *text, size_t size) {
  const lwi_agent *other = lwi_vehicle_lets_pass(world, agent);
  text[0] = 0;
  if (other) snprintf(text, size, ", gives way to a %.63s", other->profile->def.name);
}

/* Links along which an agent that found no path does not fit. */
static void describe_unfit(const lw_world *world, const lwi_agent *agent, char *text, size_t size) {
  const bool has_none = agent->move == LW_MOVE_FAILED && agent->failure == LW_NO_PATH;
  const int count = has_none ? lwi_link_clearances_refusing(world, &lwi_agent_payer(agent)->prices.filter) : 0;
  text[0] = 0;
  if (count > 0) snprintf(text, size, "; it is too large for %d link%s", count, count == 1 ? "" : "s");
}

/* The agent behind it whose priority it has. */
static void describe_urging(const lw_world *world, const lwi_agent *agent, char *text, size_t size) {
  const lwi_agent *other = lwi_world_agent(world, agent->route.motion.blocking.urged_by);
  char name[32];
  text[0] = 0;
  if (!other || agent->move != LW_MOVE_WALKING) return;
  lwi_agent_name(other->id, name, sizeof name);
  snprintf(text, size, ", pushes for %s behind it", name);
}

/* What it turns or slows down for. */
static void describe_evasion(const lwi_agent *agent, char *text, size_t size) {
  static const char *const things[LW_WHISKER_HIT_COUNT] = {[LW_WHISKER_OBSTACLE] = "an obstacle that moves",
                                                           [LW_WHISKER_AGENT] = "a faster agent or a vehicle",
                                                           [LW_WHISKER_LINK] =
                                                               "an agent that comes off a link"};
  const lwi_motion *motion = &agent->route.motion;
  text[0] = 0;
  if (!motion->whiskers.is_evading || agent->move != LW_MOVE_WALKING) return;
  const bool waits = motion->whiskers.slowed < 0.5f;
  snprintf(text, size, ", %s %s", waits ? "waits for" : "evades", things[motion->whiskers.met]);
}

/* How near to the goal it came, where others stand there or it lies off the ground. */
static void describe_arrival(const lwi_agent *agent, char *text, size_t size) {
  const lw_vec3 goal = agent->route.goal;
  const float away = lwi_distance_xz(agent->at.point, goal);
  char distance[32] = "at";
  if (agent->route.station.group == 0 && away > agent->route.within + SHORT)
    snprintf(distance, sizeof distance, "%.1f m from", (double)away);
  snprintf(text, size, "arrived %s (%.1f, %.1f, %.1f)", distance, (double)goal.x, (double)goal.y,
           (double)goal.z);
}

/* What it has tried on its journey against those that keep it from getting on. */
static void describe_remedies(const lwi_agent *agent, char *text, size_t size) {
  static const char *const names[LW_REMEDY_COUNT][2] = {{"side step", "side steps"},
                                                        {"push", "pushes"},
                                                        {"search past them", "searches past them"},
                                                        {"step back", "steps back"},
                                                        {NULL, NULL}};
  const lwi_remedy *remedy = &agent->route.remedy;
  const char *now = remedy->retreat.is_on ? ", backs off" : remedy->is_searching ? ", searches past them" : "";
  float seconds;
  int length = snprintf(text, size, "%s", now);
  const bool is_blocked = !lw_agent_id_is_none(lwi_agent_blocker(agent, &seconds));
  const bool says =
      agent->move == LW_MOVE_FAILED || remedy->retreat.is_on || (is_blocked && seconds >= SAID_AFTER);
  const char *begin = "; so far ";
  for (int i = 0; says && i < LW_REMEDY_COUNT && (size_t)length < size; i++) {
    const int count = remedy->tried[i];
    if (count == 0 || !names[i][0]) continue;
    length += snprintf(text + length, size - (size_t)length, "%s%d %s", begin, count, names[i][count > 1]);
    begin = ", ";
  }
}

static void describe_move(const lw_world *world, const lwi_agent *agent, char *text, size_t size) {
  static const char *const stations[] = {"", " in formation", " along the path of its group",
                                         " at the head of its group"};
  lw_vec3 goal = agent->route.goal;
  char path[300], blocker[160], yielding[96], evasion[64], urging[64], tried[160], unfit[48];
  describe_urging(world, agent, urging, sizeof urging);
  describe_evasion(agent, evasion, sizeof evasion);
  describe_blocker(world, agent, blocker, sizeof blocker);
  describe_yielding(world, agent, yielding, sizeof yielding);
  describe_remedies(agent, tried, sizeof tried);
  switch (agent->move) {
  case LW_MOVE_IDLE: snprintf(text, size, "stands"); break;
  case LW_MOVE_ARRIVED: describe_arrival(agent, text, size); break;
  case LW_MOVE_WALKING:
    if (agent->route.staleness == LWI_WAITING && !agent->route.remedy.is_searching) {
      snprintf(text, size, "waits for the search of its path to (%.1f, %.1f, %.1f)%s%s", (double)goal.x,
               (double)goal.y, (double)goal.z,
               agent->route.ahead == LWI_AHEAD_WALKS ? ", and walks towards it" : "", yielding);
      break;
    }
    describe_path(agent, path, sizeof path);
    snprintf(text, size, "%s to (%.1f, %.1f, %.1f)%s, %.1f m left%s%s%s%s%s%s",
             lwi_is_vehicle(agent->profile) ? "drives" : "walks", (double)goal.x, (double)goal.y,
             (double)goal.z, stations[agent->route.station.kind], (double)agent->route.remaining, yielding,
             blocker, urging, evasion, tried, path);
    break;
  case LW_MOVE_FAILED:
    if (agent->failure == LW_TRAPPED) {
      snprintf(text, size, "cannot move: %s", lw_status_text(agent->failure));
      break;
    }
    describe_unfit(world, agent, unfit, sizeof unfit);
    snprintf(text, size, "cannot get to (%.1f, %.1f, %.1f): %s%s%s%s", (double)goal.x, (double)goal.y,
             (double)goal.z, lw_status_text(agent->failure), unfit, blocker,
             agent->failure == LW_STUCK ? tried : "");
    break;
  }
}

/* Is a profile one that was put together for one request, as from an agent's own with other costs? Its name, if it has
   one, is that of the profile with the costs before. */
static bool has_other_costs(const lwi_agent *agent, const lw_profile *profile) {
  const char *name = profile->def.name;
  return profile->def.is_brief && (strcmp(name, agent->profile->def.name) == 0 || strcmp(name, "custom") == 0);
}

/* What else than its own profile, knowledge and pace its journey goes by. */
static void describe_journey(const lwi_agent *agent, char *text, size_t size) {
  const lwi_journey *journey = &agent->route.journey;
  char costs[64] = "", threats[48] = "", name[64];
  text[0] = 0;
  if (agent->move != LW_MOVE_WALKING) return;
  if (journey->profile && has_other_costs(agent, journey->profile)) {
    snprintf(costs, sizeof costs, " other costs");
  } else if (journey->profile) {
    lwi_text_show(name, sizeof name, journey->profile->def.name);
    snprintf(costs, sizeof costs, " the costs of '%.44s'", name);
  }
  if (journey->has_threats)
    snprintf(threats, sizeof threats, "%s %d given threat%s", costs[0] ? " and" : "", journey->threats.count,
             journey->threats.count == 1 ? "" : "s");
  if (costs[0] || threats[0]) snprintf(text, size, ", on this journey by%s%s", costs, threats);
}

/* The link that it is on, or waits for. */
static void describe_link(const lw_world *world, const lwi_agent *agent, char *text, size_t size) {
  const bool is_on = agent->link.active;
  const lwi_link_entry *entry = lwi_world_link(world, is_on ? agent->link.id : agent->route.wait.link);
  char name[LW_LINK_NAME_MAX + 1], called[LW_LINK_NAME_MAX + 8] = "";
  if (!is_on && !entry) return;
  const lw_link_kind kind = is_on ? agent->link.kind : lwi_link_def_of(world, entry).kind;
  if (entry && entry->name) {
    lwi_text_show(name, sizeof name, entry->name);
    snprintf(called, sizeof called, " '%s'", name);
  }
  if (is_on && agent->link.is_held && !agent->link.is_finished)
    snprintf(text, size, ", on a %s link%s, which ends when the game says so", lw_link_kind_name(kind), called);
  else if (is_on)
    snprintf(text, size, ", on a %s link%s (%.0f %%)", lw_link_kind_name(kind), called,
             (double)(100 * lwi_traverse_progress(&agent->link)));
  else
    snprintf(text, size, ", waits for the %s link%s", lw_link_kind_name(kind), called);
}

int lw_agent_why(const lw_world *world, lw_agent_id id, char *text, size_t size) {
  if (!text) size = 0;
  if (size > 0) text[0] = 0;
  if (!world) return 0;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return 0;
  char node[256] = "no tree", move[1024], link[256] = "", stance[64] = "", name[32], fear[40] = "",
       journey[160];
  char sensed[256] = "";
  if (agent->run) {
    int current = lw_tree_run_current(agent->run);
    if (current >= 0)
      lw_tree_node_path(agent->tree, current, node, sizeof node);
    else
      lwi_text_show(node, sizeof node, agent->tree->name);
  }
  describe_move(world, agent, move, sizeof move);
  describe_link(world, agent, link, sizeof link);
  describe_journey(agent, journey, sizeof journey);
  const int taken = lwi_agent_stance(agent, world->scene.meshes[agent->navmesh]);
  if (taken != LW_STAND) {
    lwi_text_show(name, sizeof name, lw_profile_get_stance(agent->profile, taken)->name);
    snprintf(stance, sizeof stance, ", %s%s", name, taken != agent->stance ? " under a low ceiling" : "");
  }
  lwi_agent settled = *agent; /* a const world is left as it is */
  lwi_agent_settle_reason(&settled);
  const int threats = lw_agent_get_threats(world, id, NULL, 0);
  if (threats > 0) snprintf(fear, sizeof fear, ", knows of %d threat%s", threats, threats > 1 ? "s" : "");
  lwi_agent_describe_senses(world, agent, sensed, sizeof sensed);
  return snprintf(text, size, "%s: %s%s%s%s%s%s%s%s", node, move, journey, stance, link, fear, sensed,
                  settled.mind.reason[0] ? "; last failure: " : "", settled.mind.reason);
}

/* --- in detail -------------------------------------------------------------------------------------------- */

/* A text that grows. */
typedef struct report {
  char *text;
  size_t size;
  int length; /* of the whole, also where it does not fit */
} report;

static void add(report *to, const char *format, ...) LW_PRINTF(2, 3);
static void add(report *to, const char *format, ...) {
  const size_t used = (size_t)to->length < to->size ? (size_t)to->length : to->size;
  va_list arguments;
  va_start(arguments, format);
  const int added = vsnprintf(to->size > 0 ? to->text + used : NULL, to->size - used, format, arguments);
  va_end(arguments);
  if (added > 0) to->length += added;
}

static void add_node(report *to, const lw_world *world, const lwi_agent *agent, int node, int depth) {
  lw_node_state state;
  char name[256], key[256] = "";
  const lwi_tree_node *of = &agent->tree->nodes[node];
  lw_tree_run_get_node(agent->run, node, &state);
  if (state.outcome == LW_NODE_IDLE) return;
  lwi_text_show(name, sizeof name, of->name);
  if (of->kind == LW_CONDITION && of->key_count > 0) lwi_text_show(key, sizeof key, of->keys[0]);
  add(to, "\n%*s%s%s%s%s: ", 2 * (depth + 1), "", name, key[0] ? " (" : "", key, key[0] ? ")" : "");
  const double age = world->time - state.since;
  if (isnan(age))
    add(to, "%s", lw_node_outcome_name(state.outcome));
  else if (state.outcome == LW_NODE_RUNNING)
    add(to, "running for %.2f s", age);
  else
    add(to, "%s %.2f s ago", lw_node_outcome_name(state.outcome), age);
}

/* The nodes that run, and their children, the first in the tree first. */
static void add_nodes(report *to, const lw_world *world, const lwi_agent *agent) {
  const lwi_tree_node *nodes = agent->tree->nodes;
  add(to, "\ntree:");
  for (int i = 0, depth = 0, above = -1; i < agent->tree->node_count;) {
    while (above != nodes[i].parent) { /* the one before was deeper */
      above = nodes[above].parent;
      depth -= 1;
    }
    add_node(to, world, agent, i, depth);
    if (!lw_tree_run_is_active(agent->run, i) || nodes[i].end == i + 1) {
      i = nodes[i].end;
      continue;
    }
    above = i++;
    depth += 1;
  }
}

#define FAILURES 4 /* that are shown */

static void add_failures(report *to, const lw_world *world, const lwi_agent *agent) {
  enum { LOOKED_AT = 32 };
  lw_history_entry entries[LOOKED_AT];
  const int found = lw_agent_get_history(world, agent->id, (double)INFINITY, entries, LOOKED_AT);
  int shown = 0;
  for (int i = (found < LOOKED_AT ? found : LOOKED_AT) - 1; i >= 0 && shown < FAILURES; --i) {
    char text[256];
    if (entries[i].kind != LW_HISTORY_FAILED && entries[i].kind != LW_HISTORY_MOVE_FAILED) continue;
    lw_history_text(&entries[i], text, sizeof text);
    if (shown++ == 0) add(to, "\nlast failures:");
    add(to, "\n  %.2f s ago: %s", world->time - entries[i].time, text);
  }
}

static void add_value(report *to, const lw_value *value) {
  char text[128];
  switch (value->kind) {
  case LW_VALUE_BOOLEAN: add(to, "%s", value->as.boolean ? "true" : "false"); break;
  case LW_VALUE_NUMBER: add(to, "%.14g", value->as.number); break;
  case LW_VALUE_STRING:
    lwi_text_show(text, sizeof text, value->as.string);
    add(to, "'%s'", text);
    break;
  case LW_VALUE_VEC3:
    add(to, "(%.2f, %.2f, %.2f)", (double)value->as.vec3.x, (double)value->as.vec3.y, (double)value->as.vec3.z);
    break;
  case LW_VALUE_AGENT: lwi_agent_name(value->as.agent, text, sizeof text), add(to, "%s", text); break;
  default: add(to, "an object"); break;
  }
}

#define KEYS 32 /* of a blackboard that are shown */

/* The first entry with a value in alphabetical order behind that one. @return NULL: there is none. */
static const lwi_value_entry *next_entry(const lwi_values *values, const lwi_value_entry *before) {
  const lwi_value_entry *next = NULL;
  for (int i = 0; i < values->count; ++i) {
    const lwi_value_entry *entry = &values->entries[i];
    if (entry->value.kind == LW_VALUE_NONE || (before && strcmp(entry->key, before->key) <= 0)) continue;
    if (!next || strcmp(entry->key, next->key) < 0) next = entry;
  }
  return next;
}

static void add_values(report *to, const lwi_values *values, const char *prefix, bool *any) {
  const lwi_value_entry *entry = NULL;
  for (int shown = 0; values && (entry = next_entry(values, entry)); ++shown) {
    char key[2 * LW_KEY_MAX];
    if (shown == KEYS) {
      add(to, "\n  %s... and %d more", prefix, values->count - values->empty - KEYS);
      return;
    }
    lwi_text_show(key, sizeof key, entry->key);
    add(to, "%s\n  %s%s = ", *any ? "" : "\nblackboard:", prefix, key);
    add_value(to, &entry->value);
    *any = true;
  }
}

int lw_agent_why_in_detail(const lw_world *world, lw_agent_id id, char *text, size_t size) {
  if (!text) size = 0;
  if (size > 0) text[0] = 0;
  const lwi_agent *agent = world ? lwi_world_agent(world, id) : NULL;
  if (!agent) return 0;
  report to = {text, size, lw_agent_why(world, id, text, size)};
  if (agent->run) add_nodes(&to, world, agent);
  add_failures(&to, world, agent);
  bool any = false;
  const uint32_t team = agent->knowledge.team_number;
  add_values(&to, agent->mind.values, "", &any);
  if (team != 0 && (int)team < world->trees.team_capacity)
    add_values(&to, world->trees.teams[team], "team.", &any);
  add_values(&to, &world->trees.values, "world.", &any);
  return to.length;
}
