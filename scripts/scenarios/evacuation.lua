-- Evacuation: 500 people leave a hall by two exits. Each takes the exit that is nearer on foot. `--picture` draws how
-- many get out in a second, over time.

local COUNT, SPACING = 500, 0.9 -- people; metres between two of them at first
local BIN = 5                   -- seconds that the throughput is the mean of

local PERSON = {
  extends = "human", speed = { normal = 2 }, avoidance = "full", acceleration = 4, deceleration = 6,
  lateral_acceleration = 6, turn_rate = 6,
}
local COLORS = { 0xff9a2e, 0x35d0ff }

local people, exits = {}, {}

-- Places about the middle of a room, the innermost first.
local function places_in(middle, count)
  local places, reach = {}, math.ceil(math.sqrt(count) / 2)
  for x = -reach, reach do
    for z = -reach, reach do
      places[#places + 1] = { middle[1] + x * SPACING, 0, middle[3] + z * SPACING, x * x + z * z }
    end
  end
  table.sort(places, function(a, b)
    if a[4] ~= b[4] then return a[4] < b[4] end
    if a[1] ~= b[1] then return a[1] < b[1] end
    return a[3] < b[3]
  end)
  return places
end

local function nearest_exit(at)
  local nearest, cost = nil, math.huge
  for _, exit in ipairs(exits) do
    local own = exit.field:cost(at)
    if own and own < cost then nearest, cost = exit, own end
  end
  return nearest
end

local function spawn(world, at)
  local exit = nearest_exit(at)
  if not exit then return nil, "no exit can be reached" end
  local agent, message = world:spawn { profile = PERSON, at = at, color = exit.color }
  if not agent then return nil, message end
  local ok
  ok, message = agent:move_to(exit.at, { within = 2 })
  if not ok then return nil, message end
  people[#people + 1] = { agent = agent, exit = exit }
  return true
end

local function setup(world, _, level)
  local places = level.spawns
  if not (places and places.rooms and places.exits) then
    return nil, ("level '%s' has no spawns.rooms and spawns.exits"):format(level.name)
  end
  for number, at in ipairs(places.exits) do
    exits[number] = {
      at = at, color = COLORS[(number - 1) % #COLORS + 1], out = {}, count = 0, last = 0,
      name = ("exit %d"):format(number), field = assert(world:distance_field { to = at, profile = PERSON }),
    }
  end
  for number, middle in ipairs(places.rooms) do
    local count = (COUNT * number) // #places.rooms - (COUNT * (number - 1)) // #places.rooms
    for place, at in ipairs(places_in(middle, count)) do
      if place > count then break end
      local ok, message = spawn(world, { at[1], at[2], at[3] })
      if not ok then return nil, ("person %d of room %d: %s"):format(place, number, message) end
    end
  end
  return true
end

-- Who has left is gone.
local function step(world)
  local inside = {}
  for _, person in ipairs(people) do
    if person.agent:move_state() == "arrived" then
      local exit, bin = person.exit, math.ceil(world:time() / BIN) - 1 -- that ends with this step, or later
      exit.out[bin] = (exit.out[bin] or 0) + 1
      exit.count, exit.last = exit.count + 1, world:time()
      person.agent:despawn()
    else
      inside[#inside + 1] = person
    end
  end
  people = inside
end

local function report(world)
  local rows = { { "exit", "left", "last s", "a second", "peak a second" } }
  for _, exit in ipairs(exits) do
    local peak = 0
    for _, count in pairs(exit.out) do peak = math.max(peak, count / BIN) end
    rows[#rows + 1] = {
      exit.name, tostring(exit.count), ("%.1f"):format(exit.last),
      ("%.2f"):format(exit.count / math.max(exit.last, 1)), ("%.1f"):format(peak),
    }
  end
  rows[#rows + 1] = { "inside", tostring(#people), ("%.1f"):format(world:time()), "", "" }
  return rows
end

-- The throughput of one exit, or of several together.
local function throughput(of, until_time)
  local points = { { 0, 0 } }
  for bin = 0, math.floor(until_time / BIN) - 1 do
    local sum = 0
    for _, exit in ipairs(of) do sum = sum + (exit.out[bin] or 0) end
    points[#points + 1] = { (bin + 0.5) * BIN, sum / BIN }
  end
  points[#points + 1] = { until_time, 0 }
  return points
end

-- Until the last one is out.
local function graph(world)
  local last, series = BIN, {}
  for _, exit in ipairs(exits) do last = math.max(last, exit.last) end
  if #people > 0 then last = world:time() end
  local until_time = math.ceil(last / BIN) * BIN
  for number, exit in ipairs(exits) do
    series[number] = { name = exit.name, color = exit.color, points = throughput({ exit }, until_time) }
  end
  series[#series + 1] = { name = "together", color = 0xffffff, points = throughput(exits, until_time) }
  local left = 0
  for _, exit in ipairs(exits) do left = left + exit.count end
  return {
    title = ("evacuation: %d of %d are out after %.0f s"):format(left, COUNT, last),
    x = "seconds", y = "people a second", series = series,
  }
end

return {
  level = "hall", seed = 7, seconds = 180, setup = setup, step = step, report = report, picture = { graph = graph },
}
