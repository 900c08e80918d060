---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- A behaviour tree, compiled once and shared by any number of agents.
---@class leeward.Tree
local Tree = {}

--- A tree by name. With a description: compile it and keep it under that name; with a tree, keep that. On first use of
--- a name, behaviors/trees/NAME.lua is searched along the roots. A wrong description raises, with the node's path.
---@param name string  1..63 bytes
---@param description? leeward.Node|leeward.Tree
---@return leeward.Tree?
---@return string? message
---@return leeward.Code? code  NOT_FOUND
function leeward.tree(name, description) end

---@return string
function Tree:name() end

--- Where the file of a tree or node stands that is being loaded, for messages: "FILE:LINE". Lua itself has lost the
--- line where the file ends in a tail call, as in `return behaviors.sequence { ... }`.
---@return string?  nil: none is being loaded
function leeward.loading() end

--- Where a node was built, for messages: "FILE:LINE". The constructors of `behaviors` note it.
---@param node leeward.Node
---@param builders? table<string, true>  notes where the functions of these files were called; by `source`, as
--- debug.getinfo has it
---@return string?  nil: it is not known
function leeward.node_source(node, builders) end
