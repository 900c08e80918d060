local leeward = require "leeward"
local message = require "support.message"
local vec3 = leeward.vec3

describe("leeward.geometry", function()
  local geometry
  before_each(function() geometry = leeward.geometry() end)

  it("is empty at first", function()
    assert.same({ vertices = 0, triangles = 0, marks = 0, links = 0, seeds = 0 }, geometry:stats())
    assert.equal(vec3(0, 0, 0), (geometry:bounds()))
  end)

  it("takes a box by the middle of its bottom, by its centre and by its corners", function()
    for _, box in ipairs {
      { at = { 5, 0, 5 }, size = { 2, 3, 4 } },
      { center = { 5, 1.5, 5 }, size = { 2, 3, 4 } },
      { min = { 4, 0, 3 }, max = { 6, 3, 7 } },
    } do
      local one = leeward.geometry()
      one:add_box(box)
      local min, max = one:bounds()
      assert.equal(vec3(4, 0, 3), min)
      assert.equal(vec3(6, 3, 7), max)
      assert.equal(12, one:stats().triangles)
    end
  end)

  it("turns a box about y", function()
    geometry:add_box { at = { 0, 0, 0 }, size = { 4, 1, 2 }, yaw = math.pi / 2 }
    local min, max = geometry:bounds()
    assert.is_true(min:distance { -1, 0, -2 } < 1e-5)
    assert.is_true(max:distance { 1, 1, 2 } < 1e-5)
  end)

  it("takes a ramp", function()
    geometry:add_ramp { from = { 0, 0, 0 }, to = { 6, 3, 0 }, width = 2 }
    local min, max = geometry:bounds()
    assert.is_true(min:distance { 0, 0, -1 } < 1e-5)
    assert.is_true(max:distance { 6, 3, 1 } < 1e-5)
  end)

  it("takes triangles with an area for all or for each", function()
    local corners = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 4 }, { 0, 0, 4 } }
    geometry:add_mesh { vertices = corners, indices = { 1, 3, 2, 1, 4, 3 }, area = "road" }
    geometry:add_mesh { vertices = corners, indices = { 1, 3, 2, 1, 4, 3 }, areas = { "road", false } }
    assert.same({ vertices = 8, triangles = 4, marks = 0, links = 0, seeds = 0 }, geometry:stats())
  end)

  it("adds nothing when something is wrong", function()
    local corners = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 0 / 0 } }
    assert.is_false(pcall(geometry.add_mesh, geometry, { vertices = corners, indices = { 1, 2, 3 } }))
    assert.equal(0, geometry:stats().triangles)
  end)

  it("says what is wrong", function()
    local corners = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 0, 4 } }
    local function add_mesh(mesh) return message(geometry.add_mesh, geometry, mesh) end
    assert.equal("add_mesh: indices[3] is 4, expected a whole number from 1 to 3",
      add_mesh { vertices = corners, indices = { 1, 2, 4 } })
    assert.equal("add_mesh: indices[1] is 0, expected a whole number from 1 to 3",
      add_mesh { vertices = corners, indices = { 0, 1, 2 } })
    assert.equal("add_mesh: indices is a list of 4, expected three for each triangle",
      add_mesh { vertices = corners, indices = { 1, 2, 3, 1 } })
    assert.equal("add_mesh: vertices[2] is 'far', expected a point",
      add_mesh { vertices = { { 0, 0, 0 }, "far", { 1, 1, 1 } }, indices = { 1, 2, 3 } })
    assert.equal("add_mesh: area is 'raod', expected the name of an area. Did you mean 'road'?",
      add_mesh { vertices = corners, indices = { 1, 2, 3 }, area = "raod" })
    assert.equal("add_box: size is (1, 0, 1), expected metres > 0 on every axis",
      message(geometry.add_box, geometry, { at = { 0, 0, 0 }, size = { 1, 0, 1 } }))
    assert.equal("add_ramp: width is -1, expected metres > 0",
      message(geometry.add_ramp, geometry, { from = { 0, 0, 0 }, to = { 1, 1, 0 }, width = -1 }))
    assert.equal("add_box: unknown key 'sise'. Did you mean 'size'?",
      message(geometry.add_box, geometry, { at = { 0, 0, 0 }, sise = { 1, 1, 1 } }))
  end)
end)

describe("geometry:mark_area", function()
  local geometry
  before_each(function()
    geometry = leeward.geometry()
    geometry:add_box { min = { 0, -1, 0 }, max = { 40, 0, 40 } }
  end)

  -- The square metres of an area after a bake without radius, in tiles that marks cross.
  local function square_metres(area)
    local navmesh = assert(leeward.bake(geometry, { agent_radius = 0, min_region_area = 0, tile_size = 12 }))
    assert(navmesh:validate())
    local sum = 0
    for _, polygon in ipairs(navmesh:polygons()) do
      if polygon.area == area then sum = sum + polygon.area_m2 end
    end
    return sum, navmesh
  end

  it("marks a box given in any of three forms, also turned", function()
    for _, box in ipairs {
      { at = { 20, -0.5, 20 }, size = { 20, 2, 6 } },
      { center = { 20, 0, 20 }, size = { 20, 2, 6 } },
      { min = { 10, -1, 17 }, max = { 30, 1, 23 } },
      { at = { 20, -0.5, 20 }, size = { 20, 2, 6 }, yaw = 0.7 },
    } do
      geometry:mark_area { area = "road", box = box }
      assert.near(120, (square_metres "road"), 4)
      geometry:mark_area { area = "ground", box = { min = { 0, -1, 0 }, max = { 40, 1, 40 } } }
    end
    assert.equal(8, geometry:stats().marks)
  end)

  it("marks a polygon, between heights if they are given", function()
    local corners = { { 5, 0, 5 }, { 35, 0, 5 }, { 5, 0, 35 } }
    geometry:mark_area { area = "grass", polygon = corners, bottom = 1 }
    assert.equal(0, (square_metres "grass"))
    geometry:mark_area { area = "grass", polygon = corners }
    assert.near(450, (square_metres "grass"), 5)
  end)

  it("marks a road of 6 m that is 6 m wide", function()
    geometry:mark_area { area = "road", path = { { 5, 0, 10 }, { 20, 0, 13 }, { 35, 0, 10 } }, width = 6 }
    local area, navmesh = square_metres "road"
    assert.near(6 * 30.6, area, 3) -- a little longer than straight
    local world <close> = leeward.world { navmesh = navmesh }
    local path = assert(world:find_path { from = { 6, 0, 10 }, to = { 34, 0, 10 }, profile = "car" })
    for _, name in ipairs(path:areas()) do assert.equal("road", name) end
  end)

  it("keeps agents off what is marked false", function()
    geometry:mark_area { area = false, box = { min = { 18, -1, 0 }, max = { 22, 1, 40 } } }
    local _, navmesh = square_metres "ground"
    assert.equal(2, navmesh:stats().islands)
    local world <close> = leeward.world { navmesh = navmesh }
    assert.is_false(world:contains { 20, 0, 20 })
  end)

  it("lets the later mark decide", function()
    geometry:mark_area { area = "road", path = { { 0, 0, 20 }, { 40, 0, 20 } }, width = 6 }
    geometry:mark_area { area = "dirt", path = { { 20, 0, 0 }, { 20, 0, 40 } }, width = 6 }
    assert.near(6 * 40, (square_metres "dirt"), 4)
    assert.near(6 * 34, (square_metres "road"), 4)
  end)

  it("says what is wrong", function()
    local function mark(options) return message(geometry.mark_area, geometry, options) end
    local path = { { 0, 0, 0 }, { 9, 0, 0 } }
    assert.equal("mark_area: no shape is given, expected box, polygon or path", mark { area = "road" })
    assert.equal("mark_area: box and path are given, expected one of them", mark { area = "road", path = path,
      box = {} })
    assert.equal("mark_area: area is nil, expected the name of an area or false", mark { path = path, width = 2 })
    assert.equal("mark_area: area is 'raod', expected the name of an area. Did you mean 'road'?",
      mark { area = "raod", path = path, width = 2 })
    assert.equal("mark_area: width is nil, expected metres > 0", mark { area = "road", path = path })
    assert.equal("mark_area: unknown key 'widht'. Did you mean 'width'?",
      mark { area = "road", path = path, widht = 2 })
    assert.equal("mark_area: unknown key 'width'. Known keys: area, polygon, bottom, top",
      mark { area = "road", polygon = path, width = 2 })
    assert.equal("mark_area: path is a list of 1, expected at least 2",
      mark { area = "road", path = { { 0, 0, 0 } }, width = 2 })
    assert.equal("mark_area: path[2] is 'far', expected a point",
      mark { area = "road", path = { { 0, 0, 0 }, "far" }, width = 2 })
    assert.equal("mark_area: box.size is (1, 0, 1), expected metres > 0 on every axis",
      mark { area = "road", box = { at = { 0, 0, 0 }, size = { 1, 0, 1 } } })
    assert.equal("mark_area: unknown key 'box.area'. Known keys: at, center, size, yaw, min, max",
      mark { area = "road", box = { at = { 0, 0, 0 }, size = { 1, 1, 1 }, area = "road" } })
    assert.equal("mark_area: mark: bottom is 2, expected less than top 1",
      mark { area = "road", path = path, width = 2, bottom = 2, top = 1 })
    assert.matches("the polygon is not convex",
      mark { area = "road", polygon = { { 0, 0, 0 }, { 4, 0, 0 }, { 1, 0, 1 }, { 0, 0, 4 } } }, 1, true)
    assert.equal(0, geometry:stats().marks)
  end)
end)

describe("leeward.load_geometry", function()
  local file
  before_each(function() file = os.tmpname() end)
  after_each(function() os.remove(file) os.remove(file .. ".obj") end)

  local function write(text)
    local handle = assert(io.open(file .. ".obj", "w"))
    handle:write(text)
    handle:close()
    return file .. ".obj"
  end

  it("reads a file and its materials", function()
    local geometry = assert(leeward.load_geometry(write [[
v 0 0 0
v 0 0 4
v 4 0 4
v 4 0 0
f 1 2 3
f 1 3 4
]]))
    assert.equal(2, geometry:stats().triangles)
    local _, max = geometry:bounds()
    assert.equal(vec3(4, 0, 4), max)
  end)

  it("answers a missing file with why", function()
    local geometry, text, code = leeward.load_geometry("/nowhere/level.obj")
    assert.is_nil(geometry)
    assert.matches("/nowhere/level.obj", text, 1, true)
    assert.equal("FILE", code)
  end)

  it("answers an empty file with why", function()
    local geometry, text, code = leeward.load_geometry(write "")
    assert.is_nil(geometry)
    assert.is_string(text)
    assert.is_true(code == "EMPTY" or code == "BAD_FILE")
  end)
end)

describe("leeward.bake", function()
  local geometry
  before_each(function()
    geometry = leeward.geometry()
    geometry:add_box { min = { 0, -1, 0 }, max = { 20, 0, 20 } }
  end)

  it("makes a navmesh and says how", function()
    local navmesh, report = assert(leeward.bake(geometry, { cell_size = 0.25, tile_size = 8 }))
    assert.is_true(navmesh:validate())
    assert.near((20 - 2 * 0.4) ^ 2, navmesh:stats().area, 20)
    assert.equal(report.tiles, report.tiles_empty + navmesh:stats().tiles)
    assert.near(0.25, report.used.cell_size, 1e-6)
    assert.is_table(report.notes)
  end)

  it("leaves nothing to walk on inside boxes and ramps", function()
    geometry:add_box { at = { 6, 0, 10 }, size = { 6, 3, 6 }, area = false }
    geometry:add_ramp { from = { 10, 0, 10 }, to = { 18, 5, 10 }, width = 5 }
    local navmesh = assert(leeward.bake(geometry, { cell_size = 0.2 }))
    assert.equal(1, navmesh:stats().islands)
    local world = leeward.world { navmesh = navmesh, seed = 1 }
    assert.is_nil((world:spawn { profile = "human", at = { 6, 0, 10 } }))
    assert.near(3.75, assert(world:spawn { profile = "human", at = { 16, 0, 10 } }):position().y, 0.2) -- on the slope
    for _ = 1, 200 do
      local at = assert(world:random_point {})
      assert.is_false(math.abs(at.x - 6) < 3 and math.abs(at.z - 10) < 3)
    end
  end)

  it("reports what the voxel grid had to round", function()
    local _, report = assert(leeward.bake(geometry, { cell_height = 0.2, agent_climb = 0.75 }))
    assert.near(0.8, report.used.agent_climb, 1e-5)
    assert.matches("climb", table.concat(report.notes, "\n"))
  end)

  it("tells its progress", function()
    local calls = {}
    assert(leeward.bake(geometry, { tile_size = 8, progress = function(done, total)
      calls[#calls + 1] = { done, total }
    end }))
    assert.is_true(#calls > 1)
    assert.equal(calls[#calls][1], calls[#calls][2])
  end)

  it("stops when the progress function says false", function()
    local navmesh, text, code = leeward.bake(geometry, { tile_size = 8, progress = function() return false end })
    assert.is_nil(navmesh)
    assert.equal("CANCELLED", code)
    assert.is_string(text)
  end)

  it("raises what the progress function raises, as it is", function()
    local mine = {}
    local ok, raised = pcall(leeward.bake, geometry, { progress = function() error(mine) end })
    assert.is_false(ok)
    assert.equal(mine, raised)
  end)

  it("bakes the same by any number of threads", function()
    local first
    for threads = 1, 3 do
      local calls = 0
      local navmesh, report = assert(leeward.bake(geometry, { tile_size = 4, threads = threads,
        progress = function(done) calls = calls + 1 assert(done == calls) end }))
      assert.equal(threads, report.used.threads)
      assert.equal(report.tiles, calls)
      local name = os.tmpname()
      assert(navmesh:save(name))
      local file <close> = assert(io.open(name, "rb"))
      local bytes = file:read "a"
      os.remove(name)
      first = first or bytes
      assert.is_true(first == bytes)
    end
  end)

  it("bakes parts, which are joined", function()
    local settings = { tile_size = 4 }
    local count, columns, rows = leeward.count_tiles(geometry, settings)
    assert.is_true(count > 2 and count == columns * rows)
    local front, report = assert(leeward.bake(geometry, { tile_size = 4, tiles = { 1, 2 } }))
    assert.equal(2, report.tiles)
    assert.equal(count, report.tiles_total)
    local back = assert(leeward.bake(geometry, { tile_size = 4, tiles = { 3, count + 9 } }))
    local merged = assert(leeward.merge_navmeshes { back, front })
    assert.same(assert(leeward.bake(geometry, settings)):stats(), merged:stats())
    local none, text, code = leeward.merge_navmeshes { front, front }
    assert.is_nil(none)
    assert.equal("tile 1 is in part 1 and in part 2, expected in one", text)
    assert.equal("INVALID", code)
    none, text, code = leeward.bake(geometry, { tile_size = 4, tiles = { count + 1, count + 1 } })
    assert.is_nil(none)
    assert.matches("^tiles: the first is tile %d+, expected 1 to", text)
    assert.equal("NOT_FOUND", code)
  end)

  it("names what is wrong with tiles and parts", function()
    local function bake(tiles) return message(leeward.bake, geometry, { tiles = tiles }) end
    assert.equal("bake: tiles[1] is 0, expected a whole number from 1 to 2147483647", bake { 0, 3 })
    assert.equal("bake: tiles[2] is 2, expected a whole number from 3 to 2147483647", bake { 3, 2 })
    assert.matches("tiles is {3}, expected the first and the last tile", bake { 3 })
    assert.matches("parts%[1%] is 3, expected a navmesh", message(leeward.merge_navmeshes, { 3 }))
    assert.matches("parts is a list of 0, expected at least one navmesh", message(leeward.merge_navmeshes, {}))
  end)

  it("does not let the geometry change meanwhile", function()
    local text
    assert(leeward.bake(geometry, { progress = function()
      text = text or message(geometry.add_box, geometry, { at = { 0, 0, 0 }, size = { 1, 1, 1 } })
    end }))
    assert.equal("add_box: the geometry is being baked", text)
    local inner
    assert(leeward.bake(geometry, { progress = function()
      inner = inner or message(leeward.bake, geometry, { links = "none.gset" })
    end }))
    assert.equal("bake: the geometry is being baked", inner)
    geometry:add_box { at = { 0, 0, 0 }, size = { 1, 1, 1 } }
  end)

  it("answers that there is nothing to walk on", function()
    local navmesh, _, code = leeward.bake(leeward.geometry())
    assert.is_nil(navmesh)
    assert.equal("EMPTY", code)
  end)

  it("keeps agents off what is not walkable", function()
    local solid = leeward.geometry()
    solid:add_box { min = { 0, -1, 0 }, max = { 20, 0, 20 }, area = false }
    assert.is_nil((leeward.bake(solid)))
  end)

  it("checks its settings", function()
    assert.equal("bake: cell_size is 0, expected metres > 0",
      message(leeward.bake, geometry, { cell_size = 0 }))
    assert.equal("bake: agent_slope is 91, expected degrees from 0 to 90",
      message(leeward.bake, geometry, { agent_slope = 91 }))
    assert.equal("bake: threads is 1.5, expected a whole number from 0 to 256",
      message(leeward.bake, geometry, { threads = 1.5 }))
    assert.equal("bake: threads is 1000, expected a whole number from 0 to 256",
      message(leeward.bake, geometry, { threads = 1000 }))
    assert.equal("bake: unknown key 'agent_radios'. Did you mean 'agent_radius'?",
      message(leeward.bake, geometry, { agent_radios = 1 }))
    assert.equal("bake: bounds is an empty box, expected min below max on every axis",
      message(leeward.bake, geometry, { bounds = { { 0, 0, 0 }, { 0, 1, 1 } } }))
  end)

  it("bakes only what is inside the bounds", function()
    local navmesh = assert(leeward.bake(geometry, { bounds = { { 0, -2, 0 }, { 10, 2, 20 } } }))
    local _, max = navmesh:bounds()
    assert.is_true(max.x <= 10.01)
  end)
end)
