-- The nodes of trees as scripts write them: reactive conditions, decorators, services, coroutines, blackboards, events.
local leeward = require "leeward"
local behaviors = require "behaviors"
local maps = require "support.maps"
local trees = require "support.trees"

local world, log, calls

before_each(function() world, log, calls = trees.open() end)

after_each(function() world:destroy() end)

local function spawn(tree, options) return trees.spawn(world, tree, options) end
local function Note(name) return trees.note(calls, name) end
local function trace() return trees.trace(calls) end

describe("a condition", function()
  it("takes over from a later child when its key is set, which is aborted first, in the next step", function()
    local agent = spawn(behaviors.selector {
      behaviors.condition { key = "enemy", abort = "both", Note "fight" }, Note "patrol",
    })
    world:step()
    assert.equal("patrol starts", trace())
    for _ = 1, 10 do world:step() end
    assert.equal("", trace())
    agent.blackboard.enemy = agent
    world:step()
    assert.equal("patrol aborted, fight starts", trace())
    agent.blackboard.enemy = nil
    world:step()
    assert.equal("fight aborted, patrol starts", trace())
    assert.same({}, log)
    assert.is_nil(agent:why():find("last failure", 1, true)) -- a condition that is false is none
  end)

  it("reacts in the same step to what a leaf of another agent writes, whichever comes first", function()
    local function watcher()
      return spawn(behaviors.selector {
        behaviors.condition { key = "team.alarm", abort = "lower", Note "flee" }, Note "idle",
      }, { team = "red" })
    end
    local first = watcher()
    local writer = spawn(behaviors.sequence {
      behaviors.wait(0.05),
      behaviors.leaf {
        name = "Shout", start = function(agent) agent.blackboard["team.alarm"] = true return "success" end,
      } (),
      behaviors.wait(9),
    }, { team = "red" })
    watcher()
    spawn(behaviors.selector {
      behaviors.condition { key = "team.alarm", abort = "lower", Note "blue" }, behaviors.wait(9),
    }, { team = "blue" })
    world:run(0.04)
    assert.equal("idle starts, idle starts", trace())
    while #calls == 0 do world:step() end
    assert.equal("idle aborted, flee starts, idle aborted, flee starts", trace())
    assert.is_true(first.blackboard["team.alarm"])
    assert.is_true(writer.blackboard["team.alarm"])
  end)

  it("compares numbers, strings, points", function()
    local function holds(options, value)
      options.key = "x"
      local node = behaviors.selector { behaviors.sequence { behaviors.condition(options), Note "yes" }, Note "no" }
      spawn(node, { blackboard = { x = value } })
      world:step()
      return trace() == "yes starts"
    end
    assert.is_true(holds({ below = 3 }, 2))
    assert.is_false(holds({ below = 3 }, 3))
    assert.is_true(holds({ at_most = 3 }, 3))
    assert.is_false(holds({ above = 3 }, "4"))
    assert.is_true(holds({ at_least = 3 }, 3.5))
    assert.is_true(holds({ equals = "calm" }, "calm"))
    assert.is_true(holds({ differs = "calm" }, nil))
    assert.is_true(holds({ equals = leeward.vec3(1, 0, 2) }, leeward.vec3(1, 0, 2)))
    assert.is_true(holds({ unset = true }, false))
    assert.is_false(holds({}, false))
    assert.is_true(holds({}, {}))
  end)

  it("asks a function again only when what it reads has changed", function()
    local asked = 0
    local agent = spawn(behaviors.selector {
      reactive = true,
      behaviors.condition {
        reads = { "ammo", "enemy" },
        test = function(a) asked = asked + 1 return a.blackboard.enemy and a.blackboard.ammo > 0 end,
        Note "shoot",
      },
      Note "hide",
    }, { blackboard = { ammo = 1 } })
    world:run(1)
    assert.equal(1, asked)
    agent.blackboard.other = 1
    world:step()
    assert.equal(1, asked)
    agent.blackboard.enemy = true
    world:step()
    assert.equal("hide starts, hide aborted, shoot starts", trace())
    agent.blackboard.ammo = 0
    world:step()
    assert.equal("shoot aborted, hide starts", trace())
  end)

  it("without a child ends a reactive sequence that it guards", function()
    local agent = spawn(behaviors.selector {
      behaviors.sequence { reactive = true, behaviors.condition { key = "go" }, Note "walk" }, Note "rest",
    }, { blackboard = { go = true } })
    world:step()
    agent.blackboard.go = nil
    world:step()
    assert.equal("walk starts, walk aborted, rest starts", trace())
  end)

  it("says what is wrong with it", function()
    local function says(message, options)
      local ok, got = pcall(behaviors.condition, options)
      assert.is_false(ok)
      assert.matches(message, got, 1, true)
    end
    says("condition: key is nil, expected a key of the blackboard, or an 'event' or 'test'", {})
    says("condition: below is 'x', expected a finite number", { key = "a", below = "x" })
    says("condition: 'above' and 'below' are given, expected one test", { key = "a", below = 1, above = 0 })
    says("condition: abort is 'lowr', expected 'none', 'self', 'lower' or 'both'", { key = "a", abort = "lowr" })
    says("unknown key 'kye'. Did you mean 'key'?", { kye = "a" })
    local ok, got = pcall(leeward.tree, "spec_lower",
      behaviors.sequence { behaviors.condition { key = "a", abort = "lower", Note "x" } })
    assert.is_false(ok)
    assert.matches("sequence > condition: abort is 'lower', expected it where a child", got, 1, true)
  end)
end)

describe("an event", function()
  it("is there for conditions in the step in which it comes", function()
    local got
    local agent = spawn(behaviors.selector {
      behaviors.condition {
        event = "shot", abort = "lower",
        behaviors.leaf { name = "Duck", start = function(a) got = a.blackboard["event.shot"] return "success" end } (),
      },
      Note "idle",
    })
    world:step()
    agent:send("shot", { from = "north" })
    world:step()
    assert.same({ from = "north" }, got)
    assert.is_nil(agent.blackboard["event.shot"])
    assert.equal("idle starts, idle aborted", trace())
    world:step() -- begins again: the event is gone
    assert.equal("idle starts", trace())
    agent:send "shout" -- nothing reads it
    world:step()
    assert.equal("", trace())
    agent:send("shot", 3)
    world:step()
    assert.equal(3, got)
  end)

  it("of the world comes to all", function()
    for _ = 1, 3 do
      spawn(behaviors.selector { behaviors.condition { event = "night", abort = "lower", Note "sleep" }, Note "work" })
    end
    world:step()
    world:emit "night"
    world:step()
    assert.equal(("work starts, "):rep(3) .. "work aborted, sleep starts, work aborted, sleep starts, work aborted, "
      .. "sleep starts", trace())
  end)

  it("cannot be written to the blackboard", function()
    local agent = spawn(behaviors.wait(1))
    assert.error_matches(function() agent.blackboard["event.shot"] = 1 end,
      "cannot set 'event.shot', an event; agent:send%(%) and world:emit%(%) do")
  end)
end)

describe("decorators", function()
  local function run(node, seconds)
    spawn(node)
    world:run(seconds or 0.01)
    return trace()
  end

  it("give a child up after a time", function()
    assert.equal("slow starts, slow aborted, then starts",
      run(behaviors.selector { behaviors.timeout { seconds = 0.5, Note "slow" }, Note "then" }, 0.6))
  end)

  it("wait before a child may begin again", function()
    spawn(behaviors.sequence {
      behaviors.force_success { behaviors.cooldown { seconds = 0.5, behaviors.leaf {
        name = "Shoot",
        start = function() calls[#calls + 1] = ("%.2f"):format(world:time()) return "success" end,
      } () } },
      behaviors.wait(0.2),
    })
    world:run(1.4)
    local times = {}
    for _, text in ipairs(calls) do times[#times + 1] = tonumber(text) end
    assert.is_true(#times == 2 or #times == 3)
    assert.is_true(times[2] - times[1] >= 0.5)
  end)

  it("count", function()
    local Count = behaviors.leaf { name = "Count", start = function() calls[#calls + 1] = "x" return "success" end }
    assert.equal("x, x, x, done starts",
      run(behaviors.sequence { behaviors.repeated { times = 3, Count() }, Note "done" }, 0.2))
    local Fail = behaviors.leaf { name = "Fail", start = function() calls[#calls + 1] = "f" return "failure" end }
    assert.equal("f, f, done starts",
      run(behaviors.selector { behaviors.retry { times = 2, Fail() }, Note "done" }, 0.2))
    assert.equal("f, done starts", run(behaviors.selector {
      behaviors.inverter { behaviors.force_success { Fail() } }, Note "done" }))
    assert.equal("x, done starts", run(behaviors.selector {
      behaviors.limit { times = 0, Count() }, behaviors.force_failure { Count() }, Note "done" }))
  end)

  it("run several children at once", function()
    local agent = spawn(behaviors.sequence { behaviors.parallel { succeed = 1, Note "a", Note "b" }, Note "c" })
    world:step()
    assert.equal("a starts, b starts", trace())
    agent.blackboard.b = "success"
    agent:wake()
    world:step()
    assert.equal("b success, a aborted, c starts", trace())
  end)

  it("draw by weight", function()
    local counts = { 0, 0 }
    local function Pick(i)
      return behaviors.leaf { name = "Pick", start = function() counts[i] = counts[i] + 1 return "success" end } ()
    end
    spawn(behaviors.random { weights = { 3, 1 }, Pick(1), Pick(2) })
    for _ = 1, 1000 do world:step() end
    assert.is_true(math.abs(counts[1] - 750) < 60)
    assert.equal(1000, counts[1] + counts[2])
  end)

  it("choose by score, and change only for one that is higher by the hysteresis", function()
    local agent = spawn(behaviors.utility {
      hysteresis = 0.2, scores = { "hunger", function(a) return a.blackboard.fear end }, reads = { "fear" },
      Note "eat", Note "hide",
    }, { blackboard = { hunger = 0.5, fear = 0.1 } })
    world:step()
    agent.blackboard.fear = 0.6
    world:step()
    assert.equal("eat starts", trace())
    agent.blackboard.fear = 0.8
    world:step()
    assert.equal("eat aborted, hide starts", trace())
  end)

  it("refresh a key while their branch runs", function()
    local agent = spawn(behaviors.selector {
      reactive = true,
      behaviors.condition { key = "near", Note "greet" },
      behaviors.every {
        seconds = 0.1, update = function(a) a.blackboard.near = a:world():time() >= 0.5 end, Note "idle",
      },
    })
    world:run(0.45)
    assert.equal("idle starts", trace())
    world:run(0.15)
    assert.equal("idle aborted, greet starts", trace())
    assert.is_true(agent.blackboard.near)
  end)
end)

describe("an error", function()
  local function deepest(t) return t.x.y + 1 end
  local DEEPEST <const> = debug.getinfo(1, "l").currentline - 1
  local function fails()
    local answer = deepest {}
    return answer
  end
  local TEXT <const> = ("tree_nodes_spec%%.lua:%d: attempt to index a nil value %%(field 'x'%%)"):format(DEEPEST)
  local FAILS <const> = DEEPEST + 3

  --- The tree logs the error of fails() once, which was called at that line after this one.
  local function says_who_called(tree)
    local line, agent = debug.getinfo(2, "l").currentline, spawn(tree)
    for _ = 1, 3 do world:step() end
    assert.matches(("%s, called from [^,]*tree_nodes_spec%%.lua:%d, [^,]*tree_nodes_spec%%.lua:%d$")
      :format(TEXT, FAILS, line), log[1])
    agent:despawn()
    for i = #log, 1, -1 do log[i] = nil end
  end

  local function Leaf(definition)
    definition.name = "Broken"
    return behaviors.sequence { behaviors.leaf(definition) {}, behaviors.wait(9) }
  end

  local function one(after, ...) return after, ... end -- no tail call: those have no line

  it("of any function of a leaf says who called", function()
    local function running() return "running" end
    says_who_called(Leaf { start = function() return one(fails()) end })
    says_who_called(Leaf { start = function(_, _, state) state.n = 1 return one(fails()) end })
    says_who_called(Leaf { tick = function() return one(fails()) end })
    says_who_called(Leaf { start = running, tick = function() return one(fails()) end })
    says_who_called(Leaf { run = function(a) a:wait(0.02) return one(fails()) end })
    says_who_called(Leaf { start = function() return "success" end, stop = function() return one(fails()) end })
  end)

  it("of a service, a test and a score says who called", function()
    says_who_called(behaviors.every { seconds = 9, update = function() return one(fails()) end, behaviors.wait(9) })
    local rest = behaviors.wait(9)
    says_who_called(behaviors.selector { behaviors.condition { test = function() return one(fails()) end }, rest })
    says_who_called(behaviors.utility { scores = { function() return one(fails()) end, "key" }, rest, rest })
  end)

  it("of `save` and `load` says who called", function()
    local broken
    leeward.tree("spec_broken", behaviors.leaf {
      name = "Broken", start = function() return "running" end, tick = function() return "running" end,
      save = function() return broken == "save" and fails() or 1 end,
      load = function() return broken == "load" and fails() end,
    } {})
    spawn("spec_broken")
    world:step()
    local file = os.tmpname()
    for _, which in ipairs { "save", "load" } do
      broken = nil
      assert(world:save(file))
      broken = which
      if which == "save" then assert(world:save(file)) else assert(world:load(file)) end
      assert.matches(("%s: .*%s, called from [^,]*tree_nodes_spec%%.lua:%d, "):format(which, TEXT, FAILS), log[1])
      log[1] = nil
    end
    os.remove(file)
  end)

  it("does not say who called the step", function()
    spawn(Leaf { start = function() error "here" end })
    for _, step in ipairs { "step", "run" } do
      local function call() world[step](world, 0.1) return 1 end
      call()
      assert.not_matches("called from", table.concat(log, "\n"))
      log[1] = nil
      spawn(Leaf { start = function() error "here" end })
    end
  end)
end)

describe("a leaf that is a coroutine", function()
  it("waits and walks", function()
    local agent = spawn(behaviors.leaf {
      name = "Errand",
      run = function(a)
        a:wait(0.5)
        calls[#calls + 1] = ("%.1f"):format(a:world():time())
        assert(a:move_to_and_wait { 9, 0, 1 })
        calls[#calls + 1] = ("%.1f"):format(a:position().x)
        a:wait()
        calls[#calls + 1] = "woken"
      end,
    } ())
    world:run(15)
    assert.equal("0.5, 8.7", trace())
    agent:wake()
    world:step()
    assert.equal("woken", trace())
    assert.same({}, log)
  end)

  it("is closed when it is aborted, and when its agent goes", function()
    local Guard = behaviors.leaf {
      name = "Guard",
      run = function(a)
        local _ <close> = setmetatable({}, { __close = function() calls[#calls + 1] = "closed" end })
        a:wait()
      end,
      stop = function(_, _, _, how) calls[#calls + 1] = how end,
    }
    local agent = spawn(behaviors.selector {
      behaviors.condition { key = "on", abort = "self", Guard() }, behaviors.wait(9),
    }, { blackboard = { on = true } })
    world:step()
    agent.blackboard.on = false
    world:step()
    assert.equal("aborted, closed", trace())
    agent = spawn(Guard())
    world:step()
    agent:despawn()
    assert.equal("aborted, closed", trace())
  end)

  it("fails with file and line, and who called", function()
    local function deeper(t) return t.x.y + 1 end
    local line = debug.getinfo(1, "l").currentline - 1
    spawn(behaviors.leaf { name = "Broken", run = function(a) a:wait(0.1) local _ = deeper(a.blackboard) end } ())
    world:run(0.3)
    assert.matches(("tree_nodes_spec.lua:%d: attempt to index a nil value %%(field 'x'%%), called from [^,]*:%d")
      :format(line, line + 2), log[1])
    assert.equal(1, #log)
  end)

  it("cannot run for ever, and waits nowhere else", function()
    world = leeward.world {
      navmesh = maps.floor(9, 9), leaf_instructions = 10000, log = function(_, text) log[#log + 1] = text end,
    }
    local agent = spawn(behaviors.leaf { name = "Loop", run = function() while true do end end } ())
    world:step()
    assert.matches("the leaf's run did not return within 10000 instructions", log[1])
    assert.error_matches(function() agent:wait(1) end, "wait: called outside of a leaf's 'run'")
  end)
end)

describe("errors of leaves", function()
  it("show tables, and are reported once with a count", function()
    spawn(behaviors.leaf { name = "Odd", start = function() error { code = 7 } end } ())
    for _ = 1, 150 do world:step() end
    assert.equal(3, #log)
    assert.matches("tree > Odd, agent 1, step 0: [^:]*:%d+: { code = 7 }$", log[1])
    assert.matches("step 9: .*{ code = 7 } %(10 times%)$", log[2])
    assert.matches("step 99: .* %(100 times%)$", log[3])
  end)
end)

describe("agent:set_tree", function()
  it("ends what the earlier tree says of its last failure", function()
    local agent = spawn(behaviors.selector {
      behaviors.leaf { name = "Fail", start = function() return "failure", "no luck" end } (), Note "patrol",
    })
    world:step()
    assert.matches("last failure: Fail: no luck", agent:why(), 1, true)
    agent:set_tree(Note "guard")
    world:step()
    assert.is_nil(agent:why():find("failure", 1, true))
  end)

  it("aborts the old tree and begins the new one, from a script or a leaf", function()
    local agent = spawn(Note "old")
    world:step()
    agent:set_tree(behaviors.sequence { behaviors.leaf { name = "Change", start = function(a)
      a:set_tree(Note "third")
      return "success"
    end } (), Note "never" })
    assert.equal("old starts, old aborted", trace())
    world:step()
    world:step()
    assert.equal("third starts", trace())
    agent:set_tree(nil)
    assert.equal("third aborted", trace())
    assert.matches("no tree", agent:why())
    agent:set_tree "wander"
    world:run(1)
    assert.matches("wander", agent:why())
    assert.same({}, log)
  end)
end)

describe("agent:set_profile", function()
  it("takes effect at once, and from a leaf when the step ends", function()
    local agent = spawn(behaviors.leaf {
      name = "Dress",
      start = function(a)
        a:set_profile "soldier"
        assert.equal("human", a:profile())
        return "running", 9
      end,
      tick = function() return "success" end,
    } ())
    assert.equal("human", agent:profile())
    world:step()
    assert.equal("soldier", agent:profile())
    agent:set_profile "civilian"
    assert.equal("civilian", agent:profile())
    assert.error_matches(function() agent:set_profile "soldir" end, "Did you mean 'soldier'")
  end)
end)

describe("a subtree", function()
  it("has ports for its keys", function()
    local Say = behaviors.leaf {
      name = "Say", required = { "what" }, ports = { what = "in string" },
      start = function(a, options) calls[#calls + 1] = a.blackboard[options.what] return "success" end,
    }
    local greet = behaviors.sequence { behaviors.condition { key = "word" }, Say { what = "word" } }
    spawn(behaviors.sequence {
      behaviors.subtree { name = "first", tree = greet, ports = { word = "hello" } },
      behaviors.subtree {
        tree = behaviors.subtree { tree = greet, ports = { word = "inner" } }, ports = { inner = "bye" },
      },
      behaviors.wait(9),
    }, { blackboard = { hello = "good day", bye = "so long", word = "wrong", inner = "wrong" } })
    world:step()
    assert.equal("good day, so long", trace())
  end)

  it("may be a file", function()
    local agent = spawn(behaviors.sequence { behaviors.subtree { tree = "wander" } })
    world:run(1)
    assert.matches("sequence > wander > selector", agent:why())
  end)
end)

describe("the wiring of a tree", function()
  local Write = behaviors.leaf { name = "Write", options = { into = "goal" }, ports = { into = "out vec3" },
    start = function() return "success" end }
  local Read = behaviors.leaf { name = "Read", required = { "from" }, ports = { from = "in vec3|agent" },
    start = function() return "success" end }
  local Count = behaviors.leaf { name = "Count", required = { "from" }, ports = { from = "in number" },
    start = function() return "success" end }

  local function says(message, tree)
    local ok, got = pcall(leeward.tree, "spec_wiring", tree)
    assert.is_false(ok)
    assert.equal(message, got:match "tree 'spec_wiring': [^:]*tree_nodes_spec%.lua:%d+: (.*)$")
  end

  it("is checked: a key that nothing writes, but one much alike", function()
    says("spec_wiring > sequence > Read: from reads the key 'gaol', which nothing writes. Did you mean 'goal'?",
      behaviors.sequence { Write(), Read { from = "gaol" } })
    leeward.tree("spec_wiring", behaviors.sequence { Write(), Read { from = "post" } }) -- a script may set it
  end)

  it("is checked: types", function()
    says("spec_wiring > sequence > Count: from reads the key 'goal' as number, but Write writes it as vec3",
      behaviors.sequence { Write(), Count { from = "goal" } })
  end)

  it("is checked whole where the tree says what comes from outside", function()
    says("spec_wiring > subtree > sequence > condition: key is 'foe', which nothing writes. Known keys: goal, post",
      behaviors.tree { inputs = { post = "vec3" },
      behaviors.sequence { Write(), Read { from = "post" }, behaviors.condition { key = "foe" } },
    })
    says("spec_wiring > subtree > Count: from reads the key 'post' as number, but the tree's inputs have it as vec3",
      behaviors.tree { inputs = { post = "vec3" }, Count { from = "post" } })
    says("spec_wiring > subtree > Read: from reads the key 'post', which nothing writes. No node writes a key, and the"
      .. " tree has no inputs", behaviors.tree { inputs = {}, Read { from = "post" } })
  end)
end)

describe("blackboards", function()
  it("are three, of the agent, its team and the world", function()
    local red, other, blue = spawn(nil, { team = "red" }), spawn(nil, { team = "red" }), spawn(nil, { team = "blue" })
    red.blackboard["team.goal"] = { 1, 0, 1 }
    red.blackboard["world.hour"] = 12
    red.blackboard.own = 1
    assert.same({ 1, 0, 1 }, other.blackboard["team.goal"])
    assert.is_nil(blue.blackboard["team.goal"])
    assert.equal(12, blue.blackboard["world.hour"])
    assert.equal("integer", math.type(world:blackboard().hour))
    world:blackboard().hour = 13
    assert.equal(13, red.blackboard["world.hour"])
    assert.is_nil(other.blackboard.own)
    local keys = {}
    for key, value in pairs(red.blackboard) do keys[key] = value end
    assert.same({ own = 1 }, keys)
  end)
end)

describe("a mistake in a tree file that ends in a tail call", function()
  it("names file and line", function()
    local root = os.tmpname()
    os.remove(root)
    assert(os.execute(("mkdir -p %s/behaviors/trees"):format(root)))
    local file = assert(io.open(root .. "/behaviors/trees/typo.lua", "w"))
    file:write('local behaviors = require "behaviors"\n\nreturn behaviors.sequence {\n  behaviors.wait(1),\n'
      .. '  nmae = "x",\n}\n')
    file:close()
    local command = ("LEEWARD_PATH=%s lua5.4 -e 'print(pcall(require(\"leeward\").tree, \"typo\"))'"):format(root)
    local pipe = assert(io.popen(command))
    local text = pipe:read "a"
    pipe:close()
    os.execute("rm -r " .. root)
    assert.matches("behaviors/trees/typo.lua:[3-6]: sequence: unknown key 'nmae'. Did you mean 'name'%?", text)
  end)
end)
