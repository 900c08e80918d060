-- Courtyard: soldiers on patrol, civilians, cars on the road, two dogs; and a truck that closes the yard's north gate
-- for a while in each minute, so that agents go round.

-- The agents: profile, the level's starting points, and pace.
local cast = {
  { profile = "soldier", spawn = "soldiers", team = "guards", pace = "normal" },
  { profile = "soldier", spawn = "balcony", team = "guards", pace = "calm" },
  { profile = "civilian", spawn = "civilians", pace = "calm" },
  { profile = "car", spawn = "cars", pace = "calm" },
  { profile = "truck", spawn = "trucks", pace = "calm" },
  { profile = "dog", spawn = "dogs", pace = "normal" },
}

-- The truck is an obstacle that the scenario drives. It comes from the roadside to the gate so fast that it is not cut
-- out of the navmesh on its way, and goes back so slowly that it is cut out again after each metre.
local truck
local TRUCK = { size = { 7, 2.5, 2.5 }, roadside = { x = 24, z = -28.3 }, gate = { x = 0, z = -21.8 } }
local EVERY, COMES, LEAVES = 60, 14, 40 -- seconds
local DRIVE, BACK = 5, 10               -- seconds for 25 m

local function smooth(t)
  t = math.max(0, math.min(1, t))
  return t * t * (3 - 2 * t)
end

-- Where the truck is at a time.
local function truck_at(time)
  local t = time % EVERY
  local part = t < LEAVES and smooth((t - COMES) / DRIVE) or 1 - smooth((t - LEAVES) / BACK)
  local from, to = TRUCK.roadside, TRUCK.gate
  return from.x + (to.x - from.x) * part, from.z + (to.z - from.z) * smooth(part), part
end

-- Its front looks to -x at both ends, and along the curve between them.
local function truck_yaw(part)
  local from, to = TRUCK.roadside, TRUCK.gate
  return math.atan(-(to.z - from.z) * 6 * part * (1 - part), to.x - from.x)
end

local function step(world)
  local time, dt = world:time(), 1 / 60
  local x, z, part = truck_at(time)
  local before_x, before_z = truck_at(time - dt)
  truck:move({ x, 0, z }, truck_yaw(part), { (x - before_x) / dt, 0, (z - before_z) / dt })
end

local function setup(world, _, level)
  for _, role in ipairs(cast) do
    local places = level.spawns and level.spawns[role.spawn]
    if not places then
      return nil, ("level '%s' has no spawns.%s; scenario 'roam' runs on any level"):format(level.name, role.spawn)
    end
    for number, at in ipairs(places) do
      local agent, message = world:spawn {
        profile = role.profile, at = at, tree = "wander", team = role.team, pace = role.pace,
      }
      if not agent then return nil, ("spawns.%s[%d] (%s): %s"):format(role.spawn, number, role.profile, message) end
    end
  end
  local x, z, part = truck_at(0)
  truck = world:add_obstacle { at = { x, 0, z }, yaw = truck_yaw(part), size = TRUCK.size }
  return true
end

return { level = "courtyard", seed = 7, seconds = 60, setup = setup, step = step, picture = { at = 30 } }
