-- Reads C and C++ as far as sizes and declarations need it: functions, their parameters, and members of structs.
local c = {}

---@class Token
---@field text string
---@field line integer

-- Tokens without comments and preprocessor lines; strings and numbers are one token each.
local function tokenize(text)
  local tokens, at, line = {}, 1, 1
  local function skip(to)
    line = line + select(2, text:sub(at, to):gsub("\n", ""))
    at = to + 1
  end
  while at <= #text do
    local two, one = text:sub(at, at + 1), text:sub(at, at)
    if one:find("%s") then
      skip(at)
    elseif two == "//" then
      skip((text:find("\n", at, true) or #text + 1) - 1)
    elseif two == "/*" then
      skip(select(2, text:find("*/", at + 2, true)) or #text)
    elseif one == "#" then
      local to = at
      repeat
        to = text:find("\n", to + 1, true) or #text + 1
      until text:sub(to - 1, to - 1) ~= "\\"
      skip(to - 1)
    else
      local word = text:match("^[%w_]+", at)
      local to = word and at + #word - 1 or at
      if one == '"' or one == "'" then
        to = at + 1
        while to <= #text and text:sub(to, to) ~= one do to = to + (text:sub(to, to) == "\\" and 2 or 1) end
      end
      tokens[#tokens + 1] = { text = text:sub(at, to), line = line }
      skip(to)
    end
  end
  return tokens
end

local CLOSES = { ["("] = ")", ["{"] = "}", ["["] = "]" }

-- The index of what closes the bracket at `at`.
local function closing(tokens, at)
  local depth, open, close = 0, tokens[at].text, CLOSES[tokens[at].text]
  for i = at, #tokens do
    if tokens[i].text == open then depth = depth + 1 end
    if tokens[i].text == close then depth = depth - 1 end
    if depth == 0 then return i end
  end
  return #tokens
end

local function count_commas(tokens, from, to)
  local count, i = 0, from
  while i <= to do
    if CLOSES[tokens[i].text] then i = closing(tokens, i) end
    if tokens[i] and tokens[i].text == "," then count = count + 1 end
    i = i + 1
  end
  return count
end

local function parameters(tokens, open, close)
  if close == open + 1 or (close == open + 2 and tokens[open + 1].text == "void") then return 0 end
  local variable = tokens[close - 1].text == "." and 1 or 0 -- `...` is no parameter of its own
  return count_commas(tokens, open + 1, close - 1) + 1 - variable
end

-- Members declared between [from, to]: what several names declare at once counts once a name.
local members
members = function(tokens, from, to, found)
  local count, i, first = 0, from, from
  while i <= to do
    local text = tokens[i].text
    if text == "{" then
      local close = closing(tokens, i)
      local method = tokens[i - 1].text == ")" or tokens[i - 1].text == "const" or tokens[i - 1].text == "}"
      local is_enum = false
      for k = first, i do is_enum = is_enum or tokens[k].text == "enum" end
      if method then
        found.body(first, i, close)
        first = close + 1
      elseif not is_enum then
        local inner = members(tokens, i + 1, close - 1, found)
        local anonymous = tokens[close + 1].text == ";" -- its members are the outer struct's
        if anonymous then count = count + inner - 1 end
      end
      i = close
    elseif text == "(" or text == "[" then
      i = closing(tokens, i)
    elseif text == ";" then
      count = count + 1
      first = i + 1
    elseif text == "," then
      count = count + 1
    end
    i = i + 1
  end
  return count
end

local function has(tokens, from, to, word)
  for i = from, to do
    if tokens[i].text == word then return i end
  end
end

---@class Declaration
---@field kind "function"|"prototype"|"struct"
---@field name string
---@field line integer  The first line of it.
---@field lines integer  How many it has.
---@field count integer  Of parameters or members.
---@field result string  The words before a function's name.

--- What a file declares at its outermost level, in order.
---@return Declaration[]
function c.declarations(text)
  local tokens, list = tokenize(text), {}

  local function add_function(kind, first, open, last)
    local close = closing(tokens, open)
    local words = {}
    for i = first, open - 2 do words[#words + 1] = tokens[i].text end
    list[#list + 1] = { kind = kind, name = tokens[open - 1].text, line = tokens[first].line,
      lines = tokens[last].line - tokens[first].line + 1, count = parameters(tokens, open, close),
      result = table.concat(words, " ") }
  end
  local found = {}
  function found.body(first, open, close)
    local bracket = has(tokens, first, open, "(")
    if bracket then add_function("function", first, bracket, close) end
  end

  local i, first = 1, 1
  while i <= #tokens do
    local text_of = tokens[i].text
    if text_of == "{" then
      local close = closing(tokens, i)
      local outer = tokens[first].text == "extern" or tokens[first].text == "namespace"
      if outer and i - first <= 2 then -- what is in it counts as outermost
        first, close = i + 1, i
      elseif tokens[i - 1].text == ")" or tokens[i - 1].text == "noexcept" then
        found.body(first, i, close)
        first = close + 1
      elseif (has(tokens, first, i, "struct") or has(tokens, first, i, "union") or has(tokens, first, i, "class"))
        and not has(tokens, first, i, "=") then
        local name = tokens[i - 1].text
        list[#list + 1] = { kind = "struct", name = name, line = tokens[first].line, result = "",
          lines = tokens[close].line - tokens[first].line + 1, count = members(tokens, i + 1, close - 1, found) }
      end
      i = close
    elseif text_of == "}" then
      first = i + 1 -- of `extern` or a namespace
    elseif text_of == ";" then
      local bracket = has(tokens, first, i, "(")
      local plain = bracket and bracket > first + 1 and tokens[bracket + 1].text ~= "*"
      if plain and tokens[first].text ~= "typedef" and not has(tokens, first, bracket, "=") then
        add_function("prototype", first, bracket, i)
      end
      first = i + 1
    end
    i = i + 1
  end
  return list
end

return c
