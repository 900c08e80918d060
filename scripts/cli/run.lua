-- leeward run SCENARIO

local leeward = require "leeward"
local args = require "scripts.cli.args"
local clock = require "scripts.cli.clock"
local edits = require "scripts.cli.edits"
local fields = require "scripts.cli.fields"
local progress = require "scripts.cli.progress"
local output = require "scripts.cli.output"
local scene = require "scripts.cli.scene"
local terminal = require "scripts.cli.terminal"
local watch = require "scripts.cli.watch"

local STEPS_PER_SECOND = 60

local function is_text(value) return type(value) == "string" or type(value) == "number" end
local function is_name(value) return type(value) == "string" end
local function is_row(value) return is_text(value) or fields.is_list(value, is_text) end

local SCENARIO_FIELDS = {
  { "level", "the name or the file of a level", fields.is "string" },
  { "seed", "a whole number", fields.is_whole },
  { "seconds", "seconds > 0", fields.is_positive },
  { "setup", "a function(world, leeward, level)", fields.is "function", required = true },
  { "step", "a function(world)", fields.is "function" },
  { "report", "a function(world) that returns rows of text", fields.is "function" },
  { "picture", "a table", fields.is "table", fields = {
    { "at", "seconds >= 0", fields.is_not_negative },
    { "title", "a string", fields.is "string" },
    { "layers", "a list of names", function(value) return fields.is_list(value, is_name) end },
    { "graph", "a function(world) that returns what leeward_sdl.graph takes but the file", fields.is "function" },
  } },
}

local spec = {
  name = "run",
  summary = "bake a level and let agents live in it",
  positional = { { "SCENARIO", ("a name (%s) or a Lua file"):format(table.concat(scene.names "scenarios", ", ")) } },
  options = scene.with_options {
    { "--level", "FILE", "the level: a name, a navmesh, a level in Lua, or a file that Assimp reads" },
    { "--seconds", "N", "simulated time (default: the scenario's; with a window: until it is closed)",
      type = "seconds" },
    { "--seed", "N", "seed of the random numbers (default: the scenario's)", type = "integer" },
    { "--cast", "TREES", "for the scenario `cast`: how many agents run which tree, such as guard=4,hunter" },
    scene.permutation_option,
    { "--headless", nil, "no window, as fast as possible" },
    { "--watch", nil, "reload profiles, areas, permutations and scripts that are edited; no such run is repeatable" },
    { "--picture", "FILE", "write a picture from above (PNG): at the end, or at the scenario's time" },
  },
  check = scene.check,
}

local function load_scenario(name)
  local file, message = scene.find(name, "scenarios")
  if not file then return nil, message end
  local scenario
  scenario, message = fields.load(file, SCENARIO_FIELDS)
  if not scenario then return nil, message end
  scenario.file = file
  return scenario
end

-- read_cast(text) --> list of { tree =, count = } | nil: none was given | nil, message
local function read_cast(text)
  if not text then return nil end
  local cast = {}
  for part in (text .. ","):gmatch "([^,]*)," do
    local tree, count = part:match "^([^=]+)=(%d+)$"
    tree, count = tree or part, math.tointeger(tonumber(count or 1))
    if tree == "" or tree:find("=", 1, true) or not count or count < 1 or count > 100000 then
      return nil, ("--cast has '%s', expected names of trees with counts, such as guard=4,hunter"):format(
        leeward.shown(part))
    end
    cast[#cast + 1] = { tree = tree, count = count }
  end
  return cast
end

-- Run the scenario's setup. An error in its code is reported with a traceback.
local function populate(scenario, name, world, level, cast)
  local ok, done, message = xpcall(scenario.setup, fields.traced, world, leeward, level, cast)
  if not ok then return nil, ("scenario '%s': %s"):format(leeward.shown(name), done) end
  if not done and message then return nil, ("scenario '%s': %s"):format(leeward.shown(name), message) end
  if done == false then
    return nil, fields.wrong(scenario.file, "result of setup", done, "true, or nil and a message")
  end
  return true
end

-- The function to call after every step, with or without a window. Its result is shown in the window.
local function follow(scenario, watcher, camera, watch_files)
  local files = watch_files and edits()
  return function(world)
    watcher.step(world)
    if scenario.step then scenario.step(world) end
    camera.step(world)
    return files and files.step()
  end
end

local function run_headless(world, seconds, on_step)
  local steps = math.ceil(seconds * STEPS_PER_SECOND)
  local report = progress("running")
  local before = clock()
  for done = 1, steps do
    world:step()
    on_step(world)
    report(done, steps)
  end
  local took = clock() - before
  io.stderr:write(("%.1f s simulated in %.2f s, %.0f times as fast\n"):format(world:time(), took,
    world:time() / math.max(took, 1e-6)))
end

local function micros(seconds) return ("%.0f"):format(seconds * 1e6) end

-- Print rows with the column `left` to the left and all others to the right.
local function print_rows(rows, left)
  local right = {}
  for column in ipairs(rows[1]) do right[column] = column ~= left end
  args.print_rows(rows, right)
end

-- A row for each agent.
local function print_agents(agents)
  local rows = { { "agent", "profile", "walked m", "goals", "replans", "worst search us", "mean search us" } }
  for _, agent in ipairs(agents) do
    local stats = agent:stats()
    rows[#rows + 1] = {
      tostring(#rows), agent:profile(), ("%.1f"):format(stats.walked), tostring(stats.goals_reached),
      tostring(stats.replans), micros(stats.search_worst),
      micros(stats.searches > 0 and stats.search_seconds / stats.searches or 0),
    }
  end
  print_rows(rows, 2)
end

local function print_report(scenario, world)
  if not scenario.report then return true end
  local rows = scenario.report(world)
  if not fields.is_list(rows, is_row) then
    return nil, fields.wrong(scenario.file, "result of report", rows,
      "a list of rows, each a text or a list of texts, one a column")
  end
  for index, row in ipairs(rows) do rows[index] = is_text(row) and { row } or row end
  if rows[1] then print_rows(rows, 1) end
  return true
end

local function print_totals(agents, watcher)
  local reached, off_mesh = 0, 0
  for _, agent in ipairs(agents) do
    local stats = agent:stats()
    reached, off_mesh = reached + stats.goals_reached, off_mesh + stats.off_mesh
  end
  terminal.print(("goals reached %d, off mesh %d, stuck %d"):format(reached, off_mesh, watcher.still))
end

-- The module leeward_sdl, or nil and a note. A server has none and continues without it.
local function load_window(wanted)
  local loaded, sdl = pcall(require, "leeward_sdl")
  if loaded then return sdl end
  if wanted then io.stderr:write("note: no window and no picture, leeward_sdl cannot be loaded\n") end
  return nil
end

-- What is wrong with the picture's layers; nil: nothing. Without a world there is no picture, but layers come first.
local function problem_of_layers(sdl, scenario)
  local _, message = pcall(sdl.picture, { file = "/", layers = scenario.picture.layers })
  local problem = message:match "^picture: (layers.*)"
  return problem and ("%s: picture.%s"):format(leeward.shown(scenario.file), problem)
end

-- Takes the requested picture at the time in the scenario, else at the end.
local function new_camera(sdl, file, scenario, world, level)
  local camera, taken = {}, not (sdl and file)
  local wanted = scenario.picture or {}

  -- --> the function that draws, its options | raises
  local function subject()
    if not wanted.graph then
      return sdl.picture, { world = world, geometry = level.geometry, layers = wanted.layers,
        title = wanted.title or level.name }
    end
    return sdl.graph, wanted.graph(world)
  end

  local function take()
    taken = true
    local called, ok, message = xpcall(subject, fields.traced)
    if called then
      local draw, options = ok, message
      if type(options) ~= "table" then
        camera.failure = fields.wrong(scenario.file, "result of picture.graph", options, "a table")
        return
      end
      options.file = file
      called, ok, message = pcall(draw, options)
    end
    if not called then
      ok, message = nil, ok:gsub("^picture: ", scenario.file .. ": picture."):gsub("^graph: ",
        scenario.file .. ": picture.graph: ")
    end
    camera.failure = not ok and message or nil
    if ok then terminal.warn("wrote " .. file) end
  end

  function camera.step()
    if not taken and wanted.at and world:time() >= wanted.at then take() end
  end

  function camera.finish()
    if not taken then take() end
  end

  return camera
end

local function run(given)
  if given.picture then
    local writable, problem = output.check(given.picture, "--picture", "picture")
    if not writable then return nil, problem end
  end
  local scenario, message = load_scenario(given.SCENARIO)
  if not scenario then return nil, message end
  local cast
  cast, message = read_cast(given.cast)
  if message then return nil, message end
  local name = given.level or scenario.level
  if not name then
    return nil, ("scenario '%s' has no level, expected --level"):format(leeward.shown(given.SCENARIO))
  end
  local sdl = load_window(given.picture or not given.headless)
  local problem = sdl and scenario.picture and problem_of_layers(sdl, scenario)
  if problem then return nil, problem end
  local level
  level, message = scene.load(name, given)
  if not level then return nil, message end
  terminal.print(scene.describe(level))
  scene.print_refused(level.navmesh)

  local world
  world, message = scene.new_world(level, given, given.seed or scenario.seed)
  if not world then return nil, message end
  local ok
  ok, message = populate(scenario, given.SCENARIO, world, level, cast)
  if not ok then return nil, message end

  local watcher, camera = watch(), new_camera(sdl, given.picture, scenario, world, level)
  local on_step = follow(scenario, watcher, camera, given.watch)
  local shown = false
  if sdl and not given.headless and not sdl.is_headless() then
    shown, message = sdl.view {
      world = world, geometry = level.geometry, title = level.name, seconds = given.seconds, on_step = on_step,
    }
    if not shown then terminal.warn("note: running without a window: " .. message) end
  end
  if not shown then run_headless(world, given.seconds or scenario.seconds or 60, on_step) end

  camera.finish()
  local agents = world:agents()
  print_agents(agents)
  local reported
  reported, message = print_report(scenario, world)
  print_totals(agents, watcher)
  if not reported then return nil, message end
  if camera.failure then return nil, "no picture: " .. camera.failure end
  return true
end

return { spec = spec, run = run }
