--- Agents whose search takes many steps, walking meanwhile (`walk_ahead`) and standing: when they set out and arrive,
--- and how far they walk.
---   build/leeward lua tests/bench/bench_walk_ahead.lua
local leeward = require "leeward"

local PAIRS = 24
local HALVES = { 8, 14, 18 } -- boxes from the middle to the border

local function boxes(half)
  local geometry = leeward.geometry()
  math.randomseed(5)
  geometry:add_box{ at = { 0, -0.5, 0 }, size = { 8 * half + 20, 1, 8 * half + 20 }, area = "ground" }
  for x = -half, half do
    for z = -half, half do
      if (x + z) % 2 == 0 then
        local size = { math.random() < 0.5 and 7 or 1, 2, 1 + math.random() * 4 }
        geometry:add_box{ at = { x * 4, 1, z * 4 }, size = size }
      end
    end
  end
  return leeward.bake(geometry)
end

--- @return nil: there is no path.
local function walk(options, from, to)
  local world = leeward.world(options)
  local path = world:find_path{ from = from, to = to, profile = "human" }
  if not path then return nil end
  local agent = world:spawn{ profile = "human", at = path:points()[1] }
  local out = { steps = 0, waits = 0 }
  agent:move_to(to)
  while agent:move_state() == "walking" and out.steps < 60000 do
    world:step(1 / 60)
    out.steps = out.steps + 1
    if agent:waits_for_path() then out.waits = out.waits + 1 end
    if not out.set_out and agent:stats().walked > 0.01 then out.set_out = out.steps end
  end
  out.walked = agent:stats().walked / path:length()
  out.again = agent:stats().searches > 1 and 1 or 0
  return out
end

local function add(sums, one)
  for key, value in pairs(one) do sums[key] = (sums[key] or 0) + value end
  sums.count = (sums.count or 0) + 1
  sums.worst = math.max(sums.worst or 0, one.walked)
end

print("means; waits, sets out, arrives: steps; walks, at worst: parts of the path")
print("polygons nodes/step               waits  sets out  arrives  walks  worst  searched again")
for _, half in ipairs(HALVES) do
  local navmesh, edge = boxes(half), 4 * half + 6
  for _, work in ipairs{ 1, 3, 10 } do
    local ahead, standing = {}, {}
    for pair = 1, PAIRS do
      math.randomseed(pair)
      local function place() return { (2 * math.random() - 1) * edge, 0, (2 * math.random() - 1) * edge } end
      local from, to = place(), place()
      local one = walk({ navmesh = navmesh, search_work = work }, from, to)
      if one then
        add(ahead, one)
        add(standing, walk({ navmesh = navmesh, search_work = work, walk_ahead = false }, from, to))
      end
    end
    for _, of in ipairs{ standing, ahead } do
      local n, name = of.count, of == ahead and "walking" or "standing"
      print(("%8d %10d %-9s %3d %7.1f %9.1f %8.1f %6.3f %6.3f %15d"):format(navmesh:stats().polygons, work, name, n,
        of.waits / n, of.set_out / n, of.steps / n, of.walked / n, of.worst, of.again))
    end
  end
end
