--- Runs another tree as a part of this one, by its name.
--
--     RunSubtree { tree = "patrol" }
--     RunSubtree { tree = "patrol", ports = { route = "beat" } }   -- its key `route` is `beat` here
--
-- The tree is found as `tree = "patrol"` of an agent is, when this one is built. It ends as that ends.

local behaviors = require "behaviors"
local checks = require "behaviors.checks"

---@type fun(options: leeward.SubtreeDefinition): leeward.Node
local function RunSubtree(options) return behaviors.subtree(options) end

checks.note_builder()

return RunSubtree
