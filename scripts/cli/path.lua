-- leeward path NAVMESH FROM TO

local leeward = require "leeward"
local scene = require "scripts.cli.scene"
local terminal = require "scripts.cli.terminal"

local spec = {
  name = "path",
  summary = "find a path on a navmesh and print it",
  positional = {
    { "NAVMESH", "a navmesh file, or anything that `leeward bake` reads" },
    { "FROM", "the start: x,y,z", type = "point" },
    { "TO", "the goal: x,y,z", type = "point" },
  },
  options = scene.with_options {
    { "--profile", "NAME", "the agent's profile (default: only length counts, every area may be entered)" },
    { "--threat", "X,Y,Z", "position of a threat that may see the path; may be repeated", type = "point", many = true },
    scene.permutation_option,
    { "--quality", "HOW", "good (default); fast: less effort where areas have different prices; exact: the shortest "
      .. "where not", type = "quality" },
    { "--path-style", "HOW", "taut (default) or rounded: by arcs of the profile's turn_radius", type = "path_style" },
    { "--explain", nil, "print the cost of each part by term, compared with the shortest path" },
  },
  check = scene.check,
}

local function threats_of(given)
  local threats = {}
  for index, point in ipairs(given.threat or {}) do threats[index] = { at = point } end
  return threats
end

-- A coordinate, without the minus of -0.00.
local function shown(metres) return ("%8.2f"):format(math.abs(metres) < 0.005 and 0 or metres) end

local function print_points(path)
  local areas = path:areas()
  for index, point in ipairs(path:points()) do
    terminal.print(("%s %s %s  %s"):format(shown(point.x), shown(point.y), shown(point.z), areas[index] or ""))
  end
end

local function run(given)
  if given.profile then
    local called, profile, message = pcall(leeward.profile, given.profile)
    if not called then return nil, ("--profile is '%s': %s"):format(leeward.shown(given.profile), profile) end
    if not profile then return nil, message end
  end
  local level, message = scene.load(given.NAVMESH, given)
  if not level then return nil, message end
  local world
  world, message = scene.new_world(level, given)
  if not world then return nil, message end
  local called, path
  called, path, message = pcall(world.find_path, world, { from = given.FROM, to = given.TO, profile = given.profile,
    threats = threats_of(given), quality = given.quality,
    path_style = given.path_style })
  if not called then
    return nil, path
  end
  if not path then return nil, message end
  print_points(path)
  print(("length %.2f m, cost %.2f, %s, %s searched"):format(path:length(), path:cost(), scene.counted(#path, "point"),
    scene.counted(path:nodes(), "node")))
  for _, link in ipairs(path:links()) do
    if link.name then print(("over the %s link '%s'"):format(link.kind, leeward.shown(link.name))) end
  end
  if given.threat then print(("exposed %.2f m"):format(path:exposed())) end
  if given.explain then print("\n" .. tostring(path:explain())) end
  return true
end

return { spec = spec, run = run }
