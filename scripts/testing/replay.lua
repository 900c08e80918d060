--- Whether a run repeats: the same world once more, step by step.

local scene = require "scripts.testing.stage"

local replay = {}

--- Run the stage again until the original's step. @return its stage
local function run_again(original, current)
  local again = scene.again(original)
  current(again)
  again.quiet = true
  local steps = original.world:steps()
  scene.catch_up(again)
  while again.world:steps() < steps do
    again:step()
    scene.catch_up(again)
  end
  return again
end

--- The first step whose hashes differ; nil: none of those that both have.
local function first_difference(a, b, steps)
  for step = 1, steps do
    local x, y = a.hashes[step], b.hashes[step]
    if x and y and x ~= y then return step end
  end
end

local function positions(stage)
  local found = {}
  for index, agent in ipairs(stage.world:agents()) do found[index] = agent:position() end
  return found
end

--- The agents that stand elsewhere, as text.
local function moved(a, b)
  local lines, other = {}, positions(b)
  for index, at in ipairs(positions(a)) do
    if not other[index] then
      lines[#lines + 1] = ("agent %d is not there in the second run"):format(index)
    elseif at ~= other[index] then
      lines[#lines + 1] = ("agent %d stands at %s, in the second run at %s"):format(index, at, other[index])
    end
    if #lines == 6 then break end
  end
  return #lines > 0 and "\nat the end:\n" .. table.concat(lines, "\n") or ""
end

local function difference(a, b, steps)
  local step = first_difference(a, b, steps)
  local text = step and ("the runs differ from step %d (%.2f s) on"):format(step, step / 60)
    or ("the runs differ at their end, step %d"):format(steps)
  return text .. moved(a, b)
end

--- What is wrong with the replay of a stage; nil: it is the same run.
function replay.problem(original, current)
  local steps, hash = original.world:steps(), original.world:hash()
  local first = run_again(original, current)
  if first.world:hash() == hash then return current(original) end
  local second = run_again(original, current)
  current(original)
  if second.world:hash() == first.world:hash() then
    return difference(original, first, steps) .. "\ntwo replays are equal: this world was changed by calls that are "
      .. "not of leeward.testing, or by what is kept outside of it. Give a function that makes and runs the world: "
      .. "assert.replays_identically(function() ... end)"
  end
  return difference(first, second, steps)
end

--- What is wrong with two runs of a function that opens a stage and runs it; nil: nothing.
function replay.problem_of_function(f, current)
  f()
  local first = current()
  f()
  local second = current()
  if first == second then return "the function opens no world, expected a call of sim.map or sim.level in it" end
  local a, b = first.world, second.world
  if a:steps() ~= b:steps() then return ("the runs have %d and %d steps"):format(a:steps(), b:steps()) end
  if a:hash() ~= b:hash() then return difference(first, second, a:steps()) end
end

return replay
