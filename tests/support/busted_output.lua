-- How busted's results are printed: a line a spec file, what failed in full, why things were skipped, and counts that
-- tests/run adds to those of the C tests.
return function(options)
  local busted = require "busted"
  local handler = require "busted.outputHandlers.base"()
  local count = { passed = 0, failed = 0, skipped = 0 }
  local file = { name = nil, passed = 0 }

  local function name_of(element)
    local names = {}
    while element and element.descriptor ~= "file" do
      table.insert(names, 1, element.name or element.descriptor)
      element = busted.parent(element)
    end
    return table.concat(names, " ")
  end

  local function report(kind, element, message)
    io.write(("%s: %s\n"):format(kind, name_of(element)))
    if message then io.write("    ", (tostring(message):gsub("\n", "\n    ")), "\n") end
    io.flush()
  end

  function handler.fileStart(element)
    file = { name = element.name, passed = 0 }
    return nil, true
  end

  function handler.fileEnd()
    io.write(("%-24s %3d passed\n"):format((file.name or "?"):match("[^/]*$"):gsub("%.lua$", ""), file.passed))
    io.flush()
    return nil, true
  end

  function handler.testEnd(_, _, status)
    if status == "success" then
      count.passed = count.passed + 1
      file.passed = file.passed + 1
    elseif status == "pending" then
      count.skipped = count.skipped + 1
    else
      count.failed = count.failed + 1
    end
    return nil, true
  end

  function handler.testFailure(element, _, message)
    report("FAILED", element, type(message) == "table" and (message.message or message) or message)
    return nil, true
  end

  function handler.pending(element, _, message)
    report("skipped", element, message and (message.message or message) or nil)
    return nil, true
  end

  -- An error outside a test (while a file loads, in setup) is a failure too.
  function handler.error(element, _, message, trace)
    if element.descriptor == "it" then return nil, true end
    count.failed = count.failed + 1
    report("ERROR", element, message)
    if options.verbose and trace then io.write(tostring(trace.traceback), "\n") end
    return nil, true
  end

  function handler.exit()
    io.write(("busted: %d passed, %d failed, %d skipped\n"):format(count.passed, count.failed, count.skipped))
    return nil, true
  end

  busted.subscribe({ "file", "start" }, handler.fileStart)
  busted.subscribe({ "file", "end" }, handler.fileEnd)
  busted.subscribe({ "test", "end" }, handler.testEnd, { predicate = handler.cancelOnPending })
  busted.subscribe({ "failure", "it" }, handler.testFailure)
  busted.subscribe({ "error", "it" }, handler.testFailure)
  busted.subscribe({ "pending" }, handler.pending)
  busted.subscribe({ "failure" }, handler.error)
  busted.subscribe({ "error" }, handler.error)
  busted.subscribe({ "exit" }, handler.exit)
  return handler
end
