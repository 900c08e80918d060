-- Graphs: pictures of lines over one axis.
local sdl = require "leeward_sdl"
local leeward = require "support.program"

describe("leeward_sdl.graph", function()
  local file

  before_each(function() file = os.tmpname() end)
  after_each(function() os.remove(file) end)

  local function draw(options)
    options.file, options.width, options.height = file, 640, 400
    assert.is_true(sdl.graph(options))
  end

  -- How many of the picture's pixels in a column are nearly of the colour, and the mean of their heights.
  local function column(x, color)
    local count, sum = 0, 0
    for y = 0, 399 do
      local pixel = sdl.read_pixel { file = file, x = x, y = y }
      local off = math.abs((pixel >> 16) - (color >> 16)) + math.abs((pixel >> 8 & 255) - (color >> 8 & 255))
        + math.abs((pixel & 255) - (color & 255))
      if off < 60 then count, sum = count + 1, sum + y end
    end
    return count, sum / math.max(count, 1)
  end

  it("draws lines in their colours, the higher the greater", function()
    draw {
      series = {
        { points = { { 0, 1 }, { 10, 1 } }, color = 0xff0000 }, { points = { { 0, 3 }, { 10, 3 } }, color = 0x00ff00 },
      },
    }
    local red, low = column(300, 0xff0000)
    local green, high = column(300, 0x00ff00)
    assert.is_true(red >= 1 and red <= 4, red)
    assert.is_true(green >= 1 and green <= 4, green)
    assert.is_true(high < low - 50)
  end)

  it("draws slopes", function()
    draw { series = { { points = { { 0, 0 }, { 10, 10 } }, color = 0xff0000 } } }
    local _, left = column(150, 0xff0000)
    local _, middle = column(350, 0xff0000)
    local _, right = column(550, 0xff0000)
    assert.is_true(math.abs(middle - (left + right) / 2) < 2)
    assert.is_true(right < left - 100)
  end)

  it("has room for what is constant, huge, tiny or below zero", function()
    draw { series = { { points = { { 5, 0 }, { 5, 0 } } } } }
    draw { series = { { points = { { -3e38, -3e38 }, { 3e38, 3e38 } } } } }
    draw { series = { { points = { { 1e-38, 1e-38 }, { 2e-38, 3e-38 } } } } }
    draw { title = "below", x = "x", y = "y", series = { { name = "line", points = { { 0, -5 }, { 1, -2 } } } } }
  end)

  it("draws the same again", function()
    local points = { { 0, 1 }, { 1, 2 }, { 2, 0 } }
    local options = { title = "t", x = "s", y = "1/s", series = { { name = "a", points = points } } }
    local function bytes()
      draw(options)
      local stream <close> = assert(io.open(file, "rb"))
      return stream:read "a"
    end
    local first = bytes()
    assert.equal("\137PNG", first:sub(1, 4))
    assert.equal(first, bytes())
  end)

  it("refuses what is wrong and says what would be right", function()
    local function refused(message, options)
      assert.error_matches(function() sdl.graph(options) end, message, 1, true)
    end
    local line = { points = { { 0, 0 }, { 1, 1 } } }
    refused("graph: file is nil, expected a file name", { series = { line } })
    refused("graph: unknown key 'tilte'. Did you mean 'title'?", { file = file, tilte = "" })
    refused("graph: series is nil", { file = file })
    refused("graph: series has 9 elements, expected at most 8",
      { file = file, series = { line, line, line, line, line, line, line, line, line } })
    refused("graph: series[1] is 3, expected a table", { file = file, series = { 3 } })
    refused("graph: series[1].points", { file = file, series = { { points = { { 0, 0 } } } } })
    refused("graph: series[1].points[2] is 7, expected two finite numbers",
      { file = file, series = { { points = { { 0, 0 }, 7 } } } })
    refused("graph: series[2].points[1]", { file = file, series = { line, { points = { { 0, 0 / 0 }, { 1, 1 } } } } })
    refused("graph: series[1].points[1]", { file = file, series = { { points = { { 0 }, { 1, 1 } } } } })
    refused("graph: unknown key 'series[1].colour'. Did you mean 'color'?",
      { file = file, series = { { points = {}, colour = 1 } } })
    refused("graph: width is 5, expected whole pixels from 64 to 16384", { file = file, series = { line }, width = 5 })
    local ok, message, code = sdl.graph { file = "/no/such/folder/x.png", series = { line } }
    assert.is_nil(ok)
    assert.equal("FILE", code)
    assert.truthy(message:find("/no/such/folder/x.png", 1, true))
  end)
end)

describe("leeward run --picture", function()
  local SCENARIO = [[
return {
  level = LEVEL, seed = 3, seconds = 0.5, setup = function() return true end,
  picture = { title = "of the run", graph = function(world) return RETURNED end },
}
]]
  local LEVEL = [[
return {
  name = "tiny",
  geometry = function(leeward)
    local geometry = leeward.geometry()
    geometry:add_box { min = { 0, -1, 0 }, max = { 6, 0, 6 } }
    return geometry
  end,
}
]]
  local folder

  local function file(name, text)
    local path = folder .. "/" .. name
    if text then
      local stream <close> = assert(io.open(path, "wb"))
      stream:write(text)
    end
    return path
  end

  before_each(function()
    folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
  end)
  after_each(function() os.execute("rm -r " .. folder) end)

  local function draw(returned)
    local values = { LEVEL = ("%q"):format(file("tiny.lua", LEVEL)), RETURNED = returned }
    local scenario = file("graph.lua", (SCENARIO:gsub("%u%u+", values)))
    return leeward("run", scenario, "--headless", "--picture", file("graph.png"))
  end

  it("draws the graph that the scenario returns in place of the level", function()
    local status, output = draw "{ series = { { points = { { 0, 0 }, { world:time(), 1 } } } } }"
    assert.equal(0, status, output)
    local stream <close> = assert(io.open(file "graph.png", "rb"))
    local bytes = stream:read "a"
    assert.equal("\137PNG", bytes:sub(1, 4))
    local width, height = (">I4I4"):unpack(bytes, 17)
    assert.same({ 1200, 480 }, { width, height })
  end)

  it("says what is wrong with that graph", function()
    local function refused(message, returned)
      local status, output = draw(returned)
      assert.equal(1, status)
      assert.truthy(output:find(message, 1, true), output)
    end
    refused("graph.lua: result of picture.graph is 7, expected a table", "7")
    refused("graph.lua: picture.graph: series is a list of 0, expected at least 1", "{ series = {} }")
    refused("graph.lua: picture.graph: unknown key 'seris'. Did you mean 'series'?", "{ seris = {} }")
    refused("attempt to index a nil value", "nothing.at_all")
  end)
end)
