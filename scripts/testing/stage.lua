--- A stage: a world of a test with all that the test knows of it, the level, the places and agents by name, what is to
--- happen when, what happened, and how to make the same again.

local leeward = require "leeward"
local checks = require "behaviors.checks"
local trees = require "scripts.testing.trees"

local stage = {}
local Stage = {}
Stage.__index = Stage

local DT = 1 / 60      -- of a step [s]
local HISTORY = 256    -- entries that agents keep
local EYE = 1.6        -- of what is called a threat at a place [m]

-- What ends a run that is cut: see stage.cut.
stage.CUT = setmetatable({}, { __tostring = function() return "the run was cut" end })

-- --- Places -----------------------------------------------------------------------------------------------------

--- All places of that name.
function Stage:places(name)
  local found = self.named[name] or self.level.places[name]
  if found then return found end
  local names = {}
  for key in pairs(self.level.places) do names[key] = true end
  for key in pairs(self.named) do names[key] = true end
  local list = checks.names_of(names)
  local guess = type(name) == "string" and leeward.suggest(name, list)
  error(("place is %s, expected one of the level's: %s%s"):format(
    type(name) == "string" and "'" .. leeward.shown(name) .. "'" or tostring(name),
    #list > 0 and table.concat(list, ", ") or "it names none",
    guess and (". Did you mean '%s'?"):format(guess) or ""), 0)
end

--- The point that a test means: the name of a place, a point, an agent, a threat.
function Stage:point(where)
  local kind = getmetatable(where)
  if type(where) == "string" then return self:places(where)[1] end
  if kind == "leeward.agent" then return where:position() end
  if kind == "leeward.threat" then return where:get().at end
  return leeward.vec3(where)
end

-- --- What is done, and done again in a replay -------------------------------------------------------------------

--- The value with what is of this world replaced by what stands for it in the other one.
local function translated(value, to, depth)
  if to[value] ~= nil then return to[value] end
  if type(value) ~= "table" or depth > 8 or getmetatable(value) then return value end
  local copied = {}
  for key, item in pairs(value) do copied[key] = translated(item, to, depth + 1) end
  return copied
end

local actions = {}

--- @return number  the argument, which raises if it is no time
local function check_seconds(seconds)
  if type(seconds) ~= "number" or not (seconds >= 0 and seconds < math.huge) then
    error(("seconds is %s, expected a number >= 0"):format(tostring(seconds)), 0)
  end
  return seconds
end

--- Steps of that time.
local function count_steps(seconds) return math.ceil(check_seconds(seconds) / DT - 1e-6) end

function actions.spawn(self, place, options)
  local given = {}
  for key, value in pairs(options) do given[key] = value end
  local name = given.name or (type(place) == "string" and place) or nil
  given.name, given.at = nil, self:point(place)
  given.profile = given.profile or "human"
  given.tree = trees.with_mocks(given.tree, self)
  local agent, message = self.world:spawn(given)
  if not agent then error(("spawn: %s"):format(message), 0) end
  if name then self.agents[name] = agent end
  return agent
end

function actions.threat(self, place, options)
  local given = {}
  for key, value in pairs(options) do given[key] = value end
  if given.known_to == nil then given.known_to = true end
  if type(place) == "string" then
    given.at = self:point(place) + leeward.vec3(0, EYE, 0)
  elseif getmetatable(place) == "leeward.agent" then
    given.agent = place
  else
    given.at = place
  end
  return self.world:add_threat(given)
end

function actions.at(self, seconds, f)
  table.insert(self.timers, { time = self.world:time() + check_seconds(seconds), f = f })
end

function actions.mock(self, name, instead)
  local found = trees.new_mock(name, instead)
  self.mocks[name] = found
  return found
end

--- Do it, and remember it for a replay.
function Stage:act(name, ...)
  local result = actions[name](self, ...)
  local call = { step = self.world:steps(), name = name, arguments = table.pack(...), result = result }
  if not self.inside_timer then table.insert(self.calls, call) end
  return result
end

-- --- What was logged -------------------------------------------------------------------------------------------

function Stage:note_log(level, text)
  local line = ("%s: %s"):format(level, text)
  table.insert(self.log, line)
  local expected = self.options.errors
  if level == "error" and not (expected and line:find(expected)) then table.insert(self.unexpected, line) end
end

--- Raise where an error was logged that the test does not expect; once for each.
function Stage:check_log()
  local lines = self.unexpected
  if not lines[1] then return end
  self.unexpected = {}
  error(("the world has logged %s: %s\nA test that expects errors says so: sim.map(drawing, { errors = PATTERN })")
    :format(#lines == 1 and "an error" or ("%d errors, first"):format(#lines), lines[1]:gsub("^error: ", "")), 0)
end

--- Raise what a run has shown to be wrong with the test.
function Stage:check()
  self:check_log()
  trees.check_mocks(self)
end

-- --- Time -------------------------------------------------------------------------------------------------------

function Stage:run_timers()
  local due, waiting, now = {}, {}, self.world:time()
  for _, timer in ipairs(self.timers) do
    table.insert(timer.time <= now + DT / 2 and due or waiting, timer)
  end
  self.timers = waiting
  for _, timer in ipairs(due) do
    self.inside_timer = true
    local good, message = pcall(timer.f, self.world)
    self.inside_timer = false
    if not good then error(message, 0) end
  end
end

--- One step. @return false: the run is cut here.
function Stage:step()
  if self.cut and self.world:steps() >= self.cut then return false end
  if self.timers[1] then self:run_timers() end
  self.world:step()
  if self.hashes then self.hashes[self.world:steps()] = self.world:hash() end
  return true
end

function Stage:run(seconds, on_step)
  for _ = 1, count_steps(seconds) do
    if not self:step() then break end
    if on_step then on_step(self.world) end
  end
  self:check()
end

--- @return integer? steps  nil: it did not become true
function Stage:run_until(predicate, seconds)
  local count = count_steps(seconds)
  local first, is_true, was_cut = self.world:steps(), predicate(self.world), false
  for _ = 1, count do
    if is_true or was_cut then break end
    was_cut = not self:step()
    is_true = not was_cut and predicate(self.world)
  end
  self:check()
  if was_cut then error(stage.CUT, 0) end
  return is_true and self.world:steps() - first or nil
end

-- --- Opening ----------------------------------------------------------------------------------------------------

local function world_of(opened)
  local definition = { navmesh = opened.level.navmesh, seed = opened.seed, history = HISTORY }
  for key, value in pairs(opened.options.world or {}) do definition[key] = value end
  local log = definition.log
  definition.log = function(level, text)
    opened:note_log(level, text)
    if log then log(level, text) end
  end
  return leeward.world(definition)
end

--- Give the world what comes with its level, in the states that the options say.
local function furnish(opened)
  if opened.level.furnish then opened.level.furnish(opened.world) end
  local states = opened.options.permutations or {}
  for _, name in ipairs(checks.names_of(states)) do
    local ok, message = opened.world:set_permutation(name, states[name])
    if not ok and message then error(("permutations: %s"):format(message), 0) end
  end
  opened.world:apply_changes() -- agents that are spawned now find the paths that there are
end

--- stage.open(level, options [, seed]) --> stage; options: seed, places, world, errors, permutations, and those of the
--- level
function stage.open(level, options, seed)
  local opened = setmetatable({
    level = level, options = options, seed = seed or options.seed or 1, named = {},
    log = {}, unexpected = {}, leaves = {}, agents = {}, mocks = {}, timers = {}, calls = {}, hashes = {},
  }, Stage)
  for name, place in pairs(options.places or {}) do opened.named[name] = { leeward.vec3(place) } end
  opened.world = world_of(opened)
  furnish(opened)
  return opened
end

--- The same again, to be run by replay steps. `entering` is called with each stage, so that it is the current one.
function stage.again(original)
  local replay = stage.open(original.level, original.options, original.seed)
  replay.to_do, replay.done, replay.stands_for = original.calls, 0, { [original.world] = replay.world }
  return replay
end

--- Do what the original did in the step that the replay is at.
function stage.catch_up(replay)
  while replay.done < #replay.to_do and replay.to_do[replay.done + 1].step <= replay.world:steps() do
    replay.done = replay.done + 1
    local call = replay.to_do[replay.done]
    local arguments = {}
    for i = 1, call.arguments.n do arguments[i] = translated(call.arguments[i], replay.stands_for, 1) end
    local result = actions[call.name](replay, table.unpack(arguments, 1, call.arguments.n))
    if call.result ~= nil then replay.stands_for[call.result] = result end
  end
end

return stage
