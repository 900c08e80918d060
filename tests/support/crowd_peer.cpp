#include "crowd_peer.h"

#include <DetourCrowd.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>
#include <DetourObstacleAvoidance.h>

#include <cstring>

struct crowd_peer {
  dtCrowd *crowd = dtAllocCrowd();
  crowd_peer_def def{};

  crowd_peer() = default;
  crowd_peer(const crowd_peer &) = delete;
  crowd_peer &operator=(const crowd_peer &) = delete;
  ~crowd_peer() { dtFreeCrowd(crowd); }
};

/* RecastDemo's CrowdTool. */
static void set_qualities(dtCrowd *crowd) {
  dtObstacleAvoidanceParams params;
  std::memcpy(&params, crowd->getObstacleAvoidanceParams(0), sizeof params);
  const unsigned char numbers[4][3] = {{5, 2, 1}, {5, 2, 2}, {7, 2, 3}, {7, 3, 3}};
  for (int i = 0; i < 4; i++) {
    params.velBias = 0.5f;
    params.adaptiveDivs = numbers[i][0];
    params.adaptiveRings = numbers[i][1];
    params.adaptiveDepth = numbers[i][2];
    crowd->setObstacleAvoidanceParams(i, &params);
  }
}

crowd_peer *crowd_peer_create(peer *detour, const crowd_peer_def *def) {
  crowd_peer *theirs = new crowd_peer;
  theirs->def = *def;
  if (!theirs->crowd->init(def->agents, def->radius, static_cast<dtNavMesh *>(peer_navmesh(detour)))) {
    delete theirs;
    return nullptr;
  }
  set_qualities(theirs->crowd);
  return theirs;
}

void crowd_peer_destroy(crowd_peer *crowd) {
  delete crowd;
}

int crowd_peer_add(crowd_peer *crowd, lw_vec3 at) {
  dtCrowdAgentParams params{};
  params.radius = crowd->def.radius;
  params.height = crowd->def.height;
  params.maxAcceleration = crowd->def.acceleration;
  params.maxSpeed = crowd->def.speed;
  params.collisionQueryRange = params.radius * 12;
  params.pathOptimizationRange = params.radius * 30;
  params.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OPTIMIZE_VIS | DT_CROWD_OPTIMIZE_TOPO |
                       DT_CROWD_OBSTACLE_AVOIDANCE | DT_CROWD_SEPARATION;
  params.obstacleAvoidanceType = static_cast<unsigned char>(crowd->def.quality);
  params.separationWeight = 2;
  const float point[3] = {at.x, at.y, at.z};
  return crowd->crowd->addAgent(point, &params);
}

bool crowd_peer_send(crowd_peer *crowd, int agent, lw_vec3 goal) {
  const dtNavMeshQuery *query = crowd->crowd->getNavMeshQuery();
  const float point[3] = {goal.x, goal.y, goal.z};
  dtPolyRef polygon = 0;
  float nearest[3];
  query->findNearestPoly(point, crowd->crowd->getQueryExtents(), crowd->crowd->getFilter(0), &polygon, nearest);
  return polygon && crowd->crowd->requestMoveTarget(agent, polygon, nearest);
}

void crowd_peer_step(crowd_peer *crowd, float dt) {
  crowd->crowd->update(dt, nullptr);
}

void crowd_peer_get(const crowd_peer *crowd, int agent, lw_vec3 *at, lw_vec3 *velocity) {
  const dtCrowdAgent *of = const_cast<dtCrowd *>(crowd->crowd)->getAgent(agent);
  *at = {of->npos[0], of->npos[1], of->npos[2]};
  *velocity = {of->vel[0], of->vel[1], of->vel[2]};
}
