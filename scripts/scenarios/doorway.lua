-- Doorway: two groups of 25 go through one door at the same time, from both sides. They take turns; nobody marked the
-- door as narrow.

local COUNT, ROW = 25, 10          -- of each group; in a row
local BEFORE, BEHIND = 1.4, 2.2    -- between two walkers, in metres: those who arrive leave room to walk between them

local WALKER = {
  extends = "human", speed = { normal = 3.5 }, avoidance = "full", acceleration = 8, deceleration = 10,
  lateral_acceleration = 8, turn_rate = 8,
}
local GROUPS = { { name = "west", side = -1, color = 0xff9a2e }, { name = "east", side = 1, color = 0x35d0ff } }

local walkers = {}

-- The place of a walker in its group, which stands on that side: those in front go furthest.
local function place(middle, side, number, row, spacing)
  return { middle[1] + side * spacing * row, 0, spacing * (number % ROW - (ROW - 1) / 2) }
end

local function setup(world, _, level)
  local places = level.spawns
  if not (places and places.west and places.east) then
    return nil, ("level '%s' has no spawns.west and spawns.east"):format(level.name)
  end
  local last = math.ceil(COUNT / ROW) - 1
  for _, group in ipairs(GROUPS) do
    local across = group.name == "west" and places.east[1] or places.west[1]
    group.walkers = {}
    for number = 0, COUNT - 1 do
      local row = number // ROW
      local at = place(places[group.name][1], group.side, number, row, BEFORE)
      local agent, message = world:spawn { profile = WALKER, at = at, team = group.name, color = group.color }
      if not agent then return nil, ("walker %d of the %s: %s"):format(number + 1, group.name, message) end
      local ok
      ok, message = agent:move_to(place(across, -group.side, number, last - row, BEHIND))
      if not ok then return nil, ("walker %d of the %s: %s"):format(number + 1, group.name, message) end
      group.walkers[number + 1] = { agent = agent }
      walkers[#walkers + 1] = group.walkers[number + 1]
    end
  end
  return true
end

local function step(world)
  for _, walker in ipairs(walkers) do
    if not walker.through and walker.agent:move_state() == "arrived" then walker.through = world:time() end
  end
end

local function report()
  local rows = { { "group", "arrived", "first s", "last s" } }
  for _, group in ipairs(GROUPS) do
    local count, first, last = 0, math.huge, 0
    for _, walker in ipairs(group.walkers) do
      if walker.through then
        count, first, last = count + 1, math.min(first, walker.through), math.max(last, walker.through)
      end
    end
    rows[#rows + 1] = {
      group.name, ("%d of %d"):format(count, COUNT), count > 0 and ("%.1f"):format(first) or "-",
      count > 0 and ("%.1f"):format(last) or "-",
    }
  end
  return rows
end

return {
  level = "doorway", seed = 7, seconds = 60, setup = setup, step = step, report = report,
  picture = { at = 12, title = "doorway: 25 and 25 take turns", layers = { "areas", "borders", "agents" } },
}
