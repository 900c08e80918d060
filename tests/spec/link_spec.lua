-- Off-mesh links and gset files from Lua.

local leeward = require "leeward"

local function two_floors()
  local geometry = leeward.geometry()
  geometry:add_box { min = { 0, -1, 0 }, max = { 8, 0, 8 } }
  geometry:add_box { min = { 12, 1, 0 }, max = { 20, 2, 8 } }
  return geometry
end

local function raised(f, ...) return (select(2, pcall(f, ...)):gsub("^tests/[^:]*:%d+: ", "")) end

-- A file with this text, for as long as `f` runs.
local function with_file(text, f)
  local name = os.tmpname()
  local handle = assert(io.open(name, "w"))
  handle:write(text)
  handle:close()
  local results = table.pack(pcall(f, name))
  os.remove(name)
  assert(results[1], results[2])
  return table.unpack(results, 2, results.n)
end

describe("geometry:add_link", function()
  local geometry
  before_each(function() geometry = two_floors() end)

  it("joins floors that nothing else joins", function()
    geometry:add_link { kind = "drop", from = { 12.2, 2, 4 }, to = { 7.6, 0, 4 } }
    geometry:add_link { kind = "ladder", from = { 7, 0, 2 }, to = { 13, 2, 2 }, bidirectional = true, area = "road" }
    geometry:add_link { kind = "jump", from = { 7, 0, 6 }, to = { 10, 0, 6 } }
    assert.equal(3, geometry:stats().links)
    local navmesh = assert(leeward.bake(geometry))
    assert.is_true(navmesh:validate())
    local stats, links = navmesh:stats(), navmesh:links()
    assert.equal(2, stats.offmesh_links)
    assert.equal(1, stats.offmesh_refused)
    assert.equal(2, #links)
    assert.equal("drop", links[1].kind)
    assert.is_false(links[1].bidirectional)
    assert.is_nil(links[1].area)
    assert.equal("road", links[2].area)
    assert.is_true(links[2].bidirectional)
    assert.is_true(math.abs(links[1].from.x - 12.75) < 0.2) -- the agent's radius in from the edge
    assert.is_true(math.abs(links[1].length - links[1].from:distance(links[1].to)) < 1e-4)
  end)

  it("says of refused links why", function()
    geometry:add_link { kind = "jump", from = { 7, 0, 6 }, to = { 7, 0, 2 } }
    geometry:add_link { kind = "jump", from = { 7, 0, 6 }, to = { 7, 4, 2 } }
    local refused = assert(leeward.bake(geometry)):refused_links()
    assert.equal(1, #refused)
    assert.equal(2, refused[1].index)
    assert.equal(leeward.vec3(7, 4, 2), refused[1].to)
    assert.equal("the nearest navmesh is 4.00 m from its 'to', more than its radius 1 m", refused[1].reason)
  end)

  it("names what is wrong", function()
    local function message(link) return raised(geometry.add_link, geometry, link) end
    local from, to = { 1, 0, 1 }, { 2, 0, 2 }
    assert.equal("add_link: kind is 'lader', expected 'jump', 'drop', 'ladder', 'teleport', 'door' or 'waypoint'. "
      .. "Did you mean 'ladder'?", message { kind = "lader", from = from, to = to })
    assert.equal("add_link: kind is nil, expected 'jump', 'drop', 'ladder', 'teleport', 'door' or 'waypoint'",
      message { from = from, to = to })
    assert.equal("add_link: to is nil, expected a point", message { kind = "jump", from = from })
    assert.equal("add_link: radius is 0, expected metres > 0",
      message { kind = "jump", from = from, to = to, radius = 0 })
    assert.matches("^add_link: unknown key 'length_m'. Did you mean 'length'?",
      message { kind = "jump", from = from, to = to, length_m = 3 })
    assert.equal("add_link: area is 'raod', expected the name of an area. Did you mean 'road'?",
      message { kind = "jump", from = from, to = to, area = "raod" })
    assert.equal(0, geometry:stats().links)
  end)
end)

describe("leeward.navmesh", function()
  local function mesh(links)
    return leeward.navmesh {
      vertices = {
        { 0, 0, 0 }, { 0, 0, 4 }, { 4, 0, 4 }, { 4, 0, 0 }, { 9, 1, 0 }, { 9, 1, 4 }, { 13, 1, 4 }, { 13, 1, 0 },
      },
      polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } },
      links = links,
    }
  end

  it("takes links, too", function()
    local navmesh = mesh { { kind = "teleport", from = { 2, 0, 2 }, to = { 11, 1, 2 }, length = 0 } }
    assert.equal(1, navmesh:stats().offmesh_links)
    assert.equal(0, navmesh:links()[1].length)
    assert.equal(leeward.vec3(11, 1, 2), navmesh:links()[1].to)
  end)

  it("names the link that is wrong", function()
    assert.equal("navmesh: links[2].from is nil, expected a point", raised(mesh, {
      { kind = "jump", from = { 2, 0, 2 }, to = { 11, 1, 2 } }, { kind = "jump", to = { 11, 1, 2 } },
    }))
    assert.equal("navmesh: links[1] is 'jump', expected a table", raised(mesh, { "jump" }))
  end)
end)

describe("geometry:load_gset", function()
  local FILE = [[
f level.obj
# a comment
c 7 0 4  13 2 4  1.5 1 5 8
c 7 0 2  13 2 2  1.5 0 3 8

v 4 2 -0.5 0.5
1 0 1
1 0 3
3 0 3
3 0 1
v 4 7 -1 1
5 0 5
8 0 5
8 0 8
5 0 8
]]
  local geometry
  before_each(function() geometry = two_floors() end)

  local function load(text) return with_file(text, function(name) return geometry:load_gset(name) end) end

  it("adds links and volumes", function()
    local links, volumes = load(FILE)
    assert.equal(2, links)
    assert.equal(2, volumes)
    local navmesh = assert(leeward.bake(geometry))
    local joined = navmesh:links()
    assert.equal("jump", joined[1].kind)
    assert.is_true(joined[1].bidirectional)
    assert.equal("door", joined[2].kind)
    assert.equal("door", joined[2].area)
    local world = leeward.world { navmesh = navmesh }
    local areas = {}
    for _, polygon in ipairs(navmesh:polygons()) do areas[polygon.area] = true end
    assert.is_true(areas.road)
    assert.is_false(world:contains { 7, 0, 7 }) -- a kill volume
  end)

  it("makes water of volumes of water", function()
    load "v 4 1 -1 0.3\n0 0 0\n0 0 4\n4 0 4\n4 0 0\n"
    local navmesh = assert(leeward.bake(geometry))
    assert.is_true(math.abs(navmesh:water_depth { 2, 0, 2 } - 0.3) < 0.01)
    assert.equal(0, navmesh:water_depth { 6, 0, 2 })
  end)

  it("names the line that is wrong, and adds nothing", function()
    local function message(text)
      local links, what, code = load(FILE .. text)
      assert.is_nil(links)
      assert.equal("BAD_FILE", code)
      assert.same(0, geometry:stats().links)
      assert.same(0, geometry:stats().marks)
      return (what:gsub("^/tmp/[^:]*:", ""))
    end
    assert.equal("16: bidirectional is 2, expected 0 or 1", message "c 7 0 4 13 2 4 1.5 2 5 8\n")
    assert.equal("16: z of the end is 'x', expected a finite number", message "c 7 0 4 13 2 x 1.5 1 5 8\n")
    assert.equal("16: flags is missing", message "c 7 0 4 13 2 4 1.5 1 5\n")
    assert.equal("16: got '9' after the last number, expected 10 numbers", message "c 7 0 4 13 2 4 1.5 1 5 8 9\n")
    assert.equal("16: area is 9, for which there is no rule", message "c 7 0 4 13 2 4 1.5 1 9 8\n")
    assert.equal("16: area is 0.5, expected a whole number from 0 to 255", message "c 7 0 4 13 2 4 1.5 1 .5 8\n")
    assert.equal("16: link: radius is -1, expected metres > 0, at most 1e+06",
      message "c 7 0 4 13 2 4 -1 1 5 8\n")
    assert.equal("16: x of the start is 'nan', expected a finite number", message "c nan 0 4 13 2 4 1.5 1 5 8\n")
    assert.equal("18: the file ends before the last corner of the volume", message "v 3 2 0 1\n0 0 0\n1 0 1\n")
    assert.matches("^16: mark: the polygon is not convex", message "v 4 2 0 1\n0 0 0\n4 0 0\n1 0 1\n0 0 4\n")
    assert.equal("16: mark: bottom is 1, expected less than top 0", message "v 3 2 1 0\n0 0 0\n1 0 1\n1 0 0\n")
    assert.equal("17: the line is 'hello', expected one that begins with f, s, c, v or p", message "\nhello\n")
    assert.equal("16: the line has 800 bytes, expected at most 511 in a geometry set", message(("c "):rep(400)))
    assert.equal("16: count of corners is 257, expected a whole number from 3 to 256", message "v 257 2 0 1\n0 0 0\n")
    assert.matches("^'[^']*' is larger than 1024 KiB, expected a geometry set$", message(("# x\n"):rep(2 ^ 18)))
    assert.equal("16: the line is '\\x1B[31m\\x07', expected one that begins with f, s, c, v or p",
      message "\27[31m\a\n")
  end)

  it("says when there is no such file", function()
    local links, message, code = geometry:load_gset "/nowhere.gset"
    assert.is_nil(links)
    assert.equal("FILE", code)
    assert.matches("/nowhere.gset", message, 1, true)
  end)
end)

describe("leeward.bake with links", function()
  it("takes a file for this bake alone", function()
    local geometry = two_floors()
    geometry:add_link { kind = "jump", from = { 7, 0, 6 }, to = { 13, 2, 6 } }
    local both = with_file("c 7 0 4  13 2 4  1.5 1 8 8\n", function(name)
      return assert(leeward.bake(geometry, { links = name }))
    end)
    assert.equal(2, both:stats().offmesh_links)
    assert.equal("ladder", both:links()[2].kind)
    assert.equal(1, assert(leeward.bake(geometry)):stats().offmesh_links)
    assert.equal(1, geometry:stats().links)
  end)

  it("says what is wrong with it", function()
    local navmesh, message, code = leeward.bake(two_floors(), { links = "/nowhere.gset" })
    assert.is_nil(navmesh)
    assert.matches("/nowhere.gset", message, 1, true)
    assert.equal("FILE", code)
    assert.equal("bake: links is true, expected the name of a gset file",
      raised(leeward.bake, two_floors(), { links = true }))
  end)
end)

describe("geometry:add_water", function()
  local geometry
  before_each(function()
    geometry = leeward.geometry()
    geometry:add_ramp { from = { 0, 2, 5 }, to = { 20, -2, 5 }, width = 10 } -- 20 cm a metre
  end)
  local LAKE = { { 2, 0, 1 }, { 2, 0, 9 }, { 19, 0, 9 }, { 19, 0, 1 } }

  it("is shallow, then deep, and dry above its level", function()
    geometry:add_water { polygon = LAKE, level = 0.5, wade = 1 }
    local navmesh = assert(leeward.bake(geometry, { cell_size = 0.2, cell_height = 0.05 }))
    local world = leeward.world { navmesh = navmesh }
    local function area(x)
      return world:find_path({ from = { x, 2 - x / 5, 5 }, to = { x + 0.01, 2 - x / 5, 5 } }):areas()[1]
    end
    assert.equal("ground", area(7))           -- at 0.6 m
    assert.equal("shallow_water", area(8.5))  -- at 0.3
    assert.equal("shallow_water", area(11.5)) -- at -0.3
    assert.equal("deep_water", area(13.5))    -- at -0.7
    assert.equal("ground", area(19.3))        -- beyond its outline
    assert.is_true(math.abs(navmesh:water_depth { 13.5, -0.7, 5 } - 1.2) < 0.1)
    assert.equal(0, navmesh:water_depth { 5, 1, 5 })
    assert.same({ "NO_POINT" }, { select(3, navmesh:water_depth { 50, 0, 5 }) })
  end)

  it("names what is wrong", function()
    local function message(water) return raised(geometry.add_water, geometry, water) end
    assert.equal("add_water: level is nil, expected a finite number of metres", message { polygon = LAKE })
    assert.equal("add_water: deep is 'deep_watr', expected the name of an area. Did you mean 'deep_water'?",
      message { polygon = LAKE, level = 1, deep = "deep_watr" })
    assert.equal("add_water: water: the outline is not simple, expected a simple polygon: the edge from point 1 "
      .. "touches or crosses that from point 3",
      message { polygon = { { 0, 0, 0 }, { 4, 0, 4 }, { 4, 0, 0 }, { 0, 0, 4 } }, level = 1 })
    assert.equal("add_water: water: bottom is 2, expected less than level 1",
      message { polygon = LAKE, level = 1, bottom = 2 })
  end)
end)
