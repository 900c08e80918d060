--- Which world is the current one, block by block of busted: what a test opens ends with it, and what setup or
--- before_each opens ends with the block that they are of. A test in whose world an error was logged that nothing has
--- looked for fails as it ends.

local blocks = {}

--- blocks.follow(current, set_current): without busted, nothing is done.
function blocks.follow(current, set_current)
  local busted = package.loaded.busted
  if type(busted) ~= "table" or not busted.subscribe then return end
  local outer = {}  -- by element: the stage before it began
  local after_test  -- since the last test has ended: { opened =, outer = }

  -- after_each comes after the end of its test, and before_each before the beginning: a test's stage stays in between.
  local function forget_test()
    if after_test and current(true) == after_test.opened then set_current(after_test.outer) end
    after_test = nil
  end

  local function begin(element)
    forget_test()
    outer[element] = current(true)
    return nil, true -- other subscribers are called, too
  end

  for _, kind in ipairs { "file", "describe" } do
    busted.subscribe({ kind, "start" }, begin)
    busted.subscribe({ kind, "end" }, function(element)
      after_test = nil
      set_current(outer[element])
      outer[element] = nil
      return nil, true
    end)
  end
  local function begin_test(element)
    local run = element.run
    element.run = run and function(...)
      run(...)
      local stage = current(true)
      if stage then stage:check_log() end
    end
    return begin(element)
  end

  busted.subscribe({ "test", "start" }, begin_test)
  busted.subscribe({ "test", "end" }, function(element)
    after_test = { opened = current(true), outer = outer[element] }
    outer[element] = nil
    return nil, true
  end)
end

return blocks
