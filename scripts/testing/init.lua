--- Tests of behaviours: worlds in a line, and assertions that say what happened.
--
--     local sim = require "leeward.testing"
--
--     it("walks round the wall", function()
--       local world = sim.map [[
--         A..#...
--         ...#..B
--         .......
--       ]]
--       local scout = sim.spawn("A", { profile = "soldier", tree = "scout", blackboard = { goal = sim.place "B" } })
--       assert.reaches(scout, "B", 30)
--       assert.replays_identically(world)
--     end)
--
-- The functions are about the world that sim.map or sim.level made last in the test or around it. What they do is
-- remembered, so that a run can be made again.

local luassert = require "luassert"
local assertions = require "scripts.testing.assertions"
local blocks = require "scripts.testing.blocks"
local caller = require "scripts.testing.caller"
local map = require "scripts.testing.map"
local report = require "scripts.testing.report"
local seeds = require "scripts.testing.seeds"
local stage = require "scripts.testing.stage"

local sim = {}

local now -- the current stage

local function current(may_be_none)
  if not now and not may_be_none then error("there is no world yet, expected sim.map or sim.level before", 0) end
  return now
end

local OPTIONS = { seed = true, places = true, world = true, errors = true, square = true, areas = true, bake = true,
  permutations = true }

--- Errors are the caller's, not this file's.
local function at_caller(f, ...)
  local results = table.pack(pcall(f, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local message = results[2]
  if message == stage.CUT or type(message) ~= "string" then error(message, 0) end
  error(caller.stripped(message), 2) -- all call this last, so that the next frame is the test's
end

local function check_options(who, options)
  if type(options) ~= "table" then
    error(("%s: options is %s, expected a table"):format(who, type(options)), 0)
  end
  for key in pairs(options) do
    if not OPTIONS[key] then
      local names = {}
      for name in pairs(OPTIONS) do names[#names + 1] = name end
      table.sort(names)
      local guess = require("leeward").suggest(tostring(key), names)
      error(("%s: unknown key '%s'%s"):format(who, tostring(key),
        guess and (". Did you mean '%s'?"):format(guess) or ""), 0)
    end
  end
  local errors = options.errors
  if errors ~= nil and (type(errors) ~= "string" or not pcall(string.find, "", errors)) then
    error(("%s: errors is %s, expected a pattern of Lua"):format(who,
      type(errors) == "string" and "'" .. errors .. "'" or tostring(errors)), 0)
  end
end

local function open(who, level_of, name, options)
  options = options or {}
  check_options(who, options)
  if type(name) ~= "string" then error(("%s: %s, expected text"):format(who, type(name)), 0) end
  if now then now:check_log() end
  now = stage.open(level_of(name, options), options)
  return now.world
end

function sim.map(drawing, options) return at_caller(open, "map", map.draw, drawing, options) end

function sim.level(name, options) return at_caller(open, "level", map.level, name, options) end

function sim.world()
  return at_caller(function() return current().world end)
end

function sim.place(name) return at_caller(function() return current():places(name)[1] end) end

function sim.places(name)
  return at_caller(function() return table.move(current():places(name), 1, #current():places(name), 1, {}) end)
end

function sim.spawn(place, options)
  return at_caller(function() return current():act("spawn", place, options or {}) end)
end

function sim.agent(name)
  return at_caller(function()
    local agent = current().agents[name]
    if not agent then
      error(("agent: there is no agent '%s', expected the name of one of sim.spawn"):format(tostring(name)), 0)
    end
    return agent
  end)
end

function sim.threat(place, options)
  return at_caller(function() return current():act("threat", place, options or {}) end)
end

function sim.mock(name, instead)
  return at_caller(function() return current():act("mock", name, instead) end)
end

function sim.at(seconds, f)
  return at_caller(function() current():act("at", seconds, f) end)
end

function sim.run(seconds, on_step)
  return at_caller(function() current():run(seconds, on_step) end)
end

function sim.run_until(predicate, seconds)
  return at_caller(function()
    local on = current()
    local steps = on:run_until(predicate, seconds or 60)
    if steps then return steps / 60 end
    local quiet = on.quiet
    on.quiet = true -- the caller may expect it
    local text = ("it has not become true within %g s\n%s"):format(seconds or 60, report.of(on))
    on.quiet = quiet
    return nil, text
  end)
end

function sim.runs(agent, node)
  return at_caller(function() return assertions.runs(current(), agent, node) end)
end

function sim.log()
  return at_caller(function()
    local log = current().log
    return table.move(log, 1, #log, 1, {})
  end)
end

function sim.seeds(count, play)
  if not now then error("there is no world yet, expected sim.map or sim.level before", 2) end
  if math.type(count) ~= "integer" or count < 1 then
    error(("seeds: count is %s, expected a whole number >= 1"):format(tostring(count)), 2)
  end
  if type(play) ~= "function" then
    error(("seeds: scene is %s, expected a function(world, seed)"):format(tostring(play)), 2)
  end
  local alone = os.getenv "LEEWARD_SIM_SEED" or ""
  if alone ~= "" and not math.tointeger(tonumber(alone)) then
    error(("seeds: LEEWARD_SIM_SEED is '%s', expected a whole number"):format(alone), 2)
  end
  local failure = seeds.failure(now, count, play, function(next_stage) now = next_stage end)
  if failure then luassert(false, failure, luassert:level(2)) end
end

local function set_current(next_stage) now = next_stage end

assertions.register(current, set_current)
blocks.follow(current, set_current)

return sim
