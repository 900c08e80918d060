-- Trees, nodes and helpers that are edited while a game runs.
local mods = require "support.mods"

local mod
before_each(function()
  mod = mods.new()
  assert(os.execute(("mkdir -p '%s/behaviors/trees' '%s/behaviors/nodes'"):format(mod.folder, mod.folder)))
end)
after_each(function() mod:remove() end)

-- A world, an agent with the tree "march", and what its leaves print. `node(name, body)` writes the file of a leaf that
-- counts its ticks, every 0.1 s.
local SCRIPT = [=[
local behaviors
local logged = {}
local level = leeward.geometry()
level:add_box { min = { 0, -1, 0 }, max = { 20, 0, 10 } }
local world = leeward.world {
  navmesh = assert(leeward.bake(level)), log = function(level, text) logged[#logged + 1] = level .. ": " .. text end,
}
local notes = {}
function note(text) notes[#notes + 1] = text end
local function taken()
  local text = table.concat(notes, ", ")
  notes = {}
  return text
end
local function node(name, word, more)
  write("behaviors/nodes/" .. name:lower() .. ".lua", ([[
    return require("behaviors").leaf {
      name = "NAME",
      start = function(agent, options, state) state.n = 0 note("NAME starts") return "running", 0.1 end,
      tick = function(agent, options, state)
        state.n = state.n + 1
        note("WORD " .. state.n)
        if agent.blackboard.NAME then return "success" end
        return "running", 0.1
      end,
      stop = function(agent, options, state, how) note("NAME " .. how) MORE end,
    }
  ]]):gsub("NAME", name):gsub("WORD", word):gsub("MORE", more or ""))
end
local function tree(name, text)
  write("behaviors/trees/" .. name .. ".lua", [[
    local b = require "behaviors"
    local function leaf(name) return require("behaviors.nodes." .. name) {} end
    return ]] .. text)
end
local function reload()
  local files, message, code = leeward.reload()
  if not files then return tostring(message) .. " " .. code end
  return table.concat(files, " ")
end
local function spawn(name) return assert(world:spawn { profile = "human", at = { 1, 0, 1 }, tree = name }) end
node("Left", "left")
node("Right", "right")
tree("march", "b.sequence { leaf 'left', leaf 'right' }")
local agent = spawn "march"
world:run(0.25)
taken()
]=]

local function run(script) return (mod:run((SCRIPT:gsub("\n", " ")) .. script):gsub("\t", " ")) end

describe("leeward.reload", function()
  it("finds nothing where no script was edited", function()
    assert.equal("0 right 1 0", run [[
      local count = #leeward.reload()
      agent.blackboard.Left = true
      world:run(0.25)
      local text = taken():match "right 1"
      print(count, text, #leeward.reload())
    ]])
  end)

  it("lets what runs go on in an edited tree", function()
    assert.equal("MOD/behaviors/trees/march.lua\nleft 3, Left success, Right starts\nRight aborted, Left starts\n"
      .. "march > sequence > Left", run [[
      tree("march", "b.sequence { leaf 'right', leaf 'left', b.wait(0), leaf 'right' }")
      print(reload())
      agent.blackboard.Left = true
      world:run(0.1)
      print(taken())
      tree("march", "b.sequence { leaf 'left' }")
      reload()
      agent.blackboard.Left = nil
      world:step()
      world:step()
      print(taken())
      print(agent:why():match "^[^:]*")
    ]])
  end)

  it("runs the new functions of an edited node, with the state that there is", function()
    assert.equal("MOD/behaviors/nodes/left.lua\nnew 3, new 4", run [[
      node("Left", "new")
      print(reload())
      world:run(0.2)
      print(taken())
    ]])
  end)

  it("runs again all that needs an edited helper", function()
    mod:write("behaviors/steps.lua", "return { word = 'one' }")
    mod:write("behaviors/nodes/step.lua", [[
      local steps = require "behaviors.steps"
      return require("behaviors").leaf { name = "Step", tick = function() note(steps.word) return "running", 0.1 end }
    ]])
    assert.equal("one MOD/behaviors/steps.lua two, two", run [[
      tree("stepper", "leaf 'step'")
      spawn "stepper"
      agent:despawn()
      taken()
      world:step()
      local before = taken()
      write("behaviors/steps.lua", "return { word = 'two' }")
      local files = reload()
      world:run(0.2)
      print(before, files, taken())
    ]])
  end)

  it("reloads a tree within a tree", function()
    assert.equal("MOD/behaviors/trees/patrol.lua\nLeft aborted, Right starts", run [[
      tree("patrol", "leaf 'left'")
      tree("outer", "b.sequence { b.subtree { tree = 'patrol' }, b.wait(1) }")
      agent:despawn()
      local other = spawn "outer"
      world:step()
      taken()
      tree("patrol", "leaf 'right'")
      print(reload())
      world:step()
      print(taken())
    ]])
  end)

  it("gives the new tree to new spawns, also of a tree that was asked for before", function()
    assert.equal("Right starts\nRight starts\nstands", run [[
      local held = leeward.tree "march"
      agent:despawn()
      taken()
      tree("march", "leaf 'right'")
      reload()
      spawn "march"
      world:step()
      print(taken())
      spawn(held)
      world:step()
      print(taken())
      leeward.tree("march", { kind = "wait", min = 9, max = 9 }) -- a script's own: files say nothing of it any more
      tree("march", "leaf 'left'")
      reload()
      print(spawn("march"):why():match "stands")
    ]])
  end)

  it("leaves all as it was where a file is wrong, and says what", function()
    assert.equal("error loading module 'behaviors.nodes.left' from file 'MOD/behaviors/nodes/left.lua': " .. [[
MOD/behaviors/nodes/left.lua:1: syntax error near 'oops' BAD_FILE
MOD/behaviors/nodes/left.lua:1: out of order BAD_FILE
MOD/behaviors/trees/march.lua:1: sequence: unknown key 'reactve'. Did you mean 'reactive'? BAD_FILE
MOD/behaviors/trees/march.lua:1: result is nil, expected a tree BAD_FILE
left 3
true true
MOD/behaviors/nodes/left.lua
new 4]], run [[
      local module, named = require "behaviors.nodes.left", leeward.tree "march"
      write("behaviors/nodes/left.lua", "oops oops")
      print(reload())
      write("behaviors/nodes/left.lua", "error 'out of order'")
      print(reload())
      node("Left", "left")
      tree("march", "b.sequence { leaf 'left', reactve = true }")
      print(reload())
      tree("march", "nil")
      print(reload())
      world:run(0.1)
      print(taken())
      print(require "behaviors.nodes.left" == module, leeward.tree "march" == named)
      tree("march", "b.sequence { leaf 'left', leaf 'right' }")
      node("Left", "new")
      print(reload())
      world:run(0.1)
      print(taken())
    ]])
  end)

  it("changes nothing of scripts where a profile is wrong", function()
    assert.equal("MOD/scripts/profiles/tall.lua: radius is -1, expected metres from 0 to 1000 BAD_FILE\nleft 3", run [[
      write("scripts/profiles/tall.lua", "return { extends = 'human' }")
      leeward.profile "tall"
      write("scripts/profiles/tall.lua", "return { extends = 'human', radius = -1 }")
      node("Left", "new")
      print(reload())
      world:run(0.1)
      print(taken())
    ]])
  end)

  it("lets coroutines run to their end, and then runs the new function", function()
    assert.equal("old begins, old ends, new begins\ntick", run [[
      local function walk(word)
        write("behaviors/nodes/walk.lua", ("return require('behaviors').leaf { name = 'Walk', run = function(agent) "
          .. "note 'WORD begins' agent:wait(0.1) note 'WORD ends' end }"):gsub("WORD", word))
      end
      walk "old"
      tree("walker", "leaf 'walk'")
      agent:despawn()
      local walker = spawn "walker"
      world:step()
      walk "new"
      reload()
      world:run(0.15)
      print((taken():gsub("Left aborted, ", "")))
      write("behaviors/nodes/walk.lua", -- it is no coroutine any more: what runs is closed
        "return require('behaviors').leaf { name = 'Walk', tick = function() note 'tick' return 'running', 1 end }")
      world:run(0.05)
      reload()
      world:step()
      print((taken():gsub("new begins, ", "")))
    ]])
  end)

  it("takes over from inside a step at the next one", function()
    assert.equal("reloaded\nnew 1", run [[
      write("behaviors/nodes/edit.lua", "return require('behaviors').leaf { name = 'Edit', tick = function() "
        .. "edit() return 'running', 99 end }")
      function edit() node("Left", "new") print(#leeward.reload() == 1 and "reloaded") end
      tree("editor", "leaf 'edit'")
      agent:despawn()
      spawn "editor"
      world:step()
      local marching = spawn "march"
      world:run(0.15)
      print((taken():gsub(".*Left starts, ", "")))
    ]])
  end)

  it("survives leaves that despawn, set a tree or destroy the world when they are aborted", function()
    assert.equal("true\nfalse\nstands\nuse after destroy", run [[
      local other = spawn "march"
      node("Left", "left", "if mischief then mischief(agent) end")
      reload()
      world:step()
      function mischief(who) if who == other then other:despawn() end end
      tree("march", "leaf 'right'")
      reload()
      world:step()
      print(agent:is_alive())
      print(other:is_alive())
      tree("march", "leaf 'left'")
      reload()
      world:step()
      function mischief(who) mischief = nil who:set_tree { kind = "wait", min = 9, max = 9 } end
      tree("march", "leaf 'right'")
      reload()
      world:step()
      print(agent:why():match "stands")
      local last = spawn "march"
      tree("march", "leaf 'left'")
      reload()
      world:step()
      function mischief() world:destroy() end
      tree("march", "leaf 'right'")
      reload()
      local good, message = pcall(world.step, world)
      print(not good and message:find "destroy" and "use after destroy" or message)
    ]])
  end)

  it("keeps what a file was that is removed, and says so, until there is one again", function()
    assert.equal("MOD/behaviors/trees/march.lua: the file of the tree 'march' is removed; looked for"
      .. " behaviors/trees/march.lua in ROOTS BAD_FILE\n"
      .. "there is no node 'behaviors.nodes.left' BAD_FILE left 3\nMOD/behaviors/nodes/left.lua new 4", run [[
      os.remove(MOD .. "/behaviors/trees/march.lua")
      print((reload():gsub("lua in .* BAD", "lua in ROOTS BAD")))
      tree("march", "b.sequence { leaf 'left', leaf 'right' }")
      os.remove(MOD .. "/behaviors/nodes/left.lua")
      local message = reload():match("there is no node 'behaviors.nodes.left'") .. " " .. reload():match "BAD_FILE"
      world:run(0.1)
      print(message, taken())
      node("Left", "new")
      local files = reload()
      world:run(0.1)
      print(files, taken())
    ]])
  end)

  it("drops a module whose file is removed, once nothing needs it", function()
    assert.equal("MOD/behaviors/nodes/right.lua MOD/behaviors/trees/march.lua nil 0", run [[
      os.remove(MOD .. "/behaviors/nodes/right.lua")
      tree("march", "b.sequence { leaf 'left' }")
      local files = reload()
      print(files, package.loaded["behaviors.nodes.right"], #leeward.reload())
    ]])
  end)

  it("does not miss the file of a tree that a script has replaced", function()
    assert.equal("0", run [[
      leeward.tree("march", { kind = "wait", min = 9, max = 9 })
      os.remove(MOD .. "/behaviors/trees/march.lua")
      print(#leeward.reload())
    ]])
  end)

  it("takes a mod's file that comes to hide a shipped one, and the shipped one when it goes", function()
    assert.equal("MOD/behaviors/trees/wander.lua Left starts 1 ...behaviors/trees/wander.lua", run [[
      agent:despawn()
      spawn "wander"
      world:step()
      taken()
      tree("wander", "leaf 'left'")
      local files = reload()
      world:step()
      local text = taken()
      os.remove(MOD .. "/behaviors/trees/wander.lua")
      local back = leeward.reload()
      print(files, text, #back, "..." .. back[1]:match "behaviors/trees/wander.lua$")
    ]])
  end)

  it("leaves the global require as it was", function()
    assert.equal("true", run [[
      local before = require
      tree("other", "leaf 'right'")
      spawn "other"
      node("Right", "new")
      reload()
      write("behaviors/nodes/right.lua", "error 'no'")
      reload()
      print(require == before)
    ]])
  end)
end)

describe("world:reload", function()
  it("logs the scripts that it reloads, and what is wrong with them", function()
    assert.equal("info: reloaded MOD/behaviors/nodes/left.lua\n"
      .. "error: not reloaded, the previous data stay in use: MOD/behaviors/nodes/left.lua:1: no", run [[
      node("Left", "new")
      world:reload()
      write("behaviors/nodes/left.lua", "error 'no'")
      world:reload()
      print(table.concat(logged, "\n"))
    ]])
  end)
end)

describe("leeward run --watch", function()
  it("reloads scripts that are edited", function()
    mod:write("behaviors/trees/edits.lua", [[
      local b = require "behaviors"
      local Edit = b.leaf { name = "Edit", tick = function()
        local handle = assert(io.open("]] .. mod.folder .. [[/behaviors/trees/edits.lua", "w"))
        handle:write("local b = require 'behaviors' print 'edited' return b.wait(9)")
        handle:close()
        os.execute("sleep 0.6")
        return "running", 99
      end }
      return Edit()
    ]])
    mod:write("edit.lua", [[
      return { level = "courtyard", seconds = 0.2, setup = function(world)
        assert(world:spawn { profile = "human", at = { 0, 0, 20 }, tree = "edits" })
        return true
      end }
    ]])
    local status, output, errors = mod:program("run", "MOD/edit.lua", "--headless", "--watch")
    assert.equal(0, status, errors)
    assert.matches("\nedited\n", output)
    assert.matches("\nreloaded MOD/behaviors/trees/edits.lua\n", errors)
  end)
end)
