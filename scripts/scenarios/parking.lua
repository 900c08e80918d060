-- Parking: three cars of the courtyard drive into bays on and beside the road, stay a while, and go on to the next bay.
-- The tree `driver` parks at the key `bay`; this scenario writes it.

local CAR = {
  extends = "car", length = 4.2, width = 2, wheelbase = 2.6, radius = 1, reverse_cost = 3,
  acceleration = 3, deceleration = 5, lateral_acceleration = 4, avoidance = "full",
}

-- Where the middle of the rear axle is to stand, and where the nose is to point: 0 east, pi/2 north.
local BAYS = {
  { at = { 22, 0, 24.2 }, heading = -math.pi / 2 }, { at = { 29.8, 0, 2 }, heading = math.pi },
  { at = { 20, 0, -24.5 }, heading = math.pi }, { at = { 34, 0, -4 }, heading = -math.pi / 2 },
  { at = { 12, 0, 26.5 }, heading = 0 },
}
local STAYS = 6 -- seconds

local cars = {}

-- The tree begins to park when the key `bay` appears.
local function send(car, number)
  local bay = BAYS[number]
  car.bay, car.since = number, nil
  car.agent.blackboard.bay_heading = bay.heading
  car.agent.blackboard.bay = bay.at
end

local function is_there(car)
  local goal = car.agent:goal()
  return car.agent.blackboard.bay and goal and car.agent:move_state() == "arrived"
    and goal:distance(BAYS[car.bay].at) < 0.1
end

local function setup(world, _, level)
  local places = level.spawns and level.spawns.cars
  if not places then return nil, ("level '%s' has no spawns.cars"):format(level.name) end
  for number, at in ipairs(places) do
    local agent, message = world:spawn { profile = CAR, at = at, tree = "driver" }
    if not agent then return nil, ("spawns.cars[%d]: %s"):format(number, message) end
    cars[number] = { agent = agent, parked = 0, off = 0, turned = 0 }
    send(cars[number], number)
  end
  return true
end

-- How far it stands from where it was to stand, and how far it is turned from there.
local function note(car)
  local bay, position = BAYS[car.bay], car.agent:position()
  local off = math.sqrt((position.x - bay.at[1]) ^ 2 + (position.z - bay.at[3]) ^ 2)
  local turned = math.abs((car.agent:heading() - bay.heading + math.pi) % (2 * math.pi) - math.pi)
  car.parked, car.off, car.turned = car.parked + 1, math.max(car.off, off), math.max(car.turned, turned)
end

local function is_taken(number)
  for _, car in ipairs(cars) do
    if car.bay == number then return true end
  end
end

local function step(world)
  for _, car in ipairs(cars) do
    if not car.agent.blackboard.bay then send(car, car.next) end
    if not car.since and is_there(car) then
      car.since = world:time()
      note(car)
    end
    if car.since and world:time() - car.since > STAYS then
      car.next, car.since = car.bay % #BAYS + 1, nil
      while is_taken(car.next) do car.next = car.next % #BAYS + 1 end
      car.agent.blackboard.bay = nil
    end
  end
end

local function report()
  local rows = { { "car", "parked", "off m", "turned rad" } }
  for number, car in ipairs(cars) do
    rows[#rows + 1] = { tostring(number), tostring(car.parked), ("%.2f"):format(car.off), ("%.2f"):format(car.turned) }
  end
  return rows
end

return { level = "courtyard", seed = 18, seconds = 90, setup = setup, step = step, report = report }
