local leeward = require "leeward"

-- Each was baked, with no options, of tests/files/yard.obj by the last build that wrote its version.
local VERSIONS = { 14, 15, 16, 17, 18 }

local WEST, EAST, PLATFORM = { 2, 0, 1 }, { 10, 0, 2 }, { 11, 1, 6.5 }
local CORNER = { 1, 0, 7 }
local WAYS = { { WEST, EAST }, { WEST, PLATFORM }, { WEST, CORNER }, { CORNER, EAST }, { PLATFORM, CORNER } }

local function old_file(version)
  return ("tests/files/version_%d.lwn"):format(version)
end

local function version_of(name)
  local file = assert(io.open(name, "rb"))
  local head = file:read(16)
  file:close()
  return (("<I4"):unpack(head, 9))
end

local function lengths(navmesh)
  local world, found = leeward.world { navmesh = navmesh }, {}
  for i, way in ipairs(WAYS) do
    for _, quality in ipairs { "good", "exact" } do
      found[#found + 1] = assert(world:find_path { from = way[1], to = way[2], quality = quality },
        "way " .. i):length()
    end
  end
  return found
end

describe("a navmesh file of an older version", function()
  local new = assert(leeward.bake(assert(leeward.load_geometry "tests/files/yard.obj")))

  for _, version in ipairs(VERSIONS) do
    it(("is loaded and leads the same ways (%d)"):format(version), function()
      assert.equal(version, version_of(old_file(version)))
      local old = assert(leeward.load_navmesh(old_file(version)))
      assert.is_true(old:validate())
      local now = lengths(new)
      for i, length in ipairs(lengths(old)) do
        assert.near(now[i], length, 0.03 * now[i]) -- older borders are coarser
      end
    end)

    it(("still knows what hides whom (%d)"):format(version), function()
      local world = leeward.world { navmesh = assert(leeward.load_navmesh(old_file(version))) }
      assert.is_false(world:sees({ 2, 1.6, 1 }, { 2, 1, 7 })) -- the wall
      assert.is_true(world:sees({ 6, 1.6, 1 }, { 6, 1, 7 })) -- the gap
    end)

    it(("is saved as one of the newest (%d)"):format(version), function()
      local name = os.tmpname()
      finally(function() os.remove(name) end)
      local old = assert(leeward.load_navmesh(old_file(version)))
      assert(old:save(name))
      assert.is_true(version_of(name) > VERSIONS[#VERSIONS])
      local again = assert(leeward.load_navmesh(name))
      assert.is_true(again:validate())
      assert.same(lengths(old), lengths(again))
    end)
  end
end)
