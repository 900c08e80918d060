--- Run every call of api_calls with Lua's memory at its end after the call's first allocation, after its second, and
--- so on until it succeeds. `memory` is of test_lua_memory.c.
local memory = ...
local api_calls = require "api_calls"

--- All of the first allocations, then fewer: a bake has thousands.
local function next_count(count) return count < 30 and count + 1 or count + count // 8 end

local function check(name, ok, result)
  if ok or tostring(result):find("not enough memory", 1, true) then return end
  error(("%s: %s"):format(name, tostring(result)), 0)
end

--- @return whether the call ran out of memory
local function run(name, count)
  local s = api_calls.scene()
  local arguments = api_calls.arguments[name](s)
  local f, given = api_calls.find(name, arguments), table.pack(table.unpack(arguments))
  local function call() return f(table.unpack(given, 1, given.n)) end
  memory.fail_after(count)
  local ok, result = pcall(call)
  local failed = memory.succeed()
  check(name, ok, result)
  if name ~= "World:destroy" then
    s.world:step()
    assert(s.world:find_path { from = { 1, 0, 1 }, to = { 11, 0, 11 }, profile = "soldier" })
    local id = s.world:spawn { profile = "soldier", at = { 2, 0, 2 } }:id()
    assert(#s.world:agents() > 0 and id)
    s.world:destroy()
  end
  return failed
end

local calls = 0
api_calls.scene().world:destroy()
for _, name in ipairs(api_calls.names()) do
  local count = 1
  repeat
    local failed = run(name, count)
    calls, count = calls + 1, next_count(count)
  until not failed
end
api_calls.reset()
return calls
