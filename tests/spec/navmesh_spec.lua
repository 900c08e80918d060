local leeward = require "leeward"
local maps = require "support.maps"
local message = require "support.message"
local vec3 = leeward.vec3

describe("leeward.navmesh", function()
  local SQUARE = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 4 }, { 0, 0, 4 } }

  it("takes polygons of either winding", function()
    for _, corners in ipairs { { 1, 2, 3, 4 }, { 4, 3, 2, 1 } } do
      local navmesh = leeward.navmesh { vertices = SQUARE, polygons = { corners } }
      assert.is_true(navmesh:validate())
      assert.equal(16, navmesh:stats().area)
    end
  end)

  it("joins polygons whose edges touch only in part", function()
    local navmesh = maps.two_rooms()
    assert.equal(1, navmesh:stats().islands)
    assert.equal(4, navmesh:stats().portals) -- the door's two sides, each in both directions
    assert.equal(2, maps.two_rooms({ door = false }):stats().islands)
  end)

  it("joins over a step no higher than `climb`", function()
    local function islands(height, climb)
      return leeward.navmesh {
        vertices = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 4 }, { 0, 0, 4 },
          { 4, height, 0 }, { 8, height, 0 }, { 8, height, 4 }, { 4, height, 4 } },
        polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } },
        climb = climb,
      }:stats().islands
    end
    assert.equal(1, islands(0.3, 0.4))
    assert.equal(2, islands(0.5, 0.4))
    assert.equal(1, islands(0.5, 0.6))
  end)

  it("lists its polygons", function()
    local list = maps.two_rooms({ area = "door" }):polygons()
    assert.equal(3, #list)
    local areas, seen = {}, {}
    for _, polygon in ipairs(list) do
      areas[polygon.area] = (areas[polygon.area] or 0) + polygon.area_m2
      seen[polygon.id] = true
      assert.equal(4, #polygon.corners)
      assert.equal(list[1].island, polygon.island)
    end
    assert.same({ ground = 200, door = 2 }, areas)
    assert.is_true(seen[list[1].id] and seen[list[2].id] and seen[list[3].id])
  end)

  it("has bounds", function()
    local min, max = maps.two_rooms():bounds()
    assert.equal(vec3(0, 0, 0), min)
    assert.equal(vec3(21, 0, 10), max)
  end)

  it("keeps from walls what it says, 0.4 m by default", function()
    assert.is_near(0.4, maps.floor(4, 4):agent().radius, 1e-6)
    assert.equal(0, maps.floor(4, 4):agent().height)
    local vertices = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 4 } }
    local navmesh = leeward.navmesh { vertices = vertices, polygons = { { 1, 2, 3 } }, agent_radius = 0 }
    assert.equal(0, navmesh:agent().radius)
    assert.has_error(function()
      leeward.navmesh { vertices = vertices, polygons = { { 1, 2, 3 } }, agent_radius = -1 }
    end, "navmesh: agent_radius is -1, expected metres >= 0")
  end)

  it("says which polygon is wrong", function()
    local function make(def) return message(leeward.navmesh, def) end
    assert.equal("navmesh: polygons[2] has 2 corners, expected 3 to 255",
      make { vertices = SQUARE, polygons = { { 1, 2, 3 }, { 1, 2 } } })
    assert.equal("navmesh: polygons[1][3] is 5, expected a whole number from 1 to 4",
      make { vertices = SQUARE, polygons = { { 1, 2, 5 } } })
    assert.equal("navmesh: vertices[1] is {0, 0}, expected a point",
      make { vertices = { { 0, 0 }, { 1, 0, 0 }, { 1, 0, 1 } }, polygons = { { 1, 2, 3 } } })
    assert.equal("navmesh: areas is a list of 2, expected one for each of 1 polygons",
      make { vertices = SQUARE, polygons = { { 1, 2, 3 } }, areas = { "ground", "ground" } })
    assert.equal("navmesh: polygons is nil, expected a list", make { vertices = SQUARE })
    assert.equal("navmesh: polygons 1 and 2 of 2 overlap at (2.66667, 0, 1.33333): cut one of them",
      make { vertices = SQUARE, polygons = { { 1, 2, 3, 4 }, { 1, 2, 3 } } })
    assert.matches("^navmesh: .*concave", make { vertices = { { 0, 0, 0 }, { 4, 0, 0 }, { 1, 0, 1 }, { 0, 0, 4 } },
      polygons = { { 1, 2, 3, 4 } } })
  end)
end)

describe("navmesh:save and leeward.load_navmesh", function()
  local file
  before_each(function() file = os.tmpname() end)
  after_each(function() os.remove(file) end)

  it("bring back the same navmesh", function()
    local navmesh = maps.two_rooms({ area = "door" })
    assert.is_true(navmesh:save(file))
    local again = assert(leeward.load_navmesh(file))
    assert.is_true(again:validate())
    assert.same(navmesh:stats().portals, again:stats().portals)
    for i, polygon in ipairs(navmesh:polygons()) do
      assert.equal(polygon.id, again:polygons()[i].id)
      assert.equal(polygon.area, again:polygons()[i].area)
      assert.equal(polygon.corners[1], again:polygons()[i].corners[1])
    end
  end)

  it("refuse a file that was cut off or altered, with the reason", function()
    assert(maps.two_rooms():save(file))
    local handle = assert(io.open(file, "rb"))
    local bytes = handle:read("a")
    handle:close()
    local middle = #bytes // 2
    local altered = bytes:sub(1, middle) .. string.char(bytes:byte(middle + 1) ~ 0x40) .. bytes:sub(middle + 2)
    for _, content in ipairs { bytes:sub(1, middle), altered, "not a navmesh at all", "" } do
      handle = assert(io.open(file, "wb"))
      handle:write(content)
      handle:close()
      local navmesh, text, code = leeward.load_navmesh(file)
      assert.is_nil(navmesh)
      assert.matches(file, text, 1, true)
      assert.equal("BAD_FILE", code)
    end
  end)

  it("answer a place that is not there", function()
    local saved, text, code = maps.floor(2, 2):save("/nowhere/x.lwn")
    assert.is_nil(saved)
    assert.matches("/nowhere/x.lwn", text, 1, true)
    assert.equal("FILE", code)
    assert.equal("FILE", select(3, leeward.load_navmesh("/nowhere/x.lwn")))
  end)
end)
