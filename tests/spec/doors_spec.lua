-- Levels whose doors their authors placed, and the same levels baked with their doors shut: a permutation that shuts
-- the doors of the open level must leave what that bake leaves.
local json = require "dkjson"
local leeward = require "leeward"
local levels = require "support.levels"

local POINTS, SEED = 400, 7
local SAME = 0.05 -- metres: the same place on both navmeshes
local SINK = 0.5 -- metres that a door's box reaches below its sill
local FAR = 0.25 -- metres that a point may lie off in height

local tiled = { tile_size = 12 }
for key, value in pairs(levels.settings) do tiled[key] = value end

--- One box for each door: from its sill to where its lintel is when it is open.
local function doors_of(name)
  local file = assert(io.open((levels.file(name):gsub("%.obj$", ".json"))))
  local level = assert(json.decode(file:read "a"))
  file:close()
  local boxes = {}
  for i, door in ipairs(level.doors) do
    local x0, z0, x1, z1 = table.unpack(door.aabb_xz)
    local bottom, top = door.floor - SINK, door.open_ceiling
    boxes[i] = { box = { at = { (x0 + x1) / 2, bottom, (z0 + z1) / 2 }, size = { x1 - x0, top - bottom, z1 - z0 } } }
  end
  return boxes
end

local function exists(world, a, b)
  return world:path_exists(a, b, { snap = { SAME, FAR, SAME } })
end

--- Which of the points can be reached from which: the number of the first point of its kind for each.
local function islands(world, points)
  local firsts, of = {}, {}
  for i, point in ipairs(points) do
    for _, first in ipairs(firsts) do
      if exists(world, points[first], point) then of[i] = first break end
    end
    if not of[i] then
      of[i] = i
      firsts[#firsts + 1] = i
    end
  end
  return of, #firsts
end

--- Points that are ground with the doors shut, on both.
local function draw_points(shut, open)
  local points = {}
  for _ = 1, POINTS do
    local point = assert(shut:random_point {})
    if open:contains(point, { tolerance = SAME }) then points[#points + 1] = point end
  end
  return points
end

--- Shut the doors of a world, and open them again: its islands are those of a bake with shut doors, and then those of
--- before. Of what it finds it prints a note.
---@param shut leeward.World  of that bake
---@param what string  of the doors, for the note
---@param when_shut? fun()  while they are shut
local function shut_and_open(name, world, shut, what, when_shut)
  world:apply_changes()
  local points = draw_points(shut, world)
  local before, all = islands(world, points)
  world:set_permutation("doors", "shut")
  world:apply_changes()
  local truth, count = islands(shut, points)
  local now, apart = islands(world, points)
  print(("note: %s: %s, %d points on %d islands, %d with the doors shut, %d in a bake"):format(name, what, #points, all,
    apart, count))
  assert.is_true(#points > POINTS * 0.9)
  assert.is_true(count > all)
  assert.same(truth, now)
  if when_shut then when_shut() end
  world:set_permutation("doors", "open")
  world:apply_changes()
  assert.same(before, (islands(world, points)))
end

describe("the doors of a level as a permutation", function()
  for _, name in ipairs { "fd1_e1m1", "fd2_map01" } do
    it("leave of " .. name .. " what a bake with its doors shut leaves", function()
      if not levels.has(name) then pending("the shared level " .. name .. " is missing") end
      local navmesh = levels.bake(name)
      local world = leeward.world { navmesh = navmesh, seed = SEED }
      local shut = leeward.world { navmesh = levels.bake(name .. ".doors_closed"), seed = SEED }
      local boxes = doors_of(name)
      world:permutation("doors", { default = "open", open = {}, shut = { cut = boxes } })
      shut_and_open(name, world, shut, ("%d doors"):format(#boxes))
    end)

    it("have the tiles of " .. name .. " with its doors shut, where both are baked", function()
      if not levels.has(name) then pending("the shared level " .. name .. " is missing") end
      local geometry = {
        open = assert(leeward.load_geometry(levels.file(name))),
        shut = assert(leeward.load_geometry(levels.file(name .. ".doors_closed"))),
      }
      local navmesh, tiles, report = leeward.bake_permutations(geometry.open, geometry, tiled)
      local settings = { bounds = report.used.bounds }
      for key, value in pairs(tiled) do settings[key] = value end
      local alone = assert(leeward.bake(geometry.shut, settings))
      assert.is_true(#tiles.shut > 0 and #tiles.shut < #navmesh:tiles())
      assert.equal(0, #alone:differing_tiles(tiles.shut.source))
      local world = leeward.world { navmesh = navmesh, seed = SEED }
      local shut = leeward.world { navmesh = alone, seed = SEED }
      world:permutation("doors", { default = "open", open = { tiles = tiles.open }, shut = { tiles = tiles.shut } })
      shut_and_open(name, world, shut, ("%d of %d tiles"):format(#tiles.shut, #navmesh:tiles()), function()
        for _ = 1, POINTS do
          local from, to = assert(shut:random_point {}), assert(shut:random_point {})
          local path, other = world:find_path { from = from, to = to }, shut:find_path { from = from, to = to }
          assert.equal(other and other:length(), path and path:length())
          assert.equal(shut:sees(from, to), world:sees(from, to))
        end
      end)
    end)
  end
end)
