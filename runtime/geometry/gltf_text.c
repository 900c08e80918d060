#include "geometry/gltf_text.h"

#include "core/status.h"

#include <stdio.h>
#include <string.h>

/* --- messages --------------------------------------------------------------------------------------------- */

lw_status lwi_gltf_refuse_json(const lwi_gltf *gltf) {
  return lwi_fail(gltf->error, LW_BAD_FILE, "cannot read '%s': line %d of its JSON: expected %s", gltf->file,
                  lwi_json_line(&gltf->json), gltf->json.wrong ? gltf->json.wrong : "an object");
}

/* "byteOffset of accessor 0", "primitive 2 of mesh 1" */
static void name_place(const lwi_gltf *gltf, char *to, size_t size) {
  const lwi_json_text key = gltf->key;
  int length = snprintf(to, size, "%.*s", key.size > 40 ? 40 : (int)key.size, key.data ? key.data : "");
  for (const lwi_gltf_place *place = &gltf->place; place && place->kind; place = place->in)
    length += snprintf(to + length, size - (size_t)length, "%s%s %u", length > 0 ? " of " : "", place->kind,
                       place->index);
}

lw_status lwi_gltf_refuse(const lwi_gltf *gltf, const char *is) {
  char name[160];
  lwi_json from = gltf->json;
  from.at = gltf->value;
  name_place(gltf, name, sizeof name);
  if (gltf->json.wrong || !name[0]) return lwi_gltf_refuse_json(gltf);
  return lwi_fail(gltf->error, LW_BAD_FILE, "cannot read '%s': line %d of its JSON: %s is %s", gltf->file,
                  lwi_json_line(&from), name, is);
}

/* Assimp puts 0 for some members that are missing. */
static lw_status refuse_without(lwi_gltf *gltf, const char *key) {
  char name[160];
  gltf->key.size = 0;
  name_place(gltf, name, sizeof name);
  return lwi_fail(gltf->error, LW_BAD_FILE, "cannot read '%s': line %d of its JSON: %s has no '%s'", gltf->file,
                  lwi_json_line(&gltf->json), name, key);
}

lw_status lwi_gltf_check_index(const lwi_gltf *gltf, const char *what, uint32_t at, uint32_t index,
                               uint32_t count, const char *of) {
  if (index < count) return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE,
                  "cannot read '%s': %s %u is %u, expected less than %u, the number of %s", gltf->file, what,
                  at, index, count, of);
}

/* --- values ----------------------------------------------------------------------------------------------- */

lw_status lwi_gltf_skip(lwi_gltf *gltf) {
  return lwi_json_skip(&gltf->json) ? LW_OK : lwi_gltf_refuse_json(gltf);
}

/* @return `count`: another key. */
static int find_member(const lwi_gltf_member *members, int count, lwi_json_text key) {
  int i = 0;
  while (i < count && !lwi_json_is(key, members[i].key)) ++i;
  return i;
}

/* May a key that is written with escape sequences be one of these? */
static bool is_hidden(const lwi_gltf_member *members, int count, lwi_json_text key) {
  const char *escape = memchr(key.data, '\\', key.size);
  for (int i = 0; escape && i < count; ++i)
    if (strncmp(members[i].key, key.data, (size_t)(escape - key.data)) == 0) return true;
  return false;
}

/* Of two equal keys Assimp takes the first. */
lw_status lwi_gltf_object(lwi_gltf *gltf, const lwi_gltf_member *members, int count) {
  lwi_json *json = &gltf->json;
  unsigned seen = 0;
  if (!lwi_json_enter(json, '{')) return lwi_gltf_refuse(gltf, "no object");
  for (bool first = true; lwi_json_next_member(json, &first, &gltf->key);) {
    if (is_hidden(members, count, gltf->key)) {
      json->wrong = "keys without escape sequences";
      break;
    }
    gltf->value = json->at;
    const int i = find_member(members, count, gltf->key);
    if (i < count && seen & 1u << i) return lwi_gltf_refuse(gltf, "given twice");
    seen |= i < count ? 1u << i : 0;
    lw_status status = i < count ? members[i].read(gltf) : lwi_gltf_skip(gltf);
    if (status) return status;
  }
  if (json->wrong) return lwi_gltf_refuse_json(gltf);
  for (int i = 0; i < count; ++i)
    if (members[i].required && !(seen & 1u << i)) return refuse_without(gltf, members[i].key);
  return LW_OK;
}

lw_status lwi_gltf_list(lwi_gltf *gltf, const char *kind, uint32_t *count, lwi_gltf_reader read) {
  lwi_json *json = &gltf->json;
  const lwi_gltf_place outer = gltf->place;
  uint32_t index = 0;
  if (!lwi_json_enter(json, '[')) return lwi_gltf_refuse(gltf, "no list");
  for (bool first = true; lwi_json_next_item(json, &first); ++index) {
    gltf->value = json->at;
    if (kind) gltf->place = (lwi_gltf_place){kind, index, &outer}, gltf->key.size = 0;
    lw_status status = read(gltf);
    if (status) return status;
  }
  gltf->place = outer;
  if (count) *count = index;
  return json->wrong ? lwi_gltf_refuse_json(gltf) : LW_OK;
}

lw_status lwi_gltf_whole(lwi_gltf *gltf, uint32_t *number) {
  if (lwi_json_index(&gltf->json, number)) return LW_OK;
  return lwi_gltf_refuse(gltf, "no whole number, expected 0 or more");
}

lw_status lwi_gltf_read_link(lwi_gltf *gltf, lwi_gltf_links *links) {
  uint32_t to;
  lw_status status = lwi_gltf_whole(gltf, &to);
  if (status) return status;
  if (!lwi_reserve(gltf->memory, &links->items, &links->capacity, links->count + 1, sizeof *links->items))
    return lwi_fail_status(gltf->error, LW_OUT_OF_MEMORY);
  links->items[links->count++] = (lwi_gltf_link){gltf->place.index, to};
  return LW_OK;
}
