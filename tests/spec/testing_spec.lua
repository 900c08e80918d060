-- leeward.testing: each assertion passes and fails, and what its failures say.
local behaviors = require "behaviors"
local leeward = require "leeward"
local sim = require "leeward.testing"
local shell = require "support.shell"
local MoveTo = require "behaviors.nodes.move_to"

local YARD = [[
  A..#...
  ...#..B
  ..=====
]]

local PICTURE = "picture of the moment: (/[^\n]+%.png)"

--- What the call fails with, without the place. The picture that it names is there, and is removed.
local function failure(f, ...)
  local good, message = pcall(f, ...)
  assert.is_false(good)
  message = tostring(message)
  local file = message:match(PICTURE)
  if file then
    assert.is_true(leeward.is_file(file), file)
    os.remove(file)
  end
  return (message:gsub("^[%w_/.]+:%d+: ", ""))
end

local function walk(goal) return behaviors.sequence { name = "walk", MoveTo { to = goal }, behaviors.wait(9) } end

describe("sim.map", function()
  it("draws a world from above, 2 m a square", function()
    local world = sim.map(YARD)
    assert.near({ 1, 0, 1 }, sim.place "A")
    assert.near({ 13, 0, 3 }, sim.place "B")
    assert.is_true(world:raycast(sim.place "A", { 13, 0, 1 }))           -- the wall
    assert.is_false(world:sees({ 5, 1.6, 1 }, { 9, 1.6, 1 }))
    assert.is_true(world:sees({ 5, 1.6, 5 }, { 9, 1.6, 5 }))
    assert.is_nil((world:nearest_point { -4, 0, 1 }))                    -- nothing is drawn there
  end)

  it("hides behind low walls only who crouches", function()
    local world = sim.map "A.+.B"
    local a, b = sim.place "A", sim.place "B"
    assert.is_true(world:sees(a + leeward.vec3(0, 1.6, 0), b + leeward.vec3(0, 1.6, 0)))
    assert.is_false(world:sees(a + leeward.vec3(0, 0.8, 0), b + leeward.vec3(0, 0.8, 0)))
  end)

  it("knows areas, squares of other sizes, and several places of one name", function()
    local world = sim.map("x%%x", { square = 4, areas = { ["%"] = "dirt" } })
    assert.same({ "(2, 0, 2)", "(14, 0, 2)" }, { tostring(sim.places "x"[1]), tostring(sim.places "x"[2]) })
    local path = assert(world:find_path { from = { 2, 0, 2 }, to = { 14, 0, 2 }, profile = "human" })
    assert.same({ "ground", "dirt", "ground" }, path:areas())
  end)

  it("is equal for equal seeds", function()
    local function hash(seed)
      sim.map(YARD, { seed = seed })
      sim.spawn("A", { tree = "wander" })
      sim.run(5)
      return sim.world():hash()
    end
    assert.equal(hash(3), hash(3))
    assert.not_equal(hash(3), hash(4))
  end)

  it("says what is wrong", function()
    assert.equal("map: '?' in line 1, column 2, expected one of # + . = ~ , \" a letter, a digit or a blank, or what "
      .. "options.areas names", failure(sim.map, ".?."))
    assert.equal("map: drawing is empty, expected squares such as '#' and '.'", failure(sim.map, "\n\n"))
    assert.equal("map: unknown key 'squares'. Did you mean 'square'?", failure(sim.map, "A", { squares = 1 }))
    sim.map(YARD, { places = { tower = { 1, 0, 1 } } })
    assert.equal("place is 'towr', expected one of the level's: A, B, tower. Did you mean 'tower'?",
      failure(sim.place, "towr"))
    assert.matches("^agent: there is no agent 'C'", failure(sim.agent, "C"))
    assert.matches("testing_spec%.lua:%d+: place is 'C'", select(2, pcall(function() sim.spawn "C" end)))
  end)
end)

describe("sim.level", function()
  it("bakes a level by name, and knows its spawns", function()
    local world = sim.level "courtyard"
    assert.equal(2, #sim.places "balcony")
    assert.is_true(world:nearest_point(sim.place "cars") ~= nil)
    assert.matches("there is no file 'courtyrd'", failure(sim.level, "courtyrd"))
  end)

  it("has the level's permutations and regions, as leeward run has them", function()
    local world = sim.level "courtyard"
    assert.equal("rubble", world:permutation_state "bridge")
    assert.is_not_nil(world:regions())
    local across = { from = { 0, 0, 4 }, to = { 0, 0, 14 }, profile = "car" }
    local round = world:find_path(across)
    world = sim.level("courtyard", { permutations = { bridge = "cleared" } })
    assert.equal("cleared", world:permutation_state "bridge")
    assert.is_true(world:find_path(across):length() < round:length() - 10)
    assert.replays_identically(world)
    assert.equal("whole", sim.level("courtyard_breach"):permutation_state "wall")
    assert.matches("clear", failure(sim.level, "courtyard", { permutations = { bridge = "clear" } }))
    assert.matches("birdge", failure(sim.level, "courtyard", { permutations = { birdge = "cleared" } }))
  end)
end)

describe("the assertion", function()
  local world
  before_each(function() world = sim.map(YARD) end)

  it("reaches waits until the agent is there", function()
    local scout = sim.spawn("A", { name = "scout", tree = walk(sim.place "B") })
    assert.is_not.reaches(scout, "B", 1)
    assert.reaches(scout, "B", 30)
    assert.equal(scout, sim.agent "scout")
    assert.near(scout, "B", 1)
  end)

  it("reaches takes how near that is", function()
    local scout = sim.spawn("A", { name = "scout", tree = walk(sim.place "B") })
    assert.reaches(scout, "B", 30, 5)
    assert.is_not.near(scout, "B", 4)
    assert.matches("^agent 1 'scout' has not reached 0%.1 m from 'B' at %(13, 0, 3%) within 0%.5 s; it is 3%.%d m away",
      failure(assert.reaches, scout, "B", 0.5, 0.1))
    for _, distance in ipairs { 0, -1, 0 / 0, "near", math.huge } do
      assert.matches("^reaches: distance is %S+, expected metres > 0$",
        failure(assert.reaches, scout, "B", 1, distance))
    end
  end)

  it("reaches says what the agent did instead", function()
    local scout = sim.spawn("A", { name = "scout", tree = walk { 5, 0, 1 } })
    local text = failure(assert.reaches, scout, "B", 6)
    assert.matches("^agent 1 'scout' has not reached 'B' at %(13, 0, 3%) within 6 s; it is 8%.%d m away\n"
      .. "at 6%.00 s, step 360, seed 1:\nagent 1 'scout' %(human%) at %([^\n]+%): tree > walk > wait[^\n]*\n"
      .. " +0%.00 s  walk starts\n +0%.00 s  MoveTo starts\n +0%.00 s  path to %([^\n]+ found, 4%.0 m\n"
      .. " +1%.%d+ s  arrives at [^\n]+\n +1%.%d+ s  MoveTo succeeds\n +1%.%d+ s  wait starts\n"
      .. "picture of the moment: ", text)
  end)

  it("enters sees leaves that end at once, named nodes, and what runs", function()
    local Blink = behaviors.leaf { name = "Blink", tick = function() return "success" end }
    local scout = sim.spawn("A", {
      tree = behaviors.sequence {
        behaviors.wait(2), Blink(), behaviors.sequence { name = "rest", behaviors.wait(99) },
      },
    })
    assert.is_not.enters(scout, "Blink", 1)
    assert.enters(scout, "Blink", 2)
    assert.enters(scout, "rest", 1)
    assert.matches("^agent 1 'A' has not entered Blink within 1 s\n", failure(assert.enters, scout, "Blink", 1))
  end)

  it("enters sees what begins and ends in one step, whoever has given the tree", function()
    local Blink = behaviors.leaf { name = "Blink", start = function() return "success" end }
    local tree = behaviors.sequence {
      behaviors.wait(1),
      behaviors.sequence { name = "quick", Blink {} },
      behaviors.selector { behaviors.sequence { name = "never", behaviors.condition { key = "enemy" }, Blink {} },
        behaviors.wait(1) },
    }
    leeward.tree("blinks", tree)
    local yard = sim.map(YARD)
    local given = sim.spawn("A")
    given:set_tree "blinks"
    for _, agent in ipairs { sim.spawn("A", { tree = tree }), sim.spawn("A", { tree = "blinks" }), given,
      assert(yard:spawn { profile = "human", at = sim.place "A", tree = tree }) } do
      assert.enters(agent, "quick", 5)
      assert.enters(agent, "Blink", 5)
      assert.is_not.enters(agent, "never", 3)
    end
    sim.map(YARD, { world = { history = 0 } })
    assert.matches("^enters: the world keeps no history", failure(assert.enters, sim.spawn "A", "Blink"))
  end)

  it("takes no agent of another world", function()
    sim.map(YARD)
    local agent = sim.spawn("A", { tree = "wander" })
    sim.map(YARD)
    for _, call in ipairs { { assert.reaches, agent, "B", 1 }, { assert.is_not.reaches, agent, "B", 1 },
      { assert.is_not.enters, agent, "MoveTo", 1 }, { sim.runs, agent, "MoveTo" } } do
      assert.matches("agent 1 is of another world, expected one of the world", failure(table.unpack(call)), 1, true)
    end
  end)

  it("enters and runs know the names of nodes and trees", function()
    local scout = sim.spawn("A", { tree = walk(sim.place "B") })
    local text = "enters: its tree has no node 'MoveToo'. Did you mean 'MoveTo'?"
    assert.equal(text, failure(assert.is_not.enters, scout, "MoveToo", 0.1))
    assert.equal(text, failure(assert.enters, scout, "MoveToo", 0.1))
    assert.equal("runs: its tree has no node 'Zzz'", failure(sim.runs, scout, "Zzz"))
    local walker = sim.spawn("A", { tree = "wander" })
    assert.enters(walker, "wander", 1)
    assert.is_true(sim.runs(walker, "wander"))
    local idle = sim.spawn "A"
    assert.is_false(sim.runs(idle, "MoveTo"))
    sim.at(0.1, function() idle:set_tree(walk(sim.place "B")) end)
    assert.enters(idle, "MoveTo", 1)
  end)

  it("is given what is wrong at the line of the test", function()
    local scout = sim.spawn("A", { tree = walk(sim.place "B") })
    local here = "^[^\n]*testing_spec%.lua:%d+: "
    for says, f in pairs {
      ["place is 'c', expected one of the level's: A, B"] = function() assert.reaches(scout, "c", 1) end,
      ["reaches: agent is A, expected an agent"] = function() assert.reaches("A", "B", 1) end,
      ["enters: its tree has no node 'Zzz'"] = function() assert.is_not.enters(scout, "Zzz", 0) end,
      ["vec3: "] = function() assert.reaches(scout, { 1 }, 1) end,
    } do
      local text = tostring(select(2, pcall(f)))
      assert.matches(here .. says, text)
      assert.is_nil(text:find "scripts/testing", text)
    end
  end)

  it("enters has a question beside it: does that run now?", function()
    local scout = sim.spawn("A", { tree = behaviors.sequence { name = "rest", behaviors.wait(1), behaviors.wait(9) } })
    assert.is_false(sim.runs(scout, "rest"))
    sim.run(0.5)
    assert.is_true(sim.runs(scout, "rest"))
    assert.is_true(sim.runs(scout, "wait"))
    assert.equal("runs: its tree has no node 'res'. Did you mean 'rest'?", failure(sim.runs, scout, "res"))
    local both = sim.spawn("A", { tree = behaviors.parallel { behaviors.wait(9), walk(sim.place "B") } })
    sim.run(0.5)
    assert.is_true(sim.runs(both, "wait"))
    assert.is_true(sim.runs(both, "MoveTo")) -- in the other branch
    assert.matches("^runs: node is nil, expected the name of a node$", failure(sim.runs, scout))
    assert.matches("^runs: agent is A, expected an agent$", failure(sim.runs, "A", "rest"))
    scout:despawn()
    assert.is_false(sim.runs(scout, "rest"))
  end)

  it("avoids knows areas, letters, circles and boxes", function()
    local path = assert(world:find_path { from = sim.place "A", to = sim.place "B", profile = "human" })
    assert.is_not.avoids(path, "road")
    assert.is_not.avoids(path, "=")
    assert.avoids(path, "deep_water")
    assert.avoids(path, { at = { 13, 0, 1 }, radius = 1.9 })
    assert.avoids({ { 0, 0, 0 }, { 4, 0, 0 } }, { at = { 2, 0, 2 }, radius = 1.99 })
    assert.is_not.avoids({ { 0, 0, 0 }, { 4, 0, 0 } }, { at = { 2, 0, 2 }, radius = 2.01 })
    assert.is_not.avoids({ { 0, 0, 0 }, { 4, 0, 4 } }, { min = { 1, -1, 1 }, max = { 2, 1, 2 } })
    assert.avoids({ { 0, 0, 0 }, { 4, 0, 4 } }, { min = { 1, -1, 2.1 }, max = { 2, 1, 4 } })
    assert.matches("^the path enters '=' at %(4, 0, 4",
      failure(assert.avoids, { { 1, 0, 4.5 }, { 9, 0, 4.5 } }, "="))
    assert.matches("Did you mean 'road'%?$", failure(assert.avoids, path, "raod"))
  end)

  it("avoids says what is wrong with an area", function()
    local path = assert(sim.map(YARD):find_path { from = sim.place "A", to = sim.place "B" })
    assert.matches("^avoids: radius is nil, expected metres > 0", failure(assert.avoids, path, { at = "B" }))
    assert.matches("^avoids: the area has an unknown key 'raduis'. Did you mean 'radius'",
      failure(assert.avoids, path, { at = "B", raduis = 2 }))
  end)

  it("avoids takes the rest of an agent's path", function()
    local scout = sim.spawn("A", { tree = walk(sim.place "B") })
    sim.run(0.1)
    assert.is_not.avoids(scout, "=")
    assert.avoids(scout, { at = { 9, 0, 1 }, radius = 1 })
  end)

  it("exposed_below measures what threats see", function()
    local inside, across = { { 1, 0, 1 }, { 5, 0, 1 } }, { { 1, 0, 5 }, { 13, 0, 5 } }
    assert.exposed_below(inside, "B", 0.01) -- behind the wall
    assert.is_not.exposed_below(across, { { at = { 7, 1.6, 5.5 } } }, 1)
    -- From 1.6 m above B, (13, 3), the wall's end at (8, 4) hides what lies beyond the line through both.
    assert.matches("^the path is seen on %d+%.%d of 12%.0 m, %d+%.%d %%, expected below 20 %%; the longest piece "
      .. "begins at", failure(assert.exposed_below, across, "B", 0.2))
  end)

  it("near compares points and numbers", function()
    assert.equal("1 and 1.5 are 0.5 apart, expected at most 0.01", failure(assert.near, 1, 1.5))
    assert.near({ 1, 0, 1 }, "A")
    assert.near(1, 1.009)
    assert.is_not.near(1, 1.011)
    assert.equal("(0, 0, 0) and (1, 0, 1) are 1.414 m apart, expected at most 0.5",
      failure(assert.near, { 0, 0, 0 }, "A", 0.5))
  end)

  it("logs looks for a pattern", function()
    local Broken = behaviors.leaf { name = "Broken", tick = function() error "out of arrows" end }
    sim.map(YARD, { errors = "arrows" })
    sim.spawn("A", { tree = behaviors.selector { Broken(), behaviors.wait(1) } })
    assert.is_not.logs "arrows"
    sim.run(0.1)
    assert.logs "^error: .*out of arrows"
    assert.equal(1, #sim.log())
    assert.matches("^no line of the log has 'bows'; it has \nerror: tree > selector > Broken",
      failure(assert.logs, "bows"))
  end)
end)

describe("an error in the log", function()
  local Broken = behaviors.leaf { name = "Broken", start = function(agent) return agent.blackboard.x.y end }
  local TEXT = "^the world has logged an error: tree > Broken, agent 1, step 0: [^\n]*index a nil value %(field 'x'%)\n"

  local function spawn(errors)
    sim.map(YARD, { errors = errors })
    return sim.spawn("A", { tree = Broken() })
  end

  it("fails whatever runs into it, once", function()
    spawn()
    assert.matches(TEXT, failure(sim.run, 0.1))
    sim.run(0.01)
    assert.matches("^the world has logged 2 errors, first: tree > Broken", failure(sim.run, 5))
    spawn()
    assert.matches(TEXT, failure(sim.run_until, function() return false end, 0.1))
    assert.matches(TEXT, failure(assert.is_not.reaches, spawn(), "B", 0.1))
    local text = select(2, pcall(function() sim.run_until(function() return false end, 2) end))
    assert.matches("testing_spec%.lua:%d+: the world has logged", text)
  end)

  it("fails a scene of seeds, however it runs", function()
    spawn()
    local text = failure(sim.seeds, 2, function(world)
      sim.spawn("A", { tree = Broken() })
      world:run(1)
    end)
    assert.matches("^seed 1 of 2 fails: the world has logged 2 errors, first: tree > Broken", text)
    text = failure(sim.seeds, 2, function()
      sim.spawn("A", { tree = behaviors.sequence { behaviors.wait(1), Broken() } })
      sim.run(9)
    end)
    assert.matches("the shortest run that shows it: 6%d steps", text)
  end)

  it("fails a test that makes another world, and one that ends", function()
    spawn()
    sim.world():step()
    assert.matches(TEXT, failure(sim.map, YARD))
    sim.map(YARD)
  end)

  it("is nothing where the test expects it", function()
    spawn "field 'x'"
    sim.run(5)
    assert.logs "field 'x'"
    spawn "field 'y'"
    assert.matches(TEXT, failure(sim.run, 0.1))
    assert.equal("map: errors is true, expected a pattern of Lua", failure(sim.map, YARD, { errors = true }))
    assert.equal("map: errors is '[', expected a pattern of Lua", failure(sim.map, YARD, { errors = "[" }))
  end)
end)

describe("assert.replays_identically", function()
  it("does again what was done to the world", function()
    local world = sim.map(YARD, { seed = 5 })
    local one = sim.spawn("A", { tree = "wander" })
    sim.run(3)
    local threat = sim.threat("B")
    sim.spawn({ 5, 0, 5 }, { tree = "wander", profile = "soldier" })
    sim.at(2, function() sim.agent("A"):stop() end)
    sim.run(4)
    sim.threat(one)
    sim.run(1)
    assert.is_true(threat:exists())
    assert.replays_identically(world)
    assert.equal(world, sim.world())
    assert.equal(480, world:steps())
  end)

  it("shows where runs of a leaf that keeps something else differ", function()
    local count = 0
    local Drift = behaviors.leaf {
      name = "Drift",
      tick = function(agent)
        count = count + 1
        agent:move_to { 1 + count % 4, 0, 3 }
        return "running", 1
      end,
    }
    local world = sim.map(YARD)
    sim.spawn("A", { tree = Drift() })
    sim.run(2.2)
    local text = failure(assert.replays_identically, world)
    assert.matches("^the runs differ from step %d+ %(%d+%.%d+ s%) on\nat the end:\nagent 1 stands at %(", text)
  end)

  it("says that a world was changed by other calls", function()
    local world = sim.map(YARD)
    sim.spawn("A", { tree = "wander" })
    sim.run(1)
    world:add_danger { at = { 1, 0, 5 } }
    sim.run(1)
    assert.matches("two replays are equal: this world was changed by calls that are not of leeward%.testing",
      failure(assert.replays_identically, world))
  end)

  it("takes a function that makes the world and runs it", function()
    local function run(danger)
      local world = sim.map(YARD)
      sim.spawn("A", { tree = "wander" })
      world:add_danger { at = { danger(), 0, 5 } }
      sim.run(3)
    end
    assert.replays_identically(function() run(function() return 1 end) end)
    local x = 0
    assert.is_not.replays_identically(function() run(function() x = x + 1 return x end) end)
  end)
end)

describe("sim.run_until", function()
  it("returns the time that passed, or nil and what the agents do", function()
    sim.map(YARD)
    sim.spawn("A", { tree = walk(sim.place "B") })
    local count = 0
    assert.equal(0.5, sim.run_until(function() count = count + 1 return count > 30 end, 1))
    local seconds, message = sim.run_until(function() return false end, 0.5)
    assert.is_nil(seconds)
    assert.matches("^it has not become true within 0%.5 s\nat 1%.00 s, step 60, seed 1:\nagent 1 'A'", message)
    assert.is_nil(message:match(PICTURE))
  end)
end)

describe("a time", function()
  it("is a number that is not negative", function()
    sim.map "A...."
    for _, seconds in ipairs { -1, 0 / 0, math.huge, "x" } do
      local text = "seconds is " .. tostring(seconds) .. ", expected a number >= 0"
      assert.matches(text, failure(sim.run, seconds), 1, true)
      assert.matches(text, failure(sim.run_until, function() end, seconds), 1, true)
      assert.matches(text, failure(sim.at, seconds, function() end), 1, true)
    end
  end)
end)

describe("sim.seeds", function()
  before_each(function() sim.map(YARD) end)

  it("plays all seeds, in other processes", function()
    local here, file = 0, os.tmpname()
    sim.seeds(40, function(world, seed)
      here = here + 1
      assert.equal(world, sim.world())
      local handle = assert(io.open(file, "a"))
      handle:write(seed, "\n")
      handle:close()
    end)
    local seen = {}
    for seed in io.lines(file) do seen[#seen + 1] = tonumber(seed) end
    os.remove(file)
    table.sort(seen)
    assert.equal(0, here)
    assert.equal(40, #seen)
    for index, seed in ipairs(seen) do assert.equal(index, seed) end
  end)

  it("names the lowest seed that fails, and the fewest steps that show it", function()
    local text = failure(sim.seeds, 60, function(world, seed)
      local scout = sim.spawn("A", { tree = "wander" })
      sim.run(20)
      assert.is_true(seed < 17 or scout:position().x < 5, "too far")
      assert.is_not_nil(world)
    end)
    local steps = tonumber(text:match "the shortest run that shows it: (%d+) steps")
    assert.matches("^seed 17 of 60 fails: [^\n]*too far", text)
    assert.matches("this seed alone: LEEWARD_SIM_SEED=17$", text)
    -- An oracle: the same run step by step.
    sim.map(YARD, { seed = 17 })
    local scout, first = sim.spawn("A", { tree = "wander" }), nil
    sim.run(20, function(world) if not first and scout:position().x >= 5 then first = world:steps() end end)
    local last = scout:position().x >= 5
    assert.is_true(last)
    assert.is_true(first <= steps and steps < 1200, text)
  end)

  it("cuts nothing from a scene that waits for what never happens", function()
    local text = failure(sim.seeds, 4, function()
      assert.reaches(sim.spawn "A", "B", 2)
    end)
    assert.matches("^seed 1 of 4 fails: [^\n]*agent 1 'A' has not reached 'B'", text)
    assert.matches("the shortest run that shows it: 120 steps", text)
  end)

  it("says that a process has ended", function()
    assert.matches("^seeds: the process that ran seed 3 ended early$", failure(sim.seeds, 3, function(_, seed)
      if seed == 3 then os.exit(3) end
    end))
    assert.matches("^seeds: the process that ran seed 2 ended early$", failure(sim.seeds, 3, function(_, seed)
      if seed == 2 then os.exit(0) end -- as if it had passed
    end))
  end)
end)

describe("the world", function()
  local NONE = "there is no world yet, expected sim.map or sim.level before"

  it("of a test is current in it", function()
    sim.map(YARD)
    assert.is_not_nil(sim.world())
  end)

  it("of another test is not", function() assert.equal(NONE, failure(sim.spawn, "A")) end)

  describe("of before_each", function()
    local world
    before_each(function() world = sim.map(YARD) end)
    after_each(function() assert.is_not_nil(sim.world()) end)

    for _ = 1, 2 do
      it("is that of its block", function()
        assert.equal(world, sim.world())
        sim.map "A..." -- after_each has it still
      end)
    end
  end)

  describe("of setup", function()
    local world
    setup(function() world = sim.map(YARD) end)

    for _ = 1, 2 do
      it("is that of all tests of its block", function()
        assert.equal(world, sim.world())
        sim.map "A..."
      end)
    end
  end)

  it("of a block ends with it", function() assert.equal(NONE, failure(sim.spawn, "A")) end)
end)

describe("LEEWARD_SIM_SEED", function()
  it("is refused where it is no number", function()
    local text = shell(("LEEWARD_SIM_SEED=x LUA_CPATH='%s' lua5.4 -e '%s' 2>&1"):format(package.cpath,
      'local sim = require "leeward.testing" sim.map "A..." sim.seeds(2, function() end) print "ran"'))
    assert.matches("%(command line%):1: seeds: LEEWARD_SIM_SEED is 'x', expected a whole number\n", text)
  end)

  it("plays that seed alone, here", function()
    local file = os.tmpname()
    local handle = assert(io.open(file, "w"))
    handle:write [[
      local sim = require "leeward.testing"
      sim.map "A...."
      local here = {}
      sim.seeds(1000, function(_, seed) here[#here + 1] = seed end)
      print(#here, here[1])
    ]]
    handle:close()
    local text = shell(("LEEWARD_SIM_SEED=7 LUA_CPATH='%s' lua5.4 '%s' 2>&1"):format(package.cpath, file))
    os.remove(file)
    assert.equal("1\t7\n", text)
  end)
end)

describe("bindings/meta/testing.lua", function()
  it("documents every function and assertion, and nothing else", function()
    local handle = assert(io.open "bindings/meta/testing.lua")
    local text = handle:read "a"
    handle:close()
    local documented, existing = {}, {}
    for name in text:gmatch "\nfunction sim%.([%w_]+)%(" do documented[name] = true end
    for name in pairs(sim) do existing[name] = true end
    assert.same(existing, documented)
    for name in text:gmatch "\nfunction assert%.([%w_]+)%(" do
      assert.is_not_nil(require("luassert.namespaces").assertion[name], name)
    end
  end)
end)
