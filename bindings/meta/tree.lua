---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- A behaviour tree, compiled once and shared by any number of agents.
---@class leeward.Tree
local Tree = {}

--- A tree by name; with a description, compiles and keeps it. Looks for behaviors/trees/NAME.lua along the roots when
--- the name is used first. A wrong description raises, naming the node.
---@param name string  1..63 bytes
---@param description? leeward.Node
---@return leeward.Tree?
---@return string? message
---@return leeward.Code? code  NOT_FOUND
function leeward.tree(name, description) end

---@return string
function Tree:name() end
