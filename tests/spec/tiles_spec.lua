local leeward = require "leeward"

local settings = { cell_size = 0.25, agent_radius = 0.25, tile_size = 8, threads = 1,
  bounds = { { 0, -2, 0 }, { 40, 6, 24 } } }
local WALL = { at = { 20, 0, 11 }, size = { 1, 2, 22 }, area = false }
local ACROSS = { from = { 4, 0, 4 }, to = { 36, 0, 4 } }

local function floor()
  local level = leeward.geometry()
  level:add_box { at = { 20, -1, 12 }, size = { 40, 1, 24 } }
  return level
end

describe("world:set_navmesh", function()
  local level, open, walled, world

  before_each(function()
    level = floor()
    open = leeward.bake(level, settings)
    level:add_box(WALL)
    local all = { box = { { 19, -1, 0 }, { 21, 3, 22 } } }
    for key, value in pairs(settings) do all[key] = value end
    walled = assert(leeward.rebuild(open, level, all))
    world = leeward.world { navmesh = open }
  end)

  it("takes effect when the next step begins", function()
    local straight = world:find_path(ACROSS):length()
    world:set_navmesh(walled)
    assert.equal(open, world:navmesh())
    assert.equal(straight, world:find_path(ACROSS):length())
    world:step()
    assert.equal(walled, world:navmesh())
    assert.is_true(world:find_path(ACROSS):length() > straight + 5)
    world:set_navmesh(open)
    world:apply_changes()
    assert.equal(open, world:navmesh())
    assert.equal(straight, world:find_path(ACROSS):length())
  end)

  it("holds the navmesh, and lets go of the one before", function()
    local weak = setmetatable({ open, walled }, { __mode = "v" })
    world:set_navmesh(walled)
    open, walled = nil, nil
    collectgarbage()
    collectgarbage()
    assert.is_truthy(weak[1])
    world:step()
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak[1])
    assert.equal(weak[2], world:navmesh())
    assert.is_true(world:find_path(ACROSS):length() > 32)
  end)

  it("is asked by what it replaces where there are several", function()
    local other = leeward.bake(floor(), settings)
    local two = leeward.world { navmeshes = { open, other } }
    assert.has_error(function() two:set_navmesh(walled) end,
      "set_navmesh: old is nil, expected a navmesh of this world or its number, 1 to 2")
    assert.has_error(function() two:set_navmesh(walled, 3) end,
      "set_navmesh: old is 3, expected a navmesh of this world or its number, 1 to 2")
    assert.has_error(function() two:set_navmesh(open, 2) end,
      "set_navmesh: navmesh is navmesh 1 of the world already, expected another")
    two:set_navmesh(walled, other)
    two:step()
    assert.same({ open, walled }, two:navmeshes())
  end)

  it("may be called from a leaf", function()
    leeward.tree("tiles_spec", { kind = "leaf", name = "Swap", tick = function()
      world:set_navmesh(walled)
      return "success"
    end })
    world:spawn { profile = "human", at = { 4, 0, 4 }, tree = "tiles_spec" }
    world:step()
    assert.equal(open, world:navmesh())
    world:step()
    assert.equal(walled, world:navmesh())
  end)

  it("refuses what no world can take", function()
    assert.has_error(function() world:set_navmesh() end, "set_navmesh: navmesh is nil, expected a navmesh")
    local coarse = leeward.bake(floor(), { cell_size = 0.25, agent_radius = 0.25, tile_size = 16, threads = 1,
      bounds = settings.bounds })
    assert.has_error(function() world:set_navmesh(coarse) end,
      "set_navmesh: navmesh has tiles of 16 m, expected 8 m as the one that it replaces")
    world:step()
    assert.equal(open, world:navmesh())
  end)
end)

describe("world:save", function()
  it("waits for a navmesh to take effect", function()
    local level = floor()
    local open, file = leeward.bake(level, settings), os.tmpname()
    local world = leeward.world { navmesh = open }
    world:set_tiles(nil, { { 0, 0 } })
    assert.same({ nil,
      "navmesh 1 waits to be replaced, expected a call after the next step, or after changes were applied",
      "PENDING", n = 3 }, table.pack(world:save(file)))
    world:apply_changes()
    assert.is_true(world:save(file))
    os.remove(file)
  end)
end)

describe("world:set_tiles", function()
  local open, walled, world

  before_each(function()
    local level = floor()
    open = leeward.bake(level, settings)
    level:add_box(WALL)
    walled = leeward.bake(level, settings)
    world = leeward.world { navmesh = open }
  end)

  it("takes tiles from another navmesh", function()
    local straight = world:find_path(ACROSS):length()
    local changed = world:set_tiles(walled, { box = { { 15, 0, 0 }, { 25, 2, 24 } } })
    assert.is_true(changed:validate())
    assert.equal(straight, world:find_path(ACROSS):length())
    world:step()
    assert.equal(changed, world:navmesh())
    assert.is_true(world:find_path(ACROSS):length() > straight + 5)
    assert.is_false(world:sees({ 4, 1.6, 4 }, { 36, 1, 4 }))
    world:set_tiles(open, { box = { { 15, 0, 0 }, { 25, 2, 24 } } })
    world:step()
    assert.equal(straight, world:find_path(ACROSS):length())
    assert.is_true(world:sees({ 4, 1.6, 4 }, { 36, 1, 4 }))
  end)

  it("adds and removes tiles, several times before a step", function()
    local column = {}
    for _, tile in ipairs(open:tiles()) do
      if tile.x == 2 then column[#column + 1] = { tile.x, tile.z } end
    end
    world:set_tiles(nil, { column[1] })
    world:set_tiles(nil, { column[2], { x = column[3][1], z = column[3][2] } })
    world:step()
    assert.equal("NO_PATH", select(3, world:find_path(ACROSS)))
    assert.equal(#open:tiles() - 3, #world:navmesh():tiles())
    world:set_tiles(open, column)
    world:step()
    assert.equal(#open:tiles(), #world:navmesh():tiles())
    assert.is_not_nil(world:find_path(ACROSS))
  end)

  it("takes no tile that does not exist, and says which there are", function()
    local message = "set_tiles: tile 1: (99, 1) does not exist, expected a tile of either navmesh: "
      .. "x of this one is 0 to 4, z 0 to 2"
    assert.has_error(function() world:set_tiles(nil, { { 99, 1 } }) end, message)
    assert.has_error(function() world:set_tiles(open, { { 99, 1 } }) end, message)
    world:set_tiles(nil, { { 1, 1 } })
    world:step()
    assert.has_error(function() world:set_tiles(nil, { { 1, 1 } }) end, (message:gsub("99", "1")))
    world:set_tiles(open, { { 1, 1 } })
    world:step()
    assert.equal(#open:tiles(), #world:navmesh():tiles())
  end)

  describe("with links", function()
    local function names(of)
      local list = {}
      for _, link in ipairs(of:all_links()) do list[#list + 1] = link:name() end
      return list
    end
    local linked

    before_each(function()
      local level = floor()
      level:add_link { kind = "jump", name = "first", from = { 2, 0, 2 }, to = { 6, 0, 2 } }
      level:add_link { kind = "jump", name = "second", from = { 34, 0, 20 }, to = { 38, 0, 20 } }
      linked = leeward.bake(level, settings)
      world = leeward.world { navmesh = linked }
    end)

    it("lists them in the order of a new world when a tile comes back", function()
      world:add_link { kind = "jump", name = "added", from = { 10, 0, 10 }, to = { 14, 0, 10 } }
      world:apply_changes()
      world:set_tiles(nil, { { 0, 0 } })
      world:step()
      assert.same({ "second", "added" }, names(world))
      world:set_tiles(linked, { { 0, 0 } })
      world:step()
      local new = leeward.world { navmesh = world:navmesh() }
      assert.same({ "second", "first" }, names(new)) -- as they came into the navmesh
      assert.same({ "second", "first", "added" }, names(world))
    end)

    it("lets a permutation name one whose tile is gone, and bars it when that comes back", function()
      world:permutation("gate", { default = "open", open = {}, shut = { links = { second = true } } })
      world:set_permutation("gate", "shut")
      world:set_tiles(nil, { { 0, 0 } })
      world:step()
      world:permutation("gate", { default = "open", open = {}, shut = { links = { first = false } } }) -- edited
      world:permutation("other", { shut = { links = { first = false } } })
      local ok, text = pcall(world.permutation, world, "gate",
        { default = "open", open = {}, shut = { links = { first = false, frist = false } } })
      assert.is_false(ok)
      assert.matches("permutation 'gate': shut.links is 'frist', expected the name of a link", text, 1, true)
      world:set_tiles(linked, { { 0, 0 } })
      world:step()
      assert.is_false(world:link("first"):is_used())
      world:permutation("other", { shut = {} })
      world:set_permutation("gate", "open")
      world:step()
      assert.is_true(world:link("first"):is_used())
    end)

    it("lets a permutation that bars one be defined again after a load, though its tile is gone", function()
      local states = { default = "open", open = {}, shut = { links = { first = false } } }
      local file = os.tmpname()
      world:permutation("gate", states)
      world:set_permutation("gate", "shut")
      world:set_tiles(nil, { { 0, 0 } })
      world:step()
      world:permutation("gate", states) -- a script that is run again
      assert(world:save(file))
      local loaded = leeward.world { navmesh = world:navmesh() }
      assert(loaded:load(file))
      loaded:permutation("gate", states)
      assert.equal("shut", (loaded:permutation_state "gate"))
      loaded:set_tiles(linked, { { 0, 0 } })
      loaded:step()
      assert.is_false(loaded:link("first"):is_used())
      assert.is_true(loaded:link("second"):is_used())
      assert.has_error(function() loaded:permutation("other", { a = { links = { frist = false } } }) end)
      os.remove(file)
    end)
  end)

  it("says what is wrong with them", function()
    assert.has_error(function() world:set_tiles(1, {}) end,
      "set_tiles: navmesh is 1, expected a navmesh, or nil to remove tiles")
    assert.has_error(function() world:set_tiles(walled) end,
      "set_tiles: parts is nil, expected a list of tiles, or { box = }")
    assert.has_error(function() world:set_tiles(walled, { { 1 } }) end,
      "set_tiles: parts[1] is {1}, expected a place in the grid of tiles, { x, z }")
    assert.has_error(function() world:set_tiles(walled, { { 1, 1 }, { 1, 1 } }) end,
      "set_tiles: tile (1, 1) is given twice")
    local all = {}
    for i, tile in ipairs(open:tiles()) do all[i] = { tile.x, tile.z } end
    assert.same({ nil, "nothing to walk on is left", "EMPTY", n = 3 },
      table.pack(leeward.replace_tiles(open, nil, all)))
  end)
end)

describe("world:rebuild", function()
  local level, open, world

  local function with(more)
    local all = { geometry = level, box = { { 19, -1, 0 }, { 21, 3, 22 } } }
    for key, value in pairs(settings) do all[key] = value end
    for key, value in pairs(more or {}) do all[key] = value end
    return all
  end

  before_each(function()
    level = floor()
    open = leeward.bake(level, settings)
    level:add_box(WALL)
    world = leeward.world { navmesh = open, log = function() end }
  end)

  it("bakes in the background, and is applied when asked", function()
    local job = world:rebuild(with())
    assert.is_true(world:find_path(ACROSS):length() < 33)
    assert.is_true(job:wait())
    assert.is_true(job:is_done())
    local done, total = job:progress()
    assert.is_true(done == total and total > 0)
    world:step()
    assert.equal(open, world:navmesh())
    local navmesh = assert(job:apply())
    world:step()
    assert.equal(navmesh, world:navmesh())
    assert.is_true(world:find_path(ACROSS):length() > 37)
    assert.same({ nil, "the rebuild was applied", "STALE", n = 3 },
      table.pack(job:apply()))
  end)

  it("is applied at the step that was given, so that runs repeat", function()
    local hashes = {}
    for i = 1, 2 do
      local run = leeward.world { navmesh = open, seed = 3 }
      run:spawn { profile = "human", at = { 4, 0, 4 } }:move_to { 36, 0, 4 }
      run:rebuild(with { at = 30 })
      for step = 1, 40 do
        run:step()
        assert.equal(step > 30, run:navmesh() ~= open)
      end
      hashes[i] = run:hash()
    end
    assert.equal(hashes[1], hashes[2])
  end)

  it("is not for a step that is over", function()
    world:run(0.1)
    local steps = world:steps()
    assert.has_error(function() world:rebuild(with { at = steps - 1 }) end,
      ("rebuild: at is %d, expected %d or more, for the world is at that step"):format(steps - 1, steps))
    local job = world:rebuild(with { at = steps }) -- the next one
    world:step()
    assert.is_true(job:is_done())
  end)

  it("is put onto the navmesh that the world has by then", function()
    local job = world:rebuild(with())
    world:set_tiles(nil, { { 0, 0 } })
    world:step()
    local merged = assert(job:apply())
    assert.is_true(merged:validate())
    world:step()
    assert.equal(merged, world:navmesh())
    assert.is_false(world:contains { 4, 0, 4 })
    assert.is_true(world:contains { 4, 0, 12 })
    assert.is_false(world:contains { 20, 0, 11 })
    assert.is_false(world:sees({ 12, 1.6, 12 }, { 28, 1, 12 }))
  end)

  it("is put onto a navmesh that waits, and begins from one", function()
    world:set_tiles(nil, { { 0, 0 } })
    local job = world:rebuild(with())
    world:set_tiles(nil, { { 0, 1 } })
    assert(job:apply())
    world:step()
    assert.is_false(world:contains { 4, 0, 4 })
    assert.is_false(world:contains { 4, 0, 12 })
    assert.is_false(world:contains { 20, 0, 11 })
  end)

  it("comes out the same in either order with another one beside it", function()
    local both = floor()
    both:add_box(WALL)
    both:add_box { at = { 4, 0, 4 }, size = { 2, 2, 2 }, area = false }
    local other = floor()
    other:add_box { at = { 4, 0, 4 }, size = { 2, 2, 2 }, area = false }
    local whole = leeward.bake(both, settings)
    for _, order in ipairs { { 1, 2 }, { 2, 1 } } do
      local run = leeward.world { navmesh = open }
      local jobs = { run:rebuild(with()), run:rebuild(with { geometry = other, box = { { 3, -1, 3 }, { 5, 3, 5 } } }) }
      for _, i in ipairs(order) do
        assert(jobs[i]:apply())
        run:step()
      end
      assert.same(whole:tiles(), run:navmesh():tiles())
      assert.is_true(run:navmesh():validate())
      assert.is_false(run:sees({ 2, 1, 4 }, { 6, 1, 4 }))
      assert.is_false(run:sees({ 12, 1.6, 12 }, { 28, 1, 12 }))
    end
  end)

  it("says which tile another change has replaced meanwhile", function()
    local first, second, third = world:rebuild(with { at = 1 }), world:rebuild(with { at = 2 }), world:rebuild(with())
    world:run(3 / 60)
    assert.is_true(second:wait())
    assert.same({ nil, "the rebuild was applied", "STALE", n = 3 }, table.pack(first:apply()))
    assert.same({ nil, "the rebuild was applied", "STALE", n = 3 }, table.pack(second:apply())) -- of equal content
    world:set_tiles(nil, { { 2, 1 } })
    local message = "tile (2, 1) has been changed by others meanwhile, expected changes of other tiles: "
      .. "rebuild it again"
    assert.same({ nil, message, "STALE", n = 3 }, table.pack(third:apply()))
    assert.same({ nil, message, "STALE", n = 3 }, table.pack(third:wait()))
    assert.same({ nil, message, "STALE", n = 3 }, table.pack(third:apply()))
  end)

  it("is refused where the world has a navmesh of another grid", function()
    local job = world:rebuild(with())
    local moved = { bounds = { { -2, -2, 0 }, { 40, 6, 24 } } }
    for key, value in pairs(settings) do moved[key] = moved[key] or value end
    world:set_navmesh(leeward.bake(floor(), moved))
    local ok, message, code = job:apply()
    assert.is_nil(ok)
    assert.equal("STALE", code)
    assert.equal("now: its grid begins at (-2, 0), expected (0, 0) as in navmesh: give both bakes the same bounds",
      message)
  end)

  it("is dropped by a load, as is a navmesh that waits", function()
    local name = os.tmpname()
    assert(world:save(name))
    local hash = world:hash()
    local job = world:rebuild(with { at = 2 })
    world:set_tiles(nil, { { 0, 0 } })
    assert(world:load(name))
    assert.equal(hash, world:hash())
    assert.same({ nil, "the rebuild was cancelled", "STALE", n = 3 }, table.pack(job:apply()))
    for _ = 1, 4 do world:step() end
    assert.equal(open, world:navmesh())
    assert.is_true(world:find_path(ACROSS):length() < 33)
    os.remove(name)
  end)

  it("frees the navmeshes that were replaced, however little Lua itself allocates", function()
    local weak, large = setmetatable({}, { __mode = "v" }), leeward.geometry()
    large:add_box { at = { 100, -1, 100 }, size = { 200, 1, 200 } }
    local whole = leeward.bake(large, { tile_size = 8 })
    local run, alive = leeward.world { navmesh = whole }, 0
    collectgarbage()
    local rounds = 100 + collectgarbage "count" // 200 -- the more Lua holds, the more a cycle of its collector takes
    for i = 1, rounds do
      weak[i] = assert(run:set_tiles(nil, { { i % 2, 0 } }))
      run:set_navmesh(whole)
      run:step()
    end
    for _ in pairs(weak) do alive = alive + 1 end
    assert.is_true(alive < rounds / 2, alive)
  end)

  it("releases an agent with what it carries when its ground is back", function()
    local agent = world:spawn { profile = "human", at = { 20, 0, 12 } }
    world:add_obstacle { carrier = agent, size = { 2, 2, 2 } }
    world:run(0.5)
    world:set_tiles(nil, { box = { { 8, -1, 0 }, { 32, 1, 24 } } })
    world:step()
    assert.equal("TRAPPED", select(3, agent:move_state()))
    world:set_navmesh(open)
    world:step()
    assert.equal("idle", (agent:move_state()))
  end)

  it("keeps an agent trapped that is stopped, and tells its group so", function()
    local agent = world:spawn { profile = "human", at = { 4, 0, 4 } }
    world:set_tiles(nil, { box = { { 0, -1, 0 }, { 30, 1, 24 } } })
    world:step()
    agent:stop()
    assert.equal("TRAPPED", select(3, agent:move_state()))
    assert.truthy(agent:why():find("cannot move", 1, true))
    local group = world:group { agents = { agent } }
    assert.equal("TRAPPED", select(3, group:move_to { 36, 0, 4 }))
    group:stop()
    assert.equal("TRAPPED", select(3, agent:move_state()))
    world:set_navmesh(open)
    world:step()
    assert.equal("idle", (agent:move_state()))
  end)

  it("says of a link that waits for its tile where its ends are to be", function()
    local FROM, TO = { 12, 0, 4 }, { 36, 0, 4 }
    local link = assert(world:add_link { kind = "door", from = FROM, to = TO })
    world:step()
    world:set_tiles(nil, { box = { { 9, -1, 1 }, { 15, 1, 7 } } })
    world:step()
    local from, to = link:ends()
    assert.is_false(link:is_used())
    assert.near(0, from:distance(FROM), 1e-3)
    assert.near(0, to:distance(TO), 1e-3)
    assert.near(0, link:get().from:distance(FROM), 1e-3)
    assert.equal("NO_POINT", select(3, world:add_link(link:get())))
    world:set_navmesh(open)
    world:step()
    assert.is_true(link:is_used())
  end)

  it("leaves agents trapped where they are, whose tile was removed, also after a load", function()
    local name = os.tmpname()
    local agent = world:spawn { profile = "human", at = { 4, 0, 4 } }
    world:set_tiles(nil, { box = { { 0, -1, 0 }, { 30, 1, 24 } } })
    world:step()
    assert.equal("TRAPPED", select(3, agent:move_state()))
    assert(world:save(name))
    local other = leeward.world { navmesh = world:navmesh() }
    local loaded = assert(other:load(name))[1]
    assert.equal("TRAPPED", select(3, loaded:move_state()))
    assert.equal(agent:position(), loaded:position())
    assert.equal(world:hash(), other:hash())
    for _, at in ipairs { world, other } do
      at:set_navmesh(open)
      at:run(1)
    end
    assert.equal(world:hash(), other:hash())
    os.remove(name)
  end)

  it("may be cancelled, and dropped with its world", function()
    world:rebuild(with()):cancel()
    world:rebuild(with { at = 2 })
    world:destroy()
    for _ = 1, 3 do
      leeward.world { navmesh = open }:rebuild(with())
      collectgarbage()
    end
  end)

  it("raises at the call for settings that do not fit, and says what leaves no ground", function()
    local function message(options)
      local ok, text = pcall(world.rebuild, world, with(options))
      assert.is_false(ok)
      return text
    end
    assert.matches("navmesh is for agents of radius 0.25", message { agent_radius = 1 }, 1, true)
    assert.matches("cell_height is 5 m, expected at most agent_height", message { cell_height = 5 }, 1, true)
    assert.matches("expected one that touches a tile",
      message { box = { { 800, 0, 800 }, { 801, 1, 801 } } }, 1, true)
    assert.matches("the geometry or the settings have moved the grid",
      message { bounds = { { 0.5, -2, 0.5 }, { 20, 5, 20 } } }, 1, true)
    local job, text, code = world:rebuild(with { geometry = leeward.geometry() })
    assert.same({ nil, "geometry is empty, expected at least one triangle", "EMPTY", n = 3 },
      table.pack(job, text, code))
    assert.has_error(function() world:rebuild { box = { { 0, 0, 0 }, { 1, 1, 1 } } } end,
      "rebuild: geometry is nil, expected a geometry")
    local _, unknown = pcall(world.rebuild, world, with { progress = print })
    assert.truthy(unknown:find("rebuild: unknown key 'progress'", 1, true))
    assert.has_error(function() world:rebuild { geometry = level } end,
      "rebuild: box is nil, expected two points")
  end)

  it("survives a state that ends while it runs", function()
    for _, ending in ipairs { "os.exit(0, true)", "os.exit(0)", "" } do
      local script = os.tmpname()
      local file = assert(io.open(script, "w"))
      file:write([[
        local leeward = require "leeward"
        local level = leeward.geometry()
        level:add_box { at = { 50, -1, 50 }, size = { 100, 1, 100 } }
        local settings = { cell_size = 0.2, tile_size = 12, threads = 2 }
        local world = leeward.world { navmesh = leeward.bake(level, settings) }
        settings.geometry, settings.box = level, { { 0, -1, 0 }, { 100, 1, 100 } }
        job = world:rebuild(settings)
        ]] .. ending)
      file:close()
      assert.is_true(os.execute((os.getenv "BUILD" or "build") .. "/leeward lua " .. script .. " > /dev/null 2>&1"))
      os.remove(script)
    end
  end)
end)
