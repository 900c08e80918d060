---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- Where scripts of strangers run: with globals of their own, without files, modules and finalisers, within limits
--- that they cannot get round. See scripts/README.md.
---@class leeward.Sandbox
local Sandbox = {}

---@class leeward.SandboxOptions
---@field memory? integer  what its scripts may hold [bytes, 65536 to 2147483647]; default 16777216. See Sandbox:memory
---@field instructions? integer  what one call may run [1000 to 2147483647]; default 1000000
---@field seconds? number  processor time that one call may take, a last resort [>= 0, 0: any]; default 1
---@field seed? integer  of its math.random; default 0
---@field globals? table<string, any>  what its scripts find among their globals, shared with the game

--- `instructions` are those of Lua in one call of Sandbox:run, of a function that it gave, or of a leaf, which
--- has the world's `leaf_instructions` as well: the lower limit holds. Work of C functions counts, too. What ends by
--- `instructions` does so at the same place in each run. One instruction may take long, so that the time is looked at
--- now and then: what ends by `seconds` does not repeat. A million ordinary instructions take a few milliseconds:
--- leave it so high that what behaves never comes to it. Time in which the thread does not run does not count.
--- A string may be as long as a 64th of `memory`, at least 4096 bytes and at most 1 MB; 4000 metatables may be set,
--- with `__mode` "v", "kv" or none, and without `__gc`. A table may have 32768 keys beside its list.
--- Functions in `globals` run within the script's limits, as it may give them functions of its own; tables there are
--- shared: give copies of what scripts may not change. Raises from inside of a sandbox.
---@param options? leeward.SandboxOptions
---@return leeward.Sandbox
function leeward.sandbox(options) end

--- Run the text of a script. Results are copies: of tables, without metatables, with functions that enter the
--- sandbox again, within its limits. A coroutine is no result. The codes: INVALID, the script is wrong or raised an
--- error; LIMIT, it ran for too long; OUT_OF_MEMORY.
---@param source string  text; what Lua has compiled is refused
---@param chunkname? string  for messages, such as its file's name; default "sandbox"
---@return true?
---@return any ...  what the script returns; or message and leeward.Code
function Sandbox:run(source, chunkname) end

--- Bytes that Lua has allocated for its scripts and not freed yet, garbage included (collectgarbage() frees that), with
--- what they have written into blackboards and the paths, drives, distance fields and route tables that they hold.
---@return integer held
---@return integer limit
function Sandbox:memory() end
