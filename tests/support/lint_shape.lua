-- Sizes of files, functions and structs (DESIGN, section 2), and headers that can be read (section 3).
--   shape: a file has at most 600 lines, a function 60 lines and 6 parameters, a struct 26 members; nothing is torn.
--   headers: no line above 112 columns, no comment above 3 lines (then each @param and @return with as many at most),
--   no measured figures; of public ones every function has a comment, with @return for a status or a pointer. The block
--   that begins with @file in the first line is as long as it needs to be.
local source = require "lint_source"
local c = require "lint_c"

local LIMITS = {
  ["function"] = { lines = 60, count = 6, of = "parameters" },
  prototype = { lines = 60, count = 6, of = "parameters" },
  struct = { lines = math.huge, count = 26, of = "members" },
}
local FILE_LINES, COLUMNS, COMMENT_LINES = 600, 112, 3
-- Units of what was measured: contracts rot with them.
local FIGURES = { "%d ms%f[%W]", "%d us%f[%W]", "%d ns%f[%W]", "%d kB%f[%W]", "%d ?%%%f[^%%]", "times as long%f[%W]",
  "times faster%f[%W]" }

local function lines_of(text)
  local lines = {}
  for line in text:gmatch("([^\n]*)\n") do lines[#lines + 1] = line end
  return lines
end

local function is_public(path) return path:find("^runtime/include/") ~= nil end

local function check_sizes(path, text, lines, report)
  local function check(declared, count, of, most)
    if count <= most then return end
    report(path, declared.line, ("%s has %d %s, expected at most %d"):format(declared.name, count, of, most))
  end
  check({ name = "the file", line = 1 }, #lines, "lines", FILE_LINES)
  for _, declared in ipairs(c.declarations(text)) do
    local limit = LIMITS[declared.kind]
    -- A C++ class is no function; the functions in it are not looked at.
    if not lines[declared.line]:find "^class " then
      check(declared, declared.lines, "lines", limit.lines)
      check(declared, declared.count, limit.of, limit.count)
    end
  end
end

-- The formatter tears a declaration when its comment does not fit: `bool` on one line, `x; ///<` on the next.
local function check_torn(path, lines, report)
  local in_comment = false
  for i, line in ipairs(lines) do
    local code = line:gsub("//.*", ""):gsub("/%*.-%*/", "")
    if in_comment and code:find("*/", 1, true) then
      in_comment = false
    elseif code:find("/*", 1, true) then
      in_comment = true
    elseif not in_comment and not code:find("^%s*#") and not code:find("\\$") then
      local next_line = (lines[i + 1] or ""):gsub("//.*", "")
      if code:find("%*%s*$") and code:find("[%w_]%s*%**%s*$") then
        report(path, i, "torn: `*` at the end of the line")
      elseif code:find("^%s*[%w_][%w_ ]*$") and next_line:find("^%s+[%a_%*][^=]*[;,%)%({]%s*$") and
        not code:find("^%s*else%s*$") and not code:find("^%s*do%s*$") then
        report(path, i, "torn: `" .. code:match("^%s*(.-)%s*$") .. "` alone on its line")
      elseif line:find("^%s*///<") then
        report(path, i, "torn: a comment behind a field goes on in the next line; it stands above")
      end
    end
  end
end

-- Blocks of comment lines: a text, then @param and @return each with theirs.
local function check_comments(path, lines, report)
  local count, first, head = 0, 0, false
  local function finish()
    if count > COMMENT_LINES and not head then
      report(path, first, ("a comment of %d lines, expected at most %d"):format(count, COMMENT_LINES))
    end
    count = 0
  end
  for i, line in ipairs(lines) do
    local text = line:match("^%s*///?([^<].*)$") or line:match("^%s*///?$") or line:match("^%s*/?%*%**(.*)$")
    if not text then
      finish()
      head = i == 1 and line:find("@file", 1, true) ~= nil
    else
      if text:find("^%s*@[pr][ae][rt]") then finish() end
      if count == 0 then first = i end
      if i == 1 then head = true elseif count == 0 and lines[i - 1] == "" then head = false end
      count = count + 1
    end
  end
  finish()
end

local function check_lines(path, text, lines, report)
  for i, line in ipairs(lines) do
    local columns = utf8.len(line) or #line
    if columns > COLUMNS then report(path, i, ("%d columns, expected at most %d"):format(columns, COLUMNS)) end
  end
  for _, piece in ipairs(source.pieces(text, "c")) do
    for _, pattern in ipairs(piece.kind == "comment" and FIGURES or {}) do
      for at in piece.text:gmatch("()" .. pattern) do
        local figure = piece.text:match("[%d.,]*" .. pattern, at)
        local message = ("measured figure '%s': figures stand in tests/README.md"):format(figure)
        report(path, source.line_of(piece, at), message)
      end
    end
  end
end

-- The comment block that ends above a line.
local function comment_above(lines, line)
  local first = line
  while first > 1 and lines[first - 1]:find("^%s*///") do first = first - 1 end
  return table.concat(lines, "\n", first, line - 1)
end

local function check_public(path, text, lines, report)
  for _, declared in ipairs(c.declarations(text)) do
    local comment = comment_above(lines, declared.line)
    if declared.kind == "prototype" and comment == "" then
      report(path, declared.line, ("%s has no comment"):format(declared.name))
    elseif declared.kind == "prototype" and not comment:find("@return", 1, true) and
      (declared.result:find("%*$") or declared.result:find("%f[%w]lw_status$")) then
      report(path, declared.line, ("%s has no @return: which errors, or who owns it?"):format(declared.name))
    end
  end
end

local check = table.remove(arg, 1)
local report = require "lint_report"(check)
for _, path in ipairs(report.files { "runtime", "bindings" }) do
  local text = source.read(path)
  local lines = lines_of(text)
  local header = path:find("%.h$")
  if source.language(path) == "c" and check == "shape" then
    check_sizes(path, text, lines, report)
    check_torn(path, lines, report)
  elseif header and check == "headers" then
    check_lines(path, text, lines, report)
    check_comments(path, lines, report)
    if is_public(path) then check_public(path, text, lines, report) end
  end
end
report.finish()
