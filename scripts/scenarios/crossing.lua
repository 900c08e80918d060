-- Crossing: four groups of 20 cross a square at the same time, each to the side opposite, round a fountain. Who meets
-- whom passes on its right; nobody stops in the middle.

local COUNT, ROW, SPACING, FAR = 20, 10, 1.5, 25 -- of each group; in a row; metres; from the middle

local WALKER = {
  extends = "human", speed = { normal = 3.5 }, avoidance = "full", acceleration = 8, deceleration = 10,
  lateral_acceleration = 8, turn_rate = 8,
}
local GROUPS = {
  { name = "east", x = 1, z = 0, color = 0x35d0ff }, { name = "west", x = -1, z = 0, color = 0xff9a2e },
  { name = "north", x = 0, z = -1, color = 0x7dff5a }, { name = "south", x = 0, z = 1, color = 0xff5ac8 },
}

-- In rows across the direction in which the group goes.
local function place(group, number, far)
  local across = SPACING * (number % ROW - (ROW - 1) / 2)
  return { group.x * far + group.z * across, 0, group.z * far + group.x * across }
end

local function setup(world)
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
  picture = { at = 8, title = "crossing: four groups meet", layers = { "areas", "borders", "paths", "agents" } },
}
