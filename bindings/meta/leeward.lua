---@meta leeward
-- luacheck: ignore 241

--- A navigation and behaviour runtime for game AI.
---
--- Units: metres, seconds, radians; right-handed, y up; costs in metre-equivalents. Points go in as `{x, y, z}`,
--- `{x=, y=, z=}` or `leeward.vec3` and come out as `leeward.vec3`. An answer that is "no" is `nil, message, code`;
--- misuse (an unknown key, a wrong type or range, a destroyed world) raises at the caller's line.
---@class leeward
---@field version string  such as "0.1.0"
local leeward = {}

---@alias leeward.Point leeward.vec3|number[]|{x: number, y: number, z: number}

--- The name of an lw_status without `LW_`.
---@alias leeward.Code
---| "PARTIAL" # the goal cannot be reached; the path ends at the nearest point that can
---| "NO_START" # no navmesh near the start that the agent may enter
---| "NO_GOAL" # no navmesh near the goal that the agent may enter
---| "NO_PATH" # start and goal are not connected
---| "NO_POINT" # no navmesh there that the agent may enter
---| "OUT_OF_NODES" # the search used up its node budget
---| "OUT_OF_MEMORY"
---| "INVALID"
---| "NOT_FOUND"
---| "STALE" # the id is no longer valid
---| "LIMIT" # a limit was exceeded
---| "EMPTY" # nothing there
---| "CANCELLED"
---| "FILE" # the file cannot be read or written
---| "BAD_FILE" # the file is damaged or of another kind
---| "NO_BAKE" # libleeward_bake.so cannot be loaded, or leeward_import not started
---| "BAKE_FAILED"
---| "TAKEN" # another agent has that place
---| "STUCK" # the agent makes no progress
---| "TRAPPED" # the ground under the agent was cut away, and there is none near by
---| "PENDING" # a change waits for the next step

--- The path of the first file of that name along the roots.
---@param file string  relative, such as "scripts/levels/courtyard.lua"
---@return string? path
---@return string? message
---@return leeward.Code? code  NOT_FOUND
function leeward.find(file) end

--- Is there an ordinary file, or a link to one? It is not opened, so a pipe does not wait for its other end.
---@param path string
---@return boolean
---@return string? other  what is there instead, such as "it is a directory"
function leeward.is_file(path) end

--- The names of the Lua files in a folder along the roots, without extension.
---@param folder string  relative, such as "scripts/levels"
---@return table<string, true> names
function leeward.names(folder) end

--- The folders in which scripts and behaviours are searched: those of LEEWARD_PATH (separated by `;` or `:`), then
--- always the shipped ones: the source tree of the module, else PREFIX/share/leeward, else the current folder.
--- `require` searches them, too.
---@return string[] folders
function leeward.roots() end

--- Put a folder before the roots, as if LEEWARD_PATH named it first. What was read before stays in use:
--- `leeward.reload` reads areas, profiles and permutations again.
---@param folder string  with a folder scripts or behaviors in it
---@return boolean? added  false: it is one of the roots
---@return string? message
---@return leeward.Code? code  NOT_FOUND
function leeward.add_root(folder) end

--- The word of a list that a misspelt one most likely means, for messages with a suggestion.
---@param word string
---@param words string[]
---@return string?  nil: none is near
function leeward.suggest(word, words) end

--- Raise where Agent:move_to(goal, options) would for its options: so that a node may check them when it is created.
---@param options? leeward.MoveOptions
---@param name? string  at the beginning of the message
function leeward.check_move(options, name) end

--- A text of others as one line for messages and terminals: control characters and bytes that are not UTF-8 are written
--- as in `a\n\x1B`, and what is longer is cut in its middle. Shown text is shown as it is.
---@param text string
---@param bytes? integer  >= 8, default 60
---@return string shown
function leeward.shown(text, bytes) end

return leeward
