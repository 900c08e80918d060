-- message(f, ...) --> what the call raises. Fails the test where it raises nothing.
local assert = require "luassert"

return function(f, ...)
  local ok, text = pcall(f, ...)
  assert.is_false(ok)
  return text
end
