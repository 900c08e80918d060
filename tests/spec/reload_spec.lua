-- Files that are edited while a game runs.
local leeward = require "leeward"
local maps = require "support.maps"
local mods = require "support.mods"

local mod
before_each(function() mod = mods.new() end)
after_each(function() mod:remove() end)

-- A field and a road that takes the long way round (support.maps), in the script of a mod.
local WORLD = [[
local function rectangles(list)
  local vertices, polygons, areas = {}, {}, {}
  for i, r in ipairs(list) do
    local x, z, w, d, first = r[1], r[2], r[3], r[4], #vertices
    for _, corner in ipairs { { x, 0, z }, { x + w, 0, z }, { x + w, 0, z + d }, { x, 0, z + d } } do
      vertices[#vertices + 1] = corner
    end
    polygons[i] = { first + 1, first + 2, first + 3, first + 4 }
    areas[i] = r[5]
  end
  return leeward.navmesh { vertices = vertices, polygons = polygons, areas = areas }
end
local logged = {}
local world = leeward.world {
  navmesh = rectangles { { 0, 0, 40, 4, "ground" }, { 0, 4, 4, 6, "road" }, { 36, 4, 4, 6, "road" },
    { 0, 10, 40, 4, "road" } },
  log = function(level, message) logged[#logged + 1] = level .. ": " .. message end,
}
local ACROSS = { from = { 1, 0, 1 }, to = { 39, 0, 1 } }
local function cost(profile)
  return world:find_path { from = ACROSS.from, to = ACROSS.to, profile = profile }:cost()
end
local function walker(values)
  write("scripts/profiles/walker.lua", "return { extends = 'human', " .. values .. " }")
end
local function round(x) return math.floor(x * 100 + 0.5) / 100 end
]]

local function run(script) return mod:run(WORLD .. script):gsub("\t", " ") end

describe("leeward.reload", function()
  it("finds nothing where nothing was edited", function()
    mod:profile("walker", "return { extends = 'human' }")
    assert.equal("0 0 38.0", run [[
      leeward.profile("walker")
      print(#leeward.reload(), #leeward.reload(), round(cost("walker")))
    ]])
  end)

  it("reloads an edited profile, and all that extend it", function()
    mod:profile("walker", "return { extends = 'human' }")
    mod:profile("runner", "return { extends = 'walker' }")
    assert.equal("38.0 76.0 MOD/scripts/profiles/walker.lua nil", run [[
      local before = cost("runner")
      walker "area_factor = { ground = 1 }, avoid = { 'road' }"
      local files = leeward.reload()
      print(round(before), round(cost("runner")), files[1], files[2])
    ]])
  end)

  it("reloads areas, and keeps what scripts have changed in them", function()
    assert.equal("MOD/scripts/areas.lua 1.5 0.25 swamp 38.0 95.0", run [[
      leeward.area("ground", { exposure = 0.25 })
      leeward.profile("wader", { resistance_factor = { triangular = 1 }, avoid = { "road" } })
      local before = cost { avoid = { "road" } }
      write("scripts/areas.lua", "return { patch = true, areas = { { name = 'ground', resistance = 1.5 },"
        .. " { name = 'swamp' } } }")
      local files = leeward.reload()
      print(files[1], leeward.area("ground").resistance, leeward.area("ground").exposure, leeward.areas()[11],
        round(before), round(cost("wader")))
    ]])
  end)

  it("keeps what scripts defined above what files say", function()
    mod:profile("walker", "return { radius = 0.2, height = 1 }")
    assert.equal("0.3 2.0", run [[
      leeward.profile("walker", { patch = true, radius = 0.3 })
      write("scripts/profiles/walker.lua", "return { radius = 0.1, height = 2 }")
      leeward.reload()
      print(leeward.profile("walker").radius, leeward.profile("walker").height)
    ]])
  end)

  it("notices a patch that comes and goes", function()
    assert.equal("0.4 0.9 0.4 0", run [[
      local radius = { leeward.profile("soldier").radius }
      write("scripts/profiles/soldier.lua", "return { patch = true, radius = 0.9 }")
      leeward.reload()
      radius[2] = leeward.profile("soldier").radius
      os.remove(MOD .. "/scripts/profiles/soldier.lua")
      leeward.reload()
      radius[3] = leeward.profile("soldier").radius
      print(radius[1], radius[2], radius[3], #leeward.reload())
    ]])
  end)

  it("says that the file of a profile in use is removed", function()
    mod:profile("runner", "return { extends = 'human' }")
    assert.matches("profile 'runner': file is removed; looked for scripts/profiles/runner.lua in MOD, ", run [[
      leeward.profile("runner")
      os.remove(MOD .. "/scripts/profiles/runner.lua")
      print(select(2, leeward.reload()))
    ]], 1, true)
  end)

  it("says what is wrong, file and key, and changes nothing at all", function()
    mod:profile("walker", "return { extends = 'human' }")
    mod:profile("runner", "return { extends = 'walker' }")
    assert.equal([[
MOD/scripts/profiles/walker.lua: radius is -1, expected metres from 0 to 1000 BAD_FILE
3.0 0.4 10
MOD/scripts/profiles/walker.lua: extends is 'runner', expected no circle: runner > walker > runner
MOD/scripts/profiles/runner.lua: extends is 'walker', expected the name of a profile
MOD/scripts/areas.lua: unknown key 'aeras'. Did you mean 'areas'?
3.0 0.4 10 38.0
1 5.0]], run([[
      leeward.profile("runner")
      local function try()
        local files, message, code = leeward.reload()
        assert(files == nil)
        return (message:gsub("in " .. MOD .. ".*", "in " .. MOD)), code
      end
      write("scripts/profiles/runner.lua", "return { extends = 'walker', speed = { normal = 5 } }")
      write("scripts/areas.lua", "return { patch = true, areas = { { name = 'swamp' } } }")
      write("scripts/profiles/walker.lua", "return {\n radius = -1 }")
      print(try())
      print(leeward.profile("runner").speed.normal, leeward.profile("walker").radius, #leeward.areas())
      write("scripts/profiles/walker.lua", "return { extends = 'runner' }")
      print((try()))
      os.remove(MOD .. "/scripts/profiles/walker.lua")
      print((try()))
      write("scripts/profiles/walker.lua", "return { extends = 'human' }")
      write("scripts/areas.lua", "return { patch = true, aeras = {} }")
      print((try()))
      print(leeward.profile("runner").speed.normal, leeward.profile("walker").radius, #leeward.areas(),
        round(cost("runner")))
      os.remove(MOD .. "/scripts/areas.lua")
      print(#leeward.reload(), leeward.profile("runner").speed.normal)
    ]]))
  end)
end)

describe("world:reload", function()
  it("tells the log", function()
    mod:profile("walker", "return { extends = 'human' }")
    assert.equal([[
info: reloaded MOD/scripts/profiles/walker.lua
error: not reloaded, the previous data stay in use: MOD/scripts/profiles/walker.lua: radius is -1, ]]
      .. "expected metres from 0 to 1000", run [[
      leeward.profile("walker")
      world:reload()
      walker "radius = 0.3"
      world:reload()
      walker "radius = -1"
      world:reload()
      print(table.concat(logged, "\n"))
    ]])
  end)

  it("gives agents the new numbers at the next step, and walking agents search again", function()
    mod:profile("walker", "return { extends = 'human' }")
    assert.equal([[
ground ground 0
ground ground 0
road 1 walking
3.0 6.0 0]], run [[
      local agent = world:spawn { profile = "walker", at = { 1, 0, 1 } }
      agent:move_to { 39, 0, 1 }
      local idle = world:spawn { profile = "walker", at = { 20, 0, 2 } }
      local function middle() -- of the rest of the path
        for _, point in ipairs(agent:route()) do
          if point.z > 9 then return "road" end
        end
        return "ground"
      end
      local first = middle()
      world:run(0.2)
      print(first, middle(), agent:stats().replans)
      walker "speed = { normal = 6 }, area_factor = { ground = 30 }"
      world:reload()
      print(first, middle(), agent:stats().replans)
      local speed = round(agent:velocity():length())
      world:step()
      print(middle(), agent:stats().replans, agent:move_state())
      print(speed, round(agent:velocity():length()), idle:stats().replans)
    ]])
  end)

  it("gives agents also what scripts have redefined", function()
    assert.equal("3.0 0 6.0", run [[
      leeward.profile("walker", { extends = "human" })
      local agent = world:spawn { profile = "walker", at = { 1, 0, 1 } }
      agent:move_to { 39, 0, 1 }
      leeward.profile("walker", { extends = "human", speed = { normal = 6 } })
      world:step()
      local before = round(agent:velocity():length())
      local files = world:reload()
      world:step()
      print(before, #files, round(agent:velocity():length()))
    ]])
  end)

  it("does not search again where neither passability nor prices changed", function()
    mod:profile("walker", "return { extends = 'human' }")
    assert.equal("0 6.0", run [[
      local agent = world:spawn { profile = "walker", at = { 1, 0, 1 } }
      agent:move_to { 39, 0, 1 }
      walker "speed = { normal = 6 }"
      world:reload()
      world:step()
      print(agent:stats().replans, round(agent:velocity():length()))
    ]])
  end)

  it("keeps an agent's own costs above the new numbers", function()
    mod:profile("walker", "return { extends = 'human' }")
    assert.equal("arrived 0 0 0", run [[
      local own = { extends = "walker", area_factor = { road = 100 } }
      local agent = world:spawn { profile = own, at = { 1, 0, 1 }, cost = { area_factor = { ground = 0.5 } } }
      own.area_factor.road = 0 -- too late: it was spawned with a copy
      agent:move_to { 39, 0, 1 }
      walker "area_factor = { ground = 10, road = 0 }, speed = { normal = 20 }"
      world:reload()
      world:step()
      local off = 0
      for _, point in ipairs(agent:route()) do if point.z > 4 then off = off + 1 end end
      world:run(3)
      print(agent:move_state(), off, agent:stats().replans, agent:stats().off_mesh)
    ]])
  end)

  it("fails the move of an agent whose path is closed, and moves an agent off ground that it may not enter", function()
    mod:profile("walker", "return { extends = 'human' }")
    assert.equal([[
walking walking
failed NO_GOAL walking
0 true]], run [[
      local closed = world:spawn { profile = "walker", at = { 1, 0, 12 } }
      closed:move_to { 20, 0, 1 }
      local edge = world:spawn { profile = "walker", at = { 2, 0, 3 } }
      edge:move_to { 20, 0, 12 }
      print(closed:move_state(), edge:move_state())
      walker "avoid = { 'ground' }"
      world:reload()
      world:step()
      local state, _, code = closed:move_state()
      print(state, code, edge:move_state())
      world:run(1)
      print(edge:stats().off_mesh, edge:position().z >= 4)
    ]])
  end)

  it("may be called from a leaf: the step goes on with what it began", function()
    mod:profile("walker", "return { extends = 'human' }")
    assert.equal("3.0 6.0", run [[
      local reloaded = false
      local agent = world:spawn { profile = "walker", at = { 1, 0, 1 }, tree = { kind = "leaf", name = "Reload",
        start = function()
          if not reloaded then
            walker "speed = { normal = 6 }"
            world:reload()
            reloaded = true
          end
          return "success"
        end } }
      agent:move_to { 39, 0, 1 }
      world:step()
      local first = round(agent:velocity():length())
      world:step()
      print(first, round(agent:velocity():length()))
    ]])
  end)

  it("changes nothing in a run whose files nobody edits", function()
    local function hash(reload)
      local world = leeward.world { navmesh = maps.field_and_road(), seed = 5 }
      for i = 1, 20 do world:spawn { profile = "soldier", at = { i, 0, 2 }, tree = "wander" } end
      world:run(5, function() if reload and world:steps() % 30 == 0 then assert.same({}, world:reload()) end end)
      return world:hash()
    end
    assert.equal(hash(false), hash(true))
  end)

  it("is quick with a thousand agents", function()
    mod:profile("walker", "return { extends = 'soldier' }")
    local note = run [[
      for i = 1, 1000 do
        local agent = world:spawn { profile = "walker", at = { 0.03 * i, 0, 0.5 + i % 7 / 2 } }
        agent:move_to { 39, 0, 1 }
      end
      world:step()
      write("scripts/profiles/walker.lua", "return { extends = 'soldier', area_factor = { ground = 30 } }")
      local began = os.clock()
      world:reload()
      local read = os.clock()
      world:step()
      local done = os.clock()
      local replans = 0
      for _, agent in ipairs(world:agents()) do replans = replans + agent:stats().replans end
      assert(replans == 1000, replans)
      print(("note: save to effect, 1000 walking agents: %.1f ms (%.1f ms to read, %.1f ms to step)"):format(
        (done - began) * 1e3, (read - began) * 1e3, (done - read) * 1e3))
    ]]
    assert.matches("^note: save to effect", note)
    print(note)
  end)
end)
