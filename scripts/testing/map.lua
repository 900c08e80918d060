--- Levels for tests: drawn from above, or by name; baked once, however many worlds use them.
--
--     #########     #  wall, 2.5 m high         .  ground
--     #A..+..B#     +  wall to crouch behind    A  ground, and the name of a place (letters and digits)
--     #...#...#     =  road                     ~  shallow water
--     #########     ,  grass                    "  undergrowth         blank: nothing at all
--
-- x grows to the right and z downwards from (0, 0, 0), 2 m a square.

local leeward = require "leeward"

local map = {}

local AREAS = { ["="] = "road", ["~"] = "shallow_water", [","] = "grass", ['"'] = "undergrowth" }
local BAKE = {
  cell_size = 0.2, cell_height = 0.1, agent_radius = 0.4, agent_height = 1.8, agent_climb = 0.4, agent_slope = 45,
}
local HIGH, LOW = 2.5, 1 -- [m]

local function fail(message, ...) error("map: " .. message:format(...), 0) end

--- The lines of a drawing, without the margin that all have in common and empty lines around it.
local function lines_of(drawing)
  local lines, margin = {}, math.huge
  for line in (drawing .. "\n"):gmatch "(.-)%s*\n" do
    lines[#lines + 1] = line
    if line ~= "" then margin = math.min(margin, #line:match "^ *") end
  end
  while lines[1] == "" do table.remove(lines, 1) end
  while lines[#lines] == "" do table.remove(lines) end
  if #lines == 0 then fail "drawing is empty, expected squares such as '#' and '.'" end
  for index, line in ipairs(lines) do lines[index] = line:sub(margin + 1) end
  return lines
end

--- What a square is: its area, the height of its wall, the name of its place.
local function square_of(letter, areas, x, z)
  if letter == "#" then return "ground", HIGH end
  if letter == "+" then return "ground", LOW end
  if letter == "." then return "ground" end
  if areas[letter] or AREAS[letter] then return areas[letter] or AREAS[letter] end
  if letter:match "%w" then return "ground", nil, letter end
  fail("'%s' in line %d, column %d, expected one of # + . = ~ , \" a letter, a digit or a blank, or what "
    .. "options.areas names", leeward.shown(letter), z, x)
end

--- Add what is alike side by side in a row as one box.
local function add_row(geometry, row, z, size, key, add)
  local first
  for x = 1, #row + 1 do
    local square = row[x]
    if first and not (square and square[key] == row[first][key]) then
      add(geometry, row[first], (first - 1) * size, (x - 1) * size, (z - 1) * size)
      first = nil
    end
    if not first and square and square[key] then first = x end
  end
end

--- map.read(drawing, options) --> { geometry, places, areas, size }: places and the squares of each area are by name
function map.read(drawing, options)
  local geometry, size = leeward.geometry(), options.square or 2
  local found = { geometry = geometry, places = {}, squares = {}, size = size }
  local function add_floor(to, square, x0, x1, z0)
    to:add_box { min = { x0, -1, z0 }, max = { x1, 0, z0 + size }, area = square.area }
  end
  local function add_wall(to, square, x0, x1, z0)
    to:add_box { min = { x0, 0, z0 }, max = { x1, square.wall, z0 + size }, area = false }
  end
  for z, line in ipairs(lines_of(drawing)) do
    local row = {}
    for x = 1, #line do
      local letter = line:sub(x, x)
      if letter ~= " " then
        local area, wall, place = square_of(letter, options.areas or {}, x, z)
        local at = leeward.vec3((x - 0.5) * size, 0, (z - 0.5) * size)
        row[x] = { area = area, wall = wall }
        if place then
          found.places[place] = found.places[place] or {}
          table.insert(found.places[place], at)
        end
        if letter ~= "#" and letter ~= "." then
          found.squares[letter] = found.squares[letter] or {}
          table.insert(found.squares[letter], at)
        end
      end
    end
    row.n = #line
    local filled = {}
    for x = 1, row.n do filled[x] = row[x] or false end
    add_row(geometry, filled, z, size, "area", add_floor)
    add_row(geometry, filled, z, size, "wall", add_wall)
  end
  return found
end

--- The settings of the bake as text, so that one bake serves all worlds of one drawing.
local function key_of(...)
  local parts = {}
  for _, value in ipairs { ... } do
    if type(value) == "table" then
      local words = {}
      for key, item in pairs(value) do words[#words + 1] = ("%s=%s"):format(tostring(key), tostring(item)) end
      table.sort(words)
      value = table.concat(words, ",")
    end
    parts[#parts + 1] = tostring(value)
  end
  return table.concat(parts, "\0")
end

local baked = {}

--- map.draw(drawing, options) --> { geometry, navmesh, places, squares, size }
function map.draw(drawing, options)
  local key = key_of(drawing, options.square or 2, options.areas or {}, options.bake or {})
  if baked[key] then return baked[key] end
  local found = map.read(drawing, options)
  local settings = {}
  for name, value in pairs(BAKE) do settings[name] = value end
  for name, value in pairs(options.bake or {}) do settings[name] = value end
  local navmesh, message = leeward.bake(found.geometry, settings)
  if not navmesh then fail("%s", message) end
  found.navmesh = navmesh
  baked[key] = found
  return found
end

--- The places of a level: its spawns by name, each a point or a list of points.
local function places_of(spawns)
  local places = {}
  for name, list in pairs(spawns or {}) do
    if type(list) == "table" and type(list[1]) == "number" then list = { list } end
    local points = {}
    for index, point in ipairs(type(list) == "table" and list or {}) do
      local good, at = pcall(leeward.vec3, point)
      if good then points[index] = at end
    end
    if points[1] then places[name] = points end
  end
  return places
end

--- Raise the message, unless there is none.
local function check(ok, message)
  if not ok then error("level: " .. message, 0) end
  return ok
end

--- map.level(name) --> the same for a level by name or file; its `furnish` gives a world what `leeward run` gives it
function map.level(name)
  if baked[name] then return baked[name] end
  local scene = require "scripts.cli.scene"
  local level = check(scene.load(name, {}))
  baked[name] = {
    geometry = level.geometry, navmesh = level.navmesh, places = places_of(level.spawns), squares = {}, size = 0,
    furnish = function(world)
      check(scene.define_permutations(world, level))
      check(scene.divide(world, level))
    end,
  }
  return baked[name]
end

return map
