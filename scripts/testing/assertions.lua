--- Assertions about agents, paths and worlds, for luassert: assert.reaches(...), assert.is_not.logs(...).

local leeward = require "leeward"
local luassert = require "luassert"
local caller = require "scripts.testing.caller"
local paths = require "scripts.testing.paths"
local replay = require "scripts.testing.replay"
local report = require "scripts.testing.report"

local assertions = {}

local SECONDS = 60  -- for which assertions wait that are not given a time
local NEAR = 1      -- from the place, in xz, where a test does not say how near [m]
local STOREY = 2    -- of height to the place [m]

local function is_near(agent, at, distance)
  local position = agent:position()
  local dx, dz = position.x - at.x, position.z - at.z
  return dx * dx + dz * dz <= distance * distance and math.abs(position.y - at.y) <= STOREY
end

--- How near `reaches` is to come: 1 m, unless the test says.
local function distance_of(given)
  if given == nil then return NEAR end
  if type(given) ~= "number" or not (given > 0 and given < math.huge) then
    error(("reaches: distance is %s, expected metres > 0"):format(tostring(given)), 0)
  end
  return given
end

--- Raise unless it is an agent of the stage's world.
local function check_agent(agent, who, stage)
  if getmetatable(agent) ~= "leeward.agent" then
    error(("%s: agent is %s, expected an agent"):format(who, tostring(agent)), 0)
  end
  if agent:is_alive() and agent:world() ~= stage.world then
    error(("%s: agent %d is of another world, expected one of the world that sim.map, sim.level or sim.seeds made last")
      :format(who, agent:id()), 0)
  end
end

local function shown(where)
  return type(where) == "string" and "'" .. leeward.shown(where) .. "'" or tostring(where)
end

--- Register an assertion. It returns whether it holds, and for both outcomes a text that says what is the case.
local function register(name, holds)
  luassert:register("assertion", name, function(state, arguments)
    local good, is_true, failure = pcall(holds, arguments)
    if not good then caller.raise(is_true) end
    if is_true ~= state.mod then state.failure_message = failure() end
    return is_true
  end)
end

--- assert.reaches(agent, place, within, distance): it comes that near to the place [m, default 1] in that time
--- [s, default 60].
local function reaches(current)
  return function(arguments)
    local stage, agent, place, within = current(), arguments[1], arguments[2], arguments[3] or SECONDS
    check_agent(agent, "reaches", stage)
    local distance = distance_of(arguments[4])
    local at
    local steps = stage:run_until(function()
      at = stage:point(place) -- an agent moves
      return agent:is_alive() and is_near(agent, at, distance)
    end, within)
    return steps ~= nil, function()
      local name, where = report.name_of(stage, agent), shown(place)
      if distance ~= NEAR then where = ("%g m from %s"):format(distance, where) end
      local title = steps and ("%s reached %s"):format(name, where)
        or ("%s has not reached %s at %s within %g s"):format(name, where, at, within)
      local left = agent:is_alive() and ("; it is %.1f m away"):format(agent:position():distance(at)) or ""
      return ("%s%s\n%s"):format(title, left, report.of(stage, agent, title))
    end
  end
end

local BEGINS = { leaf = true, wait = true, delay = true } -- kinds of nodes that do something; others have them below

--- Does the node of that name run, or has it begun since that time? All branches of a parallel count, and the name of
--- the tree. A sequence whose condition was false, or of which a leaf was tried and failed at once, has not begun.
local function has_run(agent, name, since)
  local branch = agent:why():match "^(.-):" or agent:why()
  if branch:match "^(.-) > " == name then return true end
  local nodes, has_below = agent:nodes(), {}
  for index = #nodes, 1, -1 do
    local node = nodes[index]
    local is_new = node.since and node.since >= since and (BEGINS[node.kind] or has_below[index])
    if (node.outcome == "running" or is_new) and node.name == name then return true end
    local is_done = is_new and (has_below[index] or node.outcome ~= "failed")
    has_below[node.parent or 0] = has_below[node.parent or 0] or is_done
  end
  return false
end

--- Raise unless the agent's tree has a node of that name, or has that name itself. Without a tree, it may get one.
local function check_node(who, agent, name)
  local nodes = agent:nodes()
  if not nodes[1] then return end
  local names = { agent:why():match "^([^:>]-) > " }
  for _, node in ipairs(nodes) do names[#names + 1] = node.name end
  for _, known in ipairs(names) do
    if known == name then return end
  end
  local guess = leeward.suggest(name, names)
  error(("%s: its tree has no node '%s'%s"):format(who, leeward.shown(name),
    guess and (". Did you mean '%s'?"):format(guess) or ""), 0)
end

--- assertions.runs(stage, agent, node): the leaf or named node runs now.
function assertions.runs(stage, agent, name)
  check_agent(agent, "runs", stage)
  if type(name) ~= "string" then
    error(("runs: node is %s, expected the name of a node"):format(tostring(name)), 0)
  end
  if not agent:is_alive() then return false end
  check_node("runs", agent, name)
  return has_run(agent, name, math.huge)
end

--- assert.enters(agent, node, within): the leaf or named node runs now, or begins in that time [s, default 60].
local function enters(current)
  return function(arguments)
    local stage, agent, name, within = current(), arguments[1], arguments[2], arguments[3] or SECONDS
    check_agent(agent, "enters", stage)
    if type(name) ~= "string" then
      error(("enters: node is %s, expected the name of a node"):format(tostring(name)), 0)
    end
    if agent:is_alive() and not pcall(agent.history, agent) then
      error("enters: the world keeps no history, by which it is seen what begins and ends in a step", 0)
    end
    local since = stage.world:time()
    local steps = stage:run_until(function() return agent:is_alive() and has_run(agent, name, since) end, within)
    if not steps and agent:is_alive() then check_node("enters", agent, name) end -- after a tree that was set meanwhile
    return steps ~= nil, function()
      local who = report.name_of(stage, agent)
      local title = steps and ("%s entered %s"):format(who, name)
        or ("%s has not entered %s within %g s"):format(who, name, within)
      return title .. "\n" .. report.of(stage, agent, title)
    end
  end
end

--- assert.avoids(path, area): see paths.enters for what an area is.
local function avoids(current)
  return function(arguments)
    local stage, path, area = current(), arguments[1], arguments[2]
    local at = paths.enters(path, area, stage)
    return at == nil, function()
      local what = type(area) == "table" and "the area" or shown(area)
      local title = at and ("the path enters %s at %s"):format(what, at) or ("the path avoids %s"):format(what)
      return title .. "\n" .. report.of(stage, nil, title)
    end
  end
end

--- assert.exposed_below(path, threats, fraction): less of the path than that part is seen by any of the threats.
local function exposed_below(current)
  return function(arguments)
    local stage, path, threats, limit = current(), arguments[1], arguments[2], arguments[3]
    if type(limit) ~= "number" or not (limit >= 0 and limit <= 1) then
      error(("exposed_below: fraction is %s, expected 0..1"):format(tostring(limit)), 0)
    end
    local seen, length, at = paths.exposed(path, threats, stage)
    local fraction = length > 0 and seen / length or 0
    return fraction < limit, function()
      local title = ("the path is seen on %.1f of %.1f m, %.1f %%, expected %s %g %%"):format(seen, length,
        100 * fraction, fraction < limit and "at least" or "below", 100 * limit)
      return ("%s%s\n%s"):format(title, at and ("; the longest piece begins at %s"):format(at) or "",
        report.of(stage, nil, title))
    end
  end
end

--- assert.replays_identically(world | function): the same calls give the same run, bit for bit.
local function replays_identically(current, make_current)
  return function(arguments)
    local what = arguments[1]
    local problem
    if type(what) == "function" then
      problem = replay.problem_of_function(what, current)
    elseif getmetatable(what) == "leeward.world" then
      local stage = current()
      if stage.world ~= what then
        error("replays_identically: world is not the one that sim.map or sim.level made last", 0)
      end
      problem = replay.problem(stage, make_current)
    else
      error(("replays_identically: world is %s, expected a world or a function"):format(tostring(what)), 0)
    end
    return problem == nil, function()
      return problem or "the run is the same again"
    end
  end
end

--- assert.near(a, b, tolerance): two points, or two numbers, differ by at most that [m, default 0.01].
local function near(current)
  return function(arguments)
    local a, b, tolerance = arguments[1], arguments[2], arguments[3] or 0.01
    local distance, unit
    if type(a) == "number" and type(b) == "number" then
      distance, unit = math.abs(a - b), ""
    else
      unit = " m"
      local stage = current(true)
      local function point(value) return stage and stage:point(value) or leeward.vec3(value) end
      a, b = point(a), point(b)
      distance = a:distance(b)
    end
    return distance <= tolerance, function()
      return ("%s and %s are %.4g%s apart, expected %s %g"):format(tostring(a), tostring(b), distance, unit,
        distance <= tolerance and "more than" or "at most", tolerance)
    end
  end
end

--- assert.logs(pattern): a line of the world's log, "LEVEL: text", has that pattern of Lua in it.
local function logs(current)
  return function(arguments)
    local stage, pattern, found = current(), arguments[1], nil
    if type(pattern) ~= "string" then
      error(("logs: pattern is %s, expected a string"):format(tostring(pattern)), 0)
    end
    for _, line in ipairs(stage.log) do found = found or (line:find(pattern) and line) end
    return found ~= nil, function()
      if found then return ("the log has '%s' in: %s"):format(pattern, found) end
      return ("no line of the log has '%s'; it has %s"):format(pattern,
        #stage.log > 0 and "\n" .. table.concat(stage.log, "\n", math.max(1, #stage.log - 19)) or "no line")
    end
  end
end

--- assertions.register(current, make_current): `current` returns the stage, `make_current` sets it.
function assertions.register(current, make_current)
  register("reaches", reaches(current))
  register("enters", enters(current))
  register("avoids", avoids(current))
  register("exposed_below", exposed_below(current))
  register("replays_identically", replays_identically(current, make_current))
  register("near", near(current))
  register("logs", logs(current))
end

return assertions
