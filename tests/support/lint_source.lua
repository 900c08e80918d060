-- What a source file consists of: names, comments and strings, each with its line. For C, C++, Lua and Markdown.
local source = {}

local C_COMMENT, LUA_COMMENT = {}, {}

---@class Piece  A comment, a string or an identifier of a file.
---@field kind "comment"|"string"|"name"
---@field text string
---@field line integer  The first line of it.
---@field starts { [1]: integer, [2]: integer }[]  Offsets in `text`, in order, from which on it stands on which line.

function source.read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

--- Files that git knows or would add, below the given paths.
function source.list(paths)
  local quoted = {}
  for i, path in ipairs(paths) do quoted[i] = "'" .. path:gsub("'", "'\\''") .. "'" end
  local pipe = assert(io.popen("git ls-files -co --exclude-standard -- " .. table.concat(quoted, " ")))
  local files = {}
  for path in pipe:lines() do
    local file = source.language(path) and io.open(path)
    if file then
      file:close()
      files[#files + 1] = path
    end
  end
  pipe:close()
  table.sort(files)
  return files
end

---@return "c"|"lua"|"markdown"|"make"|nil
function source.language(path)
  local extension = path:match("%.(%w+)$")
  if extension == "c" or extension == "h" or extension == "cpp" then return "c" end
  return extension == "lua" and "lua" or extension == "md" and "markdown" or nil
end

local function strip_comment(text, style)
  if style == C_COMMENT then return (text:gsub("^/[/%*]+<?", ""):gsub("%*/$", ""):gsub("\n%s*%*", "\n")) end
  return (text:gsub("^%-%-+", ""):gsub("^%[=*%[", ""):gsub("%]=*%]$", ""))
end

local function count_lines(text) return select(2, text:gsub("\n", "")) end

-- Where a piece ends that begins at `at`, and what it is.
local function next_c(text, at)
  local two, one = text:sub(at, at + 1), text:sub(at, at)
  if two == "//" then return "comment", (text:find("\n", at, true) or #text + 1) - 1 end
  if two == "/*" then return "comment", select(2, text:find("*/", at + 2, true)) or #text end
  if one == '"' or one == "'" then
    local to = at + 1
    while to <= #text and text:sub(to, to) ~= one do to = to + (text:sub(to, to) == "\\" and 2 or 1) end
    return "string", to
  end
  if one == "#" then
    local line = text:match("^#%s*include[^\n]*", at)
    if line then return "skip", at + #line - 1 end
  end
  local word = text:match("^[%a_][%w_]*", at)
  if word then return "name", at + #word - 1 end
  local number = text:match("^%d[%w%.']*", at)
  return "skip", at + (number and #number - 1 or 0)
end

local function next_lua(text, at)
  local one = text:sub(at, at)
  local level = text:match("^%-%-%[(=*)%[", at)
  if level then return "comment", select(2, text:find("]" .. level .. "]", at, true)) or #text end
  if text:sub(at, at + 1) == "--" then return "comment", (text:find("\n", at, true) or #text + 1) - 1 end
  level = text:match("^%[(=*)%[", at)
  if level then return "string", select(2, text:find("]" .. level .. "]", at, true)) or #text end
  if one == "/" then return "skip", at end -- a division, or `//`
  return next_c(text, at)
end

-- Is the piece at [from, to] alone on its lines?
local function is_alone(text, from, to)
  local before = from - 1
  while before >= 1 and text:sub(before, before):find("[ \t]") do before = before - 1 end
  return (before < 1 or text:sub(before, before) == "\n") and (to == #text or text:find("^[ \t]*\n", to + 1) ~= nil)
end

-- Comments in successive lines of their own are read as one text, because phrases run on from line to line.
local function add(pieces, text, kind, from, to, line, style)
  local body = text:sub(from, to)
  local alone = kind == "comment" and is_alone(text, from, to)
  if kind == "comment" then body = strip_comment(body, style) end
  local last = pieces[#pieces]
  if alone and last and last.alone and last.last_line + 1 == line then
    last.starts[#last.starts + 1] = { #last.text + 2, line }
    last.text = last.text .. "\n" .. body
  else
    last = { kind = kind, text = body, line = line, starts = { { 1, line } }, alone = alone }
    pieces[#pieces + 1] = last
  end
  local number = line
  for newline in body:gmatch("()\n") do
    number = number + 1
    last.starts[#last.starts + 1] = { #last.text - #body + newline + 1, number }
  end
  last.last_line = number
end

--- The pieces of a file in order.
---@return Piece[]
function source.pieces(text, language)
  if language == "markdown" then
    local pieces = {}
    add(pieces, text, "comment", 1, #text, 1, LUA_COMMENT)
    return pieces
  end
  local next_piece = language == "lua" and next_lua or next_c
  local style = language == "lua" and LUA_COMMENT or C_COMMENT
  local pieces, at, line = {}, 1, 1
  while at <= #text do
    local kind, to = next_piece(text, at)
    if kind ~= "skip" then add(pieces, text, kind, at, to, line, style) end
    line = line + count_lines(text:sub(at, to))
    at = to + 1
  end
  return pieces
end

--- The line of an offset in a piece's text.
function source.line_of(piece, offset)
  local line = piece.line
  for _, start in ipairs(piece.starts) do
    if start[1] > offset then break end
    line = start[2]
  end
  return line
end

--- Does a path lie in one of the folders (or is it one of the files)?
function source.is_in(path, folders)
  for _, folder in ipairs(folders) do
    if path == folder or path:sub(1, #folder + 1) == folder .. "/" or folder == "." then return true end
  end
  return false
end

--- The folders in which a check of tests/lint_folders.txt counts.
function source.enforced(check)
  local folders = {}
  for line in source.read("tests/lint_folders.txt"):gmatch("[^\n]+") do
    for path in (line:match("^" .. check .. ":(.*)") or ""):gmatch("%S+") do
      folders[#folders + 1] = path:match("^(.-)/?$")
    end
  end
  return folders
end

return source
