-- Trees and blackboards in saved worlds: a loaded run goes on as the one that was not saved, or says what starts again.
local leeward = require "leeward"
local behaviors = require "behaviors"

local FILE = os.tmpname()
local SENSES = { sight = { range = 25, notice = 0.3 }, hearing = { range = 30 }, memory = 6 }

--- A floor of 40 x 30 m with walls to hide behind.
local function with_walls()
  local level = leeward.geometry()
  level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 30 } }
  for _, at in ipairs { { 20, 0, 12 }, { 10, 0, 20 }, { 30, 0, 20 }, { 28, 0, 6 } } do
    level:add_box { at = at, size = { 1, 2, 6 }, area = false }
  end
  return assert(leeward.bake(level, { cell_size = 0.3 }))
end

describe("a saved world with trees", function()
  local navmesh, log
  setup(function() navmesh = with_walls() end)
  teardown(function() os.remove(FILE) end)

  local function make(seed)
    return leeward.world {
      navmesh = navmesh, seed = seed or 3,
      log = function(level, message) log[#log + 1] = level .. ": " .. message end,
    }
  end
  before_each(function() log = {} end)

  --- Save one world, load it in another.
  local function reload(world, options)
    assert.is_true(world:save(FILE))
    local other = make(99)
    return other, assert(other:load(FILE, options))
  end

  --- What the game does in a step, by its number alone.
  local function disturb(world, step)
    if step % 90 == 40 then world:noise { at = { 5 + step % 30, 0, 5 + step % 20 }, loudness = 40, team = "blue" } end
    if step % 150 == 70 then
      local agents = world:agents()
      agents[2].blackboard["team.wounded"] = agents[3]
    end
    if step % 200 == 120 then world:agents()[1]:send("contact", leeward.vec3(20, 0, 20)) end
  end

  --- Four of the tree, a leader, and enemies that wander among them.
  local function cast(world, tree)
    local leader
    for i = 1, 4 do
      local agent = assert(world:spawn {
        profile = i % 2 == 0 and "soldier" or "human", at = { 3 + 8 * i, 0, 3 + 3 * (i % 2) }, tree = tree,
        team = "red",
        blackboard = { route = i < 3 and { { 3, 0, 3 }, { 36, 0, 4 }, leeward.vec3(36, 0, 27) } or nil },
      })
      agent:senses(SENSES)
      leader = leader or agent
      if i > 2 then agent.blackboard.leader = leader end
    end
    for i = 1, 3 do
      assert(world:spawn { profile = "soldier", at = { 10 * i, 0, 27 }, tree = "wander", team = "blue" }):senses(SENSES)
    end
  end

  it("is not written while a leaf that saves spawns or despawns agents", function()
    for what, act in pairs {
      spawn = function(agent) agent:world():spawn { profile = "human", at = { 5, 0, 5 } } end,
      despawn = function(agent) agent:despawn() end,
    } do
      local world = make()
      local Saves = behaviors.leaf {
        name = "Saves", tick = function() return "running", math.huge end,
        save = function(agent) act(agent) return 1 end,
      }
      leeward.tree("spec_" .. what, Saves {})
      world:save(FILE)
      assert(world:spawn { profile = "human", at = { 5, 0, 5 }, tree = "spec_" .. what })
      world:step()
      assert.error_matches(function() world:save(FILE) end,
        "save: a leaf has spawned or despawned agents while it was saved")
      assert.same({}, make():load(FILE)) -- as it was
    end
  end)

  for _, tree in ipairs { "civilian", "driver", "guard", "hunter", "medic", "patrol", "wander" } do
    it("goes on bit for bit in the tree '" .. tree .. "'", function()
      for _, saved_at in ipairs { 1, 137, 410, 733, 1111 } do
        local world = make()
        cast(world, tree)
        for step = 1, saved_at do
          disturb(world, step)
          world:step(1 / 60)
        end
        local other = reload(world)
        assert.equal(world:hash(), other:hash(), ("%s, saved at step %d"):format(tree, saved_at))
        for step = saved_at + 1, saved_at + 400 do
          for _, each in ipairs { world, other } do
            disturb(each, step)
            each:step(1 / 60)
          end
          if world:hash() ~= other:hash() then
            for i, agent in ipairs(world:agents()) do print(agent:why(), "|", other:agents()[i]:why()) end
          end
          assert.equal(world:hash(), other:hash(), ("%s, saved at step %d, step %d"):format(tree, saved_at, step))
        end
        world:destroy()
        other:destroy()
      end
      assert.same({}, log)
    end)
  end

  describe("has blackboards", function()
    local world, agents
    before_each(function()
      world = make()
      agents = {}
      for i = 1, 3 do
        agents[i] = assert(world:spawn { profile = "soldier", at = { 5 * i, 0, 5 }, team = i < 3 and "red" or nil })
      end
    end)

    it("of agents, teams and the world, with plain values as they were", function()
      local board = agents[1].blackboard
      board.text, board.whole, board.part, board.yes, board.no = "a\0b", 3, 0.1, true, false
      board.big, board.point, board.friend = math.maxinteger, leeward.vec3(0.1, 2, 3), agents[3]
      board.list = { 1, { x = { 2 } }, agents[2], [-1] = "z", [2.5] = true }
      board.list[5] = board.list
      board[7] = "number"
      board["team.goal"], board["world.alarm"] = leeward.vec3(1, 2, 3), { level = 2 }
      agents[3].blackboard["team.goal"] = "none"
      local threat = world:add_threat { at = { 20, 2, 12 } }
      board.threat = threat
      local other, loaded = reload(world)
      assert.equal(world:hash(), other:hash())
      local again = loaded[1].blackboard
      assert.same({ "a\0b", 3, 0.1, true, false, math.maxinteger },
        { again.text, again.whole, again.part, again.yes, again.no, again.big })
      assert.equal("integer", math.type(again.whole))
      assert.equal(leeward.vec3(0.1, 2, 3), again.point)
      assert.equal(0.1, again.point.x)
      assert.equal(loaded[3], again.friend)
      assert.equal(2, again.list[2].x[1])
      assert.equal(loaded[2], again.list[3])
      assert.equal("z", again.list[-1])
      assert.is_true(again.list[2.5])
      assert.equal(again.list, again.list[5])
      assert.equal("number", again[7])
      assert.equal(leeward.vec3(1, 2, 3), loaded[2].blackboard["team.goal"])
      assert.equal("none", loaded[3].blackboard["team.goal"])
      assert.equal(2, other:blackboard().alarm.level)
      assert.equal(other:threats()[1], again.threat)
      assert.is_true(again.threat:exists())
      assert.same({}, log)
    end)

    it("whose covers can be reserved", function()
      local cover = assert(agents[1]:find_cover { radius = 40, threats = { { at = { 35, 1.6, 15 } } }, limit = 1 })[1]
      agents[1].blackboard.cover = cover
      assert(cover:reserve(agents[1]))
      local _, loaded = reload(world)
      local again = loaded[1].blackboard.cover
      assert.equal("leeward.coverpoint", getmetatable(again))
      assert.equal(cover.point, again.point)
      assert.equal(loaded[1]:cover(), again.point)
      again:release(loaded[1])
      assert.is_nil(loaded[1]:cover())
      assert.is_true(again:reserve(loaded[2]))
    end)

    it("in which agents that have died are gone, and threats that were removed do not exist", function()
      local board = agents[1].blackboard
      board.dead, board.other, board.threat = agents[2], agents[3], world:add_threat { at = { 20, 2, 12 } }
      board.list = { agents[2], agents[3] }
      agents[2]:despawn()
      board.threat:remove()
      for _ = 1, 2 do
        local other, loaded = reload(world)
        board = loaded[1].blackboard
        assert.is_false(board.dead:is_alive())
        assert.is_true(board.other:is_alive())
        assert.is_false(board.threat:exists())
        assert.equal(board.dead, board.list[1])
        assert.are_not.equal(board.dead, board.list[2])
        assert.error_matches(function() board.dead:position() end, "is gone")
        assert.equal(world:hash(), other:hash())
        for _, each in ipairs { world, other } do each:step() end
        assert.equal(world:hash(), other:hash())
        world = other -- saved once more
      end
    end)

    it("without what is not plain, which the log names, and which the script may give back", function()
      local board = agents[1].blackboard
      board.callback, board.deep, board.kept = print, { inside = { coroutine.create(print) } }, 1
      world:blackboard().class = setmetatable({}, {})
      local other, loaded = reload(world)
      assert.equal(3, #log)
      assert.matches("^warning: save: blackboard of agent 1: 'callback' is a function, which is left out", log[1])
      assert.matches("'deep' inside[1] is a thread", log[2], 1, true)
      assert.matches("blackboard of the world: 'class' is a table with a metatable", log[3], 1, true)
      assert.same({ 1 }, { loaded[1].blackboard.kept, loaded[1].blackboard.callback, other:blackboard().class })
      loaded = select(2, reload(world, { agent = function(options)
        options.blackboard = { callback = print, kept = 2 }
        return options
      end }))
      assert.equal(print, loaded[1].blackboard.callback)
      assert.equal(2, loaded[1].blackboard.kept)
    end)

    it("in place of those that the world had", function()
      local other = make()
      other:blackboard().mine = 1
      other:spawn { profile = "human", at = { 3, 0, 3 }, team = "red", blackboard = { ["team.mine"] = 1 } }
      assert.is_true(world:save(FILE))
      local loaded = other:load(FILE)
      assert.is_nil(other:blackboard().mine)
      assert.is_nil(loaded[1].blackboard["team.mine"])
      assert.equal(world:hash(), other:hash())
    end)

    it("that its hash covers", function()
      local hashes, before = {}, world:hash()
      local function differs()
        local hash = world:hash()
        assert.is_nil(hashes[hash])
        hashes[hash] = true
      end
      differs()
      agents[1].blackboard.key = 1 differs()
      agents[1].blackboard.key = 2 differs()
      agents[1].blackboard.key = agents[2] differs()
      agents[1].blackboard.key = agents[3] differs()
      agents[1].blackboard["team.key"] = 1 differs()
      world:blackboard().key = 1 differs()
      agents[2]:send "event" differs()
      world:emit("event", 2) differs()
      for _, agent in ipairs(agents) do agent.blackboard.key = nil end
      agents[1].blackboard["team.key"] = nil
      world:blackboard().key = nil
      world:step()
      world:step()
      assert.are_not.equal(before, world:hash())
    end)
  end)

  describe("lets a leaf", function()
    local calls
    before_each(function()
      collectgarbage() -- worlds of other tests stop their leaves when they are collected
      calls = {}
    end)

    --- A leaf that notes its calls and runs until it is woken, and an agent that runs it behind a wait.
    local function spawn(world, more)
      local definition = {
        name = "Busy",
        start = function(_, _, state)
          calls[#calls + 1] = "start"
          state.n = 1
          return "running", 0.5
        end,
        tick = function(_, _, state)
          calls[#calls + 1] = "tick"
          state.n = (state.n or -100) + 1
          return "running", 0.5
        end,
        stop = function(_, _, state, how) calls[#calls + 1] = how .. tostring(state.n) end,
      }
      for key, value in pairs(more) do
        if value == "none" then definition[key] = nil else definition[key] = value end
      end
      local tree = leeward.tree("spec_busy", behaviors.sequence { behaviors.wait(0.5), behaviors.leaf(definition)(),
        behaviors.wait(0.5) })
      return assert(world:spawn { profile = "soldier", at = { 5, 0, 5 }, tree = tree })
    end

    it("start again at itself, not at the root, where it does not say what it saves", function()
      local world = make()
      spawn(world, {})
      world:run(1.2)
      assert.same({ "start", "tick" }, calls)
      local other, loaded = reload(world)
      assert.same({ "start", "tick" }, calls) -- nothing has stopped
      assert.matches("Busy", loaded[1]:why(), 1, true)
      other:step(1 / 60)
      assert.same({ "start", "tick", "start" }, calls)
      other:run(0.6)
      assert.same({ "start", "tick", "start", "tick" }, calls)
      loaded[1]:despawn()
      assert.equal("aborted2", calls[5])
    end)

    it("be given up before it has started again", function()
      local world = make()
      spawn(world, {})
      world:run(1.2)
      local _, loaded = reload(world)
      loaded[1]:despawn()
      assert.same({ "start", "tick" }, calls)
    end)

    it("start a coroutine again", function()
      local world = make()
      spawn(world, { start = "none", tick = "none", stop = "none", run = function(agent)
        calls[#calls + 1] = "run"
        agent:wait(0.3)
        calls[#calls + 1] = "ran"
      end })
      world:run(0.6)
      local other = reload(world)
      other:run(0.2)
      assert.same({ "run", "run" }, calls)
      other:run(0.2)
      assert.same({ "run", "run", "ran" }, calls)
    end)

    it("go on with its state", function()
      local world = make()
      spawn(world, { save = true })
      world:run(1.2)
      local other, loaded = reload(world)
      assert.equal(world:hash(), other:hash())
      other:run(0.5)
      loaded[1]:despawn()
      assert.same({ "start", "tick", "tick", "aborted3" }, calls)
    end)

    it("say what of its state is saved, and make it again", function()
      local world = make()
      local agent = spawn(world, {
        save = function(agent, options, state) return { n = state.n * 10, agent, type(options) } end,
        load = function(agent, _, state, saved)
          assert(saved[1] == agent and saved[2] == "table")
          state.n = saved.n
        end,
      })
      world:run(1.2)
      local other, loaded = reload(world)
      assert.are_not.equal(agent, loaded[1])
      other:run(0.5)
      loaded[1]:despawn()
      assert.same({ "start", "tick", "tick", "aborted21" }, calls)
      assert.same({}, log)
    end)

    it("start again where it saves nothing, or cannot load", function()
      for _, more in ipairs {
        { save = function() end }, { save = true, load = function() return false end },
      } do
        local world = make()
        spawn(world, more)
        world:run(1.2)
        calls = {}
        reload(world):step()
        assert.same({ "start" }, calls)
      end
      assert.same({}, log)
    end)

    it("fail to save or load, which the log tells", function()
      for expected, more in pairs {
        ["spec_busy > sequence > Busy, agent 1, save: .*what it saves: deep%.f is a function, expected plain data"] =
          { save = function() return { deep = { f = print } } end },
        ["save: .*save_trees_spec.lua:%d+: no luck"] = { save = function() error "no luck" end },
        ["load: .*save_trees_spec.lua:%d+: no way"] = { save = true, load = function() error "no way" end },
        ["load: .*it has saved 7, but has no 'load'"] = { save = function() return 7 end },
      } do
        log = {}
        local world = make()
        spawn(world, more)
        world:run(1.2)
        calls = {}
        reload(world):step()
        assert.same({ "start" }, calls)
        assert.equal(1, #log)
        assert.matches("^error: ", log[1])
        assert.matches(expected, log[1])
        assert.matches("; the leaf starts again in the loaded world", log[1], 1, true)
      end
    end)

    it("be refused where it cannot save", function()
      assert.error_matches(function() behaviors.leaf { name = "X", run = print, save = true } end,
        "leaf 'X': save is given, expected none beside run")
      assert.error_matches(function() behaviors.leaf { name = "X", start = print, load = print } end,
        "leaf 'X': load is given, expected save beside it")
      assert.error_matches(function() behaviors.leaf { name = "X", start = print, save = 1 } end,
        "leaf 'X': save is 1, expected a function")
    end)
  end)

  describe("has a tree that has changed since", function()
    local function define(nodes)
      local Idle = behaviors.leaf {
        name = "Idle", start = function() return "running", math.huge end, tick = function() return "success" end,
        save = true,
      }
      return leeward.tree("spec_changed", nodes(Idle))
    end

    it("and goes on where the nodes that run are the same", function()
      local world = make()
      define(function(Idle) return behaviors.sequence { behaviors.wait(0.2), Idle(), behaviors.wait(9) } end)
      for _ = 1, 2 do assert(world:spawn { profile = "soldier", at = { 5, 0, 5 }, tree = "spec_changed" }) end
      world:run(1)
      world:save(FILE)
      define(function(Idle)
        return behaviors.sequence { behaviors.wait(5), Idle(), behaviors.wait(9), behaviors.wait(8) }
      end)
      local loaded = assert(make():load(FILE))
      assert.matches("Idle", loaded[1]:why(), 1, true)
      assert.same({ "warning: load: the tree 'spec_changed' is not what it was when the world was saved: "
        .. "2 agents go on where they were, 0 begin at its root" }, log)
    end)

    it("and begins at its root where they are not", function()
      local world = make()
      define(function(Idle) return behaviors.sequence { behaviors.wait(0.2), Idle() } end)
      assert(world:spawn { profile = "soldier", at = { 5, 0, 5 }, tree = "spec_changed" })
      world:run(1)
      world:save(FILE)
      define(function() return behaviors.sequence { behaviors.wait(5) } end)
      local other = make()
      local loaded = assert(other:load(FILE))
      other:step()
      assert.matches("wait", loaded[1]:why(), 1, true)
      assert.matches("0 agents go on where they were, 1 begin at its root", log[1], 1, true)
    end)
  end)
end)
