-- Vehicles that stand are passed where there is space beside them, and not driven through, trailers neither.
local vehicles = require "support.vehicles"

describe("a vehicle that stands in the way", function()
  local LONG = vehicles.like(vehicles.VAN, {
    trailer = { length = 12, width = 2, joint = 1, drawbar = 0.6, wheelbase = 8 },
  })

  -- A van comes along a road of that width on which a truck with a long trailer stands.
  local function pass(width, z)
    local world = vehicles.world { { -45, -width / 2, 45, width / 2 } }
    local truck = vehicles.spawn(world, LONG, 12, z, 0)
    local van = vehicles.spawn(world, vehicles.VAN, -35, z, 0)
    assert(van.agent:move_to { 40, 0, z })
    local nearest = vehicles.drive(world, { truck, van }, 60)
    return van.agent, nearest
  end

  it("is passed beside its trailer", function()
    for _, width in ipairs { 9, 12 } do
      local van, nearest = pass(width, -width / 2 + 1.5)
      assert.equal("arrived", van:move_state(), van:why())
      assert.equal(0, van:stats().off_mesh)
      assert.is_true(nearest > 0.15, nearest .. " m")
    end
  end)

  it("blocks a road that is too narrow for both, and is named", function()
    local van, nearest = pass(6, 0)
    assert.equal("failed", van:move_state())
    assert.matches("makes no progress; .* at %(12%.0, 0%.0, 0%.0%) blocks it", van:why())
    assert.is_true(nearest > 0.15, nearest .. " m")
  end)

  it("is gone round where its trailer lies across the way", function()
    local world = vehicles.world { { -40, -30, 40, 30 } }
    local truck = vehicles.spawn(world, LONG, 0, -9, math.pi / 2) -- nose to the north, its trailer across z = 0
    local van = vehicles.spawn(world, vehicles.VAN, -30, 0, 0)
    assert(van.agent:move_to { 30, 0, 0 })
    local nearest = vehicles.drive(world, { truck, van }, 60)
    assert.equal("arrived", van.agent:move_state(), van.agent:why())
    assert.is_true(nearest > 0.15, nearest .. " m")
  end)
end)
