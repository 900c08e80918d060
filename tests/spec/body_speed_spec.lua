-- What bodies may do: no faster than their pace, and no sooner.
local leeward = require "leeward"
local maps = require "support.maps"

local DT = 1 / 60

describe("a body", function()
  local world
  before_each(function() world = leeward.world { navmesh = maps.floor(60, 60), seed = 3 } end)

  local function spawn(profile)
    return assert(world:spawn { profile = profile, at = { 20, 0, 30 } })
  end

  it("is never faster than its pace, however often and far it has to turn", function()
    for _, limits in ipairs {
      { acceleration = 8, deceleration = 10 }, { acceleration = 8 }, { acceleration = 8, turn_rate = 3 },
      { acceleration = 4, deceleration = 2, lateral_acceleration = 4 },
    } do
      limits.extends, limits.speed = "human", { normal = 3 }
      local agent, fastest = spawn(limits), 0
      for step = 1, 600 do
        if step % 6 == 1 then
          assert(agent:move_to { 30 + 20 * math.cos(step), 0, 30 + 20 * math.sin(2.3 * step) })
        end
        local before = agent:position()
        world:step(DT)
        fastest = math.max(fastest, agent:velocity():length(), agent:position():distance(before) / DT)
      end
      assert.is_true(fastest > 1.5 and fastest < 3.01, fastest)
      agent:despawn()
    end
  end)

  it("gains speed from rest no sooner than it may, however hard it brakes", function()
    for _, brake in ipairs { 0, 4, 200 } do
      local agent = spawn { extends = "human", acceleration = 1, deceleration = brake }
      assert(agent:move_to { 50, 0, 30 })
      for step = 1, 30 do
        world:step(DT)
        assert.is_true(agent:velocity():length() <= step / 60 + 0.01, step)
      end
      assert.is_true(agent:velocity():length() > 0.4)
      agent:despawn()
    end
  end)

  -- At 10 km from the origin places are rounded to a millimetre, and a step of a 120th at 0.1 m/s is shorter than that.
  it("sets out and gains speed far from the origin as it does there", function()
    for _, far in ipairs { 0, 10000 } do
      local z = far + 60
      local navmesh = leeward.navmesh { polygons = { { 1, 2, 3, 4 } },
        vertices = { { far, 0, far }, { z, 0, far }, { z, 0, z }, { far, 0, z } } }
      for _, acceleration in ipairs { 0.5, 2 } do
        local other = leeward.world { navmesh = navmesh, seed = 3 }
        local agent = assert(other:spawn { at = { far + 10, 0, far + 10 },
          profile = { extends = "human", acceleration = acceleration, deceleration = 4 } })
        assert(agent:move_to { far + 50, 0, far + 20 })
        for _ = 1, 120 do other:step(1 / 120) end
        assert.near(acceleration, agent:velocity():length(), 0.02)
        assert.near(acceleration / 2, agent:stats().walked, 0.1 * acceleration)
        for _ = 1, 20 * 120 do other:step(1 / 120) end
        assert.equal("arrived", (agent:move_state()))
      end
    end
  end)
end)
