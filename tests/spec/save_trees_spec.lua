-- Trees and blackboards in saved worlds: a loaded run goes on as the one that was not saved, or says what starts again.
local leeward = require "leeward"
local behaviors = require "behaviors"
local maps = require "support.maps"

local FILE = os.tmpname()
local SENSES = { sight = { range = 25, notice = 0.3 }, hearing = { range = 30 }, memory = 6 }

--- A floor of 40 x 30 m with walls to hide behind.
local function with_walls()
  local level = leeward.geometry()
  level:add_box { min = { 0, -1, 0 }, max = { 40, 0, 30 } }
  for _, at in ipairs { { 20, 0, 12 }, { 10, 0, 20 }, { 30, 0, 20 }, { 28, 0, 6 } } do
    level:add_box { at = at, size = { 1, 2, 6 }, area = false }
  end
  return assert(leeward.bake(level, { cell_size = 0.3 }))
end

describe("a saved world with trees", function()
  local navmesh, log
  setup(function() navmesh = with_walls() end)
  teardown(function() os.remove(FILE) end)

  local function make(seed)
    return leeward.world {
      navmesh = navmesh, seed = seed or 3,
      log = function(level, message) log[#log + 1] = level .. ": " .. message end,
    }
  end
  before_each(function() log = {} end)

  --- Save one world, load it in another.
  local function reload(world, options)
    assert.is_true(world:save(FILE))
    local other = make(99)
    return other, assert(other:load(FILE, options))
  end

  --- What the game does in a step, by its number alone.
  local function disturb(world, step)
    if step % 90 == 40 then world:noise { at = { 5 + step % 30, 0, 5 + step % 20 }, loudness = 40, team = "blue" } end
    if step % 150 == 70 then
      local agents = world:agents()
      agents[2].blackboard["team.wounded"] = agents[3]
    end
    if step % 200 == 120 then world:agents()[1]:send("contact", leeward.vec3(20, 0, 20)) end
  end

  --- Four of the tree, a leader, and enemies that wander among them.
  local function cast(world, tree)
    local leader
    for i = 1, 4 do
      local agent = assert(world:spawn {
        profile = i % 2 == 0 and "soldier" or "human", at = { 3 + 8 * i, 0, 3 + 3 * (i % 2) }, tree = tree, team = "red",
        blackboard = { route = i < 3 and { { 3, 0, 3 }, { 36, 0, 4 }, leeward.vec3(36, 0, 27) } or nil },
      })
      agent:senses(SENSES)
      leader = leader or agent
      if i > 2 then agent.blackboard.leader = leader end
    end
    for i = 1, 3 do
      assert(world:spawn { profile = "soldier", at = { 10 * i, 0, 27 }, tree = "wander", team = "blue" }):senses(SENSES)
    end
  end

  for _, tree in ipairs { "civilian", "driver", "guard", "hunter", "medic", "patrol", "wander" } do
    it("goes on bit for bit in the tree '" .. tree .. "'", function()
      for _, saved_at in ipairs { 1, 137, 410, 733, 1111 } do
        local world = make()
        cast(world, tree)
        for step = 1, saved_at do
          disturb(world, step)
          world:step(1 / 60)
        end
        local other = reload(world)
        assert.equal(world:hash(), other:hash(), ("%s, saved at step %d"):format(tree, saved_at))
        for step = saved_at + 1, saved_at + 400 do
          for _, each in ipairs { world, other } do
            disturb(each, step)
            each:step(1 / 60)
          end
          if world:hash() ~= other:hash() then
            for i, agent in ipairs(world:agents()) do print(agent:why(), "|", other:agents()[i]:why()) end
          end
          assert.equal(world:hash(), other:hash(), ("%s, saved at step %d, step %d"):format(tree, saved_at, step))
        end
        world:destroy()
        other:destroy()
      end
      assert.same({}, log)
    end)
  end
end)
