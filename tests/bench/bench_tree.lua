-- Trees: what a tick costs, beside a tree in plain Lua in the same run; what many trees cost a step.
local leeward = require "leeward"
local behaviors = require "behaviors"

local ROUNDS = 7

local navmesh = leeward.navmesh {
  vertices = { { 0, 0, 0 }, { 20, 0, 0 }, { 20, 0, 20 }, { 0, 0, 20 } }, polygons = { { 1, 2, 3, 4 } },
}

--- Seconds that f takes, the best round.
local function measure(f)
  local best = math.huge
  for _ = 1, ROUNDS do
    local begin = os.clock()
    f()
    best = math.min(best, os.clock() - begin)
  end
  return best
end

-- --- One tree of 15 nodes, of which a tick visits 11 -------------------------------------------------------------

--- The same tree by the constructors of either kind. Of its leaves, `lua_leaves` are functions, the others test keys.
local function build(make, lua_leaves)
  local left = lua_leaves
  local function leaf(key, holds)
    left = left - 1
    if left >= 0 then return make.leaf(holds) end
    return make.test(key)
  end
  return make.selector {
    make.sequence { leaf("enemy", false), make.wait() },
    make.sequence {
      leaf("alive", true),
      make.inverter { leaf("enemy", false) },
      make.selector { leaf("hungry", false), leaf("alive", true) },
      make.sequence { make.test "alive", make.test "alive" },
    },
    make.test "alive",
  }
end

local KEYS = { alive = true }

local ours = {
  selector = behaviors.selector, sequence = behaviors.sequence, inverter = behaviors.inverter,
  wait = function() return behaviors.wait(1) end,
  test = function(key) return behaviors.condition { key = key } end,
  leaf = function(holds)
    local answer = holds and "success" or "failure"
    return { kind = "leaf", tick = function() return answer end }
  end,
}

--- A table with a method `run` for each node, which looks its children over in Lua: the usual kind at its leanest,
--- without the classes and hooks of libraries, which take several times as long.
local theirs = {}
local function class(run)
  return function(fields)
    return setmetatable(fields, { __index = { run = run } })
  end
end
theirs.sequence = class(function(self, blackboard)
  for i = self.at or 1, #self do
    local status = self[i]:run(blackboard)
    if status ~= "success" then
      self.at = status == "running" and i or nil
      return status
    end
  end
  self.at = nil
  return "success"
end)
theirs.selector = class(function(self, blackboard)
  for i = self.at or 1, #self do
    local status = self[i]:run(blackboard)
    if status ~= "failure" then
      self.at = status == "running" and i or nil
      return status
    end
  end
  self.at = nil
  return "failure"
end)
theirs.inverter = class(function(self, blackboard)
  local status = self[1]:run(blackboard)
  return status == "success" and "failure" or status == "failure" and "success" or status
end)
theirs.wait = function() return class(function() return "running" end) {} end
theirs.test = function(key)
  return class(function(self, blackboard) return blackboard[self.key] and "success" or "failure" end) { key = key }
end
theirs.leaf = function(holds)
  local answer = holds and "success" or "failure"
  return class(function(self, blackboard) return self.tick(blackboard) end) { tick = function() return answer end }
end

local AGENTS, STEPS = 1000, 200

local function new_world(tree, history)
  local world = leeward.world { navmesh = navmesh, history = history or 0 }
  for _ = 1, AGENTS do
    assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = tree, blackboard = KEYS })
  end
  world:step()
  return world
end

local function step(world)
  return function() for _ = 1, STEPS do world:step() end end
end

--- The other kind's trees remember where they run, so that each agent has one of its own, and its own keys.
local function plain_step(lua_leaves)
  local trees, keys = {}, {}
  for i = 1, AGENTS do trees[i], keys[i] = build(theirs, lua_leaves), { alive = true } end
  return function()
    for _ = 1, STEPS do
      for i = 1, AGENTS do trees[i]:run(keys[i]) end
    end
  end
end

local idle = measure(step(new_world(nil)))
for _, lua_leaves in ipairs { 1, 5 } do
  local shared = assert(leeward.tree("bench" .. lua_leaves, build(ours, lua_leaves)))
  local tick = (measure(step(new_world(shared))) - idle) / (AGENTS * STEPS)
  local noted = (measure(step(new_world(shared, 32))) - idle) / (AGENTS * STEPS)
  local own = (measure(step(new_world(build(ours, lua_leaves)))) - idle) / (AGENTS * STEPS)
  local plain = measure(plain_step(lua_leaves)) / (AGENTS * STEPS)
  print(("a tick of 15 nodes, 11 visited, %d Lua leaves: %.0f ns, %.2f million a second; in plain Lua %.0f ns: %.2f "
    .. "times; with a history %.0f ns; each agent with a tree compiled for it %.0f ns"):format(lua_leaves, tick * 1e9,
    1e-6 / tick, plain * 1e9, plain / tick, noted * 1e9, own * 1e9))
end

-- What RESEARCH.md, "Behaviour trees", has of the same tree; measured on another machine, and not in this run.
print("RESEARCH.md, on another machine: BehaviorTree.CPP 2400 to 2700 ns, 0.37 to 0.42 million a second, 55 KiB an "
  .. "instance; tanema's behaviourtree.lua 6000 ns, behavior3lua 20400 ns")
