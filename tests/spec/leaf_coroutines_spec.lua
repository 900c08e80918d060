-- Which coroutine a leaf with `run` gets: that of one that has ended or was aborted, where it is safe to reuse.
local leeward = require "leeward"
local behaviors = require "behaviors"
local maps = require "support.maps"
local trees = require "support.trees"

local world, log, calls

before_each(function() world, log, calls = trees.open() end)

after_each(function() world:destroy() end)

local function spawn(tree, options) return trees.spawn(world, tree, options) end
local function trace() return trees.trace(calls) end

describe("a leaf that is a coroutine", function()
  --- Run the function in a leaf of 20 agents, one after the other, and abort each: how many coroutines were that?
  local function coroutines_of(run)
    local threads, count = {}, 0
    local tree = leeward.tree("aborted", behaviors.leaf {
      name = "Aborted", run = function(a)
        threads[coroutine.running()] = true
        run(a)
      end,
    } ())
    for _ = 1, 20 do
      local agent = spawn(tree)
      world:step()
      agent:despawn()
    end
    for _ in pairs(threads) do count = count + 1 end
    return count
  end

  it("gives its coroutine to the next one", function()
    local threads = {}
    local Quick = behaviors.leaf {
      name = "Quick", run = function(a) threads[coroutine.running()] = true a:wait(0.05) end,
    }
    spawn(Quick())
    world:run(3)
    local count = 0
    for _ in pairs(threads) do count = count + 1 end
    assert.equal(1, count)
  end)

  it("gives it on when it is aborted, too", function()
    assert.equal(1, coroutines_of(function(a) a:wait() end))
    local function deep(a, n) if n == 0 then a:wait() else deep(a, n - 1) end return n end
    assert.equal(1, coroutines_of(function(a) deep(a, 20) end))
    assert.equal(1, coroutines_of(function(a)
      local _ <close> = setmetatable({}, { __close = function() calls[#calls + 1] = "closed" end })
      a:wait()
    end))
    assert.equal(("closed, "):rep(19) .. "closed", trace())
    assert.same({}, log)
  end)

  it("gives it on where it waited in a script of a sandbox", function()
    local good, wait = leeward.sandbox {}:run "return function(agent) agent:wait() end"
    assert.is_true(good)
    assert.equal(1, coroutines_of(wait))
    assert.same({}, log)
  end)

  it("gives it on where closing it raises an error, which is reported", function()
    assert.equal(1, coroutines_of(function(a)
      local _ <close> = setmetatable({}, { __close = function() error "it jams" end })
      a:wait()
    end))
    assert.equal(2, #log) -- the first time and the 10th
    assert.matches("Aborted, .*it jams", log[1])
    assert.matches("it jams %(10 times%)", log[2])
  end)

  it("keeps it from others where it waited in a call that has a handler, which Lua would not forget", function()
    local handled = 0
    local function handler(text)
      handled = handled + 1
      return text
    end
    assert.is_true(coroutines_of(function(a) xpcall(a.wait, handler, a) end) > 1)
    assert.is_true(coroutines_of(function(a) xpcall(function() a:wait() end, handler) end) > 1)
    assert.is_true(coroutines_of(function(a) return xpcall(function() a:wait() end, handler) end) > 1)
    for _ = 1, 3 do
      spawn(behaviors.leaf { name = "Broken", run = function(a) a:wait(0.1) error "later" end } ())
    end
    world:run(0.5)
    assert.equal(0, handled)
    for _, line in ipairs(log) do assert.matches("Broken, .*: later", line) end
  end)

  it("goes on in a protected call, in a coroutine that an aborted one had", function()
    coroutines_of(function(a) a:wait() end)
    coroutines_of(function(a) pcall(a.wait, a) end)
    local caught
    spawn(behaviors.sequence { behaviors.leaf {
      name = "Careful", run = function(a)
        caught = { pcall(function()
          a:wait(0.1)
          error "wet"
        end) }
        a:wait(0.1)
        caught[3] = "dry"
      end,
    } (), behaviors.wait(9) })
    world:run(0.5)
    assert.is_false(caught[1])
    assert.matches("wet", caught[2])
    assert.equal("dry", caught[3])
    assert.same({}, log)
  end)

  it("ends, whatever it closes, where it raises or takes too long", function()
    world = leeward.world {
      navmesh = maps.floor(9, 9), leaf_instructions = 10000, log = function(_, text) log[#log + 1] = text end,
    }
    local function closing() return setmetatable({}, { __close = function() while true do end end }) end
    local ends = {
      function() error "x" end, function() while true do end end,
      function()
        pcall(function()
          local _ <close> = closing()
          error "x"
        end)
      end,
    }
    for i, ending in ipairs(ends) do
      spawn(behaviors.leaf { name = "Stubborn", run = function()
        local _ <close> = closing()
        ending()
      end } ())
      world:step()
      assert.equal(i, #log)
    end
    for _, line in ipairs(log) do
      assert.matches("Stubborn, agent .* did not return within 10000 instructions", line)
    end
  end)

  it("gives it on where closing it takes too long", function()
    world = leeward.world {
      navmesh = maps.floor(9, 9), leaf_instructions = 10000, log = function(_, text) log[#log + 1] = text end,
    }
    assert.equal(1, coroutines_of(function(a)
      local _ <close> = setmetatable({}, { __close = function() while true do end end })
      a:wait()
    end))
    assert.matches("did not return within 10000 instructions", log[1])
    local done
    spawn(behaviors.leaf { name = "After", run = function(a)
      a:wait(0.1)
      done = true
      while true do end
    end } ())
    world:run(0.3)
    assert.is_true(done)
    assert.matches("After.* did not return within 10000 instructions", log[#log])
  end)
end)
