-- Listeners of permutations: functions that are called when a state has taken effect.
local door = require "support.door"

local DOOR, THROUGH = door.DOOR, door.THROUGH

local world, log
before_each(function() world, log = door.world() end)

local function code_of(query) return select(3, world:find_path(query or THROUGH)) end
local function is_open() return code_of() == nil end

describe("a listener", function()
  local heard
  before_each(function()
    heard = {}
    world:permutation("door", DOOR)
    world:step()
  end)

  local function listen(name) return function(...) heard[#heard + 1] = table.concat({ name, ... }, " ") end end

  it("is called in the step in which a state takes effect, when the ground has changed", function()
    world:on_permutation(function(name, state) heard[#heard + 1] = { name, state, is_open(), world:steps() } end)
    world:set_permutation("door", "shut")
    assert.same({}, heard)
    world:run(1)
    assert.same({ { "door", "shut", false, 1 } }, heard)
    world:set_permutation("door", "open")
    world:apply_changes()
    assert.same({ "door", "open", true, world:steps() }, heard[2])
  end)

  it("is called for the first state, too", function()
    world:on_permutation(listen "a")
    world:permutation("window", { shut = {} })
    world:step()
    assert.same({ "a window shut" }, heard)
  end)

  it("is called once for the last of several states that are set within a step", function()
    world:on_permutation(listen "a")
    for _, state in ipairs { "shut", "open", "shut" } do world:set_permutation("door", state) end
    world:run(1)
    assert.same({ "a door shut" }, heard)
  end)

  it("is called for a state that comes with a saved game, in the first step after it", function()
    local file = os.tmpname()
    world:on_permutation(listen "a")
    world:set_permutation("door", "shut")
    world:step()
    local hash = world:hash()
    assert(world:save(file))
    world:set_permutation("door", "open")
    world:step()
    assert(world:load(file))
    assert.equal(hash, world:hash())
    world:step()
    world:step()
    assert.same({ "a door shut", "a door open", "a door shut" }, heard)
    assert(world:load(file))
    world:step()
    assert.equal(3, #heard)
    os.remove(file)
  end)

  it("is not called when nothing changes", function()
    world:on_permutation(listen "a")
    world:set_permutation("door", "open")
    world:run(1)
    assert.same({}, heard)
  end)

  it("is one of any number, in the order in which they were added, until all are removed", function()
    world:on_permutation(listen "a")
    world:on_permutation(listen "b")
    world:set_permutation("door", "shut")
    world:step()
    assert.same({ "a door shut", "b door shut" }, heard)
    world:on_permutation(nil)
    world:set_permutation("door", "open")
    world:step()
    assert.equal(2, #heard)
    world:on_permutation(listen "c")
    world:set_permutation("door", "shut")
    world:step()
    assert.equal("c door shut", heard[3])
  end)

  it("may remove all listeners, and the others are not called any more", function()
    world:on_permutation(function() world:on_permutation(nil) world:on_permutation(listen "new") end)
    world:on_permutation(listen "old")
    world:set_permutation("door", "shut")
    world:step()
    assert.same({}, heard)
    world:set_permutation("door", "open")
    world:step()
    assert.same({ "new door open" }, heard)
  end)

  it("may set permutations, which take effect in the next step", function()
    world:permutation("alarm", { default = "off", off = {}, on = {} })
    world:step()
    world:on_permutation(listen "a")
    world:on_permutation(function(name) if name == "alarm" then world:set_permutation("door", "shut") end end)
    world:set_permutation("alarm", "on")
    world:step()
    assert.is_true(is_open())
    world:step()
    assert.is_false(is_open())
    assert.same({ "a alarm on", "a door shut" }, heard)
  end)

  it("may spawn", function()
    world:on_permutation(function() world:spawn { profile = "human", at = { 1, 0, 1 } } end)
    world:set_permutation("door", "shut")
    world:step()
    assert.equal(1, #world:agents())
  end)

  it("may destroy the world", function()
    world:on_permutation(function() world:destroy() end)
    world:on_permutation(listen "late")
    world:set_permutation("door", "shut")
    world:step()
    assert.has_error(function() world:step() end, "step: the world was destroyed")
    assert.same({}, heard)
  end)

  it("may not step the world", function()
    world:on_permutation(function() world:step() end)
    world:set_permutation("door", "shut")
    world:step()
    assert.matches("step: called from inside a step or a leaf", log[1], 1, true)
  end)

  it("that fails is reported with its line, and the world and the other listeners go on", function()
    local line = debug.getinfo(1, "l").currentline + 1
    world:on_permutation(function() error "stuck hinge" end)
    world:on_permutation(listen "b")
    world:set_permutation("door", "shut")
    world:run(1)
    assert.same({ "b door shut" }, heard)
    assert.same({ ("error: on_permutation, 'door' is 'shut': tests/spec/permutation_listener_spec.lua:%d: stuck hinge")
      :format(line) }, log)
  end)

  it("that fails without a text is reported, too", function()
    world:on_permutation(function() error(setmetatable({}, { __tostring = function() return "a hinge" end })) end)
    world:set_permutation("door", "shut")
    world:step()
    assert.matches("permutation_listener_spec.lua:%d+: a hinge$", log[1])
  end)

  it("that never returns ends when it has run the instructions of a leaf", function()
    world:on_permutation(function() while true do end end)
    world:set_permutation("door", "shut")
    world:step()
    assert.matches("permutation_listener_spec.lua:%d+: the listener to permutations did not return within 100000 "
      .. "instructions, the world's leaf_instructions$", log[1])
    assert.is_nil((debug.gethook()))
  end)

  it("is a function", function()
    assert.error_matches(function() world:on_permutation "door" end,
      "on_permutation: f is 'door', expected a function or nil", 1, true)
  end)
end)
