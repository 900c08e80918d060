-- What lives in a world, as scripts hold it: threats, dangers, fire lanes, obstacles, links and agents.
local leeward = require "leeward"
local maps = require "support.maps"

local HERE = { 1, 0, 1 }

--- How each kind is added, listed, and what it is called.
local KINDS = {
  { noun = "threat", list = "threats", add = function(world) return world:add_threat { at = HERE } end },
  { noun = "danger", list = "dangers", add = function(world) return world:add_danger { at = HERE } end },
  { noun = "group", list = "groups",
    add = function(world)
      return world:group { agents = { world:agents()[1] or world:spawn { profile = "human", at = HERE } } }
    end },
  { noun = "fire lane", list = "fire_lanes",
    add = function(world) return world:add_fire_lane { from = HERE, to = { 5, 0, 5 } } end },
  { noun = "obstacle", list = "obstacles", add = function(world) return world:add_obstacle { at = HERE } end },
  { noun = "link", list = "all_links",
    add = function(world) return world:add_link { kind = "jump", from = HERE, to = { 5, 0, 5 } } end },
}

local function fails(text, call, ...)
  local ok, message = pcall(call, ...)
  assert.is_false(ok)
  assert.matches(text, message, 1, true)
end

local function collect() for _ = 1, 4 do collectgarbage() end end

for _, kind in ipairs(KINDS) do
  local noun = kind.noun

  describe((noun:find "^o" and "an " or "a ") .. noun, function()
    local world
    before_each(function() world = leeward.world { navmesh = maps.floor(10, 10) } end)

    local function list() return world[kind.list](world) end

    it("is one object, and so a key of tables, wherever it comes from", function()
      local first, second = kind.add(world), kind.add(world)
      local notes = { [first] = "first", [second] = "second" }
      assert.is_true(rawequal(first, list()[1]) and rawequal(second, list()[2]))
      assert.equal("second", notes[list()[2]])
      first:remove()
      assert.is_true(rawequal(second, list()[1]))
      assert.is_nil(notes[kind.add(world)]) -- in the slot of the first
    end)

    it("is one object among those that a list has made", function()
      kind.add(world)
      collect()
      local listed = list()[1]
      collect()
      assert.is_true(rawequal(listed, list()[1]))
    end)

    it("is collected when nothing refers to it", function()
      local seen = setmetatable({}, { __mode = "k" })
      local kept = kind.add(world)
      for _ = 1, 10 do seen[kind.add(world)] = true end
      seen[kept] = true
      collect()
      assert.is_true(seen[kept])
      assert.is_nil(next(seen, next(seen)))
      assert.equal(11, #list()) -- in the world they still are
    end)

    it("takes no memory for each that there ever was", function()
      local function used() collect() return collectgarbage "count" end
      local function churn(count)
        for _ = 1, count do kind.add(world):remove() end
        world:step() -- frees the slots of obstacles
        return used()
      end
      local before, after = churn(5000), nil
      for _ = 1, 10 do after = churn(5000) end -- 50,000 would take 2 MB in a table
      assert.is_true(after - before < 500)
    end)

    it("says whether it is still there, and which one it is", function()
      local first = kind.add(world)
      assert.is_true(first:exists())
      assert.equal(world, first:world())
      assert.is_true(first:remove())
      assert.is_false(first:exists())
      assert.is_false(first:remove())
      local second = kind.add(world)
      assert.not_equal(first:id(), second:id())
      assert.equal(second:id(), list()[1]:id())
      world:destroy()
      assert.is_false(second:exists())
      fails("remove: the world was destroyed", second.remove, second)
    end)

    it("prints as another one than the removed one whose slot it has", function()
      local first = kind.add(world)
      assert.equal(noun .. " 1", tostring(first))
      assert.equal(noun .. " 2", tostring(kind.add(world)))
      first:remove()
      world:step() -- frees the slot of an obstacle
      assert.equal(noun .. " 1.2", tostring(kind.add(world)))
      assert.equal(noun .. " 1", tostring(first))
    end)

    it("has no fields to set", function()
      local object = kind.add(world)
      fails(("%s: cannot set 'note'; store a script's values in a table, by the %s as key"):format(noun, noun),
        function() object.note = 1 end)
      fails("exists: self is nil, expected a", object.exists)
    end)
  end)
end

describe("a danger", function()
  it("tells what adds another one like it", function()
    local world = leeward.world { navmesh = maps.floor(10, 10) }
    local danger = world:add_danger { at = HERE, radius = 4, height = math.huge, value = 2, half_life = 1 }
    world:run(1)
    local left = danger:get()
    assert.is_near(1, left.value, 1e-3)
    assert.same({ leeward.vec3(1, 0, 1), 4, math.huge, 1 }, { left.at, left.radius, left.height, left.half_life })
    assert.same(left, world:add_danger(left):get())
    assert.equal(math.huge, world:add_danger { at = HERE }:get().half_life)
    danger:remove()
    assert.is_nil(danger:get())
  end)
end)

describe("a fire lane", function()
  it("tells what adds another one like it", function()
    local world = leeward.world { navmesh = maps.floor(10, 10) }
    local lane = world:add_fire_lane { from = HERE, to = { 5, 0, 5 }, radius = 2, seconds = 3, weight = 4 }
    world:run(1)
    local left = lane:get()
    assert.is_near(2, left.seconds, 1e-3)
    assert.same({ leeward.vec3(1, 0, 1), leeward.vec3(5, 0, 5) }, { left.from, left.to })
    assert.same({ 2, 4 }, { left.radius, left.weight })
    assert.same(left, world:add_fire_lane(left):get())
    assert.equal(math.huge, world:add_fire_lane { from = HERE, to = { 5, 0, 5 } }:get().seconds)
    lane:remove()
    assert.is_nil(lane:get())
  end)
end)

describe("an agent", function()
  it("is called otherwise than the one before it in its slot, in messages and in the log too", function()
    local log = {}
    local world = leeward.world { navmesh = maps.floor(10, 10),
      log = function(_, message) log[#log + 1] = message end }
    local function spawn(tree) return assert(world:spawn { profile = "human", at = HERE, tree = tree }) end
    local first = spawn()
    assert.equal("agent 1", tostring(first))
    first:despawn()
    local second = spawn { kind = "leaf", start = function() error "no" end }
    assert.equal("agent 1.2", tostring(second))
    assert.equal("agent 1", tostring(first))
    world:step()
    assert.matches("agent 1.2, step 0: ", log[1], 1, true)
    local eye = world:add_threat { agent = second }
    fails("move: the threat is the eye of agent 1.2, and moves with it", eye.move, eye, HERE)
    second:despawn()
    assert.is_false(eye:remove()) -- it went with the agent
    fails("position: agent 1.2 is gone", second.position, second)
    fails("position: agent 1 is gone", first.position, first)
  end)
end)
