--- Looks for an enemy that it has lost, at places where that may be.
--
--     Search {}                                      -- about "sense.enemy_at"
--     Search { around = "last_seen", radius = 15, places = 6 }
--
-- It draws places about where the enemy was seen last that it does not see, goes towards the nearest one until it sees
-- that place, and leaves those out that it has seen on the way. Succeeds when it sees an enemy; fails with the reason
-- when it has looked at so many places without seeing one, or knows of no place.

local behaviors = require "behaviors"
local leeward = require "leeward"

--- Places to draw.
local DRAWS = 24
--- World time between two looks on the way. [s]
local PAUSE = 0.25

--- Above the ground: what would be seen of someone who stands there. [m]
local BODY = leeward.vec3(0, 1.2, 0)

--- Those of the places that the agent does not see.
local function unseen(agent, places)
  local world, eye, left = agent:world(), agent:eye(), {}
  for _, place in ipairs(places) do
    if not world:sees(eye, place + BODY) then left[#left + 1] = place end
  end
  return left
end

local function draw_places(agent, around, radius)
  local places = {}
  for _ = 1, DRAWS do places[#places + 1] = agent:random_point { around = around, radius = radius } end
  return unseen(agent, places)
end

local function nearest(agent, places)
  local best, shortest = nil, math.huge
  for _, place in ipairs(places) do
    local distance = agent:position():distance(place)
    if distance < shortest then best, shortest = place, distance end
  end
  return best
end

local function sees_enemy(agent) return agent.blackboard["sense.enemy_seen"] end

--- Walk until the agent sees the place or an enemy, or gets no further.
local function approach(agent, place)
  if not agent:move_to(place, { within = 1 }) then return end
  local goal = agent:goal()
  while agent:move_state() == "walking" and agent:goal() == goal do
    if sees_enemy(agent) or #unseen(agent, { place }) == 0 then break end
    agent:wait(PAUSE)
  end
end

---@type fun(options?: leeward.SearchOptions): leeward.Node
local Search = behaviors.leaf {
  name = "Search",

  options = {
    radius = 12, -- of the circle, in xz [m, > 0]
    places = 4,  -- how many it looks at [> 0]
  },
  optional = {
    "around", -- its centre: a point, an agent, a threat or a key of the blackboard. Default: "sense.enemy_at".
    "pace",   -- "calm", "normal" or "fast". Default: the agent's own.
  },
  ports = { around = "in vec3|agent|threat" },

  check = function(options)
    return behaviors.check(options, {
      { "around", "place" }, { "radius", "> 0" }, { "places", "> 0", "a number" }, { "pace", "pace" },
    })
  end,

  run = function(agent, options)
    local around, reason = behaviors.place(agent, options.around or "sense.enemy_at")
    if not around then return "failure", reason end
    local _ <close> = behaviors.at_pace(agent, options.pace)
    local places, looked = draw_places(agent, around, options.radius), 0
    places[#places + 1] = agent:world():nearest_point(around) -- where it was seen last comes into it, too
    while looked < options.places and #places > 0 and not sees_enemy(agent) do
      approach(agent, nearest(agent, places))
      looked, places = looked + 1, unseen(agent, places)
    end
    if sees_enemy(agent) then return "success" end
    return "failure", ("it has looked at %d places and seen nobody"):format(looked)
  end,

  stop = function(agent)
    if agent:is_alive() then agent:stop() end
  end,
}

return Search
