-- Agents that queue for a door, and others that pass them.
local leeward = require "leeward"
local crowd = require "support.crowd"

-- 25 agents on each side, who go to the other one.
local function crowd_at_the_door(world)
  for i = 0, 24 do
    local row, column = i // 5, i % 5 - 2
    for side = -1, 1, 2 do
      local agent = world:spawn { profile = crowd.RUNNER, at = { side * (2 + 1.2 * row), 0, 1.2 * column } }
      agent:move_to { -side * (4 + 1.4 * row), 0, 1.4 * column }
    end
  end
end

describe("a queue at a door", function()
  it("does not hold agents up whose paths lead past it", function()
    local sum, count = 0, 8
    for k = 1, count do
      local world = leeward.world { navmesh = crowd.rooms() }
      crowd_at_the_door(world)
      world:run(4)
      local passer = world:spawn { profile = crowd.RUNNER, at = { -11, 0, 0.5 * k - 2.5 } }
      passer:move_to { -1.2, 0, 4.5 }
      local begin = world:time()
      while passer:move_state() == "walking" and world:time() - begin < 60 do world:step() end
      assert.equal("arrived", passer:move_state())
      sum = sum + world:time() - begin
      world:destroy()
    end
    assert.is_true(sum / count < 5, sum / count) -- alone it takes 3.3 s
  end)

  it("gets through as a whole", function()
    local world = leeward.world { navmesh = crowd.rooms() }
    crowd_at_the_door(world)
    world:run(45)
    for _, agent in ipairs(world:agents()) do assert.equal("arrived", agent:move_state(), agent:why()) end
    world:destroy()
  end)
end)
