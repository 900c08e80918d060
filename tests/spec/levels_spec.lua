-- Twenty agents live for a minute on every shared level.
local leeward = require "leeward"
local levels = require "support.levels"

local AGENTS, SECONDS, SEED = 20, 60, 11
local STUCK_SECONDS = 5

-- Where an agent has not moved for so long although it is walking, its leaf ought to have failed with a reason.
local function watcher(agent)
  local since, at = 0, agent:position()
  return function(time)
    local here = agent:position()
    if agent:move_state() ~= "walking" or here:distance(at) > 0.05 then since, at = time, here end
    return time - since > STUCK_SECONDS
  end
end

local function need(name)
  if not levels.has(name) then pending("the shared level " .. name .. " is missing") end
end

local function roam(navmesh)
  local world = leeward.world { navmesh = navmesh, seed = SEED }
  local watch, result = {}, { steps = 0, off_mesh = 0, stuck = 0, goals = 0 }
  for i = 1, AGENTS do
    local at = assert(world:random_point { profile = "human" })
    local agent = assert(world:spawn { profile = "human", at = at, tree = "wander" })
    watch[i] = watcher(agent)
  end
  local agents = world:agents()
  world:run(SECONDS, function()
    for i, agent in ipairs(agents) do
      result.steps = result.steps + 1
      if not world:contains(agent:position(), { tolerance = 0.02 }) then result.off_mesh = result.off_mesh + 1 end
      if watch[i](world:time()) then result.stuck = result.stuck + 1 end
    end
  end)
  for _, agent in ipairs(agents) do result.goals = result.goals + agent:stats().goals_reached end
  result.hash = world:hash()
  return result
end

describe("twenty agents that roam for a minute", function()
  for _, name in ipairs(levels.names) do
    it("stay on the mesh of " .. name .. " and get where they go", function()
      need(name)
      local navmesh = levels.bake(name)
      assert.is_true(navmesh:validate())
      local result = roam(navmesh)
      print(("note: %s: %d positions checked, %d off the mesh, %d stuck, %d goals reached"):format(
        name, result.steps, result.off_mesh, result.stuck, result.goals))
      assert.equal(AGENTS * SECONDS * 60, result.steps)
      assert.equal(0, result.off_mesh)
      assert.equal(0, result.stuck)
      assert.is_true(result.goals > AGENTS)
    end)
  end

  it("do the same again with the same seed", function()
    local name = "oa_aggressor"
    need(name)
    local navmesh = levels.bake(name)
    assert.equal(roam(navmesh).hash, roam(navmesh).hash)
  end)
end)
