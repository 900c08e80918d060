-- Names that hold control characters, bytes that are not UTF-8 or very many bytes do nothing to a terminal, whatever
-- message they end up in.
local leeward = require "leeward"
local mods = require "support.mods"

local HOSTILE = { "a\n\27[31mred\a\r", "\255\254\192\175", "\194\155m\226\128\174x", ("long"):rep(2500), "a\0b" }

--- The first byte of a text that is none of UTF-8 or a control character; nil: there is none.
local function first_raw(text)
  if not utf8.len(text) then return select(2, utf8.len(text)) end
  return (text:find "[\0-\31\127]") or text:find "\194[\128-\159]" or text:find "\226\128[\168-\174]"
end

--- That a message is one line without control characters, and of a length that can be read.
local function is_clean(text, what)
  assert.is_string(text, what)
  assert.is_nil(first_raw(text), ("%s: %q"):format(what, text))
  assert.is_true(#text <= 1200, ("%s: %d bytes"):format(what, #text))
end

--- All strings in what a call returned or raised.
local function check_results(what, ...)
  for index = 1, select("#", ...) do
    local value = select(index, ...)
    if type(value) == "string" then is_clean(value, what) end
  end
end

describe("leeward.shown", function()
  it("escapes control characters and what is not UTF-8, and cuts in the middle", function()
    assert.equal("a\\n\\x1B[31mred\\x07\\r", leeward.shown(HOSTILE[1]))
    assert.equal("\\xFF\\xFE\\xC0\\xAF", leeward.shown(HOSTILE[2]))
    assert.equal("\\xC2\\x9Bm\\xE2\\x80\\xAEx", leeward.shown(HOSTILE[3]))
    assert.matches("^longlong[long]*%.%.%.[long]*long$", leeward.shown(HOSTILE[4]))
    assert.equal(60, #leeward.shown(HOSTILE[4]))
    assert.equal("a\\0b 1\\0001 straße 'x' \\", leeward.shown "a\0b 1\0001 straße 'x' \\")
    assert.equal("", leeward.shown "")
    assert.equal("xxx...xx", leeward.shown(("x"):rep(9), 8))
  end)

  it("shows what it has shown as it is", function()
    for _, text in ipairs(HOSTILE) do
      local once = leeward.shown(text, 100)
      assert.equal(once, leeward.shown(once, 100))
      is_clean(once, "shown")
    end
  end)

  it("refuses what is no text and too few bytes", function()
    assert.error_matches(function() leeward.shown(3) end, "shown: text is 3, expected a string")
    assert.error_matches(function() leeward.shown("x", 7) end, "shown: bytes is 7, expected a whole number from 8 to")
  end)
end)

local navmesh = leeward.navmesh {
  vertices = { { 0, 0, 0 }, { 9, 0, 0 }, { 9, 0, 9 }, { 0, 0, 9 } }, polygons = { { 1, 2, 3, 4 } },
}

describe("a hostile name", function()

  --- Every call that takes a text, with this one in it.
  local function calls(text)
    local world = leeward.world { navmesh = navmesh }
    local geometry = leeward.geometry()
    local tree_with = function(name, node) return leeward.tree(name, node) end
    return {
      function() return leeward.profile(text) end,
      function() return leeward.profile(text, { radius = 0.3 }) end,
      function() return leeward.profile("hostile", { extends = text }) end,
      function() return leeward.profile("hostile", { [text] = 1 }) end,
      function() return leeward.profile("hostile", { radius = text }) end,
      function() return leeward.profile("hostile", { stances = { [text] = 3 } }) end,
      function() return leeward.profile("hostile", { stances = { [text] = { eye = -1 } } }) end,
      function() return leeward.profile("hostile", { area_factor = { [text] = 1 } }) end,
      function() return leeward.profile("hostile", { avoid = { text } }) end,
      function() return leeward.profile("hostile", { avoid = { [text] = 1 } }) end,
      function() return leeward.profile_info(text) end,
      function() return leeward.area(text) end,
      function() return leeward.area(text, { speed = -1 }) end,
      function() return leeward.area("grass", { [text] = 1 }) end,
      function() return leeward.area("grass", { type = text }) end,
      function() return leeward.find(text) end,
      function() return leeward.load_geometry(text) end,
      function() return leeward.load_geometry("/tmp/" .. text .. ".obj") end,
      function() return leeward.load_navmesh(text) end,
      function() return leeward.import_navmesh(text) end,
      function() return leeward.import_navmesh("x", { areas = { text } }) end,
      function() return leeward.suggest(text, { text }) and nil end,
      function() return leeward.tree(text) end,
      function() return tree_with(text, { kind = text }) end,
      function() return tree_with(text, { kind = "sequence" }) end,
      function() return tree_with("x", { kind = "leaf", name = text }) end,
      function() return tree_with("x", { kind = "wait", name = text, seconds = -1 }) end,
      function() return leeward[text](1) end,
      function() return leeward.bake(geometry, { [text] = 1 }) end,
      function() return leeward.bake(geometry, { cell_size = text }) end,
      function() return leeward.bake(geometry, { links = text }) end,
      function() return geometry:load_gset(text) end,
      function() return geometry:mark_area { area = text, box = { at = { 0, 0, 0 }, size = { 1, 1, 1 } } } end,
      function() return geometry:add_link { kind = text, from = { 0, 0, 0 }, to = { 1, 0, 0 } } end,
      function() return geometry:add_box { at = { 0, 0, 0 }, size = { 1, 1, 1 }, area = text } end,
      function() return navmesh:save("/nowhere/" .. text) end,
      function() return world:save("/nowhere/" .. text) end,
      function() return world:load(text) end,
      function() return world:find_path { from = { 1, 0, 1 }, to = { 2, 0, 2 }, profile = text } end,
      function() return world:find_path { from = { 1, 0, 1 }, to = { 2, 0, 2 }, [text] = 1 } end,
      function() return world:find_path { from = { 1, 0, 1 }, to = { 2, 0, 2 }, quality = text } end,
      function() return world:find_path { from = { 1, 0, 1 }, to = { 2, 0, 2 }, avoid = { text } } end,
      function() return world:spawn { at = { 1, 0, 1 }, profile = text } end,
      function() return world:spawn { at = { 1, 0, 1 }, tree = text } end,
      function() return world:spawn { at = { 1, 0, 1 }, stance = text, profile = "soldier" } end,
      function() return world:spawn { at = { 1, 0, 1 }, team = text } end,
      function() return world:spawn { at = { 1, 0, 1 }, pace = text } end,
      function() return world:add_threat { at = { 1, 0, 1 }, known_to = text } end,
      function() return world:set_visibility { visibility = 1, team = text } end,
      function() return leeward.vec3(text, 1, 2) end,
      function() return leeward.vec3 { x = text, y = 1, z = 2 } end,
      function() return leeward.world { navmesh = navmesh, [text] = 1 } end,
      function() return leeward.world { navmesh = text } end,
    }
  end

  for index, text in ipairs(HOSTILE) do
    it(("is shown as one line by every call (%d)"):format(index), function()
      for number, call in ipairs(calls(text)) do
        check_results(("call %d"):format(number), select(2, pcall(call)))
      end
    end)

    it(("is shown as one line by an agent, its log and its paths (%d)"):format(index), function()
      local lines = {}
      local world = leeward.world { navmesh = navmesh, log = function(_, message) lines[#lines + 1] = message end }
      local name = text:sub(1, 31):gsub("%z", "")
      local profile = { extends = "soldier", stances = { [name] = { eye = 1 } } }
      leeward.profile(name, profile)
      local failing = { kind = "leaf", name = name, tick = function() error(text) end }
      local reasoned = { kind = "leaf", name = name, tick = function() return "failure", text end }
      local wrong = { kind = "leaf", name = name, tick = function() return text end }
      for _, node in ipairs { failing, reasoned, wrong, { kind = "selector", name = name, failing, reasoned } } do
        local agent = assert(world:spawn { at = { 1, 0, 1 }, profile = name, team = name,
          tree = leeward.tree(name, { kind = "sequence", name = name, node }) })
        world:run(0.1)
        agent:set_stance(name)
        is_clean(agent:why(), "why")
        is_clean(tostring(agent), "tostring")
        check_results("index", select(2, pcall(function() agent[text] = 1 end)))
      end
      assert.is_true(#lines > 0)
      for _, line in ipairs(lines) do is_clean(line, "log") end
    end)

    it(("is shown as one line by behaviours (%d)"):format(index), function()
      local behaviors = require "behaviors"
      local world = leeward.world { navmesh = navmesh }
      for number, call in ipairs {
        function() return behaviors.leaf { name = text, tick = 1 } end,
        function() return behaviors.leaf { name = "x", [text] = 1 } end,
        function() return behaviors.leaf { name = text, required = { "to" }, tick = function() end } {} end,
        function() return behaviors.leaf { name = text, tick = function() end } { [text] = 1 } end,
        function() return behaviors.sequence { name = text, 3 } end,
        function() return require "behaviors.nodes.move_to" { to = text, [text] = 1 } end,
        function() return select(2, behaviors.point(assert(world:spawn { at = { 1, 0, 1 } }), text)) end,
      } do
        check_results(("call %d"):format(number), select(2, pcall(call)))
      end
    end)
  end
end)

describe("a hostile title", function()
  it("is drawn on one line, and messages about a picture are one line", function()
    local loaded, sdl = pcall(require, "leeward_sdl")
    if not loaded then return pending "built without the window" end
    local world = leeward.world { navmesh = navmesh }
    local file = os.tmpname()
    for index, text in ipairs(HOSTILE) do
      if index < #HOSTILE then
        leeward.profile(text:sub(1, 31), { extends = "human" })
        assert(world:spawn { at = { 1, 0, 1 }, profile = text:sub(1, 31), team = text:sub(1, 31) })
        assert(sdl.picture { file = file, world = world, title = text })
      end
      for number, options in ipairs { { [text] = 1 }, { file = file, world = world, layers = { text } },
        { file = "/nowhere/" .. text, world = world }, { file = "/nowhere", world = text } } do
        check_results(("picture %d"):format(number), select(2, pcall(sdl.picture, options)))
      end
    end
    os.remove(file)
  end)
end)

describe("a hostile area", function()
  it("is shown as one line by an explanation", function()
    local mod = mods.new()
    mod:write("scripts/areas.lua", [[return { patch = true, areas = {
      { name = "mud\n\27[31m", resistance = 0.9, unsafe = 1 } } }]])
    local output = mod:run [[
      local navmesh = leeward.navmesh {
        vertices = { { 0, 0, 0 }, { 9, 0, 0 }, { 9, 0, 9 }, { 0, 0, 9 } }, polygons = { { 1, 2, 3, 4 } },
        areas = { "mud\n\27[31m" },
      }
      local world = leeward.world { navmesh = navmesh }
      local path = assert(world:find_path { from = { 1, 0, 1 }, to = { 8, 0, 8 }, profile = { extends = "human",
        area_factor = { ["mud\n\27[31m"] = 2 } } })
      print(tostring(path:explain()))
      world:spawn { at = { 1, 0, 1 }, profile = "human" }:move_to { 8, 0, 8 }
      print(world:agents()[1]:why())
    ]]
    mod:remove()
    for line in output:gmatch "[^\n]+" do is_clean(line, "explain") end
    assert.matches("mud\\n\\x1B[31m", output, 1, true)
  end)
end)
