-- Vehicles on ground that is drawn as rectangles, and how near they come to each other.
local leeward = require "leeward"

local vehicles = {}

--- A van of 4 x 2 m that turns along circles of 4 m.
vehicles.VAN = {
  extends = "human", radius = 1, length = 4, width = 2, wheelbase = 2.4, turn_radius = 4, reverse_cost = 3,
  avoidance = "full", acceleration = 3, deceleration = 5, lateral_acceleration = 4,
  speed = { calm = 3, normal = 6, fast = 8 },
}

--- A profile that differs from another one.
function vehicles.like(profile, more)
  local new = {}
  for key, value in pairs(profile) do new[key] = value end
  for key, value in pairs(more) do new[key] = value end
  return new
end

vehicles.BUS = vehicles.like(vehicles.VAN, { length = 8, wheelbase = 5, turn_radius = 6 })
vehicles.TRUCK = vehicles.like(vehicles.VAN, {
  trailer = { length = 4, width = 2, joint = 1, drawbar = 0.6, wheelbase = 3 },
})

--- A world on level ground. @param rectangles  { x0, z0, x1, z1 } each
function vehicles.world(rectangles, options)
  local level = leeward.geometry()
  for _, at in ipairs(rectangles) do
    level:add_box {
      at = { (at[1] + at[3]) / 2, -1, (at[2] + at[4]) / 2 }, size = { at[3] - at[1], 1, at[4] - at[2] },
    }
  end
  local navmesh = assert(leeward.bake(level, { agent_radius = 0.4, cell_size = 0.2 }))
  return leeward.world(vehicles.like({ navmesh = navmesh, seed = 7 }, options or {}))
end

function vehicles.spawn(world, profile, x, z, heading)
  local agent = assert(world:spawn { profile = profile, at = { x, 0, z } })
  agent:set_heading(heading)
  return { agent = agent, profile = profile }
end

local function rectangle(x, z, heading, front, back, width)
  local c, s, middle = math.cos(heading), -math.sin(heading), (front - back) / 2
  return { x = x + c * middle, z = z + s * middle, c = c, s = s, length = (front + back) / 2, width = width / 2 }
end

-- Of a vehicle and its trailer.
local function rectangles_of(vehicle)
  local at, heading, profile = vehicle.agent:position(), vehicle.agent:heading(), vehicle.profile
  local over, trailer = (profile.length - profile.wheelbase) / 2, profile.trailer
  local list = { rectangle(at.x, at.z, heading, profile.length - over, over, profile.width) }
  if not trailer then return list end
  local behind = vehicle.agent:pose(1).trailer_heading
  local x = at.x - math.cos(heading) * trailer.joint - math.cos(behind) * trailer.wheelbase
  local z = at.z + math.sin(heading) * trailer.joint + math.sin(behind) * trailer.wheelbase
  local front = trailer.wheelbase - trailer.drawbar
  list[2] = rectangle(x, z, behind, front, trailer.length - front, trailer.width)
  return list
end

-- Across the side that keeps them farthest apart.
local function gap_between(a, b)
  local gap = -math.huge
  for _, axis in ipairs { { a.c, a.s }, { -a.s, a.c }, { b.c, b.s }, { -b.s, b.c } } do
    local x, z = axis[1], axis[2]
    local function reach(of)
      return of.length * math.abs(of.c * x + of.s * z) + of.width * math.abs(of.c * z - of.s * x)
    end
    gap = math.max(gap, math.abs((b.x - a.x) * x + (b.z - a.z) * z) - reach(a) - reach(b))
  end
  return gap
end

--- The gap between the rectangles of two vehicles; < 0: they overlap. [m]
function vehicles.gap(a, b)
  local gap = math.huge
  for _, one in ipairs(rectangles_of(a)) do
    for _, other in ipairs(rectangles_of(b)) do gap = math.min(gap, gap_between(one, other)) end
  end
  return gap
end

--- Step until no vehicle drives any more, at most so long. @return The least gap that there was, and the time.
function vehicles.drive(world, list, seconds, each)
  local nearest, steps = math.huge, 0
  repeat
    world:step(1 / 60)
    steps = steps + 1
    local drives = false
    for i, vehicle in ipairs(list) do
      drives = drives or vehicle.agent:move_state() == "walking"
      for k = 1, i - 1 do nearest = math.min(nearest, vehicles.gap(vehicle, list[k])) end
    end
    if each then each(steps / 60) end
  until not drives or steps >= seconds * 60
  return nearest, steps / 60
end

return vehicles
