#include "core/id_pool.h"

#include <stdatomic.h>

uint16_t lwi_world_number(void) {
  static _Atomic uint32_t
      worlds; /* the only state of the process: it is in ids alone, never in a hash or a file */
  return (uint16_t)(atomic_fetch_add(&worlds, 1) % UINT16_MAX + 1);
}

lwi_id_pool lwi_id_pool_make(uint16_t world) {
  return (lwi_id_pool){.first = LWI_NO_SLOT, .last = LWI_NO_SLOT, .free = LWI_NO_SLOT, .world = world};
}

void lwi_id_pool_free(lwi_id_pool *pool, lwi_memory *memory) {
  lwi_free(memory, pool->slots, (size_t)pool->capacity * sizeof *pool->slots);
  *pool = lwi_id_pool_make(pool->world);
}

/* Use a slot that is in no list. */
static void append(lwi_id_pool *pool, uint32_t number, uint32_t generation) {
  lwi_id_slot *slot = &pool->slots[number];
  slot->generation = generation;
  slot->next = LWI_NO_SLOT;
  slot->previous = pool->last;
  if (pool->last != LWI_NO_SLOT) pool->slots[pool->last].next = number;
  if (pool->first == LWI_NO_SLOT) pool->first = number;
  pool->last = number;
  pool->count += 1;
}

static void put_on_free_list(lwi_id_pool *pool, uint32_t number) {
  lwi_id_slot *slot = &pool->slots[number];
  slot->generation = 0;
  slot->next = slot->previous = LWI_NO_SLOT;
  if (slot->newest == LWI_MAX_GENERATION) return; /* no generation is left that would tell its ids apart */
  slot->next = pool->free;
  pool->free = number;
}

uint32_t lwi_id_pool_add(lwi_id_pool *pool, lwi_memory *memory) {
  uint32_t number = pool->free;
  if (number != LWI_NO_SLOT) {
    pool->free = pool->slots[number].next;
  } else {
    if (pool->slot_count == (int)LWI_MAX_SLOTS ||
        !lwi_reserve(memory, &pool->slots, &pool->capacity, pool->slot_count + 1, sizeof *pool->slots))
      return LWI_NO_SLOT;
    number = (uint32_t)pool->slot_count++;
    pool->slots[number] = (lwi_id_slot){0};
  }
  pool->slots[number].newest++;
  append(pool, number, pool->slots[number].newest);
  return number;
}

void lwi_id_pool_remove(lwi_id_pool *pool, uint32_t number) {
  const lwi_id_slot *slot = &pool->slots[number];
  if (slot->previous != LWI_NO_SLOT) pool->slots[slot->previous].next = slot->next;
  if (slot->next != LWI_NO_SLOT) pool->slots[slot->next].previous = slot->previous;
  if (pool->first == number) pool->first = slot->next;
  if (pool->last == number) pool->last = slot->previous;
  pool->count -= 1;
  put_on_free_list(pool, number);
}

bool lwi_id_pool_restore(lwi_id_pool *pool, lwi_memory *memory, const lwi_id_state *states, int slot_count,
                         const uint32_t *order, int count) {
  if (!lwi_reserve(memory, &pool->slots, &pool->capacity, slot_count, sizeof *pool->slots)) return false;
  for (; pool->slot_count < slot_count; pool->slot_count++) pool->slots[pool->slot_count] = (lwi_id_slot){0};
  pool->first = pool->last = pool->free = LWI_NO_SLOT;
  pool->count = 0;
  for (int i = pool->slot_count - 1; i >= 0; i--) {
    lwi_id_slot *slot = &pool->slots[i];
    if (i < slot_count && states[i].newest > slot->newest) slot->newest = states[i].newest;
    if (i >= slot_count || states[i].generation == 0) put_on_free_list(pool, (uint32_t)i);
  }
  for (int i = 0; i < count; i++) append(pool, order[i], states[order[i]].generation);
  return true;
}

const char *lwi_id_pool_validate(const lwi_id_pool *pool) {
  int used = 0, available = 0, retired = 0;
  uint32_t previous = LWI_NO_SLOT;
  for (uint32_t i = pool->first; i != LWI_NO_SLOT; previous = i, i = pool->slots[i].next, used++) {
    if (i >= (uint32_t)pool->slot_count || used >= pool->count) return "the list of used slots goes astray";
    const lwi_id_slot *slot = &pool->slots[i];
    if (slot->previous != previous) return "the list of used slots is not the same backwards";
    if (slot->generation == 0 || slot->generation > slot->newest) return "a used slot has a wrong generation";
  }
  if (used != pool->count || pool->last != previous) return "the list of used slots ends too early";
  for (uint32_t i = pool->free; i != LWI_NO_SLOT; i = pool->slots[i].next, available++) {
    if (i >= (uint32_t)pool->slot_count || available >= pool->slot_count)
      return "the list of free slots goes astray";
    if (pool->slots[i].generation != 0 || pool->slots[i].newest == LWI_MAX_GENERATION)
      return "a slot in the list of free ones is not free";
  }
  for (int i = 0; i < pool->slot_count; i++)
    retired += pool->slots[i].generation == 0 && pool->slots[i].newest == LWI_MAX_GENERATION;
  return used + available + retired == pool->slot_count ? NULL : "a slot is in no list";
}
