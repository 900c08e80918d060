-- Two hundred agents of all profiles that ship walk over levels with kerbs, stairs and terraces. The ground under each
-- metre of theirs is held against the levels' triangles, never against the navmesh.
local leeward = require "leeward"
local level_triangles = require "support.level_triangles"

local STEP, SECONDS, AGENTS = 1 / 30, 20, 50
local PROFILES = { "car", "civilian", "diver", "dog", "hovercraft", "human", "medic", "sniper", "soldier", "truck" }
--- Between two looks at the ground on the way: smooth ground of 45 degrees rises as much. [m]
local APART = 0.02
--- Of floats, and of steps in whole centimetres. [m]
local SLACK = 0.012

local function bake(level, climbs)
  return assert(leeward.bake(level.geometry, { climbs = climbs, cover_segments = false, occluders = false,
    openness_range = 0 }))
end

local LEVELS = {
  -- A street between pavements, a traffic island that is turned, and places where pavements are lowered.
  kerbs = function()
    local self = level_triangles()
    self:add_box(30, 30, 60, 60, -1, 0)
    self:add_box(30, 5, 60, 10, 0, 0.12)                                                         -- a low pavement
    self:add_box(20, 50, 40, 20, 0, 0.28)                                                        -- a high one, with a
    self:add_block({ { 40, 0.28, 40 }, { 40, 0.28, 60 }, { 46, 0, 60 }, { 46, 0, 40 } }, -0.5)   -- ramp at its end
    self:add_box(20, 26, 9, 5, 0, 0.2, 0.6)
    self:add_box(44, 24, 6, 6, 0, 0.35, 0.3)
    return self
  end,
  -- A platform with stairs of three heights, and a ramp.
  stairs = function()
    local self = level_triangles()
    self:add_box(30, 30, 60, 60, -1, 0)
    self:add_box(30, 50, 60, 20, 0, 2.16)
    for i = 1, 11 do self:add_box(8, 40 - 0.3 * (12 - i) / 1 + 0.15, 6, 0.3, 0, 0.18 * i) end
    for i = 1, 7 do self:add_box(20, 40 - 0.35 * (8 - i) + 0.175, 6, 0.35, 0, 0.27 * i) end
    for i = 1, 5 do self:add_box(32, 40 - 0.5 * (6 - i) + 0.25, 6, 0.5, 0, 0.36 * i) end
    self:add_block({ { 44, 0, 34 }, { 44, 2.16, 40 }, { 52, 2.16, 40 }, { 52, 0, 34 } }, -0.5)
    return self
  end,
  -- Smooth slopes of up to 40 degrees.
  slopes = function()
    local self = level_triangles()
    self:add_ground(0, 0, 60, 60, 1, function(x, z) return 3.2 * math.sin(x / 4.2) * math.cos(z / 11) end)
    return self
  end,
  -- Terraces of single sheets, each lower than the one before it, and in the middle a smooth slope.
  terraces = function()
    local self, y = level_triangles(), 3
    local falls = { 0.1, 0.2, 0.28, 0.35, 0.39, 0.14, 0.24, 0.3 }
    for i = 0, 8 do
      local here = y
      self:add_ground(6 * i, 0, 6 * i + 6, 24, 2, function() return here end)
      self:add_ground(6 * i, 36, 6 * i + 6, 60, 2, function() return here end)
      if falls[i + 1] then y = y - falls[i + 1] end
    end
    self:add_ground(0, 24, 54, 36, 2, function(x)
      local at, before = 3, math.max(0, math.min(7, (x - 3) // 6))
      for i = 1, before do at = at - falls[i] end
      return at - falls[before + 1] * math.max(0, math.min(1, (x - 3 - 6 * before) / 6))
    end)
    return self
  end,
}

--- Random agents of all profiles.
local function populate(world)
  local agents = {}
  for i = 1, AGENTS do
    local name = PROFILES[(i - 1) % #PROFILES + 1]
    local at = assert(world:random_point { profile = name })
    local body = assert(world:spawn { profile = name, at = at })
    agents[#agents + 1] = { name = name, body = body, at = at, climb = leeward.profile(name).climb }
  end
  return agents
end

--- Follow the ground from where an agent was to where it is. @return the highest step, and its place.
local function highest_step(level, from, to)
  local length = math.sqrt((to.x - from.x) ^ 2 + (to.z - from.z) ^ 2)
  local looks, highest, at = math.ceil(length / APART), 0, nil
  local y = from.y
  for k = 0, looks do
    local t = looks > 0 and k / looks or 0
    local x, z = from.x + t * (to.x - from.x), from.z + t * (to.z - from.z)
    local here = level:top_at(x, y, z, 0.6)
    if here then
      if k > 0 and math.abs(here - y) > highest then highest, at = math.abs(here - y), ("%.3f, %.3f"):format(x, z) end
      y = here
    end
  end
  return highest, at
end

describe("agents of all profiles that ship", function()
  for name, make in pairs(LEVELS) do
    it("never take a step above their climb: " .. name, function()
      local level = make()
      local world = leeward.world { navmesh = bake(level), seed = 7 }
      local agents, walked, taken = populate(world), 0, 0
      for step = 1, SECONDS / STEP do
        for k, agent in ipairs(agents) do
          if (step + k) % 120 == 1 then
            local goal = world:random_point { profile = agent.name, connected_to = agent.body:position() }
            -- Every other goal is anywhere: who may not go there goes as near as it can, or stays.
            if step % 2 == 0 then goal = world:random_point() end
            agent.body:move_to(goal)
          end
        end
        world:step(STEP)
        for _, agent in ipairs(agents) do
          local at = agent.body:position()
          local high, where = highest_step(level, agent.at, at)
          walked, taken = walked + agent.at:distance(at), math.max(taken, high)
          if high > agent.climb + APART + SLACK then
            error(("%s, of climb %g, takes a step of %.3f m at (%s)"):format(agent.name, agent.climb, high, where))
          end
          agent.at = at
        end
      end
      assert.is_true(walked > 1000, "they hardly walked: " .. walked)
      if name ~= "slopes" then assert.is_true(taken > 0.3, "nobody took a step") end -- else the level shows nothing
    end)
  end

  it("are barred from no smooth slope", function()
    local level = LEVELS.slopes()
    local navmesh = bake(level)
    for _, polygon in ipairs(navmesh:polygons()) do assert.equal(0, polygon.step) end
    local world = leeward.world { navmesh = navmesh }
    local from, to = { 5, level:heights_at(5, 30)[1], 30 }, { 55, level:heights_at(55, 30)[1], 30 }
    for _, profile in ipairs(PROFILES) do
      assert.is_true(world:path_exists(from, to, { profile = profile }), profile)
    end
  end)

  it("drive up the ramp beside the stairs that others take", function()
    local world = leeward.world { navmesh = bake(LEVELS.stairs(), { 0.15, 0.25 }) }
    local from, to = { 20, 0, 20 }, { 20, 2.16, 50 }
    local straight, round = 30.2, 2 * 24 + 8
    local function path_of(profile)
      local path, used = assert(world:find_path { from = from, to = to, profile = profile }), {}
      for _, point in ipairs(path:points()) do
        local where = point.x < 14 and "low stairs" or point.x > 43 and "ramp" or "stairs"
        if point.z > 33 and point.z < 41 then used[where] = true end
      end
      return path:length(), used
    end
    assert.near(straight, (path_of "human"), 0.6) -- over steps of 0.27 m
    local low = { extends = "car", climb = 0.15, radius = 0.4 }
    local length, used = path_of(low)
    assert.is_true(used.ramp and not used.stairs and length > round)
    length, used = path_of "car"                  -- of climb 0.25, over steps of 0.18 m
    assert.is_true(not used.stairs and length > straight + 3)
  end)
end)
