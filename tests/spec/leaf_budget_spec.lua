-- A leaf that never returns ends when it has run the instructions that its world allows, and the world goes on.
local leeward = require "leeward"
local behaviors = require "behaviors"
local maps = require "support.maps"
local message = require "support.message"

local BUDGET = 100000

describe("leaf_instructions", function()
  local world, log
  local function new_world(limit)
    log = {}
    world = leeward.world { navmesh = maps.floor(10, 10), leaf_instructions = limit,
      log = function(_, text) log[#log + 1] = text end }
  end
  before_each(function() new_world(BUDGET) end)
  after_each(function() assert.is_nil((debug.gethook())) end)

  local function spawn(leaf)
    leaf.kind, leaf.name = "leaf", "Think"
    local tree = { kind = "sequence", name = "root", leaf }
    return assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = tree })
  end

  --- Step with a leaf of that function. @return what the log says of it
  local function step_with(tick)
    spawn { tick = tick }
    world:step()
    return log
  end

  local OVERRUN = "^tree > root > Think, agent 1, step %%d+: [^ ]+.lua:%%d+: the leaf's %s did not return within "
    .. BUDGET .. " instructions, the world's leaf_instructions$"

  local function assert_overrun(of)
    assert.equal(1, #log)
    assert.matches(OVERRUN:format(of or "tick"), log[1])
  end

  it("end a loop, with its place, and the other agents go on", function()
    local others, line = 0, nil
    local agent = spawn { tick = function() line = debug.getinfo(1, "l").currentline while true do end end }
    spawn { tick = function() others = others + 1 return "running" end }
    world:step()
    assert_overrun()
    assert.matches("leaf_budget_spec.lua:" .. line .. ": ", log[1])
    assert.matches("did not return within", agent:why())
    world:step()
    assert.equal(2, others)
  end)

  it("end it at the same place in each run", function()
    local function count()
      local n = 0
      new_world(BUDGET)
      step_with(function() while true do n = n + 1 end end)
      return n
    end
    local first = count()
    assert.is_true(first > BUDGET / 10 and first < BUDGET)
    for _ = 1, 3 do assert.equal(first, count()) end
  end)

  it("leave a leaf alone that returns before", function()
    local n = 0
    spawn { tick = function() for _ = 1, BUDGET // 8 do n = n + 1 end return "running" end }
    for _ = 1, 20 do world:step() end -- each call has its own
    assert.same({}, log)
    assert.equal(20 * BUDGET // 8, n)
  end)

  it("end start and stop as well", function()
    spawn { start = function() while true do end end, tick = print }
    world:step()
    assert_overrun "start"
    new_world(BUDGET)
    spawn { tick = function() return "success" end, stop = function() while true do end end }
    world:step()
    assert_overrun "stop"
  end)

  it("cannot be caught", function()
    step_with(function()
      while true do pcall(function() while true do end end) end
    end)
    assert_overrun()
  end)

  it("are reported where the last thing that a leaf does is to catch the error", function()
    step_with(function() return pcall(function() while true do end end) end)
    assert_overrun()
  end)

  it("end what catches errors again and again, at every depth", function()
    step_with(function()
      local function again() while true do pcall(again) end end
      again()
    end)
    assert_overrun()
    new_world(BUDGET)
    step_with(function()
      local _ <close> = setmetatable({}, { __close = function() while true do end end })
      while true do xpcall(error, function() end) end
    end)
    assert_overrun()
  end)

  it("count coroutines that a leaf makes", function()
    step_with(function() coroutine.wrap(function() while true do end end)() end)
    assert_overrun()
    new_world(BUDGET)
    step_with(function() while true do coroutine.wrap(function() coroutine.yield() end)() end end)
    assert_overrun()
    new_world(BUDGET)
    local kept
    spawn { start = function()
      kept = coroutine.create(function() coroutine.yield() while true do end end)
      coroutine.resume(kept)
      return "running"
    end, tick = function()
      coroutine.resume(kept)
      return "running"
    end }
    world:step()
    assert.same({}, log)
    world:step()
    assert_overrun()
  end)

  it("count what comes after a leaf that was ended in its run, too", function()
    for _ = 1, 3 do
      assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = behaviors.leaf { name = "Think", run = function()
        while true do end
      end } {} })
    end
    world:step()
    assert.equal(3, #log)
    for i = 1, 3 do assert.matches("the leaf's run did not return within " .. BUDGET, log[i], 1, true) end
  end)

  it("do not count coroutines outside of leaves", function()
    local kept
    step_with(function()
      kept = coroutine.wrap(function() for _ = 1, 3 * BUDGET do coroutine.yield() end end)
      return "running"
    end)
    for _ = 1, 3 * BUDGET do kept() end
    assert.same({}, log)
  end)

  it("are a leaf's own where it steps another world", function()
    local other, others = leeward.world { navmesh = maps.floor(10, 10), leaf_instructions = BUDGET }, 0
    other:spawn { profile = "human", at = { 1, 0, 1 }, tree = { kind = "leaf", tick = function()
      for _ = 1, BUDGET // 8 do others = others + 1 end
      return "running"
    end } }
    spawn { tick = function()
      for _ = 1, 10 do other:step() end
      while true do end
    end }
    world:step()
    assert_overrun()
    assert.equal(10 * BUDGET // 8, others)
  end)

  it("are 10 million by default", function()
    local n = 0
    new_world(nil)
    step_with(function() while true do n = n + 1 end end)
    assert.matches("within 10000000 instructions", log[1])
    assert.is_true(n > 1e6 and n < 1e7)
  end)

  it("may be 0: no limit", function()
    new_world(0)
    local hook
    step_with(function()
      hook = debug.gethook()
      for _ = 1, 2e7 do end
      return "running"
    end)
    assert.is_nil(hook)
    assert.same({}, log)
  end)

  it("leave the hook of a debugger in place, and do not count then", function()
    local lines = 0
    local function debugger() lines = lines + 1 end
    debug.sethook(debugger, "l")
    step_with(function()
      for _ = 1, BUDGET do end
      return "running"
    end)
    local after = debug.gethook()
    debug.sethook()
    assert.equal(debugger, after)
    assert.is_true(lines > 0)
    assert.same({}, log)
    local inside
    step_with(function()
      debug.sethook(debugger, "l") -- one that begins inside the leaf stays, too
      inside = true
      return "running"
    end)
    after = debug.gethook()
    debug.sethook()
    assert.is_true(inside)
    assert.equal(debugger, after)
  end)

  it("are checked", function()
    local function wrong(value)
      return message(leeward.world, { navmesh = maps.floor(1, 1), leaf_instructions = value })
    end
    assert.equal("world: leaf_instructions is -1, expected a whole number from 0 to 2147483647", wrong(-1))
    assert.equal("world: leaf_instructions is 'many', expected a whole number from 0 to 2147483647", wrong "many")
  end)
end)
