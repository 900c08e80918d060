-- Convoys: groups of vehicles, one behind the other along the drive of the first, as far apart as it takes to brake.
local leeward = require "leeward"
local vehicles = require "support.vehicles"

describe("a group of vehicles", function()
  local FIELD = { { -60, -30, 60, 30 } }
  local BEND = { { -60, -10, 60, 10 }, { 40, -10, 60, 60 } }
  local NAMES = { van = "van of a convoy", bus = "bus of a convoy", truck = "truck of a convoy" }
  local PROFILES = { van = vehicles.VAN, bus = vehicles.BUS, truck = vehicles.TRUCK }

  setup(function()
    for kind, name in pairs(NAMES) do leeward.profile(name, PROFILES[kind]) end
  end)

  -- @param list  { kind, x, z, heading } each
  local function convoy(ground, list, options)
    local world, all, agents = vehicles.world(ground), {}, {}
    for i, at in ipairs(list) do
      all[i] = vehicles.spawn(world, NAMES[at[1]], at[2], at[3], at[4])
      all[i].profile = PROFILES[at[1]]
      agents[i] = all[i].agent
    end
    local group = world:group(vehicles.like({ agents = agents, formation = "column", spacing = 6 }, options or {}))
    return world, all, group
  end

  local function in_line(count)
    local list = {}
    for i = 1, count do list[i] = { "van", -12 - 8 * i, 0, 0 } end
    return list
  end

  local function all_arrive(world, all, group, seconds)
    local nearest = vehicles.drive(world, all, seconds)
    for _, vehicle in ipairs(all) do
      assert.equal("arrived", vehicle.agent:move_state(), vehicle.agent:why())
      assert.equal(0, vehicle.agent:stats().off_mesh)
    end
    assert.equal("arrived", group:get().move)
    assert.is_true(nearest > 0.5, nearest .. " m")
  end

  it("keeps its order and the distance that it takes to brake", function()
    local world, all, group = convoy(FIELD, in_line(4))
    assert(group:move_to { 45, 0, 0 })
    local seen = 0
    vehicles.drive(world, all, 60, function()
      for i = 2, 4 do
        local before, own = all[i - 1].agent, all[i].agent
        local gap = before:position().x - own:position().x
        local speed = own:velocity():length()
        assert.is_true(gap > 5.9 + speed ^ 2 / (2 * 5) - 0.3, gap .. " m at " .. speed .. " m/s")
        if speed > 5.9 then seen = math.max(seen, gap) end
      end
    end)
    assert.is_true(seen > 9 and seen < 12, seen .. " m at full speed")
    for i = 1, 4 do assert.is_true(math.abs(all[i].agent:position().x - (45 - 6 * (i - 1))) < 1) end
    assert.equal("arrived", group:get().move)
  end)

  it("drives along the path that the first one drove", function()
    local world, all, group = convoy(BEND, {
      { "van", -20, 0, 0 }, { "bus", -30, 0, 0 }, { "truck", -42, 0, 0 }, { "van", -52, 0, 0 },
    })
    assert(group:move_to { 50, 0, 50 })
    local track, farthest = {}, 0
    vehicles.drive(world, all, 60, function()
      track[#track + 1] = all[1].agent:position()
      for i = 2, 4 do
        local at, nearest = all[i].agent:position(), math.huge
        for _, on in ipairs(track) do nearest = math.min(nearest, at:distance(on)) end
        if at.x > -15 then farthest = math.max(farthest, nearest) end
      end
    end)
    assert.is_true(farthest < 0.6, farthest .. " m off")
    assert.equal("arrived", group:get().move)
    for _, vehicle in ipairs(all) do assert.equal("arrived", vehicle.agent:move_state(), vehicle.agent:why()) end
  end)

  it("forms up from all about, and turns round", function()
    local world, all, group = convoy(FIELD, {
      { "van", -20, 0, 0 }, { "van", -28, 12, 2 }, { "bus", -36, -10, -1 }, { "van", -44, 3, 3.1 },
    })
    assert(group:move_to { 45, 0, 0 })
    all_arrive(world, all, group, 60)
    assert(group:move_to { -45, 0, 10 })
    all_arrive(world, all, group, 90)
  end)

  -- Lanes in which no two pass each other and none turns round: between two ends, from a hall, and from hall to hall.
  local LANE = { { -70, -1.7, 70, 1.7 } }
  local HALL = { { -60, -15, -15, 15 }, { -16, -1.7, 60, 1.7 } }
  local HALLS = { { -45, -15, -15, 15 }, { -16, -1.7, 16, 1.7 }, { 15, -15, 45, 15 } }

  it("is led by its last member where it is sent back over narrow ground", function()
    local world, all, group = convoy(LANE, in_line(4))
    assert(group:move_to { 50, 0, 0 })
    all_arrive(world, all, group, 60)
    assert(group:move_to { -50, 0, 0 })
    assert.equal(all[4].agent, group:leader())
    all_arrive(world, all, group, 60)
    for i = 1, 4 do assert.is_true(math.abs(all[i].agent:position().x - (-50 + 6 * (4 - i))) < 1) end
    assert(group:move_to { 50, 0, 0 })
    assert.equal(all[1].agent, group:leader())
    all_arrive(world, all, group, 60)
  end)

  it("gets back out of a dead end, and from a hall through the lane before which its last member stands", function()
    for _, ground in ipairs { HALL, HALLS } do
      local world, all, group = convoy(ground, in_line(4))
      assert(group:move_to { ground == HALL and 50 or 35, 0, 0 })
      all_arrive(world, all, group, 60)
      assert(group:move_to { -35, 0, 5 })
      all_arrive(world, all, group, 90)
    end
  end)

  it("keeps the space between its members that they need backwards, too", function()
    local world, all, group = convoy({ { -80, -1.7, 80, 1.7 } }, {
      { "van", 0, 0, 0 }, { "bus", -11, 0, 0 }, { "truck", -22, 0, 0 }, { "van", -36, 0, 0 },
    })
    assert(group:move_to { -60, 0, 0 })
    all_arrive(world, all, group, 60)
  end)

  it("fails where its members stand about the goal and cannot pass each other, and says who is in the way", function()
    local world, all, group = convoy(LANE, { { "van", 30, 0, 0 }, { "van", 23, 0, 0 }, { "van", 16, 0, 0 } })
    assert(group:move_to { 19, 0, 0 })
    local _, seconds = vehicles.drive(world, all, 60)
    assert.is_true(seconds < 20)
    for _, vehicle in ipairs(all) do
      assert.is_true(vehicle.agent:move_state() == "arrived" or
        vehicle.agent:why():match "makes no progress; a van of a convoy at .* blocks it" ~= nil, vehicle.agent:why())
    end
  end)

  it("is as fast as the slowest", function()
    leeward.profile("slow van", vehicles.like(vehicles.VAN, { speed = { calm = 2, normal = 3, fast = 4 } }))
    local world, all, group = convoy(FIELD, in_line(2))
    local slow = vehicles.spawn(world, "slow van", -36, 0, 0)
    slow.profile, all[3] = vehicles.VAN, slow
    assert(group:add(slow.agent))
    assert(group:move_to { 45, 0, 0 })
    local fastest = 0
    vehicles.drive(world, all, 60, function() fastest = math.max(fastest, all[1].agent:velocity():length()) end)
    assert.is_true(fastest < 3.1, fastest .. " m/s")
    assert.equal("arrived", group:get().move)
  end)

  it("goes on when the first one is gone, and a member that is sent elsewhere goes there", function()
    local world, all, group = convoy(FIELD, in_line(4))
    assert(group:move_to { 45, 0, 0 })
    vehicles.drive(world, all, 5)
    assert(all[3].agent:move_to { -20, 0, -20 })
    all[1].agent:despawn()
    table.remove(all, 1)
    all_arrive(world, all, group, 90)
    assert.is_true(all[1].agent:position():distance { 45, 0, 0 } < 1)
    assert.is_true(all[2].agent:position():distance { -20, 0, -20 } < 1)
  end)

  it("takes one in on the way", function()
    local world, all, group = convoy(FIELD, in_line(2))
    assert(group:move_to { 45, 0, 0 })
    vehicles.drive(world, all, 3)
    all[3] = vehicles.spawn(world, NAMES.van, -50, 5, 0)
    all[3].profile = vehicles.VAN
    assert(group:add(all[3].agent))
    all_arrive(world, all, group, 60)
  end)

  it("does not mix vehicles and others", function()
    local world, all, group = convoy(FIELD, in_line(1))
    local walker = assert(world:spawn { profile = "soldier", at = { 0, 0, 0 } })
    assert.error_matches(function() world:group { agents = { walker, all[1].agent }, formation = "file" } end,
      "agent 2 of 2 is a vehicle, and agent 1 is none", 1, true)
    assert.error_matches(function() group:add(walker) end, "groups are of vehicles, .* or of others")
  end)

  it("goes on from a saved game as if nothing had happened", function()
    local file = os.tmpname()
    local world, _, group = convoy(BEND, {
      { "van", -20, 0, 0 }, { "bus", -30, 3, 0.4 }, { "truck", -42, 0, 0 }, { "van", -52, -4, 2 },
    })
    assert(group:move_to { 50, 0, 50 })
    for step = 1, 40 do
      if step == 25 then assert(group:move_to { -50, 0, 0 }) end
      assert(world:save(file))
      local again = vehicles.world(BEND)
      assert(again:load(file))
      for _ = 1, 60 do
        world:step(1 / 60)
        again:step(1 / 60)
      end
      assert.equal(world:hash(), again:hash(), "after " .. step .. " s")
    end
    os.remove(file)
  end)
end)
