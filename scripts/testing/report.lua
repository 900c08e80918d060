--- What a failure says beside what was expected: what the agents do and why, what happened last, and a picture of the
--- moment.

local leeward = require "leeward"

local report = {}

local EVENTS, LINES, AGENTS = 8, 5, 6 -- that are shown: of an agent, of the log, of agents

--- A new file in the folder LEEWARD_PICTURES, else in that of temporary files.
local function picture_file()
  local folder = os.getenv "LEEWARD_PICTURES"
  if not folder or folder == "" then
    local file = os.tmpname()
    os.remove(file)
    return file .. ".png"
  end
  local number = 1
  while leeward.is_file(("%s/failure-%d.png"):format(folder, number)) do number = number + 1 end
  return ("%s/failure-%d.png"):format(folder, number)
end

--- Write a picture of the world. --> a line about it
local function picture(stage, agent, title)
  local loaded, sdl = pcall(require, "leeward_sdl")
  if not loaded then return "no picture: leeward_sdl cannot be loaded" end
  local file = picture_file()
  local good, written, message = pcall(sdl.picture, {
    file = file, world = stage.world, geometry = stage.level.geometry, selected = agent, width = 1200,
    title = ("%s, at %.2f s"):format(title, stage.world:time()),
  })
  if not good then written, message = nil, written end
  return written and "picture of the moment: " .. file or "no picture: " .. tostring(message)
end

local function name_of(stage, agent)
  for name, other in pairs(stage.agents) do
    if other == agent then return ("agent %d '%s'"):format(agent:id(), name) end
  end
  return ("agent %d"):format(agent:id())
end
report.name_of = name_of

local function add_agent(lines, stage, agent)
  if not agent:is_alive() then
    lines[#lines + 1] = name_of(stage, agent) .. " is gone"
  else
    lines[#lines + 1] = ("%s (%s) at %s: %s"):format(name_of(stage, agent), agent:profile(), agent:position(),
      agent:why())
  end
  local good, entries = pcall(agent.history, agent, { count = EVENTS }) -- a test may have its world keep none
  for _, entry in ipairs(good and entries or {}) do
    lines[#lines + 1] = ("  %7.2f s  %s"):format(entry.time, entry.text)
  end
end

--- report.of(stage [, agent [, title]]) --> lines of text. Without an agent: all, at most a few.
function report.of(stage, agent, title)
  local lines, agents = {}, agent and { agent } or stage.world:agents()
  lines[1] = ("at %.2f s, step %d, seed %d:"):format(stage.world:time(), stage.world:steps(), stage.seed)
  for index = 1, math.min(#agents, AGENTS) do add_agent(lines, stage, agents[index]) end
  if #agents > AGENTS then lines[#lines + 1] = ("and %d agents more"):format(#agents - AGENTS) end
  for index = math.max(1, #stage.log - LINES + 1), #stage.log do
    lines[#lines + 1] = "log: " .. stage.log[index]
  end
  if not stage.quiet then
    lines[#lines + 1] = picture(stage, agent and agent:is_alive() and agent or nil, title or "test")
  end
  return table.concat(lines, "\n")
end

return report
