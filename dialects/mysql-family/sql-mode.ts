/** The sql_mode of our sessions. Values that do not fit are errors, and 0 does not ask for the next number. */
export const STRICT_MODE: readonly string[] = [
  'STRICT_TRANS_TABLES',
  'NO_ZERO_IN_DATE',
  'NO_ZERO_DATE',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
  'NO_AUTO_VALUE_ON_ZERO',
];
