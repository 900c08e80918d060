-- Vehicles that come towards each other where both do not fit: one waits, or backs to where the other one passes.
local leeward = require "leeward"
local vehicles = require "support.vehicles"

local WEST, LANE, EAST = { -45, -15, -15, 15 }, { -16, -1.7, 16, 1.7 }, { 15, -15, 45, 15 }
local STRAIGHT = { WEST, LANE, EAST }
local BENT = { WEST, LANE, { 12.6, -1.7, 16, 30 }, { 8, -1.7, 16, 6 }, { 0, 30, 30, 55 } }
local BAY = { WEST, LANE, EAST, { -2, 1, 5, 5.5 } }
local SHUT = { LANE, { -1, 1, 6, 6 } } -- the bay is the only place where one can let the other one pass
local SEVERAL = { WEST, LANE, { -14, 1, -7, 5.5 }, { 7, 1, 14, 5.5 }, EAST }

describe("vehicles in a lane too narrow for two", function()
  local VAN, BUS, TRUCK

  setup(function()
    VAN, BUS, TRUCK = "van of a lane", "bus of a lane", "truck of a lane"
    leeward.profile(VAN, vehicles.VAN)
    leeward.profile(BUS, vehicles.BUS)
    leeward.profile(TRUCK, vehicles.TRUCK)
  end)

  local function profile_of(name)
    return ({ [VAN] = vehicles.VAN, [BUS] = vehicles.BUS, [TRUCK] = vehicles.TRUCK })[name]
  end

  -- @param list  { profile, x, z, to x, to z, heading } each
  local function place(ground, list)
    local world, all = vehicles.world(ground), {}
    for i, at in ipairs(list) do
      local heading = at[6] or (at[4] > at[2] and 0 or math.pi)
      all[i] = vehicles.spawn(world, at[1], at[2], at[3], heading)
      all[i].profile = profile_of(at[1])
    end
    for i, at in ipairs(list) do assert(all[i].agent:move_to { at[4], 0, at[5] }) end
    return world, all
  end

  local function all_get_through(ground, list, seconds)
    local world, all = place(ground, list)
    local nearest = vehicles.drive(world, all, seconds)
    for i, at in ipairs(list) do
      local agent = all[i].agent
      assert.equal("arrived", agent:move_state(), agent:why())
      assert.is_true(agent:position():distance { at[4], 0, at[5] } < 0.5, agent:why())
      assert.equal(0, agent:stats().off_mesh)
    end
    assert.is_true(nearest > 0.1, nearest .. " m")
  end

  it("let each other through that come from outside", function()
    all_get_through(STRAIGHT, { { VAN, -35, 0, 35, 0 }, { VAN, 35, 0, -35, 0 } }, 60)
    all_get_through(STRAIGHT, { { VAN, -35, 0, 35, 0 }, { BUS, 35, 0, -35, 0 } }, 60)
    all_get_through(STRAIGHT, { { TRUCK, -35, 0, 35, 0 }, { TRUCK, 35, 0, -35, 0 } }, 90)
  end)

  it("back out where both are in the lane", function()
    all_get_through(STRAIGHT, { { VAN, -8, 0, 35, 0 }, { VAN, 10, 0, -35, 0 } }, 60)
    all_get_through(STRAIGHT, { { BUS, -8, 0, 35, 0 }, { VAN, 10, 0, -35, 0 } }, 60)
    all_get_through(STRAIGHT, { { TRUCK, -4, 0, 35, 0 }, { TRUCK, 10, 0, -35, 0 } }, 90)
  end)

  it("lets one through that is in it", function()
    all_get_through(STRAIGHT, { { VAN, -2, 0, 35, 0 }, { VAN, 30, 0, -35, 0 } }, 60)
  end)

  it("use a bay", function()
    all_get_through(BAY, { { VAN, -8, 0, 35, 0 }, { VAN, 12, 0, -35, 0 } }, 60)
    all_get_through(SHUT, { { VAN, -12, 0, 12, 0 }, { VAN, 12, 0, -12, 0 } }, 60)
    all_get_through(SEVERAL, { { VAN, -4, 0, 35, 0 }, { VAN, 16, 0, -35, 0 } }, 60)
  end)

  it("do so round a corner", function()
    all_get_through(BENT, { { VAN, -35, 0, 15, 50 }, { VAN, 15, 48, -35, 0, math.pi / 2 } }, 90)
    all_get_through(BENT, { { VAN, -5, 0, 15, 50 }, { VAN, 14.3, 20, -35, 0, math.pi / 2 } }, 90)
  end)

  it("wait behind those that wait", function()
    all_get_through(STRAIGHT, { { VAN, -35, 0, 35, 0 }, { VAN, -41, 0, 35, 6 }, { VAN, 35, 0, -35, 0 } }, 60)
    all_get_through(STRAIGHT, {
      { VAN, -35, 0, 35, 0 }, { VAN, -41, 0, 35, 6 }, { VAN, 35, 0, -35, 0 }, { VAN, 41, 0, -35, 6 },
    }, 90)
  end)

  it("let one out of a dead end before they go in", function()
    all_get_through({ WEST, LANE }, { { VAN, 12, 0, -35, 0, math.pi }, { VAN, -35, 0, 13, 0 } }, 60)
  end)

  it("are stuck where none can make space, and say who is in their way", function()
    local world, all = place({ { -30, -1.7, 30, 1.7 } }, { { VAN, -20, 0, 20, 0 }, { VAN, 20, 0, -20, 0 } })
    local nearest, seconds = vehicles.drive(world, all, 60)
    for _, vehicle in ipairs(all) do
      assert.equal("failed", vehicle.agent:move_state())
      assert.matches("makes no progress; a van of a lane at .* blocks it", vehicle.agent:why())
    end
    assert.is_true(nearest > 0.1 and seconds < 15)
  end)

  it("say that they give way", function()
    local world, all = place(STRAIGHT, { { VAN, -8, 0, 35, 0 }, { VAN, 10, 0, -35, 0 } })
    local said
    vehicles.drive(world, all, 60, function()
      said = said or all[2].agent:why():match "gives way to a van of a lane"
    end)
    assert.is_truthy(said)
  end)

  it("pass each other on a road that is wide enough", function()
    all_get_through({ { -40, -4, 40, 4 } }, { { VAN, -30, 0, 30, 0 }, { VAN, 30, 0, -30, 0 } }, 60)
    all_get_through({ { -40, -20, 40, 20 } }, { { TRUCK, -30, 0, 30, 0 }, { TRUCK, 30, 0, -30, 0 } }, 60)
  end)

  it("go on from a saved game as if nothing had happened", function()
    local file = os.tmpname()
    for _, list in ipairs {
      { { TRUCK, -35, 0, 35, 0 }, { VAN, 35, 0, -35, 0 } }, { { VAN, -8, 0, 35, 0 }, { VAN, 10, 0, -35, 0 } },
    } do
      local world = place(STRAIGHT, list)
      for second = 1, 30 do
        assert(world:save(file))
        local again = vehicles.world(STRAIGHT)
        assert(again:load(file))
        for _ = 1, 60 do
          world:step(1 / 60)
          again:step(1 / 60)
        end
        assert.equal(world:hash(), again:hash(), "after " .. second .. " s")
      end
    end
    os.remove(file)
  end)
end)
