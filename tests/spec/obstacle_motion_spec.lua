-- Obstacles that move: cars, trucks with trailers, what agents carry.
local leeward = require "leeward"
local maps = require "support.maps"

--- 38 m straight over a field of 40 x 40 m, for agents with a radius of 0.4 m.
local MIDDLE, ACROSS = { 20, 0, 20 }, { from = { 1, 0, 20 }, to = { 39, 0, 20 } }
local function field() return leeward.world { navmesh = maps.floor(40, 40) } end

local function length_of(world) return assert(world:find_path(ACROSS)):length() end

local function is_near(expected, point) assert.is_near(0, point:distance(expected), 1e-3) end

describe("an obstacle", function()
  describe("that moves", function()
    local world, car
    before_each(function()
      world = field()
      car = world:add_obstacle { at = { 10, 0, 20 }, size = { 1, 2, 1 }, max_speed = 5 }
      world:step()
    end)

    --- Whether the car is cut out at that x.
    local function is_cut_at(x) return not world:contains { x, 0, 20 } end
    local function drive(x, dt)
      car:move { x, 0, 20 }
      world:step(dt)
    end

    it("is taken out above its max_speed, and cut again when it is slower", function()
      car:move({ 10.2, 0, 20 }, nil, { 10, 0, 0 })
      world:step()
      assert.is_false(car:is_cut())
      assert.is_false(is_cut_at(10))
      is_near({ 10, 0, 0 }, car:velocity())
      assert.equal(38, length_of(world))
      car:move({ 10.4, 0, 20 }, nil, { 4, 0, 0 })
      world:step()
      assert.is_true(car:is_cut())
      assert.is_true(is_cut_at(10.4))
    end)

    it("is as fast as it moves from one move to the next unless its velocity is given", function()
      drive(10, 0.1)
      drive(10.6, 0.1)
      assert.is_near(6, car:velocity().x, 1e-2)
      assert.is_false(car:is_cut())
      drive(11, 0.1)
      assert.is_near(4, car:velocity().x, 1e-2)
      assert.is_true(car:is_cut())
      world:run(0.3)
      is_near({ 0, 0, 0 }, car:velocity()) -- nobody moves it
      assert.is_true(car:is_cut())
    end)

    it("is never too fast with a max_speed of math.huge", function()
      local train = world:add_obstacle { at = { 10, 0, 30 }, max_speed = math.huge }
      world:step()
      train:move({ 30, 0, 30 }, nil, { 1000, 0, 0 })
      world:step()
      assert.is_true(train:is_cut())
      assert.is_false(world:contains { 30, 0, 30 })
    end)

    it("is cut again once it has moved by min_move, or rests", function()
      -- 0.9 m about its middle are cut.
      drive(10, 0.1)
      drive(10.4, 0.1)
      drive(10.8, 0.1)
      assert.same({ true, false }, { is_cut_at(9.3), is_cut_at(11.3) })
      drive(11.2, 0.1)
      assert.same({ false, true }, { is_cut_at(9.3), is_cut_at(11.3) })
      drive(11.6, 0.1)
      assert.same({ true, false }, { is_cut_at(10.5), is_cut_at(12.3) })
      world:run(0.3)
      assert.same({ false, true }, { is_cut_at(10.5), is_cut_at(12.3) })
    end)

    it("is cut again once it has turned by 0.1 rad", function()
      local wall = world:add_obstacle { at = { 20, 0, 30 }, size = { 10, 2, 0.5 } }
      local function turn(yaw)
        wall:move({ 20, 0, 30 }, yaw, { 1, 0, 0 }) -- does not rest
        world:step()
      end
      turn(0)
      assert.is_false(world:contains { 24.5, 0, 30.5 })
      turn(0.06)
      assert.is_false(world:contains { 24.5, 0, 30.5 })
      turn(0.12)
      assert.is_true(world:contains { 24.5, 0, 30.5 })
      assert.is_near(0.12, wall:yaw(), 1e-6)
    end)

    it("looks where it looked unless its yaw is given", function()
      assert.is_true(car:move({ 12, 0, 20 }, 0.5))
      assert.is_true(car:move { 13, 0, 20 })
      assert.is_near(0.5, car:yaw(), 1e-6)
      is_near({ 13, 0, 20 }, car:position())
    end)
  end)

  describe("attached to another one", function()
    local world, truck, trailer
    before_each(function()
      world = field()
      truck = world:add_obstacle { at = { 10, 0, 20 }, size = { 4, 2, 2 } }
      trailer = world:add_obstacle { at = { 14.5, 0, 20 }, size = { 4, 2, 2 }, attached_to = truck }
      world:step()
    end)

    it("moves and turns with it", function()
      truck:move { 10, 0, 30 }
      is_near({ 14.5, 0, 30 }, trailer:position())
      truck:move({ 20, 0, 20 }, math.pi / 2)
      is_near({ 20, 0, 15.5 }, trailer:position())
      assert.is_near(math.pi / 2, trailer:yaw(), 1e-5)
      world:apply_changes()
      assert.is_false(world:contains { 20, 0, 15.5 })
      assert.is_true(world:contains { 14.5, 0, 20 })
    end)

    it("keeps the place that it is moved to", function()
      trailer:move { 14.5, 0, 21 }
      is_near({ 10, 0, 20 }, truck:position())
      truck:move { 10, 0, 30 }
      is_near({ 14.5, 0, 31 }, trailer:position())
    end)

    it("is cut and taken out together with it", function()
      assert.same({ true, true }, { truck:is_cut(), trailer:is_cut() })
      truck:move({ 10.1, 0, 20 }, nil, { 20, 0, 0 })
      world:step()
      assert.same({ false, false }, { truck:is_cut(), trailer:is_cut() })
      truck:move({ 10.1, 0, 20 }, nil, { 0, 0, 0 })
      world:step()
      world:step()
      assert.same({ true, true }, { truck:is_cut(), trailer:is_cut() })
    end)

    it("is removed with it", function()
      truck:remove()
      assert.is_false(trailer:exists())
      assert.is_false(trailer:move { 1, 0, 1 })
      assert.same({}, world:obstacles())
      world:step()
      assert.equal(38, length_of(world))
    end)

    it("leaves it where it is when it is removed", function()
      trailer:remove()
      world:step()
      assert.is_true(truck:is_cut())
      assert.same({ truck }, world:obstacles())
      assert.is_true(world:contains { 14.5, 0, 20 })
    end)
  end)

  describe("carried by an agent", function()
    local world, carrier, shield
    before_each(function()
      world = field()
      carrier = assert(world:spawn { profile = "human", at = MIDDLE })
      shield = world:add_obstacle { carrier = carrier, radius = 1 }
      world:step()
    end)

    it("blocks others while its carrier rests, and never the carrier", function()
      assert.is_true(shield:is_cut())
      is_near({ 20, 0, 20 }, carrier:position())
      is_near({ 20, 0, 20 }, shield:position())
      assert.is_true(length_of(world) > 38)
      assert(carrier:move_to { 30, 0, 20 })
      world:run(1)
      assert.is_false(shield:is_cut())
      assert.equal(38, length_of(world))
      is_near(carrier:position(), shield:position())
      world:run(10)
      assert.equal("arrived", (carrier:move_state()))
      assert.is_true(shield:is_cut())
      is_near(carrier:position(), shield:position())
      assert.is_false(world:contains { 30, 0, 20 })
    end)

    it("rests where it was when its carrier is gone", function()
      carrier:despawn()
      world:step()
      assert.is_true(shield:is_cut())
      is_near({ 20, 0, 20 }, shield:position())
      assert.is_nil(shield:get().carrier)
      assert.is_true(shield:move { 30, 0, 30 })
    end)

    it("does not keep its carrier out of what others put there", function()
      local crate = world:add_obstacle { at = MIDDLE, size = { 2, 2, 2 } }
      world:step()
      assert.is_true(carrier:position():distance(leeward.vec3(MIDDLE)) > 1.4 - 1e-3)
      crate:remove()
      world:add_obstacle { at = MIDDLE, size = { 60, 2, 60 } }
      world:step()
      assert.same({ "failed", "TRAPPED" }, { carrier:move_state(), (select(3, carrier:move_state())) })
    end)

    it("is moved by its carrier alone", function()
      assert.error_matches(function() shield:move { 30, 0, 30 } end,
        "move: the obstacle is carried by agent 1, and moves with it", 1, true)
    end)
  end)
end)
