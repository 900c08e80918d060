-- leeward exposure LEVEL: time, memory and error of each accuracy of exposure on a level.

local leeward = require "leeward"
local scene = require "scripts.cli.scene"
local terminal = require "scripts.cli.terminal"

local spec = {
  name = "exposure",
  summary = "measure time, memory and error of each accuracy of exposure on a level",
  positional = { { "LEVEL", "a navmesh file with occluders, or anything that `leeward bake` reads" } },
  options = scene.with_options {
    { "--eyes", "N", "count of random threats on the navmesh (default 20)", type = "positive_integer" },
    { "--segments", "N", "random segments per threat (default 200)", type = "positive_integer" },
    { "--length", "M", "length of a segment, unless a wall ends it (default 12)", type = "positive" },
    { "--stance", "NAME", "stand or crouch (default stand)" },
    { "--seed", "N", "of the random threats and segments (default 1)", type = "integer" },
  },
  check = function(given)
    for _, key in ipairs { "eyes", "segments" } do
      if given[key] and given[key] > 10000 then
        return ("--%s is '%s', expected at most 10000"):format(key, given.texts[key])
      end
    end
    if given.length and (given.length < 0.01 or given.length > 1000) then
      return ("--length is '%s', expected metres from 0.01 to 1000"):format(given.texts.length)
    end
    if given.stance and given.stance ~= "stand" and given.stance ~= "crouch" then
      return ("--stance is '%s', expected stand or crouch"):format(leeward.shown(given.stance))
    end
    return scene.check(given)
  end,
}

-- Range of the visibility table that is baked for the measurement. [m]
local PAIR_RANGE = 60
-- From so many segments on "auto" answers from a depth map (LW_BUSY_SEGMENTS).
local AUTO_FROM = 400
-- Times are those of the quickest of so many rounds, each in a new world, so that no round profits from what another
-- has cached.
local ROUNDS = 5
local RAY_SPACING = 0.25 -- m
-- So many eyes are asked about at once; each has a depth map.
local BATCH = 20
local EYE_HEIGHT = 1.6   -- m above the ground
local BODY = { stand = { 0.9, 1.6 }, crouch = { 0.5, 0.9 } } -- m above the ground, as `human` has them

local METHODS = { "exact", "fast", "map", "rays" }
local NOTES = {
  exact = "occluders clipped",
  fast = "depth map, 6 x 127 x 127",
  map = "cover map",
  rays = "lines of sight every 0.25 m, same occluders",
}

-- time(work) --> the processor's seconds that it takes while no garbage is collected
local function time(work)
  collectgarbage()
  collectgarbage "stop"
  local begin = os.clock()
  work()
  local seconds = os.clock() - begin
  collectgarbage "restart"
  return seconds
end

-- what is asked -----------------------------------------------------------------------------------------------------

-- Points on a segment where bodies are looked for: at each its heights.
local function ray_targets(from, to, heights)
  local along, targets = to - from, {}
  local steps = 1 + math.floor(along:length() / RAY_SPACING)
  for step = 1, steps do
    local at = from + along * ((step - 0.5) / steps)
    targets[step] = { at + leeward.vec3(0, heights[1], 0), at + leeward.vec3(0, heights[2], 0) }
  end
  return targets
end

-- A straight method over the surface in any direction, to the next wall at most.
local function draw_segment(world, given)
  local from, turn = world:random_point {}, 2 * math.pi * world:random()
  local length = given.length
  local _, to = world:raycast(from, from + leeward.vec3(length * math.cos(turn), 0, length * math.sin(turn)))
  return { from = from, to = to, targets = ray_targets(from, to, BODY[given.stance]) }
end

-- draw(navmesh, given) --> eyes, segments | nil, message
local function draw(navmesh, given)
  local world, eyes, segments = leeward.world { navmesh = navmesh, seed = given.seed }, {}, {}
  if not world:random_point {} then return nil, "the navmesh has no ground" end
  for i = 1, given.eyes do eyes[i] = world:random_point {} + leeward.vec3(0, EYE_HEIGHT, 0) end
  for i = 1, given.segments do segments[i] = draw_segment(world, given) end
  world:destroy()
  return eyes, segments
end

-- what it costs -----------------------------------------------------------------------------------------------------

-- Threats at these eyes. @param range  nil: without end.
local function add_threats(world, eyes, range)
  local threats = {}
  for i, eye in ipairs(eyes) do threats[i] = world:add_threat { at = eye, range = range } end
  return threats
end

-- cast_rays(world, eye, segment) --> the part of it that is seen, how many rays
local function cast_rays(world, eye, segment)
  local seen, rays = 0, 0
  for _, heights in ipairs(segment.targets) do
    local sees = world:sees(eye, heights[1])
    rays = rays + 1
    if not sees then
      sees = world:sees(eye, heights[2])
      rays = rays + 1
    end
    if sees then seen = seen + 1 end
  end
  return seen / #segment.targets, rays
end

-- Ask about all segments, each seen from all these eyes at once, so that calls from Lua weigh little. "calls" asks for
-- threats that see nothing so far away: what the calls cost by themselves.
local function measure_batch(world, eyes, segments, given, sums)
  local threats = add_threats(world, eyes)
  local function ask(key, by, accuracy)
    sums[key] = (sums[key] or 0) + time(function()
      local query = { threats = by, accuracy = accuracy, stance = given.stance }
      for _, segment in ipairs(segments) do
        query.from, query.to = segment.from, segment.to
        world:exposure(query)
      end
    end)
  end
  ask("exact", threats, "exact")
  ask("calls", add_threats(world, eyes, 1e-3), "exact")
  local held = world:memory()
  ask("first", threats, "fast") -- draws the depth maps
  sums.bytes = (sums.bytes or 0) + world:memory() - held
  ask("fast", threats, "fast")
  if given.has_map then ask("map", threats, "map") end
end

-- The same for lines of sight; the calls for them look from the eye at the eye.
local function measure_rays(world, eyes, segments, sums)
  local rays = 0
  sums.rays = time(function()
    for _, eye in ipairs(eyes) do
      for _, segment in ipairs(segments) do
        local _, count = cast_rays(world, eye, segment)
        rays = rays + count
      end
    end
  end)
  sums.ray_calls = time(function() for _ = 1, rays do world:sees(eyes[1], eyes[1]) end end)
end

-- measure(...) --> { exact =, fast =, map =, rays = us a segment and eye, set_up = ms an eye, bytes = an eye }
local function measure(navmesh, eyes, segments, given)
  local best = {}
  for _ = 1, ROUNDS do
    local world, sums = leeward.world { navmesh = navmesh, seed = given.seed, depth_maps = BATCH + 1 }, {}
    -- The scratch memory for drawing is made with the first depth map.
    world:exposure { from = segments[1].from, to = segments[1].to, accuracy = "fast",
      threats = { { at = eyes[1] + leeward.vec3(0, 1, 0) } } }
    for first = 1, #eyes, BATCH do
      local batch = table.move(eyes, first, math.min(#eyes, first + BATCH - 1), 1, {})
      measure_batch(world, batch, segments, given, sums)
    end
    measure_rays(world, eyes, segments, sums)
    world:destroy()
    for key, value in pairs(sums) do best[key] = math.min(value, best[key] or value) end
  end
  local function each(seconds, calls) return math.max(0, seconds - calls) * 1e6 / (#eyes * #segments) end
  return { exact = each(best.exact, best.calls), fast = each(best.fast, best.calls),
    map = best.map and each(best.map, best.calls), rays = each(best.rays, best.ray_calls),
    set_up = math.max(0, best.first - best.fast) * 1e3 / #eyes, bytes = best.bytes / #eyes }
end

-- what it loses -----------------------------------------------------------------------------------------------------

-- find_fractions(...) --> the exposed fractions of each segment from each eye in turn, by method
local function find_fractions(navmesh, eyes, segments, given)
  local world, fractions = leeward.world { navmesh = navmesh }, { exact = {}, fast = {}, map = {}, rays = {} }
  for _, eye in ipairs(eyes) do
    local query = { threats = { { at = eye } }, stance = given.stance }
    for _, segment in ipairs(segments) do
      local at = #fractions.exact + 1
      query.from, query.to = segment.from, segment.to
      for _, method in ipairs(METHODS) do
        query.accuracy = method
        if method == "rays" then
          fractions.rays[at] = cast_rays(world, eye, segment)
        elseif method ~= "map" or given.has_map then
          local _, fraction = world:exposure(query)
          fractions[method][at] = fraction
        end
      end
    end
  end
  world:destroy()
  return fractions
end

-- errors_of(fractions, exact) --> how far off they are: in the mean, 99 of 100 at most, at most
local function errors_of(fractions, exact)
  local errors, sum = {}, 0
  for i, fraction in ipairs(fractions) do
    errors[i] = math.abs(fraction - exact[i])
    sum = sum + errors[i]
  end
  table.sort(errors)
  return sum / #errors, errors[1 + math.floor(0.99 * (#errors - 1))], errors[#errors]
end

-- what is printed ---------------------------------------------------------------------------------------------------

local function print_head(level, segments, exact)
  local length, exposed = 0, 0
  for i, fraction in ipairs(exact) do
    local segment = segments[1 + (i - 1) % #segments]
    local metres = segment.from:distance(segment.to)
    length, exposed = length + metres, exposed + metres * fraction
  end
  terminal.print(("%s: %d occluders; %d segments of %.1f m in the mean, %.1f %% of them exposed"):format(level.name,
    level.navmesh:stats().occluders, #exact, length / #exact, length > 0 and 100 * exposed / length or 0))
end

local function print_rows(figures, fractions, has_map)
  print(("%-6s %10s %10s %10s %10s %8s %8s"):format("", "us/segment", "set-up, ms", "kB an eye", "off, mean", "99 %",
    "worst"))
  for _, method in ipairs(METHODS) do
    local is_fast = method == "fast"
    if method ~= "map" or has_map then
      local mean, usual, worst = errors_of(fractions[method], fractions.exact)
      print(("%-6s %10.2f %10.2f %10.0f %10.4f %8.4f %8.4f  %s"):format(method, figures[method],
        is_fast and figures.set_up or 0, is_fast and figures.bytes / 1000 or 0, mean, usual, worst, NOTES[method]))
    end
  end
end

local function print_advice(stats, figures)
  if stats.visibility_table_bytes > 0 then
    print(("visibility of polygons up to %g m apart: %.1f %% hidden, %.1f %% visible, which needs no occluders"):format(
      stats.visibility_table_range, 100 * stats.pairs_hidden, 100 * stats.pairs_visible))
  end
  local saved = figures.exact - figures.fast
  if saved > 0 then
    print(("fast pays from %d segments an eye; auto takes it from %d, from the next step on"):format(
      math.ceil(1000 * figures.set_up / saved), AUTO_FROM))
  else
    print("fast is not faster here")
  end
end

local function run(given)
  local level, message = scene.level(given.LEVEL, given)
  if not level then return nil, message end
  if not level.navmesh then
    local ok
    local hides = level.settings.occluders ~= false
    ok, message = scene.bake(level, { cover_map = hides, visibility_table_range = hides and PAIR_RANGE or 0 })
    if not ok then return nil, message end
  end
  local stats = level.navmesh:stats()
  if stats.occluders == 0 then return nil, level.name .. ": the navmesh has no occluders: it hides nothing" end
  local asked = { eyes = given.eyes or 20, segments = given.segments or 200, length = given.length or 12,
    stance = given.stance or "stand", seed = given.seed or 1, has_map = stats.cover_map_bytes > 0 }
  local eyes, segments = draw(level.navmesh, asked)
  if not eyes then return nil, ("%s: %s"):format(level.name, segments) end
  local figures = measure(level.navmesh, eyes, segments, asked)
  local fractions = find_fractions(level.navmesh, eyes, segments, asked)
  print_head(level, segments, fractions.exact)
  print_rows(figures, fractions, asked.has_map)
  print_advice(stats, figures)
  return true
end

return { spec = spec, run = run }
