-- Delivery: a truck with a trailer goes round three ramps of the courtyard, backs to two of them, and stays a while at
-- each, among people who stroll about. The tree `driver` parks at the key `bay`; this scenario writes it.

local TRUCK = {
  extends = "car", length = 4.2, width = 2, wheelbase = 2.6, radius = 1, reverse_cost = 3,
  acceleration = 2, deceleration = 5, lateral_acceleration = 3, avoidance = "full",
  trailer = { length = 3.2, width = 2, joint = 1.2, drawbar = 0.7, wheelbase = 2.4 },
}
local STROLLER = { extends = "human", avoidance = "full", acceleration = 6, deceleration = 8, turn_rate = 4 }

-- Where the middle of the rear axle is to stand, and where the nose is to point: 0 east, pi/2 north.
local RAMPS = {
  { at = { -24, 0, -24 }, heading = -math.pi / 2 }, { at = { 0, 0, -26 }, heading = 0 },
  { at = { 34, 0, -4 }, heading = -math.pi / 2 },
}
local STROLLERS, STAYS = 12, 5 -- seconds

local truck = { stops = {} }

-- The tree begins to park when the key `bay` appears.
local function send(number)
  truck.ramp, truck.since = number, nil
  truck.agent.blackboard.bay_heading = RAMPS[number].heading
  truck.agent.blackboard.bay = RAMPS[number].at
end

local function is_there()
  local goal = truck.agent:goal()
  return truck.agent.blackboard.bay and goal and truck.agent:move_state() == "arrived"
    and goal:distance(RAMPS[truck.ramp].at) < 0.1
end

local function setup(world, _, level)
  local places = level.spawns and level.spawns.trucks
  if not places then return nil, ("level '%s' has no spawns.trucks"):format(level.name) end
  local message
  truck.agent, message = world:spawn { profile = TRUCK, at = places[1], tree = "driver", color = 0xff9a2e }
  if not truck.agent then return nil, ("spawns.trucks[1]: %s"):format(message) end
  send(1)
  for number = 1, STROLLERS do
    local at, agent
    at, message = world:random_point { profile = STROLLER, connected_to = RAMPS[2].at }
    if at then agent, message = world:spawn { profile = STROLLER, at = at, tree = "wander" } end
    if not agent then return nil, ("stroller %d: %s"):format(number, message) end
  end
  return true
end

-- How the truck stands: from its ramp, out of its direction, and how far its trailer is turned.
local function note()
  local ramp, pose = RAMPS[truck.ramp], truck.agent:pose()
  local off = math.sqrt((pose.position.x - ramp.at[1]) ^ 2 + (pose.position.z - ramp.at[3]) ^ 2)
  local function between(a, b) return math.abs((a - b + math.pi) % (2 * math.pi) - math.pi) end
  truck.stops[#truck.stops + 1] = {
    ramp = truck.ramp, off = off, turned = between(pose.heading, ramp.heading),
    trailer = between(pose.trailer_heading, pose.heading),
  }
end

local function step(world)
  if not truck.agent.blackboard.bay then send(truck.ramp % #RAMPS + 1) end
  if not truck.since and is_there() then
    truck.since = world:time()
    note()
  end
  if truck.since and world:time() - truck.since > STAYS then truck.agent.blackboard.bay = nil end
end

local function report()
  local rows = { { "stop", "ramp", "off m", "turned rad", "trailer rad" } }
  for number, stop in ipairs(truck.stops) do
    rows[#rows + 1] = {
      tostring(number), tostring(stop.ramp), ("%.2f"):format(stop.off), ("%.2f"):format(stop.turned),
      ("%.2f"):format(stop.trailer),
    }
  end
  return rows
end

return { level = "courtyard", seed = 18, seconds = 120, setup = setup, step = step, report = report }
