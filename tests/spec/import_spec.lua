-- Navmeshes of other programs. Files of Detour are written here by hand: its own writer is tested in C.
local leeward = require "leeward"

local path

local function put(data)
  local handle = assert(io.open(path, "wb"))
  handle:write(data)
  handle:close()
  return path
end

-- Two rectangles side by side, 2 x 3 m and 4 x 3 m.
local POLYANYA = [[
mesh
2
6 2
0 0 2 0 -1
2 0 3 1 0 -1
6 0 2 1 -1
0 3 2 -1 0
2 3 3 0 1 -1
6 3 2 -1 1
4 0 1 4 3 -1 -1 1 -1
4 1 2 5 4 0 -1 -1 -1
]]

-- A tile set of one tile with one square of `size` metres and Detour's area `area`.
local function tile_set(size, area)
  local NONE = 0
  local polygon = string.pack("<I4 I2I2I2I2I2I2 I2I2I2I2I2I2 I2 BB", 0xffffffff, 0, 1, 2, 3, 0, 0,
    NONE, NONE, NONE, NONE, NONE, NONE, 1, 4, area)
  local vertices = ""
  for _, corner in ipairs { { 0, 0 }, { 0, size }, { size, size }, { size, 0 } } do
    vertices = vertices .. string.pack("<fff", corner[1], 1.5, corner[2])
  end
  local head = string.pack("<c4 i4 i4i4i4 I4 i4i4i4 i4i4i4 i4i4i4 fff ffffff f", "VAND", 7, 0, 0, 0, 0,
    1, 4, 0, 0, 0, 0, 0, 0, 1, 2, 0.5, 0.25, 0, 0, 0, size, 2, size, 1)
  local tile = head .. vertices .. polygon
  return string.pack("<c4 i4 i4 fff ff i4i4 I4 i4", "TESM", 1, 1, 0, 0, 0, size, size, 1, 1, 1, #tile) .. tile
end

describe("leeward.import_navmesh", function()
  setup(function() path = os.tmpname() end)
  teardown(function() os.remove(path) end)

  describe("of a Polyanya mesh", function()
    it("keeps polygons, lengths and neighbours", function()
      local navmesh = assert(leeward.import_navmesh(put(POLYANYA)))
      assert.is_true(navmesh:validate())
      local stats = navmesh:stats()
      assert.equal(2, stats.polygons)
      assert.equal(2, stats.portals)
      assert.equal(18, stats.area)
      assert.equal("ground", navmesh:polygons()[1].area)
      local path_found = leeward.world { navmesh = navmesh }:find_path { from = { 1, 0, 1 }, to = { 5, 0, 1 } }
      assert.equal(4, path_found:length())
    end)

    it("lies in x and z as it is printed", function()
      local low, high = leeward.import_navmesh(put(POLYANYA)):bounds()
      assert.equal(leeward.vec3(0, 0, 0), low)
      assert.equal(leeward.vec3(6, 0, 3), high)
    end)

    it("is refused with the line", function()
      local navmesh, message, code = leeward.import_navmesh(put((POLYANYA:gsub("4 0 1 4 3", "4 0 1 6 3"))))
      assert.is_nil(navmesh)
      assert.equal(path .. ":10: a corner of polygon 1 is '6', expected a whole number from 0 to 5", message)
      assert.equal("BAD_FILE", code)
    end)
  end)

  describe("of a Detour tile set", function()
    it("keeps size, heights and agent size", function()
      local navmesh = assert(leeward.import_navmesh(put(tile_set(8, 0))))
      assert.is_true(navmesh:validate())
      assert.equal(64, navmesh:stats().area)
      assert.same({ radius = 0.5, height = 2, climb = 0.25 }, navmesh:agent())
      assert.equal(1.5, navmesh:polygons()[1].corners[1].y)
    end)

    it("names areas as asked", function()
      local function area(number, settings)
        local navmesh, message, code = leeward.import_navmesh(put(tile_set(8, number)), settings)
        return navmesh and navmesh:polygons()[1].area, message, code
      end
      assert.equal("ground", (area(0)))
      assert.equal("ground", (area(63)))
      assert.equal("road", (area(0, { areas = { [0] = "road" } })))
      assert.equal("grass", (area(2, { areas = { "road", "grass" } })))
      local found, message, code = area(2)
      assert.is_nil(found)
      assert.equal(("'%s': tile 1, polygon 1 is of area 2, for which no name was given"):format(path), message)
      assert.equal("NOT_FOUND", code)
    end)

    it("is refused when it is cut short anywhere", function()
      local whole = tile_set(8, 0)
      for length = 4, #whole - 1 do
        local navmesh, message, code = leeward.import_navmesh(put(whole:sub(1, length)))
        assert.is_nil(navmesh)
        assert.matches("short", message)
        assert.equal("BAD_FILE", code)
      end
    end)
  end)

  it("tells a missing and a foreign file apart", function()
    local _, message, code = leeward.import_navmesh("/nowhere/at.all")
    assert.equal("cannot read '/nowhere/at.all': No such file or directory", message)
    assert.equal("FILE", code)
    _, message, code = leeward.import_navmesh(put("v 0 0 0\n"))
    assert.matches("cannot be imported: expected a mesh of Polyanya or a tile set of Detour", message)
    assert.equal("BAD_FILE", code)
  end)

  it("raises when it is called wrongly", function()
    local function message(...)
      local ok, text = pcall(leeward.import_navmesh, ...)
      assert.is_false(ok)
      return text
    end
    put(POLYANYA)
    assert.matches("^import_navmesh: ", message(7))
    assert.equal("import_navmesh: unknown key 'area'. Did you mean 'areas'?", message(path, { area = {} }))
    assert.equal("import_navmesh: areas has the key 64, expected 0 to 63",
      message(path, { areas = { [64] = "road" } }))
    assert.matches("areas is 'raod'.*Did you mean 'road'?", message(path, { areas = { [2] = "raod" } }))
    assert.matches("areas%[3%] is false, expected the name of an area", message(path, { areas = { [3] = false } }))
  end)
end)
