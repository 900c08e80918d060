-- A short run of what `make soak` runs for 24,000 steps: all that can change does, with saves in between.
local program = require "support.program"

local SECONDS, SEED = 200, 20261128
local CHANGES = { "vehicles", "obstacles", "links",
  "rebuilds", "swaps", "tile swaps", "loads", "shut", "wet", "walled" }

describe("two equal worlds", function()
  it("stay equal where one is saved and loaded, and nobody leaves the navmesh, whatever changes", function()
    local status, output = program("lua", "tests/soak/soak.lua", SECONDS, SEED, "courtyard")
    assert(status == 0, output)
    assert.matches("hash %x+ of both", output)
    for _, what in ipairs(CHANGES) do assert.matches("%d+ " .. what .. "%f[,\n]", output) end
    print("note: " .. output:match "[^\n]*spawned[^\n]*":match "^%s*(.*)")
  end)
end)
