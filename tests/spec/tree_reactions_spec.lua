-- What takes over from what: conditions that guard sequences, and cooldowns and limits around conditions.
local leeward = require "leeward"
local behaviors = require "behaviors"
local trees = require "support.trees"

local world, log, calls

before_each(function() world, log, calls = trees.open() end)

after_each(function()
  assert.same({}, log)
  world:destroy()
end)

local function spawn(tree, options) return trees.spawn(world, tree, options) end
local function Note(name) return trees.note(calls, name) end
local function trace() return trees.trace(calls) end

--- Set keys, and run for so long.
local function set(agent, values, seconds)
  for key, value in pairs(values) do agent.blackboard[key] = value end
  world:run(seconds or 0.05)
  return trace()
end

describe("a condition without a child, first in a sequence,", function()
  it("guards what follows, and lets the sequence take over from later children of the selector", function()
    local agent = spawn(behaviors.selector {
      behaviors.sequence { behaviors.condition { key = "enemy", abort = "both" }, Note "fight", Note "cheer" },
      Note "patrol",
    })
    assert.equal("patrol starts", set(agent, {}))
    assert.equal("patrol aborted, fight starts", set(agent, { enemy = 1 }))
    assert.equal("", set(agent, { enemy = 2 })) -- it is still true
    assert.equal("fight success, cheer starts", (function() agent.blackboard.fight = "success" agent:wake()
      return set(agent, {}) end)())
    assert.equal("cheer aborted, patrol starts", set(agent, { enemy = false }))
    assert.matches("selector > patrol", agent:why())
  end)

  it("does one of both where it says so", function()
    local agent = spawn(behaviors.selector {
      behaviors.sequence { behaviors.condition { key = "enemy", abort = "self" }, Note "fight" }, Note "patrol",
    })
    assert.equal("patrol starts", set(agent, {}))
    assert.equal("", set(agent, { enemy = 1 }))
    agent:despawn()
    trace()
    agent = spawn(behaviors.selector {
      behaviors.sequence { behaviors.condition { key = "enemy", abort = "lower" }, Note "fight" }, Note "patrol",
    })
    assert.equal("patrol starts", set(agent, {}))
    assert.equal("patrol aborted, fight starts", set(agent, { enemy = 1 }))
    assert.equal("", set(agent, { enemy = false }))
  end)

  it("needs all that are tested beside it", function()
    local agent = spawn(behaviors.selector {
      behaviors.sequence {
        behaviors.condition { key = "near" }, behaviors.inverter { behaviors.condition { key = "hurt" } },
        behaviors.condition { key = "enemy", abort = "both" }, behaviors.condition { key = "ammo" }, Note "fight",
      },
      Note "patrol",
    })
    assert.equal("patrol starts", set(agent, { ammo = 9, hurt = true }))
    assert.equal("", set(agent, { enemy = 1 }))
    assert.equal("", set(agent, { near = true, enemy = 2 }))
    assert.equal("patrol aborted, fight starts", set(agent, { hurt = false, enemy = 3 }))
    assert.equal("", set(agent, { near = false })) -- it has no scope
    assert.equal("fight aborted, patrol starts", set(agent, { enemy = false }))
  end)

  it("may lie in a sequence within one, with decorators between", function()
    local agent = spawn(behaviors.selector {
      behaviors.timeout { seconds = 50, behaviors.sequence {
        behaviors.sequence { behaviors.condition { event = "shot", abort = "lower" }, Note "hide" }, Note "look",
      } },
      Note "patrol",
    })
    assert.equal("patrol starts", set(agent, {}))
    agent:send "shot"
    assert.equal("patrol aborted, hide starts", set(agent, {}))
  end)

  it("says where it may lie", function()
    local where = "expected it where a child of a selector begins: below the selector, or in a sequence there with"
      .. " nothing but conditions before it. Elsewhere a condition can abort 'self' alone"
    local both = behaviors.condition { key = "enemy", abort = "both" }
    for _, tree in ipairs {
      behaviors.sequence { both, Note "fight" },
      behaviors.selector { behaviors.sequence { Note "draw", both, Note "fight" }, Note "patrol" },
      behaviors.selector { behaviors.parallel { both, Note "fight" }, Note "patrol" },
    } do
      local ok, message = pcall(leeward.tree, "spec_where", tree)
      assert.is_false(ok)
      assert.matches("condition", message)
      assert.matches("abort is 'both', " .. where, message, 1, true)
    end
  end)
end)

describe("a cooldown", function()
  local function guarded(kind)
    local fight = behaviors.condition { name = "fight", key = "enemy", abort = "both", Note "fight" }
    if kind == "sequence" then
      fight = behaviors.sequence { behaviors.condition { key = "enemy", abort = "both" }, Note "fight" }
    end
    return behaviors.selector { behaviors.cooldown { seconds = 1, fight }, Note "patrol" }
  end

  for _, kind in ipairs { "condition", "sequence" } do
    it("does not begin by a false condition, in a " .. kind, function()
      local agent = spawn(guarded(kind))
      assert.equal("patrol starts", set(agent, {}))
      assert.equal("patrol aborted, fight starts", set(agent, { enemy = 1 }))
    end)

    it("that ends lets a condition take over that has become true meanwhile, in a " .. kind, function()
      local agent = spawn(guarded(kind), { blackboard = { enemy = 1 } })
      assert.equal("fight starts", set(agent, {}))
      assert.equal("fight aborted, patrol starts", set(agent, { enemy = false }))
      assert.equal("", set(agent, { enemy = 2 }, 0.8))
      assert.equal("patrol aborted, fight starts", set(agent, {}, 0.3))
      assert.equal("", set(agent, {}, 3))
    end)
  end

  it("below the condition keeps it from taking over, until it ends", function()
    local agent = spawn(behaviors.selector {
      behaviors.condition { key = "enemy", abort = "both", behaviors.cooldown { seconds = 1, Note "fight" } },
      Note "patrol",
    }, { blackboard = { enemy = 1 } })
    assert.equal("fight starts", set(agent, {}))
    assert.equal("fight aborted, patrol starts", set(agent, { enemy = false }))
    assert.equal("", set(agent, { enemy = 2 }, 0.8)) -- the patrol is not aborted for nothing
    assert.equal("patrol aborted, fight starts", set(agent, {}, 0.3))
  end)

  it("goes on as long in a loaded world, and wakes there", function()
    leeward.tree("spec_cooling", behaviors.selector {
      behaviors.cooldown { seconds = 1,
        behaviors.condition { name = "fight", key = "enemy", abort = "both", behaviors.wait(50) } },
      behaviors.wait(50),
    })
    local agent = spawn("spec_cooling", { blackboard = { enemy = 1 } })
    set(agent, {})
    set(agent, { enemy = false }, 0.5)
    agent.blackboard.enemy = 2
    local file = os.tmpname()
    assert(world:save(file))
    local before = world:hash()
    world:run(0.7)
    local after = world:hash()
    assert.matches("fight > wait", agent:why())
    agent = assert(world:load(file))[1]
    os.remove(file)
    assert.equal(before, world:hash())
    world:run(0.4)
    assert.matches("selector > wait", agent:why())
    world:run(0.3)
    assert.matches("fight > wait", agent:why())
    assert.equal(after, world:hash())
  end)

  it("costs a tree that sleeps nothing but one look when it ends", function()
    local tests = 0
    local agent = spawn(behaviors.selector {
      behaviors.cooldown { seconds = 0.5, behaviors.condition {
        reads = { "enemy" }, test = function(a) tests = tests + 1 return a.blackboard.enemy end, abort = "lower",
        Note "fight",
      } },
      Note "patrol",
    }, { blackboard = { enemy = 1 } })
    set(agent, {})
    agent.blackboard.fight = "failure"
    agent:wake()
    assert.equal("fight failure, patrol starts", set(agent, { enemy = false }))
    assert.equal(1, tests)
    set(agent, {}, 5)
    assert.equal(2, tests)
  end)
end)

describe("a limit", function()
  it("does not count a false condition", function()
    local agent = spawn(behaviors.selector {
      behaviors.limit { times = 1, behaviors.condition { key = "enemy", abort = "both", Note "fight" } },
      behaviors.wait(0.02),
    })
    set(agent, {}, 1)
    assert.equal("fight starts", set(agent, { enemy = 1 }))
    assert.equal("fight aborted", set(agent, { enemy = false }))
    assert.equal("", set(agent, { enemy = 1 }, 1))
  end)
end)
