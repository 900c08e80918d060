#include "sight_peer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

typedef float float4 __attribute__((vector_size(16)));
typedef int32_t int4 __attribute__((vector_size(16)));

constexpr float NEAR = 1e-3f;
constexpr int BINS = 32;
constexpr uint32_t LEAF = 0x80000000u, NONE = 0xffffffffu;

float4 all(float value) {
  return float4{value, value, value, value};
}
float4 min_of(float4 a, float4 b) {
  return a < b ? a : b;
}
float4 max_of(float4 a, float4 b) {
  return a > b ? a : b;
}
unsigned bits_of(int4 mask) {
#ifdef __SSE__
  return static_cast<unsigned>(__builtin_ia32_movmskps(reinterpret_cast<float4>(mask)));
#else
  return (mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8);
#endif
}

struct box {
  float min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
  void add(const box &other) {
    for (int a = 0; a < 3; a++) {
      min[a] = std::min(min[a], other.min[a]);
      max[a] = std::max(max[a], other.max[a]);
    }
  }
  double surface() const {
    double x = max[0] - min[0], y = max[1] - min[1], z = max[2] - min[2];
    return min[0] <= max[0] ? x * y + y * z + z * x : 0;
  }
  float middle(int axis) const { return (min[axis] + max[axis]) / 2; }
};

struct node {
  float4 min[3], max[3];
  uint32_t children[4];
};

/* Four triangles: a corner and two edges each. Those that are missing have no area. */
struct packet {
  float4 corner[3], first[3], second[3];
};

/* While the tree is built: two children each. */
struct twig {
  box bounds;
  int left = -1, right = -1; /* -1: a leaf */
  uint32_t begin = 0, end = 0;
};

} // namespace

struct sight_peer {
  std::vector<node> nodes;
  std::vector<packet> packets;
};

namespace {

class builder {
public:
  builder(sight_peer *out, const lw_geometry *geometry) : peer(out) {
    const lw_vec3 *vertices = lw_geometry_vertices(geometry);
    const int *indices = lw_geometry_indices(geometry);
    const uint8_t *covers = lw_geometry_covers(geometry);
    for (int i = 0; i < lw_geometry_triangle_count(geometry); i++) {
      if (covers && covers[i] == LW_COVER_NONE) continue;
      box around;
      for (int k = 0; k < 3; k++) {
        const lw_vec3 &v = vertices[indices[3 * i + k]];
        corners.push_back(v);
        box point;
        point.min[0] = point.max[0] = v.x;
        point.min[1] = point.max[1] = v.y;
        point.min[2] = point.max[2] = v.z;
        around.add(point);
      }
      order.push_back(static_cast<uint32_t>(boxes.size()));
      boxes.push_back(around);
    }
    if (!order.empty()) add_node(grow(0, static_cast<uint32_t>(order.size())));
  }

private:
  sight_peer *peer;
  std::vector<lw_vec3> corners;
  std::vector<box> boxes;
  std::vector<uint32_t> order;
  std::vector<twig> twigs;

  struct split {
    double cost = INFINITY;
    int axis = 0, bin = 0;
    float low = 0, scale = 0;
    int bin_of(float at) const { return std::min(BINS - 1, std::max(0, static_cast<int>((at - low) * scale))); }
  };

  void try_axis(uint32_t begin, uint32_t end, int axis, split *best) const {
    split now;
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = begin; i < end; i++) {
      low = std::min(low, boxes[order[i]].middle(axis));
      high = std::max(high, boxes[order[i]].middle(axis));
    }
    if (!(high > low)) return;
    now.axis = axis;
    now.low = low;
    now.scale = BINS / (high - low);
    box bins[BINS];
    uint32_t counts[BINS] = {0};
    for (uint32_t i = begin; i < end; i++) {
      const int bin = now.bin_of(boxes[order[i]].middle(axis));
      bins[bin].add(boxes[order[i]]);
      counts[bin]++;
    }
    double above[BINS];
    box side;
    uint32_t count = 0;
    for (int b = BINS - 1; b > 0; b--) {
      side.add(bins[b]);
      count += counts[b];
      above[b] = side.surface() * std::ceil(count / 4.0);
    }
    side = box();
    count = 0;
    for (int b = 1; b < BINS; b++) {
      side.add(bins[b - 1]);
      count += counts[b - 1];
      const double cost = side.surface() * std::ceil(count / 4.0) + above[b];
      if (count == 0 || count == end - begin || cost >= best->cost) continue;
      now.cost = cost;
      now.bin = b;
      *best = now;
    }
  }

  int grow(uint32_t begin, uint32_t end) {
    const int index = static_cast<int>(twigs.size());
    twigs.emplace_back();
    twig built;
    built.begin = begin;
    built.end = end;
    for (uint32_t i = begin; i < end; i++) built.bounds.add(boxes[order[i]]);
    if (end - begin > 4) {
      split best;
      for (int axis = 0; axis < 3; axis++) try_axis(begin, end, axis, &best);
      uint32_t middle = (begin + end) / 2;
      if (best.cost < INFINITY)
        middle = static_cast<uint32_t>(
            std::partition(order.begin() + begin, order.begin() + end,
                           [&](uint32_t i) { return best.bin_of(boxes[i].middle(best.axis)) < best.bin; }) -
            order.begin());
      built.left = grow(begin, middle);
      built.right = grow(middle, end);
    }
    twigs[static_cast<size_t>(index)] = built;
    return index;
  }

  uint32_t add_leaf(const twig &of) {
    packet built;
    std::memset(&built, 0, sizeof built);
    for (uint32_t i = of.begin; i < of.end; i++) {
      const lw_vec3 *v = &corners[3 * order[i]];
      const float a[3] = {v[0].x, v[0].y, v[0].z}, b[3] = {v[1].x, v[1].y, v[1].z},
                  c[3] = {v[2].x, v[2].y, v[2].z};
      for (int axis = 0; axis < 3; axis++) {
        built.corner[axis][i - of.begin] = a[axis];
        built.first[axis][i - of.begin] = b[axis] - a[axis];
        built.second[axis][i - of.begin] = c[axis] - a[axis];
      }
    }
    peer->packets.push_back(built);
    return LEAF | static_cast<uint32_t>(peer->packets.size() - 1);
  }

  /* Open the largest of up to four until there are four. */
  uint32_t add_node(int from) {
    std::vector<int> parts = {from};
    while (parts.size() < 4) {
      int largest = -1;
      for (size_t i = 0; i < parts.size(); i++) {
        const twig &part = twigs[static_cast<size_t>(parts[i])];
        if (part.left >= 0 &&
            (largest < 0 ||
             part.bounds.surface() >
                 twigs[static_cast<size_t>(parts[static_cast<size_t>(largest)])].bounds.surface()))
          largest = static_cast<int>(i);
      }
      if (largest < 0) break;
      const twig opened = twigs[static_cast<size_t>(parts[static_cast<size_t>(largest)])];
      parts[static_cast<size_t>(largest)] = opened.left;
      parts.push_back(opened.right);
    }
    const size_t index = peer->nodes.size();
    peer->nodes.emplace_back();
    node built;
    for (int i = 0; i < 4; i++) {
      const bool is_there = i < static_cast<int>(parts.size());
      for (int axis = 0; axis < 3; axis++) {
        built.min[axis][i] =
            is_there ? twigs[static_cast<size_t>(parts[static_cast<size_t>(i)])].bounds.min[axis] : 1e30f;
        built.max[axis][i] =
            is_there ? twigs[static_cast<size_t>(parts[static_cast<size_t>(i)])].bounds.max[axis] : -1e30f;
      }
      built.children[i] = NONE;
      if (!is_there) continue;
      const twig part = twigs[static_cast<size_t>(parts[static_cast<size_t>(i)])];
      built.children[i] = part.left < 0 ? add_leaf(part) : add_node(parts[static_cast<size_t>(i)]);
    }
    peer->nodes[index] = built;
    return static_cast<uint32_t>(index);
  }
};

struct ray {
  float4 from[3], direction[3], inverse[3];
  float nearest, furthest;
};

/* Moeller and Trumbore 1997, four triangles at once. */
bool hits(const ray &of, const packet &tris) {
  const float4 px = of.direction[1] * tris.second[2] - of.direction[2] * tris.second[1],
               py = of.direction[2] * tris.second[0] - of.direction[0] * tris.second[2],
               pz = of.direction[0] * tris.second[1] - of.direction[1] * tris.second[0];
  const float4 inverse = all(1) / (tris.first[0] * px + tris.first[1] * py + tris.first[2] * pz);
  const float4 sx = of.from[0] - tris.corner[0], sy = of.from[1] - tris.corner[1],
               sz = of.from[2] - tris.corner[2];
  const float4 u = (sx * px + sy * py + sz * pz) * inverse;
  const float4 qx = sy * tris.first[2] - sz * tris.first[1], qy = sz * tris.first[0] - sx * tris.first[2],
               qz = sx * tris.first[1] - sy * tris.first[0];
  const float4 v = (of.direction[0] * qx + of.direction[1] * qy + of.direction[2] * qz) * inverse;
  const float4 t = (tris.second[0] * qx + tris.second[1] * qy + tris.second[2] * qz) * inverse;
  return bits_of((u >= all(0)) & (v >= all(0)) & (u + v <= all(1)) & (t > all(of.nearest)) &
                 (t < all(of.furthest))) != 0;
}

unsigned meets(const ray &of, const node &at) {
  float4 enter = all(of.nearest), leave = all(of.furthest);
  for (int axis = 0; axis < 3; axis++) {
    const float4 a = (at.min[axis] - of.from[axis]) * of.inverse[axis],
                 b = (at.max[axis] - of.from[axis]) * of.inverse[axis];
    enter = max_of(enter, min_of(a, b));
    leave = min_of(leave, max_of(a, b));
  }
  return bits_of(enter <= leave * all(1.000001f));
}

bool sees_body(const sight_peer *peer, const sight_question *of, float t, long *rays) {
  const lw_vec3 at = {of->from.x + (of->to.x - of->from.x) * t, of->from.y + (of->to.y - of->from.y) * t,
                      of->from.z + (of->to.z - of->from.z) * t};
  for (int i = 0; i < of->height_count; i++) {
    if (rays) *rays += 1;
    if (sight_peer_sees(peer, of->eye, lw_vec3{at.x, at.y + of->heights[i], at.z})) return true;
  }
  return false;
}

float length_of(const sight_question *of) {
  const float x = of->to.x - of->from.x, y = of->to.y - of->from.y, z = of->to.z - of->from.z;
  return std::sqrt(x * x + y * y + z * z);
}

} // namespace

sight_peer *sight_peer_create(const lw_geometry *geometry) {
  sight_peer *peer = new sight_peer;
  builder(peer, geometry);
  return peer;
}

void sight_peer_destroy(sight_peer *peer) {
  delete peer;
}

size_t sight_peer_bytes(const sight_peer *peer) {
  return peer->nodes.size() * sizeof(node) + peer->packets.size() * sizeof(packet);
}

bool sight_peer_sees(const sight_peer *peer, lw_vec3 eye, lw_vec3 target) {
  const float from[3] = {eye.x, eye.y, eye.z},
              direction[3] = {target.x - eye.x, target.y - eye.y, target.z - eye.z};
  const float length =
      std::sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
  if (!(length > 2 * NEAR) || peer->nodes.empty()) return true;
  ray of;
  for (int axis = 0; axis < 3; axis++) {
    of.from[axis] = all(from[axis]);
    of.direction[axis] = all(direction[axis]);
    of.inverse[axis] = all(1 / (std::fabs(direction[axis]) > 1e-12f ? direction[axis] : 1e-12f));
  }
  of.nearest = NEAR / length;
  of.furthest = 1 - NEAR / length;
  uint32_t stack[256];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const node &at = peer->nodes[stack[--depth]];
    for (unsigned met = meets(of, at); met != 0; met &= met - 1) {
      const uint32_t child = at.children[__builtin_ctz(met)];
      if (child == NONE) continue;
      if (!(child & LEAF))
        stack[depth++] = child;
      else if (hits(of, peer->packets[child & ~LEAF]))
        return false;
    }
  }
  return true;
}

double sight_peer_exposed(const sight_peer *peer, const sight_question *question, float spacing, long *rays) {
  const int steps = 1 + static_cast<int>(length_of(question) / spacing);
  int seen = 0;
  for (int i = 0; i < steps; i++)
    seen += sees_body(peer, question, (static_cast<float>(i) + 0.5f) / static_cast<float>(steps), rays);
  return static_cast<double>(seen) / steps;
}

double sight_peer_exposed_truly(const sight_peer *peer, const sight_question *question, float spacing) {
  const float length = length_of(question);
  const int steps = 1 + static_cast<int>(length / spacing);
  float since = 0;
  double seen = 0;
  bool sees = sees_body(peer, question, 0, nullptr);
  for (int i = 1; i <= steps; i++) {
    float before = static_cast<float>(i - 1) / static_cast<float>(steps),
          behind = static_cast<float>(i) / static_cast<float>(steps);
    if (sees_body(peer, question, behind, nullptr) == sees) continue;
    for (int k = 0; k < 20 && (behind - before) * length > 5e-4f; k++) {
      const float middle = (before + behind) / 2;
      (sees_body(peer, question, middle, nullptr) == sees ? before : behind) = middle;
    }
    if (sees) seen += static_cast<double>(before - since);
    since = before;
    sees = !sees;
  }
  return sees ? seen + static_cast<double>(1 - since) : seen;
}
