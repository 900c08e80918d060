-- Options of leaves: no agent can change what all that run the tree share, and reading them is as reading any table.
local leeward = require "leeward"
local behaviors = require "behaviors"
local trees = require "support.trees"

local world, log

before_each(function() world, log = trees.open() end)

after_each(function()
  assert.same({}, log)
  world:destroy()
end)

--- What `act` returns, called as the start of a leaf with these options.
local function with(options, act)
  local results
  local names = {}
  for name in pairs(options) do names[#names + 1] = name end
  local Leaf = behaviors.leaf {
    name = "Probe", optional = names,
    start = function(agent, given) results = table.pack(act(given, agent)) return "success" end,
  }
  trees.spawn(world, behaviors.sequence { Leaf(options), behaviors.wait(99) })
  world:step()
  return table.unpack(results, 1, results.n)
end

local function refused(key)
  return ("the options of 'Probe' are read-only: they are shared by all agents that run the tree, and '%s' belongs into"
    .. " the state or the blackboard"):format(key)
end

describe("the options of a leaf", function()
  it("cannot be written, nor the tables in them", function()
    local list, deep = { 1, 2 }, { stance = { eye = 1.6 }, path = { { 1, 0, 1 } } }
    with({ n = 1, list = list, deep = deep }, function(o)
      for key, write in pairs {
        n = function() o.n = 2 end,
        more = function() o.more = 2 end,
        ["list[1]"] = function() o.list[1] = 2 end,
        ["list[3]"] = function() table.insert(o.list, 9) end,
        ["list[2]"] = function() table.remove(o.list) end,
        ["deep.stance.eye"] = function() o.deep.stance.eye = 0 end,
        ["deep.path[1][2]"] = function() o.deep.path[1][2] = 7 end,
        ["deep.path[1].y"] = function() for _, p in ipairs(o.deep.path) do p.y = 7 end end,
        ["deep.new"] = function() for _, t in pairs(o) do if t == o.deep then t.new = 1 end end end,
      } do
        local ok, message = pcall(write)
        assert.is_false(ok)
        assert.matches(refused(key), message, 1, true)
      end
      assert.matches("leaf_options_spec%.lua:%d+: the options", select(2, pcall(function() o.list[1] = 2 end)))
      assert.is_false(pcall(table.sort, o.list, function(a, b) return a > b end))
      assert.is_false(pcall(setmetatable, o.list, nil))
    end)
    assert.same({ 1, 2 }, list)
    assert.same({ stance = { eye = 1.6 }, path = { { 1, 0, 1 } } }, deep)
  end)

  it("are read as any table is", function()
    local object = setmetatable({}, {})
    local options = { list = { "a", "b", "c" }, map = { x = { 1 }, y = 2 }, object = object, call = print }
    with(options, function(o)
      assert.equal("b", o.list[2])
      assert.equal(3, #o.list)
      assert.equal("a b c", table.concat(o.list, " "))
      assert.equal("c", select(3, table.unpack(o.list)))
      assert.same({ "a", "b", "c" }, table.move(o.list, 1, #o.list, 1, {}))
      local seen = {}
      for i, value in ipairs(o.list) do seen[i] = value end
      assert.same({ "a", "b", "c" }, seen)
      seen = {}
      for key, value in pairs(o.map) do seen[key] = type(value) == "table" and #value or value end
      assert.same({ x = 1, y = 2 }, seen)
      seen = {}
      for key in pairs(o) do seen[key] = true end
      assert.same({ list = true, map = true, object = true, call = true }, seen)
      assert.equal(o.map.x, o.map.x) -- the same one each time
      assert.is_true(rawequal(object, o.object)) -- what has a metatable is no plain table
      assert.equal(print, o.call)
    end)
  end)

  it("see what a script changes in a table that it keeps", function()
    local route = { { 1, 0, 1 } }
    assert.equal(9, with({ route = route, other = {} }, function(o)
      route[1][1] = 9
      return o.route[1][1]
    end))
  end)

  it("are taken by functions of the world as the tables that they stand for", function()
    local options = {
      to = { 5, 0, 5 }, cost = { cover_bias = 2 }, avoid = { "deep_water" }, goals = { { 9, 0, 9 }, { 5, 0, 9 } },
      query = { from = { 1, 0, 1 }, to = { 5, 0, 5 } }, box = { min = { 0, 0, 0 }, max = { 1, 1, 1 } },
      threats = { { at = { 9, 1.6, 9 }, range = 20 } }, profile = { extends = "human", radius = 0.3 },
    }
    with(options, function(o, agent)
      assert.equal(leeward.vec3(5, 0, 5), leeward.vec3(o.to))
      assert(agent:move_to(o.to, { cost = o.cost, avoid = o.avoid, threats = o.threats, profile = o.profile }))
      assert(world:find_path(o.query))
      assert(world:find_path { from = o.to, to = o.goals })
      assert(world:find_path { from = o.to, to = o.goals[1], threats = { o.threats[1] }, avoid = o.avoid })
      assert(world:find_path { from = o.goals[1], to = { o.to, o.goals[2] } })
      assert(world:add_danger { at = o.to, radius = 1, value = 1 })
      assert.is_nil(select(2, pcall(agent.set_cost, agent, o.cost)))
      agent:set_profile(o.profile)
    end)
  end)

  it("are saved by value where a blackboard or a state has them, and stay read-only there", function()
    local agent = with({ list = { 1, { 2 } } }, function(o, a)
      a.blackboard.list = o.list
      return a
    end)
    assert.is_false(pcall(function() agent.blackboard.list[1] = 2 end))
    local file = os.tmpname()
    leeward.tree("spec_options", behaviors.wait(99))
    agent:set_tree "spec_options"
    world:step()
    assert(world:save(file))
    local again = assert(world:load(file))[1]
    os.remove(file)
    assert.same({ 1, { 2 } }, again.blackboard.list)
  end)
end)
