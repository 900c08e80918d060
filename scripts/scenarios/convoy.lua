-- Convoy: a car, two trucks and a car drive round the courtyard in a column. They keep the distance that it takes to
-- brake, whoever is slow.

local ROUTE = { { 34, 0, 20 }, { 20, 0, -24.5 }, { 0, 0, 20 } } -- along the roads
local VEHICLES = {
  { kind = "car", at = { 34, 0, -3 }, color = 0xff3b30 }, { kind = "truck", at = { 34, 0, 4 }, color = 0xff9a2e },
  { kind = "truck", at = { 34, 0, 11 }, color = 0xff9a2e }, { kind = "car", at = { 34, 0, 18 }, color = 0xffe14d },
}

local function setup(world)
  local agents = {}
  for number, vehicle in ipairs(VEHICLES) do
    local profile = {
      extends = vehicle.kind, avoidance = "full", acceleration = 3, deceleration = 5, lateral_acceleration = 4,
      turn_rate = 2,
    }
    local agent, message = world:spawn {
      profile = profile, at = vehicle.at, tree = "convoy", color = vehicle.color, blackboard = { route = ROUTE },
    }
    if not agent then return nil, ("%s %d: %s"):format(vehicle.kind, number, message) end
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
