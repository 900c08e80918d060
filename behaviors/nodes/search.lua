--- Looks for an enemy that it has lost, at places where that may be.
--
--     Search {}                                      -- about "sense.enemy_at"
--     Search { around = "last_seen", radius = 15, places = 6 }
--
-- It draws places about where the enemy was seen last that it can reach and does not see, goes towards the nearest one
-- until it sees that place, and leaves those out that it has seen on the way. Succeeds when it sees an enemy; fails
-- with the reason when it has looked at so many places without seeing one, or can get to none.

local behaviors = require "behaviors"
local leeward = require "leeward"
local steps = require "behaviors.steps"

--- Places to draw.
local DRAWS = 24
--- World time between two looks on the way. [s]
local PAUSE = 0.25
--- Senses notice late: it looks on for so long where it has looked at all. [s]
local NOTICE = 1

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
  local query = { around = around, radius = radius, connected_to = agent:position() }
  for _ = 1, DRAWS do places[#places + 1] = agent:random_point(query) end
  return unseen(agent, places)
end

--- Take the nearest place out of the list.
local function take_nearest(agent, places)
  local best, shortest = 1, math.huge
  for number, place in ipairs(places) do
    local distance = agent:position():distance(place)
    if distance < shortest then best, shortest = number, distance end
  end
  return table.remove(places, best)
end

local function sees_enemy(agent) return agent.blackboard["sense.enemy_seen"] end

--- Does the agent walk to the place, and sees neither that nor an enemy yet?
local function approaches(agent, state)
  if not state.goal or agent:move_state() ~= "walking" or agent:goal() ~= state.goal then return false end
  return not sees_enemy(agent) and #unseen(agent, { state.place }) > 0
end

--- Go to the nearest place, and then to the nearest of the rest.
local function search(agent, options, state)
  local left = steps.left(agent, state)
  if left then return "running", left end
  while true do
    if state.place then
      if approaches(agent, state) then return steps.sleep(agent, state, PAUSE) end
      state.place, state.looked, state.places = nil, state.looked + 1, unseen(agent, state.places)
    end
    if state.looked >= options.places or #state.places == 0 or sees_enemy(agent) then break end
    local place = take_nearest(agent, state.places)
    local ok, reason = steps.walk(agent, state, place, { within = 1 })
    if ok then state.place = place else state.reason = reason end
  end
  if sees_enemy(agent) then return "success" end
  if not state.is_late then
    state.is_late = true
    return steps.sleep(agent, state, NOTICE)
  end
  if state.looked == 0 then return "failure", state.reason or "there is no place there to look at" end
  local looked = state.looked == 1 and "1 place" or ("%d places"):format(state.looked)
  return "failure", ("it has looked at %s and seen nobody"):format(looked)
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

  start = function(agent, options, state)
    local around, reason = behaviors.place(agent, options.around or "sense.enemy_at")
    if not around then return "failure", reason end
    steps.set_pace(agent, state, options.pace)
    state.places, state.looked = draw_places(agent, around, options.radius), 0
    -- Where it was seen last comes into it, too.
    state.places[#state.places + 1] = agent:world():nearest_point(around)
    return search(agent, options, state)
  end,

  tick = search,

  save = true,

  stop = function(agent, _, state)
    steps.restore_pace(agent, state)
    if agent:is_alive() then agent:stop() end
  end,
}

return Search
