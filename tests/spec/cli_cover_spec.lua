-- Cover in `leeward bake` and `leeward exposure`.
local leeward = require "leeward"
local run = require "support.program"

describe("leeward bake", function()
  local files = {}
  local function new_file()
    local name = os.tmpname()
    files[#files + 1], files[#files + 2] = name, name .. ".lwn"
    return name .. ".lwn"
  end
  teardown(function() for _, file in ipairs(files) do os.remove(file) end end)

  it("leaves occluders and cover segments out on request", function()
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
    local off = tonumber(output:match "cover map of [%d.]+ KiB with a mean error of ([%d.]+) %%")
    assert.is_true(off > 0 and off < 5, output)
  end)
end)

describe("leeward exposure", function()
  local navmesh

  setup(function()
    navmesh = os.tmpname()
    assert.equal(0, (run("bake", "courtyard", navmesh .. ".lwn", "--visibility-table-range", "0")))
  end)
  teardown(function()
    os.remove(navmesh)
    os.remove(navmesh .. ".lwn")
  end)

  it("says what each accuracy costs and loses", function()
    local status, output = run("exposure", navmesh .. ".lwn", "--eyes", "5", "--segments", "40", "--length", "6")
    assert.equal(0, status, output)
    assert.truthy(output:find("%d+ occluders; 200 segments of [%d.]+ m in the mean, [%d.]+ %% of them exposed\n"))
    local cost, off = {}, {}
    for _, by in ipairs { "exact", "fast", "rays" } do
      cost[by], off[by] = output:match("\n" .. by .. " +([%d.]+) +[%d.]+ +%d+ +([%d.]+) +[%d.]+ +[%d.]+  ")
      assert.truthy(cost[by], output)
    end
    assert.equal(0, tonumber(off.exact))
    assert.is_true(tonumber(off.fast) > 0 and tonumber(off.fast) < 0.02, output)
    assert.is_true(tonumber(off.rays) > 0 and tonumber(off.rays) < 0.02, output)
    assert.is_true(tonumber(cost.rays) > tonumber(cost.exact), output)
    assert.truthy(output:find("\nfast +[%d.]+ +[%d.]+ +197 "), output) -- 6 faces of 128 x 128 half floats: 197 kB
  end)

  it("measures the same segments for the same seed", function()
    local function lost(...)
      local status, output = run("exposure", navmesh .. ".lwn", "--eyes", "3", "--segments", "30", ...)
      assert.equal(0, status, output)
      local lines = { output:match "[%d.]+ %% of them exposed" }
      for errors in output:gmatch "\n%l+ +[%d.]+ +[%d.]+ +%d+ ([%d. ]+)" do lines[#lines + 1] = errors end
      return lines
    end
    assert.same(lost("--seed", "7"), lost("--seed", "7"))
    assert.not_same(lost("--seed", "7"), lost("--seed", "8"))
    assert.not_same(lost("--seed", "7"), lost("--seed", "7", "--stance", "crouch"))
  end)
end)
