local leeward = require "leeward"
local maps = require "support.maps"
local message = require "support.message"
local vec3 = leeward.vec3

--- A leaf without more to it than its functions.
local function leaf(functions, name)
  return { kind = "leaf", name = name or "Leaf", options = functions.options, start = functions.start,
    tick = functions.tick, stop = functions.stop }
end

describe("a world", function()
  it("counts time in steps", function()
    local world = leeward.world { navmesh = maps.floor(4, 4) }
    world:step()
    world:step(0.5)
    assert.equal(2, world:steps())
    assert.near(1 / 60 + 0.5, world:time(), 1e-6)
  end)

  it("is as old as its steps are long, however many there were", function()
    for _, rate in ipairs { 60, 30, 10, 50, 7 } do
      local world = leeward.world { navmesh = maps.floor(4, 4) }
      for second = 1, 20 do
        for _ = 1, rate do world:step(1 / rate) end
        assert.equal(second, world:time())
      end
    end
    local world = leeward.world { navmesh = maps.floor(4, 4) }
    world:run(10)
    assert.equal(10, world:time())
    for _ = 1, 1000 do world:step(0.016) end
    assert.is_near(26, world:time(), 1e-6)
    world:step(0.5)
    world:step(0.25)
    assert.is_near(26.75, world:time(), 1e-6)
  end)

  it("runs whole steps of a sixtieth", function()
    local world = leeward.world { navmesh = maps.floor(4, 4) }
    world:run(1.1) -- 66, although 1.1 * 60 is a little more
    assert.equal(66, world:steps())
    local calls = 0
    world:run(0.11, function(same) calls = calls + 1 assert.equal(world, same) end)
    assert.equal(7, calls)
    world:run(0)
    assert.equal(73, world:steps())
  end)

  it("is the same every time for the same seed", function()
    local function run(seed)
      local world = leeward.world { navmesh = maps.two_rooms(), seed = seed }
      for i = 1, 5 do
        world:spawn { profile = "human", at = { i, 0, i }, tree = { kind = "sequence",
          leaf { start = function(agent)
            agent:move_to(assert(agent:random_point { radius = 30 }))
            return "running", math.huge
          end, tick = function() return "success" end },
          { kind = "wait", min = 0, max = 1 } } }
      end
      world:run(10)
      return world:hash()
    end
    assert.matches("^%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x$", run(1))
    assert.equal(run(1), run(1))
    assert.not_equal(run(1), run(2))
  end)

  it("draws random numbers like math.random", function()
    local world = leeward.world { navmesh = maps.floor(4, 4), seed = 9 }
    local seen = {}
    for _ = 1, 300 do
      local x = world:random()
      assert.is_true(x >= 0 and x < 1)
      seen[world:random(6)] = true
      local n = world:random(-1, 1)
      assert.is_true(n >= -1 and n <= 1 and math.type(n) == "integer")
    end
    assert.same({ true, true, true, true, true, true }, seen)
    assert.equal("random: m is 0, expected at least 1", message(world.random, world, 0))
  end)

  it("cannot be used after destroy", function()
    local world = leeward.world { navmesh = maps.floor(4, 4) }
    local agent = assert(world:spawn { profile = "human", at = { 1, 0, 1 } })
    world:destroy()
    world:destroy()
    assert.equal("step: the world was destroyed", message(world.step, world))
    assert.equal("position: the world was destroyed", message(agent.position, agent))
    assert.is_false(agent:is_alive())
  end)

  it("closes at the end of a block", function()
    local kept
    do
      local world <close> = leeward.world { navmesh = maps.floor(4, 4) }
      kept = world
    end
    assert.is_false(pcall(kept.time, kept))
  end)

  it("keeps its navmesh", function()
    local world = leeward.world { navmesh = maps.floor(4, 4) }
    collectgarbage()
    assert.equal(1, world:navmesh():stats().polygons)
  end)

  it("says how much memory it holds", function()
    local world = leeward.world { navmesh = maps.floor(4, 4) }
    local before = world:memory()
    local agent = assert(world:spawn { profile = "human", at = { 1, 0, 1 } })
    assert.is_true(world:memory() > before)
    agent:despawn()
  end)

  it("checks its options", function()
    assert.equal("world: navmesh is nil, expected a navmesh", message(leeward.world, {}))
    assert.equal("world: unknown key 'sede'. Did you mean 'seed'?",
      message(leeward.world, { navmesh = maps.floor(1, 1), sede = 1 }))
    assert.equal("world: seed is 1.5, expected a whole number",
      message(leeward.world, { navmesh = maps.floor(1, 1), seed = 1.5 }))
    assert.equal("world: log is true, expected a function",
      message(leeward.world, { navmesh = maps.floor(1, 1), log = true }))
  end)
end)

describe("a method called with a dot", function()
  it("says how to call it", function()
    local navmesh = maps.floor(4, 4)
    local world = leeward.world { navmesh = navmesh }
    local agent = world:spawn { profile = "human", at = { 1, 0, 1 } }
    local geometry = leeward.geometry()
    assert.matches("exposure: self is a table, expected a world; call it with a colon, world:exposure(...)",
      message(world.exposure, { from = { 0, 0, 0 } }), 1, true)
    assert.matches("step: self is nil, expected a world; call it with a colon, world:step(...)",
      message(world.step), 1, true)
    assert.matches("move_to: self is {1, 0, 1}, expected an agent", message(agent.move_to, { 1, 0, 1 }), 1, true)
    assert.matches("add_box: self is a table, expected a geometry", message(geometry.add_box, {}), 1, true)
    assert.matches("stats: self is nil, expected a navmesh", message(navmesh.stats), 1, true)
    assert.matches("bake: argument 1 is a table, expected a geometry", message(leeward.bake, {}), 1, true) -- no method
  end)
end)

describe("an agent", function()
  local world, agent
  before_each(function()
    world = leeward.world { navmesh = maps.two_rooms() }
    agent = assert(world:spawn { profile = "soldier", at = { 1, 0.5, 5 }, team = "red", pace = "fast",
      blackboard = { home = "here" } })
  end)

  it("stands on the ground where it was put", function()
    assert.equal(vec3(1, 0, 5), agent:position())
    assert.equal(vec3(0, 0, 0), agent:velocity())
    assert.same({ "soldier", "red", "fast", "idle" },
      { agent:profile(), agent:team(), agent:pace(), agent:move_state() })
    assert.equal("here", agent.blackboard.home)
    assert.equal(world, agent:world())
    assert.is_nil(agent:goal())
    assert.is_nil(agent:route())
    assert.equal(0, agent:remaining())
    assert.is_number(agent:heading())
  end)

  it("walks to its goal at its pace", function()
    assert.is_true(agent:move_to({ 20, 0, 5 }, { within = 0.5 }))
    assert.equal("walking", (agent:move_state()))
    assert.equal(vec3(20, 0, 5), agent:goal())
    assert.equal(vec3(1, 0, 5), agent:route()[1])
    local speed = leeward.profile("soldier").speed.fast
    world:run(1)
    assert.near(speed, agent:velocity():length(), 0.1)
    world:run(19 / speed)
    assert.equal("arrived", (agent:move_state()))
    assert.is_true(agent:position():distance { 20, 0, 5 } <= 0.51)
    local stats = agent:stats()
    assert.equal(1, stats.goals_reached)
    assert.equal(1, stats.searches)
    assert.equal(0, stats.off_mesh)
    assert.near(18.5, stats.walked, 0.3)
  end)

  it("stops on request", function()
    agent:move_to { 20, 0, 5 }
    world:run(0.5)
    agent:stop()
    local here = agent:position()
    world:run(0.5)
    assert.equal("idle", (agent:move_state()))
    assert.equal(here, agent:position())
  end)

  it("says why it cannot get there", function()
    local ok, text, code = agent:move_to { 90, 0, 5 }
    assert.is_nil(ok)
    assert.equal("NO_GOAL", code)
    assert.equal("goal is (90, 0, 5), expected a navmesh within (2, 4, 2) m that 'soldier' may enter", text)
    assert.same({ "failed", text, code }, { agent:move_state() })
    assert.matches("cannot get to", agent:why())
  end)

  it("names the profile for which there is no path", function()
    local shut = leeward.world { navmesh = maps.two_rooms { door = false } }
    local other = assert(shut:spawn { profile = "soldier", at = { 1, 0, 5 } })
    local _, text, code = other:move_to { 20, 0, 5 }
    assert.equal("start and goal are not connected for 'soldier'", text)
    assert.same({ "failed", text, code }, { other:move_state() })
  end)

  it("has random numbers and points of its own", function()
    local other = assert(world:spawn { profile = "soldier", at = { 1, 0, 5 } })
    assert.not_equal(agent:random(), other:random())
    local point = assert(agent:random_point { radius = 2 })
    assert.is_true(point:distance(agent:position()) <= 2 + 1e-4)
    assert.is_true(agent:random(3) <= 3)
  end)

  it("is the same agent wherever it comes from", function()
    assert.equal(agent, world:agents()[1])
    assert.equal(1, #world:agents())
    local found = { [agent] = true }
    assert.is_true(found[world:agents()[1]])
    local elsewhere = leeward.world { navmesh = maps.floor(4, 4) }
    assert.is_false(agent == elsewhere:spawn { profile = "human", at = { 1, 0, 1 } })
  end)

  it("can be despawned", function()
    agent:despawn()
    assert.is_false(agent:is_alive())
    assert.same({}, world:agents())
    assert.matches("^position: agent %d+ is gone: it died or was despawned$", message(agent.position, agent))
    assert.equal("here", agent.blackboard.home)
  end)

  it("keeps what scripts remember on its blackboard alone", function()
    assert.matches("world_spec%.lua:%d+: agent: cannot set 'mood'; store a script's values in agent.blackboard$",
      message(function() agent.mood = "good" end))
    agent.blackboard = { fresh = true }
    assert.is_true(agent.blackboard.fresh)
  end)

  it("follows its own costs", function()
    local shy = assert(world:spawn { profile = "soldier", at = { 1, 0, 5 }, avoid = { "road" } })
    assert.equal("soldier", shy:profile())
  end)

  it("is not spawned where there is no ground", function()
    local none, text, code = world:spawn { profile = "soldier", at = { 90, 0, 0 } }
    assert.is_nil(none)
    assert.matches("soldier", text)
    assert.equal("NO_START", code)
  end)

  it("checks the options of spawn and its methods", function()
    local function spawn(def) return message(world.spawn, world, def) end
    assert.equal("spawn: at is nil, expected a point", spawn { profile = "human" })
    assert.equal("spawn: profile is nil, expected the name of a profile or a table", spawn { at = { 1, 0, 1 } })
    assert.equal("spawn: pace is 'quick', expected 'calm', 'normal' or 'fast'",
      spawn { profile = "human", at = { 1, 0, 1 }, pace = "quick" })
    assert.equal(("spawn: tree is 'wandr', expected the name of a tree; looked for behaviors/trees/wandr.lua in %s. "
      .. "Did you mean 'wander'?"):format(table.concat(leeward.roots(), ", ")),
      spawn { profile = "human", at = { 1, 0, 1 }, tree = "wandr" })
    assert.equal("move_to: unknown key 'witin'. Did you mean 'within'?",
      message(agent.move_to, agent, { 1, 0, 1 }, { witin = 1 }))
    assert.equal("set_pace: pace is nil, expected 'calm', 'normal' or 'fast'", message(agent.set_pace, agent))
  end)
end)

describe("a tree", function()
  local world, log
  before_each(function()
    log = {}
    world = leeward.world { navmesh = maps.two_rooms(), log = function(level, text)
      log[#log + 1] = level .. ": " .. text
    end }
  end)

  local function spawn(tree, more)
    local def = { profile = "human", at = { 1, 0, 5 }, tree = tree }
    for key, value in pairs(more or {}) do def[key] = value end
    return assert(world:spawn(def))
  end

  it("starts, ticks and stops its leaves with a fresh state each time", function()
    local calls = {}
    local function note(name) return function(_, _, state, how)
      state.n = (state.n or 0) + 1
      calls[#calls + 1] = name .. state.n .. (how or "")
      if name == "start" or state.n < 3 then return "running" end
      return "success"
    end end
    spawn(leaf { start = note "start", tick = note "tick", stop = note "stop" })
    for _ = 1, 4 do world:step() end
    assert.equal("start1 tick2 tick3 stop4success start1", table.concat(calls, " "))
  end)

  it("hands over the agent and the options, the same each time", function()
    local options, got = { x = 1 }, {}
    local agent = spawn(leaf { options = options, start = function(a, o) got = { a, o } return "success" end })
    world:step()
    assert.equal(agent, got[1])
    assert.equal(1, got[2].x)
    local first = got[2]
    world:step()
    assert.equal(first, got[2])
  end)

  it("lets no leaf write its options, which all agents share", function()
    spawn(leaf { options = { x = 1 }, start = function(_, options) options.x = 2 return "success" end })
    world:step()
    assert.matches("the options of 'Leaf' are read%-only: .* and 'x' belongs into the state or the blackboard", log[1])
  end)

  it("uses tick where there is no start", function()
    local ticks = 0
    spawn(leaf { tick = function() ticks = ticks + 1 return "running" end })
    world:run(0.1)
    assert.equal(6, ticks)
  end)

  it("sleeps as long as a leaf says", function()
    local times = {}
    spawn(leaf { tick = function() times[#times + 1] = world:time() return "running", 0.5 end })
    world:run(1.2)
    assert.equal(3, #times)
  end)

  it("is woken when the agent arrives", function()
    local ticks = 0
    local agent = spawn(leaf {
      start = function(a) a:move_to { 5, 0, 5 } return "running", math.huge end,
      tick = function() ticks = ticks + 1 return "running", math.huge end,
    })
    world:run(5)
    assert.equal("arrived", (agent:move_state()))
    assert.equal(1, ticks)
  end)

  it("takes the second child of a selector when the first fails, and remembers the reason", function()
    local agent = spawn { kind = "selector",
      leaf { start = function() return "failure", "no key" end },
      leaf({ tick = function() return "running" end }, "Second") }
    world:step()
    assert.matches("Second", agent:why())
    assert.matches("no key", agent:why())
    assert.same({}, log)
  end)

  it("fails a leaf that raises, says where, and the world goes on", function()
    local after = 0
    spawn({ kind = "selector", name = "try",
      leaf({ start = function() local x = nil; return x.y end }, "Broken"),
      leaf { start = function() after = after + 1 return "success" end } }, {})
    world:step()
    assert.equal(1, after)
    assert.equal(1, #log)
    assert.matches("^error: tree > try > Broken, agent %d+, step 0: .*world_spec%.lua:%d+: "
      .. "attempt to index a nil value",
      log[1])
  end)

  it("says which value a leaf returned instead of an answer", function()
    spawn(leaf { start = function() return "sucess" end })
    world:step()
    assert.matches("world_spec%.lua:%d+: returned 'sucess', expected 'success', 'failure' or 'running'$", log[1])
  end)

  it("survives errors that are no text, and errors in stop and in the log", function()
    spawn(leaf { start = function() error({}) end, stop = function() error("in stop", 0) end })
    world:step()
    assert.equal(2, #log)
    assert.matches("world_spec%.lua:%d+: in stop", log[2])
  end)

  it("stops its leaf when the agent is despawned or the world destroyed", function()
    local ends = {}
    local tree = leaf { tick = function() return "running" end,
      stop = function(agent, _, _, how) ends[#ends + 1] = how agent:stop() end }
    local one = spawn(tree)
    spawn(tree)
    world:step()
    one:despawn()
    world:destroy()
    assert.same({ "aborted", "aborted" }, ends)
    assert.same({}, log)
  end)

  it("may despawn its own agent and spawn others in a step", function()
    local born
    local one = spawn(leaf { start = function(agent)
      born = born or assert(world:spawn { profile = "human", at = { 2, 0, 2 } })
      agent:despawn()
      assert.is_false(agent:is_alive())
      return "success"
    end })
    world:step()
    assert.same({}, log)
    assert.is_false(one:is_alive())
    assert.same({ born }, world:agents())
  end)

  it("may ask the world but not step it", function()
    local answers = {}
    spawn(leaf { start = function()
      answers[1] = assert(world:find_path { from = { 1, 0, 1 }, to = { 20, 0, 1 } }):length() > 0
      answers[2] = message(world.step, world)
      answers[3] = message(world.run, world, 1)
      return "success"
    end })
    world:step()
    assert.same({ true, "step: called from inside a step or a leaf",
      "run: called from inside a step or a leaf" }, answers)
  end)

  it("cannot yield out of a leaf", function()
    local through = coroutine.wrap(function()
      spawn(leaf { start = function() coroutine.yield() return "success" end })
      world:step()
      return "through"
    end)()
    assert.equal("through", through)
    assert.matches("yield", log[1])
    collectgarbage()
    world:step() -- the coroutine that stepped before is gone
    assert.equal(2, #log)
  end)

  it("is found by name, compiled once", function()
    local tree = leeward.tree("spec_nap", { kind = "wait", min = 1 })
    assert.equal(tree, leeward.tree("spec_nap"))
    assert.equal("spec_nap", tree:name())
    spawn("spec_nap")
    spawn(tree)
    assert.equal("NOT_FOUND", select(3, leeward.tree("spec_no_tree")))
    assert.is_truthy(leeward.tree("wander"))
  end)

  it("is checked when it is compiled", function()
    local function tree(description) return message(leeward.tree, "spec_bad", description) end
    assert.equal("tree 'spec_bad': kind is 'sequense', expected 'sequence', 'selector', 'wait', 'leaf', 'parallel',"
      .. " 'random', 'utility', 'inverter', 'force', 'repeat', 'retry', 'until', 'timeout', 'cooldown', 'limit',"
      .. " 'delay', 'condition', 'every' or 'subtree'. Did you mean 'sequence'?", tree { kind = "sequense" })
    assert.equal("tree 'spec_bad': sequence[2].min is -1, expected seconds >= 0",
      tree { kind = "sequence", { kind = "wait", min = 0 }, { kind = "wait", min = -1 } })
    assert.equal("tree 'spec_bad': selector[1] is 'MoveTo', expected a node", tree { kind = "selector", "MoveTo" })
    assert.equal("tree 'spec_bad': unknown key 'colour'. Known keys: kind, name, options, ports, start, tick,"
      .. " stop, run, save, load", tree { kind = "leaf", name = "A", colour = {}, start = print })
    assert.matches("deeper than", (function()
      local loop = { kind = "sequence" }
      loop[1] = loop
      return tree(loop)
    end)())
  end)
end)
