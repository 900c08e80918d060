--- What leaves with `start` and `tick` do over time: walk, sleep, and walk at a pace. All that they need is in the
-- leaf's `state`, plain, so that a saved world goes on with it: such leaves have `save = true`.

local steps = {}

--- Send the agent to a place.
---@param agent leeward.Agent
---@param state table
---@param to leeward.Point
---@param options? table  of agent:move_to
---@return boolean? ok  nil and the reason: there is no path
---@return string? reason
function steps.walk(agent, state, to, options)
  local ok, message = agent:move_to(to, options)
  state.goal = ok and agent:goal() or nil
  if not ok then return nil, message end
  return true
end

local JOURNEY = { "quality", "path_style", "profile", "cost", "avoid", "can_take" }

--- Those options of a leaf that hold for one journey, as agent:move_to takes them.
---@param options table  of the leaf
---@param journey table  of what else holds for it; filled
---@return table journey
function steps.journey(options, journey)
  for _, key in ipairs(JOURNEY) do journey[key] = options[key] end
  return journey
end

--- Those options as rules of behaviors.check.
---@param rules string[][]  of the leaf's other options; filled
---@return string[][] rules
function steps.journey_rules(rules)
  for _, key in ipairs(JOURNEY) do rules[#rules + 1] = { key, "move" } end
  return rules
end

--- How that walk has ended.
---@return boolean? arrived  nil: it goes on; false and the reason: it has failed
---@return string? reason
function steps.walked(agent, state)
  local goal, move, message = agent:goal(), agent:move_state()
  if not goal then return false, "the agent was stopped" end
  if goal ~= state.goal then return false, "the agent was sent somewhere else" end
  if move == "walking" then return nil end
  state.goal = nil
  if move == "failed" then return false, message end
  return true
end

--- End that walk, if the agent is still on it: for `stop`.
function steps.end_walk(agent, state)
  if state.goal and agent:is_alive() and agent:move_state() == "walking" and agent:goal() == state.goal then
    agent:stop()
  end
end

--- What a leaf returns to sleep: "running" and the seconds.
function steps.sleep(agent, state, seconds)
  state.wakes = agent:world():time() + seconds
  return "running", seconds
end

--- The seconds that the leaf has to sleep on, since something else has woken it; nil: none.
function steps.left(agent, state)
  local left = (state.wakes or 0) - agent:world():time()
  if left > 0 then return left end
  state.wakes = nil
end

--- Walk at a pace until steps.restore_pace(). @param pace? "calm"|"normal"|"fast"  nil: as it does
function steps.set_pace(agent, state, pace)
  if not pace then return end
  state.pace, state.pace_before = pace, agent:pace()
  agent:set_pace(pace)
end

--- For `stop`: unless other code has set another pace since.
function steps.restore_pace(agent, state)
  if state.pace and agent:is_alive() and agent:pace() == state.pace then agent:set_pace(state.pace_before) end
end

--- The `stop` of leaves that walk at a pace: the pace is as before, and an aborted walk ends.
---@param how leeward.LeafEnd
function steps.stop(agent, _, state, how)
  steps.restore_pace(agent, state)
  if how == "aborted" then steps.end_walk(agent, state) end
end

return steps
