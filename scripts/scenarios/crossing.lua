-- Crossing: four groups of 20 cross a square at the same time, each to the side opposite, round a fountain. Those who
-- meet pass on their right; a cart that this scenario moves before one group is seen on their whiskers.

local COUNT, ROW, SPACING, FAR = 20, 10, 1.5, 25 -- of each group; in a row; metres; from the middle

local WALKER = {
  extends = "human", speed = { normal = 3.5 }, avoidance = "full", acceleration = 8, deceleration = 10,
  lateral_acceleration = 8, turn_rate = 8,
}
local GROUPS = {
  { name = "east", x = 1, z = 0, color = 0x35d0ff }, { name = "west", x = -1, z = 0, color = 0xff9a2e },
  { name = "north", x = 0, z = -1, color = 0x7dff5a }, { name = "south", x = 0, z = 1, color = 0xff5ac8 },
}

-- It drives along a side, too fast to be cut out of the navmesh, before those who come from opposite.
local CART = { from = 26, z = -14, speed = 4, start = 9, size = { 3, 1.5, 1.6 } }

local cart

-- In rows across the direction in which the group goes.
local function place(group, number, far)
  local across = SPACING * (number % ROW - (ROW - 1) / 2)
  return { group.x * far + group.z * across, 0, group.z * far + group.x * across }
end

local function move_cart(world)
  local driven = CART.speed * (world:time() - CART.start)
  if driven < 0 or driven > 2 * CART.from then return end
  cart:move({ driven - CART.from, 0, CART.z }, 0, { CART.speed, 0, 0 })
end

local function setup(world)
  cart = world:add_obstacle { shape = "box", at = { -CART.from, 0, CART.z }, size = CART.size, max_speed = 1 }
  for _, group in ipairs(GROUPS) do
    group.walkers = {}
    for number = 0, COUNT - 1 do
      local behind = SPACING * (number // ROW)
      local agent, message = world:spawn {
        profile = WALKER, at = place(group, number, FAR + behind), team = group.name, color = group.color,
      }
      if not agent then return nil, ("walker %d of the %s: %s"):format(number + 1, group.name, message) end
      local ok
      ok, message = agent:move_to(place(group, number, behind - FAR))
      if not ok then return nil, ("walker %d of the %s: %s"):format(number + 1, group.name, message) end
      group.walkers[number + 1] = { agent = agent }
    end
  end
  return true
end

local function step(world)
  move_cart(world)
  for _, group in ipairs(GROUPS) do
    for _, walker in ipairs(group.walkers) do
      if not walker.arrived and walker.agent:move_state() == "arrived" then
        walker.arrived, walker.walked = world:time(), walker.agent:stats().walked
      end
    end
  end
end

local function report()
  local rows = { { "group", "arrived", "mean s", "last s", "walked m" } }
  for _, group in ipairs(GROUPS) do
    local count, sum, last, walked = 0, 0, 0, 0
    for _, walker in ipairs(group.walkers) do
      if walker.arrived then
        count, sum, last = count + 1, sum + walker.arrived, math.max(last, walker.arrived)
        walked = walked + walker.walked
      end
    end
    rows[#rows + 1] = {
      group.name, ("%d of %d"):format(count, COUNT), ("%.1f"):format(sum / math.max(count, 1)), ("%.1f"):format(last),
      ("%.1f"):format(walked / math.max(count, 1)),
    }
  end
  return rows
end

return {
  level = "plaza", seed = 7, seconds = 40, setup = setup, step = step, report = report,
  picture = {
    at = 15, title = "crossing: four groups have met, and one meets a cart",
    layers = { "areas", "borders", "obstacles", "agents", "whiskers" },
  },
}
