-- world:route_table and world:path_costs: what it costs to go between chosen places.
local leeward = require "leeward"

describe("route tables", function()
  local world
  local places = { spawn = { 1, 0, 1 }, gate = { 19, 0, 1 }, flag = { 19, 0, 9 }, island = { 45, 0, 5 },
    nowhere = { 90, 0, 0 } }
  before_each(function()
    -- A room with a wall from the top almost down to z = 0: from x = 9 to 11, z = 2 to 10; and an island.
    world = leeward.world { navmesh = leeward.navmesh {
      vertices = { { 0, 0, 0 }, { 9, 0, 0 }, { 11, 0, 0 }, { 20, 0, 0 }, { 20, 0, 2 }, { 11, 0, 2 }, { 9, 0, 2 },
        { 0, 0, 2 }, { 9, 0, 10 }, { 0, 0, 10 }, { 20, 0, 10 }, { 11, 0, 10 }, { 40, 0, 0 }, { 50, 0, 0 },
        { 50, 0, 10 }, { 40, 0, 10 } },
      polygons = { { 1, 2, 7, 8 }, { 2, 3, 6, 7 }, { 3, 4, 5, 6 }, { 8, 7, 9, 10 }, { 6, 5, 11, 12 },
        { 13, 14, 15, 16 } },
    } }
  end)

  it("cost what paths cost, by name", function()
    local routes = world:route_table { places = places }
    assert.equal(5, #routes)
    for from, a in pairs(places) do
      for to, b in pairs(places) do
        local path = world:find_path { from = a, to = b }
        local cost = routes:cost(from, to)
        if path then assert.near(path:cost(), cost, 0.01) else assert.is_false(cost) end
      end
    end
  end)

  it("say where to walk first", function()
    local routes = world:route_table { places = places }
    assert.equal(leeward.vec3(19, 0, 1), routes:next("spawn", "gate"))
    assert.equal(leeward.vec3(11, 0, 2), routes:next("spawn", "flag"))
    assert.is_false(routes:next("spawn", "island"))
    assert.is_true(routes:bytes() >= 16 * 25)
  end)

  it("take a list, too", function()
    local routes = world:route_table { places = { { 1, 0, 1 }, { 19, 0, 1 } } }
    assert.near(18, (routes:cost(1, 2)), 1e-3)
    assert.near(0, (routes:cost(2, 2)), 1e-3)
  end)

  it("are stale once the world has changed", function()
    local routes = world:route_table { places = places }
    assert.is_false(routes:is_stale())
    world:add_obstacle { shape = "box", at = { 10, 0, 1 }, size = { 1, 2, 1 } }
    world:step(0.1)
    assert.is_true(routes:is_stale())
  end)

  it("are saved and loaded, for the same navmeshes", function()
    local file = os.tmpname()
    local routes = world:route_table { places = { spawn = places.spawn, [7] = places.flag, far = places.island } }
    assert.is_true(routes:save(file))
    local again = assert(world:load_routes(file))
    assert.equal(routes:cost("spawn", 7), again:cost("spawn", 7))
    assert.equal(leeward.vec3(11, 0, 2), again:next("spawn", 7))
    assert.is_false(again:cost("far", 7))
    assert.is_false(again:is_stale())
    world:add_obstacle { shape = "box", at = { 10, 0, 1 }, size = { 1, 2, 1 } }
    world:step(0.1)
    assert.is_true(again:is_stale())
    assert.is_true(assert(world:load_routes(file)):is_stale())
    local other = leeward.world { navmesh = leeward.navmesh {
      vertices = { { 0, 0, 0 }, { 9, 0, 0 }, { 9, 0, 9 } }, polygons = { { 1, 2, 3 } } } }
    local none, message, code = other:load_routes(file)
    assert.is_nil(none)
    assert.equal(("'%s' is of other navmeshes than this world has"):format(file), message)
    assert.equal("NOT_FOUND", code)
    os.remove(file)
    assert.equal("FILE", select(3, world:load_routes(file)))
  end)

  it("answer when their world is gone, but are not saved", function()
    local file = os.tmpname()
    local gone = leeward.world { navmesh = world:navmesh() }
    local routes = gone:route_table { places = { spawn = places.spawn, flag = places.flag } }
    local cost = routes:cost("spawn", "flag")
    gone:destroy()
    assert.equal(cost, routes:cost("spawn", "flag"))
    assert.has_error(function() routes:save(file) end, "save: the world was destroyed")
    assert.has_error(function() routes:is_stale() end, "is_stale: the world was destroyed")
    os.remove(file)
  end)

  it("are given as a matrix", function()
    local costs = world:path_costs { places = { { 1, 0, 1 }, { 19, 0, 1 }, { 45, 0, 5 } }, profile = "soldier" }
    assert.equal(3, #costs)
    for i = 1, 3 do
      assert.equal(3, #costs[i])
      assert.near(0, costs[i][i], 1e-3)
    end
    assert.near(costs[1][2], costs[2][1], 1e-3)
    assert.is_false(costs[1][3])
    assert.near(18, world:path_costs { places = places }.spawn.gate, 1e-3)
  end)

  it("say what is wrong", function()
    local routes = world:route_table { places = places }
    assert.error_matches(function() routes:cost("gaet", "flag") end,
      "cost: from is 'gaet', expected a place of the table")
    assert.error_matches(function() routes:next("gate") end, "next: to is nil, expected a place of the table")
    local function make(list) return function() world:route_table { places = list } end end
    assert.error_matches(make {}, "places has 0 places, expected 1 to 2000")
    assert.error_matches(make { a = 7 }, "places%['a'%] is 7, expected a point")
    assert.error_matches(make { [true] = { 1, 0, 1 } }, "places has the key true, expected names, or a list")
    assert.error_matches(make(nil), "places")
  end)
end)
