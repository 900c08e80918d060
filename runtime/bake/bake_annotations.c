#include "bake/bake_annotations.h"

#include "bake/bake_plan.h"
#include "core/hash.h"
#include "core/vec3.h"
#include "bake/facets.h"
#include "bake/occluder_tree.h"
#include "geometry/geometry.h"
#include "mesh/link_notes.h"
#include "bake/bake_cover.h"

#include <string.h>

static void count_waters(const lwi_marks *marks, uint32_t *waters, uint32_t *points) {
  for (int i = 0; i < marks->count; ++i) {
    if (!marks->items[i].is_water) continue;
    *waters += 1;
    *points += (uint32_t)marks->items[i].point_count;
  }
}

static void fill_waters(const lwi_marks *marks, lwi_water *water, lw_vec3 *points) {
  uint32_t point = 0;
  for (int i = 0; i < marks->count; ++i) {
    const lwi_mark *mark = &marks->items[i];
    if (!mark->is_water) continue;
    uint32_t count = (uint32_t)mark->point_count;
    *water++ = (lwi_water){mark->top, mark->bottom, point, count};
    memcpy(points + point, marks->points + mark->first_point, count * sizeof *points);
    point += count;
  }
}

uint32_t lwi_bake_keep(const lw_bake_settings *settings) {
  return (settings->occluders ? LWI_KEEP_OCCLUDERS : 0) | (settings->cover.segments ? LWI_KEEP_COVER : 0) |
         (settings->cover.map ? LWI_KEEP_MAP : 0) |
         (settings->visibility_table_range > 0 ? LWI_KEEP_VISIBILITY_TABLE : 0);
}

/* The bounds of walkable triangles within what is baked. */
static lw_box find_place(const lw_geometry *geometry, lw_box baked) {
  const lw_vec3 *vertices = lw_geometry_vertices(geometry);
  const int *indices = lw_geometry_indices(geometry);
  const lw_area_id *areas = lw_geometry_areas(geometry);
  lw_box place = lwi_box_empty();
  for (int i = 0; i < lw_geometry_triangle_count(geometry); ++i)
    for (int k = 0; k < 3 && areas[i] != LW_AREA_NONE; ++k)
      place = lwi_box_add(place, vertices[indices[3 * i + k]]);
  place = lwi_box_common(place, baked);
  return place.min.x <= place.max.x && place.min.y <= place.max.y && place.min.z <= place.max.z ? place : baked;
}

/* @param place  Borrowed. */
static lwi_occluder_source sight_source(const lw_geometry *geometry, const lw_box *place) {
  return (lwi_occluder_source){.vertices = lw_geometry_vertices(geometry),
                               .indices = lw_geometry_indices(geometry),
                               .triangle_count = lw_geometry_triangle_count(geometry),
                               .covers = lw_geometry_covers(geometry),
                               .place = place};
}

bool lwi_bake_occluders(const lw_geometry *geometry, lw_box baked, lwi_memory *memory,
                        lwi_occluders *occluders) {
  const lw_box place = find_place(geometry, baked);
  const lwi_occluder_source source = sight_source(geometry, &place);
  return lwi_occluders_build(&source, memory, occluders) == LW_OK;
}

void lwi_bake_note_occluders(const lw_geometry *geometry, lw_box baked, lw_bake_report *report) {
  const lw_box place = find_place(geometry, baked);
  const lwi_occluder_source source = sight_source(geometry, &place);
  const lwi_facet_cut cut = lwi_facet_cut_choose(&source);
  if (cut.margin < INFINITY)
    lwi_bake_note(
        report,
        "occluders: what is more than %g m from all that can be walked on is left out, for triangles there "
        "are too large to be kept to a millimetre",
        (double)cut.margin);
  if (cut.quantum > LWI_CUT_QUANTUM_MIN)
    lwi_bake_note(
        report,
        "occluders: kept to %.2g mm instead of 1 mm, for triangles are large; cut them, or narrow bounds",
        1000 * (double)cut.quantum);
}

static lwi_cover_segment segment_of(const lw_cover_def *def, bool from_right) {
  lw_vec3 a = from_right ? def->from : def->to, b = from_right ? def->to : def->from;
  return (lwi_cover_segment){.a = a,
                             .b = b,
                             .bottom = a.y + def->bottom,
                             .top = a.y + def->height,
                             .kind = (uint8_t)def->kind,
                             .asked = from_right ? 0 : LWI_ASKED_LEFT};
}

/* `a` is the left end for an agent facing the wall: `from`, seen from the right of the line from `from` to
   `to`. */
static void fill_added(const lwi_covers *covers, lwi_cover_segment *to) {
  for (int i = 0; i < covers->count; ++i) {
    const lw_cover_def *def = &covers->items[i];
    if (def->side != LW_COVER_LEFT_SIDE) *to++ = segment_of(def, true);
    if (def->side == LW_COVER_RIGHT_SIDE) continue;
    *to = segment_of(def, false);
    if (def->side == LW_COVER_BOTH_SIDES) to->asked |= LWI_ASKED_TOO;
    ++to;
  }
}

static uint32_t count_added(const lwi_covers *covers) {
  uint32_t count = 0;
  for (int i = 0; i < covers->count; ++i) count += covers->items[i].side == LW_COVER_BOTH_SIDES ? 2 : 1;
  return count;
}

static bool make_cover(const lw_geometry *geometry, lwi_memory *memory, lwi_cover *cover) {
  const lwi_marks *marks = lwi_geometry_vetoes(geometry);
  const lwi_covers *covers = lwi_geometry_added_cover(geometry);
  cover->veto_count = (uint32_t)marks->count;
  cover->veto_point_count = (uint32_t)marks->point_count;
  cover->added_count = count_added(covers);
  cover->vetoes = lwi_alloc(memory, cover->veto_count * sizeof *cover->vetoes);
  cover->veto_points = lwi_alloc(memory, cover->veto_point_count * sizeof *cover->veto_points);
  cover->added = lwi_alloc(memory, cover->added_count * sizeof *cover->added);
  if ((marks->count > 0 && (!cover->vetoes || !cover->veto_points)) ||
      (cover->added_count > 0 && !cover->added))
    return false;
  for (uint32_t i = 0; i < cover->veto_count; i++) {
    const lwi_mark *mark = &marks->items[i];
    cover->vetoes[i] =
        (lwi_cover_veto){mark->bottom, mark->top, (uint32_t)mark->first_point, (uint32_t)mark->point_count};
  }
  for (uint32_t i = 0; i < cover->veto_point_count; i++) cover->veto_points[i] = marks->points[i];
  fill_added(covers, cover->added);
  return true;
}

/* Waypoint edges get one for their openness. */
static bool needs_note(const lw_link_def *link, const char *name) {
  return link->kind == LW_LINK_WAYPOINT || lwi_link_has_note(link, name);
}

/* @return false: no memory. */
static bool make_notes(const lwi_links *links, lwi_memory *memory, lwi_annotations *annotations) {
  uint32_t count = 0;
  for (int i = 0; i < links->count; ++i) count += needs_note(&links->items[i], links->names[i]);
  if (count == 0) return true;
  annotations->notes = lwi_alloc(memory, count * sizeof *annotations->notes);
  if (!annotations->notes) return false;
  for (int i = 0; i < links->count; ++i)
    if (needs_note(&links->items[i], links->names[i]))
      annotations->notes[annotations->note_count++] =
          lwi_link_note_of((uint32_t)i, &links->items[i], links->names[i]);
  return true;
}

bool lwi_bake_annotations(const lw_geometry *geometry, const lw_box *baked, lwi_memory *memory,
                          lwi_bake_extras *extras) {
  const lwi_marks *marks = lwi_geometry_marks(geometry);
  const lwi_links *links = lwi_geometry_links(geometry);
  uint32_t link_count = (uint32_t)links->count, water_count = 0, point_count = 0;
  count_waters(marks, &water_count, &point_count);
  lwi_request *requests = lwi_alloc(memory, link_count * sizeof *requests);
  lwi_water *waters = lwi_alloc(memory, water_count * sizeof *waters);
  lw_vec3 *points = lwi_alloc(memory, point_count * sizeof *points);
  *extras = (lwi_bake_extras){
      .annotations = {.request_count = link_count,
                      .water_count = water_count,
                      .water_point_count = point_count,
                      .requests = requests,
                      .waters = waters,
                      .water_points = points},
      .occluders = {.quantum = 1},
  };
  if ((!requests && link_count > 0) || ((!waters || !points) && water_count > 0)) return false;
  for (uint32_t i = 0; i < link_count; ++i) requests[i] = lwi_request_of(&links->items[i]);
  if (!make_notes(links, memory, &extras->annotations)) return false;
  if (waters) fill_waters(marks, waters, points);
  if (!make_cover(geometry, memory, &extras->cover)) return false;
  return !baked || lwi_bake_occluders(geometry, *baked, memory, &extras->occluders);
}

lwi_attachments lwi_bake_attachments(const lwi_bake_extras *extras, bool occluders) {
  lwi_attachments attachments = {0};
  if (occluders) attachments.slots[LWI_OCCLUDERS_SLOT] = (void *)&extras->occluders;
  attachments.slots[LWI_COVER_SLOT] = (void *)&extras->cover;
  attachments.slots[LWI_COVER_MAP_SLOT] = (void *)&extras->map;
  return attachments;
}

void lwi_bake_annotations_free(lwi_bake_extras *extras, lwi_memory *memory) {
  const lwi_annotations *a = &extras->annotations;
  const lwi_cover *cover = &extras->cover;
  lwi_free(memory, a->requests, a->request_count * sizeof *a->requests);
  lwi_free(memory, a->notes, a->note_count * sizeof *a->notes);
  lwi_free(memory, a->waters, a->water_count * sizeof *a->waters);
  lwi_free(memory, a->water_points, a->water_point_count * sizeof *a->water_points);
  lwi_occluders_free(&extras->occluders, memory);
  lwi_free(memory, cover->vetoes, cover->veto_count * sizeof *cover->vetoes);
  lwi_free(memory, cover->veto_points, cover->veto_point_count * sizeof *cover->veto_points);
  lwi_free(memory, cover->added, cover->added_count * sizeof *cover->added);
  *extras = (lwi_bake_extras){0};
}

static uint64_t hash_solid(const lwi_solid *solid, uint64_t hash) {
  hash = lwi_hash(hash, solid->top, sizeof solid->top);
  return lwi_hash(hash, solid->bottom, sizeof solid->bottom);
}

static uint64_t hash_mark(const lwi_mark *mark, const lw_vec3 *points, uint64_t hash) {
  const uint32_t numbers[] = {mark->area,      mark->deep_area, mark->is_path,
                              mark->is_closed, mark->is_water,  (uint32_t)mark->point_count};
  const float lengths[] = {mark->half_width, mark->bottom, mark->top, mark->wade};
  hash = lwi_hash(hash, numbers, sizeof numbers);
  hash = lwi_hash(hash, lengths, sizeof lengths);
  return lwi_hash(hash, points + mark->first_point, (size_t)mark->point_count * sizeof *points);
}

static uint64_t hash_link(const lw_link_def *link, const char *name, uint64_t hash) {
  const uint32_t numbers[] = {(uint32_t)link->kind, link->bidirectional, link->area};
  const float lengths[] = {link->radius, link->length};
  hash = lwi_hash(hash, numbers, sizeof numbers);
  hash = lwi_hash(hash, lengths, sizeof lengths);
  hash = lwi_hash(hash, &link->from, sizeof link->from);
  hash = lwi_hash(hash, &link->to, sizeof link->to);
  if (!lwi_link_has_note(link, name)) return hash;
  hash = lwi_hash(hash, &link->capacity, sizeof link->capacity);
  return lwi_hash(hash, name, strlen(name));
}

static uint64_t hash_cover(const lw_cover_def *cover, uint64_t hash) {
  const uint32_t numbers[] = {(uint32_t)cover->side, (uint32_t)cover->kind};
  const float lengths[] = {cover->bottom, cover->height};
  hash = lwi_hash(hash, numbers, sizeof numbers);
  hash = lwi_hash(hash, lengths, sizeof lengths);
  hash = lwi_hash(hash, &cover->from, sizeof cover->from);
  return lwi_hash(hash, &cover->to, sizeof cover->to);
}

uint64_t lwi_bake_hash_annotations(const lw_geometry *geometry, uint64_t hash) {
  const lwi_marks *marks = lwi_geometry_marks(geometry);
  const lwi_links *links = lwi_geometry_links(geometry);
  const lwi_solids *solids = lwi_geometry_solids(geometry);
  for (int i = 0; i < solids->count; ++i) hash = hash_solid(&solids->items[i], hash);
  for (int i = 0; i < marks->count; ++i) hash = hash_mark(&marks->items[i], marks->points, hash);
  for (int i = 0; i < links->count; ++i) hash = hash_link(&links->items[i], links->names[i], hash);
  const lwi_marks *vetoes = lwi_geometry_vetoes(geometry);
  const lwi_covers *added = lwi_geometry_added_cover(geometry);
  for (int i = 0; i < vetoes->count; ++i) hash = hash_mark(&vetoes->items[i], vetoes->points, hash);
  const lwi_marks *details = lwi_geometry_details(geometry);
  for (int i = 0; i < details->count; ++i) {
    hash = hash_mark(&details->items[i], details->points, hash);
    hash = lwi_hash(hash, &details->items[i].max_edge, sizeof(float));
  }
  for (int i = 0; i < added->count; ++i) hash = hash_cover(&added->items[i], hash);
  return lwi_hash(hash, lw_geometry_covers(geometry), (size_t)lw_geometry_triangle_count(geometry));
}
