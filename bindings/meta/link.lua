---@meta _
-- luacheck: ignore 241

--- An off-mesh link of a world: baked into one of its navmeshes, between two of them, or added to it.
---
--- A link is used if it is enabled and no permutation bars it (leeward.PermutationState). What is added, removed,
--- enabled, disabled and priced takes effect together, and with obstacles and permutations, when the next step
--- begins, or in World:apply_changes: until then queries see the links as they were. An added link is moved onto
--- the navmeshes as they were baked; where an obstacle is cut out at one of its ends it is used again once that
--- ground is back.
---
--- Agents whose path leads over a link that is no longer used search again; so do, within two seconds, agents
--- whose path could be a tenth cheaper over a link that is new, used again or cheaper. An agent that is on a link
--- takes it to its end, whatever becomes of the link; if ground was cut away there it is moved as where an
--- obstacle is put down (leeward.Obstacle), or its move fails with TRAPPED when it lands. No more agents than its
--- capacity are on a link at a time, in either direction; the others wait where it begins, in the order of their
--- arrival, and do not count as stuck.
---
--- The same object wherever the world returns it.
---@class leeward.Link
local Link = {}

---@class leeward.NewLink: leeward.LinkDefinition
---@field cost? number  What it costs in addition to its length. [metre-equivalents, 0..1e6, default 0]

---@class leeward.World
local World = {}

--- Add a link. It is a link of every navmesh that has both of its ends; if none has, of the two nearest to its
--- ends.
---@param definition leeward.NewLink
---@return leeward.Link?
---@return string? message
---@return leeward.Code? code  NO_POINT: an end has no navmesh within the radius
function World:add_link(definition) end

--- The first link of that name, in the order of World:all_links.
---@param name string
---@return leeward.Link?
---@return string? message
---@return leeward.Code? code  NOT_FOUND, with a suggestion in the message
function World:link(name) end

--- The links that can be taken or could be: without those that were refused (World:links, Navmesh:refused_links).
---@param name? string  Only those of that name. [default: all]
---@return leeward.Link[]  those of the navmeshes as baked, those between navmeshes, then those that were added
function World:all_links(name) end

--- Add a listener: called when an agent begins a link, and when it is at its end, inside the step, with the agent,
--- what it does, the link (nil: it was removed) and its kind. If it returns "wait" when a link begins, the agent
--- stays there until Agent:finish_link: so a game plays an animation of its own. Like a leaf it may move agents,
--- change links, spawn, or destroy the world; it has the world's `leaf_instructions`, and its error goes to the
--- world's log with file:line. It is not called for the end if the agent is removed before. Listeners are not
--- saved; that an agent is held is.
---@param f? fun(agent: leeward.Agent, event: "begin"|"end", link: leeward.Link?, kind: leeward.LinkKind): "wait"?
--- nil: remove all listeners
function World:on_link(f) end

---@class leeward.Agent
local Agent = {}

--- Let the agent be at the end of the link that it is on, in the next step.
---@return boolean  false: it is on no link
function Agent:finish_link() end

---@return leeward.Link?  the one that it waits for, as others are on it; nil: it waits for none
function Agent:waits_for_link() end

---@return boolean  false: it was removed
function Link:enable() end

---@return boolean  false: it was removed
function Link:disable() end

---@return boolean  as it was set last, whatever permutations do; false also: it was removed
function Link:is_enabled() end

--- Whether an obstacle that is cut out stands where one would jump, drop or climb, since changes were last applied.
---@return boolean  false also: it was removed
function Link:is_blocked() end

--- Whether agents of a profile fit along a jump, a drop or a ladder, in their lowest stance, between obstacles that are
--- cut out and the level's walls, ceilings and ground, since changes were last applied. Agents no larger than the
--- navmesh was baked for do while nothing blocks the link; along all other kinds everybody does.
---@param profile string|{ profile: string|leeward.Profile }
---@return boolean  false also: it was removed
function Link:fits(profile) end

--- Whether queries may use it now: enabled, neither barred nor blocked, and there is ground at both ends.
---@return boolean  false also: it was removed
function Link:is_used() end

---@return boolean  whether World:add_link added it; false also: it was removed
function Link:is_added() end

--- Set what it costs in addition to its length, for all agents.
---@param metres? number  [metre-equivalents, 0..1e6, default 0]
---@return boolean  false: it was removed
function Link:set_cost(metres) end

--- Set how many agents may be on it at a time, from now on. Those that are on it stay.
---@param agents integer  [0..255; 0: any number]
---@return boolean  false: it was removed
function Link:set_capacity(agents) end

---@return string?  nil: it has none, or was removed
function Link:name() end

---@return leeward.LinkKind?  nil: it was removed
function Link:kind() end

---@return leeward.vec3? from  where it begins, as it was asked for while an end has no ground within the radius [m];
--- nil: it was removed
---@return leeward.vec3? to  where it ends [m]
function Link:ends() end

---@return integer users  agents on it; 0: it was removed
---@return integer waiting  agents that wait for it
function Link:users() end

--- A definition that adds another one like it with World:add_link.
---@return leeward.NewLink?  nil: it was removed
function Link:get() end

---@return boolean  false: it was removed, or its world was destroyed
function Link:exists() end

---@return integer  no other link of the world ever has it
function Link:id() end

---@return leeward.World
function Link:world() end

--- Remove a link that World:add_link added. Raises for any other one: disable that.
---@return boolean  false: it had been removed before
function Link:remove() end
