-- Convoy: a car, two vans and a car drive round the courtyard one behind the other. They keep the
-- distance that it takes to brake, whoever is slow.

local ROUTE = { { 34, 0, 8 }, { 10, 0, -24.8 }, { -27.5, 0, 0 }, { 10, 0, 26 } } -- along the roads, in one direction
local CAR = { extends = "car", radius = 1, length = 4.2, width = 2, wheelbase = 2.6 }
local VAN = { extends = "car", radius = 1, length = 5.4, width = 2, wheelbase = 3.2, turn_radius = 4.5 }
local NORTH = math.pi / 2
local VEHICLES = {
  { kind = "car", at = { 34, 0, -9 }, profile = CAR, color = 0xff3b30 },
  { kind = "van", at = { 34, 0, -1 }, profile = VAN, color = 0xff9a2e },
  { kind = "van", at = { 34, 0, 8 }, profile = VAN, color = 0xff9a2e },
  { kind = "car", at = { 34, 0, 16 }, profile = CAR, color = 0xffe14d },
}

local function profile_of(vehicle)
  local profile = { avoidance = "full", acceleration = 3, deceleration = 5, lateral_acceleration = 4, reverse_cost = 3 }
  for key, value in pairs(vehicle.profile) do profile[key] = value end
  return profile
end

local function setup(world)
  local agents = {}
  for number, vehicle in ipairs(VEHICLES) do
    local agent, message = world:spawn {
      profile = profile_of(vehicle), at = vehicle.at, tree = "convoy", color = vehicle.color,
      blackboard = { route = ROUTE },
    }
    if not agent then return nil, ("%s %d: %s"):format(vehicle.kind, number, message) end
    agent:set_heading(NORTH)
    agents[number], vehicle.agent = agent, agent
  end
  world:group { agents = agents, formation = "column", spacing = 6 }
  return true
end

-- How far each is behind the one before it, at the end of the run.
local function report()
  local rows = { { "vehicle", "walked m", "goals", "behind m" } }
  for number, vehicle in ipairs(VEHICLES) do
    local stats, before = vehicle.agent:stats(), VEHICLES[number - 1]
    local behind = before and vehicle.agent:position():distance(before.agent:position())
    rows[#rows + 1] = {
      vehicle.kind, ("%.0f"):format(stats.walked), tostring(stats.goals_reached),
      behind and ("%.1f"):format(behind) or "-",
    }
  end
  return rows
end

return { level = "courtyard", seed = 7, seconds = 60, setup = setup, report = report }
