---@meta _
-- luacheck: ignore 241

---@class leeward.ThreatNumbers
---@field at? leeward.Point  The eye. [m, within +-1e6]
---@field facing? leeward.Point  Where it looks, a direction of any length.
---@field half_angle? number  How far to all sides of `facing` it sees. [rad, 0..pi, default pi]
---@field range? number  Weighs less with distance, evenly down to 0 there. [m, > 0, default: no end, no fall-off]
---@field weight? number  [0..1e6, default 1]

--- One who may see or shoot, in a query: a table, a threat of the world as it is now, or the eye of an agent, which
--- looks everywhere.
---@alias leeward.AnyThreat leeward.ThreatNumbers|leeward.Threat|leeward.Agent

---@class leeward.ThreatDefinition: leeward.ThreatNumbers
---@field agent? leeward.Agent  Instead of `at` and `facing`: it is this agent's eye, looks where the agent heads, and
---goes when the agent goes.
---@field known_to? string|true  All agents of this team know of it, those that come later too; true: all of the world.
---Default: only those that learn of it (Agent:learn_threat).
---@field tolerance? number  Who knows of it searches anew once it has moved so far since. [m, >= 0, default 1]

---@class leeward.ThreatState: leeward.ThreatDefinition

--- A threat that lives in a world. Using one that was removed raises, but for exists.
---@class leeward.Threat
local Threat = {}

---@class leeward.World
local World = {}
---@class leeward.Agent
local Agent = {}

--- Agents that know of a threat keep out of its sight as find_path{threats=} does. Those that walk with a cover_bias
--- above 1 search anew when it appears, has moved by more than its tolerance, has turned by 10 degrees or changed
--- otherwise, or goes: at the next step, or where they are many in turn during the next ones, walking on meanwhile.
--- A step does a certain amount of that work, or one search whole; after one that took more than a few steps may do, as
--- where many threats watch, up to 30 steps search for nobody.
---@param definition leeward.ThreatDefinition
---@return leeward.Threat
function World:add_threat(definition) end

---@return leeward.Threat[]
function World:threats() end

---@param at leeward.Point  [m]
---@param facing? leeward.Point  [default: as before]
function Threat:move(at, facing) end

--- Change what is given.
---@param numbers leeward.ThreatNumbers
function Threat:set(numbers) end

---@return leeward.ThreatState  as it is now
function Threat:get() end

--- Agents that know of it search anew.
function Threat:remove() end

---@return boolean
function Threat:exists() end

--- Tell the agent of a threat, whatever its team knows.
---@param threat leeward.Threat
function Agent:learn_threat(threat) end

--- What its team knows it goes on knowing.
---@param threat leeward.Threat
function Agent:forget_threat(threat) end

---@param threat leeward.Threat
---@return boolean
function Agent:knows_threat(threat) end

--- What the agent believes by itself, beside the world's threats: where it last saw someone, true or not. In place
--- of what was set before; handles and agents count as they are now. One that walks with a cover_bias above 1 searches
--- anew where one of them is another than when its path was last searched: moved at all, turned by 10 degrees, or
--- otherwise changed.
---@param threats leeward.AnyThreat[]
function Agent:set_threats(threats) end

---@return leeward.ThreatNumbers[]  all that its paths are searched with: its own, then the world's that it knows of
function Agent:threats() end

--- Does any of them see it where it stands, in its stance?
---@param threats? leeward.AnyThreat[]  [default: those that it knows of]
---@return boolean
function Agent:is_seen(threats) end
