--- Options of leaves: their checks, and what they give an agent that runs the leaf.

local leeward = require "leeward"
local checks = require "behaviors.checks"
local steps = require "behaviors.steps"

local behaviors = {}
local shown, set_of, is_finite = checks.shown, checks.set_of, checks.is_finite
local is_point, is_agent = checks.is_point, checks.is_agent

local metatable_of, registry = debug.getmetatable, debug.getregistry() -- also where there is `__metatable`
local LEVELS = 3 -- of tables within a value: a list of points, of what has a point

--- The metatable of a value of leeward, such as a cover point; nil: it is another one.
local function own_metatable(value)
  local metatable = metatable_of(value)
  local name = metatable and rawget(metatable, "__name")
  return type(name) == "string" and rawequal(registry[name], metatable) and metatable or nil
end

--- The value without metatables and methods of others, a copy where there are some: they may be a stranger's, who runs
--- in a sandbox, and what reads the value here does not.
local function plain(value, level)
  if type(value) ~= "table" then return value end
  local own = own_metatable(value)
  local copied = metatable_of(value) and {} or nil
  for key, item in next, value do
    local bare = level < LEVELS and plain(item, level + 1) or item
    if not copied and not rawequal(bare, item) then copied = table.move(value, 1, rawlen(value), 1, {}) end
    if copied and not (own and type(bare) == "function") then copied[key] = bare end
  end
  if not copied then return value end
  for key, item in next, value do
    if copied[key] == nil and not own then copied[key] = item end
  end
  return own and debug.setmetatable(copied, own) or copied
end

--- The reason where the blackboard lacks a key. Keys that the runtime sets, such as events, are not suggested.
local function missing(agent, key)
  local keys = {}
  for name in pairs(agent.blackboard) do keys[#keys + 1] = type(name) == "string" and name or nil end
  table.sort(keys)
  local guess = leeward.suggest(key, keys)
  return ("the blackboard has no '%s'%s"):format(leeward.shown(key),
    guess and (". Did you mean '%s'?"):format(leeward.shown(guess)) or "")
end

--- The point that an option gives: a point, or the key of one in the agent's blackboard.
---@param agent leeward.Agent
---@param where string|leeward.Point
---@param expected? string  what a key may have: then plain data such as a number are an error; default: anything
---@return leeward.Point? point  nil: the blackboard has no such key, or false there
---@return string? reason
function behaviors.point(agent, where, expected)
  if type(where) ~= "string" then return where end
  local point = plain(agent.blackboard[where], 1)
  if point == nil then return nil, missing(agent, where) end
  if point == false then return nil, ("the blackboard has false for '%s'"):format(leeward.shown(where)) end
  if expected and type(point) ~= "userdata" and type(point) ~= "table" then
    error(("the blackboard has %s for '%s', expected %s"):format(shown(point), leeward.shown(where), expected), 2)
  end
  return point
end

local PACES = set_of { "calm", "normal", "fast" }

--- A threat of the world, an agent, or the table of a threat.
local function is_threat(value)
  if type(value) == "table" then return is_point(value.at) end
  local kind = type(value) == "userdata" and getmetatable(value)
  return kind == "leeward.threat" or kind == "leeward.agent"
end

local function is_list_of_threats(value)
  if type(value) ~= "table" or value[1] == nil then return false end
  for key, item in pairs(value) do
    if math.type(key) ~= "integer" or not is_threat(item) then return false end
  end
  return true
end

--- What an option is that may also be a key of the blackboard: whether it is one of these, and their name.
local NAMED = {
  point = { is_point, "a point or a key of the blackboard" },
  agent = { is_agent, "an agent or a key of the blackboard" },
  goal = { function(value) return is_point(value) or is_agent(value) end,
    "a point, an agent or a key of the blackboard" },
  place = { function(value) return is_point(value) or is_threat(value) end,
    "a threat, an agent, a point or a key of the blackboard" },
  threats = { function(value) return is_threat(value) or is_list_of_threats(value) end,
    "a threat, an agent, a list of them or a key of the blackboard" },
}

--- The message of agent:move_to for an option that would be wrong there; nil: it is right.
local function move_complaint(key, value)
  local ok, message = pcall(leeward.check_move, { [key] = value }, "move")
  return not ok and message:sub(#"move: " + 1) or nil
end

--- The same for threats that are given as tables: one, or some in a list.
local function threats_complaint(key, value)
  if type(value) ~= "table" then return nil end
  local list = value.at and { value } or {}
  for i, who in ipairs(value.at and {} or value) do list[i] = type(who) == "table" and who or { at = { 0, 0, 0 } } end
  local complaint = move_complaint("threats", list)
  return complaint and complaint:gsub(value.at and "^threats%[1%]" or "^threats", (key:gsub("%%", "%%%%")), 1)
end

--- For a table that is no point: what is in it, and what a point is.
local function table_complaint(key, value, expected)
  local ok, message = pcall(leeward.vec3, value)
  local text = not ok and message:match "argument 1 is (.*), expected" or "a table"
  return ("%s is %s, expected %s; a point is a vec3 or { x, y, z } with finite numbers"):format(key, text, expected)
end

--- What the rule expects in place of the value; nil: the value is right.
local function expectation(value, rule, unit)
  local named = NAMED[rule]
  if named then return not (type(value) == "string" or named[1](value)) and named[2] or nil end
  if rule == "name" then return not (type(value) == "string" and value ~= "") and unit or nil end
  if rule == "pace" then return not PACES[value] and "'calm', 'normal' or 'fast'" or nil end
  local fits = is_finite(value) and value >= 0 and (rule == ">= 0" or value > 0)
  return not fits and ("%s %s"):format(unit, rule) or nil
end

--- The message about an option that breaks its rule; nil: the value is right.
local function complaint_about(value, key, rule, unit)
  if rule == "move" then return move_complaint(key, value) end
  local expected = expectation(value, rule, unit)
  if expected and type(value) == "table" and expected:find "a point" then
    return table_complaint(key, value, expected)
  end
  if expected then return ("%s is %s, expected %s"):format(key, shown(value), expected) end
  return rule == "threats" and threats_complaint(key, value) or nil
end

--- The message for the first option that breaks its rule, as a leaf's `check` returns it; absent options break none.
---@param options table
---@param rules string[][]  { key, rule [, unit] }; rule: "> 0" or ">= 0" in the unit (default "metres"), "name" (not
--- empty; the unit says of what), "pace", "move" (as the option of that name of agent:move_to), or what may also be a
--- key of the blackboard: "point", "agent", "goal" (a point, an agent), "place" (a threat, an agent, a point),
--- "threats" (one or a list)
---@return string? message
function behaviors.check(options, rules)
  for _, rule in ipairs(rules) do
    local value = options[rule[1]]
    if value ~= nil then
      local complaint = complaint_about(value, rule[1], rule[2], rule[3] or "metres")
      if complaint then return complaint end
    end
  end
end

--- Whether a threat was removed or an agent died.
---@param who leeward.AnyThreat|leeward.Point
---@return string? reason  nil: it still exists, as tables and points always do
function behaviors.gone(who)
  local kind = getmetatable(who)
  if kind == "leeward.agent" and not who:is_alive() then return ("%s is gone"):format(who) end
  if kind == "leeward.threat" and not who:exists() then return ("%s is gone"):format(who) end
end

--- The threats and agents of a list that still exist.
---@param list leeward.AnyThreat[]
---@return leeward.AnyThreat[] found
---@return string? reason  why the last of the others is not there
function behaviors.existing(list)
  local found, reason = {}, nil
  for _, who in ipairs(list) do
    local gone = behaviors.gone(who)
    if gone then reason = gone else found[#found + 1] = who end
  end
  return found, reason
end

--- The list of threats that an option gives: one, a list, or the key of these in the agent's blackboard.
---@param agent leeward.Agent
---@param who? string|leeward.AnyThreat|leeward.AnyThreat[]
---@return leeward.AnyThreat[]? list  nil: there is no such option; with a reason, the blackboard has no such key
---@return string? reason
function behaviors.threats(agent, who)
  if who == nil then return nil end
  local value, reason = behaviors.point(agent, who, "a threat, an agent or a list of them")
  if reason then return nil, reason end
  local is_one = type(value) == "userdata" or (type(value) == "table" and value.at)
  return is_one and { value } or value
end

--- The position that an option gives: the eye of a threat or an agent, a point, or the key of one of these in the
--- agent's blackboard.
---@param agent leeward.Agent
---@param who string|leeward.AnyThreat|leeward.Point
---@return leeward.Point? place  nil: the blackboard has no such key, or false there, or the threat or agent is gone
---@return string? reason
function behaviors.place(agent, who)
  local value, reason = behaviors.point(agent, who, "a point, a threat or an agent")
  reason = reason or behaviors.gone(value)
  if reason then return nil, reason end
  local kind = getmetatable(value)
  if kind == "leeward.agent" then return value:eye() end
  if kind == "leeward.threat" then return value:get().at end
  return type(value) == "table" and value.at or value
end

local PACE = { __close = function(self) steps.restore_pace(self.agent, self) end }

--- Let the agent walk at a pace as long as a variable lives: `local pace <close> = behaviors.at_pace(agent, "fast")` in
--- the `run` of a leaf, which closes it however it ends.
---@param agent leeward.Agent
---@param pace? "calm"|"normal"|"fast"  nil: as it does
---@return table? closable
function behaviors.at_pace(agent, pace)
  if not pace then return nil end
  local kept = setmetatable({ agent = agent }, PACE)
  steps.set_pace(agent, kept, pace)
  return kept
end

--- What World:sees looks at when an option gives that: an agent, also where the option gives the threat that is its
--- eye; else behaviors.place().
---@param agent leeward.Agent
---@param who string|leeward.AnyThreat|leeward.Point
---@return leeward.Point|leeward.Agent? target  nil: as of behaviors.place()
---@return string? reason
function behaviors.target(agent, who)
  local place, reason = behaviors.place(agent, who)
  if not place then return nil, reason end
  local value = behaviors.point(agent, who)
  local kind = getmetatable(value)
  if kind == "leeward.agent" then return value end
  return kind == "leeward.threat" and value:get().agent or place
end

return behaviors
