-- Links that the bake finds: a script asks for heights and widths, and agents take what is there.

local leeward = require "leeward"
local bytes = require "support.bytes"
local levels = require "support.levels"

local AGENT = { cell_size = 0.2, agent_radius = 0.4, agent_height = 1.8, tile_size = 16 }

local function with(more)
  local all = {}
  for key, value in pairs(AGENT) do all[key] = value end
  for key, value in pairs(more or {}) do all[key] = value end
  return all
end

--- A yard with a flat roof 2.6 m high, which a long ramp on its far side leads up to.
local function roof()
  local level = leeward.geometry()
  level:add_box { at = { 0, -1, 0 }, size = { 50, 1, 30 } }
  level:add_box { at = { 0, 0, 0 }, size = { 24, 2.6, 10 } }
  level:add_ramp { from = { -20, 0, 0 }, to = { -12, 2.6, 0 }, width = 4 }
  return level
end

local ON_ROOF, BELOW = { 10, 2.6, 0 }, { 16, 0, 0 }

local function world_of(level, links)
  local navmesh, report = leeward.bake(level, with { auto_links = links })
  assert(navmesh:validate())
  return leeward.world { navmesh = navmesh, seed = 3 }, report, navmesh
end

describe("a soldier on a roof", function()
  it("drops off it instead of walking round", function()
    local round = world_of(roof()):find_path { from = ON_ROOF, to = BELOW, profile = "soldier" }
    local world = world_of(roof(), { drop = 3 })
    local path = world:find_path { from = ON_ROOF, to = BELOW, profile = "soldier" }
    assert.is_true(round:length() > 50)
    assert.is_true(path:length() < 12)
    assert.equal(1, #path:links())
    assert.equal("drop", path:links()[1].kind)

    local agent = world:spawn { profile = "soldier", at = ON_ROOF }
    assert(agent:move_to(BELOW))
    local dropped = false
    for _ = 1, 60 * 10 do
      world:step(1 / 60)
      local on_link, kind = agent:is_on_link()
      dropped = dropped or (on_link and kind == "drop")
    end
    assert.is_true(dropped)
    assert.is_true(agent:position():distance(BELOW) < 0.5)
  end)

  it("walks back up, as a drop leads down alone", function()
    local world = world_of(roof(), { drop = 3 })
    local path = world:find_path { from = BELOW, to = ON_ROOF, profile = "soldier" }
    assert.same({}, path:links())
    assert.is_true(path:length() > 50)
  end)

  it("walks round with a litter, which is not dropped", function()
    local world = world_of(roof(), { drop = 3 })
    local path = world:find_path { from = ON_ROOF, to = BELOW, profile = "medic" }
    assert.same({}, path:links())
    assert.is_true(path:length() > 50)
    assert.equal(0, #world:find_path { from = ON_ROOF, to = BELOW, profile = "soldier", can_take = { drop = false } }
      :links())
  end)

  it("goes down the ramp first where the roof is too high for the drops that were asked for", function()
    local world, _, navmesh = world_of(roof(), { drop = 2 })
    for _, link in ipairs(navmesh:links()) do assert.is_true(link.from.y < 2.2) end
    local path = world:find_path { from = ON_ROOF, to = BELOW, profile = "soldier" }
    assert.is_true(path:length() > 40)
  end)

  it("walks round where a parapet runs along the edge", function()
    local level = roof()
    level:add_box { at = { 11.9, 2.6, 0 }, size = { 0.2, 1, 10 }, area = false }
    local path = world_of(level, { drop = 3 }):find_path { from = ON_ROOF, to = { 16, 0, 0 }, profile = "soldier" }
    assert.is_true(path:points()[2].z > 4 or path:points()[2].z < -4, "over one of the other edges")
  end)
end)

describe("two roofs beside each other", function()
  local function roofs(apart)
    local level = leeward.geometry()
    level:add_box { at = { 0, -10, 0 }, size = { 40, 1, 20 } }
    for _, side in ipairs { -1, 1 } do
      level:add_box { at = { side * (5 + apart / 2), -9, 0 }, size = { 10, 9, 10 } }
    end
    return level
  end

  it("are joined by jumps in both directions", function()
    local world, report, navmesh = world_of(roofs(1.6), { jump = 2 })
    assert.is_true(report.auto_links >= 2)
    for _, link in ipairs(navmesh:links()) do
      assert.equal("jump", link.kind)
      assert.is_true(link.bidirectional)
    end
    assert.is_true(world:path_exists({ -5, 0, 0 }, { 5, 0, 0 }, "soldier"))
    assert.is_true(world:path_exists({ 5, 0, 0 }, { -5, 0, 0 }, "soldier"))
    assert.is_false(world:path_exists({ -5, 0, 0 }, { 5, 0, 0 }, "car"))
  end)

  it("are not joined where they are too far apart, or when nobody asks", function()
    assert.equal(0, select(2, world_of(roofs(3), { jump = 2 })).auto_links)
    assert.equal(0, select(2, world_of(roofs(1.6), { drop = 5 })).auto_links)
    local _, report, navmesh = world_of(roofs(1.6))
    assert.equal(0, report.auto_links)
    assert.equal(0, #navmesh:links())
  end)
end)

describe("a drop into deep water", function()
  it("is found, and taken by those alone that swim", function()
    local level = roof()
    level:add_water { polygon = { { 12, 0, -15 }, { 25, 0, -15 }, { 25, 0, 15 }, { 12, 0, 15 } }, level = 2 }
    local world = world_of(level, { drop = 3 })
    local function drops(profile)
      local path = world:find_path { from = ON_ROOF, to = BELOW, profile = profile }
      return path and #path:links() or 0
    end
    assert.equal(1, drops "diver")
    assert.equal(0, drops { extends = "soldier", can_swim = false })
  end)
end)

describe("the shared levels with links that the bake found", function()
  local function roam(name)
    local settings = { auto_links = { drop = 3, jump = 2 } }
    for key, value in pairs(levels.settings) do settings[key] = value end
    local navmesh, report = leeward.bake(assert(leeward.load_geometry(levels.file(name))), settings)
    local world = leeward.world { navmesh = navmesh, seed = 3 }
    for _ = 1, 20 do
      local at = assert(world:random_point { profile = "human" })
      assert(world:spawn { profile = "human", at = at, tree = "wander" })
    end
    local agents, taken, on_link = world:agents(), 0, {}
    world:run(60, function()
      for i, agent in ipairs(agents) do
        local now = agent:is_on_link()
        if now and not on_link[i] then taken = taken + 1 end
        on_link[i] = now
        assert.is_true(now or world:contains(agent:position(), { tolerance = 0.02 }))
      end
    end)
    local goals = 0
    for _, agent in ipairs(agents) do
      assert.equal(0, agent:stats().stuck)
      assert.equal(0, agent:stats().off_mesh)
      goals = goals + agent:stats().goals_reached
    end
    print(("note: %s: %d links found, taken %d times in a minute; %d goals reached"):format(name, report.auto_links,
      taken, goals))
    return taken, goals
  end

  for _, name in ipairs { "fd1_e1m1", "fd2_map01" } do
    it("are roamed by twenty agents, over them too: " .. name, function()
      if not levels.has(name) then pending("the shared level " .. name .. " is missing") end
      local taken, goals = roam(name)
      assert.is_true(taken > 0)
      assert.is_true(goals > 20)
    end)
  end
end)

describe("auto_links", function()
  it("is found again by a rebuild, to the bytes of a whole bake", function()
    local settings = with { auto_links = { drop = 3, jump = 2 }, bounds = { { -25, -2, -15 }, { 25, 6, 15 } } }
    local level = roof()
    local before = leeward.bake(level, settings)
    level:add_box { at = { 18, 0, 8 }, size = { 4, 2, 4 } }
    local again = with { auto_links = { drop = 3, jump = 2 }, bounds = settings.bounds,
      box = { { 16, 0, 6 }, { 20, 2, 10 } } }
    local after, report = leeward.rebuild(before, level, again)
    assert.is_true(report.auto_links > #before:links())
    assert.equal(bytes(leeward.bake(level, settings)), bytes(after))
  end)

  it("is in the settings that were used", function()
    local _, report = leeward.bake(roof(), with { auto_links = { drop = 2.5 } })
    assert.same({ drop = 2.5, jump = 0 }, report.used.auto_links)
    assert.is_true(report.auto_link_seconds > 0)
  end)

  it("is checked key by key", function()
    local level = roof()
    local function wrong(links, expected, more)
      local settings = with(more)
      settings.auto_links = links
      local ok, message = pcall(leeward.bake, level, settings)
      assert.is_false(ok)
      assert.matches(expected, message, 1, true)
    end
    wrong({ dorp = 3 }, "bake: unknown key 'auto_links.dorp'. Did you mean 'drop'?")
    wrong({ drop = -1 }, "bake: auto_links.drop is -1, expected metres from 0 to 100")
    wrong({ jump = 101 }, "bake: auto_links.jump is 101, expected metres from 0 to 100")
    wrong({ jump = 0 / 0 }, "bake: auto_links.jump is ")
    wrong({ jump = "far" }, "bake: auto_links.jump is 'far', expected metres from 0 to 100")
    wrong(3, "bake: auto_links is 3, expected a table of drop and jump, in metres")
    wrong({ drop = 2 }, "bake: auto_links.drop is 2 m, expected 0 for a part: its neighbours are not known; "
      .. "merge the parts, then rebuild one tile with it, which finds the links of all", { tiles = { 1, 2 } })
    local ok, message = pcall(leeward.bake, level, with { auto_link = { drop = 3 } })
    assert.is_false(ok)
    assert.matches("unknown key 'auto_link'. Did you mean 'auto_links'?", message, 1, true)
  end)
end)
