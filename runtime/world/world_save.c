/* Writing a world's state. */
#include "core/hash.h"
#include "core/status.h"
#include "mesh/sections.h"
#include "world/saved.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* Area ids are those of one table: what holds them is left out. */
uint64_t lwi_saved_identity(const lw_navmesh *mesh) {
  static const int sections[] = {LWI_CORNERS, LWI_EDGES, LWI_PORTALS, LWI_STRETCHES, LWI_DETAIL_VERTICES};
  uint64_t hash = LWI_HASH_SEED;
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    hash = lwi_hash(hash, lwi_section_get(mesh, sections[i]), (size_t)lwi_section_size(mesh, sections[i]));
  for (uint32_t i = 0; i < mesh->link_count; i++) {
    const lwi_link *link = &mesh->links[i];
    const float numbers[] = {link->start.x, link->start.y, link->start.z, link->end.x,
                             link->end.y,   link->end.z,   link->length,  (float)link->kind};
    hash = lwi_hash(hash, numbers, sizeof numbers);
  }
  return hash;
}

/* @return Where the size belongs. */
static int begin(lwi_bytes *to, const char *name) {
  size_t length = strlen(name); /* at most 8 */
  for (size_t i = 0; i < 8; i++) lwi_put(to, i < length ? (unsigned char)name[i] : 0, 1);
  lwi_put_u64(to, 0);
  return to->count - 8;
}

static void set(lwi_bytes *to, int at, uint64_t value) {
  if (to->failed) return;
  for (int i = 0; i < 8; i++) to->data[at + i] = (unsigned char)(value >> 8 * i);
}

static void end(lwi_bytes *to, int size) {
  set(to, size, (uint64_t)(to->count - size - 8));
}

static void put_navmeshes(lwi_bytes *to, const lw_world *world) {
  int size = begin(to, LWI_SAVED_NAVMESHES);
  lwi_put_u32(to, (uint32_t)world->ground_count);
  for (int i = 0; i < world->ground_count; i++) lwi_put_u64(to, lwi_saved_identity(world->meshes[i]));
  end(to, size);
}

static void put_clock(lwi_bytes *to, const lw_world *world) {
  int size = begin(to, LWI_SAVED_CLOCK);
  lwi_put_double(to, world->time);
  lwi_put_u64(to, world->steps);
  lwi_put_u64(to, world->spawned);
  lwi_put_u64(to, world->random.stream);
  lwi_put_u64(to, world->random.counter);
  end(to, size);
}

static void put_dangers(lwi_bytes *to, const lw_world *world) {
  int size = begin(to, LWI_SAVED_DANGERS);
  lwi_put_u64(to, world->dangers.made);
  lwi_put_u32(to, (uint32_t)world->dangers.count);
  for (int i = 0; i < world->dangers.count; i++) {
    const lwi_danger *danger = &world->dangers.items[i];
    lwi_put_u64(to, danger->id);
    lwi_put_double(to, danger->since);
    lwi_put_vec3(to, danger->def.at);
    lwi_put_float(to, danger->def.radius);
    lwi_put_float(to, danger->def.height);
    lwi_put_float(to, danger->def.value);
    lwi_put_float(to, danger->def.half_life);
  }
  end(to, size);
}

static void put_lanes(lwi_bytes *to, const lw_world *world) {
  int size = begin(to, LWI_SAVED_LANES);
  lwi_put_u64(to, world->lanes.made);
  lwi_put_u32(to, (uint32_t)world->lanes.count);
  for (int i = 0; i < world->lanes.count; i++) {
    const lwi_fire_lane *lane = &world->lanes.items[i];
    lwi_put_u64(to, lane->id);
    lwi_put_double(to, lane->since);
    lwi_put_vec3(to, lane->def.from);
    lwi_put_vec3(to, lane->def.to);
    lwi_put_float(to, lane->def.radius);
    lwi_put_float(to, lane->def.seconds);
    lwi_put_float(to, lane->def.weight);
  }
  end(to, size);
}

static void put_visibility(lwi_bytes *to, const lw_world *world) {
  int size = begin(to, LWI_SAVED_VISIBILITY);
  lwi_put_float(to, world->visibility);
  lwi_put_u32(to, (uint32_t)world->team_count);
  for (int i = 0; i < world->team_count; i++) {
    lwi_put_text(to, world->teams[i].name);
    lwi_put_float(to, world->teams[i].visibility);
  }
  end(to, size);
}

static void put_agent(lwi_bytes *to, const lwi_agent *agent) {
  lwi_put_text(to, agent->profile->def.name);
  lwi_put_text(to, agent->tree ? lw_tree_name(agent->tree) : "");
  lwi_put_text(to, agent->team);
  lwi_put_text(to, agent->profile->def.stances[agent->stance].name);
  lwi_put_vec3(to, lwi_agent_footing(agent).point);
  lwi_put_u32(to, (uint32_t)lwi_agent_footing_navmesh(agent));
  lwi_put_float(to, agent->heading);
  lwi_put_u32(to, (uint32_t)agent->pace);
  lwi_put_u32(to, agent->move == LW_MOVE_WALKING);
  lwi_put_vec3(to, agent->goal);
  lwi_put_float(to, agent->within);
  lwi_put_u64(to, agent->user);
  lwi_put_u32(to, agent->color);
  lwi_put_u64(to, agent->random.stream);
  lwi_put_u64(to, agent->random.counter);
}

static void put_agents(lwi_bytes *to, const lw_world *world) {
  int size = begin(to, LWI_SAVED_AGENTS);
  lwi_put_u32(to, (uint32_t)world->agent_count);
  for (int i = 0; i < world->agent_count; i++) put_agent(to, world->agents[i]);
  end(to, size);
}

static void put_run(lwi_bytes *to, const lw_world *world) {
  lwi_put_u64(to, world->def.seed);
  lwi_put_u32(to, world->any_stale);
  lwi_put_u32(to, (uint32_t)world->stale_turn);
  bool rests = world->stale_until > world->steps;
  lwi_put_u32(to, rests ? (uint32_t)(world->stale_until - world->steps) : 0);
}

/* What other files put. */
static const struct {
  const char *name;
  void (*put)(lwi_bytes *to, const lw_world *world);
} parts[] = {{LWI_SAVED_RUN, put_run},
             {LWI_SAVED_AREAS, lwi_saved_put_areas},
             {LWI_SAVED_THREATS, lwi_saved_put_threats},
             {LWI_SAVED_WALKS, lwi_saved_put_walks},
             {LWI_SAVED_EYES, lwi_saved_put_eyes}};
#define PARTS (sizeof parts / sizeof *parts)

static void put_part(lwi_bytes *to, const lw_world *world, size_t i) {
  int size = begin(to, parts[i].name);
  parts[i].put(to, world);
  end(to, size);
}

static void put_all(lwi_bytes *to, const lw_world *world) {
  for (int i = 0; i < 8; i++) lwi_put(to, (unsigned char)LWI_SAVED_MAGIC[i], 1);
  lwi_put_u32(to, LWI_SAVED_VERSION);
  lwi_put_u32(to, 6 + (uint32_t)PARTS);
  lwi_put_u64(to, 0);
  lwi_put_u64(to, 0);
  put_navmeshes(to, world);
  put_clock(to, world);
  put_dangers(to, world);
  put_lanes(to, world);
  put_visibility(to, world);
  put_agents(to, world);
  for (size_t i = 0; i < PARTS; i++) put_part(to, world, i);
  set(to, 16, (uint64_t)to->count);
  if (!to->failed)
    set(to, 24, lwi_hash(LWI_HASH_SEED, to->data + LWI_SAVED_HEAD, (size_t)(to->count - LWI_SAVED_HEAD)));
}

/* @return 0, or errno. */
static int write_bytes(const lwi_bytes *bytes, const char *temporary) {
  FILE *file = fopen(temporary, "wb");
  if (!file) return errno;
  bool good = fwrite(bytes->data, 1, (size_t)bytes->count, file) == (size_t)bytes->count && fflush(file) == 0 &&
              fsync(fileno(file)) == 0;
  int reason = good ? 0 : errno;
  if (fclose(file) != 0 && reason == 0) reason = errno;
  return reason;
}

lw_status lw_world_save(const lw_world *world, const char *name, lw_error *error) {
  char temporary[4096];
  if (world->stepping) return lwi_fail(error, LW_INVALID, "called from inside a step");
  int length = snprintf(temporary, sizeof temporary, "%s.%ld.tmp", name, (long)getpid());
  if (length < 0 || (size_t)length >= sizeof temporary)
    return lwi_fail(error, LW_FILE, "the file name is too long");
  lwi_memory memory = lwi_memory_make(&world->memory.allocator);
  lwi_bytes bytes = {.memory = &memory};
  put_all(&bytes, world);
  int reason = bytes.failed ? 0 : write_bytes(&bytes, temporary);
  lwi_free(&memory, bytes.data, (size_t)bytes.capacity);
  if (bytes.failed) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  if (reason == 0 && rename(temporary, name) != 0) reason = errno;
  if (reason == 0) return LW_OK;
  remove(temporary);
  return lwi_fail(error, LW_FILE, "cannot write '%s': %s", name, strerror(reason));
}
