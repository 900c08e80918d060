local leeward = require "leeward"

local FILE = os.tmpname()
local settings = { cell_size = 0.25, agent_radius = 0.25, tile_size = 8, threads = 1 }
local SOUTH, NORTH = { from = { 4, 0, 4 }, to = { 36, 0, 4 } }, { from = { 4, 0, 20 }, to = { 36, 0, 20 } }

-- A floor of 40 x 24 m; each wall leaves a way round its other end.
local function place(walls)
  local level = leeward.geometry()
  level:add_box { at = { 20, -1, 12 }, size = { 40, 1, 24 } }
  if walls.south then level:add_box { at = { 12, 0, 5 }, size = { 1, 2, 10 }, area = false } end
  if walls.north then level:add_box { at = { 28, 0, 19 }, size = { 1, 2, 10 }, area = false } end
  return level
end

local function length(world, way) return world:find_path(way):length() end

-- The settings, with the bounds of a level.
local function within(level, more)
  local result = { bounds = { level:bounds() } }
  for _, from in ipairs { settings, more or {} } do
    for key, value in pairs(from) do result[key] = value end
  end
  return result
end

-- Are the polygons, by tile, the same?
local function same_ground(a, b)
  return #a:differing_tiles(b) == 0
end

teardown(function() os.remove(FILE) end)

describe("leeward.bake_permutations", function()
  it("bakes each state, and finds the tiles that differ", function()
    local navmesh, tiles, report = leeward.bake_permutations(place { south = true },
      { whole = place { south = true }, breached = place {} }, settings)
    assert.equal(5 * 3, #navmesh:tiles())
    assert.is_true(report.tiles > 0)
    assert.is_true(#tiles.breached > 0 and #tiles.breached < 15)
    assert.equal(#tiles.breached, #tiles.whole)
    for _, tile in ipairs(tiles.breached) do assert.is_true(tile.x <= 2) end
    assert.is_true(same_ground(navmesh, tiles.whole.source))
    local alone = leeward.bake(place {}, within(place { south = true }))
    assert.is_true(same_ground(alone, tiles.breached.source))
  end)

  it("bakes the same geometry once", function()
    local level = place { south = true }
    local navmesh, tiles = leeward.bake_permutations(level, { whole = level, breached = place {} }, settings)
    assert.equal(navmesh, tiles.whole.source)
  end)

  it("finds the tiles of a hole, not those over which the rest of the floor is cut into other polygons", function()
    -- 96 m in both directions, in one piece but for two that states leave out.
    local function yard(without)
      local level = leeward.geometry()
      for _, x in ipairs { -40, 36 } do
        if x ~= without then level:add_box { at = { x, -1, 0 }, size = { 3, 1, 3 } } end
      end
      for _, box in ipairs { { -48, -48, 48, -1.5 }, { -48, 1.5, 48, 48 }, { -48, -1.5, -41.5, 1.5 },
        { -38.5, -1.5, 34.5, 1.5 }, { 37.5, -1.5, 48, 1.5 } } do
        level:add_box { min = { box[1], -1, box[2] }, max = { box[3], 0, box[4] } }
      end
      return level
    end
    local base, west = leeward.bake_permutations(yard(), { whole = yard(), crater = yard(-40) }, settings)
    local _, east = leeward.bake_permutations(base, { whole = base, crater = yard(36) },
      { cell_size = 0.25, agent_radius = 0.25, tile_size = 8, threads = 1, bounds = { yard():bounds() } })
    assert.is_true(#west.crater >= 2 and #west.crater <= 12)
    for _, tile in ipairs(west.crater) do assert.is_true(tile.x <= 2 and tile.z >= 4 and tile.z <= 7) end
    for _, tile in ipairs(east.crater) do assert.is_true(tile.x >= 9) end

    local world = leeward.world { navmesh = base }
    world:permutation("west", { default = "whole", whole = { tiles = west.whole }, crater = { tiles = west.crater } })
    world:permutation("east", { default = "whole", whole = { tiles = east.whole }, crater = { tiles = east.crater } })
    for _, name in ipairs { "west", "east" } do world:set_permutation(name, "crater") end
    world:step()
    for _, x in ipairs { -40, 36 } do
      assert.is_false(world:contains { x, 0, 0 })
      assert.is_true(world:sees({ x, 1, 0 }, { x, -1.5, 0 }))
    end
    assert.is_false(world:sees({ 0, 1, 0 }, { 0, -1.5, 0 }))
  end)

  it("finds what blocks sight alone, also where as much of it does", function()
    -- Above the heads of agents, and out of what measures how open the ground lies.
    local function sign(turned)
      local level = place {}
      level:add_box { at = { 20, 30, 12 }, size = turned and { 0.2, 1, 4 } or { 4, 1, 0.2 }, area = false }
      return level
    end
    local bounds = { { 0, -1, 0 }, { 40, 32, 24 } }
    local function bake(level) return leeward.bake(level, within(place {}, { bounds = bounds, openness_range = 5 })) end
    local along, across = bake(sign(false)), bake(sign(true))
    local differing = along:differing_tiles(across)
    assert.equal(1, #differing)
    assert.same({ 2, 1 }, { differing[1].x, differing[1].z })
    assert.same({}, along:differing_tiles(bake(sign(false))))
  end)

  it("finds nothing where tiles were taken out and put back", function()
    local navmesh = leeward.bake(place { south = true, north = true }, within(place {}))
    local box = { box = { { 9, 0, 1 }, { 30, 1, 14 } } }
    local without = leeward.replace_tiles(navmesh, nil, box)
    assert.equal(3 * 2, #navmesh:differing_tiles(without))
    assert.same({}, navmesh:differing_tiles(leeward.replace_tiles(without, navmesh, box)))
  end)

  it("gives no tiles where no state differs, which a permutation takes", function()
    local navmesh, tiles = leeward.bake_permutations(place {}, { same = place {} }, settings)
    assert.same({ source = tiles.same.source }, tiles.same)
    local world = leeward.world { navmesh = navmesh }
    world:permutation("none", { same = { tiles = tiles.same } })
    world:apply_changes()
    assert.equal("same", (world:permutation_state "none"))
  end)

  it("takes navmeshes that are baked already", function()
    local before, tiles = leeward.bake_permutations(place { south = true }, { breached = place {} }, settings)
    assert(tiles.breached.source:save(FILE))
    local loaded = assert(leeward.load_navmesh(FILE))
    local navmesh, again = leeward.bake_permutations(before, { whole = before, breached = loaded })
    assert.equal(before, navmesh)
    assert.equal(#tiles.breached, #again.breached)
    assert.equal(loaded, again.breached.source)
  end)

  it("says what is wrong", function()
    local level = place {}
    assert.has_error(function() leeward.bake_permutations({}, {}) end,
      "bake_permutations: geometry is a table, expected a geometry, or a navmesh")
    assert.has_error(function() leeward.bake_permutations(level, { whole = 7 }) end,
      "bake_permutations: states.whole is 7, expected a geometry, or a navmesh")
    assert.has_error(function() leeward.bake_permutations(level, { level }) end,
      "bake_permutations: states has the key 1, expected names")
    local result, message, code = leeward.bake_permutations(level, { void = leeward.geometry() }, settings)
    assert.is_nil(result)
    assert.matches("state 'void': ", message, 1, true)
    assert.equal("EMPTY", code)
    local coarse = leeward.bake(level, { cell_size = 0.25, agent_radius = 0.25, tile_size = 16 })
    local fine = leeward.bake(level, settings)
    assert.has_error(function() leeward.bake_permutations(fine, { coarse = coarse }) end,
      "bake_permutations: other: it is of 16 m, expected 8 m as in navmesh")
  end)
end)

describe("a permutation with tiles", function()
  local navmesh, tiles, world

  before_each(function()
    local level = place { south = true }
    navmesh, tiles = leeward.bake_permutations(level, { whole = level, breached = place {} }, settings)
    world = leeward.world { navmesh = navmesh }
    world:permutation("wall",
      { default = "whole", whole = { tiles = tiles.whole }, breached = { tiles = tiles.breached } })
    world:apply_changes()
  end)

  it("switches whole tiles when the next step begins", function()
    local round = length(world, SOUTH)
    assert.is_true(round > 33)
    world:set_permutation("wall", "breached")
    assert.equal(round, length(world, SOUTH))
    world:step()
    assert.is_true(math.abs(length(world, SOUTH) - 32) < 0.01)
    assert.equal(navmesh, world:navmesh())
    world:set_permutation("wall", "whole")
    world:apply_changes()
    assert.equal(round, length(world, SOUTH))
  end)

  it("lets a wall hide, and no longer, from the same step on", function()
    local ray = { from = { 4, 1, 4 }, to = { 20, 1, 4 } }
    assert.is_false(world:sees(ray.from, ray.to))
    world:set_permutation("wall", "breached")
    world:step()
    assert.is_true(world:sees(ray.from, ray.to))
    world:set_permutation("wall", "whole")
    world:step()
    assert.is_false(world:sees(ray.from, ray.to))
  end)

  it("tells agents that walk round it", function()
    local agent = world:spawn { profile = "human", at = SOUTH.from }
    agent:move_to(SOUTH.to)
    world:run(1)
    local before = agent:remaining()
    world:set_permutation("wall", "breached")
    world:run(3)
    assert.is_true(agent:remaining() < before - 6)
    world:run(30)
    assert.equal("arrived", agent:move_state())
  end)

  it("lets agents that threats see search in turn, and none walk into what is gone", function()
    local function yard(pit)
      local level = leeward.geometry()
      level:add_box { min = { -30, -1, -30 }, max = { pit and 0 or 30, 0, 30 } }
      if pit then level:add_box { min = { 8, -1, -30 }, max = { 30, 0, 30 } } end
      if pit then level:add_box { min = { 0, -1, 20 }, max = { 8, 0, 30 } } end
      return level
    end
    local flat = yard(false)
    local ground, of = leeward.bake_permutations(flat, { flat = flat, pit = yard(true) },
      { cell_size = 0.25, agent_radius = 0.25, tile_size = 8, threads = 1 })
    local crowded = leeward.world { navmesh = ground, seed = 3 }
    crowded:permutation("pit", { default = "flat", flat = { tiles = of.flat }, pit = { tiles = of.pit } })
    for i = 1, 4 do crowded:add_threat { at = { -25 + 10 * i, 1.6, -28 }, known_to = "red" } end
    local agents = {}
    for i = 1, 60 do
      agents[i] = assert(crowded:spawn { profile = "soldier", at = { -12, 0, i - 30 }, team = "red" })
      assert(agents[i]:move_to { 25, 0, i - 30 })
    end
    repeat crowded:step() until agents[60]:position().x > -0.5 -- just before the pit
    local function searches()
      local sum = 0
      for _, agent in ipairs(agents) do sum = sum + agent:stats().searches end
      return sum
    end
    crowded:set_permutation("pit", "pit")
    crowded:step()
    local before, max, stood, at = searches(), 0, 0, {}
    for _ = 1, 240 do
      for i, agent in ipairs(agents) do at[i] = agent:position() end
      crowded:step()
      local now = searches()
      before, max = now, math.max(max, now - before)
      for i, agent in ipairs(agents) do
        if agent:move_state() == "walking" and at[i] == agent:position() then stood = stood + 1 end
      end
    end
    assert.is_true(max >= 1 and max < 20) -- a few in a step, where all sixty are blocked in one
    assert.equal(0, stood) -- nobody waits: they walk round it meanwhile
    for _, agent in ipairs(agents) do
      assert.is_true(agent:move_state() ~= "failed" and agent:stats().replans > 0)
      assert.equal(0, agent:stats().off_mesh)
    end
  end)

  it("tells listeners, with the state", function()
    local told = {}
    world:on_permutation(function(name, state) told[#told + 1] = name .. "=" .. state end)
    world:set_permutation("wall", "breached")
    world:step()
    assert.same({ "wall=breached" }, told)
  end)

  it("is what a bake of that state is, with obstacles and cuts as well", function()
    world:add_obstacle { at = { 30, 0, 4 }, size = { 2, 2, 2 } }
    local shut = { cut = { { box = { min = { 5, -1, 3 }, max = { 7, 2, 9 } } } } }
    world:permutation("pit", { default = "open", open = {}, shut = shut })
    world:set_permutation("pit", "shut")
    world:set_permutation("wall", "breached")
    world:apply_changes()
    local fresh = leeward.world { navmesh = tiles.breached.source }
    fresh:add_obstacle { at = { 30, 0, 4 }, size = { 2, 2, 2 } }
    fresh:permutation("pit", { shut = shut })
    fresh:apply_changes()
    assert.equal(length(fresh, SOUTH), length(world, SOUTH))
    assert.equal(length(fresh, NORTH), length(world, NORTH))
    assert.is_true(length(world, SOUTH) > 32)
  end)

  it("is combined with others, each with tiles of its own", function()
    local both = place { south = true, north = true }
    local all, south = leeward.bake_permutations(both,
      { whole = both, breached = place { north = true } }, settings)
    local _, north = leeward.bake_permutations(all,
      { whole = all, breached = assert(leeward.bake(place { south = true }, within(both))) })
    local two = leeward.world { navmesh = all }
    for name, states in pairs { south = south, north = north } do
      two:permutation(name,
        { default = "whole", whole = { tiles = states.whole }, breached = { tiles = states.breached } })
    end
    local answers = {}
    for _, pair in ipairs { { "whole", "whole" }, { "breached", "whole" }, { "whole", "breached" },
      { "breached", "breached" }, { "whole", "whole" }, { "breached", "breached" } } do
      two:set_permutation("south", pair[1])
      two:set_permutation("north", pair[2])
      two:apply_changes()
      local fresh = leeward.world { navmesh = assert(leeward.bake(
        place { south = pair[1] == "whole", north = pair[2] == "whole" }, within(both))) }
      for _, way in ipairs { SOUTH, NORTH } do
        assert.is_true(math.abs(length(fresh, way) - length(two, way)) < 1e-3)
        answers[#answers + 1] = length(two, way)
      end
      for _, at in ipairs { { 12, 1, 5 }, { 28, 1, 19 } } do
        local from, to = { at[1] - 4, 1, at[3] }, { at[1] + 4, 1, at[3] }
        assert.equal(fresh:sees(from, to), two:sees(from, to))
      end
    end
    assert.same({ answers[1], answers[2] }, { answers[9], answers[10] })
    assert.same({ answers[7], answers[8] }, { answers[11], answers[12] })
  end)

  it("keeps its tiles when the navmesh is rebuilt elsewhere", function()
    local level = place { south = true, north = true }
    local job = within(place { south = true }, { box = { { 27, -1, 13 }, { 29, 3, 24 } } })
    local rebuilt = assert(leeward.rebuild(navmesh, level, job))
    world:set_navmesh(rebuilt)
    world:set_permutation("wall", "breached")
    world:step()
    assert.is_true(math.abs(length(world, SOUTH) - 32) < 0.01)
    assert.is_true(length(world, NORTH) > 33)
    assert.equal(rebuilt, world:navmesh())
    world:set_permutation("wall", "whole")
    world:step()
    assert.is_true(length(world, SOUTH) > 33)
    assert.is_true(length(world, NORTH) > 33)
  end)

  it("is saved and loaded with its state", function()
    local agent = world:spawn { profile = "human", at = { 11.5, 0, 11.5 } }
    world:set_permutation("wall", "breached")
    world:run(0.5)
    agent:move_to { 36, 0, 4 }
    world:run(2)
    assert.is_true(agent:position()[1] > 12)
    assert(world:save(FILE))
    world:run(1)
    local after = world:hash()
    local other = leeward.world { navmesh = navmesh }
    other:permutation("wall",
      { default = "whole", whole = { tiles = tiles.whole }, breached = { tiles = tiles.breached } })
    assert(other:load(FILE))
    assert.equal("breached", other:permutation_state "wall")
    assert.is_true(math.abs(length(other, SOUTH) - 32) < 0.01)
    assert(other:save(FILE))
    other:run(1)
    assert.equal(after, other:hash())
  end)

  it("is to be defined before a file is loaded in which its tiles differ", function()
    world:spawn { profile = "human", at = { 11.5, 0, 11.5 } }
    world:set_permutation("wall", "breached")
    world:step()
    assert(world:save(FILE))
    local loaded, message, code = leeward.world { navmesh = navmesh }:load(FILE)
    assert.is_nil(loaded)
    assert.matches("agent 1 (human) stands on tile (1, 1)", message, 1, true)
    assert.matches("; the permutation 'wall' of the file is not defined: if it has tiles, define it first", message, 1,
      true)
    assert.equal("BAD_FILE", code)
  end)

  it("is not saved before its tiles are there", function()
    world:set_permutation("wall", "breached")
    assert.same({ nil,
      "a permutation waits for its tiles, expected a call after the next step, or after changes were applied",
      "PENDING", n = 3 }, table.pack(world:save(FILE)))
    world:apply_changes()
    assert(world:save(FILE))
  end)

  it("holds the navmeshes that it has tiles of, and lets go of them when it is defined again", function()
    local weak = setmetatable({ tiles.breached.source }, { __mode = "v" })
    tiles = nil
    collectgarbage()
    world:set_permutation("wall", "breached")
    world:step()
    assert.is_true(math.abs(length(world, SOUTH) - 32) < 0.01)
    world:permutation("wall", { whole = {} })
    world:step()
    world:permutation("wall", { whole = {} })
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak[1])
    assert.is_true(length(world, SOUTH) > 33)
  end)

  it("may be given by hand: tiles of a box, or none", function()
    world:permutation("wall", { default = "whole", whole = {}, gone = { tiles = { { 2, 0 }, { 2, 1 } } },
      breached = { tiles = { source = tiles.breached.source, box = { { 9, -1, 0 }, { 15, 1, 12 } } } } })
    world:set_permutation("wall", "breached")
    world:step()
    assert.is_true(math.abs(length(world, SOUTH) - 32) < 0.01)
    world:set_permutation("wall", "gone")
    world:step()
    assert.is_nil((world:nearest_point { 20, 0, 4 }))
  end)

  it("may name them, as files have to", function()
    world:name_tiles("rubble", tiles.breached)
    world:permutation("wall", { default = "whole", whole = {}, breached = { tiles = "rubble" } })
    world:set_permutation("wall", "breached")
    world:step()
    assert.is_true(math.abs(length(world, SOUTH) - 32) < 0.01)
    assert.has_error(function() world:permutation("other", { a = { tiles = "rubbel" } }) end,
      "permutation 'other': a.tiles is 'rubbel', expected a name that world:name_tiles() has given. "
        .. "Did you mean 'rubble'?")
  end)

  it("says what is wrong", function()
    local function refused(message, states)
      assert.has_error(function() world:permutation("other", states) end, "permutation 'other': " .. message)
    end
    refused("a.tiles is 7, expected tiles of leeward.bake_permutations, { source =, { x, z }, ... }, "
      .. "or a name of world:name_tiles", { a = { tiles = 7 } })
    refused("a.tiles.source is 'x', expected a navmesh, or nil to remove tiles",
      { a = { tiles = { source = "x" } } })
    refused("unknown key 'a.tiles.sorce'. Did you mean 'source'?",
      { a = { tiles = { sorce = navmesh, { 1, 1 } } } })
    refused("state 'a': tile (99, 0) does not exist, expected a tile of either navmesh: x of the world's is 0 to 4, "
      .. "z 0 to 2", { a = { tiles = { { 99, 0 } } } })
    assert.has_error(function() world:set_tiles(navmesh, { { 0, 0 }, foo = 1 }) end,
      "set_tiles: unknown key 'foo'. Known keys: box")
    refused("state 'a': tile (1, 0) belongs to the permutation 'wall', expected tiles of no other one",
      { a = { tiles = tiles.breached } })
  end)
end)
