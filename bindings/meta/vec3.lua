---@meta _
-- luacheck: ignore 241
---@class leeward
local leeward = {}

--- An immutable point or direction. Two are equal if they are the same in single precision.
---@class leeward.vec3
---@field x number
---@field y number
---@field z number
---@operator add(leeward.Point): leeward.vec3
---@operator sub(leeward.Point): leeward.vec3
---@operator mul(number): leeward.vec3
---@operator div(number): leeward.vec3
---@operator unm: leeward.vec3
local vec3 = {}

--- Raises for anything but finite numbers.
---@param x number|leeward.Point
---@param y? number
---@param z? number
---@return leeward.vec3
function leeward.vec3(x, y, z) end

---@return number
function vec3:length() end

---@param other leeward.Point
---@return number
function vec3:distance(other) end

---@return number x
---@return number y
---@return number z
function vec3:unpack() end
