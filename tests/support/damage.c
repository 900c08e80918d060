#include "damage.h"

#include "mesh/file_head.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t damage_head_size(void) {
  return lwi_file_layout_get(LWI_FILE_VERSION).size;
}

/* @return An empty navmesh with the counts of a file. */
static lw_navmesh *counts_of(const unsigned char *data) {
  const lwi_memory memory = lwi_memory_make(NULL);
  lw_navmesh *mesh = lwi_navmesh_new(&memory);
  if (!mesh) abort();
  lwi_file_take_head(mesh, data);
  return mesh;
}

/* Where the first section begins. */
static uint64_t first_section(const unsigned char *data) {
  lwi_file_head head;
  memcpy(&head, data, sizeof head);
  return damage_head_size() + head.area_count * (uint64_t)LWI_FILE_NAME_SIZE;
}

const char *damage_section(const unsigned char *data, int which, size_t *begin, size_t *size) {
  lw_navmesh *mesh = counts_of(data);
  const char *name = NULL;
  uint64_t place = first_section(data);
  for (lwi_section_place at = lwi_section_begin(mesh); !name && lwi_section_next(&at);) {
    if (at.position == which) {
      name = lwi_section_of(&at)->name;
      *begin = (size_t)place;
      *size = (size_t)lwi_section_size(&at);
    }
    place += lwi_section_padded(lwi_section_size(&at));
  }
  lw_navmesh_destroy(mesh);
  return name;
}

static void repair_fixed(unsigned char *data, size_t size) {
  lwi_file_head head;
  memcpy(&head, data, sizeof head);
  memcpy(head.magic, LWI_FILE_MAGIC, sizeof head.magic);
  head.version = LWI_FILE_VERSION;
  head.endian_mark = LWI_FILE_ENDIAN_MARK;
  head.size = size;
  const size_t begin = damage_head_size();
  if (head.area_count * (uint64_t)LWI_FILE_NAME_SIZE <= size - begin) {
    head.name_hash = LWI_HASH_SEED;
    for (uint32_t i = 0; i < head.area_count; i++)
      head.name_hash =
          lwi_hash(head.name_hash, data + begin + i * (size_t)LWI_FILE_NAME_SIZE, LWI_FILE_NAME_SIZE);
  }
  memcpy(data, &head, sizeof head);
}

static void repair_hashes(unsigned char *data, size_t size) {
  const lwi_file_layout layout = lwi_file_layout_get(LWI_FILE_VERSION);
  lw_navmesh *mesh = counts_of(data);
  uint64_t place = first_section(data), hash;
  for (lwi_section_place at = lwi_section_begin(mesh); lwi_section_next(&at);) {
    const uint64_t section = lwi_section_size(&at);
    if (place <= size && section <= size - place) {
      hash = lwi_hash(LWI_HASH_SEED, data + place, (size_t)section);
      memcpy(data + layout.hashes + (size_t)at.position * sizeof hash, &hash, sizeof hash);
    }
    place += lwi_section_padded(section);
  }
  lw_navmesh_destroy(mesh);
  hash = lwi_hash(LWI_HASH_SEED, data, layout.own_hash);
  memcpy(data + layout.own_hash, &hash, sizeof hash);
}

void damage_repair(unsigned char *data, size_t size) {
  if (size < damage_head_size()) return;
  repair_fixed(data, size);
  repair_hashes(data, size);
}

void damage_number(unsigned char *data, size_t begin, size_t size, lw_random *random) {
  static const uint32_t numbers[] = {0,          1,          2,          255,        256,        0x7fffffff,
                                     0x80000000, 0xffffffff, 0xfffffffe, 0x7f800000, 0xff800000, 0x7fc00000,
                                     0x7f7fffff, 0x00000001, 0x3f800000, 0xbf800000, 0x49742400, 0xc9742400};
  const uint32_t count = sizeof numbers / sizeof *numbers;
  if (size < begin + 4) return;
  size_t at = begin + (size_t)(lwi_random_unit_double(random) * (double)(size - begin - 3));
  uint32_t how = (uint32_t)(lwi_random_unit(random) * 4), number;
  if (how == 0) {
    data[at] ^= (unsigned char)(1u << (uint32_t)(lwi_random_unit(random) * 8));
    return;
  }
  at -= at % 4;
  memcpy(&number, data + at, sizeof number);
  if (how == 1) number += 1;
  if (how == 2) number -= 1;
  if (how == 3) number = numbers[(uint32_t)(lwi_random_unit(random) * (float)count)];
  memcpy(data + at, &number, sizeof number);
}
