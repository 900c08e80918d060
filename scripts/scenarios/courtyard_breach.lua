-- Courtyard breach: a squad goes the long way round into the yard, through a gate. Then a piece of the east wall is
-- shot away (scripts/permutations/wall.lua), and the squad turns to go through; what the wall hid is seen at once.

local SECONDS, BREACHED = 20, 2
local COLOR, EYES = 0xc3ff4d, 1.6

local soldiers, sentry = {}, nil

local function lifted(point) return { point[1], point[2] + EYES, point[3] } end

local function spawn(world, level)
  local places, goals = level.spawns["assault squad"], level.spawns["assault squad's goals"]
  for number, at in ipairs(places) do
    local agent, message = world:spawn { profile = "soldier", at = at, team = "assault", color = COLOR }
    if not agent then return nil, ("soldier %d: %s"):format(number, message) end
    local ok
    ok, message = agent:move_to(goals[number])
    if not ok then return nil, ("soldier %d: %s"):format(number, message) end
    soldiers[number] = { agent = agent, goal = goals[number] }
  end
  sentry = assert(world:spawn { profile = "soldier", at = level.spawns.sentry[1], team = "guards" })
  return true
end

-- What a soldier has left to walk, and whether the sentry sees it.
local function look(world, soldier)
  local path = world:find_path { from = soldier.agent:position(), to = soldier.goal, profile = soldier.agent:profile() }
  return path and path:length() or math.huge,
    world:sees(lifted(sentry:position()), lifted(soldier.agent:position())) and "yes" or "no"
end

local function setup(world, _, level)
  if not (world:permutation_state "wall" and level.spawns and level.spawns["assault squad"]) then
    return nil, ("level '%s' has no permutation 'wall' or no squad; scenario 'roam' runs on any level"):format(
      level.name)
  end
  local ok, message = spawn(world, level)
  if not ok then return nil, message end
  world:on_permutation(function(name, state)
    if name ~= "wall" or state ~= "breached" then return end
    for _, soldier in ipairs(soldiers) do soldier.after, soldier.is_seen = look(world, soldier) end
  end)
  return true
end

local function step(world)
  if world:time() < BREACHED - 1e-6 or world:permutation_state "wall" ~= "whole" then return end
  for _, soldier in ipairs(soldiers) do soldier.before, soldier.was_seen = look(world, soldier) end
  world:set_permutation("wall", "breached")
end

local function report()
  local rows = { { "soldier", "m left, wall whole", "m left, breached", "seen before", "seen after", "arrived" } }
  for number, soldier in ipairs(soldiers) do
    rows[number + 1] = {
      tostring(number), ("%.1f"):format(soldier.before or 0), ("%.1f"):format(soldier.after or 0),
      soldier.was_seen or "-", soldier.is_seen or "-",
      soldier.agent:move_state() == "arrived" and "yes" or "no",
    }
  end
  return rows
end

return {
  level = "courtyard_breach", seed = 7, seconds = SECONDS, setup = setup, step = step, report = report,
  picture = {
    at = BREACHED + 0.1, -- the squad has turned
    title = "courtyard: the wall is shot away",
    layers = { "areas", "edges", "borders", "links", "paths", "agents" },
  },
}
