#include "mesh/sections.h"

#include "leeward/geometry.h"

/* Coordinates further out have differences that no float can hold. [m] */
#define MAX_COORDINATE 1e7f

static bool finite_all(const float *numbers, size_t count) {
  bool fine = true;
  for (size_t i = 0; i < count; i++) fine &= fabsf(numbers[i]) <= MAX_COORDINATE;
  return fine;
}

static bool rises(const uint32_t *first, uint64_t count, uint32_t total) {
  bool fine = first[0] == 0 && first[count] == total;
  for (uint64_t i = 0; i < count; i++) fine &= first[i] <= first[i + 1];
  return fine;
}

static const char *check_tiles(const lw_navmesh *mesh) {
  uint64_t polygons = 0;
  for (uint32_t i = 0; i < mesh->tile_count; i++) {
    const lwi_tile *tile = &mesh->tiles[i];
    if (tile->first_polygon != polygons) return "a tile's polygons do not follow those of the one before";
    polygons += tile->polygon_count;
  }
  return polygons == mesh->polygon_count ? NULL : "the tiles do not hold all polygons";
}

static const char *check_ranges(const lw_navmesh *mesh) {
  const lwi_ranges *last = &mesh->ranges[mesh->polygon_count];
  if (mesh->ranges[0].first_corner != 0 || last->first_corner != mesh->corner_count)
    return "the polygons do not have all corners";
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    const lwi_ranges *at = &mesh->ranges[i], *next = at + 1;
    if (next->first_corner < at->first_corner + 3 || next->first_corner > at->first_corner + 255)
      return "a polygon has fewer than 3 or more than 255 corners";
    if (at->tile >= mesh->tile_count ||
        i - mesh->tiles[at->tile].first_polygon >= mesh->tiles[at->tile].polygon_count)
      return "a polygon is in a tile that does not hold it";
  }
  return NULL;
}

static const char *check_corners(const lw_navmesh *mesh) {
  return finite_all(mesh->corners, (size_t)lwi_section_count(mesh, LWI_CORNERS)) ? NULL
                                                                                 : "a corner is no place";
}

/* An edge's first portal must be there; how the portals lie on the edges is for lw_navmesh_validate(). */
static const char *check_edges(const lw_navmesh *mesh) {
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    uint32_t portals = mesh->first_portal[p + 1] - mesh->first_portal[p];
    bool fine = true;
    for (uint32_t i = mesh->ranges[p].first_corner; i < mesh->ranges[p + 1].first_corner; i++) {
      uint32_t place = mesh->edges[i] & LWI_EDGE_PORTAL;
      fine &= (place >= LWI_EDGE_FAR) | (place < portals);
    }
    if (!fine) return "an edge leads to a portal that its polygon has not";
  }
  return NULL;
}

static const char *check_detail_triangles(const lw_navmesh *mesh) {
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    uint32_t corners = mesh->ranges[p + 1].first_corner - mesh->ranges[p].first_corner;
    uint32_t limit = corners + mesh->first_detail_vertex[p + 1] - mesh->first_detail_vertex[p];
    uint32_t first = mesh->first_detail_triangle[p], end = mesh->first_detail_triangle[p + 1];
    if (limit > LWI_SURFACE_VERTICES && first < end) return "a polygon has too many detail vertices";
    bool fine = true;
    for (size_t i = 3 * (size_t)first; i < 3 * (size_t)end; i++) fine &= mesh->detail_triangles[i] < limit;
    if (!fine) return "a triangle's vertex is out of range";
  }
  return NULL;
}

/* Four bytes a triangle, or none. */
static const char *check_box_ranges(const lw_navmesh *mesh) {
  if (!rises(mesh->first_detail_box, mesh->polygon_count, mesh->detail_box_count)) return "out of order";
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    uint32_t triangles = mesh->first_detail_triangle[p + 1] - mesh->first_detail_triangle[p];
    uint32_t bytes = mesh->first_detail_box[p + 1] - mesh->first_detail_box[p];
    if (bytes != 0 && bytes != 4 * (uint64_t)triangles) return "a polygon has not a box for each triangle";
  }
  return NULL;
}

static const char *check_portals(const lw_navmesh *mesh) {
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    uint32_t corners = mesh->ranges[p + 1].first_corner - mesh->ranges[p].first_corner;
    bool fine = true;
    for (uint32_t k = mesh->first_portal[p]; k < mesh->first_portal[p + 1]; k++) {
      lwi_portal portal = mesh->portals[k];
      fine &=
          (portal.to < mesh->polygon_count) & (portal.edge < corners) & (portal.stretch < mesh->stretch_count);
    }
    if (!fine) return "a portal leads nowhere";
  }
  return NULL;
}

static const char *check_stretches(const lw_navmesh *mesh) {
  if (mesh->stretch_count < 1) return "there are none";
  for (uint32_t i = 0; i < mesh->stretch_count; i++) {
    lwi_stretch s = mesh->stretches[i];
    if (!(s.t0 >= 0 && s.t0 < s.t1 && s.t1 <= 1)) return "a stretch lies off its edge";
  }
  return NULL;
}

static const char *check_islands(const lw_navmesh *mesh) {
  bool fine = true;
  for (uint32_t i = 0; i < mesh->polygon_count; i++) fine &= mesh->islands[i] < mesh->island_count;
  return fine ? NULL : "an island's number is out of range";
}

static const char *check_aliases(const lw_navmesh *mesh) {
  bool fine = true;
  for (uint32_t i = 0; i < mesh->polygon_count; i++) fine &= mesh->aliases[i].other < mesh->polygon_count;
  return fine ? NULL : "a polygon's number is out of range";
}

static const char *check_grid(const lw_navmesh *mesh) {
  const lwi_grid *grid = &mesh->grid;
  const float places[] = {grid->min_x, grid->min_z, grid->min_y, grid->size_y, grid->cell};
  if (!finite_all(places, 5) || !(grid->cell > 0 && grid->size_y > 0)) return "the grid lies nowhere";
  if (!rises(grid->first, (uint64_t)grid->width * (uint64_t)grid->height, grid->reference_count))
    return "a cell's references are out of order";
  return NULL;
}

static const char *check_references(const lw_navmesh *mesh) {
  bool fine = true;
  for (uint32_t i = 0; i < mesh->grid.reference_count; i++)
    fine &= mesh->grid.references[i].polygon < mesh->polygon_count;
  return fine ? NULL : "a polygon's number is out of range";
}

static const char *check_links(const lw_navmesh *mesh) {
  for (uint32_t i = 0; i < mesh->link_count; i++) {
    const lwi_link *link = &mesh->links[i];
    if (link->from >= mesh->polygon_count || link->to >= mesh->polygon_count) return "a link leads nowhere";
    if (i < mesh->first_link[link->from] || i >= mesh->first_link[link->from + 1])
      return "a link is out of order";
    const float numbers[] = {link->start.x, link->start.y, link->start.z, link->end.x,
                             link->end.y,   link->end.z,   link->length};
    if (!finite_all(numbers, 7) || link->length < 0) return "a link's end is no place";
    if (link->kind >= LW_LINK_KIND_COUNT) return "a link's kind is out of range";
  }
  return NULL;
}

static bool is_end(const lw_navmesh *mesh, const lwi_link_end *end, bool joined) {
  const float numbers[] = {end->at.x, end->at.y, end->at.z, end->distance};
  bool on_mesh = end->polygon < mesh->polygon_count || (end->polygon == LWI_NONE && !joined);
  return on_mesh && finite_all(numbers, 4) && end->distance >= 0;
}

static const char *check_requests(const lw_navmesh *mesh) {
  uint32_t joined = 0, refused = 0;
  for (uint32_t i = 0; i < mesh->request_count; i++) {
    const lwi_request *r = &mesh->requests[i];
    const float numbers[] = {r->from.x, r->from.y, r->from.z, r->to.x, r->to.y, r->to.z, r->radius, r->length};
    if (!finite_all(numbers, 8) || !(r->radius > 0) || !(r->length >= 0 || r->length == -1))
      return "a link is no link";
    if (r->kind >= LW_LINK_KIND_COUNT || r->bidirectional > 1 || r->state > LW_LINK_WAITING)
      return "a link's kind or state is out of range";
    bool is_joined = r->state == LW_LINK_JOINED;
    if (!is_end(mesh, &r->start, is_joined) || !is_end(mesh, &r->end, is_joined))
      return "a link's end is no place";
    joined += is_joined;
    refused += !is_joined && r->state != LW_LINK_WAITING;
  }
  if (joined != mesh->joined_count || refused != mesh->refused_count) return "they are counted wrongly";
  return NULL;
}

static const char *check_waters(const lw_navmesh *mesh) {
  uint32_t point = 0;
  for (uint32_t i = 0; i < mesh->water_count; i++) {
    const lwi_water *water = &mesh->waters[i];
    if (!finite_all(&water->level, 1) || !(water->bottom < water->level)) return "a water has no level";
    if (water->first_point != point || water->point_count < 3 ||
        water->point_count > mesh->water_point_count - point)
      return "a water has no outline";
    point += water->point_count;
  }
  return point == mesh->water_point_count ? NULL : "an outline is of no water";
}

/* A leaf's numbers: a block and a vertex, and facets of 3 to 8 vertices up to the one that says that it is the last.
   @param[out] end  Behind them. */
static const char *check_occluder_leaf(const lwi_occluders *of, uint64_t at, uint64_t *end) {
  const uint8_t *head = of->numbers + at;
  if (at + LWI_LEAF_HEAD > of->number_count || LWI_LEAF_BLOCK(head) >= of->block_count)
    return "a leaf's block is out of range";
  const uint64_t vertices = of->vertex_count - of->blocks[LWI_LEAF_BLOCK(head)].first;
  at += LWI_LEAF_HEAD;
  bool last = false;
  for (int left = LWI_LEAF_FACETS; !last; left--) {
    if (at >= of->number_count || left == 0) return "a leaf has no end";
    uint32_t first = of->numbers[at++], count = first & LWI_FACET_COUNT;
    if (count < 3 || count > LWI_OCCLUDER_CORNERS) return "a facet has fewer than 3 or more than 8 corners";
    if (at + count > of->number_count) return "a facet's corners are out of range";
    for (uint32_t i = 0; i < count; i++)
      if (LWI_LEAF_FIRST(head) + (uint64_t)of->numbers[at + i] >= vertices)
        return "a facet's corner is out of range";
    at += count;
    last = (first & LWI_FACET_LAST) != 0;
  }
  *end = at;
  return NULL;
}

static bool check_occluder_blocks(const lwi_occluders *of) {
  for (uint32_t b = 0; b < of->block_count; b++)
    for (int axis = 0; axis < 3; axis++)
      if (of->blocks[b].first > of->vertex_count || of->blocks[b].origin[axis] > INT32_MAX - UINT16_MAX)
        return false;
  return true;
}

/* Their numbers lie one behind the other. */
static const char *check_occluder_leaves(const lw_navmesh *mesh) {
  const lwi_occluders *of = &mesh->occluders;
  const float places[] = {of->origin.x, of->origin.y, of->origin.z, of->quantum};
  if (!finite_all(places, 4) || !(of->quantum > 0)) return "they lie nowhere";
  if (!check_occluder_blocks(of)) return "a block's vertices are out of range";
  uint64_t at = 0;
  for (uint32_t l = 0; l < of->leaf_count; l++) {
    if (of->leaves[l] != at) return "a leaf is not where its numbers are";
    const char *wrong = check_occluder_leaf(of, at, &at);
    if (wrong) return wrong;
  }
  return at == of->number_count ? NULL : "there are numbers of no leaf";
}

/* Children come behind their parents, so no way down is endless. */
static const char *check_occluder_nodes(const lw_navmesh *mesh) {
  const lwi_occluders *of = &mesh->occluders;
  for (uint32_t n = 0; n < of->node_count; n++)
    for (int i = 0; i < 4; i++) {
      uint32_t child = of->nodes[n].children[i];
      if (child == LWI_OCCLUDER_NONE) continue;
      if (child & LWI_OCCLUDER_LEAF ? (child & ~LWI_OCCLUDER_LEAF) >= of->leaf_count
                                    : child <= n || child >= of->node_count)
        return "a child is out of range";
    }
  return NULL;
}

static const char *check_cover(const lwi_cover_segment *segments, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const lwi_cover_segment *s = &segments[i];
    if (s->asked > (LWI_ASKED_LEFT | LWI_ASKED_TOO | LWI_ASKED_NOWHERE) || (i == 0 && s->asked & LWI_ASKED_TOO))
      return "a segment is the other side of none";
    const float numbers[] = {s->a.x, s->a.y, s->a.z, s->b.x, s->b.y, s->b.z, s->bottom, s->top};
    if (!finite_all(numbers, 8) || !(s->bottom < s->top)) return "a segment is no stretch of wall";
    if (s->kind != LW_COVER_HARD && s->kind != LW_COVER_SOFT) return "a segment's kind is out of range";
  }
  return NULL;
}

static const char *check_vetoes(const lw_navmesh *mesh) {
  uint32_t point = 0;
  for (uint32_t i = 0; i < mesh->cover.veto_count; i++) {
    const lwi_cover_veto *veto = &mesh->cover.vetoes[i];
    if (!(veto->bottom < veto->top) || veto->first_point != point || veto->point_count < 3 ||
        veto->point_count > mesh->cover.veto_point_count - point)
      return "a veto has no outline";
    point += veto->point_count;
  }
  return point == mesh->cover.veto_point_count ? NULL : "an outline is of no veto";
}

/* Every polygon's list names leaves that there are. */
static const char *check_map(const lw_navmesh *mesh) {
  const lwi_cover *cover = &mesh->cover;
  if (!cover->has_map) return "there are leaves without ranges";
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    lwi_leaf_list list = {cover->map_leaves + cover->map_first[p], cover->map_leaves + cover->map_first[p + 1]};
    for (uint32_t leaf = UINT32_MAX; lwi_leaf_list_next(&list, &leaf);)
      if (leaf >= mesh->occluders.leaf_count) return "a polygon names a leaf that is not there";
  }
  return NULL;
}

static const char *check_prisms(const lw_navmesh *mesh) {
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    const lwi_prism *prism = &mesh->pairs.prisms[p];
    const float numbers[] = {prism->slope_x, prism->slope_z, prism->low, prism->high};
    if (!finite_all(numbers, 4) || !(prism->low <= prism->high)) return "a prism has no height";
  }
  return NULL;
}

/* Groups keep their words one behind the other. */
static const char *check_pair_groups(const lw_navmesh *mesh) {
  const lwi_pairs *of = &mesh->pairs;
  if (!of->has) return "there are groups without rows";
  uint64_t word = 0;
  for (uint32_t g = 0; g < of->group_count; g++) {
    if (of->groups[g].first != word) return "a group's words are out of order";
    word += (uint32_t)__builtin_popcount(lwi_pair_unlike(of->groups[g].kinds));
  }
  return word == of->word_count ? NULL : "there are words of no group";
}

static const char *check_pairs(const lw_navmesh *mesh) {
  for (uint32_t i = 0; i < mesh->pairs.word_count; i++)
    if (lwi_pair_unlike(mesh->pairs.words[i]) != 0) return "a pair is neither hidden, visible nor mixed";
  return mesh->pairs.group_count > 0 ? NULL : "there are pairs without rows";
}

static const char *check_section(const lw_navmesh *mesh, int which) {
  switch (which) {
  case LWI_TILES: return check_tiles(mesh);
  case LWI_RANGES: return check_ranges(mesh);
  case LWI_CORNERS: return check_corners(mesh);
  case LWI_EDGES: return check_edges(mesh);
  case LWI_DETAIL_VERTEX_RANGES:
    return rises(mesh->first_detail_vertex, mesh->polygon_count, mesh->detail_vertex_count) ? NULL
                                                                                            : "out of order";
  case LWI_DETAIL_VERTICES:
    return finite_all(&mesh->detail_vertices[0].x, 3 * (size_t)mesh->detail_vertex_count)
               ? NULL
               : "a vertex is no place";
  case LWI_DETAIL_TRIANGLE_RANGES:
    return rises(mesh->first_detail_triangle, mesh->polygon_count, mesh->detail_triangle_count)
               ? NULL
               : "out of order";
  case LWI_DETAIL_TRIANGLES: return check_detail_triangles(mesh);
  case LWI_DETAIL_BOX_RANGES: return check_box_ranges(mesh);
  case LWI_PORTAL_RANGES:
    return rises(mesh->first_portal, mesh->polygon_count, mesh->portal_count) ? NULL : "out of order";
  case LWI_PORTALS: return check_portals(mesh);
  case LWI_STRETCHES: return check_stretches(mesh);
  case LWI_ISLANDS: return check_islands(mesh);
  case LWI_ALIASES: return check_aliases(mesh);
  case LWI_GRID_RANGES: return check_grid(mesh);
  case LWI_GRID_REFERENCES: return check_references(mesh);
  case LWI_LINK_RANGES:
    return rises(mesh->first_link, mesh->polygon_count, mesh->link_count) ? NULL : "out of order";
  case LWI_LINKS: return check_links(mesh);
  case LWI_REQUESTS: return check_requests(mesh);
  case LWI_WATERS: return check_waters(mesh);
  case LWI_WATER_POINTS:
    return finite_all(&mesh->water_points[0].x, 3 * (size_t)mesh->water_point_count) ? NULL
                                                                                     : "a corner is no place";
  case LWI_OCCLUDER_NODES: return check_occluder_nodes(mesh);
  case LWI_OCCLUDER_LEAVES: return check_occluder_leaves(mesh);
  case LWI_COVER_SEGMENTS: return check_cover(mesh->cover.segments, mesh->cover.segment_count);
  case LWI_COVER_BLOCKS:
    return finite_all(&mesh->cover.blocks[0].min.x, 6 * (size_t)lwi_cover_blocks(mesh->cover.segment_count))
               ? NULL
               : "a box is no place";
  case LWI_COVER_VETOES: return check_vetoes(mesh);
  case LWI_COVER_VETO_POINTS:
    return finite_all(&mesh->cover.veto_points[0].x, 3 * (size_t)mesh->cover.veto_point_count)
               ? NULL
               : "a corner is no place";
  case LWI_COVER_ADDED: return check_cover(mesh->cover.added, mesh->cover.added_count);
  case LWI_COVER_MAP_RANGES:
    return rises(mesh->cover.map_first, mesh->polygon_count, mesh->cover.map_size) ? NULL : "out of order";
  case LWI_COVER_MAP_LEAVES: return check_map(mesh);
  case LWI_PAIR_PRISMS: return check_prisms(mesh);
  case LWI_PAIR_ROWS:
    return rises(mesh->pairs.rows, mesh->polygon_count, mesh->pairs.group_count) ? NULL : "out of order";
  case LWI_PAIR_GROUPS: return check_pair_groups(mesh);
  case LWI_PAIR_WORDS: return check_pairs(mesh);
  default: return NULL; /* any byte will do */
  }
}

const char *lwi_sections_check(const lw_navmesh *mesh, int *which) {
  for (*which = 0; *which < LWI_SECTION_COUNT; ++*which) {
    if (lwi_section_count(mesh, *which) == 0) continue;
    const char *wrong = check_section(mesh, *which);
    if (wrong) return wrong;
  }
  return NULL;
}
