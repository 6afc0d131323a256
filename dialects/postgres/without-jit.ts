/**
 * A scan that is switched off and taken all the same costs so much by the planner's reckoning that the server compiles the
 * query: 80 ms instead of 2 where it was built with LLVM. A release that knows no such setting has nothing to switch off.
 */
export const WITHOUT_JIT = "SELECT pg_catalog.set_config(name, 'off', false) FROM pg_catalog.pg_settings WHERE name = 'jit'";
