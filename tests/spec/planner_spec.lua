--- Paths that are searched in slices, or by the planner of a world.
local leeward = require "leeward"
local maps = require "support.maps"

--- A hall with pillars, through which nobody sees straight.
local function hall(options)
  local geometry = leeward.geometry()
  geometry:add_box{ at = { 0, -0.5, 0 }, size = { 60, 1, 60 }, area = "ground" }
  for x = -24, 24, 6 do
    for z = -24, 24, 6 do geometry:add_box{ at = { x, 1, z }, size = { 3, 2, 1 } } end
  end
  options = options or {}
  options.navmesh = leeward.bake(geometry)
  return leeward.world(options)
end

local ACROSS = { from = { -28, 0, -28 }, to = { 28, 0, 27 }, profile = "soldier" }

local function spawn_and_send(world, count, goal)
  local agents = {}
  for i = 1, count do
    agents[i] = world:spawn{ profile = "soldier", at = { -28 + (i - 1) % 10, 0, -28 + (i - 1) // 10 } }
    assert(agents[i]:move_to(goal))
  end
  return agents
end

local function waiting(agents)
  local count = 0
  for _, agent in ipairs(agents) do count = count + (agent:waits_for_path() and 1 or 0) end
  return count
end

describe("a search in slices", function()
  it("finds what find_path finds", function()
    local world = hall()
    local expected = assert(world:find_path(ACROSS))
    local search, slices = world:search(ACROSS), 0
    local path, message, code
    repeat
      path, message, code = search:step(5)
      slices = slices + 1
    until code ~= "UNFINISHED"
    assert.is_nil(message)
    assert.same(expected:points(), path:points())
    assert.equal(expected:cost(), path:cost())
    assert.is_true(slices > 2 and search:work() > 5)
    assert.equal(path, search:step())
    assert.equal(path, search:finish())
    assert.is_table(path:explain())
  end)

  it("goes to the cheapest of several goals", function()
    local world = hall()
    local goals = { { 28, 0, 27 }, { -28, 0, 0 } }
    local path = world:search{ from = ACROSS.from, to = goals, profile = "soldier" }:finish()
    assert.equal(2, path:goal())
    assert.is_string(path:explain().sentence)
    local request = world:request_path{ from = ACROSS.from, to = goals, profile = "soldier" }
    world:step()
    assert.equal(2, request:path():goal())
  end)

  it("says why there is none, as find_path does", function()
    local world = hall()
    local path, message, code = world:search{ from = { 0, 0, -3 }, to = { 500, 0, 0 } }:finish()
    assert.is_nil(path)
    assert.equal("NO_GOAL", code)
    assert.matches("to", message)
  end)

  it("is given up by cancel, by the end of its scope, and with its world", function()
    local world = hall()
    local scoped
    local cancelled = world:search(ACROSS)
    cancelled:step(3)
    cancelled:cancel()
    assert.equal("CANCELLED", select(3, cancelled:step()))
    do
      local search <close> = world:search(ACROSS)
      search:step(3)
      scoped = search
    end
    assert.equal("CANCELLED", select(3, scoped:finish()))
    local left = world:search(ACROSS)
    left:step(3)
    world:destroy()
    assert.equal("CANCELLED", select(3, left:step()))
  end)

  it("goes on where an obstacle has come meanwhile", function()
    local world = hall()
    local search = world:search(ACROSS)
    search:step(3)
    world:add_obstacle{ shape = "box", at = { -20, 0, -20 }, size = { 3, 2, 3 } }
    world:step()
    local path = assert(search:finish())
    assert.near(assert(world:find_path(ACROSS)):cost(), path:cost(), 1e-3)
  end)

  it("refuses work below one, and parts of one", function()
    assert.error_matches(function() hall():search(ACROSS):step(0) end, "step: work is 0, expected a whole number")
    assert.error_matches(function() hall():set_search_work(1.5) end, "set_search_work: work is 1.5, expected a whole")
  end)
end)

describe("a requested path", function()
  it("is there after a step", function()
    local world = hall()
    local request = world:request_path(ACROSS)
    local path, _, code = request:path()
    assert.is_nil(path)
    assert.equal("UNFINISHED", code)
    world:step()
    path = assert(request:path())
    assert.near(assert(world:find_path(ACROSS)):cost(), path:cost(), 1e-3)
    assert.equal(path, request:path())
  end)

  it("comes sooner at a higher priority", function()
    local world = hall{ search_work = 20 }
    local late = world:request_path(ACROSS)
    local soon = world:request_path{ from = ACROSS.to, to = ACROSS.from, profile = "soldier", priority = 5 }
    local order = {}
    for step = 1, 400 do
      world:step()
      if not order.soon and soon:path() then order.soon = step end
      if not order.late and late:path() then order.late = step end
    end
    assert.is_true(order.soon < order.late)
    assert.is_true(order.soon > 1)
  end)

  it("is shared by all that ask for the same", function()
    local world = hall()
    local first, second = world:request_path(ACROSS), world:request_path(ACROSS)
    world:step()
    assert.same(first:path():points(), second:path():points())
    assert.equal(1, world:stats().planner.shared)
  end)

  it("is searched whether or not its variable is collected", function()
    local hashes = {}
    for round = 1, 2 do
      local world = hall{ search_work = 60 }
      for _ = 1, 3 do world:request_path{ from = ACROSS.to, to = ACROSS.from, profile = "soldier", priority = 9 } end
      spawn_and_send(world, 12, { 27, 0, 27 })
      if round == 2 then collectgarbage() end
      world:run(0.2)
      hashes[round] = world:hash()
    end
    assert.equal(hashes[1], hashes[2])
  end)

  it("says when it is done", function()
    local world = hall()
    local request = world:request_path(ACROSS)
    assert.is_false(request:is_done())
    world:step()
    assert.is_true(request:is_done())
  end)

  it("is forgotten when it is cancelled", function()
    local world = hall()
    local request = world:request_path(ACROSS)
    request:cancel()
    world:step()
    assert.equal("CANCELLED", select(3, request:path()))
    assert.equal(0, world:stats().planner.answered)
  end)

  it("names a priority that is out of range", function()
    assert.error_matches(function()
      hall():request_path{ from = ACROSS.from, to = ACROSS.to, priority = 1000 }
    end, "request_path: priority is 1000, expected")
  end)
end)

describe("on_done of a request", function()
  local function ask(world, done, to)
    return world:request_path{ from = ACROSS.from, to = to or ACROSS.to, profile = "soldier", on_done = done }
  end

  it("is called once with the path, in the step in which there is one", function()
    local world, calls = hall(), {}
    local request = ask(world, function(...) calls[#calls + 1] = { ... } end)
    assert.equal(0, #calls)
    world:step()
    world:step()
    assert.equal(1, #calls)
    assert.equal(request:path(), calls[1][1])
    assert.near(assert(world:find_path(ACROSS)):cost(), calls[1][1]:cost(), 1e-3)
  end)

  it("is called in the order of the answers, also where nobody keeps the request", function()
    local world, order = hall(), {}
    ask(world, function() order[#order + 1] = "first" end)
    world:request_path{ from = ACROSS.to, to = ACROSS.from, profile = "soldier", priority = 3,
                        on_done = function() order[#order + 1] = "urgent" end }
    ask(world, function() order[#order + 1] = "equal" end)
    collectgarbage()
    world:step()
    assert.same({ "urgent", "first", "equal" }, order)
  end)

  it("hears why there is no path", function()
    local world, call = hall(), nil
    ask(world, function(...) call = { ... } end, { 500, 0, 0 })
    world:step()
    assert.is_nil(call[1])
    assert.equal("NO_GOAL", call[3])
    assert.matches("to", call[2])
  end)

  it("is not called after cancel", function()
    local world, called = hall(), false
    ask(world, function() called = true end):cancel()
    world:step()
    assert.is_false(called)
  end)

  it("may ask again, change the world, and destroy it", function()
    local world, count = hall(), 0
    local function again()
      count = count + 1
      world:spawn{ profile = "soldier", at = ACROSS.from }
      if count < 3 then ask(world, again) else world:destroy() end
    end
    ask(world, again)
    for _ = 1, 3 do world:step() end
    assert.equal(3, count)
    assert.error_matches(function() world:step() end, "destroyed")
  end)

  it("logs its errors, and the step goes on", function()
    local lines = {}
    local world = hall{ log = function(_, text) lines[#lines + 1] = text end }
    ask(world, function() error "no use for it" end)
    local other = world:request_path{ from = ACROSS.to, to = ACROSS.from, profile = "soldier" }
    world:step()
    assert.equal(1, #lines)
    assert.matches("request_path, on_done: .*planner_spec.lua:%d+: no use for it", lines[1])
    assert.is_true(other:is_done())
  end)

  it("is a function", function()
    assert.error_matches(function() ask(hall(), 5) end, "request_path: on_done is 5, expected a function")
  end)
end)

describe("agents that are sent", function()
  it("get their paths at once while the work lasts", function()
    local world = hall()
    local agents = spawn_and_send(world, 5, { 27, 0, 27 })
    assert.equal(0, waiting(agents))
    assert.equal(5, world:stats().planner.at_once)
  end)

  it("wait when it is used up, and arrive all the same", function()
    local world = hall{ search_work = 200 }
    local agents = spawn_and_send(world, 30, { 27, 0, 27 })
    assert.is_true(waiting(agents) > 10)
    assert.equal("walking", agents[30]:move_state())
    world:run(3)
    assert.equal(0, waiting(agents))
    local stats = world:stats().planner
    assert.is_true(stats.waited_max > 1 and stats.used_max < 400)
    for _, agent in ipairs(agents) do assert.is_true(agent:position().z > -27 or agent:velocity():length() > 0) end
  end)

  it("hear at once that there is no path", function()
    local world = hall{ search_work = 1 }
    spawn_and_send(world, 10, { 27, 0, 27 })
    local agent = world:spawn{ profile = "soldier", at = { -20, 0, -21 } }
    local sent, _, code = agent:move_to{ 500, 0, 500 }
    assert.is_nil(sent)
    assert.equal("NO_GOAL", code)
    assert.equal("failed", agent:move_state())
  end)

  it("walk on along an earlier path meanwhile", function()
    local world = hall{ search_work = 100000 }
    local agent = spawn_and_send(world, 1, { 27, 0, 27 })[1]
    world:run(1)
    world:set_search_work(1)
    world:step()
    spawn_and_send(world, 20, { 27, 0, 20 })
    agent:move_to{ 27, 0, -27 }
    assert.is_true(agent:waits_for_path())
    local before = agent:position()
    world:run(0.5)
    assert.is_true(agent:position():distance(before) > 0.5)
  end)

  it("go on as before in a saved game", function()
    local function run(world, seconds) world:run(seconds) return world:hash() end
    local world = hall{ search_work = 60 }
    spawn_and_send(world, 40, { 27, 0, 27 })
    world:run(0.2)
    assert.is_true(world:stats().planner.waiting_agents > 5)
    local file = os.tmpname()
    world:save(file)
    local loaded = hall{ search_work = 60 }
    loaded:load(file)
    os.remove(file)
    assert.equal(world:hash(), loaded:hash())
    for _ = 1, 20 do assert.equal(run(world, 0.1), run(loaded, 0.1)) end
    assert.equal(0, world:stats().planner.waiting_agents)
  end)

  --- Save a world in which a search has paused, and let both it and the loaded one go on.
  local function go_on_alike(change, threat)
    local world, loaded = hall{ search_work = 5 }, hall{ search_work = 5 }
    if threat then world:add_threat{ at = { 0, 1.6, 0 }, known_to = true } end
    spawn_and_send(world, 3, { 27, 0, 27 })
    for _ = 1, 3 do world:step() end
    if change then
      change(world)
      world:step()
    end
    local file = os.tmpname()
    world:save(file)
    loaded:load(file)
    os.remove(file)
    for _ = 1, 90 do
      assert.equal(world:hash(), loaded:hash())
      world:step()
      loaded:step()
    end
  end

  it("go on as before where the search that was saved had looked at threats", function() go_on_alike(nil, true) end)

  it("go on as before where the ground had changed under the search that was saved", function()
    go_on_alike(function(world) world:add_obstacle{ shape = "box", at = { 3, 0, 3 }, size = { 2, 2, 2 } } end)
  end)

  it("keep the work of a step in a saved game, and tell it by the hash", function()
    local world, other = hall(), hall()
    assert.equal(world:hash(), other:hash())
    world:set_search_work(77)
    assert.not_equal(world:hash(), other:hash())
    local file = os.tmpname()
    world:save(file)
    other:load(file)
    os.remove(file)
    assert.equal(77, other:stats().planner.budget)
    assert.equal(world:hash(), other:hash())
  end)

  it("say by how much they are away while they wait", function()
    local world = hall{ search_work = 1 }
    local agents = spawn_and_send(world, 5, { 27, 0, 27 })
    assert.is_true(agents[5]:remaining() > 50)
    assert.matches("waits for the search of its path", agents[5]:why())
  end)

  it("leave the same run behind twice", function()
    local hashes = {}
    for i = 1, 2 do
      local world = hall{ search_work = 90 }
      spawn_and_send(world, 40, { 27, 0, 27 })
      world:run(2)
      hashes[i] = world:hash()
    end
    assert.equal(hashes[1], hashes[2])
  end)
end)

describe("an agent whose search takes several steps", function()
  local GOAL = { 27, 0, 27 }

  --- Send one across, and note how it goes.
  local function cross(world, each_step)
    local agent = spawn_and_send(world, 1, GOAL)[1]
    local seen = { walked = 0, steps = 0, waits = 0 }
    local before = agent:position()
    while agent:move_state() == "walking" and seen.steps < 6000 do
      world:step(1 / 60)
      seen.steps = seen.steps + 1
      if agent:waits_for_path() then seen.waits = seen.waits + 1 end
      local now = agent:position()
      seen.walked = seen.walked + now:distance(before)
      if not seen.set_out and seen.walked > 0 then seen.set_out = seen.steps end
      before = now
      if each_step then each_step(agent) end
    end
    seen.state = agent:move_state()
    return seen
  end

  it("walks meanwhile, does not turn back, and arrives sooner", function()
    local world = hall{ search_work = 1 }
    local field = assert(world:distance_field{ to = GOAL, profile = "soldier" })
    local length = assert(world:find_path{ from = { -28, 0, -28 }, to = GOAL, profile = "soldier" }):length()
    local left, words = math.huge, nil
    local ahead = cross(world, function(agent)
      local now = field:cost(agent:position())
      assert.is_true(now <= left + 0.05)
      left = now
      words = words or agent:why()
    end)
    local standing = cross(hall{ search_work = 1, walk_ahead = false })
    assert.same({ "arrived", "arrived" }, { ahead.state, standing.state })
    assert.is_true(ahead.waits > 20 and standing.set_out > 20)
    assert.equal(1, ahead.set_out)
    assert.is_true(ahead.steps < standing.steps - 10)
    assert.is_true(ahead.walked < length * 1.02)
    assert.matches("waits for the search of its path to .*, and walks towards it", words)
  end)

  it("is searched for once more where the path passes elsewhere", function()
    local world = hall{ search_work = 1 }
    local agent, stood = spawn_and_send(world, 1, GOAL)[1], 0
    for _ = 1, 6000 do
      local before = agent:position()
      world:step(1 / 60)
      if agent:waits_for_path() and agent:position() == before then stood = stood + 1 end
      if agent:move_state() ~= "walking" then break end
    end
    assert.equal("arrived", agent:move_state())
    assert.is_true(stood > 10)
    assert.equal(2, agent:stats().searches)
  end)

  --- A wall with two gaps; an obstacle shuts the nearer one, of which bounds that were baked know nothing.
  local function walled(options)
    local geometry = leeward.geometry()
    geometry:add_box{ at = { 0, -0.5, 0 }, size = { 60, 1, 60 }, area = "ground" }
    geometry:add_box{ at = { 0, 1, -19 }, size = { 1, 2, 22 } }
    geometry:add_box{ at = { 0, 1, 10 }, size = { 1, 2, 30 } }
    for i = 1, 12 do geometry:add_box{ at = { -26 + 4 * i, 1, (i * 17) % 40 - 20 }, size = { 1, 2, 3 } } end
    options.navmesh = leeward.bake(geometry)
    local world = leeward.world(options)
    world:add_obstacle{ shape = "box", at = { 0, 1, -6.5 }, size = { 3, 2, 6 } }
    world:step(1 / 60)
    return world
  end

  it("goes on as before in a saved game", function()
    for _, open in ipairs{ hall, walled } do
      local world, loaded = open{ search_work = 1, threads = 2 }, open{ search_work = 1 }
      spawn_and_send(world, 3, GOAL)
      local file = os.tmpname()
      for _ = 1, 10 do
        for _ = 1, 20 do world:step(1 / 60) end
        world:save(file)
        loaded:load(file)
        for _ = 1, 6 do
          assert.equal(world:hash(), loaded:hash())
          world:step(1 / 60)
          loaded:step(1 / 60)
        end
      end
      os.remove(file)
    end
  end)
end)

describe("threads of a world", function()
  it("change nothing in a run", function()
    local hashes = {}
    for threads = 1, 3 do
      local world = hall{ search_work = 300, threads = threads }
      world:add_threat{ at = { 0, 1.6, 0 }, known_to = true }
      spawn_and_send(world, 40, { 27, 0, 27 })
      world:run(1)
      hashes[threads] = world:hash()
      assert.equal(threads, world:stats().planner.threads)
    end
    assert.same({ hashes[1], hashes[1], hashes[1] }, hashes)
  end)

  it("are named when there are none, or too many", function()
    assert.error_matches(function() hall{ threads = 0 } end, "world: threads is 0, expected")
    assert.error_matches(function() hall{ threads = 65 } end, "world: threads is 65, expected")
  end)
end)

describe("an error deep in a recursion of on_done", function()
  it("is logged at once", function()
    local told
    local world = leeward.world { navmesh = maps.floor(12, 12), log = function(_, message) told = message end }
    local function deep(n) return n == 0 and error "too deep" or 1 + deep(n - 1) end
    world:request_path { from = { 1, 0, 1 }, to = { 9, 0, 9 }, on_done = function() deep(100000) end }
    local began = os.clock()
    for _ = 1, 3 do world:step() end
    assert.matches("too deep", told)
    assert.is_true(os.clock() - began < 5) -- level by level it took minutes
  end)
end)

describe("a search that goes on in a loaded game", function()
  it("is on the ground of the saved one, also where an obstacle was added just before", function()
    local file = os.tmpname()
    for before = 1, 6 do
      local world, twin = hall { search_work = 5 }, hall { search_work = 5 }
      assert(world:spawn { profile = "soldier", at = { -27, 0, -27 } }):move_to { 27, 0, 26 }
      for _ = 1, before do world:step() end
      world:add_obstacle { at = { -20, 0, -21 }, size = { 1, 1, 1 } }
      assert(world:save(file))
      assert(twin:load(file))
      for step = 1, 20 do
        world:step()
        twin:step()
        assert.equal(world:hash(), twin:hash(), ("%d: %d"):format(before, step))
      end
    end
    os.remove(file)
  end)
end)
