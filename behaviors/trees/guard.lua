--- Guard: patrols between the points of the key `route`, or wanders without one. When it notices an enemy, it takes
-- cover, looks out, and takes cover elsewhere when it is seen there. It goes to noises, and searches for an enemy
-- that it has lost. Its profile, or the agent itself, needs senses.

local behaviors = require "behaviors"
local Investigate = require "behaviors.nodes.investigate"
local Patrol = require "behaviors.nodes.patrol"
local Peek = require "behaviors.nodes.peek"
local RunSubtree = require "behaviors.nodes.run_subtree"
local Say = require "behaviors.nodes.say"
local Search = require "behaviors.nodes.search"
local TakeCover = require "behaviors.nodes.take_cover"

--- An enemy that the guard has looked out for, and that was seen so long ago, is not where it was. [s]
local LOST = 4

--- Has it lost the enemy that it knows of?
local function is_lost(agent)
  local enemy = agent.blackboard["sense.enemy"]
  local known = enemy and enemy:is_alive() and agent:perceives(enemy)
  return known and known.age > LOST or false
end

return behaviors.selector {
  behaviors.condition { name = "fight", key = "sense.enemy", abort = "both",
    behaviors.selector {
      behaviors.sequence {
        behaviors.force_success {
          behaviors.cooldown { seconds = 10, Say { name = "contact", value = "sense.enemy_at" } },
        },
        TakeCover { peek = 4 }, Peek { at = "sense.enemy_at", seconds = 2 },
        behaviors.selector {
          behaviors.sequence { behaviors.condition { test = is_lost }, Search { pace = "normal" } },
          behaviors.wait(0.5, 2),
        },
      },
      behaviors.sequence { behaviors.condition { key = "sense.enemy_seen", unset = true }, Search { pace = "normal" } },
      behaviors.wait(1),
    },
  },
  behaviors.condition { name = "alert", event = "heard", abort = "lower", Investigate {} },
  behaviors.condition { name = "patrol", key = "route", Patrol { points = "route", wait = 2, pace = "calm" } },
  RunSubtree { tree = "wander" },
}
