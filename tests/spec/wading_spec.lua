-- Two hundred agents of all profiles that ship walk over levels with water. Where they stand is held against the
-- levels' triangles and the water's level, never against the navmesh.
local leeward = require "leeward"
local level_triangles = require "support.level_triangles"

local STEP, SECONDS, AGENTS, BOXES = 1 / 30, 20, 50, 150
--- Of floats, of depths in whole centimetres, and of ground between the places where they are measured. [m]
local SLACK = 0.02
--- Obstacles lead agents to where a navmesh's surface lies so far off the ground. [m]
local SURFACE_SLACK = 0.03
local PROFILES = { "car", "civilian", "diver", "dog", "hovercraft", "human", "medic", "sniper", "soldier", "truck" }

--- A level, and the level of the water that covers all of it.
local function level(water)
  local made = level_triangles()
  made.water = water

  function made:bake(x0, z0, x1, z1)
    self.geometry:add_water { level = water, shallow = "shallow_water", deep = "shallow_water",
      polygon = { { x0, 0, z0 }, { x1, 0, z0 }, { x1, 0, z1 }, { x0, 0, z1 } } }
    return assert(leeward.bake(self.geometry, { agent_radius = 0.3, agent_height = 1.8, cell_size = 0.3,
      cover_segments = false, occluders = false, openness_range = 0 }))
  end
  return made
end

local LEVELS = {
  hills = function()
    local self = level(0)
    self:add_ground(0, 0, 64, 64, 1, function(x, z) return 2.2 * math.sin(x / 7) * math.cos(z / 9) + 0.4 end)
    return self, self:bake(0, 0, 64, 64)
  end,
  -- A bowl, 4 m deep, in a plain.
  bowl = function()
    local self = level(1)
    self:add_ground(0, 0, 60, 60, 1, function(x, z)
      return math.min(1.5, ((x - 30) ^ 2 + (z - 30) ^ 2) / 90 - 3)
    end)
    return self, self:bake(0, 0, 60, 60)
  end,
  -- A river with fords of 0.3, 0.6 and 0.85 m, and a bridge over the deep.
  river = function()
    local self = level(0)
    self:add_ground(0, 0, 80, 40, 1, function(x, z)
      local ford = x < 16 and 0.3 or x < 32 and 0.6 or x < 48 and 0.85 or 2.5
      return math.max(-ford, math.min(0.5, math.abs(z - 20) / 3 - 2.6))
    end)
    self:add_ground(64, 8, 70, 32, 2, function() return 2.6 end, "road")
    return self, self:bake(0, 0, 80, 40)
  end,
  -- Terraces, each 0.3 m lower than the one before it, into the water.
  terraces = function()
    local self = level(0)
    for i = 0, 9 do
      self:add_ground(6 * i, 0, 6 * i + 6, 40, 2, function() return 1 - 0.3 * i end)
    end
    return self, self:bake(0, 0, 60, 40)
  end,
}

--- Random agents of all profiles, who walk from random point to random point.
local function populate(world)
  local agents = {}
  for i = 1, AGENTS do
    local name = PROFILES[(i - 1) % #PROFILES + 1]
    local at = world:random_point { profile = name }
    if at then agents[#agents + 1] = { name = name, body = assert(world:spawn { profile = name, at = at }) } end
  end
  return agents
end

--- Strew boxes over all of it, in water and beside it: each polygon is cut.
local function strew(world)
  for i = 1, BOXES do
    local at = assert(world:random_point {})
    local of_area = i % 4 == 0 and "shallow_water" or nil
    world:add_obstacle { at = at, yaw = i, size = { 0.4 + i % 3 * 0.5, 1 + i % 2, 1 }, area = of_area }
  end
  world:step(STEP)
end

describe("agents of all profiles that ship", function()
  local shown = {}
  for _, row in ipairs(PROFILES) do shown[row] = leeward.profile(row) end

  --- @param wet_least  Of the times that agents are looked at, the part in which they are in the water.
  --- @param slack  How much deeper than they wade they may stand. [m]
  local function walk(ground, world, wet_least, slack)
    local agents, checks, wet, deepest = populate(world), 0, 0, 0
    assert.is_true(#agents >= AGENTS * 0.7)
    for step = 1, SECONDS / STEP do
      for k, agent in ipairs(agents) do
        if (step + k) % 120 == 1 then
          local goal = world:random_point { profile = agent.name }
          -- Every other goal is anywhere: who may not go there goes as near as it can, or stays.
          if step % 2 == 0 then goal = world:random_point() end
          agent.body:move_to(goal)
        end
      end
      world:step(STEP)
      for k, agent in ipairs(agents) do
        if (step + k) % 5 == 0 then
          local at = agent.body:position()
          local height = assert(ground:ground_at(at), "no ground there")
          local depth = ground.water - height
          checks, wet = checks + 1, wet + (depth > 0 and 1 or 0)
          deepest = math.max(deepest, depth)
          if not shown[agent.name].can_swim and depth > shown[agent.name].wade_depth + slack then
            error(("%s stands %g m deep at (%g, %g, %g)"):format(agent.name, depth, at.x, at.y, at.z))
          end
        end
      end
    end
    assert.is_true(checks > 1000)
    assert.is_true(wet > checks * wet_least, "too few went into the water") -- else the level shows nothing
    assert.is_true(deepest > 1, "nobody swam")
  end

  for name, make in pairs(LEVELS) do
    it("never stand in water that they may not enter: " .. name, function()
      local ground, navmesh = make()
      walk(ground, leeward.world { navmesh = navmesh, seed = 7 }, 1 / 20, SLACK)
    end)

    it("nor where obstacles cut the water: " .. name, function()
      local ground, navmesh = make()
      local world = leeward.world { navmesh = navmesh, seed = 7 }
      strew(world)
      walk(ground, world, 1 / 40, SURFACE_SLACK)
    end)
  end
end)
