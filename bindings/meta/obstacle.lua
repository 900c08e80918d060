---@meta _
-- luacheck: ignore 241

--- What rests or moves on the navmeshes of a world, and is in the way there: a crate, a parked car, a shut door.
---
--- While it is slow it is cut out of each navmesh: its outline, grown by the agent radius of that navmesh, is no
--- ground wherever its heights meet the surface, or leave less than 0.4 m above it (the bake's `agent_height`, if that
--- is less: a navmesh made of polygons has none). Where it hangs higher the ground stays, with less headroom: agents
--- that fit below it pass, standing or in a lower stance, others do not; queries without a profile pass. All of this
--- is place by place: a box at the foot of a ramp closes only that part of it. Where the surface is not level, heights
--- count to 5 cm, and up to 0.25 m of headroom counts as not there (0.5 m from 2 m of it on, 1 m from 4 m on).
--- With `area` or `cost` the ground stays and becomes that area, or costs that much more, without being grown. All
--- that was added, moved and removed takes effect together when the next step begins, or in World:apply_changes: until
--- then queries see the navmeshes as they were. Ids of polygons that were cut or put back are no longer valid.
--- World:navmesh stays as it was baked.
---
--- One that moves is cut again once it has moved by `min_move` or has turned by 0.1 rad; above `max_speed` it is taken
--- out, until it is slower. When it has not been moved for a quarter of a second it rests, and is cut where it is.
--- Those that are attached to another one move with it, and they are cut and taken out together. A carried one is where
--- its agent is, and is cut out only while the agent rests: it never blocks its own carrier.
---
--- One with `cover` hides what is behind it, from its bottom to its top: from World:exposure, World:sees, searches
--- with threats and Agent:is_seen, whether it is cut or moves. It hides where it was when changes last took effect,
--- and always exactly, at any accuracy. An eye inside of it sees out; what is inside is hidden from all others, except
--- that what an agent carries does not hide that agent. While it rests it offers cover along its sides, cut out
--- or not (smoke, a hedge that one may walk through), to World:cover_segments, World:find_cover and TakeCover; a place
--- that was reserved there is released when it moves away or is removed (Agent:lost_cover). Agents that mind threats
--- and whose path it begins or ceases to hide search again soon: when it has moved by `min_move`, but at least 1 m, or
--- has turned by 0.1 rad, and when it rests.
---
--- Agents whose path leads through what was cut search again, very many of them during several steps; of those that
--- mind threats most walk round it at first as if there were none, until they have searched with them. Agents whose
--- path could be a tenth cheaper where ground came back search again within two seconds. An agent where ground
--- is cut out is moved to the nearest place that it may stand at, in three dimensions; without one its move fails with
--- TRAPPED, until there is ground again. What counts is ground that it can get to along the ground as it was baked,
--- however far off, and ground below, less than 4 m away: it falls. Ground above it by more than its profile's climb
--- counts only where the ground rises on the way to it. An agent too large for where it stands now is moved less
--- than 4 m.
---
--- The same object wherever the world returns it.
---@class leeward.Obstacle
local Obstacle = {}

---@alias leeward.ObstacleShape
---| "box" # `size`, turned by `yaw`
---| "cylinder" # `radius` and `height`; cut out as a polygon of 12 sides about it
---| "polygon" # `points` and `height`, turned by `yaw`

---@class leeward.ObstacleDefinition
---@field shape? leeward.ObstacleShape  Default: "polygon" with `points`, "cylinder" with `radius`, else "box".
---@field at? leeward.Point  The middle of its bottom; of a polygon: what its points are added to, (0, 0, 0) unless
--- given. Without it a box or a cylinder needs a carrier. [m]
---@field yaw? number  About y, counter-clockwise seen from above; of a carried one: from where its carrier looks. [rad,
--- default 0]
---@field size? leeward.Point  Of a box: whole. [m, > 0, <= 1000, default 1 1 1]
---@field radius? number  Of a cylinder. [m, > 0, <= 1000, default 0.5]
---@field height? number  Of a cylinder or a polygon. [m, > 0, <= 1000, default 2]
---@field points? leeward.Point[]  Of a polygon: its corners, convex, either way round. Its bottom is at the lowest of
--- them. [3..16, each within 1000 m of (0, 0, 0)]
---@field blocks? boolean  Is it cut out? false takes an `area`, a `cost` or a `cover`: smoke has a cover alone.
--- [default true, with `area` or `cost` false]
---@field area? string  What the ground becomes instead: what one may walk through at a price.
---@field cost? number  What each metre through it costs more, for all that have a profile; where several overlap, the
--- sum, which beyond 1024 pieces of a polygon is spread over each piece. Off-mesh links cost what they did.
--- [metre-equivalents, 0..10000, default 0]
---@field cover? "hard"|"soft"|"none"|false  What it blocks: "hard" sight and shots, "soft" sight alone, "none" or
--- false neither, such as a pit or a wire fence. [default "hard", without
--- `blocks` "none"]
---@field min_move? number  Distance that it moves before it is cut again. [m, >= 0, default 1]
---@field max_speed? number  Above it, it is taken out. [m/s, >= 0, may be math.huge, default 5.56]
---@field carrier? leeward.Agent  It is where this agent is; `at` does not count. When the agent is gone it rests where
--- it was.
---@field attached_to? leeward.Obstacle  It moves with this one, which is not attached itself, and is removed with it.
--- Not with `carrier`.

---@class leeward.World
local World = {}

--- It may lie anywhere, also off the navmeshes.
---@param definition leeward.ObstacleDefinition
---@return leeward.Obstacle
function World:add_obstacle(definition) end

---@return leeward.Obstacle[]  in the order in which they were added
function World:obstacles() end

--- Move it, and with it those that are attached to it. An attached obstacle moves alone, and from then on keeps this
--- place beside the other one. Raises if an agent carries it.
---@param at leeward.Point  [m]
---@param yaw? number  [rad, default: as before]
---@param velocity? leeward.Point  Until it is moved again or rests. [m/s, default: that since it was moved before]
---@return boolean  false: it was removed
function Obstacle:move(at, yaw, velocity) end

---@return leeward.vec3?  where it is now [m]; nil: it was removed
function Obstacle:position() end

---@return number?  [rad] nil: it was removed
function Obstacle:yaw() end

---@return leeward.vec3?  [m/s] nil: it was removed
function Obstacle:velocity() end

--- Whether it is cut out of some navmesh, hangs lower over it than the bake's `agent_height`, or has marked its ground
--- with an area, as it is now. Not before the next
--- step, not while it is too fast or its carrier walks, and not where there is no ground.
---@return boolean  false also: it was removed
function Obstacle:is_cut() end

--- A definition that adds another one like it with World:add_obstacle, where it is now.
---@return leeward.ObstacleDefinition?  nil: it was removed
function Obstacle:get() end

--- Its outline where it is now, not grown.
---@return leeward.vec3[]? corners  counter-clockwise seen from above, at its bottom; nil: it was removed
---@return number height  [m]
function Obstacle:outline() end

---@return boolean  false: it was removed, or its world was destroyed
function Obstacle:exists() end

---@return integer  no other obstacle of the world ever has it
function Obstacle:id() end

---@return leeward.World
function Obstacle:world() end

--- Remove it, and those that are attached to it. The ground is back when the next step begins.
---@return boolean  false: it had been removed before
function Obstacle:remove() end
