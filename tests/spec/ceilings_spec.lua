-- Two hundred agents of all profiles that ship walk under low ceilings. What there is above where they stand is held
-- against the levels' triangles, never against the navmesh.
local leeward = require "leeward"
local level_triangles = require "support.level_triangles"

local STEP, SECONDS, AGENTS = 1 / 30, 20, 50
--- Of floats. [m]
local SLACK = 0.01
local PROFILES = { "car", "civilian", "diver", "dog", "hovercraft", "human", "medic", "sniper", "soldier", "truck" }

--- A level: its floors and its ceilings, which are of one geometry.
local function level()
  local made = { floors = level_triangles() }
  made.ceilings = level_triangles(made.floors.geometry)

  function made:add_ground(...) self.floors:add_ground(...) end
  function made:add_ceiling(...) self.ceilings:add_ceiling(...) end

  --- How high the lowest ceiling is above the floor nearest in height to a place.
  function made:headroom_at(place)
    local floor, ceiling = assert(self.floors:ground_at(place), "no ground there"), math.huge
    for _, y in ipairs(self.ceilings:heights_at(place.x, place.z)) do
      if y > floor then ceiling = math.min(ceiling, y) end
    end
    return ceiling - floor
  end

  function made:bake()
    return assert(leeward.bake(self.floors.geometry, { agent_radius = 0.4, agent_height = 1.8, crouch_height = 0.4,
      heights = { 1.1, 2, 3 }, cell_size = 0.2, cover_segments = false, occluders = false, openness_range = 0 }))
  end
  return made
end

local function flat(y) return function() return y end end

local LEVELS = {
  -- A hall with slabs from 0.5 to 3.3 m above its floor.
  hall = function()
    local self = level()
    self:add_ground(0, 0, 60, 60, 4, flat(0))
    for i = 0, 14 do
      local x, z = 4 + 11 * (i % 5), 4 + 18 * (i // 5)
      self:add_ceiling(x, z, x + 7, z + 12, 4, flat(0.5 + 0.2 * i))
    end
    return self
  end,
  -- A roof that falls from both sides of a hall, almost to where a step over it would do.
  tent = function()
    local self = level()
    self:add_ground(0, 0, 60, 40, 4, flat(0))
    self:add_ceiling(5, 0, 55, 40, 1, function(x) return 0.5 + math.abs(x - 30) / 6 end)
    return self
  end,
  -- Hills under a level ceiling.
  hills = function()
    local self = level()
    self:add_ground(0, 0, 64, 64, 1, function(x, z) return 1.1 * math.sin(x / 7) * math.cos(z / 9) end)
    self:add_ceiling(0, 0, 64, 64, 4, flat(2.3))
    return self
  end,
  -- Terraces, each 0.3 m higher, under beams across them.
  terraces = function()
    local self = level()
    for i = 0, 9 do
      self:add_ground(6 * i, 0, 6 * i + 6, 40, 2, flat(0.3 * i))
      self:add_ceiling(6 * i + 1, 0, 6 * i + 2.2, 40, 2, flat(0.3 * i + 0.6 + 0.25 * i))
      self:add_ceiling(6 * i + 4, 0, 6 * i + 6, 20, 2, flat(0.3 * i + 1.2))
    end
    return self
  end,
}

--- How high a profile is in a stance: as much lower as the top of its body.
local function height_of(profile, stance)
  return profile.height - (profile.stances.stand.body[2] - profile.stances[stance].body[2])
end

describe("agents of all profiles that ship", function()
  local shown = {}
  for _, name in ipairs(PROFILES) do shown[name] = leeward.profile(name) end

  for name, make in pairs(LEVELS) do
    it("never stand under a ceiling that is too low for their stance: " .. name, function()
      local ground = make()
      local world = leeward.world { navmesh = ground:bake(), seed = 7 }
      local agents, checks, low, crouched = {}, 0, 0, 0
      for i = 1, AGENTS do
        local profile = PROFILES[(i - 1) % #PROFILES + 1]
        local at = world:random_point { profile = profile }
        if at then
          agents[#agents + 1] = { name = profile, body = assert(world:spawn { profile = profile, at = at }) }
        end
      end
      assert.is_true(#agents >= AGENTS * 0.7)
      for step = 1, SECONDS / STEP do
        for k, agent in ipairs(agents) do
          if (step + k) % 120 == 1 then
            -- Every other goal is anywhere: an agent that may not go there goes as near as it can, or stays.
            agent.body:move_to(world:random_point { profile = step % 2 == 1 and agent.name or nil })
          end
        end
        world:step(STEP)
        for k, agent in ipairs(agents) do
          if (step + k) % 5 == 0 then
            local at, stance = agent.body:position(), agent.body:stance()
            local headroom, height = ground:headroom_at(at), height_of(shown[agent.name], stance)
            checks = checks + 1
            low = low + (headroom < 3 and 1 or 0)
            crouched = crouched + (stance ~= "stand" and 1 or 0)
            if headroom < height - SLACK then
              error(("%s in the stance %s is %g m high under %g m at (%g, %g, %g)"):format(agent.name, stance,
                height, headroom, at.x, at.y, at.z))
            end
          end
        end
      end
      assert.is_true(checks > 1000)
      assert.is_true(low > checks / 20, "too few were under ceilings") -- else the level shows nothing
      assert.is_true(crouched > checks / 100, "too few crouched")
    end)
  end
end)
