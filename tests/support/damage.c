#include "damage.h"

#include "mesh/file_head.h"

#include <math.h>
#include <string.h>

size_t damage_head_size(void) {
  return sizeof(lwi_file_head);
}

/* @return Where the section begins, by the head's counts; beyond the end when it does not fit. */
static uint64_t find_section(const lwi_file_head *head, int which, uint64_t *size) {
  lw_navmesh mesh = {0};
  lwi_file_take_head(&mesh, head);
  uint64_t at = sizeof *head + head->area_count * (uint64_t)LWI_FILE_NAME_SIZE;
  for (int i = 0; i < which; i++) at += lwi_section_room(&mesh, i);
  *size = lwi_section_size(&mesh, which);
  return at;
}

size_t damage_section(const unsigned char *data, int which, size_t *begin) {
  lwi_file_head head;
  uint64_t size;
  memcpy(&head, data, sizeof head);
  *begin = (size_t)find_section(&head, which, &size);
  return (size_t)size;
}

void damage_repair(unsigned char *data, size_t size) {
  lwi_file_head head;
  if (size < sizeof head) return;
  memcpy(&head, data, sizeof head);
  memcpy(head.magic, LWI_FILE_MAGIC, sizeof head.magic);
  head.version = LWI_FILE_VERSION;
  head.endian_mark = LWI_FILE_ENDIAN_MARK;
  head.size = size;
  uint64_t names = head.area_count * (uint64_t)LWI_FILE_NAME_SIZE;
  if (names <= size - sizeof head) {
    head.name_hash = LWI_HASH_SEED;
    for (uint32_t i = 0; i < head.area_count; i++)
      head.name_hash =
          lwi_hash(head.name_hash, data + sizeof head + i * (size_t)LWI_FILE_NAME_SIZE, LWI_FILE_NAME_SIZE);
  }
  for (int i = 0; i < LWI_SECTION_COUNT; i++) {
    uint64_t section, begin = find_section(&head, i, &section);
    if (begin > size || section > size - begin) continue;
    head.hashes[i] = lwi_hash(LWI_HASH_SEED, data + begin, (size_t)section);
  }
  head.head_hash = lwi_file_hash_head(&head);
  memcpy(data, &head, sizeof head);
}

void damage_number(unsigned char *data, size_t begin, size_t size, lwi_random *random) {
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
