-- world:distance_field: what it costs to go to a goal from everywhere, and where to go next.
local leeward = require "leeward"

-- Two rooms of 10 x 10 m with a door of 2 m between them, and a platform that a drop leads down from.
local function make_world()
  local level = leeward.geometry()
  level:add_box { min = { 0, -1, 0 }, max = { 20, 0, 10 } }
  level:add_box { min = { 9.5, 0, 0 }, max = { 10.5, 3, 4 }, area = false }
  level:add_box { min = { 9.5, 0, 6 }, max = { 10.5, 3, 10 }, area = false }
  level:add_box { min = { 30, 2, 0 }, max = { 40, 3, 10 } }
  level:mark_area { area = "road", box = { min = { 0, -1, 7 }, max = { 9, 1, 10 } } }
  level:add_link { kind = "teleport", from = { 31, 3, 5 }, to = { 18, 0, 5 }, bidirectional = false }
  local settings = { cell_size = 0.2, agent_radius = 0.2, occluders = false, cover_segments = false }
  local navmesh = leeward.bake(level, settings)
  return leeward.world { navmesh = navmesh, seed = 1 }
end

describe("world:distance_field", function()
  local world, field
  before_each(function()
    world = make_world()
    field = world:distance_field { to = { 2, 0, 2 } }
  end)

  it("costs what paths cost", function()
    for _, from in ipairs { { 8, 0, 2 }, { 18, 0, 2 }, { 15, 0, 9 }, { 35, 3, 5 } } do
      local path = world:find_path { from = from, to = { 2, 0, 2 } }
      assert.near(path:cost(), field:cost(from), 0.01 * path:cost())
    end
  end)

  it("leads on from turn to turn, and takes links one way", function()
    local at, steps = leeward.vec3(35, 3, 5), 0
    local points = field:path(at)
    while at:distance { 2, 0, 2 } > 0.5 do
      at, steps = field:next(at), steps + 1
      assert.is_true(steps < 10)
    end
    assert.equal(#points - 1, steps)
    local up, message, code = world:distance_field { to = { 35, 3, 5 } }:cost { 2, 0, 2 }
    assert.is_nil(up)
    assert.equal("start and goal are not connected", message)
    assert.equal("NO_PATH", code)
  end)

  it("says which of several goals is nearest", function()
    local to = { { 2, 0, 2 }, { 99, 0, 0 }, { 18, 0, 2 } }
    local both = world:distance_field { to = to }
    assert.equal(1, both:goal { 5, 0, 2 })
    assert.equal(3, both:goal { 14, 0, 2 })
    assert.near(4, (both:cost { 14, 0, 2 }), 0.1)
  end)

  it("pays the profile's prices, or those of the request", function()
    local cheap = world:distance_field { to = { 2, 0, 9 }, profile = "car" }
    local costly = world:distance_field { to = { 2, 0, 9 }, profile = "car", cost = { area_factor = { road = 7 } } }
    assert.is_true(costly:cost { 8, 0, 9 } > cheap:cost { 8, 0, 9 } + 30)
    assert.is_nil((world:distance_field { to = { 8, 0, 2 }, avoid = { "road" } }:cost { 4, 0, 9 }))
  end)

  it("answers nothing beyond max_cost", function()
    local near = world:distance_field { to = { 2, 0, 2 }, max_cost = 8 }
    assert.near(6, (near:cost { 8, 0, 2 }), 0.1)
    assert.is_nil((near:cost { 18, 0, 2 }))
    assert.is_true(near:memory() > 0)
  end)

  it("is stale once the world has changed, and computed again by refresh", function()
    assert.is_false(field:is_stale())
    local before = field:cost { 18, 0, 5 }
    local box = world:add_obstacle { shape = "box", at = { 10, 0, 5 }, size = { 1, 2, 3 } }
    world:step(0.1)
    assert.is_true(field:is_stale())
    assert.is_true(field:refresh())
    assert.is_false(field:is_stale())
    assert.is_nil((field:cost { 18, 0, 5 }))
    box:remove()
    world:step(0.1)
    field:refresh()
    assert.near(before, (field:cost { 18, 0, 5 }), 1e-3)
    world:add_danger { at = { 5, 0, 2 }, radius = 1, value = 1 }
    world:step(0.1)
    assert.is_false(field:is_stale()) -- without a profile dangers cost nothing
    local soldier = world:distance_field { to = { 2, 0, 2 }, profile = "soldier" }
    world:add_danger { at = { 5, 0, 4 }, radius = 1, value = 1 }
    world:step(0.1)
    assert.is_true(soldier:is_stale())
  end)

  it("says what is wrong", function()
    local none, message, code = world:distance_field { to = { 99, 0, 0 } }
    assert.is_nil(none)
    assert.equal("to is (99, 0, 0), expected a navmesh within (2, 4, 2) m", message)
    assert.equal("NO_GOAL", code)
    assert.equal("NO_START", select(3, field:cost { 99, 0, 0 }))
    assert.error_matches(function() world:distance_field { too = { 2, 0, 2 } } end,
      "unknown key 'too'. Did you mean 'to'")
    assert.error_matches(function() world:distance_field { to = { 2, 0, 2 }, max_cost = -1 } end, "max_cost is %-1")
    assert.error_matches(function() field:cost "there" end, "at is .*, expected a point")
    world:destroy()
    assert.error_matches(function() field:cost { 2, 0, 2 } end, "destroyed")
  end)
end)

describe("a distance field beside links", function()
  --- A floor of 60 x 60 m with walls, cut by roads.
  local function walled()
    local level = leeward.geometry()
    level:add_box { at = { 30, -1, 30 }, size = { 60, 1, 60 } }
    for i = 0, 4 do
      level:mark_area { area = "road", path = { { 0, 0, 6 + 12 * i }, { 60, 0, 8 + 11 * i } }, width = 3 }
      level:add_box { at = { 12 * i + 5, 0, 20 + 4 * i }, size = { 1, 3, 22 }, area = false }
    end
    return assert(leeward.bake(level, { agent_radius = 0.4, cell_size = 0.3 }))
  end

  local function place() return { math.random() * 58 + 1, 0, math.random() * 58 + 1 } end

  --- Two worlds in which the same links were added in the opposite order.
  local function make_worlds(seed)
    local navmesh, links = walled(), {}
    math.randomseed(seed)
    for i = 1, 30 do
      links[i] = { kind = "teleport", from = place(), to = place(), length = 20 * math.random(), bidirectional = true }
    end
    local hub = place()
    for i = 1, 6 do links[i].to = { hub[1] + i * 0.3, 0, hub[3] } end
    local worlds = { leeward.world { navmesh = navmesh }, leeward.world { navmesh = navmesh } }
    for i = 1, #links do
      pcall(worlds[1].add_link, worlds[1], links[i]) -- an end may lie on no ground
      pcall(worlds[2].add_link, worlds[2], links[#links + 1 - i])
    end
    for _, world in ipairs(worlds) do world:apply_changes() end
    return worlds
  end

  it("does not depend on the order in which they were added", function()
    local worlds = make_worlds(4)
    for _ = 1, 4 do
      local goal = { to = place(), profile = "human" }
      local fields = { worlds[1]:distance_field(goal), worlds[2]:distance_field(goal) }
      for _ = 1, 200 do
        local at = place()
        if fields[1] then assert.equal(fields[1]:cost(at), (fields[2]:cost(at))) end
      end
    end
  end)

  it("costs no less than paths, also over links that are shorter than the straight line", function()
    local worlds = make_worlds(10)
    for _ = 1, 100 do
      local from, to = place(), place()
      local field = worlds[1]:distance_field { to = to, profile = "human" }
      local cost = field and field:cost(from)
      for _, world in ipairs(worlds) do
        local path = world:find_path { from = from, to = to, profile = "human" }
        if path and cost then assert.is_true(path:cost() < 1.01 * cost + 0.1) end
      end
    end
  end)
end)
