--- A scene under many seeds, on all processors: the seeds are dealt out to copies of this process. It stops at the
--- first seed that fails.

local processes = require "leeward.processes"
local report = require "scripts.testing.report"
local scene = require "scripts.testing.stage"

local seeds = {}

local PROCESSES_MAX = 64

--- What a copy writes when it has run its share: one that a scene ended with os.exit() has not.
local DONE = "done"

--- Run the scene with one seed. --> stage, nil: it passed | stage, message
local function run(of, seed, play, current, options)
  local stage = scene.open(of.level, of.options, seed)
  stage.quiet, stage.cut = options.quiet, options.cut
  if options.quiet then stage.hashes = nil end
  current(stage)
  local function play_and_check(...)
    play(...)
    stage:check()
  end
  local good, message = xpcall(play_and_check, function(problem)
    if problem == scene.CUT then return problem end
    local kind = type(problem)
    return { text = kind == "string" and problem or tostring(problem) }
  end, stage.world, seed)
  if good or message == scene.CUT then return stage, nil end
  return stage, message.text
end

-- --- Results of the copies --------------------------------------------------------------------------------------

local function read(file)
  local handle = io.open(file, "rb")
  if not handle then return nil end
  local text = handle:read "a"
  handle:close()
  return text
end

local function write(file, text)
  local handle = assert(io.open(file, "wb"))
  handle:write(text)
  handle:close()
end

--- Does another copy have a failure at a lower seed?
local function is_beaten(files, own, seed)
  for index, file in ipairs(files) do
    local other = index ~= own and read(file .. ".failed")
    if other and (tonumber(other) or math.huge) < seed then return true end
  end
  return false
end

--- In a copy: its share of the seeds.
local function work(files, own, of, count, play, current)
  for seed = own, count, #files do
    if is_beaten(files, own, seed) then return end
    write(files[own], tostring(seed))
    local stage, message = run(of, seed, play, current, { quiet = true })
    if message then return write(files[own] .. ".failed", tostring(seed)) end
    stage.world:destroy()
  end
end

--- The lowest seed that fails; nil: none does.
local function first_failure(of, count, play, current)
  local crew = math.min(processes.count(), count, PROCESSES_MAX)
  local files = {}
  for index = 1, crew do files[index] = os.tmpname() end
  local done, message = processes.run(crew, function(own)
    work(files, own, of, count, play, current)
    write(files[own], DONE)
  end)
  local lowest, lost
  for index, file in ipairs(files) do
    local failed = tonumber(read(file .. ".failed") or "")
    if failed and (not lowest or failed < lowest) then lowest = failed end
    local last = read(file)
    if done and (not done[index] or last ~= DONE) then lost = last end
    os.remove(file)
    os.remove(file .. ".failed")
  end
  if lowest then return lowest end
  if not done then error("seeds: no process could be started: " .. message, 0) end
  if lost then error(("seeds: the process that ran seed %s ended early"):format(lost ~= "" and lost or "?"), 0) end
end

-- --- The shortest run -------------------------------------------------------------------------------------------

--- The fewest steps with which the seed still fails, where with one step less it passes. A scene that fails without any
--- step waits for something to happen: it has no shorter run.
local function shortest(of, seed, play, current, steps)
  local function fails(cut)
    local stage, message = run(of, seed, play, current, { quiet = true, cut = cut })
    stage.world:destroy()
    return message ~= nil
  end
  if fails(0) then return steps end
  local passes, fail = 0, steps
  while fail - passes > 1 do
    local middle = (passes + fail) // 2
    if fails(middle) then fail = middle else passes = middle end
  end
  return fail
end

--- What a run that failed says, with what happened unless an assertion has said that.
local function described(stage, message, title)
  if message:find("picture of the moment:", 1, true) then return title .. ": " .. message end
  return ("%s: %s\n%s"):format(title, message, report.of(stage, nil, title))
end

local function failure_of(of, seed, count, play, current)
  local stage, message = run(of, seed, play, current, { quiet = true })
  if not message then
    return ("seed %d failed in a copy of this process, and passes here: the scene depends on more than its seed")
      :format(seed)
  end
  local steps = stage.world:steps()
  stage.world:destroy()
  local fewest = shortest(of, seed, play, current, steps)
  stage, message = run(of, seed, play, current, { cut = fewest < steps and fewest or nil })
  return ("%s\nthe shortest run that shows it: %d steps (%.2f s)\nthis seed alone: LEEWARD_SIM_SEED=%d"):format(
    described(stage, message or "it passes", ("seed %d of %d fails"):format(seed, count)), fewest, fewest / 60, seed)
end

--- seeds.failure(of, count, play, current) --> nil | what failed. `of` is the stage whose level and options count.
function seeds.failure(of, count, play, current)
  local alone = math.tointeger(tonumber(os.getenv "LEEWARD_SIM_SEED" or ""))
  if alone then
    local stage, message = run(of, alone, play, current, {})
    return message and described(stage, message, ("seed %d fails"):format(alone))
  end
  local lowest = first_failure(of, count, play, current)
  current(of)
  return lowest and failure_of(of, lowest, count, play, current)
end

return seeds
