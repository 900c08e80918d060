/// Slots for things that come and go, and the ids that lead to them: adding, removing, finding and stepping to
/// the next one in order of creation take constant time. The owner keeps the things themselves in arrays by
/// slot.
#ifndef LW_CORE_ID_POOL_H
#define LW_CORE_ID_POOL_H

#include "core/memory.h"

/// No slot: the end of a list, or no memory.
#define LWI_NO_SLOT UINT32_MAX
/// An id has 24 bits for its slot, and as many for the slot's generation.
#define LWI_MAX_SLOTS 0xffffffu
#define LWI_MAX_GENERATION 0xffffffu

typedef struct lwi_id_slot {
  uint32_t next, previous; ///< Used slots in order of creation; `next` of a free slot: the next free one.
  uint32_t generation;     ///< Of the id in use; 0: the slot is free.
  uint32_t newest;         ///< The highest that was ever used. At LWI_MAX_GENERATION the slot retires.
} lwi_id_slot;

typedef struct lwi_id_pool {
  lwi_id_slot *slots; ///< [slot_count]
  int slot_count, capacity;
  int count;            ///< Slots in use.
  uint32_t first, last; ///< Of the slots in use.
  uint32_t free;        ///< The free slot that is used next.
  uint16_t world;       ///< Number of the world that the ids name.
} lwi_id_pool;

/// An id of any kind to look up, and the initializer of an id of any kind for a slot in use.
#define LWI_FIND(pool, id) lwi_id_pool_find((pool), (id).slot, (id).generation, (id).world)
#define LWI_ID(pool, number)                                                                                   \
  {                                                                                                            \
    .slot = (number)&LWI_MAX_SLOTS, .generation = (pool)->slots[number].generation & LWI_MAX_GENERATION,       \
    .world = (pool)->world                                                                                     \
  }

/// A number for a new world, 1 to 65,535, from a counter of the process that wraps. Any thread may call it.
uint16_t lwi_world_number(void);

lwi_id_pool lwi_id_pool_make(uint16_t world);
void lwi_id_pool_free(lwi_id_pool *pool, lwi_memory *memory);
/// Use a slot, the last in order; its number is at most `slot_count` before the call.
/// @return LWI_NO_SLOT: no memory, or LWI_MAX_SLOTS are in use; the pool is as it was.
uint32_t lwi_id_pool_add(lwi_id_pool *pool, lwi_memory *memory);
/// @param slot  In use.
void lwi_id_pool_remove(lwi_id_pool *pool, uint32_t slot);
/// @return The slot of an id, or LWI_NO_SLOT: it is stale, foreign or none.
static inline uint32_t lwi_id_pool_find(const lwi_id_pool *pool, uint32_t slot, uint32_t generation,
                                        uint32_t world) {
  bool is_used = generation != 0 && world == pool->world && slot < (uint32_t)pool->slot_count &&
                 pool->slots[slot].generation == generation;
  return is_used ? slot : LWI_NO_SLOT;
}
/// @return The slot used after `slot`; LWI_NO_SLOT behind the last one.
static inline uint32_t lwi_id_pool_next(const lwi_id_pool *pool, uint32_t slot) {
  return pool->slots[slot].next;
}

/// A slot of a pool that was saved.
typedef struct lwi_id_state {
  uint32_t generation, newest; ///< As in lwi_id_slot.
  bool listed;                 ///< Its place in the order is known.
} lwi_id_state;
/// Take the slots in use from another pool. No id that this pool or the other one ever gave is given again.
/// @param states  [slot_count] Those with a generation are in use.
/// @param order   [count] Just these, in order of creation. @return false: no memory, the pool is as it was.
bool lwi_id_pool_restore(lwi_id_pool *pool, lwi_memory *memory, const lwi_id_state *states, int slot_count,
                         const uint32_t *order, int count);

/// @return What is wrong with the pool's lists, for tests; NULL: nothing.
const char *lwi_id_pool_validate(const lwi_id_pool *pool);

#endif
