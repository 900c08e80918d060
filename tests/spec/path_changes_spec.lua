local leeward = require "leeward"

-- Two halls of 20 x 20 m and a wall between them, open at one end; a jump leads through a window of it.
local function make_world()
  local geometry = leeward.geometry()
  geometry:add_box { at = { 20, -1, 10 }, size = { 40, 1, 20 } }
  geometry:add_box { at = { 20, 0, 7 }, size = { 1, 3, 14 }, area = false }
  geometry:add_link { name = "window", kind = "jump", from = { 19, 0, 2 }, to = { 21, 0, 2 } }
  return leeward.world { navmesh = leeward.bake(geometry, { agent_radius = 0.4, cell_size = 0.2 }), seed = 1 }
end

describe("path:pieces", function()
  it("says on which polygons, at which prices and versions it was found", function()
    local world = make_world()
    local path = assert(world:find_path { from = { 15, 0, 2 }, to = { 25, 0, 2 }, profile = "soldier" })
    local pieces, corridor = path:pieces(), path:corridor()
    assert.equal(#path:points() - 1, #pieces)
    assert.equal(corridor[1], pieces[1].polygon)
    local sum, points = 0, path:points()
    for index, piece in ipairs(pieces) do
      assert.same({ 1, 0 }, { piece.navmesh, piece.version })
      if not piece.link then sum = sum + piece.price * points[index]:distance(points[index + 1]) end
    end
    local link = path:links()[1]
    assert.equal("window", pieces[link.index].name)
    assert.equal(0, pieces[link.index].price)
    assert.is_true(sum < path:cost() and sum > 0.9 * (path:cost() - 2), sum)
  end)

  it("keeps the version of the navmesh, which grows with each change", function()
    local world = make_world()
    local path = assert(world:find_path { from = { 5, 0, 15 }, to = { 15, 0, 15 } })
    world:add_obstacle { shape = "box", at = { 30, 0, 15 }, size = { 2, 2, 2 } }
    world:step(1 / 60)
    assert.equal(0, path:pieces()[1].version)
    assert.is_true(world:navmesh_version() > 0)
    local later = assert(world:find_path { from = { 5, 0, 15 }, to = { 15, 0, 15 } })
    assert.equal(world:navmesh_version(), later:pieces()[1].version)
    assert.equal(world:navmesh_version(), world:navmesh_version(1))
    assert.is_nil(world:navmesh_version(2))
    world:destroy()
    assert.equal(path:corridor()[1], path:pieces()[1].polygon)
  end)
end)

describe("path:changes", function()
  local world
  before_each(function() world = make_world() end)

  local function kinds(path)
    local list = {}
    for index, change in ipairs(assert(path:changes())) do list[index] = change.kind end
    return list
  end

  it("lists nothing while all is as it was", function()
    local path = assert(world:find_path { from = { 5, 0, 15 }, to = { 35, 0, 15 }, profile = "soldier" })
    world:run(1)
    assert.same({}, path:changes())
  end)

  it("says where an obstacle cuts it, and forgets that once it is gone", function()
    local path = assert(world:find_path { from = { 5, 0, 15 }, to = { 35, 0, 15 } })
    local box = world:add_obstacle { shape = "box", at = { 30, 0, 15 }, size = { 2, 2, 2 } }
    world:step(1 / 60)
    local changes = path:changes()
    assert.equal(1, #changes)
    assert.equal("cut", changes[1].kind)
    assert.is_true(changes[1].blocks)
    assert.is_true(path:corridor()[changes[1].polygon] ~= nil)
    assert.is_true(path:points()[changes[1].point].x < 30)
    box:remove()
    world:step(1 / 60)
    assert.same({}, path:changes())
  end)

  it("does not call it blocked by an obstacle beside it", function()
    local path = assert(world:find_path { from = { 5, 0, 15 }, to = { 35, 0, 15 } })
    world:add_obstacle { shape = "box", at = { 30, 0, 18 }, size = { 2, 2, 2 } }
    world:step(1 / 60)
    for _, change in ipairs(path:changes()) do assert.is_false(change.blocks) end
  end)

  it("tells what became of its links", function()
    local path = assert(world:find_path { from = { 15, 0, 2 }, to = { 25, 0, 2 } })
    local window = world:link "window"
    assert.equal(1, #path:links())
    window:set_cost(5)
    world:step(1 / 60)
    local change = path:changes()[1]
    assert.same({ "link_priced", "window", 0, 5, false },
      { change.kind, change.name, change.before, change.after, change.blocks })
    window:disable()
    world:step(1 / 60)
    assert.same({ "link_disabled", "link_priced" }, kinds(path))
    assert.is_true(path:changes()[1].blocks)
    window:enable()
    window:set_cost(0)
    world:step(1 / 60)
    assert.same({}, kinds(path))
  end)

  it("tells that a link was removed", function()
    local added = world:add_link { kind = "jump", from = { 19, 0, 8 }, to = { 21, 0, 8 } }
    world:step(1 / 60)
    local path = assert(world:find_path { from = { 15, 0, 8 }, to = { 25, 0, 8 } })
    assert.equal(1, #path:links())
    added:remove()
    world:step(1 / 60)
    assert.same({ "link_removed" }, kinds(path))
  end)

  it("says that its world was destroyed, and stays readable", function()
    local path = assert(world:find_path { from = { 5, 0, 15 }, to = { 35, 0, 15 } })
    world:destroy()
    local changes, message, code = path:changes()
    assert.is_nil(changes)
    assert.equal("the path's world was destroyed", message)
    assert.equal("STALE", code)
    assert.is_true(path:length() > 29)
  end)
end)
