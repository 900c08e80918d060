-- What the debug window shows, without a display: a window that is open while something changes shows what one shows
-- that is opened afterwards.
local found = pcall(require, "leeward_sdl")

local FRAMES, SCRIPT, FRAME = os.tmpname(), os.tmpname(), os.tmpname()
local HEADER = 60 -- rows above the level, with the time

-- What a window shows: a world in which one change is made before it opens, meanwhile, or never.
local SOURCE = [[
local leeward, sdl = require "leeward", require "leeward_sdl"
local name, when, layers = arg[1], arg[2], arg[3]

local function floor(wall)
  local level = leeward.geometry()
  level:add_box { at = { 12, -1, 8 }, size = { 24, 1, 16 } }
  level:add_box { at = { 4, 0, 8 }, size = { 0.5, 2, 4 }, area = false }
  if wall then level:add_box { at = { 16, 0, 8 }, size = { 1, 2, 8 }, area = false } end
  level:add_link { kind = "jump", from = { 20, 0, 4 }, to = { 20, 0, 12 }, name = "jump" }
  return assert(leeward.bake(level, { cell_size = 0.25, agent_radius = 0.25, tile_size = 8, threads = 1 }))
end
local navmesh, other = floor(false), floor(true)
local crate, eye

local changes = {
  obstacle = function(world) world:add_obstacle { at = { 12, 0, 8 }, size = { 3, 2, 3 } } end,
  ["obstacle that goes"] = function() crate:remove() end,
  ["obstacle that moves"] = function() crate:move { 18, 0, 4 } end,
  ["obstacle at a price"] = function(world)
    world:add_obstacle { at = { 12, 0, 8 }, size = { 3, 2, 3 }, blocks = false, cost = 4 }
  end,
  ["obstacle that only hides"] = function(world)
    world:add_obstacle { at = { 12, 0, 8 }, size = { 1, 2, 3 }, blocks = false, cover = "soft" }
  end,
  permutation = function(world) world:set_permutation("gate", "shut") end,
  ["permutation with tiles"] = function(world) world:set_permutation("wall", "there") end,
  ["permutation of a name alone"] = function(world) world:set_permutation("lamp", "lit") end,
  ["link that is barred"] = function(world) world:link "jump":disable() end,
  ["link that comes"] = function(world) world:add_link { kind = "jump", from = { 2, 0, 2 }, to = { 8, 0, 2 } } end,
  navmesh = function(world) world:set_navmesh(other) end,
  threat = function() eye:move { 20, 1.6, 13 } end,
}

local world = leeward.world { navmesh = navmesh }
crate = world:add_obstacle { at = { 8, 0, 12 }, size = { 1, 2, 1 } }
eye = world:add_threat { at = { 1, 1.6, 8 } }
world:permutation("gate", { default = "open", open = {},
  shut = { cut = { { box = { min = { 10, -1, 0 }, max = { 11, 2, 6 } } } } } })
local tiles = navmesh:differing_tiles(other)
tiles.source = other
world:permutation("wall", { default = "gone", gone = {}, there = { tiles = tiles } })
world:permutation("lamp", { default = "dark", dark = {}, lit = {} })
world:step()
if when == "before" then changes[name](world) end
world:step()
local begun = world:steps()
local function on_step() if when == "meanwhile" and world:steps() == begun + 4 then changes[name](world) end end
local list = {}
for layer in layers:gmatch "%a+" do list[#list + 1] = layer end
sdl.view { world = world, on_step = on_step, layers = list } -- window_frames.c ends it
]]

--- The last frame of each of some windows: all below its header.
local function frames_of(name, layers, whens)
  local commands, frames = {}, {}
  local preload = ("LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}%s"):format(FRAMES)
  for i, when in ipairs(whens) do
    commands[i] = ("%s FRAME='%s.%s' SDL_VIDEODRIVER=dummy lua5.4 '%s' '%s' %s %s &"):format(preload, FRAME, when,
      SCRIPT, name, when, layers)
  end
  os.execute(table.concat(commands, "\n") .. "\nwait")
  for i, when in ipairs(whens) do
    local file = assert(io.open(FRAME .. "." .. when, "rb"), when)
    local data = file:read "a"
    file:close()
    os.remove(FRAME .. "." .. when)
    local width, height = string.unpack("<i4i4", data)
    assert.equal(8 + 4 * width * height, #data)
    frames[i] = data:sub(9 + 4 * width * HEADER)
  end
  return table.unpack(frames)
end

describe("a window", function()
  if not found then
    pending "leeward_sdl is not built"
    return
  end

  setup(function()
    local file = assert(io.open(SCRIPT, "w"))
    file:write(SOURCE)
    file:close()
    local compile = "LD_PRELOAD= gcc -std=c17 -shared -fPIC tests/spec/support/window_frames.c -lSDL2 -o "
    assert.is_true(os.execute(compile .. FRAMES))
  end)

  teardown(function()
    for _, file in ipairs { FRAMES, SCRIPT, FRAME } do os.remove(file) end
  end)

  local CHANGES = {
    ["obstacle"] = "areas,obstacles,cover,exposure", ["obstacle that goes"] = "areas,obstacles,cover,exposure",
    ["obstacle that moves"] = "areas,obstacles,cover,exposure", ["obstacle at a price"] = "areas,obstacles",
    ["obstacle that only hides"] = "areas,obstacles,cover,exposure",
    ["permutation"] = "areas,edges,borders,cover,exposure", ["permutation with tiles"] = "areas,borders,cover,exposure",
    ["permutation of a name alone"] = "obstacles", ["link that is barred"] = "areas,links",
    ["link that comes"] = "areas,links", ["navmesh"] = "areas,borders,cover,exposure",
    ["threat"] = "areas,threats,exposure",
  }
  for name, layers in pairs(CHANGES) do
    it("shows what changes while it is open: " .. name, function()
      local meanwhile, before, never = frames_of(name, layers, { "meanwhile", "before", "never" })
      assert.is_true(meanwhile == before, "not what a window shows that is opened later")
      assert.is_true(meanwhile ~= never, "nothing of it is shown")
    end)
  end
end)
