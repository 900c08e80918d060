---@meta _
-- luacheck: ignore 241

---@class leeward.ThreatNumbers
---@field at? leeward.Point  The eye. [m, within +-1e6]
---@field facing? leeward.Point  Direction of its view, of any length.
---@field half_angle? number  Largest angle between `facing` and what it sees. [rad, 0..pi, default pi]
---@field range? number  Its weight falls linearly with distance, to 0 there. [m, > 0, default: no end, no fall-off]
---@field weight? number  [0..1e6, default 1]

--- A threat in a query: a table, the current state of a threat of the world, or the eye of an agent, looking in all
--- directions.
---@alias leeward.AnyThreat leeward.ThreatNumbers|leeward.Threat|leeward.Agent

---@class leeward.ThreatDefinition: leeward.ThreatNumbers
---@field agent? leeward.Agent  Instead of `at` and `facing`: the threat is this agent's eye, faces the agent's
---heading, and is removed with the agent. Both beside it, as Threat:get has them, are ignored.
---@field known_to? string|true  All agents of this team know of it, later ones included; true: all agents of the
---world. Default: only agents that learn of it (Agent:learn_threat).
---@field tolerance? number  Distance that it may move before agents that know of it search again. [m, >= 0, default
--- 1]

--- What a threat is now. World:add_threat adds another one like it. Of an agent's eye, `at` and `facing` are where it
--- is and looks now.
---@class leeward.ThreatState: leeward.ThreatDefinition
---@field at leeward.vec3  [m]
---@field facing? leeward.vec3
---@field half_angle number  [rad]
---@field range number  [m, math.huge: no end]
---@field weight number
---@field tolerance number  [m]

--- A threat of a world, the same object wherever the world returns it. Once it is removed, move, set and get raise.
---@class leeward.Threat
local Threat = {}

---@class leeward.World
local World = {}
---@class leeward.Agent
local Agent = {}

--- Agents that know of a threat search paths as find_path{threats=} does. Walking agents with a cover_bias above 1
--- search again when the threat appears, moves by more than its tolerance, turns by 10 degrees, changes otherwise,
--- or is removed: at the next step or, if there are many such agents, in turn during the next steps, while they keep
--- walking. A step does a fixed amount of that work, or one whole search; after a search beyond that amount, up to
--- 30 steps search for no agent.
---@param definition leeward.ThreatDefinition
---@return leeward.Threat
function World:add_threat(definition) end

---@return leeward.Threat[]
function World:threats() end

---@param at leeward.Point  [m]
---@param facing? leeward.Point  [default: as before]
function Threat:move(at, facing) end

--- Change the numbers in the table, which may be what Threat:get returned: `agent`, `known_to` and `tolerance` are
--- accepted as they are, but cannot change.
---@param numbers leeward.ThreatNumbers|leeward.ThreatState
function Threat:set(numbers) end

---@return leeward.ThreatState
function Threat:get() end

--- Remove the threat. Agents that know of it search again.
---@return boolean  false: it had been removed before, by a script or with its agent
function Threat:remove() end

---@return boolean  false: it was removed, or its world was destroyed
function Threat:exists() end

---@return integer  no other threat of the world ever has it
function Threat:id() end

---@return leeward.World
function Threat:world() end

--- Let the agent know a threat, independent of its team.
---@param threat leeward.Threat
function Agent:learn_threat(threat) end

--- Undo Agent:learn_threat. The agent still knows what its team knows.
---@param threat leeward.Threat
function Agent:forget_threat(threat) end

---@param threat leeward.Threat
---@return boolean
function Agent:knows_threat(threat) end

--- Set the agent's own threats, beside those of the world, such as where it last saw an enemy. They replace the
--- earlier ones. Threats of the world and agents are copied with their current state. A walking agent with a
--- cover_bias above 1 searches again if one of them has moved at all, turned by 10 degrees, or changed otherwise
--- since its last search.
---@param threats leeward.AnyThreat[]
function Agent:set_threats(threats) end

---@return leeward.ThreatNumbers[]  all threats that count for its paths: its own, then enemies that it sees
--- or remembers, then those of the world that it knows
function Agent:threats() end

---@class leeward.SeenOptions
---@field at? leeward.Point  As if it stood there. [default: where it stands]
---@field stance? string  As if it were in that stance of its profile. [default: the stance that it is in]

--- Whether any of the threats sees the agent in its stance.
---@param threats? leeward.AnyThreat[]  [default: those that the agent knows]
---@param options? leeward.SeenOptions
---@return boolean
function Agent:is_seen(threats, options) end
