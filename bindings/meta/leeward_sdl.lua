---@meta leeward_sdl

--- The debug window, and pictures that come from the same drawing code. A server never loads this module.
--- An answer that is "no" is `nil, message, code`; code "SDL" is a failure of SDL, else the status's name.
---@class leeward_sdl
local sdl = {}

---@alias leeward.Layer
---| "areas" # polygons, filled with their area's colour
---| "edges" # edges between polygons
---| "borders" # edges that lead nowhere
---| "tiles" # tiles' bounds
---| "paths" # what agents still have to walk, and their goals
---| "agents"
---| "labels" # each agent's profile and running node
---| "links" # off-mesh links, by kind
---| "cover" # walls to take cover at: high (blue), low (yellow), soft (green)
---| "dangers" # where the world remembers danger, the hotter the more, and fire lanes
---| "threats" # the world's threats: where they are, look, and how far
---| "openness" # polygons filled by how open they lie, in place of their area's colour
---| "exposure" # what they see: amber where one who stands is seen, red where one who crouches is, too

--- What to show: either `world` or `navmesh`.
---@class leeward.Chart
---@field world? leeward.World
---@field navmesh? leeward.NavMesh
---@field geometry? leeward.Geometry the level's triangles, shaded below the mesh
---@field layers? leeward.Layer[] default: all but "tiles" and "openness"
---@field title? string
---@field selected? leeward.Agent of `world`: its path is coloured by what is dear about it (in a window, click one)

---@class leeward.PictureOptions: leeward.Chart
---@field file string a PNG; written beside it first, then renamed
---@field width? integer [pixels, 64..16384, default 1600]
---@field height? integer [pixels, 64..16384, default: from the level's shape]

--- Write a picture of the level from above. Needs no display. A level that is much longer in z than in x is turned.
---@param options leeward.PictureOptions
---@return true|nil written
---@return string? message
---@return string? code "FILE", "OUT_OF_MEMORY" or "SDL"
function sdl.picture(options) end

---@class leeward.ViewOptions: leeward.Chart
---@field seconds? number close after so much simulated time [s, >= 0, default: when the user closes it]
---@field on_step? fun(world: leeward.World): string? called after every step; what it returns is shown in the window

--- Open a window, step the world in it (by its method `step`, 1/60 s each) and return when it is closed.
--- H shows the keys. What a script raises while it is open is raised here, after closing it.
---@param options leeward.ViewOptions
---@return true|nil closed
---@return string? message
---@return string? code "OUT_OF_MEMORY" or "SDL"
function sdl.view(options) end

--- Is there nobody to see a window? Neither DISPLAY nor WAYLAND_DISPLAY is set, or SDL_VIDEODRIVER is dummy or
--- offscreen.
---@return boolean
function sdl.is_headless() end

---@class leeward.PixelOptions
---@field file string
---@field x? integer from the left [pixels, default 0]
---@field y? integer from the top [pixels, default 0]

--- One pixel of a picture: for tests.
---@param options leeward.PixelOptions
---@return integer|nil color 0xRRGGBB
---@return string? message
---@return string? code "FILE", "INVALID" (outside) or "SDL"
function sdl.read_pixel(options) end

return sdl
