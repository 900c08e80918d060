-- How the checks of `make lint` report: faults in the folders of tests/lint_folders.txt are printed, others counted.
-- With paths as arguments all below them are printed.
local source = require "lint_source"

---@param check string  Its name in tests/lint_folders.txt.
return function(check)
  local report = { given = #arg > 0 and arg or nil, faults = 0, left = 0 }
  local enforced = report.given or source.enforced(check)

  --- The files to look at: those given, or all below `paths`.
  function report.files(paths) return source.list(report.given or paths) end

  --- End the program. Fails when there was a fault where the check counts.
  function report.finish()
    if report.left > 0 and not report.given then
      print(("lint: %s: %d left in folders that tests/lint_folders.txt does not list yet"):format(check, report.left))
    end
    if report.given then print(("lint: %s: %d"):format(check, report.faults)) end
    os.exit(report.faults == 0)
  end

  return setmetatable(report, {
    __call = function(_, path, line, message)
      if source.is_in(path, enforced) then
        report.faults = report.faults + 1
        io.write(path, ":", line, ": ", message, "\n")
      else
        report.left = report.left + 1
      end
    end,
  })
end
