-- The Lua behaviour library by itself: tree descriptions, and leaves run on a stand-in for an agent.
local behaviors = require "behaviors"
local FindRandomPointOnNavMesh = require "behaviors.nodes.find_random_point_on_navmesh"
local MoveTo = require "behaviors.nodes.move_to"

local Nod = behaviors.leaf { name = "Nod", start = function() return "success" end }

--- Raises exactly this, at the line of this file that called.
local function raises(message, f)
  local ok, got = pcall(f)
  assert.is_false(ok)
  local line, text = tostring(got):match "behaviors_spec%.lua:(%d+): (.*)"
  assert.equal(message, text or got)
  local info = debug.getinfo(f, "S")
  assert.is_true(tonumber(line) >= info.linedefined and tonumber(line) <= info.lastlinedefined)
end

--- A stand-in for an agent that records its orders.
local function stand_in()
  local agent = { blackboard = {}, orders = {}, move = "walking", _pace = "normal", _position = { 3, 0, 3 } }
  function agent:move_to(point, options)
    self.orders[#self.orders + 1] = "move_to"
    self._goal, self.within, self.options = point, options.within, options
    if self.refuse then return nil, self.refuse, "NO_PATH" end
    return true
  end
  function agent:position() return self._position end
  function agent:goal() return self._goal end
  function agent:move_state() return self.move, self.message end
  function agent:stop() self.orders[#self.orders + 1] = "stop" end
  function agent:pace() return self._pace end
  function agent:set_pace(pace) self._pace = pace end
  function agent:random_point(query)
    self.query = query
    return self.point, self.point == nil and "no navmesh there that the agent may enter" or nil, "NO_POINT"
  end
  return agent
end

describe("behaviors.sequence and behaviors.selector", function()
  it("describe their children in order as plain tables", function()
    local a, b = Nod(), behaviors.wait(1)
    assert.same({ kind = "sequence", name = "greet", a, b }, behaviors.sequence { name = "greet", a, b })
    assert.same({ kind = "selector", a }, behaviors.selector { a })
  end)

  it("leave the table they are given alone", function()
    local given = { Nod() }
    behaviors.sequence(given)
    assert.same({ Nod() }, given)
  end)

  it("want at least one child", function()
    raises("sequence: has no children, expected at least one", function() behaviors.sequence {} end)
    raises("selector: options is nil, expected a table", function() behaviors.selector() end)
  end)

  it("say which child is no node", function()
    raises("selector: child 2 is 'MoveTo', expected a node", function() behaviors.selector { Nod(), "MoveTo" } end)
    raises("sequence: child 1 is a table, expected a node", function() behaviors.sequence { { kind = "other" } } end)
  end)

  it("notice a child that is nil, even in the middle", function()
    raises("sequence: child 2 is nil, expected a node", function() behaviors.sequence { Nod(), nil, Nod() } end)
  end)

  it("notice a leaf that was named but not called", function()
    raises('sequence: child 1 is a function, expected a node: call the constructor, as in MoveTo { to = "goal" }',
      function() behaviors.sequence { Nod } end)
  end)

  it("refuse unknown keys", function()
    raises("sequence: unknown key 'nmae'. Did you mean 'name'?",
      function() behaviors.sequence { nmae = "x", Nod() } end)
    raises("sequence: unknown key 'looping'. Known keys: name, reactive",
      function() behaviors.sequence { looping = true, Nod() } end)
    raises("sequence: name is 3, expected a string", function() behaviors.sequence { name = 3, Nod() } end)
  end)
end)

describe("behaviors.wait", function()
  it("takes one time, or the least and the most", function()
    assert.same({ kind = "wait", min = 2, max = 2 }, behaviors.wait(2))
    assert.same({ kind = "wait", min = 0.5, max = 2 }, behaviors.wait(0.5, 2))
    assert.same({ kind = "wait", min = 0, max = 0 }, behaviors.wait(0))
  end)

  it("refuses what is no time", function()
    raises("wait: min is -1, expected seconds >= 0", function() behaviors.wait(-1) end)
    raises("wait: min is nil, expected seconds >= 0", function() behaviors.wait() end)
    raises("wait: min is '2', expected seconds >= 0", function() behaviors.wait "2" end)
    raises("wait: min is inf, expected seconds >= 0", function() behaviors.wait(math.huge) end)
    raises("wait: max is 1, expected seconds >= 2", function() behaviors.wait(2, 1) end)
    assert.has_error(function() behaviors.wait(0 / 0) end)
    assert.has_error(function() behaviors.wait(1, 0 / 0) end)
  end)
end)

describe("behaviors.leaf", function()
  local Shout
  local function start() return "success" end

  before_each(function()
    Shout = behaviors.leaf {
      name = "Shout",
      options = { times = 1, word = "hey", loud = true },
      required = { "at" },
      optional = { "echo" },
      check = function(options) if options.times < 1 then return "times is below 1, expected a number >= 1" end end,
      start = start,
    }
  end)

  it("makes a maker of nodes with defaults filled in", function()
    local node = Shout { at = "captain", times = 3 }
    assert.same({
      kind = "leaf", name = "Shout", start = start,
      options = { at = "captain", times = 3, word = "hey", loud = true },
    }, node)
  end)

  it("gives every node options of its own", function()
    local first, second = Shout { at = "a" }, Shout { at = "b" }
    first.options.times = 9
    assert.equal(1, second.options.times)
    assert.equal(1, Shout { at = "c" }.options.times)
  end)

  it("needs no argument when nothing is required", function()
    assert.same({}, Nod().options)
    raises("Shout: at is nil, expected a value", function() Shout() end)
    raises("Shout: options is 'captain', expected a table", function() Shout "captain" end)
  end)

  it("refuses unknown options with a suggestion, or says which there are", function()
    raises("Shout: unknown key 'tiems'. Did you mean 'times'?", function() Shout { at = "x", tiems = 2 } end)
    raises("Shout: unknown key 'volume'. Known keys: at, echo, loud, times, word",
      function() Shout { at = "x", volume = 2 } end)
    raises("Shout: unknown key 1. Known keys: at, echo, loud, times, word", function() Shout { "x" } end)
    raises("Nod: unknown key 'x'. Known keys: none", function() Nod { x = 1 } end)
  end)

  it("holds options to the type of their default", function()
    raises("Shout: times is 'two', expected a finite number", function() Shout { at = "x", times = "two" } end)
    raises("Shout: times is inf, expected a finite number", function() Shout { at = "x", times = math.huge } end)
    raises("Shout: word is 5, expected a string", function() Shout { at = "x", word = 5 } end)
    raises("Shout: loud is 'no', expected a boolean", function() Shout { at = "x", loud = "no" } end)
  end)

  it("asks the leaf's own check last", function()
    raises("Shout: times is below 1, expected a number >= 1", function() Shout { at = "x", times = 0 } end)
  end)

  it("refuses a bad definition", function()
    raises("leaf: options is nil, expected a table", function() behaviors.leaf() end)
    raises("leaf: name is nil, expected a string", function() behaviors.leaf { start = start } end)
    raises("leaf: unknown key 'strat'. Did you mean 'start'?",
      function() behaviors.leaf { name = "X", strat = start } end)
    raises("leaf 'X': start and tick are nil, expected one", function() behaviors.leaf { name = "X" } end)
    raises("leaf 'X': tick is true, expected a function", function() behaviors.leaf { name = "X", tick = true } end)
    raises("leaf 'X': required is 'to', expected a table",
      function() behaviors.leaf { name = "X", start = start, required = "to" } end)
  end)
end)

describe("FindRandomPointOnNavMesh", function()
  local agent
  before_each(function() agent = stand_in() end)

  it("writes a point near the agent on the blackboard", function()
    local node = FindRandomPointOnNavMesh { radius = 12, into = "camp" }
    agent.point = { 1, 0, 2 }
    assert.equal("success", (node.start(agent, node.options, {})))
    assert.equal(agent.point, agent.blackboard.camp)
    assert.same({ radius = 12 }, agent.query)
  end)

  it("draws 20 m around and writes 'goal' by default", function()
    assert.same({ radius = 20, into = "goal" }, FindRandomPointOnNavMesh().options)
  end)

  it("draws around a place of the blackboard, or a point", function()
    agent.point, agent.blackboard.home = { 1, 0, 2 }, { 5, 0, 5 }
    local node = FindRandomPointOnNavMesh { around = "home" }
    assert.equal("success", (node.start(agent, node.options, {})))
    assert.equal(agent.blackboard.home, agent.query.around)
    assert.equal(agent:position(), agent.query.connected_to) -- else from `around`
    node = FindRandomPointOnNavMesh { around = { 7, 0, 7 } }
    node.start(agent, node.options, {})
    assert.same({ 7, 0, 7 }, agent.query.around)
  end)

  it("fails with the reason when the blackboard has no such place", function()
    local node = FindRandomPointOnNavMesh { around = "home" }
    assert.same({ "failure", "the blackboard has no 'home'" }, { node.start(agent, node.options, {}) })
    assert.is_nil(agent.query)
  end)

  it("fails with the reason when there is no point, and keeps the old one", function()
    agent.blackboard.goal = "old"
    local node = FindRandomPointOnNavMesh()
    assert.same({ "failure", "no navmesh there that the agent may enter" }, { node.start(agent, node.options, {}) })
    assert.equal("old", agent.blackboard.goal)
  end)

  it("wants a radius above zero", function()
    raises("FindRandomPointOnNavMesh: radius is 0, expected metres > 0",
      function() FindRandomPointOnNavMesh { radius = 0 } end)
    raises("FindRandomPointOnNavMesh: unknown key 'raduis'. Did you mean 'radius'?",
      function() FindRandomPointOnNavMesh { raduis = 3 } end)
  end)
end)

describe("MoveTo", function()
  local agent, node, state
  local function start() return node.start(agent, node.options, state) end
  local function tick() return node.tick(agent, node.options, state) end
  local function stop(how) node.stop(agent, node.options, state, how) end

  before_each(function()
    agent, node, state = stand_in(), MoveTo { to = "goal" }, {}
    agent.blackboard.goal = { 4, 0, 4 }
  end)

  it("starts the walk and sleeps until it is woken", function()
    assert.same({ "running", math.huge }, { start() })
    assert.equal(agent.blackboard.goal, agent._goal)
    assert.equal(0.3, agent.within)
    assert.same({ "running", math.huge }, { tick() }) -- woken by something else
    assert.same({ "move_to" }, agent.orders)
  end)

  it("succeeds on arrival and leaves the agent alone", function()
    start()
    agent.move = "arrived"
    assert.equal("success", (tick()))
    stop "success"
    assert.same({ "move_to" }, agent.orders)
  end)

  it("succeeds at once when the agent is there already", function()
    agent.move = "arrived"
    assert.equal("success", (start()))
  end)

  it("fails with the reason when there is no path", function()
    agent.refuse = "start and goal are not connected for 'soldier'"
    assert.same({ "failure", agent.refuse }, { start() })
  end)

  it("fails with the reason when the walk fails", function()
    start()
    agent.move, agent.message = "failed", "the agent makes no progress"
    assert.same({ "failure", "the agent makes no progress" }, { tick() })
  end)

  it("fails when the blackboard has no goal", function()
    agent.blackboard.goal = nil
    assert.same({ "failure", "the blackboard has no 'goal'" }, { start() })
    assert.same({}, agent.orders)
  end)

  it("does not take another's goal for its own", function()
    start()
    agent:move_to({ 9, 0, 9 }, { within = 1 })
    agent.move = "arrived"
    assert.same({ "failure", "the agent was sent somewhere else" }, { tick() })
  end)

  it("fails when a script stopped the agent", function()
    start()
    agent.move = "idle"
    assert.same({ "failure", "the agent was stopped" }, { tick() })
  end)

  it("stops the agent when it is aborted", function()
    start()
    stop "aborted"
    assert.same({ "move_to", "stop" }, agent.orders)
  end)

  it("asks for what holds on this walk alone", function()
    local wants = { within = 1, pace = "fast", quality = "fast", profile = "soldier", cost = { cover_bias = 9 },
      avoid = { "road" }, can_take = { jump = false } }
    local given = { to = { 1, 0, 1 }, threats = { { at = { 1, 2, 3 } } } }
    for key, value in pairs(wants) do given[key] = value end
    node = MoveTo(given)
    start()
    wants.threats = { { at = { 1, 2, 3 } } }
    assert.same(wants, agent.options)
  end)

  it("reads its threats from the blackboard, one or a list", function()
    node = MoveTo { to = { 1, 0, 1 }, threats = "fear" }
    assert.same({ "failure", "the blackboard has no 'fear'" }, { start() })
    agent.blackboard.fear = { at = { 1, 2, 3 } }
    start()
    assert.same({ { at = { 1, 2, 3 } } }, agent.options.threats)
  end)

  it("refuses options that make no sense", function()
    raises("MoveTo: to is nil, expected a point, an agent or a key of the blackboard", function() MoveTo {} end)
    raises("MoveTo: to is 3, expected a point, an agent or a key of the blackboard", function() MoveTo { to = 3 } end)
    raises("MoveTo: to is {1, 2}, expected a point, an agent or a key of the blackboard; a point is"
      .. " a vec3 or { x, y, z } with finite numbers",
      function() MoveTo { to = { 1, 2 } } end)
    raises("MoveTo: to is {1, inf, 2}, expected a point, an agent or a key of the blackboard; a point is"
      .. " a vec3 or { x, y, z } with finite numbers",
      function() MoveTo { to = { 1, math.huge, 2 } } end)
    MoveTo { to = { x = 1, y = 2, z = 3 } }
    raises("MoveTo: unknown key 'wihtin'. Did you mean 'within'?", function() MoveTo { to = "goal", wihtin = 2 } end)
    raises("MoveTo: within is -1, expected metres >= 0", function() MoveTo { to = "goal", within = -1 } end)
    raises("MoveTo: pace is 'run', expected 'calm', 'normal' or 'fast'",
      function() MoveTo { to = "goal", pace = "run" } end)
  end)

  it("refuses what agent:move_to would refuse, where it is made", function()
    for message, wrong in pairs {
      ["quality is 'bad', expected 'good', 'fast' or 'exact'"] = { quality = "bad" },
      ["avoid[1] is 'roads', expected the name of an area. Did you mean 'road'?"] = { avoid = { "roads" } },
      ["avoid is 'road', expected a list of the names of areas"] = { avoid = "road" },
      ["unknown key 'cost.cover_bais'. Did you mean 'cover_bias'?"] = { cost = { cover_bais = 2 } },
      ["profile is 'solder', expected the name of a profile. Did you mean 'soldier'?"] = { profile = "solder" },
      ["unknown key 'can_take.jmp'. Did you mean 'jump'?"] = { can_take = { jmp = false } },
      ["threats.range is -1, expected metres > 0"] = { threats = { at = { 1, 2, 3 }, range = -1 } },
      ["unknown key 'threats[2].rnge'. Did you mean 'range'?"] =
        { threats = { { at = { 1, 2, 3 } }, { at = { 1, 2, 3 }, rnge = 3 } } },
    } do
      wrong.to = "goal"
      raises("MoveTo: " .. message, function() MoveTo(wrong) end)
    end
    MoveTo { to = "goal", profile = { extends = "human", radius = 1 }, cost = { cover_bias = 2 }, quality = "fast",
      avoid = {}, can_take = { jump = false }, threats = { at = { 1, 2, 3 }, range = math.huge } }
  end)
end)

describe("the tree 'wander'", function()
  it("draws a point and walks to the one that was drawn", function()
    local wander = require "behaviors.trees.wander"
    local roam = wander[1]
    assert.same({ "selector", "sequence" }, { wander.kind, roam.kind })
    assert.same({ "FindRandomPointOnNavMesh", "MoveTo" }, { roam[1].name, roam[2].name })
    assert.equal(roam[1].options.into, roam[2].options.to)
  end)

  it("waits before it tries again when there is nowhere to go", function()
    local wander = require "behaviors.trees.wander"
    assert.equal("wait", wander[#wander].kind)
    assert.is_true(wander[#wander].min > 0)
  end)
end)

describe("the options of every node", function()
  local leeward = require "leeward"
  local TakeCover = require "behaviors.nodes.take_cover"
  local Peek = require "behaviors.nodes.peek"
  local POINT = "a point or a key of the blackboard"
  local GOAL = "a point, an agent or a key of the blackboard"
  local PLACE = "a threat, an agent, a point or a key of the blackboard"
  local THREATS = "a threat, an agent, a list of them or a key of the blackboard"
  local AGENT, THREAT

  setup(function()
    local world = leeward.world { navmesh = require("support.maps").floor(9, 9) }
    AGENT = assert(world:spawn { profile = "human", at = { 1, 0, 1 } })
    THREAT = world:add_threat { at = { 5, 1.6, 5 } }
  end)

  it("are refused where they cannot be right", function()
    for _, case in ipairs {
      { MoveTo, "to", 3, GOAL }, { MoveTo, "to", {}, GOAL }, { MoveTo, "to", false, GOAL },
      { MoveTo, "to", THREAT, GOAL }, { MoveTo, "to", { 1, 2 }, GOAL },
      { FindRandomPointOnNavMesh, "around", 3, POINT }, { FindRandomPointOnNavMesh, "around", { at = 1 }, POINT },
      { Peek, "at", 3, PLACE }, { Peek, "at", {}, PLACE }, { Peek, "at", { at = 3 }, PLACE },
      { Peek, "at", { THREAT }, PLACE },
      { TakeCover, "from", 3, THREATS }, { TakeCover, "from", { 3, 1.6, 6 }, THREATS },
      { TakeCover, "from", {}, THREATS }, { TakeCover, "from", { THREAT, 3 }, THREATS },
      { TakeCover, "from", leeward.vec3(3, 1.6, 6), THREATS }, { TakeCover, "from", { { 3, 1.6, 6 } }, THREATS },
      { TakeCover, "from", { THREAT, radius = 3 }, THREATS }, { TakeCover, "from", true, THREATS },
      { TakeCover, "from[2].weight", { THREAT, { at = { 1, 2, 3 }, weight = -1 } }, "a number from 0 to .*" },
    } do
      local node, key, value, expected = table.unpack(case, 1, 4)
      local options = { to = node == MoveTo and "x" or nil, at = node == Peek and "x" or nil }
      options[key:match "^%a+"] = value
      local ok, message = pcall(node, options)
      assert.is_false(ok, key)
      if type(value) == "table" and expected:find "a point" then
        expected = expected .. "; a point is a vec3 or { x, y, z } with finite numbers"
      end
      assert.matches((": %s is .*, expected %s$"):format(key:gsub("%p", "%%%0"), expected), message)
    end
  end)

  it("are taken where they may be right", function()
    for _, at in ipairs { "key", { 1, 0, 1 }, leeward.vec3(1, 0, 1), AGENT, THREAT, { at = { 1, 0, 1 }, range = 9 } } do
      assert.equal(at, Peek { at = at }.options.at)
    end
    for _, from in ipairs { "key", AGENT, THREAT, { at = { 1, 0, 1 } }, { THREAT, AGENT, { at = { 1, 0, 1 } } } } do
      assert.equal(from, TakeCover { from = from }.options.from)
    end
  end)

  it("name what is required", function()
    raises("Peek: at is nil, expected " .. PLACE, function() Peek() end)
    local Go = behaviors.leaf { name = "Go", required = { to = "a street" }, start = function() return "success" end }
    raises("Go: to is nil, expected a street", function() Go() end)
    assert.equal("x", Go { to = "x" }.options.to)
  end)
end)

describe("false on the blackboard", function()
  it("is a reason to fail, as Peek writes it", function()
    local agent = stand_in()
    agent.blackboard.seen = false
    for _, node in ipairs { MoveTo { to = "seen" }, FindRandomPointOnNavMesh { around = "seen" } } do
      assert.same({ "failure", "the blackboard has false for 'seen'" }, { node.start(agent, node.options, {}) })
    end
    assert.same({ nil, "the blackboard has false for 'seen'" }, { behaviors.place(agent, "seen") })
  end)
end)
