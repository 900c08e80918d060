---@meta leeward_sdl

--- The debug window and pictures, from the same drawing code. A server never loads this module.
--- An answer that is "no" is `nil, message, code`; code "SDL" is a failure of SDL, else the status's name.
---@class leeward_sdl
local sdl = {}

---@alias leeward.Layer
---| "areas" # polygons, filled with their area's colour
---| "edges" # edges between polygons
---| "borders" # edges without a neighbour
---| "tiles" # bounds of tiles
---| "paths" # the rest of agents' paths, and their goals
---| "agents"
---| "labels" # each agent's profile and running node
---| "links" # off-mesh links, by kind
---| "cover" # walls to take cover at: high (blue), low (yellow), soft (green)
---| "cover_map" # what the cover map lists at the selected agent (pink), with heights of the nearest
---| "regions" # rooms of the world's regions (World:regions), each in a colour of its own, and doors
---| "dangers" # dangers, coloured by value, and fire lanes
---| "obstacles" # outlines of obstacles: cut out (violet), not (pale, dashed), or in their area's colour; cost: yellow
---| "threats" # the world's threats: position, direction and range
---| "openness" # polygons coloured by openness, in place of their area's colour
---| "whiskers" # with "agents": whiskers of all agents, green, grey at walls, pink at what they evade; those of the
--- selected agent are shown in any case
---| "exposure" # exposure to the threats: amber where a standing agent is seen, red where a crouching one is

--- What to show: either `world` or `navmesh`.
---@class leeward.Chart
---@field world? leeward.World
---@field navmesh? leeward.Navmesh
---@field geometry? leeward.Geometry the level's triangles, shaded below the mesh
---@field layers? leeward.Layer[] default: all but "tiles", "openness", "cover_map", "regions" and
--- "whiskers"
---@field title? string
---@field selected? leeward.Agent of `world`: its path is coloured by cost terms (in a window: click an agent)

---@class leeward.PictureOptions: leeward.Chart
---@field file string a PNG; written to a temporary file first, then renamed
---@field width? integer [pixels, 64..16384, default 1600]
---@field height? integer [pixels, 64..16384, default: by the level's aspect]

--- Write a picture of the level from above. Needs no display. A level that is longer in z than in x is turned.
---@param options leeward.PictureOptions
---@return true|nil written
---@return string? message
---@return string? code "FILE", "OUT_OF_MEMORY" or "SDL"
function sdl.picture(options) end

--- A line of a graph.
---@class leeward.GraphSeries
---@field points number[][] `{ { x, y }, ... }`, joined in this order [2..100000 of them]
---@field name? string
---@field color? integer [0xRRGGBB, default: by its place in the list]

---@class leeward.GraphOptions
---@field file string a PNG; written to a temporary file first, then renamed
---@field series leeward.GraphSeries[] [1..8 of them]
---@field title? string
---@field x? string what the horizontal axis shows, with the unit
---@field y? string what the vertical axis shows; it has 0
---@field width? integer [pixels, 64..16384, default 1200]
---@field height? integer [pixels, 64..16384, default 480]

--- Write a picture of lines over one axis, such as a number over time. Needs no display.
---@param options leeward.GraphOptions
---@return true|nil written
---@return string? message
---@return string? code "FILE", "OUT_OF_MEMORY" or "SDL"
function sdl.graph(options) end

---@class leeward.ViewOptions: leeward.Chart
---@field seconds? number simulated time after which the window closes [s, >= 0, default: none]
---@field on_step? fun(world: leeward.World): string? called after every step; its result is shown in the window

--- Open a window, step the world by its method `step` (1/60 s each), and return when the window is closed. H shows
--- the keys. An error of a script closes the window and is raised again.
---@param options leeward.ViewOptions
---@return true|nil closed
---@return string? message
---@return string? code "OUT_OF_MEMORY" or "SDL"
function sdl.view(options) end

--- Whether no window can be seen: neither DISPLAY nor WAYLAND_DISPLAY is set, or SDL_VIDEODRIVER is dummy or
--- offscreen.
---@return boolean
function sdl.is_headless() end

---@class leeward.PixelOptions
---@field file string
---@field x? integer from the left [pixels, default 0]
---@field y? integer from the top [pixels, default 0]

--- Read a pixel of a picture, for tests.
---@param options leeward.PixelOptions
---@return integer|nil color 0xRRGGBB
---@return string? message
---@return string? code "FILE", "INVALID" (outside) or "SDL"
function sdl.read_pixel(options) end

return sdl
