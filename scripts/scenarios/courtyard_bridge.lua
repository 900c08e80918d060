-- Courtyard bridge: rubble lies on the bridge, so a squad on either side of the canal takes the long way through the
-- ford. Half way through the run the bridge is cleared (scripts/permutations/bridge.lua), and both turn.

local SECONDS, CLEARED = 24, 11
local TURNED = 1 -- seconds after that: all have found the new path, and walk it

local squads = { { name = "south squad", color = 0xc3ff4d }, { name = "north squad", color = 0xff9dfb } }

local function spawn_squad(world, squad, level)
  squad.soldiers = {}
  for place, at in ipairs(level.spawns[squad.name]) do
    local goal = level.spawns[squad.name .. "'s goals"][place]
    local agent, message = world:spawn {
      profile = "soldier", at = at, team = squad.name, color = squad.color,
    }
    if not agent then return nil, ("%s, soldier %d: %s"):format(squad.name, place, message) end
    local ok
    ok, message = agent:move_to(goal)
    if not ok then return nil, ("%s, soldier %d: %s"):format(squad.name, place, message) end
    squad.soldiers[place] = { agent = agent, goal = goal }
  end
  return true
end

local function for_each_soldier(f)
  for _, squad in ipairs(squads) do
    for _, soldier in ipairs(squad.soldiers) do f(soldier) end
  end
end

local function setup(world, _, level)
  if not (world:permutation_state "bridge" and level.spawns and level.spawns["south squad"]) then
    return nil, ("level '%s' has no permutation 'bridge' or no squads; scenario 'roam' runs on any level"):format(
      level.name)
  end
  for _, squad in ipairs(squads) do
    local ok, message = spawn_squad(world, squad, level)
    if not ok then return nil, message end
  end
  -- The shortest path that is there now. The soldiers find it by themselves, within two seconds.
  world:on_permutation(function(name, state)
    if name ~= "bridge" or state ~= "cleared" then return end
    for_each_soldier(function(soldier)
      local agent = soldier.agent
      local path = world:find_path { from = agent:position(), to = soldier.goal, profile = agent:profile() }
      soldier.after = path and path:length() or math.huge
    end)
  end)
  return true
end

local function step(world)
  local now = world:time()
  if now >= CLEARED - 1e-6 and world:permutation_state "bridge" == "rubble" then
    for_each_soldier(function(soldier)
      soldier.before, soldier.replans = soldier.agent:remaining(), soldier.agent:stats().replans
    end)
    world:set_permutation("bridge", "cleared")
  end
  for_each_soldier(function(soldier)
    if soldier.replans and soldier.agent:stats().replans > soldier.replans then
      soldier.turned = soldier.turned or now - CLEARED
    end
  end)
end

local function mean(soldiers, key, format)
  local sum = 0
  for _, soldier in ipairs(soldiers) do
    if not soldier[key] then return "-" end
    sum = sum + soldier[key]
  end
  return (format or "%.1f"):format(sum / #soldiers)
end

-- Means over each squad, as rows of a table.
local function report()
  local rows = { { "squad", "m left in rubble", "m left when cleared", "turned after s", "arrived" } }
  for number, squad in ipairs(squads) do
    local arrived = 0
    for _, soldier in ipairs(squad.soldiers) do
      if soldier.agent:move_state() == "arrived" then arrived = arrived + 1 end
    end
    rows[number + 1] = {
      squad.name, mean(squad.soldiers, "before"), mean(squad.soldiers, "after"), mean(squad.soldiers, "turned", "%.2f"),
      ("%d of %d"):format(arrived, #squad.soldiers),
    }
  end
  return rows
end

return {
  level = "courtyard", seed = 7, seconds = SECONDS, setup = setup, step = step, report = report,
  picture = {
    at = CLEARED + TURNED,
    title = "courtyard: the bridge is cleared",
    layers = { "areas", "edges", "borders", "links", "paths", "agents" },
  },
}
