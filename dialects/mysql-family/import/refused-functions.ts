/** Functions that are common in users' SQL, and why none is imported. The statements of a run must be deterministic. */
const CLOCK = "is the server's clock, so that a replay would not repeat it: give the moment as a :parameter";
const CHANCE = 'is different each time, so that a replay would not repeat it: give the value as a :parameter';
const SESSION = 'reads what the session or the server keeps beside the tables: give the value as a :parameter';
const DATES = 'calculates with dates, which is not imported: compare the column itself, or give the value as a :parameter';
const INSIDE_JSON = 'looks inside JSON, which is one text here: use columns';
const LOCKS = 'takes or waits for what no transaction holds: it is not imported';

export const REFUSED_FUNCTIONS: Readonly<Record<string, string>> = {
  CURTIME: CLOCK,
  CURRENT_TIME: CLOCK,
  UTC_TIME: CLOCK,
  UNIX_TIMESTAMP: CLOCK,
  RAND: CHANCE,
  UUID_SHORT: CHANCE,
  RANDOM_BYTES: CHANCE,
  LAST_INSERT_ID: 'reads what the session keeps beside the tables: leave AUTO_INCREMENT out and draw the number, @parameter :id unique',
  ROW_COUNT: SESSION,
  FOUND_ROWS: SESSION,
  CONNECTION_ID: SESSION,
  USER: SESSION,
  CURRENT_USER: SESSION,
  SESSION_USER: SESSION,
  DATABASE: SESSION,
  SCHEMA: SESSION,
  VERSION: SESSION,
  GET_LOCK: "is a statement of its own, SELECT GET_LOCK('name', 10), and is taken in no other place",
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
  LEFT: 'is not imported: RIGHT is',
  TRUNCATE: 'is not imported: round outside',
  ROUND: 'is not imported: round outside',
  GROUP_CONCAT: 'joins texts in an order that is not told: select the rows',
  CONVERT: 'is not imported: write CAST(... AS ...)',
  GREATEST: 'is not imported: write CASE WHEN a > b THEN a ELSE b END',
  LEAST: 'is not imported: write CASE WHEN a < b THEN a ELSE b END',
};

/** Some functions are called without parentheses. Elsewhere these words are names, unless they are reserved. */
const BARE = new Set(['CURRENT_TIME', 'UTC_TIME', 'CURRENT_USER']);

export function refusedFunction(word: string, called: boolean): string | undefined {
  const name = word.toUpperCase();
  const reason = called || BARE.has(name) ? REFUSED_FUNCTIONS[name] : undefined;
  return reason === undefined ? undefined : `${name}${called ? '()' : ''} ${reason}`;
}
