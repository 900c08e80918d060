-- Events: which nodes of which agents read them, and in which steps.
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

describe("an event, to nodes that do not react,", function()
  --- Each step, notes what a plain condition and a leaf read, with the number of the agent.
  local function listen(number)
    local read = behaviors.leaf {
      name = "Read",
      tick = function(agent) calls[#calls + 1] = number .. " reads " .. tostring(agent.blackboard["event.shot"])
        return "success"
      end,
    }
    local heard = behaviors.leaf {
      name = "Heard", tick = function() calls[#calls + 1] = number .. " hears" return "success" end,
    }
    return spawn(behaviors.sequence {
      read(), behaviors.force_success { behaviors.condition { event = "shot", heard() } },
    })
  end

  --- A leaf that does something in its second tick.
  local function once(act)
    return spawn(behaviors.sequence { behaviors.leaf {
      name = "Once", start = function() return "running" end,
      tick = function(agent) act(agent) return "running", math.huge end,
    } () })
  end

  it("has its value through the next step where no step runs, from send as from emit", function()
    local agent = listen(1)
    world:step()
    assert.equal("1 reads nil", trace())
    agent:send("shot", 7)
    world:step()
    assert.equal("1 reads 7, 1 hears", trace())
    world:step()
    assert.equal("1 reads nil", trace())
    world:emit("shot", 8)
    world:step()
    assert.equal("1 reads 8, 1 hears", trace())
    world:emit("shot", 8) -- the same again
    world:step()
    assert.equal("1 reads 8, 1 hears", trace())
    world:step()
    assert.equal("1 reads nil", trace())
  end)

  for _, way in ipairs { "emit", "send" } do
    it(("reaches from a leaf those after it in this step, those before it in the next: %s"):format(way), function()
      local agents = {}
      agents[1] = listen(1)
      once(function()
        if way == "emit" then return world:emit("shot", { "a table" }) end
        for _, agent in ipairs(agents) do agent:send("shot", true) end
      end)
      agents[2] = listen(2)
      world:step()
      assert.equal("1 reads nil, 2 reads nil", trace())
      world:step()
      local second = trace()
      assert.truthy(second:find "^1 reads nil, 2 reads [^n].*, 2 hears$")
      world:step()
      assert.truthy(trace():find "^1 reads [^n].*, 1 hears, 2 reads nil$")
      world:step()
      assert.equal("1 reads nil, 2 reads nil", trace())
    end)
  end

  it("is heard once by a tree whose condition has reacted to it", function()
    spawn(behaviors.selector {
      behaviors.condition { event = "shot", abort = "lower", behaviors.leaf {
        name = "Flee", tick = function() calls[#calls + 1] = "flees" return "success" end,
      } () },
      Note "patrol",
    })
    once(function() world:emit "shot" end)
    for _ = 1, 5 do world:step() end
    assert.equal("patrol starts, patrol aborted, flees, patrol starts", trace())
  end)

  it("reaches an agent that a leaf has just spawned, where it is sent to it", function()
    once(function() listen(3):send("shot", 5) end)
    for _ = 1, 4 do world:step() end
    assert.equal("3 reads 5, 3 hears, 3 reads nil", trace())
  end)
end)

describe("an event for an agent whose conditions have reacted as often as they may in a step", function()
  it("is read in the next step", function()
    for after = 1, 12 do -- the other one sends it after so many answers: to some of these the agent reacts no more
      local agents, answers, read = {}, 0, false
      local function Answer(number, flag)
        return behaviors.leaf {
          name = "Answer",
          start = function()
            local other = agents[3 - number]
            if number == 2 then answers = answers + 1 end
            if number == 2 and answers == after then other:send "stop" end
            other.blackboard.flag = flag
            return "running", math.huge
          end,
          tick = function() return "running", math.huge end,
        } ()
      end
      local stop = behaviors.leaf { name = "Stop", start = function() read = true return "success" end }
      for number = 1, 2 do
        agents[number] = spawn(behaviors.selector {
          behaviors.condition { event = "stop", abort = "lower", stop() },
          behaviors.condition { key = "flag", abort = "both", Answer(number, number == 1) },
          Answer(number, number ~= 1),
        })
      end
      for _ = 1, 4 do world:step() end
      assert.is_true(answers >= after, after)
      assert.is_true(read, after)
      for _, agent in ipairs(agents) do agent:despawn() end
    end
  end)

  it("is read in the next step, too, where a leaf has sent it to all", function()
    for after = 1, 22 do -- pings that two agents answer in turn, as often as they may
      local agents, answers, heard = {}, 0, { 0, 0, 0 }
      for number = 1, 3 do
        local Ping = behaviors.leaf {
          name = "Ping",
          start = function()
            answers = answers + 1
            if answers == after then world:emit "last" end
            agents[3 - number]:send "ping"
            return "failure", "again"
          end,
        }
        local Hear = behaviors.leaf {
          name = "Hear", start = function() heard[number] = heard[number] + 1 return "failure", "heard" end,
        }
        agents[number] = spawn(behaviors.selector {
          behaviors.condition { event = "last", abort = "lower", Hear() },
          behaviors.condition { event = "ping", abort = "lower", Ping() },
          behaviors.wait(1000),
        })
      end
      world:step()
      agents[1]:send "ping"
      for _ = 1, 5 do world:step() end
      assert.same({ 1, 1, 1 }, heard, "after " .. after)
      for _, agent in ipairs(agents) do agent:despawn() end
    end
  end)
end)

describe("the value of an event", function()
  it("that is a table is no key of the blackboard, and goes with the event", function()
    local agent = spawn(behaviors.wait(99), { blackboard = { x = 1 } })
    local function keys(board)
      local found = {}
      for key in pairs(board) do found[#found + 1] = key end
      return found
    end
    agent:send("list", { 1, 2 })
    world:emit("all", { 3 })
    assert.same({ "x" }, keys(agent.blackboard))
    assert.same({}, keys(world:blackboard()))
    assert.same({ 1, 2 }, agent.blackboard["event.list"])
    world:run(1)
    assert.is_nil(agent.blackboard["event.list"])
    agent.blackboard = { y = 2 }
    assert.same({ "y" }, keys(agent.blackboard))
  end)

  --- By how much Lua's memory grows while the agents get 20,000 events by turns. [KiB]
  local function growth_of(agents)
    local function send(count)
      for i = 1, count do
        agents[i % #agents + 1]:send("of " .. i, { ("x"):rep(100) })
        if i % 100 == 0 then world:step() end
      end
      collectgarbage()
      return collectgarbage "count"
    end
    local before = send(2000)
    return send(20000) - before
  end

  it("takes no memory once it is over", function()
    assert.is_true(growth_of { spawn(behaviors.wait(99)) } < 1000)
  end)

  it("takes no memory once it is over where two agents get events by turns", function()
    assert.is_true(growth_of { spawn(behaviors.wait(99)), spawn(behaviors.wait(99)) } < 1000)
  end)
end)
