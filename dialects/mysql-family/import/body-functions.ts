/** Functions that the body of a trigger or function may call. Each is deterministic and has no side effect. */
const TAKEN: ReadonlySet<string> = new Set(
  `ABS ASCII AVG BIN CAST CEIL CEILING CHAR_LENGTH CHARACTER_LENGTH COALESCE CONCAT CONCAT_WS CONVERT COUNT CRC32 DATE DATEDIFF
  DATE_ADD DATE_FORMAT DATE_SUB DAY DAYNAME DAYOFMONTH DAYOFWEEK DAYOFYEAR ELT FIELD FIND_IN_SET FLOOR FORMAT GREATEST HEX HOUR IF
  IFNULL INSTR ISNULL JSON_ARRAY JSON_EXTRACT JSON_OBJECT JSON_UNQUOTE JSON_VALID LAST_DAY LCASE LEAST LEFT LENGTH LOCATE LOWER LPAD LTRIM
  MAX MD5 MICROSECOND MIN MINUTE MOD MONTH MONTHNAME NULLIF OCTET_LENGTH ORD POSITION POW POWER QUARTER REPEAT REPLACE REVERSE RIGHT
  ROUND RPAD RTRIM SECOND SEC_TO_TIME SHA SHA1 SHA2 SIGN SPACE SQRT STDDEV SUBSTR SUBSTRING SUBSTRING_INDEX SUM STRCMP TIME
  TIMEDIFF TIMESTAMPADD TIMESTAMPDIFF TIME_TO_SEC TO_DAYS TRIM TRUNCATE UCASE UNHEX UPPER VALUES WEEK WEEKDAY YEAR YEARWEEK`
    .trim()
    .split(/\s+/),
);

/** Words before a parenthesis that are no calls: operators, clauses and types. */
const NO_CALLS: ReadonlySet<string> = new Set(
  `AND OR NOT XOR IN EXISTS ANY SOME ALL BETWEEN LIKE IS AS BY ON WHEN THEN ELSE DIV INTERVAL DISTINCT WHERE HAVING SELECT LIMIT SET
  RETURN DECIMAL DEC NUMERIC CHAR VARCHAR NCHAR BINARY VARBINARY INT INTEGER BIGINT SMALLINT TINYINT MEDIUMINT SIGNED UNSIGNED DATETIME
  TIMESTAMP FLOAT DOUBLE VALUE DEFAULT REGEXP RLIKE ESCAPE COLLATE`
    .trim()
    .split(/\s+/),
);

const EACH_TIME = 'differs at each call, so two runs would not have the same outcome: have the statement give the value';
const SESSION = 'reads the state of the session or the server, which no table holds: have the statement give the value';

/** Common functions that are refused, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  RAND: EACH_TIME,
  UUID: EACH_TIME,
  UUID_SHORT: EACH_TIME,
  UUID_V4: EACH_TIME,
  UUID_V7: EACH_TIME,
  RANDOM_BYTES: EACH_TIME,
  SYS_GUID: EACH_TIME,
  UNIX_TIMESTAMP: `is the server's clock: write NOW(), which is one fixed timestamp here`,
  CURTIME: `is the server's clock: write TIME(NOW()), which is one fixed time here`,
  CURRENT_TIME: `is the server's clock: write TIME(NOW()), which is one fixed time here`,
  UTC_TIME: `is the server's clock: write TIME(NOW()), which is one fixed time here`,
  LAST_INSERT_ID: `${SESSION}, and the number itself`,
  ROW_COUNT: SESSION,
  FOUND_ROWS: SESSION,
  CONNECTION_ID: SESSION,
  USER: SESSION,
  CURRENT_USER: SESSION,
  SESSION_USER: SESSION,
  SYSTEM_USER: SESSION,
  CURRENT_ROLE: SESSION,
  DATABASE: SESSION,
  SCHEMA: SESSION,
  VERSION: SESSION,
  GET_LOCK: 'takes a lock that outlives the transaction: leave it out',
  RELEASE_LOCK: 'releases a lock that outlives the transaction: leave it out',
  SLEEP: 'waits: take it out',
  BENCHMARK: 'waits: take it out',
  LOAD_FILE: 'reads a file of the server: take it out',
  NEXTVAL: 'takes a number of a sequence is not supported: count in a table',
  GROUP_CONCAT: 'concatenates texts in an unspecified order: read the rows',
};

/** Functions that are called without parentheses. */
const BARE: ReadonlySet<string> = new Set(['CURRENT_TIME', 'UTC_TIME', 'CURRENT_USER', 'CURRENT_ROLE']);

/** The constants that replace the server's clock: the time of the initial rows (docs/WORKLOADS.md). */
const MOMENT = "TIMESTAMP'2026-01-01 00:00:00'";
const DAY = "DATE'2026-01-01'";
export const CLOCK: Readonly<Record<string, { readonly is: string; readonly bare: boolean }>> = {
  NOW: { is: MOMENT, bare: false },
  SYSDATE: { is: MOMENT, bare: false },
  CURRENT_TIMESTAMP: { is: MOMENT, bare: true },
  LOCALTIME: { is: MOMENT, bare: true },
  LOCALTIMESTAMP: { is: MOMENT, bare: true },
  UTC_TIMESTAMP: { is: MOMENT, bare: true },
  CURDATE: { is: DAY, bare: false },
  CURRENT_DATE: { is: DAY, bare: true },
  UTC_DATE: { is: DAY, bare: true },
};

/** Why a word is refused in an expression. Undefined: it is accepted. */
export function refusedCall(word: string, called: boolean): string | undefined {
  const name = word.toUpperCase();
  const reason = called || BARE.has(name) ? REFUSED[name] : undefined;
  if (reason !== undefined) return `${name}${called ? '()' : ''} ${reason}`;
  if (!called || TAKEN.has(name) || NO_CALLS.has(name)) return undefined;
  return `${word}() is neither a function of the file nor one that a body may call: leave it out, or compute the value in the statement`;
}
