--- Searches in progress in a saved game: the run goes on as if it had not been saved, whatever the program does between
--- loading and the next step.
local leeward = require "leeward"

local FILE = os.tmpname()
local SOIL = { "ground", "ground", "road", "grass" }
local PROFILES = { "human", "car", "truck" }

--- Numbers that are the same in each run, whatever else draws some.
local function numbers(seed)
  local state = seed
  return function(n)
    state = (state * 1103515245 + 12345) % 2147483648
    return (state >> 8) % n + 1
  end
end

--- Squares of 3 m of several areas, one in five of which is missing.
local function patchwork(seed, size)
  local number = numbers(seed)
  local vertices, polygons, areas, known = {}, {}, {}, {}
  local function vertex(x, z)
    local key = x * 1000 + z
    if not known[key] then
      vertices[#vertices + 1] = { 3 * x, 0, 3 * z }
      known[key] = #vertices
    end
    return known[key]
  end
  for x = 0, size - 1 do
    for z = 0, size - 1 do
      local soil = SOIL[number(#SOIL)]
      if number(5) > 1 then
        polygons[#polygons + 1] = { vertex(x, z), vertex(x + 1, z), vertex(x + 1, z + 1), vertex(x, z + 1) }
        areas[#areas + 1] = soil
      end
    end
  end
  return leeward.navmesh { vertices = vertices, polygons = polygons, areas = areas }
end

local function open(navmesh, work) return leeward.world { navmesh = navmesh, seed = 3, search_work = work or 60 } end

local function reload(world, navmesh)
  assert(world:save(FILE))
  local loaded = open(navmesh, 1)
  assert(loaded:load(FILE))
  return loaded
end

local function go_on_alike(world, loaded, steps)
  for step = 1, steps or 60 do
    world:step()
    loaded:step()
    assert.equal(world:hash(), loaded:hash(), ("after %d steps"):format(step))
  end
end

--- A world whose only agent waits for a search that takes many steps.
local function searching(navmesh, profile, work)
  local world = open(navmesh, work or 25)
  local agent = assert(world:spawn { profile = profile or "car", at = { 3, 0, 3 } })
  assert(agent:move_to { 50, 0, 52 })
  world:step()
  world:step()
  assert.is_true(agent:waits_for_path())
  return world
end

--- What a program does to a world, drawn from the same numbers for each.
local function play(world, number, places)
  local agents, obstacles = world:agents(), world:obstacles()
  local what = number(12)
  if what <= 3 and #agents < 25 then
    world:spawn { profile = PROFILES[number(3)], at = places[number(#places)] }
  elseif what <= 8 and #agents > 0 then
    for _ = 1, 3 do agents[number(#agents)]:move_to(places[number(#places)], { priority = number(3) - 2 }) end
  elseif what == 9 and #obstacles < 10 then
    world:add_obstacle { shape = "box", at = places[number(#places)], size = { 1.5, 2, 1.5 } }
  elseif what == 10 and #obstacles > 0 then
    obstacles[number(#obstacles)]:remove()
  elseif what == 11 then
    world:add_danger { at = places[number(#places)], radius = 2, value = 1, half_life = 0.5 }
  elseif #agents > 0 then
    agents[number(#agents)]:stop()
  end
end

describe("a search in progress in a saved game", function()
  local navmesh = patchwork(5, 18)
  teardown(function() os.remove(FILE) end)

  it("is not taken up for a goal that its agent gets before the next step", function()
    local world = searching(navmesh)
    local loaded = reload(world, navmesh)
    for _, each in ipairs { world, loaded } do assert(each:agents()[1]:move_to { 3, 0, 52 }) end
    go_on_alike(world, loaded)
  end)

  it("knows nothing of a danger that comes before the next step", function()
    local world = searching(navmesh, "soldier", 5)
    local loaded = reload(world, navmesh)
    for _, each in ipairs { world, loaded } do each:add_danger { at = { 27, 0, 27 }, radius = 20, value = 1 } end
    go_on_alike(world, loaded)
  end)

  it("is kept where a loaded game is saved again before the next step", function()
    local world = searching(navmesh)
    local loaded = reload(reload(world, navmesh), navmesh)
    assert.equal(world:hash(), loaded:hash())
    go_on_alike(world, loaded)
  end)

  it("goes on as before beside links that its agent may not fit along, and obstacles", function()
    local level = leeward.geometry()
    level:add_box { at = { 0, -1, 0 }, size = { 60, 1, 60 } }
    level:add_box { at = { 0, 0, 10 }, size = { 20, 1.5, 4 } }
    local floor = assert(leeward.bake(level, { cell_size = 0.3, agent_radius = 0.4 }))
    local world = open(floor, 25)
    world:add_link { kind = "jump", from = { 0, 1.5, 11 }, to = { 0, 0, 14 } }
    world:add_obstacle { at = { 20, 0, 20 }, size = { 1, 1, 1 } }
    local agent = assert(world:spawn { profile = "truck", at = { -25, 0, -25 } })
    world:run(0.2)
    assert(agent:move_to { 25, 0, 25 })
    world:step()
    local loads = 0
    while agent:waits_for_path() do
      go_on_alike(world, reload(world, floor), 1)
      loads = loads + 1
    end
    assert.is_true(loads > 2)
    go_on_alike(world, reload(world, floor), 90)
  end)

  it("goes on as before for a vehicle that drives on meanwhile", function()
    local level = leeward.geometry()
    level:add_box { at = { 0, -1, 0 }, size = { 120, 1, 120 } }
    local floor = assert(leeward.bake(level, { cell_size = 0.3, agent_radius = 0.4 }))
    local world, loads = open(floor, 25), 0
    local agent = assert(world:spawn { profile = "truck", at = { -50, 0, -50 } })
    for _, goal in ipairs { { 40, 0, -40 }, { -40, 0, 30 }, { 45, 0, 45 } } do
      assert(agent:move_to(goal))
      world:run(6)
      assert(agent:move_to { -goal[1], 0, goal[3] })
      world:step()
      while agent:waits_for_path() do
        go_on_alike(world, reload(world, floor), 1)
        loads = loads + 1
      end
      go_on_alike(world, reload(world, floor), 30)
    end
    assert.is_true(loads > 6)
  end)

  it("begins no search by how often an earlier one had begun", function()
    local world = searching(navmesh)
    local other = assert(world:spawn { profile = "car", at = { 50, 0, 3 } })
    for i = 1, 2 do
      world:add_obstacle { shape = "box", at = { 9 * i, 0, 9 }, size = { 1, 2, 1 } }
      world:step()
    end
    world:run(2) -- that search is over
    assert(other:move_to { 3, 0, 48 })
    world:step()
    assert.is_true(other:waits_for_path())
    local loaded = reload(world, navmesh)
    go_on_alike(world, loaded, 120) -- and this one
    for _, each in ipairs { world, loaded } do assert(each:agents()[1]:move_to { 3, 0, 3 }) end
    for i = 1, 3 do
      go_on_alike(world, loaded, 1)
      assert.is_true(world:agents()[1]:waits_for_path())
      for _, each in ipairs { world, loaded } do
        each:add_obstacle { shape = "box", at = { 9 * i, 0, 36 }, size = { 1, 2, 1 } }
      end
    end
    go_on_alike(world, loaded)
  end)

  it("goes on as before in random runs that are saved and loaded after each step", function()
    for seed = 1, 6 do
      local ground = patchwork(seed, 14)
      local world, loaded = open(ground), open(ground)
      local places = {}
      for i = 1, 30 do places[i] = assert(world:random_point { profile = "human" }) end
      for i = 1, 30 do assert.equal(places[i], assert(loaded:random_point { profile = "human" })) end
      local number, other = numbers(seed), numbers(seed)
      for step = 1, 150 do
        play(world, number, places)
        play(loaded, other, places)
        world:step()
        loaded:step()
        loaded = reload(loaded, ground)
        assert.equal(world:hash(), loaded:hash(), ("seed %d, step %d"):format(seed, step))
      end
    end
  end)
end)

describe("a request in a saved game", function()
  it("is not there, but lets agents wait until the next step as it did", function()
    local navmesh = patchwork(5, 18)
    local world = open(navmesh, 5000)
    assert(world:spawn { profile = "human", at = { 3, 0, 3 } })
    local request = world:request_path { from = { 3, 0, 3 }, to = { 3, 0, 52 } }
    local loaded = reload(world, navmesh)
    for _, each in ipairs { world, loaded } do
      assert(each:agents()[1]:move_to { 40, 0, 3 })
      assert.is_true(each:agents()[1]:waits_for_path())
    end
    go_on_alike(world, loaded)
    assert.is_true(request:is_done())
  end)
end)

describe("paths on ground that is cut", function()
  it("pay for dangers alike, whether these or obstacles came first", function()
    local vertices, polygons, GAP = {}, {}, 0.03
    for x = 0, 21 do -- squares of 2 m, with a gap behind the tenth column but for the first row
      for z = 0, 20 do vertices[#vertices + 1] = { x <= 10 and 2 * x or 2 * x - 2 + GAP, 0, 2 * z } end
    end
    for x = 0, 20 do
      for z = 0, x == 10 and 0 or 19 do
        local first = 21 * x + z + 1
        polygons[#polygons + 1] = { first, first + 1, first + 22, first + 21 }
      end
    end
    local navmesh = leeward.navmesh { vertices = vertices, polygons = polygons }
    local number = numbers(11)
    local function place() return { 20.5 + number(60) / 10, 0, 2 + number(360) / 10 } end
    local dangers, boxes = {}, {}
    for i = 1, 18 do -- each ends before the gap; points to turn at beside it lie behind that
      dangers[i] = { at = { 16, 0, 2 * i + 1 }, radius = 3.98, value = number(10) / 10 }
    end
    for i = 1, 12 do boxes[i] = { shape = "box", at = { 21, 0, 3 * i }, size = { 0.4, 2, 0.4 } } end
    local worlds = {}
    for i = 1, 2 do
      local world = leeward.world { navmesh = navmesh }
      for _, danger in ipairs(i == 1 and dangers or {}) do world:add_danger(danger) end
      for _, box in ipairs(boxes) do
        world:add_obstacle(box)
        world:apply_changes()
      end
      for _, danger in ipairs(i == 2 and dangers or {}) do world:add_danger(danger) end
      worlds[i] = world
    end
    for _ = 1, 200 do
      local query = { from = place(), to = place(), profile = { extends = "human", danger_cost = 6 } }
      local path, other = worlds[1]:find_path(query), worlds[2]:find_path(query)
      assert.same(path and path:points(), other and other:points())
      assert.equal(path and path:nodes(), other and other:nodes())
    end
  end)
end)

describe("ground that was cut and is whole again", function()
  it("is searched as if it had never been cut, also in a saved game", function()
    local navmesh = patchwork(7, 18)
    local world, fresh = open(navmesh), open(navmesh)
    local obstacle = world:add_obstacle { shape = "box", at = { 27, 0, 27 }, size = { 8, 2, 8 } }
    world:step()
    obstacle:remove()
    world:step()
    local loaded = reload(world, navmesh)
    local longer = 0
    for i = 1, 60 do
      local query = { from = { 1 + i % 7 * 7, 0, 2 }, to = { 52 - i % 11 * 4, 0, 51 } }
      query.quality = i % 2 == 0 and "exact" or nil
      local path = world:find_path(query)
      for _, each in ipairs { fresh, loaded } do
        local other = each:find_path(query)
        assert.same(path and path:points(), other and other:points())
        assert.equal(path and path:nodes(), other and other:nodes())
      end
      longer = longer + (path and 1 or 0)
    end
    assert.is_true(longer > 30)
  end)
end)
