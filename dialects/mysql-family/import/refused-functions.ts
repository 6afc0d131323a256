/** Functions that are common in users' SQL, and why none is imported. The statements of a run must be deterministic. */
const CLOCK = "is the server's clock, so a replay would not repeat it: give the timestamp as a :parameter";
const CHANCE = 'differs at each call, so a replay would not repeat it: give the value as a :parameter';
const SESSION = 'reads the state of the session or the server, which no table holds: give the value as a :parameter';
const DATES = 'calculates with dates, which is not supported: compare the column itself, or give the value as a :parameter';
const INSIDE_JSON = 'is not supported: JSON is one text here; use columns';
const LOCKS = 'is not supported: it waits, or reads a lock that belongs to no transaction; leave it out';

export const REFUSED_FUNCTIONS: Readonly<Record<string, string>> = {
  CURTIME: CLOCK,
  CURRENT_TIME: CLOCK,
  UTC_TIME: CLOCK,
  UNIX_TIMESTAMP: CLOCK,
  RAND: CHANCE,
  UUID_SHORT: CHANCE,
  RANDOM_BYTES: CHANCE,
  LAST_INSERT_ID:
    'reads the state of the session, which no table holds: leave AUTO_INCREMENT out and draw the number, @parameter :id unique',
  ROW_COUNT: SESSION,
  FOUND_ROWS: SESSION,
  CONNECTION_ID: SESSION,
  USER: SESSION,
  CURRENT_USER: SESSION,
  SESSION_USER: SESSION,
  DATABASE: SESSION,
  SCHEMA: SESSION,
  VERSION: SESSION,
  GET_LOCK: "is supported only as a statement of its own, SELECT GET_LOCK('name', 10)",
  RELEASE_LOCK: 'is sent by the tool, behind the COMMIT or ROLLBACK of the transaction: leave it out',
  IS_FREE_LOCK: LOCKS,
  SLEEP: LOCKS,
  BENCHMARK: LOCKS,
  YEAR: DATES,
  MONTH: DATES,
  DAY: DATES,
  DATE: DATES,
  DATEDIFF: DATES,
  TIMESTAMPDIFF: DATES,
  DATE_FORMAT: DATES,
  JSON_EXTRACT: INSIDE_JSON,
  JSON_SET: INSIDE_JSON,
  NEXTVAL: 'gives a number of a sequence: make the column AUTO_INCREMENT, or draw the number, @parameter :id unique',
  LENGTH: 'counts bytes: write CHAR_LENGTH',
  OCTET_LENGTH: 'counts bytes: write CHAR_LENGTH',
  LEFT: 'is not supported: RIGHT is',
  TRUNCATE: 'is not supported: round outside',
  ROUND: 'is not supported: round outside',
  GROUP_CONCAT: 'concatenates texts in an unspecified order: select the rows',
  CONVERT: 'is not supported: write CAST(... AS ...)',
  GREATEST: 'is not supported: write CASE WHEN a > b THEN a ELSE b END',
  LEAST: 'is not supported: write CASE WHEN a < b THEN a ELSE b END',
};

/** Some functions are called without parentheses. Elsewhere these words are names, unless they are reserved. */
const BARE = new Set(['CURRENT_TIME', 'UTC_TIME', 'CURRENT_USER']);

export function refusedFunction(word: string, called: boolean): string | undefined {
  const name = word.toUpperCase();
  const reason = called || BARE.has(name) ? REFUSED_FUNCTIONS[name] : undefined;
  return reason === undefined ? undefined : `${name}${called ? '()' : ''} ${reason}`;
}
