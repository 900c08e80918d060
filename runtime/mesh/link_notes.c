#include "mesh/link_notes.h"

#include "core/hash.h"
#include "mesh/sections.h"

#include <string.h>

lwi_link_note lwi_link_note_of(uint32_t request, const lw_link_def *def, const char *name) {
  lwi_link_note note = {.request = request, .capacity = (int16_t)def->capacity};
  if (name) memcpy(note.name, name, strlen(name));
  return note;
}

const lwi_link_note *lwi_link_note_find(const lwi_annotations *annotations, uint32_t request) {
  uint32_t low = 0, high = annotations->note_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (annotations->notes[middle].request < request)
      low = middle + 1;
    else
      high = middle;
  }
  return low < annotations->note_count && annotations->notes[low].request == request ? &annotations->notes[low]
                                                                                     : NULL;
}

bool lwi_link_notes_copy(lw_navmesh *mesh, const lwi_annotations *from) {
  const size_t size = from->note_count * sizeof *from->notes;
  if (size == 0) return true;
  mesh->annotations.notes = lwi_alloc(&mesh->memory, size);
  if (!mesh->annotations.notes) return false;
  memcpy(mesh->annotations.notes, from->notes, size);
  mesh->annotations.note_count = from->note_count;
  return true;
}

void lwi_link_notes_free(lw_navmesh *mesh) {
  lwi_free(&mesh->memory, mesh->annotations.notes,
           mesh->annotations.note_count * sizeof *mesh->annotations.notes);
  mesh->annotations.notes = NULL;
  mesh->annotations.note_count = 0;
}

/* --- in the file ------------------------------------------------------------------------------------------ */

/* Checksum and count. */
#define HEAD 16
_Static_assert(sizeof(lwi_link_note) == 72, "notes have no gaps");

size_t lwi_link_notes_size(const lwi_annotations *annotations) {
  if (annotations->note_count == 0) return 0;
  return (size_t)lwi_section_padded(HEAD + annotations->note_count * sizeof *annotations->notes);
}

void lwi_link_notes_write(const lwi_annotations *annotations, unsigned char *to) {
  const size_t size = lwi_link_notes_size(annotations);
  const uint64_t count = annotations->note_count;
  memset(to, 0, size);
  memcpy(to + sizeof count, &count, sizeof count);
  memcpy(to + HEAD, annotations->notes, annotations->note_count * sizeof *annotations->notes);
  const uint64_t hash = lwi_hash(LWI_HASH_SEED, to + sizeof hash, size - sizeof hash);
  memcpy(to, &hash, sizeof hash);
}

static bool is_note(const lwi_link_note *note, int64_t before, const lwi_annotations *annotations) {
  const char *end = memchr(note->name, 0, sizeof note->name);
  for (const char *c = end; c && c < note->name + sizeof note->name; c++)
    if (*c != 0) return false;
  if (!end || note->request <= before || note->request >= annotations->request_count || note->capacity < -1 ||
      note->capacity > LW_LINK_CAPACITY_MAX || note->has_openness > 1 ||
      (note->has_openness == 0 && note->openness != 0))
    return false;
  const bool is_edge = annotations->requests[note->request].kind == LW_LINK_WAYPOINT;
  return is_edge || (note->has_openness == 0 && (note->capacity != -1 || note->name[0] != 0));
}

lw_status lwi_link_notes_read(lw_navmesh *mesh, const unsigned char *from, size_t size, const char **wrong) {
  uint64_t hash, count;
  *wrong = "they are cut short";
  if (size == 0) return LW_OK;
  if (size < HEAD) return LW_BAD_FILE;
  memcpy(&hash, from, sizeof hash);
  memcpy(&count, from + sizeof hash, sizeof count);
  *wrong = "contents do not match the checksum";
  if (lwi_hash(LWI_HASH_SEED, from + sizeof hash, size - sizeof hash) != hash) return LW_BAD_FILE;
  *wrong = "their count is out of range";
  if (count < 1 || count > mesh->annotations.request_count ||
      lwi_section_padded(HEAD + count * sizeof(lwi_link_note)) != size)
    return LW_BAD_FILE;
  lwi_link_note *notes = lwi_alloc(&mesh->memory, (size_t)count * sizeof *notes);
  if (!notes) return LW_OUT_OF_MEMORY;
  memcpy(notes, from + HEAD, (size_t)count * sizeof *notes);
  mesh->annotations.notes = notes;
  mesh->annotations.note_count = (uint32_t)count;
  for (uint64_t i = 0; i < count; i++) /* older files have -1 in four bytes there */
    if (notes[i].capacity == -1 && notes[i].has_openness == UINT8_MAX)
      notes[i].openness = notes[i].has_openness = 0;
  *wrong = "a name, a capacity or an order is out of range";
  for (uint64_t i = 0; i < count; i++)
    if (!is_note(&notes[i], i > 0 ? (int64_t)notes[i - 1].request : -1, &mesh->annotations)) return LW_BAD_FILE;
  return LW_OK;
}
