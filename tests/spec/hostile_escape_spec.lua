-- Scripts in a sandbox that want to act as the game: by what finalisers may do, by the methods of strings that the game
-- uses, by its functions, leaves and files that run while they do; and instructions that would take long.
local behaviors = require "behaviors"
local leeward = require "leeward"
local maps = require "support.maps"
local mods = require "support.mods"

local FILE = os.tmpname()

local function collect() for _ = 1, 4 do collectgarbage() end end

describe("a hostile script", function()
  local world, box, log
  before_each(function()
    log = {}
    world = leeward.world { navmesh = maps.floor(10, 10), log = function(_, text) log[#log + 1] = text end }
    box = leeward.sandbox { memory = 1 << 20, instructions = 200000, globals = { world = world, FILE = FILE } }
  end)
  after_each(function()
    world:destroy()
    os.remove(FILE)
  end)

  it("is no finaliser by the name of a function", function()
    local ok, message = box:run [[
      local function __gc(f, ...) return f(...) end
      local t = { __gc = __gc }
      for _, call in ipairs { __gc, function(...) return t.__gc(...) end } do
        for _, method in ipairs { "save", "load", "step", "run", "destroy" } do
          local good, why = pcall(call, world[method], world, FILE)
          if good or not why:find "a script in a sandbox may not do that" then error(method .. tostring(why)) end
        end
      end]]
    assert.is_true(ok, message)
    assert.equal(0, world:steps())
  end)

  it("runs neither in a finaliser nor as its world is collected", function()
    local ran = {}
    local free = leeward.sandbox { globals = { note = function(what) ran[#ran + 1] = what end } }
    local _, f, tree = assert(free:run [[
      local behaviors = require "behaviors"
      return function() note "finaliser" end, behaviors.leaf { name = "Bad",
        tick = function() return "running", math.huge end,
        stop = function() note "stop" while true do end end } {} ]])
    local message
    setmetatable({}, { __gc = function() message = select(2, pcall(f)) end })
    collect()
    assert.same({}, ran)
    assert.matches("a script in a sandbox cannot run in a finaliser", message)
    setmetatable({}, { __gc = function() message = select(2, pcall(world.step, world)) end })
    collect()
    assert.matches("^step: called in a finaliser", message)
    local other = leeward.world { navmesh = maps.floor(10, 10) }
    assert(other:spawn { profile = "human", at = { 1, 0, 1 }, tree = tree })
    other:step()
    other = nil -- luacheck: ignore 311
    collect()
    assert.same({}, ran)
    world:spawn { profile = "human", at = { 1, 0, 1 }, tree = tree }
    world:step()
    world:destroy()
    assert.same({ "stop" }, ran) -- within its limits
  end)

  it("runs nothing for the text of an error, or as the coroutine of a leaf is collected", function()
    local function tree_of(body)
      return select(2, assert(leeward.sandbox { globals = { world = world, FILE = FILE } }:run([[
        local behaviors = require "behaviors"
        local function try() note = pcall(world.save, world, FILE) return "x" end
        local function bad()
          return setmetatable({}, { __tostring = function() error(setmetatable({}, { __tostring = try })) end })
        end
        return behaviors.leaf { name = "Bad", run = function(agent) ]] .. body .. [[ end } {} ]])))
    end
    local function is_written() return leeward.is_file(FILE) and io.open(FILE):read(1) ~= nil end
    for _, body in ipairs { "error(bad())", "coroutine.yield(0.01) error(bad())", "agent:wait(0.01) error(bad())" } do
      assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = tree_of(body) })
    end
    world:run(0.1)
    assert.matches("an error whose text raises another one", table.concat(log, "\n"), 1, true)
    assert.is_false(is_written())
    local other = leeward.world { navmesh = maps.floor(10, 10) }
    local tree = tree_of [[local x <close> = setmetatable({}, { __close = try }) coroutine.yield(1000)]]
    assert(other:spawn { profile = "human", at = { 1, 0, 1 }, tree = tree })
    other:step()
    other, tree = nil, nil -- luacheck: ignore 311
    collect()
    assert.is_false(is_written())
  end)

  it("cannot change what the game's strings do, in its functions, finalisers and leaves", function()
    local seen = {}
    local function see() seen[#seen + 1] = ("abc"):upper() .. ("x"):rep(2) end
    local Stops = behaviors.leaf { name = "Stops", tick = function() return "running", math.huge end, stop = see }
    local agent = assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = Stops {} })
    world:step()
    local evil = leeward.sandbox { globals = { see = see, agent = agent, shared = { see = see } } }
    for _ = 1, 20 do setmetatable({}, { __gc = see }) end
    assert(evil:run [[
      for name in pairs(string) do string[name] = function() error "EVIL" end end
      string.trim = function() return "EVIL" end
      assert(pcall(string.upper, "x") == false)
      assert(("x"):upper() == "X" and ("x"):trim() == "EVIL")
      see()
      shared.see()
      agent:set_tree(nil)
      for i = 1, 50000 do local _ = { i } end]])
    collect()
    assert.equal(23, #seen)
    for _, text in ipairs(seen) do assert.equal("ABCxx", text) end
    assert.same({}, log)
  end)

  it("cannot change what the files of trees do that it asks for", function()
    local mod = mods.new()
    assert(os.execute(("mkdir -p '%s/behaviors/trees'"):format(mod.folder)))
    mod:write("behaviors/trees/shouts.lua", "return require('behaviors').wait(#(('%d'):format(1234567)))")
    local output = mod:run [[
      require "behaviors"
      local level = leeward.geometry()
      level:add_box { min = { 0, -1, 0 }, max = { 10, 0, 10 } }
      local world = leeward.world { navmesh = assert(leeward.bake(level)) }
      local agent = world:spawn { profile = "human", at = { 1, 0, 1 } }
      assert(leeward.sandbox { globals = { agent = agent } }:run [=[
        string.format = function() return "" end
        agent:set_tree "shouts"]=])
      world:run(6)
      print(agent:why())
    ]]
    assert.equal("shouts > wait: stands", output)
    mod:remove()
  end)

  it("runs within its limits what it gives to a function of the game", function()
    local function each(list, f) for _, value in ipairs(list) do f(value) end end
    local given = leeward.sandbox { globals = { world = world, each = each } }
    for _, script in ipairs {
      "each({ 1 }, function() world:step() end)",
      "each(setmetatable({}, { __index = function() world:step() end }), print)",
      "each({ 1 }, setmetatable({}, { __call = function() world:step() end }))",
      "each({ 1 }, coroutine.wrap(function() world:step() end))",
    } do
      local ok, message = given:run(script)
      assert.is_nil(ok)
      assert.matches("step: a script in a sandbox may not do that", message, 1, true)
    end
    assert.equal(0, world:steps())
  end)

  it("finds methods of strings that it adds, unless the game has one of that name", function()
    rawset(string, "of_game", function() return "game" end)
    local _, own, games = box:run [[
      function string.own(text) return text .. "!" end
      function string.of_game(text) return text end
      return ("x"):own(), ("x").of_game]]
    rawset(string, "of_game", nil)
    assert.same({ "x!" }, { own, games })
  end)

  it("ends no finaliser or leaf of the game by its limits", function()
    local finished = 0
    local function work()
      local text = ("x"):rep(600000)
      for _ = 1, 500 do text = text:sub(1, 600000) end
      finished = finished + 1
    end
    local Stops = behaviors.leaf { name = "Stops", tick = function() return "running", math.huge end, stop = work }
    local agent = assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = Stops {} })
    world:step()
    local full = leeward.sandbox { memory = 1 << 20, instructions = 10000000, seconds = 60,
      globals = { agent = agent } }
    setmetatable({}, { __gc = work })
    local ok, message = full:run [[
      kept = {} for i = 1, 5000 do kept[i] = { i } end
      agent:set_tree(nil)
      for i = 1, 30000 do local _ = { i } end]]
    assert.is_true(ok, message)
    collect()
    assert.equal(2, finished)
    assert.same({}, log)
  end)

  it("runs nothing by what it writes into a blackboard that nodes of the library read", function()
    local agents, keys = {}, {}
    for _, name in ipairs { "patrol", "convoy", "medic", "guard", "driver" } do
      agents[#agents + 1] = world:spawn { profile = "human", at = { 1, 0, 1 }, tree = name, team = "red" }
    end
    local MoveTo, CanSee = require "behaviors.nodes.move_to", require "behaviors.nodes.can_see"
    for _, node in ipairs { MoveTo { to = "goal" }, CanSee { target = "goal" } } do
      agents[#agents + 1] = world:spawn { profile = "human", at = { 1, 0, 1 }, tree = node }
    end
    for _, key in ipairs { "route", "points", "goal", "patrol_next", "convoy_next", "heal_seconds", "leader",
      "team.wounded", "team.treating", "post" } do keys[#keys + 1] = key end
    local evil = leeward.sandbox { globals = { agents = agents, keys = keys, FILE = FILE } }
    assert(evil:run [[
      local function try() agents[1]:world():save(FILE) return 1 end
      local meta = { __metatable = "leeward.agent" }
      for event in ("index newindex call add sub mul div mod unm concat len eq lt le tostring pairs"):gmatch "%a+" do
        meta["__" .. event] = try
      end
      for _, agent in ipairs(agents) do
        for _, key in ipairs(keys) do agent.blackboard[key] = setmetatable({ { 2, 0, 2 }, { 8, 0, 8 } }, meta) end
      end]])
    world:run(2)
    assert.is_nil(io.open(FILE) and io.open(FILE):read(1))
  end)

  for what, script in pairs {
    ["puts many keys of one place into a table"] = [[
      local t = {} for j = 1, 1 << 17 do t[j * ((1 << 18) - 1)] = true end t.x = 1]],
    ["returns tables whose keys are all alike"] = [[
      local list = {}
      for n = 1, 10 do
        local t = {}
        for j = 1, 1 << 14 do t[j * ((1 << 15) - 1)] = true end
        list[n] = t
      end
      return list, list]],
    ["makes metatables of many keys that are all alike"] = [[
      local meta = { __mode = "v" }
      for j = 1, 1 << 14 do meta[j * ((1 << 15) - 1)] = true end
      for _ = 1, 20 do
        local other = { __mode = "v" }
        for key in pairs(meta) do other[key] = true end
        setmetatable({}, other)
      end]],
    ["matches a long set"] = "local set = '[' .. ('%a'):rep(10000) .. ']' return (' '):rep(60000):find(set)",
    ["matches the frontier of a long set"] =
      "local set = '%f[' .. ('%a'):rep(10000) .. ']' return (' '):rep(60000):find(set)",
    ["looks for the end of a long set"] =
      "local set = '[' .. ('a'):rep(20000) .. ']-b' return ('a'):rep(60000):find(set)",
  } do
    it("that " .. what .. " is ended in time", function()
      local slow = leeward.sandbox { memory = 16 << 20, seconds = 0.3 }
      local began = os.clock()
      local ok, message = slow:run(script)
      assert.is_nil(ok)
      assert.is_true(os.clock() - began < 2, os.clock() - began)
      assert.is_true((message:find("did not return within", 1, true)
        or message:find("a table has more keys than the sandbox allows, 32768", 1, true)) ~= nil, message)
    end)
  end

  it("has characters of UTF-8 as Lua has them", function()
    local _, count = box:run [[
      local count = 0
      for _ in ("aä€"):gmatch(utf8.charpattern) do count = count + 1 end
      return count]]
    assert.equal(3, count)
  end)
end)
