-- What agent:why() says of the leaf that failed last.
local leeward = require "leeward"
local behaviors = require "behaviors"
local maps = require "support.maps"

--- What an agent says after a leaf `Flank` has answered this, while it waits.
local function why_after(...)
  local answer = table.pack(...)
  local Flank = behaviors.leaf {
    name = "Flank",
    start = function()
      if answer.raises then error(answer.raises) end
      return table.unpack(answer, 1, answer.n)
    end,
  }
  local world = leeward.world { navmesh = maps.floor(9, 9), log = function() end }
  local agent = assert(world:spawn {
    profile = "human", at = { 1, 0, 1 },
    tree = behaviors.selector { behaviors.sequence { name = "attack", Flank() }, behaviors.wait(60) },
  })
  if select("#", ...) == 0 then answer.raises = "no plan" end
  world:step()
  return agent:why()
end

describe("agent:why()", function()
  it("names the leaf that failed last, with its reason", function()
    assert.matches("> wait: .*; last failure: Flank: no navmesh there$", why_after("failure", "no navmesh there"))
  end)

  it("names a leaf that gave no reason", function()
    assert.matches("; last failure: Flank$", why_after("failure"))
    assert.matches("; last failure: Flank$", why_after("failure", nil))
  end)

  it("shows a reason that is a number or a boolean, and says so of one that is no text", function()
    assert.matches("; last failure: Flank: 3$", why_after("failure", 3))
    assert.matches("; last failure: Flank: false$", why_after("failure", false))
    assert.matches("; last failure: Flank: .*leaf_reason_spec.lua:%d+: returned 'failure', {1}, expected the reason as"
      .. " text$", why_after("failure", { 1 }))
  end)

  it("names a leaf that raised an error", function()
    assert.matches("; last failure: Flank: .*leaf_reason_spec.lua:%d+: no plan$", why_after())
  end)

  it("says nothing of a leaf that has not failed", function()
    assert.is_nil(why_after("success"):find("last failure", 1, true))
  end)
end)

describe("a key with plain data", function()
  it("is named by the leaf that reads it as a place", function()
    local MoveTo = require "behaviors.nodes.move_to"
    local LookAt = require "behaviors.nodes.look_at"
    local world = leeward.world { navmesh = maps.floor(9, 9), log = function() end }
    local function why(node)
      local agent = assert(world:spawn {
        profile = "human", at = { 1, 0, 1 }, blackboard = { gate = 5 },
        tree = behaviors.selector { node, behaviors.wait(60) },
      })
      world:step()
      return agent:why()
    end
    assert.matches("; last failure: MoveTo: .*: the blackboard has 5 for 'gate', expected a point or an agent",
      why(MoveTo { to = "gate" }))
    assert.matches("; last failure: LookAt: .*: the blackboard has 5 for 'gate', expected a point, a threat or an",
      why(LookAt { at = "gate" }))
  end)
end)
