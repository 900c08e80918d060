-- Groups: agents that travel in formation.
local leeward = require "leeward"
local crowd = require "support.crowd"

local RUNNER, rooms = crowd.RUNNER, crowd.rooms

local function squad(world, count, profile)
  local agents = {}
  for i = 1, count do agents[i] = world:spawn { profile = profile or RUNNER, at = { -6, 0, 1.4 * i - 4 } } end
  return agents
end

local function run(world, group, seconds)
  for _ = 1, 60 * seconds do
    world:step(1 / 60)
    if group:get().move ~= "walking" then return end
  end
end

describe("world:group", function()
  local world
  before_each(function() world = leeward.world { navmesh = rooms() } end)
  after_each(function() world:destroy() end)

  it("takes all through a door and forms them up behind it", function()
    local agents = squad(world, 5)
    local group = world:group { agents = agents, formation = "line" }
    assert.is_true(group:move_to { 14, 0, 0 })
    local was_file = false
    for _ = 1, 60 * 20 do
      world:step(1 / 60)
      was_file = was_file or group:get().is_file
      if group:get().move ~= "walking" then break end
    end
    assert.is_true(was_file)
    assert.equal("arrived", group:get().move)
    for _, agent in ipairs(agents) do
      assert.equal("arrived", agent:move_state())
      assert.is_near(14, agent:position().x, 0.6) -- side by side
    end
  end)

  it("goes to the places that a list of points says", function()
    local agents = squad(world, 3)
    local group = world:group { agents = agents, formation = { { 0, 0, 0 }, { -2, 0, 2 }, { -2, 0, -2 } } }
    group:move_to { -14, 0, 0 }
    run(world, group, 20)
    assert.equal("points", group:get().formation)
    assert.is_true(agents[1]:position():distance { -14, 0, 0 } < 0.5)
    for _, agent in ipairs { agents[2], agents[3] } do
      assert.is_near(math.sqrt(8), agent:position():distance { -14, 0, 0 }, 0.6)
    end
    assert.is_true(agents[2]:position():distance(agents[3]:position()) > 3.2)
  end)

  it("serves agents without bodies, too", function()
    local agents = squad(world, 4, "human")
    local group = world:group { agents = agents, formation = "wedge", spacing = 2 }
    assert.is_true(group:move_to({ 12, 0, 2 }, { pace = "fast", within = 0.2 }))
    world:run(2)
    assert.equal(4, group:get().formed)
    run(world, group, 30)
    assert.equal("arrived", group:get().move)
  end)

  it("is led by the first that takes part", function()
    local agents = squad(world, 3)
    local group = world:group { agents = agents }
    assert.is_nil(group:leader())
    group:move_to { 14, 0, 0 }
    world:run(0.5)
    assert.equal(agents[1], group:leader())
    assert.matches("walks to (14.0, 0.0, 0.0) in formation, ", agents[1]:why(), 1, true)
    agents[1]:stop()
    world:run(0.1)
    assert.equal(agents[2], group:leader())
    assert.is_nil(group:place(agents[1]))
    assert.is_true(group:add(agents[1])) -- called back
    world:run(3)
    assert.equal(agents[1], group:leader())
    assert.same(agents, group:members())
  end)

  it("lets members come and go", function()
    local agents = squad(world, 3)
    local group = world:group { agents = { agents[1], agents[2] } }
    local other = world:group { agents = { agents[2], agents[3] } }
    assert.same({ group, other }, world:groups())
    assert.same({ agents[1] }, group:members())
    assert.equal(other, agents[2]:group())
    assert.is_false(group:dismiss(agents[2]))
    assert.is_true(other:dismiss(agents[2]))
    assert.is_nil(agents[2]:group())
    assert.is_true(other:remove())
    assert.is_false(other:remove())
    assert.is_nil(other:get())
    assert.same({}, other:members())
    assert.error_matches(function() other:stop() end, "stop: group %d+ is gone: it was removed")
  end)

  it("says why there is no way", function()
    local group = world:group { agents = squad(world, 2) }
    local path, message, code = group:move_to { 300, 0, 0 }
    assert.is_nil(path)
    assert.equal("NO_GOAL", code)
    assert.matches("300", message)
    assert.equal("NO_GOAL", group:get().failure)
  end)

  it("goes on where it was saved", function()
    local file = os.tmpname()
    local function start()
      local new = leeward.world { navmesh = rooms(), seed = 3 }
      local group = new:group { agents = squad(new, 5, "soldier"), formation = "wedge" }
      group:move_to { 14, 0, 3 }
      new:run(1.5)
      return new
    end
    local whole = start()
    whole:save(file)
    whole:run(4)
    local again = leeward.world { navmesh = rooms() }
    again:load(file)
    assert.equal("wedge", again:groups()[1]:get().formation)
    again:run(4)
    os.remove(file)
    assert.equal(whole:hash(), again:hash())
    whole:destroy()
    again:destroy()
  end)

  it("names what is wrong", function()
    local agents = squad(world, 2)
    local function refused(message, options)
      assert.error_matches(function() world:group(options) end, message, 1, true)
    end
    refused("group: agents is nil, expected a list", {})
    refused("group: unknown key 'formaton'. Did you mean 'formation'?", { agents = agents, formaton = "line" })
    refused("group: formation is 'square', expected 'line', 'column', 'wedge' or 'file'",
      { agents = agents, formation = "square" })
    refused("group: formation[2] is 3, expected a point", { agents = agents, formation = { { 0, 0, 0 }, 3 } })
    refused("group: agents[2] is 7, expected an agent", { agents = { agents[1], 7 } })
    refused("group: agent 2 of 2 is agent 1 again, expected another", { agents = { agents[1], agents[1] } })
    refused("group: spacing is -1, expected metres from 0 to 1000", { agents = agents, spacing = -1 })
  end)

  -- The leader's path is cut in the step after a member was stopped, which then is no more one of those that follow it.
  for what, wall in pairs {
    ["that the leader sees"] = false, -- it stood up and walked on with them
    ["that the leader does not see"] = true, -- this crashed
  } do
    it("leaves a member alone that was stopped as their path is cut, " .. what, function()
      local agents = squad(world, 4)
      local group = world:group { agents = agents, formation = "file" }
      assert(group:move_to { -20, 0, 0 })
      for _ = 1, 60 do world:step() end
      local stopped = agents[4]
      stopped:stop()
      local at = agents[1]:position()
      if wall then world:add_obstacle { at = (at + stopped:position()) / 2, size = { 0.2, 2, 3 } } end
      world:add_obstacle { at = at - leeward.vec3(3, 0, 0), size = { 1, 2, 6 } }
      world:step()
      assert.equal("walking", agents[1]:move_state())
      assert.equal("idle", stopped:move_state())
      run(world, group, 20)
      assert.equal("idle", stopped:move_state())
      assert.equal("arrived", agents[1]:move_state())
    end)
  end

  it("counts the time of its searches for its leader", function()
    local group = world:group { agents = squad(world, 3) }
    assert(group:move_to { 8, 0, 0 })
    local stats = group:members()[1]:stats()
    assert.is_true(stats.searches == 1 and stats.search_worst < 10 and stats.search_seconds < 10)
  end)

  it("leads nobody once it is removed", function()
    local group = world:group { agents = squad(world, 2) }
    group:remove()
    assert.is_false(group:exists())
    pcall(group.leader, group)
  end)

  it("does not mix vehicles and others", function()
    local van = { extends = "car", wheelbase = 2.4, length = 4, width = 1.6, turn_radius = 5, radius = 0.4 }
    local agents = squad(world, 2)
    local vehicle = assert(world:spawn { profile = van, at = { -6, 0, 8 } })
    assert.error_matches(function() world:group { agents = { agents[1], vehicle } } end,
      "agent 2 of 2 is a vehicle, and agent 1 is none", 1, true)
    local group = world:group { agents = agents }
    assert.error_matches(function() group:add(vehicle) end, "add: groups are of vehicles, .* or of others")
    agents[2]:set_profile(van)
    assert.same({ agents[1] }, group:members())
    assert(group:move_to { 8, 0, 0 })
    run(world, group, 20)
    assert.equal("arrived", group:get().move)
  end)
end)
