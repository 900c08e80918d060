local leeward = require "leeward"
local vec3 = leeward.vec3

describe("leeward.vec3", function()
  it("is created from three numbers, a list, names or another one", function()
    local v = vec3(1, 2, 3)
    assert.equal(v, vec3 { 1, 2, 3 })
    assert.equal(v, vec3 { x = 1, y = 2, z = 3 })
    assert.equal(v, vec3(v))
  end)

  it("has its numbers by name and by place", function()
    local v = vec3(0.1, 2, -3)
    assert.same({ 0.1, 2, -3 }, { v.x, v.y, v.z })
    assert.same({ 0.1, 2, -3 }, { v[1], v[2], v[3] })
    assert.same({ 0.1, 2, -3 }, { v:unpack() })
    assert.is_nil(v[4])
    assert.is_nil(v.w)
  end)

  it("adds, subtracts, scales and turns round", function()
    assert.equal(vec3(4, 6, 8), vec3(1, 2, 3) + vec3(3, 4, 5))
    assert.equal(vec3(4, 6, 8), vec3(1, 2, 3) + { 3, 4, 5 })
    assert.equal(vec3(2, 2, 2), { 3, 4, 5 } - vec3(1, 2, 3))
    assert.equal(vec3(2, 4, 6), vec3(1, 2, 3) * 2)
    assert.equal(vec3(2, 4, 6), 2 * vec3(1, 2, 3))
    assert.equal(vec3(0.5, 1, 1.5), vec3(1, 2, 3) / 2)
    assert.equal(vec3(-1, 2, 3), -vec3(1, -2, -3))
  end)

  it("is equal to another when the runtime cannot tell them apart", function()
    assert.is_true(vec3(0.1, 0, 0) == vec3(0.1 + 1e-12, 0, 0))
    assert.is_false(vec3(0.1, 0, 0) == vec3(0.1001, 0, 0))
    assert.is_false(vec3(1, 2, 3) == "(1, 2, 3)")
  end)

  it("measures", function()
    assert.equal(5, vec3(3, 0, 4):length())
    assert.equal(5, vec3(1, 1, 1):distance { 4, 1, 5 })
  end)

  it("is written as people write points", function()
    assert.equal("(1, 2.5, -3)", tostring(vec3(1, 2.5, -3)))
  end)

  it("never changes", function()
    assert.has_error(function() vec3(1, 2, 3).x = 4 end, "vec3: a vec3 is immutable; create a new one")
  end)

  it("refuses what is no number", function()
    local function message(...) return select(2, pcall(vec3, ...)) end
    assert.equal("vec3: y is 'two', expected a finite number", message(1, "two", 3))
    assert.equal("vec3: z is nil, expected a finite number", message(1, 2))
    assert.equal("vec3: x is inf, expected a finite number", message(math.huge, 2, 3))
    assert.equal("vec3: argument 1 is {1, 2}, expected a point", message { 1, 2 })
    assert.equal("vec3: argument 1 is {1, 2, 3, 4}, expected a point", message { 1, 2, 3, 4 })
    assert.equal("vec3: argument 1 is {x = 1, y = nil, z = 0}, expected a point", message { x = 1, z = 0 })
    assert.equal("vec3: argument 1 is {x = inf, y = string, z = table}, expected a point",
      message { x = math.huge, y = "2", z = {} })
    assert.equal("vec3: argument 1 is a table, expected a point", message {})
    assert.has_error(function() return vec3(1, 2, 3) / 0 end, "vec3: result is not finite, expected finite numbers")
  end)
end)
