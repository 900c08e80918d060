local leeward = require "leeward"
local behaviors = require "behaviors"
local maps = require "support.maps"

describe("a sandbox", function()
  local box
  before_each(function() box = leeward.sandbox() end)

  it("runs a script and gives what it returns", function()
    assert.same({ true, 1, "x", nil, true }, { box:run "return 1, 'x', nil, true" })
    assert.same({ true, { list = { 1, 2 }, name = "post" } }, { box:run "return { list = { 1, 2 }, name = 'post' }" })
  end)

  it("keeps its globals from script to script, and from the game's", function()
    assert.is_true(box:run "count = 1 function add(n) count = count + n end")
    assert.same({ true, 3 }, { box:run "add(2) return count" })
    assert.is_nil(rawget(_G, "count"))
    assert.same({ true, nil }, { leeward.sandbox():run "return count" })
  end)

  it("says where a script is wrong, by the name that it was given", function()
    local ok, message, code = box:run("local x =\n= 1", "mods/guard.lua")
    assert.same({ nil, "INVALID" }, { ok, code })
    assert.matches("mods/guard.lua:2: unexpected symbol near '='", message, 1, true)
    ok, message, code = box:run("\n\nerror 'no post'", "mods/guard.lua")
    assert.same({ nil, "mods/guard.lua:3: no post", "INVALID" }, { ok, message, code })
    ok, message = box:run("error { why = 'no post' }", "mods/guard.lua")
    assert.same({ nil, "mods/guard.lua:1: { why = no post }" }, { ok, message })
  end)

  it("says where a node is built wrong, also behind `return`, and which one there is not", function()
    local _, message = box:run('local b = require "behaviors"\n\nreturn b.sequence {\n  nmae = "x", b.wait(1) }',
      "post.lua")
    assert.equal("post.lua:3: sequence: unknown key 'nmae'. Did you mean 'name'?", message)
    _, message = box:run('\nreturn require "behaviors.nodes.moveto"', "post.lua")
    assert.equal("post.lua:2: there is no node 'moveto'", message)
    local _, tree = assert(box:run([[
      local b = require "behaviors"
      local MoveTo = require "behaviors.nodes.move_to"
      return b.tree { inputs = { post = "vec3" }, b.sequence {
        MoveTo { to = "psot" } } }]], "post.lua"))
    assert.error_matches(function() leeward.tree("spec_post", tree) end, "post.lua:4: .*the key 'psot', which nothing")
  end)

  it("has what the game gives it, and calls it with the game's means", function()
    local said = {}
    box = leeward.sandbox { globals = { NAME = "anna", say = function(text) said[#said + 1] = text:upper() end } }
    assert.is_true(box:run "say(NAME)")
    assert.same({ "ANNA" }, said)
    assert.error_matches(function() leeward.sandbox { globals = { 7 } } end, "sandbox: globals ", 1, true)
  end)

  it("says what its options are", function()
    assert.error_matches(function() leeward.sandbox { memroy = 1 } end,
      "sandbox: unknown key 'memroy'. Did you mean 'memory'?", 1, true)
    assert.error_matches(function() leeward.sandbox { memory = 10 } end, "sandbox: memory is 10, expected", 1, true)
    assert.error_matches(function() leeward.sandbox { instructions = 0 } end, "sandbox: instructions is 0", 1, true)
    assert.error_matches(function() box:run(7) end, "run: source is 7, expected the text of a script", 1, true)
    assert.error_matches(function() box.run("x") end, "run: ", 1, true)
  end)

  it("ends a script that runs for too long, or asks for too much", function()
    local ok, message, code = leeward.sandbox { instructions = 5000 }:run("while true do end", "loop.lua")
    assert.same({ nil, "loop.lua:1: the script did not return within 5000 instructions, the sandbox's instructions",
      "LIMIT" }, { ok, message, code })
    ok, message, code = leeward.sandbox { memory = 100000 }:run "local t = {} for i = 1, 10000 do t[i] = i end"
    assert.same({ nil, "OUT_OF_MEMORY" }, { ok, code })
    assert.matches("100000 bytes", message, 1, true)
  end)

  it("draws numbers from a stream of its own, by its seed", function()
    local script = "return math.random(1000), math.random(), math.random(5, 6)"
    local first = { leeward.sandbox { seed = 7 }:run(script) }
    assert.same(first, { leeward.sandbox { seed = 7 }:run(script) })
    assert.not_same(first, { leeward.sandbox { seed = 8 }:run(script) })
    math.randomseed(5)
    local expected = math.random(1000000)
    math.randomseed(5)
    box:run(script)
    assert.equal(expected, math.random(1000000))
  end)

  it("has metatables as Lua has them, classes and caches", function()
    assert.same({ true, 3, 2, "C2", true, true }, { box:run [[
      local C = {}
      C.__index = C
      setmetatable(C, { __call = function(class, x) return setmetatable({ x = x }, class) end })
      function C:get() return self.x end
      C.__add = function(a, b) return C(a.x + b.x) end
      local a, b = C(1), C(2)
      function C:twice() return self.x * 2 end -- methods and metamethods that come later
      C.__tostring = function(self) return "C" .. self.x end
      return (a + b):get(), a:twice(), tostring(b), getmetatable(a) == C, getmetatable(C).__call ~= nil]] })
    assert.same({ true, "base", "late", "own" }, { box:run [[
      local Base = {}
      Base.__index = Base
      function Base:f() return "base" end
      local Derived = setmetatable({}, { __index = Base })
      Derived.__index = Derived
      local object = setmetatable({}, Derived)
      function Base:g() return "late" end
      function Derived:h() return "own" end
      return object:f(), object:g(), object:h()]] })
    assert.same({ true, "x", "y", true }, { box:run [[
      local meta, own = {}, {}
      local object = setmetatable({}, meta)
      meta.__index = function(_, key) return key end
      setmetatable(own, own)
      own.__index = function(_, key) return key end
      return object.x, own.y, getmetatable(own) == own]] })
    assert.same({ true, 1, nil, 2, 2 }, { box:run [[
      local written, meta, other = {}, {}, {}
      setmetatable({}, meta)
      setmetatable(meta, { __newindex = written })
      meta.a = 1
      setmetatable({}, other)
      setmetatable(other, { __newindex = function(t, key, value) rawset(t, key, 2 * value) end })
      other.b = 1
      return written.a, rawget(meta, "a"), other.b, rawget(other, "b")]] })
    assert.same({ true, "table" }, { box:run [[
      cache = setmetatable({ kept = {} }, { __mode = "v" })
      return type(cache.kept)]] })
    collectgarbage()
    assert.same({ true, nil }, { box:run "return cache.kept" })
  end)

  it("says what a script may set in a metatable", function()
    local _, message = box:run "setmetatable({}, { __mode = 'k' })"
    assert.equal("sandbox:1: a script in a sandbox may not set '__mode' to 'k', expected 'v' or 'kv'", message)
    _, message = box:run "local m = {} setmetatable({}, m) m.__mode = 'v'"
    assert.equal("sandbox:1: a script in a sandbox has to set '__mode' before it calls setmetatable()", message)
    _, message = box:run "setmetatable({}, { __gc = print })"
    assert.equal("sandbox:1: a script in a sandbox may not set '__gc'", message)
  end)

  it("knows what its scripts hold until that is collected", function()
    local empty = box:memory()
    assert(box:run "kept = {} for i = 1, 1000 do kept[i] = { i } end")
    assert.is_true(box:memory() > empty + 1000 * (56 + 16))
    assert(box:run "kept = nil")
    collectgarbage()
    assert.is_true(box:memory() < empty + 10000, box:memory())
  end)

  it("gives functions that enter it again, with its limits", function()
    local ok, answer, forever = box:run [[
      return function(a, b) kept = a return a .. b:rep(2), { back = function() return kept end } end,
        function() while true do end end]]
    assert.is_true(ok)
    local text, more = answer("a", "b")
    assert.equal("abb", text)
    assert.equal("a", more.back())
    assert.error_matches(forever, "did not return within 1000000 instructions, the sandbox's instructions", 1, true)
    assert.equal("abb", (answer("a", "b")))
    assert.equal(string.rep, ("x").rep)
  end)

  it("gives the same function for the same function", function()
    local _, a, b = box:run "local function f() end return f, { f = f }"
    assert.equal(a, b.f)
  end)

  it("gives its tables as copies, that the script cannot change later", function()
    local _, list, change = box:run "local t = { 1 } return t, function() t[1] = 2 end"
    change()
    assert.same({ 1 }, list)
  end)

  it("lets a debugger's hook rest, and sets it again", function()
    local lines = 0
    debug.sethook(function() lines = lines + 1 end, "l")
    local _, _, code = box:run "while true do end"
    local hook, mask = debug.gethook()
    debug.sethook()
    assert.equal("LIMIT", code)
    assert.is_function(hook)
    assert.equal("l", mask)
    assert.is_true(lines > 0)
  end)

  it("cannot be made inside of one", function()
    box = leeward.sandbox { globals = { make = leeward.sandbox } }
    local ok, message = box:run "make()"
    assert.is_nil(ok)
    assert.matches("sandbox: a script in a sandbox may not do that", message, 1, true)
  end)

  it("runs another one by the game's functions, each with its own limits", function()
    local inner = leeward.sandbox { instructions = 20000 }
    box = leeward.sandbox { globals = { ask = function() return select(3, inner:run "while true do end") end } }
    assert.same({ true, "LIMIT" }, { box:run "return ask()" })
  end)
end)

describe("behaviours in a sandbox", function()
  local world, agent, box, logged
  before_each(function()
    logged = {}
    local function log(_, text) logged[#logged + 1] = text end
    world = leeward.world { navmesh = maps.two_rooms(), seed = 3, log = log }
    agent = assert(world:spawn { profile = "human", at = { 1, 0, 1 } })
    box = leeward.sandbox()
  end)

  local function tree_of(script) return select(2, assert(box:run(script, "mods/post.lua"))) end

  it("are trees like any other", function()
    agent:set_tree(tree_of [[
      local behaviors = require "behaviors"
      local MoveTo = require "behaviors.nodes.move_to"
      return behaviors.sequence {
        MoveTo { to = "post" },
        behaviors.leaf { name = "Salute", required = { word = "a word" }, start = function(agent, options)
          agent.blackboard.said = ("%s at %.0f"):format(options.word, agent:position().x)
          return "success"
        end } { word = "here" },
        behaviors.wait(99),
      }]])
    agent.blackboard.post = { 8, 0, 8 }
    world:run(20)
    assert.equal("here at 8", agent.blackboard.said)
    assert.same({}, logged)
  end)

  it("wait in a leaf's run, and the game goes on outside of the sandbox", function()
    agent:set_tree(tree_of [[
      local behaviors = require "behaviors"
      return behaviors.sequence { behaviors.leaf { name = "Stroll", run = function(agent)
        local text = ("a"):upper()
        agent:wait(1)
        assert(agent:move_to_and_wait { 8, 0, 8 })
        agent.blackboard.said = text .. ("b"):upper()
      end } {}, behaviors.wait(99) }]])
    world:step()
    assert.equal(string.rep, ("x").rep)
    assert.is_true(pcall(world.save, world, os.tmpname()))
    world:run(20)
    assert.equal("AB", agent.blackboard.said)
    assert.equal(string.rep, ("x").rep)
    assert.same({}, logged)
  end)

  it("fail where they run for too long, caught or not, and the world goes on", function()
    agent:set_tree(tree_of [[
      local behaviors = require "behaviors"
      return behaviors.selector { behaviors.leaf { name = "Loop", start = function()
        while true do pcall(function() while true do end end) end
      end } {}, behaviors.wait(99) }]])
    local other = assert(world:spawn { profile = "human", at = { 1, 0, 8 } })
    other:move_to { 8, 0, 8 }
    world:run(5)
    assert.equal("arrived", (other:move_state()))
    assert.matches("Loop.*mods/post.lua:3: .*did not return within %d+ instructions", logged[1])
  end)

  it("say at which line a function is that returns nothing", function()
    agent:set_tree(tree_of [[
      local behaviors = require "behaviors"
      return behaviors.selector { behaviors.leaf {
        name = "Nothing", start = function() end } {}, behaviors.wait(99) }]])
    world:step()
    assert.matches("mods/post.lua:3: returned nil, expected 'success'", logged[1], 1, true)
  end)

  it("cannot set options, by no means", function()
    agent:set_tree(tree_of [[
      local behaviors = require "behaviors"
      return behaviors.leaf { name = "Set", required = { "speed" }, tick = function(_, options)
        local good, message = pcall(rawset, options, "speed", 3)
        return "failure", message .. (good and " set" or "")
      end } { speed = 2 }]])
    world:step()
    assert.matches("a leaf's options can only be read", tostring(agent:why()), 1, true)
  end)

  it("fail where they ask for too much memory", function()
    box = leeward.sandbox { memory = 200000 }
    agent:set_tree(tree_of [[
      local behaviors = require "behaviors"
      return behaviors.selector { behaviors.leaf { name = "Hoard", start = function()
        kept = {}
        pcall(function() while true do kept[#kept + 1] = { #kept } end end)
        return "success"
      end } {}, behaviors.wait(99) }]])
    world:run(1)
    assert.matches("Hoard.*the sandbox's memory, 200000 bytes, does not suffice", logged[1])
  end)

  it("keep no more than its memory, over many ticks that each keep little", function()
    box = leeward.sandbox { memory = 200000 }
    agent:set_tree(tree_of [[
      local behaviors = require "behaviors"
      kept = {}
      return behaviors.selector { behaviors.leaf { name = "Hoard", start = function() return "running" end,
        tick = function()
          for _ = 1, 50 do kept[#kept + 1] = { #kept } end
          return "running"
        end } {}, behaviors.wait(99) }]])
    for _ = 1, 20 do world:step(0.1) end
    assert.same({}, logged)
    local held = box:memory()
    assert.is_true(held > 80000 and held < 200000, held)
    for _ = 1, 100 do world:step(0.1) end
    assert.matches("Hoard.*the sandbox's memory, 200000 bytes, does not suffice", logged[1])
    assert.is_true(box:memory() < 1.2 * 200000, box:memory()) -- it is measured about
  end)

  it("clean up in the sandbox when they are aborted", function()
    agent:set_tree(tree_of [[
      local behaviors = require "behaviors"
      return behaviors.leaf { name = "Guard", run = function(agent)
        local post <close> = setmetatable({}, { __close = function() agent.blackboard.left = ("x"):rep(3) end })
        agent:wait()
      end } {}]])
    world:step()
    agent:set_tree(behaviors.wait(9))
    world:step()
    assert.equal("xxx", agent.blackboard.left)
    assert.equal(string.rep, ("x").rep)
  end)

  it("leave nothing in the coroutine that they were aborted in, which another leaf gets", function()
    agent:set_tree(tree_of [[
      local behaviors = require "behaviors"
      return behaviors.leaf { name = "Guard", run = function(agent)
        xpcall(function() agent:wait() end, function() return "x" end)
      end } {}]])
    world:step()
    agent:set_tree(behaviors.leaf { name = "Broken", run = function(a) local _ = a.blackboard.x.y end } {})
    world:run(0.1)
    assert.matches("sandbox_spec.lua:%d+: attempt to index a nil value", logged[1])
  end)

  it("clean up also where the collector takes world and sandbox together", function()
    local function leave_world()
      local left = leeward.world { navmesh = maps.two_rooms() }
      local _, tree = assert(leeward.sandbox():run [[
        local behaviors = require "behaviors"
        return behaviors.leaf { name = "Guard", start = function() return "running" end, tick = function() end,
          stop = function() local _ = ("x"):rep(3) end } {}]])
      left:spawn { profile = "human", at = { 1, 0, 1 }, tree = tree }
      left:step()
    end
    for _ = 1, 20 do
      leave_world()
      collectgarbage()
      collectgarbage()
    end
    assert.equal(string.rep, ("x").rep)
  end)

  it("may send an agent's other trees, whose functions enter the sandbox, too", function()
    agent:set_tree(tree_of [[
      local behaviors = require "behaviors"
      return behaviors.leaf { name = "Change", start = function(agent)
        agent:set_tree(behaviors.selector { behaviors.leaf { name = "Loop", start = function()
          pcall(string.find, ("a"):rep(9999), (".-"):rep(9) .. "b")
          return "success"
        end } {}, behaviors.wait(99) })
        return "success"
      end } {}]])
    world:run(1)
    assert.matches("Loop.*did not return within", logged[1])
  end)

  it("reach neither files nor the clock of the world", function()
    local navmesh = world:navmesh()
    local routes = assert(world:route_table { places = { { 1, 0, 1 }, { 8, 0, 8 } }, profile = "human" })
    box = leeward.sandbox { globals = { world = world, navmesh = navmesh, routes = routes } }
    for _, script in ipairs {
      "world:save 'x'", "world:load 'x'", "navmesh:save 'x'", "routes:save 'x'", "world:load_routes 'x'",
      "world:step(1)", "world:run(1)", "world:destroy()", "world:rebuild {}", "world:reload()",
      "world:set_navmesh(navmesh)",
    } do
      local ok, message, code = box:run(script)
      assert.same({ nil, "INVALID" }, { ok, code }, script)
      assert.matches("a script in a sandbox may not do that", message, 1, true)
    end
    assert.is_true(box:run "assert(world:find_path { from = { 1, 0, 1 }, to = { 8, 0, 8 } })")
    local _, _, code = box:run "while true do world:find_path { from = { 1, 0, 1 }, to = { 8, 0, 8 } } end"
    assert.equal("LIMIT", code)
  end)

  it("listen to what the world tells, in the sandbox", function()
    world:permutation("gate", { default = "open", open = {}, shut = {} })
    box = leeward.sandbox { globals = { world = world } }
    assert.is_true(box:run [[world:on_permutation(function(name, state)
      heard = name .. " " .. state
      pcall(function() while true do end end)
    end)]])
    world:step()
    world:set_permutation("gate", "shut")
    world:step()
    assert.same({ true, "gate shut" }, { box:run "return heard" })
    assert.matches("did not return within", logged[1])
  end)

  it("run the same twice", function()
    local function hash()
      local twin = leeward.world { navmesh = maps.two_rooms(), seed = 3 }
      local _, tree = assert(leeward.sandbox { seed = 4 }:run [[
        local behaviors = require "behaviors"
        local MoveTo = require "behaviors.nodes.move_to"
        return behaviors.sequence { behaviors.leaf { name = "Choose", start = function(agent)
          agent.blackboard.post = { math.random() * 8 + 1, 0, math.random() * 8 + 1 }
          return "success"
        end } {}, MoveTo { to = "post" } }]])
      for i = 1, 5 do assert(twin:spawn { profile = "human", at = { i, 0, 1 }, tree = tree }) end
      twin:run(10)
      return twin:hash()
    end
    assert.equal(hash(), hash())
  end)
end)
