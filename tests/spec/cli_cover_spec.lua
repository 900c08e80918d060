-- What `leeward bake` and `leeward exposure` make of cover.
local leeward = require "leeward"

local PROGRAM = (os.getenv "BUILD" or "build") .. "/leeward"

--- Exit status, and all that it printed.
local function run(...)
  local words = {}
  for index, word in ipairs { ... } do words[index] = "'" .. word .. "'" end
  local pipe = assert(io.popen(("'%s' %s 2>&1"):format(PROGRAM, table.concat(words, " "))))
  local output = pipe:read "a"
  local _, _, status = pipe:close()
  return status, output
end

describe("leeward bake", function()
  local files = {}
  local function new_file()
    local name = os.tmpname()
    files[#files + 1], files[#files + 2] = name, name .. ".lwn"
    return name .. ".lwn"
  end
  teardown(function() for _, file in ipairs(files) do os.remove(file) end end)

  it("leaves occluders and cover segments out where it is told to", function()
    local with, without = new_file(), new_file()
    assert.equal(0, (run("bake", "courtyard", with)))
    local status, output = run("bake", "courtyard", without, "--no-occluders", "--no-cover-segments")
    assert.equal(0, status)
    assert.is_nil(output:find("cover segments", 1, true))
    local rich, poor = leeward.load_navmesh(with):stats(), leeward.load_navmesh(without):stats()
    assert.is_true(rich.occluders > 0 and rich.cover_segments > 0)
    assert.same({ 0, 0, rich.polygons }, { poor.occluders, poor.cover_segments, poor.polygons })
    assert.is_true(poor.bytes < rich.bytes)
    status, output = run("exposure", without)
    assert.equal(1, status)
    assert.matches("the navmesh has no occluders: it hides nothing", output, 1, true)
  end)

  it("says how much its cover map is off", function()
    local status, output = run("bake", "courtyard", new_file(), "--cover-map")
    assert.equal(0, status)
    local off = tonumber(output:match "cover map of [%d.]+ KiB that is off by ([%d.]+) %%")
    assert.is_true(off > 0 and off < 5, output)
  end)
end)
