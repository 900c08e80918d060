-- Off-mesh links as a game meets them: found by searches, priced, and taken by agents.

local leeward = require "leeward"
local levels = require "support.levels"
local maps = require "support.maps"
local vec3 = leeward.vec3

--- Level rectangles { x, z, width, depth, y }, and links between them.
local function level(floors, links)
  local list = {}
  for i, f in ipairs(floors) do list[i] = { f[1], f[2], f[3], f[4], "ground", f[5] } end
  local navmesh = maps.rectangles(list, links)
  assert(navmesh:validate())
  assert.equal(0, navmesh:stats().offmesh_refused)
  return leeward.world { navmesh = navmesh, seed = 11 }
end

--- Step until `done` says so, or fail after `seconds`.
local function run_until(world, seconds, done)
  local frames = 0
  while not done() do
    world:step(1 / 60)
    frames = frames + 1
    assert.is_true(frames < seconds * 60, "it took too long")
  end
  return frames / 60
end

describe("a jump whose landing loses its ground meanwhile", function()
  local GROUND, LANDING, GOAL = { -30, -1, -30 }, { 2, 0, 2 }, { 20, 0, 2 }
  local COVER = { at = { 0, 0, 0 }, size = { 70, 2, 70 } } -- all there is
  local EVERYWHERE = { box = { { -32, -2, -32 }, { 32, 8, 32 } } }
  local navmesh, world, agent
  lazy_setup(function()
    local geometry = leeward.geometry()
    geometry:add_box { min = GROUND, max = { 30, 0, 30 } }
    navmesh = leeward.bake(geometry,
      { cell_size = 0.2, agent_radius = 0.4, tile_size = 16, bounds = { { -32, -2, -32 }, { 32, 8, 32 } } })
  end)

  --- An agent with that profile on its way over a long jump.
  local function jump(profile)
    world = leeward.world { navmesh = navmesh, seed = 1 }
    world:add_link { kind = "jump", from = { -12, 0, 2 }, to = LANDING, length = 1 }
    world:step()
    agent = assert(world:spawn { profile = profile or "soldier", at = { -14, 0, 2 } })
    assert(agent:move_to(GOAL))
    run_until(world, 5, function() return agent:is_on_link() end)
  end
  local function land() return run_until(world, 10, function() return not agent:is_on_link() end) end

  local function is_trapped()
    local state, _, code = agent:move_state()
    return state == "failed" and code == "TRAPPED"
  end

  for what, cut in pairs {
    ["an obstacle"] = function() return world:add_obstacle(COVER) end,
    ["tiles"] = function() world:set_tiles(nil, { { 2, 2 }, { 1, 2 }, { 2, 1 }, { 1, 1 } }) end,
  } do
    it("traps the agent once it has landed, until there is ground: " .. what, function()
      jump()
      local obstacle = cut()
      world:step()
      assert.equal("walking", agent:move_state()) -- it lands first
      land()
      assert.is_true(is_trapped())
      world:run(1)
      assert.is_true(is_trapped())
      assert.same({ nil, "TRAPPED" }, { agent:move_to(GOAL), select(3, agent:move_to(GOAL)) })
      assert.equal(vec3(LANDING), agent:position())
      assert.equal(0, agent:stats().off_mesh)
      if obstacle then obstacle:remove() else world:set_tiles(navmesh, EVERYWHERE) end
      world:step()
      assert.equal("idle", agent:move_state())
      assert.is_true(agent:move_to(GOAL))
      world:run(10)
      assert.equal("arrived", agent:move_state())
    end)
  end

  it("lets it go on where the ground is back before it lands", function()
    jump()
    local obstacle = world:add_obstacle { at = LANDING, size = { 12, 2, 12 } }
    world:run(0.2)
    obstacle:remove()
    land()
    world:run(10)
    assert.equal("arrived", agent:move_state())
  end)

  for _, width in ipairs { 5, 12, 24 } do
    it("moves it to the nearest ground, from where it goes on: beside an obstacle of " .. width .. " m", function()
      jump()
      world:add_obstacle { at = LANDING, size = { width, 2, width } }
      land()
      assert.equal("walking", agent:move_state())
      assert.is_true(world:contains(agent:position()))
      world:run(15)
      assert.equal("arrived", agent:move_state())
      assert.equal(0, agent:stats().off_mesh)
    end)
  end

  it("traps one that a script stopped on its way, and frees it when ground comes back", function()
    jump()
    agent:stop()
    local obstacle = world:add_obstacle(COVER)
    land()
    assert.is_true(is_trapped())
    obstacle:move({ 45, 0, 0 }, 0, { 0, 0, 0 })
    world:run(1)
    assert.equal("idle", agent:move_state())
    assert.is_true(world:contains(agent:position()))
  end)

  it("is the same in a saved game, before it lands and after", function()
    local path = os.tmpname()
    jump()
    world:add_obstacle(COVER)
    world:step()
    for _ = 1, 2 do
      assert(world:save(path))
      local other = leeward.world { navmesh = navmesh, seed = 1 }
      assert(other:load(path))
      assert.equal(world:hash(), other:hash())
      world:run(8)
      other:run(8)
      assert.equal(world:hash(), other:hash())
      assert.is_true(is_trapped())
    end
    os.remove(path)
  end)
end)

describe("a jump pad onto a roof", function()
  local PAD, ROOF = { 3, 0, 3 }, { 13, 4, 3 }
  local world
  before_each(function()
    world = level({ { 0, 0, 10, 6 }, { 12, 0, 6, 6, 4 } },
      { { kind = "jump", from = PAD, to = ROOF, length = 2 } })
  end)

  it("is the only path up, and its kind and ends are in the path", function()
    local path = assert(world:find_path { from = { 1, 0, 3 }, to = { 17, 4, 3 }, profile = "soldier" })
    assert.same({ { index = 2, kind = "jump", from = vec3(PAD), to = vec3(ROOF), link = world:all_links()[1] } },
      path:links())
    assert.equal(vec3(PAD), path:points()[2])
    assert.equal(vec3(ROOF), path:points()[3])
    assert.equal(4, #path)
    assert.near(2 + 2 + 4, path:length(), 1e-4) -- to the pad, what the jump counts for, over the roof
    assert.near(8, path:cost(), 1e-4)
    assert.same({ "ground", "ground", "ground" }, path:areas())
  end)

  it("throws an agent in an arc, at its own speed", function()
    local agent = world:spawn { profile = "soldier", at = { 1, 0, 3 } }
    assert.is_false(agent:is_on_link())
    assert(agent:move_to { 17, 4, 3 })
    run_until(world, 5, function() return agent:is_on_link() end)
    local highest, last = 0, 0
    local seconds = run_until(world, 10, function()
      local on_link, kind, progress = agent:is_on_link()
      if on_link then
        assert.equal("jump", kind)
        assert.is_true(progress >= last)
        last = progress
        highest = math.max(highest, agent:position().y)
      end
      return not on_link
    end)
    assert.near(vec3(PAD):distance(ROOF) / 3.2, seconds, 0.1)
    assert.is_true(highest > 4, "it flies over the edge of the roof")
    run_until(world, 5, function() return agent:move_state() ~= "walking" end)
    assert.equal("arrived", (agent:move_state()))
    assert.equal(0, agent:stats().off_mesh)
    assert.equal(0, agent:stats().stuck)
  end)

  it("says in mid-air why it is there, and lands before it turns round", function()
    local agent = world:spawn { profile = "soldier", at = { 1, 0, 3 } }
    assert(agent:move_to { 17, 4, 3 })
    run_until(world, 5, function() return agent:is_on_link() end)
    world:run(0.5)
    assert.matches("on a jump link %(%d+ %%%)", agent:why())
    assert.equal(4, assert(agent:random_point { radius = 3 }).y) -- of where it will land
    agent:stop()
    run_until(world, 10, function() return not agent:is_on_link() end)
    assert.equal(vec3(ROOF), agent:position())
    assert.equal("idle", (agent:move_state()))
    assert.equal("NO_PATH", select(3, agent:move_to { 1, 0, 3 })) -- a pad does not lead down
  end)
end)

describe("a drop off a ledge", function()
  local world
  before_each(function()
    world = level({ { 0, 0, 8, 8, 3 }, { 9, 0, 8, 8 } },
      { { kind = "drop", from = { 7.5, 3, 4 }, to = { 9.5, 0, 4 } } })
  end)

  it("leads down and not up", function()
    local above, below = { 1, 3, 4 }, { 16, 0, 4 }
    assert.is_true(world:path_exists(above, below, "soldier"))
    assert.is_false(world:path_exists(below, above, "soldier"))
    assert.is_truthy(world:find_path { from = above, to = below, profile = "soldier" })
    assert.equal("NO_PATH", select(3, world:find_path { from = below, to = above, profile = "soldier" }))
    local near = assert(world:find_path { from = below, to = above, profile = "soldier", allow_partial = true })
    assert.is_true(near:is_partial())
    assert.near(9, near:points()[#near].x, 1e-3)
  end)

  it("lets random points be drawn below from above, and not the other way", function()
    local below = 0
    for _ = 1, 300 do
      if assert(world:random_point { around = { 4, 3, 4 }, radius = 20 }).y < 1 then below = below + 1 end
      assert.equal(0, assert(world:random_point { around = { 13, 0, 4 }, radius = 20 }).y)
    end
    assert.is_true(below > 100 and below < 200, below .. " of 300 below")
  end)

  it("leaves the islands what ground joins", function() assert.equal(2, world:navmesh():stats().islands) end)
end)

describe("a ladder", function()
  local FOOT, TOP, GOAL = { 9, 0, 5 }, { 10.5, 5, 5 }, { 14, 5, 5 }
  local world
  before_each(function()
    world = level({ { 0, 0, 10, 10 }, { 10.2, 0, 6, 10, 5 } },
      { { kind = "ladder", from = FOOT, to = TOP, bidirectional = true } })
  end)

  it("is climbed by soldiers, and not by cars and dogs", function()
    local query = { from = { 1, 0, 5 }, to = GOAL, profile = "soldier" }
    assert.equal("ladder", assert(world:find_path(query)):links()[1].kind)
    for _, profile in ipairs { "car", "dog" } do
      query.profile = { extends = profile, radius = 0.4 }
      assert.equal("NO_PATH", select(3, world:find_path(query)))
      assert.is_false(world:path_exists(query.from, GOAL, { profile = query.profile }))
    end
  end)

  it("is not climbed where one request forbids it", function()
    local query = { from = { 1, 0, 5 }, to = GOAL, profile = "soldier", can_take = { ladder = false } }
    assert.equal("NO_PATH", select(3, world:find_path(query)))
    query.can_take = { jump = false }
    assert.is_truthy(world:find_path(query))
    query.can_take = { rope = false }
    assert.matches("find_path: unknown key 'can_take.rope'.",
      select(2, pcall(world.find_path, world, query)), 1, true)
    local agent = world:spawn { profile = "soldier", at = { 1, 0, 5 }, can_take = { ladder = false } }
    assert.equal("NO_PATH", select(3, agent:move_to(GOAL)))
  end)

  it("is climbed up and down, straight from end to end", function()
    local agent = world:spawn { profile = "soldier", at = { 1, 0, 5 } }
    for _, trip in ipairs { { GOAL, FOOT, TOP }, { { 1, 0, 5 }, TOP, FOOT } } do
      assert(agent:move_to(trip[1]))
      run_until(world, 20, function()
        if agent:is_on_link() then
          local at, along = agent:position() - vec3(trip[2]), vec3(trip[3]) - vec3(trip[2])
          assert.near(at:length() / along:length(), select(3, agent:is_on_link()), 1e-3)
        end
        return agent:move_state() ~= "walking"
      end)
      assert.equal("arrived", (agent:move_state()))
    end
    assert.equal(0, agent:stats().off_mesh)
  end)
end)

describe("a pair of teleporters", function()
  local world
  before_each(function()
    -- A strip of 100 m, and an island far behind it; the teleporters stand at the strip's beginning and on the island.
    world = level({ { 0, 0, 100, 4 }, { 110, 0, 10, 4 } },
      { { kind = "teleport", from = { 2, 0, 2 }, to = { 112, 0, 2 }, length = 0, bidirectional = true },
        { kind = "jump", from = { 99, 0, 2 }, to = { 111, 0, 2 }, bidirectional = true } })
  end)

  it("makes the far island near: the path leads back to the teleporter", function()
    local path = assert(world:find_path { from = { 20, 0, 2 }, to = { 115, 0, 2 } })
    assert.equal("teleport", path:links()[1].kind)
    assert.near(18 + 3, path:length(), 1e-3)
    path = assert(world:find_path { from = { 80, 0, 2 }, to = { 115, 0, 2 } })
    assert.equal("jump", path:links()[1].kind) -- 19 + 12 + 4 against 78 + 3
    assert.near(35, path:length(), 1e-3)
  end)

  it("shortens paths on one floor too", function()
    local path = assert(world:find_path { from = { 8, 0, 2 }, to = { 98, 0, 2 } })
    assert.same({ "teleport", "jump" }, { path:links()[1].kind, path:links()[2].kind })
    assert.near(6 + 1 + 12 + 1, path:length(), 1e-3)
    assert.equal(0, #assert(world:find_path { from = { 50, 0, 2 }, to = { 60, 0, 2 } }):links())
  end)

  it("takes an agent over at once, and arrival means there", function()
    local agent = world:spawn { profile = "soldier", at = { 3, 0, 2 } }
    assert(agent:move_to({ 113, 0, 2 }, { within = 3 }))
    run_until(world, 3, function()
      assert.is_true(agent:velocity():length() < 3.3)
      return agent:move_state() ~= "walking"
    end)
    assert.is_true(agent:position().x > 110)
    assert.is_true(agent:stats().walked < 3)
  end)
end)

describe("a link for large agents", function()
  local TANK = { extends = "human", radius = 1 }
  local function islands(x0, x1)
    return leeward.world { navmesh = leeward.navmesh {
      agent_radius = 0.1,
      vertices = {
        { 0, 0, 0 }, { 8, 0, 0 }, { 8, 0, 8 }, { 0, 0, 8 }, -- one island
        { 10, 0, 0 }, { 18, 0, 0 }, { 18, 0, 8 }, { 10, 0, 8 }, -- the other
      },
      polygons = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } },
      links = { { kind = "jump", from = { x0, 0, 4 }, to = { x1, 0, 4 } } },
    } }
  end
  local A, B = { 2, 0, 4 }, { 16, 0, 4 }

  it("is taken where they can stand at both ends", function()
    local world = islands(6, 12)
    assert.near(14, assert(world:find_path { from = A, to = B, profile = TANK }):length(), 1e-3)
    assert.is_true(world:path_exists(A, B, { profile = TANK }))
    assert.is_false(world:path_exists(B, A, { profile = TANK }))
    local agent = world:spawn { profile = TANK, at = A }
    assert(agent:move_to(B))
    run_until(world, 10, function() return agent:move_state() ~= "walking" end)
    assert.equal("arrived", (agent:move_state()))
    assert.equal(0, agent:stats().off_mesh)
  end)

  it("is left to smaller ones where they cannot", function()
    for _, ends in ipairs { { 7.5, 12 }, { 6, 10.5 } } do
      local world = islands(ends[1], ends[2])
      assert.equal("NO_PATH", select(3, world:find_path { from = A, to = B, profile = TANK }))
      assert.is_false(world:path_exists(A, B, { profile = TANK }))
      assert.is_truthy(world:find_path { from = A, to = B, profile = "dog" })
    end
  end)
end)

describe("a world of two islands", function()
  local function run(seed)
    local links = {
      { kind = "jump", from = { 9, 0, 2 }, to = { 13, 0, 2 } },
      { kind = "drop", from = { 13, 0, 8 }, to = { 9, 0, 8 } },
      { kind = "teleport", from = { 21, 0, 5 }, to = { 1, 0, 5 }, length = 1 },
    }
    local world = level({ { 0, 0, 10, 10 }, { 12, 0, 10, 10 } }, links)
    local navmesh = world:navmesh()
    world = leeward.world { navmesh = navmesh, seed = seed }
    local agents, side, crossed = {}, {}, { east = 0, west = 0 }
    for i = 1, 6 do agents[i] = world:spawn { profile = "soldier", at = { i, 0, 5 }, tree = "wander" } end
    world:run(60, function()
      for i, agent in ipairs(agents) do
        if not agent:is_on_link() then
          assert.is_true(world:contains(agent:position()))
          local now = agent:position().x > 11 and "east" or "west"
          if side[i] and side[i] ~= now then crossed[now] = crossed[now] + 1 end
          side[i] = now
        end
      end
    end)
    for _, agent in ipairs(agents) do
      assert.equal(0, agent:stats().stuck)
      assert.equal(0, agent:stats().off_mesh)
    end
    return crossed, world:hash()
  end

  it("is wandered over in both directions, and the same again with the same seed", function()
    local crossed, hash = run(5)
    assert.is_true(crossed.east > 3 and crossed.west > 3, crossed.east .. " east, " .. crossed.west .. " west")
    assert.equal(hash, select(2, run(5)))
    assert.not_equal(hash, select(2, run(6)))
  end)
end)

describe("the shared levels with their own links", function()
  local settings = {}
  for key, value in pairs(levels.settings) do settings[key] = value end

  -- Labels and searches agree on what can be reached.
  local function compare_answers(world)
    local one_way = 0
    for _ = 1, 150 do
      local a, b = assert(world:random_point { profile = "human" }), assert(world:random_point { profile = "human" })
      local there, back = world:path_exists(a, b, "human"), world:path_exists(b, a, "human")
      assert.equal(there, (world:find_path { from = a, to = b, profile = "human" }) ~= nil)
      assert.equal(back, (world:find_path { from = b, to = a, profile = "human" }) ~= nil)
      if there ~= back then one_way = one_way + 1 end
    end
    return one_way
  end

  local function roam(name)
    settings.links = levels.file(name):gsub("%.obj$", ".gset")
    local navmesh = assert(leeward.bake(assert(leeward.load_geometry(levels.file(name))), settings))
    local world = leeward.world { navmesh = navmesh, seed = 3 }
    local one_way = compare_answers(world)
    for _ = 1, 20 do
      local at = assert(world:random_point { profile = "human" })
      assert(world:spawn { profile = "human", at = at, tree = "wander" })
    end
    local result, on_link = { taken = 0, stuck = 0, off_mesh = 0, goals = 0 }, {}
    local agents = world:agents()
    world:run(60, function()
      for i, agent in ipairs(agents) do
        local now = agent:is_on_link()
        if now and not on_link[i] then result.taken = result.taken + 1 end
        on_link[i] = now
        assert.is_true(now or world:contains(agent:position(), { tolerance = 0.02 }))
      end
    end)
    for _, agent in ipairs(agents) do
      for _, key in ipairs { "stuck", "off_mesh" } do result[key] = result[key] + agent:stats()[key] end
      result.goals = result.goals + agent:stats().goals_reached
    end
    print(("note: %s: %d links, taken %d times in a minute; %d goals reached, %d stuck, %d steps off the mesh; "
      .. "%d of 150 pairs connected one way"):format(name, navmesh:stats().offmesh_links, result.taken, result.goals,
      result.stuck, result.off_mesh, one_way))
    return result
  end

  for _, name in ipairs { "fd1_e1m1", "fd2_map01", "oa_aggressor", "oa_kaos2", "oa_wrackdm17" } do
    it("are roamed by twenty agents, over links too: " .. name, function()
      if not levels.has(name) then pending("the shared level " .. name .. " is missing") end
      local result = roam(name)
      assert.is_true(result.taken > 0)
      assert.is_true(result.goals > 20)
      assert.equal(0, result.stuck)
      assert.equal(0, result.off_mesh)
    end)
  end
end)
