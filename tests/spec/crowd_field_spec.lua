--- Agents with one goal share a distance field: what the planner says of it, and saved games in the middle.
local leeward = require "leeward"

local FILE = os.tmpname()
local GOAL = { 46, 0, 46 }

--- Squares of 2 m, one in five of which is missing; all in the same order in each run.
local function ground(seed)
  local state, vertices, polygons = seed, {}, {}
  for x = 0, 24 do
    for z = 0, 24 do vertices[#vertices + 1] = { 2 * x, 0, 2 * z } end
  end
  for x = 0, 23 do
    for z = 0, 23 do
      state = (state * 1103515245 + 12345) % 2147483648
      local at = 25 * x + z + 1
      local is_kept = (state >> 8) % 5 > 0 or x < 4 or (x > 21 and z > 21)
      if is_kept then polygons[#polygons + 1] = { at, at + 25, at + 26, at + 1 } end
    end
  end
  return leeward.navmesh { vertices = vertices, polygons = polygons }
end

local function open(navmesh, options)
  local settings = { navmesh = navmesh, seed = 3, search_work = 60 }
  for key, value in pairs(options or {}) do settings[key] = value end
  return leeward.world(settings)
end

--- Agents in the first four columns.
local function spawn(world, count)
  local agents = {}
  for number = 0, count - 1 do
    local at = { 0.5 + 1.5 * (number % 5), 0, 1 + 1.5 * (number // 5) }
    agents[#agents + 1] = assert(world:spawn { profile = "human", at = at })
  end
  return agents
end

local function send(agents, to)
  for _, agent in ipairs(agents) do assert(agent:move_to(to or GOAL)) end
end

local function planner(world) return world:stats().planner end

local function run_until_answered(world)
  for _ = 1, 400 do
    if planner(world).waiting_agents == 0 then return end
    world:step()
  end
  error("some still wait")
end

describe("a crowd", function()
  it("shares a distance field", function()
    local world = open(ground(1))
    local agents = spawn(world, 60)
    send(agents)
    run_until_answered(world)
    local stats = planner(world)
    assert.equal(1, stats.fields)
    assert.equal(1, stats.fields_opened)
    assert.is_true(stats.field_paths >= 50, stats.field_paths)
    for _, agent in ipairs(agents) do
      local explained = assert(agent:explain())
      assert.is_true(explained.longer < 0.01 * explained.shortest.length, explained.sentence)
    end
  end)

  it("of requests does, and gets paths as good as alone", function()
    local world, done = open(ground(1)), 0
    for number = 1, 60 do
      local query = { from = { 1 + number % 6, 0, 0.7 * number }, to = GOAL, profile = "human" }
      local alone = assert(world:find_path(query))
      query.on_done = function(path)
        if path:cost() <= 1.01 * alone:cost() and not path:is_partial() then done = done + 1 end
      end
      world:request_path(query)
    end
    for _ = 1, 200 do world:step() end
    assert.equal(60, done)
    assert.equal(1, planner(world).fields_opened)
    assert.is_true(planner(world).field_paths >= 50)
  end)

  it("of few does not", function()
    local world = open(ground(1))
    local agents = spawn(world, 29)
    send(agents)
    run_until_answered(world)
    assert.equal(0, planner(world).fields_opened)
  end)

  it("that pays for dangers does not", function()
    local world = open(ground(1), { search_work = 5000 })
    local agents = spawn(world, 60)
    world:add_danger { at = { 24, 0, 24 }, radius = 5, value = 1 }
    world:step()
    for _, agent in ipairs(agents) do assert(agent:move_to(GOAL, { cost = { danger_cost = 10 } })) end
    run_until_answered(world)
    assert.equal(0, planner(world).field_paths)
  end)

  it("computes it again where an obstacle changes the ground", function()
    local world = open(ground(1))
    local agents = spawn(world, 60)
    send(agents)
    run_until_answered(world)
    world:add_obstacle { shape = "box", at = { 44, 0, 44 }, size = { 1, 2, 1 }, min_move = 0 }
    world:step()
    world:step()
    assert.equal(0, planner(world).fields)
    send(agents)
    run_until_answered(world)
    assert.equal(2, planner(world).fields_opened)
  end)
end)

describe("a saved game", function()
  after_each(function() os.remove(FILE) end)

  --- A world that goes on, and one that is saved and loaded again after each so many steps.
  local function compare(navmesh, options, every, happen)
    local world, loaded = open(navmesh, options), open(navmesh, options)
    local fields, is_growing = 0, false
    spawn(world, 70)
    spawn(loaded, 70)
    for step = 1, 120 do
      happen(world, step)
      happen(loaded, step)
      world:step()
      loaded:step()
      local stats = planner(world)
      is_growing = is_growing or (stats.fields == 1 and stats.field_paths == 0)
      fields = math.max(fields, stats.fields)
      assert.equal(world:hash(), loaded:hash(), ("after %d steps"):format(step))
      if step % every == 0 then
        assert(loaded:save(FILE))
        loaded = open(navmesh, options)
        assert(loaded:load(FILE))
        assert.equal(world:hash(), loaded:hash(), ("loaded after %d steps"):format(step))
      end
    end
    return fields, is_growing
  end

  local function send_all(world, step)
    if step == 1 then send(world:agents()) end
  end

  it("goes on bit for bit with a field that grows", function()
    for _, work in ipairs { 7, 25, 60 } do
      local fields, is_growing = compare(ground(2), { search_work = work }, 1, send_all)
      assert.equal(1, fields)
      assert.is_true(is_growing or work > 25)
    end
  end)

  it("goes on bit for bit where much else happens", function()
    for seed = 1, 4 do
      local function happen(world, step)
        local agents = world:agents()
        if step == 1 then send(agents) end
        if step % 20 == 7 then send(agents, step % 40 == 7 and { 1, 0, 46 } or GOAL) end
        if step % 30 == 11 then
          world:add_obstacle { shape = "box", at = { 20 + step / 10, 0, 30 }, size = { 3, 2, 3 }, min_move = 0 }
        end
        if step % 15 == 4 then agents[1 + step % #agents]:move_to({ 40, 0, 1 }) end
      end
      local fields = compare(ground(seed), { search_work = 20 * seed, threads = 1 + seed % 3 }, 3 + seed, happen)
      assert.is_true(fields >= 1)
    end
  end)
end)
