local leeward = require "leeward"

local function bake(settings)
  local geometry = leeward.geometry()
  geometry:add_box { at = { 0, -1, 0 }, size = { 30, 1, 30 } }
  for i = -2, 2 do geometry:add_box { at = { 5 * i, 0, i }, size = { 1.5, 3, 1.5 }, area = false } end
  settings = settings or {}
  settings.cell_size = 0.2
  return leeward.bake(geometry, settings)
end

local navmesh = bake()

describe("navmesh:survey_exposure", function()
  it("tells what each accuracy costs and loses", function()
    local survey = navmesh:survey_exposure { eyes = 8, segments = 40, rounds = 3 }
    assert.equal(8 * 40, survey.segments)
    assert.equal(navmesh:stats().occluders, survey.occluders)
    assert.is_true(survey.occluder_bytes > 32 * survey.occluders / 4)
    assert.is_true(survey.length > 1 and survey.length <= 12.01)
    assert.is_true(survey.exposed > 0.2 and survey.exposed < 1)
    assert.equal(0, survey.exact.worst)
    assert.equal(0, survey.exact.set_up)
    for _, way in ipairs { survey.fast, survey.rays } do
      assert.is_true(way.mean > 0 and way.mean < 0.02)
      assert.is_true(way.mean <= way.p99 and way.p99 <= way.worst and way.worst <= 1)
    end
    assert.is_true(survey.fast.set_up > 0)
    assert.is_true(survey.fast.seconds < survey.exact.seconds)
    assert.is_true(survey.exact.seconds < survey.rays.seconds)
    assert.is_true(survey.fast.bytes >= 6 * 128 * 128 * 2 and survey.fast.bytes < 200000) -- half floats
    assert.is_nil(survey.map) -- this navmesh has no cover map
  end)

  it("asks the same for the same seed", function()
    local function off(seed)
      local survey = navmesh:survey_exposure { eyes = 3, segments = 30, rounds = 1, seed = seed }
      return { survey.length, survey.exposed, survey.fast.mean, survey.fast.worst, survey.rays.mean }
    end
    assert.same(off(7), off(7))
    assert.not_same(off(7), off(8))
  end)

  it("sees less of those who crouch behind low walls", function()
    local geometry = leeward.geometry()
    geometry:add_box { at = { 0, -1, 0 }, size = { 30, 1, 30 } }
    for i = -3, 3 do geometry:add_box { at = { 0, 0, 4 * i }, size = { 20, 1.1, 0.3 }, area = false } end
    local low = leeward.bake(geometry, { cell_size = 0.2 })
    local options = { eyes = 5, segments = 50, rounds = 1 }
    local standing = low:survey_exposure(options)
    options.stance = "crouch"
    assert.is_true(low:survey_exposure(options).exposed < standing.exposed)
  end)

  it("says when there is nothing to measure", function()
    assert.same({ nil, "the navmesh has no occluders: it hides nothing", "EMPTY", n = 3 },
      table.pack(bake { occluders = false }:survey_exposure()))
  end)

  it("refuses what it cannot make sense of, with its name", function()
    local function refuses(text, options)
      assert.has_error(function() navmesh:survey_exposure(options) end, text)
    end
    refuses("survey_exposure: 'eyes' expected a whole number of at least 1, got 0", { eyes = 0 })
    refuses("survey_exposure: segments is 10001: expected 1 to 10000", { segments = 10001 })
    refuses("survey_exposure: unknown key 'segment'. Did you mean 'segments'?", { segment = 3 })
    refuses("survey_exposure: 'length' expected a number from 0.01 to 1000, got 0", { length = 0 })
  end)
end)
