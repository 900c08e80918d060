-- Looks for the words of tests/words.txt in names, comments and strings.
local source = require "lint_source"
local report = require "lint_report"("words")

local EVERYWHERE = { "runtime", "bindings", "scripts", "behaviors", "README.md", "tests/README.md" }
-- Names of libraries are theirs.
local FOREIGN = { "^lua", "^SDL", "^TTF", "^IMG", "^ai%u", "^rc%u", "^dt%u", "^du%u" }

local function split(text, separator)
  local parts = {}
  for part in (text .. separator):gmatch("(.-)%" .. separator) do
    part = part:match("^%s*(.-)%s*$")
    if part ~= "" then parts[#parts + 1] = part end
  end
  return parts
end

local function phrases(text)
  local list = {}
  for _, phrase in ipairs(split(text, ",")) do
    local words = {}
    for word in phrase:gmatch("%S+") do words[#words + 1] = "^" .. word .. "$" end
    list[#list + 1] = words
  end
  return list
end

local function read_rules(path)
  local rules, number = {}, 0
  for line in source.read(path):gmatch("([^\n]*)\n") do
    number = number + 1
    if line:find("%S") and not line:find("^#") then
      local words, where, folders, instead, except = line:match("^(.-)|(.-)|(.-)|(.-)|(.*)$")
      where = where and where:match("%S+")
      if not (where == "all" or where == "names" or where == "text") then
        error(("%s:%d: expected `words | where | folders | say instead | but not in`"):format(path, number), 0)
      end
      local rule = { words = phrases(words), where = where, except = phrases(except), only = {}, without = {} }
      rule.instead = instead:match("^%s*(.-)%s*$")
      for folder in folders:gmatch("%S+") do
        local without = folder:match("^%-(.+)")
        table.insert(without and rule.without or rule.only, without or folder)
      end
      rules[#rules + 1] = rule
    end
  end
  return rules
end

local function applies(rule, path)
  return (#rule.only == 0 or source.is_in(path, rule.only)) and not source.is_in(path, rule.without)
end

-- The words of a text: identifiers are `name`s of several words.
local function tokens_of(text)
  local tokens = {}
  local function add(word, at, name) tokens[#tokens + 1] = { word = word:lower(), at = at, name = name } end
  for at, word in text:gmatch("()([%a_][%w_']*)") do
    word = word:gsub("'s?$", "")
    if word:find("_", 1, true) or word:find("%d") then
      for offset, part in word:gmatch("()([%a]+)") do add(part, at + offset - 1, word) end
    else
      add(word, at, nil)
    end
  end
  return tokens
end

local function is_foreign(name)
  for _, pattern in ipairs(FOREIGN) do
    if name:find(pattern) then return true end
  end
  return false
end

-- Do the tokens from `at` on make the phrase? Words of a phrase stand in one sentence, parts of a name in one name.
local function matches(phrase, tokens, at, text)
  for i, word in ipairs(phrase) do
    local token = tokens[at + i - 1]
    if not token or token.name ~= tokens[at].name or not token.word:find(word) then return false end
    if i > 1 and not token.name then
      local before = tokens[at + i - 2]
      if text:sub(before.at + #before.word, token.at - 1):find("[^%s%-*/]") then return false end
    end
  end
  return true
end

local function is_excepted(rule, tokens, at, count, text)
  for _, phrase in ipairs(rule.except) do
    for first = math.max(1, at + count - #phrase), at do
      if matches(phrase, tokens, first, text) then return true end
    end
  end
  return false
end

local function find(rules, path, text, found)
  for _, piece in ipairs(source.pieces(text, source.language(path))) do
    local tokens = tokens_of(piece.text)
    if piece.kind == "name" and not is_foreign(piece.text) then
      for _, token in ipairs(tokens) do token.name = piece.text end
    elseif piece.kind == "name" then
      tokens = {}
    end
    for i, token in ipairs(tokens) do
      for _, rule in ipairs(rules) do
        if rule.where == "all" or (rule.where == "names") == (token.name ~= nil) then
          for _, phrase in ipairs(rule.words) do
            if matches(phrase, tokens, i, piece.text) and not is_excepted(rule, tokens, i, #phrase, piece.text) then
              local words = {}
              for k = i, i + #phrase - 1 do words[#words + 1] = tokens[k].word end
              found(source.line_of(piece, token.at), table.concat(words, " "), rule.instead, token.name)
              break
            end
          end
        end
      end
    end
  end
end

local function check_file(rules, path)
  local chosen, seen = {}, {}
  for _, rule in ipairs(rules) do
    if applies(rule, path) then chosen[#chosen + 1] = rule end
  end
  find(chosen, path, source.read(path), function(line, word, instead, name)
    local place = name and name:lower() ~= word and (" in %s"):format(name) or ""
    local message = ("'%s'%s -> %s"):format(word, place, instead)
    if not seen[line .. message] then
      seen[line .. message] = true
      report(path, line, message)
    end
  end)
end

local rules = read_rules("tests/words.txt")
for _, path in ipairs(report.files(EVERYWHERE)) do check_file(rules, path) end
report.finish()
