/// Distance fields that the planner computes for crowds: many agents with one goal share one search backwards
/// from it. Each field grows no further than those that ask need. Only where every metre costs the same and
/// nothing else does, at prices of one content: there a path along a field is as short as one of a search.
#ifndef LW_QUERY_CROWD_FIELDS_H
#define LW_QUERY_CROWD_FIELDS_H

#include "query/field.h"
#include "query/path_query.h"

/// Fields of agents that are kept at most, and those of requests, and the polygons of all of their navmeshes.
#define LWI_CROWD_FIELDS_MAX 8
#define LWI_CROWD_POLYGONS_MAX 200000
/// The least that are a crowd; on large navmeshes one for each LWI_CROWD_POLYGONS_A_MEMBER polygons.
#define LWI_CROWD_MEMBERS 30
#define LWI_CROWD_POLYGONS_A_MEMBER 500
/// Exits of a field that count as one node of a search.
#define LWI_CROWD_EXITS_A_WORK 8
/// A field is kept for that number of steps after it was last used.
#define LWI_CROWD_STEPS_KEPT 600

/// What a field is of.
typedef struct lwi_crowd_key {
  int navmesh;         ///< World index.
  bool is_of_requests; ///< And not of agents: requests are not saved, and so change nothing for agents.
  uint64_t prices;     ///< lwi_prices.content
  lw_vec3 goal;
  uint32_t region; ///< That the goal lies in.
} lwi_crowd_key;

typedef struct lwi_crowd_field {
  bool is_there;
  lwi_crowd_key key;
  const lw_navmesh *base; ///< That the navmesh was then,
  uint64_t version;       ///< and its live version plus 1; 0: of a saved game, whose ground was as it is now.
  uint64_t used;          ///< The step in which it was used last.
  /// How far it had grown in a saved game: it is to be computed again as far. 0: it is computed.
  int regrow;
  uint32_t led, searched; ///< Paths that were led along it; those of them that were searched all the same.
  lwi_field field;
} lwi_crowd_field;

typedef struct lwi_crowd_fields {
  lwi_memory *memory;
  lwi_crowd_field of_agents[LWI_CROWD_FIELDS_MAX], of_requests[LWI_CROWD_FIELDS_MAX];
  uint64_t opened, paths; ///< Fields that were computed, and paths that were led along one.
} lwi_crowd_fields;

/// How a search may use the fields. Zeros: not at all.
typedef struct lwi_crowd_use {
  lwi_crowd_fields *fields; ///< NULL: it may not.
  uint64_t step;            ///< The world's steps.
  bool is_of_requests;
  bool is_of_crowd; ///< Where there is no field of its goal, one is to be computed.
  bool is_resumed;  ///< It was counted in the game that was saved.
  bool is_beside;   ///< Others search beside it: fields stay as they are.
} lwi_crowd_use;

/// What came of a search that may use the fields.
typedef enum lwi_crowd_lead {
  LWI_CROWD_NONE,   ///< There is no field for it, or it does not lead there.
  LWI_CROWD_LED,    ///< The search has its corridor.
  LWI_CROWD_GROWS,  ///< The work did not suffice for the field.
  LWI_CROWD_ALONE,  ///< The field is to be computed or grown, by a search with no other beside it.
  LWI_CROWD_FAILED, ///< Out of memory.
} lwi_crowd_lead;

void lwi_crowd_fields_free(lwi_crowd_fields *fields);
/// Free the fields of ground that has changed, and those that were not used for long.
void lwi_crowd_fields_expire(lwi_crowd_fields *fields, const lwi_scene *scene, uint64_t step);
/// Free those of agents. A saved game follows.
void lwi_crowd_fields_forget(lwi_crowd_fields *fields);
/// The ground of a saved game is as it was, and may change from now on.
void lwi_crowd_fields_settle(lwi_crowd_fields *fields, const lwi_scene *scene);
/// Is it of the ground as it is now?
bool lwi_crowd_field_is_valid(const lwi_crowd_field *field, const lwi_scene *scene);
/// @return How many there are of the ground as it is now.
int lwi_crowd_fields_count(const lwi_crowd_fields *fields, const lwi_scene *scene);
/// How far it has grown, also in a saved game.
int lwi_crowd_field_grown(const lwi_crowd_field *field);
/// Take in a field of a saved game, which is computed when it is first used.
/// @param from  All but the ground and the field itself. @return false: there are too many.
bool lwi_crowd_fields_restore(lwi_crowd_fields *fields, const lwi_crowd_field *from);

/// A hash of those of agents; 0: there are none.
uint64_t lwi_crowd_fields_hash(const lwi_crowd_fields *fields, const lwi_scene *scene);

/// Lead a search that has begun, and has searched nothing yet, along a field.
/// @param limit  The work that is left. @param[in,out] work  Counts what it takes.
/// @param[out] field  On LWI_CROWD_LED. It is to be noted.
lwi_crowd_lead lwi_crowd_lead_search(const lwi_crowd_use *use, lwi_nav_search *search, uint64_t limit,
                                     uint64_t *work, lwi_crowd_field **field);
/// A path was led along a field. @param is_far  lwi_path_search.is_far: it was searched as well.
void lwi_crowd_note_led(lwi_crowd_fields *fields, lwi_crowd_field *field, uint64_t step, bool is_far);
/// Was more than a part of its paths searched all the same, so that it is of no use?
bool lwi_crowd_field_is_useless(const lwi_crowd_field *field);
/// Are that many members a crowd, on that navmesh?
bool lwi_crowd_is_large(const lwi_nav *nav, int members);

#endif
