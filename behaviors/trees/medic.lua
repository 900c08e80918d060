--- Medic: goes to the agent of the key `team.wounded`, one medic at a time, stays there for `heal_seconds` (5), and
-- clears the key. It keeps away from enemies that see it, follows the agent of the key `leader`, and wanders without
-- one. Whoever is wounded, or the game, sets `agent.blackboard["team.wounded"] = agent`.

local behaviors = require "behaviors"
local checks = require "behaviors.checks"
local Flee = require "behaviors.nodes.flee"
local Follow = require "behaviors.nodes.follow"
local MoveTo = require "behaviors.nodes.move_to"
local Reserve = require "behaviors.nodes.reserve"
local RunSubtree = require "behaviors.nodes.run_subtree"
local steps = require "behaviors.steps"

local Treat = behaviors.leaf {
  name = "Treat",

  start = function(agent, _, state)
    local patient, seconds = agent.blackboard["team.wounded"], agent.blackboard.heal_seconds
    state.patient = checks.is_agent(patient) and patient or nil
    agent:stop()
    agent:set_stance "crouch"
    return steps.sleep(agent, state, type(seconds) == "number" and seconds or 5)
  end,

  tick = function(agent, _, state)
    local left, patient = steps.left(agent, state), state.patient
    if left then return "running", left end
    if patient and patient:is_alive() then patient:send("treated", agent) end
    if agent.blackboard["team.wounded"] == patient then agent.blackboard["team.wounded"] = nil end
    return "success"
  end,

  save = true,

  stop = function(agent)
    if agent:is_alive() then agent:set_stance "stand" end
  end,
}

return behaviors.selector {
  behaviors.condition { name = "treat", key = "team.wounded", abort = "both",
    Reserve { what = "wounded",
      behaviors.sequence { MoveTo { to = "team.wounded", within = 1.2, pace = "fast" }, Treat {} },
    },
  },
  behaviors.condition { name = "escape", key = "sense.enemy_seen", abort = "lower", Flee {} },
  behaviors.condition { name = "follow", key = "leader", abort = "both", Follow { target = "leader", within = 4 } },
  RunSubtree { tree = "wander" },
}
