-- Destroying a world wherever a script may: in leaves, in callbacks, in finalisers, and leaving the program there.
local leeward = require "leeward"
local maps = require "support.maps"
local message = require "support.message"
local shell = require "support.shell"

local GONE = "time: the world was destroyed"

--- A tree of one leaf.
local function leaf(functions)
  functions.kind, functions.name = "leaf", functions.name or "Leaf"
  return functions
end

describe("world:destroy", function()
  local world, log
  before_each(function()
    log = {}
    world = leeward.world { navmesh = maps.floor(10, 10), log = function(_, text) log[#log + 1] = text end }
  end)

  local function spawn(tree) return assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = tree }) end

  describe("in a leaf", function()
    it("ends the world at once for the script, and for the other leaves", function()
      local ticks, errors = 0, {}
      for _ = 1, 3 do
        spawn(leaf { tick = function(agent)
          ticks = ticks + 1
          world:destroy()
          world:destroy()
          errors = { message(world.time, world), message(agent.position, agent), message(world.step, world) }
          return "running"
        end })
      end
      world:step()
      assert.same({ GONE, "position: the world was destroyed", "step: the world was destroyed" }, errors)
      assert.equal(1, ticks)
      assert.equal(GONE, message(world.time, world))
      assert.same({}, log)
    end)

    it("stops what runs, which may ask the world once more, and nothing that had not begun", function()
      local stopped = {}
      local function tree(name, tick)
        return leaf { name = name, start = function() return "running" end, tick = tick,
          stop = function(agent, _, _, how)
            stopped[#stopped + 1] = ("%s %s %s"):format(name, how, agent:position())
          end }
      end
      spawn(tree("one", function() return "running" end))
      spawn(tree("two", function() world:destroy() return "success" end))
      world:step()
      spawn(tree("three"))
      world:step()
      table.sort(stopped)
      assert.same({ "one aborted (1, 0, 1)", "two success (1, 0, 1)" }, stopped)
      assert.same({}, log)
    end)

    it("ends world:run early, without its on_step", function()
      local steps = 0
      spawn(leaf { tick = function()
        if world:steps() == 5 then world:destroy() end
        return "running"
      end })
      world:run(1, function() steps = steps + 1 end)
      assert.equal(5, steps)
    end)

    it("is done when the leaf fails with an error, too", function()
      spawn(leaf { tick = function() world:destroy() error "no" end })
      world:step()
      assert.matches("no", log[1])
      assert.equal(GONE, message(world.time, world))
    end)

    it("frees another world after the step", function()
      local stops = 0
      local other = leeward.world { navmesh = maps.floor(10, 10) }
      other:spawn { profile = "human", at = { 1, 0, 1 }, tree = leaf { start = function() return "running" end,
        tick = function() return "running" end, stop = function() stops = stops + 1 end } }
      spawn(leaf { tick = function()
        other:step()
        other:destroy()
        return "running"
      end })
      world:step()
      assert.equal(1, stops)
      assert.same({}, log)
      world:step()
      assert.matches("the world was destroyed", log[1])
    end)
  end)

  it("lets the collector have a world that waits to be freed", function()
    local stops, others = 0, {}
    local function stop()
      stops = stops + 1
      others = nil
      collectgarbage()
      collectgarbage()
    end
    for i = 1, 4 do
      others[i] = leeward.world { navmesh = maps.floor(10, 10) }
      others[i]:spawn { profile = "human", at = { 1, 0, 1 },
        tree = leaf { start = function() return "running" end, tick = print, stop = stop } }
      others[i]:step()
    end
    spawn(leaf { tick = function()
      for i = 1, 4 do others[i]:destroy() end
      return "success"
    end })
    world:step()
    assert.equal(4, stops)
    assert.same({}, log)
  end)

  it("ends the world in a leaf that is stopped, by whatever", function()
    local function stopping() return leaf { start = function() return "running" end,
      tick = function() return "running" end, stop = function() world:destroy() end } end
    local one = spawn(stopping())
    spawn(stopping())
    world:step()
    one:despawn()
    assert.equal(GONE, message(world.time, world))
    assert.same({}, log)
  end)

  it("ends the world in on_step, and world:run returns", function()
    local steps = 0
    world:run(1, function(w) steps = steps + 1 if steps == 3 then w:destroy() end end)
    assert.equal(3, steps)
    assert.equal(GONE, message(world.time, world))
  end)

  it("ends the world in its log function", function()
    world = leeward.world { navmesh = maps.floor(10, 10), log = function() world:destroy() end }
    spawn(leaf { tick = function() error "no" end })
    world:step()
    assert.equal(GONE, message(world.time, world))
  end)

  it("ends the world in the progress function of a bake", function()
    local level = leeward.geometry()
    level:add_box { min = { 0, -1, 0 }, max = { 9, 0, 9 } }
    assert(leeward.bake(level, { cell_size = 0.3, progress = function() world:destroy() end }))
    assert.equal(GONE, message(world.time, world))
  end)

  it("ends the world while a file is loaded", function()
    local file = os.tmpname()
    spawn(leaf { tick = function() return "running" end })
    assert(world:save(file))
    local load = { agent = function(options)
      world:destroy()
      options.tree = nil
      return options
    end }
    assert.equal("load: the world was destroyed", message(world.load, world, file, load))
    os.remove(file)
  end)

  it("frees the world also in a coroutine, and after errors", function()
    local stops = 0
    local function with_leaf()
      world = leeward.world { navmesh = maps.floor(10, 10) }
      spawn(leaf { start = function() return "running" end, tick = function() return "running" end,
        stop = function() stops = stops + 1 end })
      world:step()
    end
    with_leaf()
    coroutine.wrap(function() world:destroy() end)()
    assert.equal(1, stops)
    with_leaf()
    for _ = 1, 3 do message(world.find_path, world, { too = 1 }) end
    world:destroy()
    assert.equal(2, stops)
  end)

  it("frees the navmesh with the world", function()
    local alive = setmetatable({ maps.floor(10, 10) }, { __mode = "v" })
    local own = leeward.world { navmesh = alive[1] }
    own:spawn { profile = "human", at = { 1, 0, 1 }, tree = leaf { tick = function()
      own:destroy()
      return "success"
    end } }
    own:step()
    own = nil -- luacheck: ignore 311
    collectgarbage()
    collectgarbage()
    assert.is_nil(alive[1])
  end)
end)

describe("leaving the program in a leaf", function()
  local function run(body)
    local name = os.tmpname()
    local file = assert(io.open(name, "w"))
    file:write([[
      local leeward = require "leeward"
      local corners = { { 0, 0, 0 }, { 9, 0, 0 }, { 9, 0, 9 } }
      local navmesh = leeward.navmesh { vertices = corners, polygons = { { 1, 2, 3 } } }
      local world <close> = leeward.world { navmesh = navmesh }
      local function spawn(tree)
        tree.kind, tree.start = "leaf", tree.start or function() return "running" end
        return world:spawn { profile = "human", at = { 5, 0, 2 }, tree = tree }
      end
      ]], body)
    file:close()
    local output, status = shell(("timeout 20 lua5.4 %s 2>&1"):format(name))
    os.remove(name)
    return output, status
  end

  it("ends with its exit status", function()
    for _, how in ipairs { "start = leave", "tick = leave", "stop = leave, tick = function() return 'success' end" } do
      for _, call in ipairs { "world:step() world:step()", "world:run(1)", "world:run(1, leave)" } do
        local output, status = run(([[
          local function leave() os.exit(7, true) end
          for _ = 1, 3 do spawn { %s } end
          %s]]):format(how, call))
        assert.equal(7, status, output)
        assert.equal("", output)
      end
    end
  end)

  it("ends in a finaliser, too", function()
    local output, status = run [[
      collectgarbage("setpause", 0)
      collectgarbage("incremental", 0, 1000, 40)
      for _ = 1, 50 do world:add_threat { at = { 5, 1, 2 } } end
      setmetatable({}, { __gc = function() os.exit(7, true) end })
      for _ = 1, 100 do world:threats() end]]
    assert.equal(7, status, output)
    assert.equal("", output)
  end)
end)

describe("a module that a Lua state opens twice", function()
  it("leaves what the first one created in working order", function()
    local path = assert(package.searchpath("leeward", package.cpath))
    local open = assert(package.loadlib(path, "luaopen_leeward"))
    local stops = 0
    do
      local first = open("leeward", path)
      local world = first.world { navmesh = maps.floor(10, 10) }
      world:spawn { profile = "human", at = { 1, 0, 1 }, tree = leaf { start = function() return "running" end,
        tick = function() return "running" end, stop = function() stops = stops + 1 end } }
      world:step()
      local destroy = world.destroy
      open("leeward", path)
      collectgarbage()
      collectgarbage()
      destroy(world)
    end
    assert.equal(1, stops)
  end)
end)

describe("a list of a world", function()
  it("has everything but what a finaliser removes meanwhile", function()
    local output, status = shell [[lua5.4 -e '
      local leeward = require "leeward"
      local corners = { { 0, 0, 0 }, { 9, 0, 0 }, { 9, 0, 9 } }
      local navmesh = leeward.navmesh { vertices = corners, polygons = { { 1, 2, 3 } } }
      local function list(at_cycle)
        local world = leeward.world { navmesh = navmesh }
        for _ = 1, 30 do world:add_threat { at = { 5, 1, 2 } } end
        local function remove()
          local all = world:threats()
          for i = 10, 20 do all[i]:remove() end
        end
        collectgarbage()
        collectgarbage()
        collectgarbage("setpause", 0)
        collectgarbage("incremental", 0, 1000, 40)
        local cycle = 0
        local function arm()
          setmetatable({}, { __gc = function()
            cycle = cycle + 1
            if cycle < at_cycle then arm() else remove() end
          end })
        end
        arm()
        collectgarbage "stop"
        collectgarbage "restart" -- at the next allocation
        local count = #world:threats()
        collectgarbage("setpause", 200)
        return count, cycle >= at_cycle
      end
      local removed = 0
      for at_cycle = 1, 30 do
        local count, ran = list(at_cycle)
        if ran then removed = removed + 1 end
        assert(count >= 19, count)
      end
      print(removed > 10)']]
    assert.equal(0, status)
    assert.equal("true\n", output)
  end)
end)
