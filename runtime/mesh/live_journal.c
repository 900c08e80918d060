#include "mesh/live_parts.h"

void lwi_live_journal_free(lwi_live_journal *journal, lwi_memory *memory) {
  lwi_free(memory, journal->items, (size_t)journal->capacity * sizeof *journal->items);
  *journal = (lwi_live_journal){.limit = journal->limit};
}

void lwi_live_journal_forget(lwi_live_journal *journal, uint64_t version) {
  journal->count = journal->first = 0;
  journal->known_from = journal->start = version;
}

bool lwi_live_journal_reserve(lwi_live_journal *journal, lwi_memory *memory, int count) {
  const int needed = count < journal->limit - journal->count ? journal->count + count : journal->limit;
  return lwi_reserve(memory, &journal->items, &journal->capacity, needed, sizeof *journal->items);
}

void lwi_live_journal_add(lwi_live_journal *journal, uint64_t version, lwi_ground_touch touch) {
  if (version - journal->start > UINT32_MAX) lwi_live_journal_forget(journal, version - 1);
  touch.version = (uint32_t)(version - journal->start);
  if (journal->count < journal->limit) {
    journal->items[journal->count++] = touch;
    return;
  }
  lwi_ground_touch *oldest = &journal->items[journal->first];
  journal->known_from = journal->start + oldest->version;
  *oldest = touch;
  journal->first = journal->first + 1 < journal->count ? journal->first + 1 : 0;
}

int lwi_live_journal_since(const lwi_live_journal *journal, uint64_t version) {
  int low = 0, high = journal->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (journal->start + lwi_live_journal_at(journal, middle)->version <= version)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* May links have begun there before the round, or do so now? */
static bool has_links(const lwi_live *live, const lwi_block *block) {
  if (!lwi_live_has_links(live)) return false;
  const lwi_mesh_links *links = &live->base->links;
  return block->links.space > 0 || block->link_changes > 0 ||
         (links->count > 0 && links->end[block->polygon] > links->first[block->polygon]);
}

void lwi_live_note_changes(lwi_live *live) {
  const uint64_t version = live->mesh.live.version;
  for (int i = 0; i < live->unlinked.count; i++) {
    const uint32_t ground = live->unlinked.items[i],
                   leader = live->unlinked.items[lwi_relabel_cluster(&live->islands.relabel, (uint32_t)i)];
    const lwi_block *block = lwi_live_block(live, ground);
    lwi_live_journal_add(&live->islands.journal, version,
                         (lwi_ground_touch){.ground = ground,
                                            .leader = leader & LWI_LEADER_MAX,
                                            .is_new = block->is_dirty,
                                            .has_links = has_links(live, block)});
  }
  for (int i = 0; i < live->relinked.count; i++) {
    const uint32_t polygon = live->relinked.items[i];
    lwi_live_journal_add(
        &live->islands.journal, version,
        (lwi_ground_touch){.ground = polygon, .leader = polygon & LWI_LEADER_MAX, .has_links = true});
  }
}
