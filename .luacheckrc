std = "lua54"
max_line_length = 120
files["tests/spec"] = { std = "+busted" }
files["tests/support"] = { std = "+busted" }
files["bindings/meta"] = { ignore = { "212", "121", "122" } } -- stubs: unused arguments, declared globals
