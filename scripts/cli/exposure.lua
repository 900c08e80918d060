-- leeward exposure LEVEL: what each accuracy of exposure costs and loses there.

local scene = require "scripts.cli.scene"

local spec = {
  name = "exposure",
  summary = "measure what each accuracy of exposure costs and loses on a level",
  positional = { { "LEVEL", "a navmesh file with occluders, or anything that `leeward bake` reads" } },
  options = {
    { "--eyes", "N", "threats to ask about, anywhere on the navmesh (default 20)", type = "positive_integer" },
    { "--segments", "N", "ways seen from each (default 200)", type = "positive_integer" },
    { "--length", "M", "how long a way is, unless a wall ends it (default 12)", type = "positive" },
    { "--stance", "NAME", "stand or crouch (default stand)" },
    { "--seed", "N", "the same seed asks the same (default 1)", type = "integer" },
    scene.link_options[1], scene.link_options[2],
  },
  check = function(given)
    for _, key in ipairs { "eyes", "segments" } do
      if given[key] and given[key] > 10000 then return ("--%s expected at most 10000"):format(key) end
    end
    if given.length and (given.length < 0.01 or given.length > 1000) then return "--length expected 0.01 to 1000" end
    if given.stance and given.stance ~= "stand" and given.stance ~= "crouch" then
      return ("--stance expected stand or crouch, got '%s'"):format(given.stance)
    end
    return scene.check_links(given)
  end,
}

-- Of the table of pairs that is made to measure with. [m]
local PAIR_RANGE = 60

-- Each with what to say of it.
local ROWS = {
  { "exact", "exact", "occluders clipped" },
  { "fast", "fast", "depth map, 6 x 127 x 127" },
  { "map", "map", "cover map" },
  { "rays", "rays", "lines of sight every 0.25 m, same occluders" },
}

local function row_of(name, figures, note)
  return ("%-6s %10.2f %10.2f %10.0f %10.4f %8.4f %8.4f  %s"):format(name, figures.seconds * 1e6, figures.set_up * 1e3,
    figures.bytes / 1000, figures.mean, figures.p99, figures.worst, note)
end

local function run(given)
  local level, message = scene.level(given.LEVEL, given)
  if not level then return nil, message end
  if not level.navmesh then
    local ok
    local hides = level.settings.occluders ~= false
    ok, message = scene.bake(level, { cover_map = hides, pair_range = hides and PAIR_RANGE or 0 })
    if not ok then return nil, message end
  end
  local survey
  survey, message = level.navmesh:survey_exposure { eyes = given.eyes, segments = given.segments,
    length = given.length, stance = given.stance, seed = given.seed }
  if not survey then return nil, ("%s: %s"):format(level.name, message) end
  print(("%s: %d occluders in %.0f kB; %d segments of %.1f m in the mean, %.1f %% of them exposed"):format(level.name,
    survey.occluders, survey.occluder_bytes / 1000, survey.segments, survey.length, 100 * survey.exposed))
  print(("%-6s %10s %10s %10s %10s %8s %8s"):format("", "us/segment", "set-up, ms", "kB an eye", "off, mean", "99 %",
    "worst"))
  for _, row in ipairs(ROWS) do
    if survey[row[1]] then print(row_of(row[2], survey[row[1]], row[3])) end
  end
  if level.navmesh:stats().pair_bytes > 0 then
    print(("pairs of polygons up to %g m apart decide %.1f %% of the places: %.1f %% hidden, %.1f %% visible"):format(
      level.navmesh:stats().pair_range, 100 * (survey.sure_hidden + survey.sure_visible), 100 * survey.sure_hidden,
      100 * survey.sure_visible))
  end
  local saved = survey.exact.seconds - survey.fast.seconds
  if saved > 0 then
    print(("fast pays from %d segments an eye; auto takes it from %d, from the next step on"):format(
      math.ceil(survey.fast.set_up / saved), survey.auto_from))
  else
    print("fast does not pay here")
  end
  return true
end

return { spec = spec, run = run }
