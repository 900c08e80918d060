--- Run every call of api_calls while the collector runs a whole cycle at each allocation, and finalisers take away
--- what the call works on, at its first allocation, at its second, and so on. Prints how many calls that were.
local leeward = require "leeward"
local api_calls = require "api_calls"

local STEPS = { 1, 2, 3, 4, 6, 9, 14, 22, 35, 60 }

local function empty(value, seen)
  if type(value) ~= "table" or seen[value] then return end
  seen[value] = true
  for _, inner in pairs(value) do empty(inner, seen) end
  for key in pairs(value) do value[key] = nil end
end

--- Lists become longer, and hold other things than before.
local function swell(value, seen)
  if type(value) ~= "table" or seen[value] then return end
  seen[value] = true
  for _, inner in pairs(value) do swell(inner, seen) end
  if #value > 0 then for _ = 1, 20 do value[#value + 1] = value[1] end end
end

local function take_away(s, arguments)
  pcall(s.world.step, s.world)
  for _, name in ipairs { "agent", "other" } do pcall(s[name].despawn, s[name]) end
  for _, name in ipairs { "threat", "eye", "danger", "lane", "obstacle", "polygon", "carried", "link" } do
    pcall(s[name].remove, s[name])
  end
  empty(arguments, {})
end

--- What finalisers do.
local ATTACKS = {
  nothing = function() end,
  destroy = function(s) s.world:destroy() end,
  take_away = take_away,
  empty = function(_, arguments) empty(arguments, {}) end,
  swell = function(_, arguments) swell(arguments, {}) end,
  all = function(s, arguments)
    take_away(s, arguments)
    s.world:destroy()
    s.world, s.tree, s.path, s.navmesh = nil, nil, nil, nil
    pcall(leeward.profile, "api_calls", { extends = "human" })
  end,
  in_a_coroutine = function(s)
    coroutine.wrap(function()
      pcall(s.world.find_path, s.world, {}) -- raises, and is not counted down
      s.world:destroy()
    end)()
  end,
}

--- Let the count-th cycle of the collector run f. @return a function that tells whether it has.
local function plant(count, f)
  local function arm()
    setmetatable({}, { __gc = function()
      count = count - 1
      if count > 0 then return arm() end
      if count == 0 then f() end
    end })
  end
  arm()
  return function() return count <= 0 end
end

local function check(name, ok, result)
  if ok then return end
  local text = tostring(result)
  local slip = type(result) ~= "string" or text:find "attempt to" or text:find "not enough memory"
  if slip then error(("%s: %s"):format(name, text), 0) end
end

--- @return whether the finaliser ran within the call
local function attack(name, attack_by, count)
  local s = api_calls.scene()
  local world = s.world
  local arguments = api_calls.arguments[name](s)
  local f, given = api_calls.find(name, arguments), table.pack(table.unpack(arguments))
  collectgarbage("setpause", 0)
  collectgarbage("incremental", 0, 1000, 40)
  local has_run = plant(count, function() attack_by(s, arguments) end)
  collectgarbage "restart"
  local ok, result = pcall(f, table.unpack(given, 1, given.n))
  collectgarbage "stop"
  local ran = has_run()
  check(name, ok, result)
  local destroyed = select(2, pcall(world.time, world)) == "time: the world was destroyed"
  if ran and attack_by == ATTACKS.destroy and not destroyed then error(name .. ": the world was not destroyed", 0) end
  if not destroyed then world:step() end
  world:destroy()
  return ran
end

collectgarbage "stop"
local calls = 0
for _, name in ipairs(api_calls.names()) do
  for _, attack_by in pairs(ATTACKS) do
    for _, count in ipairs(STEPS) do
      calls = calls + 1
      if not attack(name, attack_by, count) then break end
    end
  end
  collectgarbage "collect"
end
api_calls.reset()
print(calls .. " calls of " .. #api_calls.names() .. " functions")
