/**
 * If a disabled scan is the only way, the planner's cost is so high that the server compiles the query with JIT. That
 * takes 80 ms instead of 2 in builds with LLVM. A release without the setting has no JIT.
 */
export const WITHOUT_JIT = "SELECT pg_catalog.set_config(name, 'off', false) FROM pg_catalog.pg_settings WHERE name = 'jit'";
