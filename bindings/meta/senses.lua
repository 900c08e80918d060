---@meta _
-- luacheck: ignore 241 631
---@class leeward.World
local World = {}
---@class leeward.Agent
local Agent = {}

--- What an agent sees. It looks four times a second.
---@class leeward.Sight
---@field range? number  Straight distance; 0: it sees nobody. [m, 0..1000, default 0]
---@field half_angle? number  To each side of its heading. [rad, 0..pi, default 1.05]
---@field notice? number  How long another one is in sight until it is noticed. [s, 0..1000, default 0.2]
---@field friends? boolean  It looks at agents of its own team, too. [default false]

--- What an agent hears: see World:noise().
---@class leeward.Hearing
---@field range? number  Length of a walk to the noise; 0: it hears nothing. [m, 0..1000, default 0]

--- What an agent notices by itself.
---@class leeward.Senses
---@field sight? leeward.Sight
---@field hearing? leeward.Hearing
---@field memory? number  How long it knows what it no longer sees or hears. [s, 0..1000000, default 10]

--- Without a table: what the agent perceives with, all keys. With one: set that; absent keys are as in its profile, and
--- an empty table gives it those of its profile again.
---
--- Agents of other teams that it notices (both have a team) are enemies: each is a threat that it knows of, where it was
--- seen last, until it is forgotten. Events reach its tree in the step of the look: `seen` and `lost` with the agent,
--- `heard` with the place. Keys that conditions may read: `sense.enemy`, the nearest enemy in sight, or else the enemy
--- that was seen last; `sense.enemy_at`, where; `sense.enemy_seen`, true while it is seen; `sense.noise_at`, where the
--- last noise was.
---@param senses? leeward.Senses
---@return leeward.Senses?
function Agent:senses(senses) end

--- Another agent that an agent has noticed.
---@class leeward.Perceived
---@field agent leeward.Agent
---@field seen boolean  In the last look; false: it is remembered.
---@field enemy boolean  Its team is another one.
---@field at leeward.vec3  Where it was seen last.
---@field velocity leeward.vec3  How it moved then. [m/s]
---@field age number  How long ago that was. [s]
---@field noticed number  World time when it was noticed. [s]

--- The agents that it sees or remembers, in the order in which they came into sight.
---@return leeward.Perceived[]
function Agent:perceived() end

--- What it knows of another agent.
---@param other leeward.Agent
---@return leeward.Perceived?  nil: it has not noticed that one, or has forgotten it
function Agent:perceives(other) end

--- Forget another agent, or all. An agent that is in sight is noticed again.
---@param other? leeward.Agent
function Agent:forget(other) end

--- A noise that an agent heard.
---@class leeward.Heard
---@field at leeward.vec3
---@field loudness number  [m]
---@field distance number  Length of the walk there. [m]
---@field age number  How long ago that was. [s]

--- The noise that it heard last.
---@return leeward.Heard?  nil: none, or it has forgotten it
function Agent:heard() end

--- Turn the agent, at once. One that walks turns back to its path in the next step.
---@param heading number  as Agent:heading() gives it [rad]
function Agent:set_heading(heading) end

--- A noise to make.
---@class leeward.Noise
---@field at leeward.Point|leeward.Agent  moved onto the navmesh within `snap`
---@field loudness? number  length of the walk to where it is just heard [m, 0..1000, default 20]
---@field team? string  agents of this team take no notice
---@field snap? leeward.Point  half size of the snap box [m, default 2 4 2]

--- Make a noise. It goes along the navmesh and its links, not through walls: agents that can hear do so at once if a
--- walk of no more than its loudness, and of no more than their hearing, leads to it.
---@param noise leeward.Noise
---@return integer? count  how many heard it
---@return string? message
---@return leeward.Code? code  NO_START: no navmesh within `snap`
function World:noise(noise) end
