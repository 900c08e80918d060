-- world:find_path to the cheapest of several goals.
local leeward = require "leeward"

describe("find_path to several goals", function()
  local world
  before_each(function()
    -- Two squares, and a third one apart from them.
    world = leeward.world { navmesh = leeward.navmesh {
      vertices = { { 0, 0, 0 }, { 10, 0, 0 }, { 10, 0, 10 }, { 0, 0, 10 }, { 20, 0, 0 }, { 20, 0, 10 },
        { 40, 0, 0 }, { 50, 0, 0 }, { 50, 0, 10 }, { 40, 0, 10 } },
      polygons = { { 1, 2, 3, 4 }, { 2, 5, 6, 3 }, { 7, 8, 9, 10 } },
    } }
  end)

  it("goes to the nearest, and says which that is", function()
    local path = world:find_path { from = { 5, 0, 5 }, to = { { 1, 0, 1 }, { 9, 0, 5 }, leeward.vec3(15, 0, 5) } }
    assert.equal(2, path:goal())
    assert.near(4, path:length(), 1e-4)
    assert.equal(leeward.vec3(9, 0, 5), path:points()[#path:points()])
  end)

  it("takes three numbers for one point", function()
    local path = world:find_path { from = { 5, 0, 5 }, to = { 1, 0, 5 } }
    assert.equal(1, path:goal())
    assert.near(4, path:length(), 1e-4)
  end)

  it("passes over those without a place or a path", function()
    local path = world:find_path { from = { 5, 0, 5 }, to = { { 6, 0, 90 }, { 45, 0, 5 }, { 15, 0, 5 } } }
    assert.equal(3, path:goal())
  end)

  it("says why there is no path to any", function()
    local path, message, code = world:find_path { from = { 5, 0, 5 }, to = { { 6, 0, 90 }, { 6, 0, 80 } } }
    assert.is_nil(path)
    assert.equal("to is a list of 2 points, expected one with a navmesh within (2, 4, 2) m", message)
    assert.equal("NO_GOAL", code)
    path, message, code = world:find_path { from = { 5, 0, 5 }, to = { { 45, 0, 5 } , { 6, 0, 80 } } }
    assert.is_nil(path)
    assert.equal("start and goal are not connected", message)
    assert.equal("NO_PATH", code)
  end)

  it("goes near the nearest if none can be reached and that is allowed", function()
    local path = world:find_path { from = { 5, 0, 5 }, to = { { 90, 0, 5 }, { 45, 0, 5 } }, allow_partial = true }
    assert.is_true(path:is_partial())
    assert.equal(2, path:goal())
    assert.near(15, path:length(), 0.01)
  end)

  it("explains the path to the goal that it leads to", function()
    local path = world:find_path { from = { 5, 0, 5 }, to = { { 15, 0, 5 }, { 9, 0, 5 } } }
    assert.near(4, path:explain().shortest.length, 1e-3)
  end)

  it("refuses what is no goal", function()
    local function find(to) return function() world:find_path { from = { 5, 0, 5 }, to = to } end end
    assert.error_matches(find { { 1, 0, 1 }, { 1, 0 } }, "find_path: to%[2%] is .*, expected a point")
    local path, message, code = world:find_path { from = { 5, 0, 5 }, to = {} }
    assert.same({ nil, "to is an empty list, expected a point or a list of points", "NO_GOAL" },
      { path, message, code })
    assert.error_matches(find(setmetatable({}, { __index = { x = 1, y = 0, z = 1 } })),
      "find_path: to is a table, expected a point")
    assert.error_matches(find { { 1, 0, 1 }, 7 }, "find_path: to%[2%] is 7, expected a point")
  end)
end)
