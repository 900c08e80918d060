#include "behavior/values.h"

#include "behavior/tree.h"
#include "core/hash.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

bool lw_value_equal(const lw_value *a, const lw_value *b) {
  if (!a || !b || a->kind != b->kind) return false;
  switch (a->kind) {
  case LW_VALUE_NONE: return true;
  case LW_VALUE_BOOLEAN: return a->as.boolean == b->as.boolean;
  case LW_VALUE_NUMBER: return !(a->as.number < b->as.number) && !(a->as.number > b->as.number);
  case LW_VALUE_STRING: return strcmp(a->as.string, b->as.string) == 0;
  case LW_VALUE_VEC3: {
    const lw_vec3 d = {a->as.vec3.x - b->as.vec3.x, a->as.vec3.y - b->as.vec3.y, a->as.vec3.z - b->as.vec3.z};
    return !(fabsf(d.x) > 0) && !(fabsf(d.y) > 0) && !(fabsf(d.z) > 0);
  }
  case LW_VALUE_AGENT: return lw_agent_id_equal(a->as.agent, b->as.agent);
  case LW_VALUE_OBJECT: return a->as.object == b->as.object;
  }
  return false;
}

bool lwi_key_is_valid(const char *key) {
  return key && *key && memchr(key, 0, LW_KEY_MAX + 1);
}

bool lwi_value_is_valid(const lw_value *value) {
  switch (value->kind) {
  case LW_VALUE_NUMBER: return !isnan(value->as.number);
  case LW_VALUE_STRING: return value->as.string;
  case LW_VALUE_VEC3: return lwi_finite(value->as.vec3);
  default: return (unsigned)value->kind <= LW_VALUE_OBJECT;
  }
}

/* @return The entry; NULL: the key was never set. */
static lwi_value_entry *find(const lwi_values *values, uint64_t hash, const char *key) {
  uint32_t at = lwi_hash_index_first(&values->index, hash);
  for (; at != LWI_NO_ITEM; at = lwi_hash_index_next(&values->index, at)) {
    lwi_value_entry *entry = &values->entries[at];
    if (entry->hash == hash && strcmp(entry->key, key) == 0) return entry;
  }
  return NULL;
}

lwi_value_entry *lwi_values_find(const lwi_values *values, const lw_key *key) {
  return values->count > 0 ? find(values, key->hash, key->name) : NULL;
}

lw_value lwi_values_get(const lwi_values *values, const lw_key *key) {
  uint32_t at = values ? lwi_hash_index_first(&values->index, key->hash) : LWI_NO_ITEM;
  for (; at != LWI_NO_ITEM; at = lwi_hash_index_next(&values->index, at)) {
    const lwi_value_entry *entry = &values->entries[at];
    if (entry->hash == key->hash && strcmp(entry->key, key->name) == 0) return entry->value;
  }
  return (lw_value){.kind = LW_VALUE_NONE};
}

static void free_entry(lwi_value_entry *entry, lwi_memory *memory) {
  lwi_free(memory, entry->key, strlen(entry->key) + 1);
  lwi_free(memory, entry->text, (size_t)entry->capacity);
}

/* Forget the keys without a value, so that ever new keys do not fill the memory. */
static void drop_empty(lwi_values *values, lwi_memory *memory) {
  int kept = 0;
  lwi_hash_index_clear(&values->index);
  for (int i = 0; i < values->count; ++i) {
    lwi_value_entry *entry = &values->entries[i];
    if (entry->value.kind == LW_VALUE_NONE) {
      free_entry(entry, memory);
      continue;
    }
    values->entries[kept] = *entry;
    /* the index has had as many items before: this takes no memory */
    lwi_hash_index_add(&values->index, memory, entry->hash, (uint32_t)kept++);
  }
  values->count = kept;
  values->empty = 0;
}

#define EMPTY_MAX 64

static lwi_value_entry *add(lwi_values *values, lwi_memory *memory, uint64_t hash, const char *key) {
  if (values->pending == 0 && values->empty > EMPTY_MAX && values->empty > values->count / 2)
    drop_empty(values, memory);
  if (!lwi_reserve(memory, &values->entries, &values->capacity, values->count + 1, sizeof *values->entries))
    return NULL;
  char *copy = lwi_alloc(memory, strlen(key) + 1);
  if (!copy) return NULL;
  if (!lwi_hash_index_add(&values->index, memory, hash, (uint32_t)values->count)) {
    lwi_free(memory, copy, strlen(key) + 1);
    return NULL;
  }
  lwi_value_entry *entry = &values->entries[values->count++];
  *entry = (lwi_value_entry){.hash = hash, .key = strcpy(copy, key)};
  values->empty += 1;
  return entry;
}

static size_t text_size(const lw_value *value) {
  return value->kind == LW_VALUE_STRING ? strlen(value->as.string) + 1 : 0;
}

/* What is kept of the memory of a text that was longer; else a quarter of it must be used. */
#define TEXT_KEPT 256

static bool is_too_large(const lwi_value_entry *entry, size_t size) {
  return entry->capacity > TEXT_KEPT && size < (size_t)entry->capacity / 4;
}

/* Let the entry have another text of `size` bytes. @return false: no memory, nothing changed. */
static bool store_text(lwi_value_entry *entry, lwi_memory *memory, const char *text, size_t size) {
  if (size > INT32_MAX) return false;
  if (is_too_large(entry, size)) {
    char *shorter = size > 0 ? lwi_alloc(memory, size) : NULL;
    if (size > 0 && !shorter) return false;
    if (shorter) memcpy(shorter, text, size);
    lwi_free(memory, entry->text, (size_t)entry->capacity);
    entry->text = shorter;
    entry->capacity = (int)size;
  } else if (size > 0) {
    if (!lwi_reserve(memory, &entry->text, &entry->capacity, (int)size, 1)) return false;
    memcpy(entry->text, text, size);
  }
  return true;
}

static bool store(lwi_values *values, lwi_memory *memory, lwi_value_entry *entry, const lw_value *value) {
  const size_t before = text_size(&entry->value), size = text_size(value);
  if (!store_text(entry, memory, size > 0 ? value->as.string : NULL, size)) return false;
  values->text += size - before;
  entry->value = *value;
  if (size > 0) entry->value.as.string = entry->text;
  return true;
}

bool lwi_values_set(lwi_values *values, lwi_memory *memory, const char *key, const lw_value *value,
                    int *changed) {
  const uint64_t hash = lwi_key_hash(key);
  lwi_value_entry *entry = values->count > 0 ? find(values, hash, key) : NULL;
  *changed = -1;
  if (entry ? lw_value_equal(&entry->value, value) : value->kind == LW_VALUE_NONE) return true;
  if (!entry) entry = add(values, memory, hash, key);
  if (!entry) return false;
  const bool was_empty = entry->value.kind == LW_VALUE_NONE;
  if (!store(values, memory, entry, value)) return false;
  values->empty += (value->kind == LW_VALUE_NONE) - was_empty;
  *changed = (int)(entry - values->entries);
  return true;
}

bool lwi_events_have_space(const lwi_values *events, const char *name, const lw_value *value) {
  const lwi_value_entry *entry = events->count > 0 ? find(events, lwi_key_hash(name), name) : NULL;
  const bool is_new = !entry || entry->value.kind == LW_VALUE_NONE;
  const size_t before = is_new ? 0 : text_size(&entry->value);
  return events->count - events->empty + is_new <= LW_EVENTS_MAX &&
         events->text - before + text_size(value) <= LW_EVENT_BYTES_MAX;
}

void lwi_values_forget(lwi_values *values, lwi_memory *memory, uint64_t round) {
  if (values->empty == values->count || values->forgotten == round) return;
  const lw_value none = {.kind = LW_VALUE_NONE};
  values->forgotten = round;
  values->empty = 0;
  for (int i = 0; i < values->count; ++i) {
    lwi_value_entry *entry = &values->entries[i];
    if (entry->round + (entry->heard > 0) < round) store(values, memory, entry, &none); /* takes no memory */
    values->empty += entry->value.kind == LW_VALUE_NONE;
  }
}

void lwi_values_free(lwi_values *values, lwi_memory *memory) {
  for (int i = 0; i < values->count; ++i) free_entry(&values->entries[i], memory);
  lwi_free(memory, values->entries, (size_t)values->capacity * sizeof *values->entries);
  lwi_hash_index_free(&values->index, memory);
  *values = (lwi_values){0};
}

uint64_t lwi_value_hash(const lw_value *value, uint64_t hash) {
  hash = lwi_hash(hash, &value->kind, sizeof value->kind);
  switch (value->kind) {
  case LW_VALUE_BOOLEAN: return lwi_hash(hash, &value->as.boolean, sizeof value->as.boolean);
  case LW_VALUE_NUMBER: {
    const double number = value->as.number + 0.0; /* -0 becomes 0 */
    return lwi_hash(hash, &number, sizeof number);
  }
  case LW_VALUE_STRING: return lwi_hash(hash, value->as.string, strlen(value->as.string));
  case LW_VALUE_VEC3: {
    const float v[] = {value->as.vec3.x + 0.0f, value->as.vec3.y + 0.0f, value->as.vec3.z + 0.0f};
    return lwi_hash(hash, v, sizeof v);
  }
  default: return hash; /* numbers of objects differ between runs */
  }
}
