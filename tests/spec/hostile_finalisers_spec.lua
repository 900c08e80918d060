-- Lua may run a finaliser wherever a call allocates. Whatever that destroys, removes or changes, the call ends with an
-- answer or an error. It runs in a process of its own, whose collector does a whole cycle at each allocation.
local shell = require "support.shell"

describe("a finaliser that takes away what a call works on", function()
  it("does not hurt the call", function()
    local output, status = shell "LUA_PATH='tests/support/?.lua;;' lua5.4 tests/support/hostile_finalisers.lua 2>&1"
    assert.equal(0, status, output)
    local calls, functions = output:match "^(%d+) calls of (%d+) functions\n$"
    print(("note: finalisers inside %s calls of %s functions"):format(calls, functions))
    assert.is_true(tonumber(calls) > 5 * tonumber(functions))
  end)
end)

describe("os.exit() in a bake's progress", function()
  it("closes the state beside the other threads", function()
    local script = [[
local leeward = require "leeward"
local level = leeward.geometry()
level:add_box { at = { 0, -1, 0 }, size = { 400, 1, 300 } }
leeward.bake(level, { threads = 4, progress = function() os.exit(5, true) end })
]]
    for _ = 1, 40 do
      local output, status = shell(("ASAN_OPTIONS=detect_leaks=0 lua5.4 -e '%s' 2>&1"):format(script))
      assert.same({ "", 5 }, { output, status })
    end
  end)
end)

describe("the calls that such tests make", function()
  it("are all that the stubs have, but for those that hold nothing", function()
    package.path = "tests/support/?.lua;" .. package.path
    local api_calls, missing, known = require "api_calls", {}, {}
    for _, of in ipairs(require "support.stubs".read().functions) do
      local name = of.holder .. (of.is_method and ":" or ".") .. of.name
      known[name] = true
      if not api_calls.arguments[name] and not api_calls.left_out[name] then missing[#missing + 1] = name end
    end
    assert.same({}, missing)
    for name in pairs(api_calls.left_out) do assert.is_true(known[name], name) end
  end)
end)
