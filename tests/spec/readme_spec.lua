-- The README's first example does run, and prints what it promises.
describe("the README", function()
  local function first_example()
    local file = assert(io.open("README.md"))
    local text = file:read("a")
    file:close()
    return text:match("```lua\n(.-)```")
  end

  it("shows an example of about fifteen lines that runs", function()
    local code = first_example()
    local lines = 0
    for line in code:gmatch("[^\n]+") do
      if line:match("%S") then lines = lines + 1 end
    end
    assert.is_true(lines <= 15, lines .. " lines")
    local printed = {}
    local env = setmetatable({
      print = function(...) printed[#printed + 1] = table.pack(...) end,
    }, { __index = _G })
    assert(load(code, "README.md", "t", env))()
    local points, length, cost = table.unpack(printed[1])
    assert.is_true(points > 2)
    assert.is_true(length > 35, "the car goes round the wall, by the road: " .. length .. " m")
    assert.is_true(cost > length)
    local goals, why = table.unpack(printed[2])
    assert.is_true(goals > 1)
    assert.matches("wander", why)
  end)

  it("shows a leaf that can be built into a tree", function()
    local file = assert(io.open("README.md"))
    local code = file:read("a"):match("## A leaf of one's own\n\n```lua\n(.-)```")
    file:close()
    local constructor = assert(load(code, "README.md", "t"))()
    assert.equal("leaf", constructor { seconds = 1 }.kind)
  end)
end)
