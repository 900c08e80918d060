-- What agents try, in order, when others keep them from getting on: another door, backing off, and to fail at last.
local leeward = require "leeward"
local crowd = require "support.crowd"
local maps = require "support.maps"

local DT, run = crowd.DT, crowd.run

describe("an agent that others bar", function()
  crowd.profiles("remedy_walker", "remedy_rock")
  leeward.profile("remedy_wary", { extends = "remedy_walker", danger_cost = 1 })
  leeward.profile("remedy_seen", { extends = "remedy_wary", cover_bias = 3 })

  --- A wall across a floor of 30 m by 30 m, with a door of one metre at z = 14.2, and another one or none at z = 22.
  local function build(options)
    local world = leeward.world { navmesh = maps.floor(30, 30), seed = 3, search_work = options.search_work }
    world:add_obstacle { shape = "box", at = { 15, 0, 6 }, size = { 2, 2, 15 } }
    if options.second_door then
      world:add_obstacle { shape = "box", at = { 15, 0, 17.95 }, size = { 2, 2, 6.1 } }
      world:add_obstacle { shape = "box", at = { 15, 0, 27.5 }, size = { 2, 2, 9 } }
    else
      world:add_obstacle { shape = "box", at = { 15, 0, 23.4 }, size = { 2, 2, 17 } }
    end
    world:step(DT)
    return world
  end

  local function spawn(world, x, z, profile)
    return assert(world:spawn { profile = profile or "remedy_walker", at = { x, 0, z } })
  end

  --- One stands in the door for good; `count` agents are to go through.
  local function doors(options, count, profile)
    local world = build(options)
    local rock, walkers = spawn(world, 15, 14.2, "remedy_rock"), {}
    for i = 1, count do
      walkers[i] = spawn(world, 11 - 0.9 * i, 14.2, profile)
      assert(walkers[i]:move_to { 22, 0, 13 + i })
    end
    return world, walkers, rock
  end

  local function arrived(walkers)
    for _, walker in ipairs(walkers) do if walker:move_state() ~= "arrived" then return false end end
    return true
  end

  it("takes another door where somebody stands in one, and tells so", function()
    local world, walkers, rock = doors({ second_door = true }, 1)
    local said = false
    assert.is_true(run(world, 30, function()
      said = said or walkers[1]:why():find("search past them", 1, true) ~= nil
      return arrived(walkers)
    end))
    assert.is_true(said)
    local stats = walkers[1]:stats()
    assert.equal(1, stats.remedies.detours)
    assert.equal(0, stats.remedies.back_offs)
    assert.equal(0, stats.stuck)
    assert.equal(1, world:stats().crowd.remedies.detours)
    assert.near(15, rock:position().x, 0.3)
  end)

  it("does so with many, and where dangers cost it something", function()
    for _, profile in ipairs { "remedy_walker", "remedy_wary" } do
      local world, walkers = doors({ second_door = true }, 6, profile)
      world:add_danger { at = { 25, 0, 3 }, radius = 2, value = 5 }
      assert.is_true(run(world, 60, function() return arrived(walkers) end), profile)
    end
  end)

  it("goes on to back off where dangers and fire lanes leave no room for that", function()
    local world, walkers = doors({ second_door = true }, 1, "remedy_seen")
    world:add_danger { at = { 25, 0, 3 }, radius = 2, value = 5 }
    world:add_fire_lane { from = { 2, 1, 27 }, to = { 4, 1, 27 } }
    assert.is_true(run(world, 20, function() return walkers[1]:stats().remedies.back_offs == 1 end))
  end)

  it("pays for nobody that it goes past: the path costs what it did", function()
    local world, walkers = doors({}, 1)
    assert.is_true(run(world, 8, function()
      return walkers[1]:stats().remedies.detours == 1 and not walkers[1]:waits_for_path()
    end))
    assert.is_true(walkers[1]:explain().total.cost < 10)
    assert.is_nil(walkers[1]:why():find("danger", 1, true))
  end)

  it("backs off from a dead end, and then fails within 16 s, with what it tried", function()
    local world, walkers, rock = doors({}, 1)
    local walker, back = walkers[1], 0
    local began
    assert.is_true(run(world, 40, function()
      began = began or (walker:blocked_by() and world:time())
      if walker:why():find("backs off", 1, true) then
        back = math.max(back, walker:position():distance(rock:position()))
        assert.equal(1, world:stats().crowd.backing_off)
      end
      return walker:move_state() == "failed"
    end))
    assert.is_true(back > 3, back)
    assert.is_true(world:time() - began < 16, world:time() - began)
    assert.matches("blocked by agent 1; so far .*1 search past them, 1 step back", walker:why())
    assert.same({ 1, 1 }, { walker:stats().remedies.detours, walker:stats().remedies.back_offs })
    assert.equal(rock, (walker:blocked_by()))
    assert(walker:move_to { 5, 0, 14 }) -- a journey of its own
    assert.is_nil(walker:why():find("so far", 1, true))
  end)

  it("lets one out that it had shut in", function()
    local world = build {}
    for z = -1, 1, 2 do -- the way through is long, so that nobody waits for a turn outside
      world:add_obstacle { shape = "box", at = { 20, 0, 14.2 + 1.4 * z }, size = { 8, 2, 1.8 } }
    end
    world:step(DT)
    local rock, walker = spawn(world, 15, 14.2, "remedy_rock"), spawn(world, 8, 14.2)
    assert(walker:move_to { 25, 0, 14.2 })
    run(world, 6)
    assert(rock:move_to { 4, 0, 14.2 })
    assert.is_true(run(world, 30, function() return rock:move_state() == "arrived" end))
    assert.is_true(run(world, 30, function() return walker:move_state() == "arrived" end))
  end)

  it("searches in slices, walks the same again, and from a saved game", function()
    local function hashes(saves_at)
      local world = doors({ second_door = true, search_work = 25 }, 4)
      local list = {}
      for step = 1, 600 do
        world:step(DT)
        if saves_at and step == saves_at then
          local file = os.tmpname()
          assert(world:save(file))
          world:destroy()
          world = leeward.world { navmesh = maps.floor(30, 30), seed = 9 }
          assert.same({}, { select(2, world:load(file)) })
          os.remove(file)
        end
        list[step] = world:hash()
      end
      return list, world:stats().crowd.remedies
    end
    local first, tried = hashes()
    assert.is_true(tried.detours >= 3)
    assert.same(first, (hashes()))
    for _, step in ipairs { 90, 120, 128, 130, 135, 140, 150, 165, 180, 210, 240, 300 } do
      local again, counts = hashes(step)
      assert.same(first, again, step)
      assert.same(tried, counts, step)
    end
  end)
end)
