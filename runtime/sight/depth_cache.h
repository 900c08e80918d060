/// Depth maps kept for later questions. Own maps: of one asker, drawn at the exact place of each eye, so that
/// answers depend on the eye alone. The depth cache: for eyes with many questions, shared by all threads.
///
/// Between two steps the cache does not change: lwi_depth_ask_about() reads it and counts the question in the
/// asker's own lwi_depth_asks. lwi_depth_cache_count() adds up what all askers have counted, and
/// lwi_depth_cache_settle() then decides which eyes have a map. So no answer depends on the order of questions
/// or on the thread that asked them.
#ifndef LW_SIGHT_DEPTH_CACHE_H
#define LW_SIGHT_DEPTH_CACHE_H

#include "sight/depth_map.h"

#define LWI_OWN_MAPS_MAX 64

/// Own maps. Begin with lwi_own_maps_init(). Maps are created on demand.
typedef struct lwi_own_maps {
  lwi_memory *memory;
  lwi_depth_scene scene;
  int limit, count;
  int recent;                             ///< The map of the last question.
  uint64_t asks, asked[LWI_OWN_MAPS_MAX]; ///< The number of the question that asked for each map last.
  lwi_depth_map *maps[LWI_OWN_MAPS_MAX];  ///< [count]
} lwi_own_maps;

/// @param limit  How many maps to keep. [0: none at all]
/// @param sets  Borrowed; must outlive the maps.
void lwi_own_maps_init(lwi_own_maps *maps, int limit, const lwi_occluders *const *sets, int count,
                       lwi_memory *memory);
void lwi_own_maps_free(lwi_own_maps *maps);
/// There are other sets now, or as many others. @param count  Of them. @param is_same  They look the same.
void lwi_own_maps_renew(lwi_own_maps *maps, int count, bool is_same);
/// The map of an eye at exactly that place. It stays until `limit` other maps have been asked for.
/// @param soft  Soft cover hides, too. @return NULL: out of memory, or there are to be none.
lwi_depth_map *lwi_own_maps_get(lwi_own_maps *maps, lw_vec3 eye, bool soft);

/// A map also answers for an eye within this distance of where the map was drawn, if it sees that place. [m]
#define LWI_EYE_REACH 0.25f
/// An eye that stays at one place for this long gets a map of its own there. [steps]
#define LWI_EYE_STILL 10
/// An eye with this many questions about segments is worth a depth map.
#define LWI_EYE_BREAK_EVEN LW_BUSY_SEGMENTS
/// An eye that moves this long within a map's reach gets a map of its own, too; and a map that was asked within
/// this time stays with its eye. [steps]
#define LWI_EYE_REST 60
#define LWI_DEPTH_CACHE_MAX 64
#define LWI_EYE_MAPS_MAX 32 ///< Fewer than eyes, so there is always an eye without a map to replace.

/// An eye that questions were asked about. No two are at one place.
typedef struct lwi_eye {
  lw_vec3 at; ///< Where its map was drawn; without a map, where it was when last asked about.
  bool soft;
  int map;            ///< -1: none.
  uint32_t asked;     ///< Questions about segments while it had no map.
  uint64_t last_ask;  ///< Number of the last question, also if its map answered for another eye.
  uint64_t last_step; ///< The step of that question.
  uint64_t began;     ///< The step since which it has no map.
  uint64_t since;     ///< The step in which it came here.
  uint64_t last_here; ///< The last step in which it was asked about here, and not another eye near it.
} lwi_eye;

/// What lasts from step to step, and the maps, which can be drawn again. Begin with lwi_depth_cache_init().
typedef struct lwi_depth_cache {
  lwi_memory *memory;
  lwi_depth_scene scene; ///< Its scratch memory is created with the first map.
  uint64_t asks, steps;
  int count;
  lwi_eye items[LWI_DEPTH_CACHE_MAX];
  int map_limit, map_count;
  lwi_depth_map **maps; ///< [map_count] of capacity map_limit
} lwi_depth_cache;

/// What one asker has asked about one eye since the last step began.
typedef struct lwi_depth_ask {
  lw_vec3 at;
  bool soft;
  uint32_t count; ///< Segments.
  int eye;        ///< The cache's eye whose map answers; -1: none.
} lwi_depth_ask;

/// All questions of one asker since the last step began, and its own maps. Begin with lwi_depth_asks_init().
typedef struct lwi_depth_asks {
  lwi_memory *memory;
  lwi_depth_ask *items; ///< [count]
  int count, capacity;
  uint32_t *slots; ///< [slot_count] Open addressing by place: item + 1, 0: free. A power of two.
  uint32_t slot_count;
  int recent;        ///< The item of the last question.
  lwi_own_maps fast; ///< For LW_ACCURACY_FAST, drawn at the exact places of the questions.
} lwi_depth_asks;

/// How to answer a question about one segment.
typedef struct lwi_depth_answer {
  lwi_depth_map *map; ///< NULL: clip the occluders.
  const lwi_depth_scene *scene;
} lwi_depth_answer;

/// @param map_limit  How many depth maps. [0..LWI_EYE_MAPS_MAX; 0: all answers are exact]
/// @param scene  With a lock if several threads ask; its sets are borrowed and must outlive the cache.
void lwi_depth_cache_init(lwi_depth_cache *cache, int map_limit, const lwi_depth_scene *scene,
                          lwi_memory *memory);
/// Also forgets what was asked: the cache can be used again.
void lwi_depth_cache_free(lwi_depth_cache *cache);

/// As lwi_own_maps_renew(): its maps are drawn again unless sets look the same.
void lwi_depth_cache_renew(lwi_depth_cache *cache, int count, bool is_same);

/// @param cache  Its limit and scene also hold for the asker's own maps.
void lwi_depth_asks_init(lwi_depth_asks *asks, const lwi_depth_cache *cache, lwi_memory *memory);
void lwi_depth_asks_free(lwi_depth_asks *asks);

/// Ask about one segment and count it. LW_ACCURACY_AUTO takes the map that there was when the step began: the
/// eye's own, or the nearest within reach that was drawn where the eye sees. LW_ACCURACY_FAST takes the eye's
/// own, or one of the asker's.
/// @return false: out of memory.
bool lwi_depth_ask_about(const lwi_depth_cache *cache, lwi_depth_asks *asks, lw_vec3 at, bool soft,
                         lw_accuracy accuracy, lwi_depth_answer *answer);

/// Count questions about one place that were asked before, as lwi_depth_ask_about() counts them.
/// @return false: out of memory.
bool lwi_depth_asks_put(lwi_depth_asks *asks, const lwi_depth_cache *cache, const lwi_depth_ask *ask);
/// Add the counts of one asker to another's. @return false: out of memory; some counts are not added.
bool lwi_depth_asks_add(lwi_depth_asks *to, const lwi_depth_asks *from);
/// Sort by place, so that no result depends on the order of questions. None may be found by place afterwards.
void lwi_depth_asks_sort(lwi_depth_asks *asks);
/// Forget the counts, such as those for a cache that is restored: they name its eyes.
void lwi_depth_asks_clear(lwi_depth_asks *asks);
/// Move the counts into the cache. @param asks  Emptied.
void lwi_depth_cache_count(lwi_depth_cache *cache, lwi_depth_asks *asks);

/// Between steps, after lwi_depth_cache_count(): give maps to eyes with enough questions, and to eyes at rest,
/// or moving for long, that another eye's map answers for. These take over that map if its eye has left. At the
/// limit, a map moves from an eye that was not asked about lately. @return false: out of memory.
bool lwi_depth_cache_settle(lwi_depth_cache *cache);

/// Continue as another cache was left: `from` has its asks, steps, count, items and map_count. Maps are drawn
/// again when asked. If fewer maps are allowed here, begin from nothing. @return false: out of memory.
bool lwi_depth_cache_restore(lwi_depth_cache *cache, const lwi_depth_cache *from);

/// A hash over all that later answers depend on.
uint64_t lwi_depth_cache_hash(const lwi_depth_cache *cache, uint64_t hash);

#endif
