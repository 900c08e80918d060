-- Paths over ground that obstacles have cut into many pieces.
local leeward = require "leeward"

--- Level ground of 16 squares of 10 m, its corner at (offset, 0, offset).
local function level_ground(offset)
  local vertices, polygons = {}, {}
  for i = 0, 4 do
    for k = 0, 4 do vertices[#vertices + 1] = { offset + 10 * k, 0, offset + 10 * i } end
  end
  for i = 0, 3 do
    for k = 1, 4 do
      local first = 5 * i + k
      polygons[#polygons + 1] = { first, first + 1, first + 6, first + 5 }
    end
  end
  return leeward.navmesh { vertices = vertices, polygons = polygons }
end

--- Hills, `height` metres above and below 0; one every 6 to 7 `width` metres.
local function hills(offset, size, height, width)
  local vertices, indices = {}, {}
  for i = 0, size do
    for k = 0, size do
      vertices[#vertices + 1] = { offset + k, height * math.sin(i / width) * math.cos(k / width), offset + i }
    end
  end
  for i = 0, size - 1 do
    for k = 1, size do
      local first = i * (size + 1) + k
      for _, index in ipairs { first, first + size + 1, first + 1, first + 1, first + size + 1, first + size + 2 } do
        indices[#indices + 1] = index
      end
    end
  end
  local geometry = leeward.geometry()
  geometry:add_mesh { vertices = vertices, indices = indices }
  return assert(leeward.bake(geometry, { tile_size = 16 }))
end

--- A world with boxes at random places of a square of ground.
local function with_boxes(navmesh, offset, size, count, seed)
  local world = leeward.world { navmesh = navmesh, seed = seed }
  math.randomseed(seed)
  for _ = 1, count do
    world:add_obstacle { at = { offset + size * math.random(), 0, offset + size * math.random() },
      size = { 0.8, 20, 0.8 }, yaw = 6 * math.random(), cover = "none" }
  end
  world:apply_changes()
  return world
end

--- Paths between random places, as many as were found of 100.
local function random_paths(world)
  local i = 0
  return function()
    while i < 100 do
      i = i + 1
      local from, to = world:random_point(), world:random_point()
      local path = world:find_path { from = from, to = to }
      if path then return path, from, to end
    end
  end
end

--- The place where a path goes back to where it came from, all but 18 degrees; nil: nowhere.
local function turns_back(path)
  local points = path:points()
  for i = 2, #points - 1 do
    local before, after = points[i] - points[i - 1], points[i + 1] - points[i]
    local lengths = math.sqrt((before.x ^ 2 + before.z ^ 2) * (after.x ^ 2 + after.z ^ 2))
    if lengths > 0.01 and before.x * after.x + before.z * after.z < -0.95 * lengths then return points[i] end
  end
end

describe("a path between boxes", function()
  -- Where coordinates are large, corners of pieces that meet are further apart by rounding.
  for _, offset in ipairs { 0, 370, 5000 } do
    it(("is about as short as the exact one, %d m from the origin"):format(offset), function()
      local navmesh, sum, best = level_ground(offset), 0, 0
      for seed = 1, 10 do
        local world = with_boxes(navmesh, offset, 40, 60, seed)
        for path, from, to in random_paths(world) do
          local exact = assert(world:find_path { from = from, to = to, quality = "exact" })
          assert.is_true(path:length() <= 1.05 * exact:length(),
            ("seed %d: from %s to %s %.3f m instead of %.3f"):format(seed, from, to, path:length(), exact:length()))
          sum, best = sum + path:length(), best + exact:length()
        end
      end
      assert.is_true(sum <= 1.003 * best, ("%.4f of the length of exact ones"):format(sum / best))
    end)
  end

  it("lies on hills far from the origin", function()
    local navmesh = hills(5000, 60, 3, 6)
    for seed = 1, 20 do
      local world = with_boxes(navmesh, 5000, 60, 150, seed)
      for path in random_paths(world) do
        for _, point in ipairs(path:points()) do
          local height = assert(world:height_at(point))
          assert.is_true(math.abs(height - point.y) < 0.1,
            ("seed %d: a point at %s, the ground is at %.2f"):format(seed, point, height))
        end
      end
    end
  end)

  it("does not go back to where it came from on hills", function()
    local navmesh = hills(0, 80, 2.5, 4)
    for seed = 1, 20 do
      local world = with_boxes(navmesh, 0, 80, 300, seed)
      for path, from, to in random_paths(world) do
        assert.is_nil(turns_back(path), ("seed %d: from %s to %s"):format(seed, from, to))
      end
    end
  end)
end)
