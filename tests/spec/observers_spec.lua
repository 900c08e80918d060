-- Asking a world never changes what happens in it, and what was searched for one agent never changes what others find.
local leeward = require "leeward"

describe("a world that is asked", function()
  local function forest()
    math.randomseed(3)
    local level = leeward.geometry()
    level:add_box { min = { -15, -1, -15 }, max = { 15, 0, 15 } }
    for _ = 1, 25 do
      local x, z = math.random() * 28 - 14, math.random() * 28 - 14
      level:add_box { min = { x, 0, z }, max = { x + 0.7, 2, z + 0.7 }, area = false }
    end
    return assert(leeward.bake(level))
  end

  it("goes on as if nobody had asked, though a threat was asked about often", function()
    local navmesh = forest()
    local function run(asks)
      local world = leeward.world { navmesh = navmesh, seed = 1 }
      local agent = world:spawn { profile = "soldier", at = { -12, 0, -13 } }
      local threat = world:add_threat { at = { 0, 1.6, 0 }, known_to = true }
      world:step()
      for _ = 1, asks do
        world:find_path { from = { -13, 0, -12 }, to = { 13, 0, 12 }, profile = "soldier", threats = { threat } }
      end
      world:step()
      assert(agent:move_to { 13, 0, 11 })
      local cost = agent:explain().total.cost
      world:run(3)
      return { cost, world:hash(), tostring(agent:position()) }
    end
    assert.same(run(0), run(40))
  end)

  --- Two rooms, a low passage between them, and a way round.
  local function rooms()
    local level = leeward.geometry()
    level:add_box { min = { -20, -1, -20 }, max = { 20, 0, 20 } }
    level:add_box { min = { -2, 0, -20 }, max = { 2, 3, -4 }, area = false }
    level:add_box { min = { -2, 0, 4 }, max = { 2, 3, 14 }, area = false }
    level:add_box { min = { -2, 1.4, -4 }, max = { 2, 3, 4 }, area = false }
    level:mark_area { area = "road", box = { min = { -20, -1, -20 }, max = { 20, 1, -10 } } }
    level:mark_area { area = "grass", box = { min = { 5, -1, 0 }, max = { 15, 1, 10 } } }
    return assert(leeward.bake(level, { crouch_height = 0.9 }))
  end

  it("answers for a profile alike after a journey by its costs of an agent that may enter less", function()
    local navmesh = rooms()
    local query = { from = { -10, 0, 0 }, to = { 10, 0, -2 }, profile = "civilian" }
    local function answer(own)
      local world = leeward.world { navmesh = navmesh, seed = 1 }
      if own then
        local agent = world:spawn(own)
        assert(agent:move_to({ 10, 0, 0 }, { profile = "civilian" }))
        agent:despawn()
        world:step()
      end
      local path = world:find_path(query)
      return { path:cost(), path:length() }
    end
    local fresh = answer()
    assert.is_true(fresh[2] < 25) -- through the passage
    assert.same(fresh, answer { profile = { extends = "soldier", can_crouch = false }, at = { -10, 0, 0 } })
    assert.same(fresh, answer { profile = "civilian", avoid = { "grass" }, at = { -10, 0, 0 } })
  end)
end)
