/** Reads CREATE FUNCTION: its text, and the names in it. */
import { CASTS } from '../read-type.ts';
import { routineSql, type RoutineText } from '../../../../core/sql/index.ts';
import { isReserved, refuse, type Definition, type Faults } from '../../../import/index.ts';
import { consume, inside, type Fields, type Node } from '../fields.ts';
import { FUNCTIONS } from './allowed.ts';
import { readPlpgsqlBody, readSqlBody } from './body.ts';
import { COMMENTS, type Parser } from './parser.ts';
import { rewritten, wordOf } from './rewritten.ts';
import { Names, OWN, refuseType, stringsIn } from './sql-names.ts';

export function readFunction(f: Fields, sql: string, parser: Parser, faults: Faults): Definition {
  const name = ownName(stringsIn(f.nodes('funcname')), 'function');
  f.flag('replace');
  if (f.flag('is_procedure')) refuse('a procedure is not supported: write its statements into the transactions, or make it a function');
  if (f.has('sql_body')) refuse('a body without quotes (RETURN, BEGIN ATOMIC) is not supported: write it AS $$ ... $$');
  const takes = f.nodes('parameters').map(readParameter);
  const result = f.has('returnType')
    ? f.node('returnType')
    : refuse('a function without RETURNS is not supported: write RETURNS, without OUT parameters');
  const returns = stringsIn(result['names']).at(-1)!;
  refuseType(stringsIn(result['names']), result);
  const { language, body } = readOptions(f.nodes('options'));
  if (!Object.hasOwn(BODIES, language)) refuse(`the language ${language} is not supported: use plpgsql or sql`);
  const { text, start, end } = bodyToken(sql, body, parser);
  refuseReserved(body, parser);
  const called = functionsCalled(body, parser);
  const inner = rewritten(body, parser, (each, before, behind) => called.has(each) && behind === '(' && before !== 'into');
  const outer = (part: string): RoutineText => rewritten(part, parser, (each, before) => each === name && before === 'function').text;
  const quote = `$${tagFor(body)}$`;
  const bytes = Buffer.from(sql);
  const whole: RoutineText = [
    ...made(outer(bytes.subarray(0, start).toString())),
    quote,
    ...inner.text,
    // The line break keeps the end of the body apart from the quote.
    `\n${quote}`,
    ...outer(bytes.subarray(end).toString()),
  ];
  const names = new Names();
  const placeOf = (line: number): number => start + placeOfLine(text, line);
  const setting = { parser, names, faults, trigger: returns === 'trigger', placeOf };
  const checked = (pieces: RoutineText): string => routineSql(pieces, (each) => `${OWN}."${each}"`);
  BODIES[language]!(checked(whole), checked(inner.text), setting);
  if (inner.clocks.length > 0)
    faults.approximate(
      `now() and similar functions in the function ${name} return the timestamp 2026-01-01 00:00:00, as in the data`,
      placeOf(1),
    );
  return {
    kind: 'routine',
    routine: {
      kind: 'function',
      name,
      text: whole,
      reads: [...names.reads],
      writes: [...names.writes],
      inserts: [...names.inserts],
      calls: [...names.calls],
      ...(returns !== 'trigger' && CASTS[returns] !== undefined && { returns: CASTS[returns] }),
      takes: takes.map((type) => CASTS[type]),
    },
  };
}

type Setting = Parameters<typeof readSqlBody>[1];

const BODIES: Readonly<Record<string, (whole: string, body: string, setting: Setting) => void>> = {
  plpgsql: (whole, _, setting) => readPlpgsqlBody(whole, setting),
  sql: (_, body, setting) => readSqlBody(body, setting),
};

/**
 * Reads the name of a function or trigger. It must be a plain name, so that it is the same in every text, and a trigger
 * fires before the tool's own.
 */
export function ownName(names: readonly string[], what: string): string {
  const name =
    names.length === 2 && names[0] === 'public'
      ? names[1]!
      : names.length === 1
        ? names[0]!
        : refuse(`the ${what} ${names.join('.')} is not supported: the tool creates a schema of its own, so leave the qualifier out`);
  if (!/^[a-z_]\w*$/i.test(name))
    refuse(`the ${what} ${JSON.stringify(name)} is not supported: give it a name of letters, digits and underscores`);
  if (isReserved(name) || /^(?:pg_|anomalist)/i.test(name) || (what === 'function' && FUNCTIONS.has(name)))
    refuse(`the ${what} ${name} has a name of the server's or the tool's own: give it another`);
  return name;
}

/** Returns the parameter's type. */
function readParameter(node: Node): string {
  return consume('FunctionParameter', inside(node, 'FunctionParameter'), (f) => {
    f.text('name');
    f.expect('mode', ['FUNC_PARAM_DEFAULT', 'FUNC_PARAM_IN']);
    if (f.has('defexpr')) refuse('a DEFAULT of an argument is not supported: give the value in each call');
    const type = f.node('argType');
    const names = stringsIn(type['names']);
    refuseType(names, type);
    return names.at(-1)!;
  });
}

const PLAIN_OPTIONS: ReadonlySet<string> = new Set(['volatility', 'strict', 'parallel', 'cost']);

const REFUSED_OPTIONS: Readonly<Record<string, string>> = {
  security: 'SECURITY DEFINER and INVOKER are not supported: the tool runs everything as one user, so leave it out',
  set: 'SET of a function is not supported: the tool sets its search_path, so leave it out',
};

function readOptions(nodes: readonly Node[]): { readonly language: string; readonly body: string } {
  let [language, body] = ['sql', undefined as string | undefined];
  for (const node of nodes) {
    const { defname, arg } = inside(node, 'DefElem') as { readonly defname: string; readonly arg?: Node };
    if (defname === 'language') language = stringsIn([arg])[0]!.toLowerCase();
    else if (defname === 'as') {
      const [text, symbol] = stringsIn((arg as { readonly List: { readonly items: readonly Node[] } }).List.items);
      if (symbol !== undefined) refuse('a function of a library is not supported: use plpgsql or sql');
      body = text;
    } else if (!PLAIN_OPTIONS.has(defname))
      refuse(REFUSED_OPTIONS[defname] ?? `${defname.toUpperCase()} of a function is not supported: leave it out`);
  }
  return { language, body: body ?? refuse('a function without a body is not supported') };
}

/** Finds the string after AS. */
function bodyToken(sql: string, body: string, parser: Parser): { readonly text: string; readonly start: number; readonly end: number } {
  const tokens = parser.scan(sql).filter(({ tokenName }) => !COMMENTS.has(tokenName));
  const at = tokens.findIndex(({ tokenName }, i) => tokenName === 'SCONST' && wordOf(tokens[i - 1]) === 'as');
  const token = tokens[at] ?? refuse('the body is not supported as it is quoted: write it AS $$ ... $$');
  const [start, end] = [token.start, token.end];
  const text = Buffer.from(sql).subarray(start, end).toString();
  // Otherwise the positions in the body would not be those of the text.
  if (!text.includes(body) && text.replaceAll("''", "'") !== `'${body}'`)
    refuse('the body is not supported as it is quoted: write it AS $$ ... $$');
  return { text, start, end };
}

function placeOfLine(text: string, line: number): number {
  return Buffer.byteLength(
    text
      .split('\n')
      .slice(0, line - 1)
      .map((each) => `${each}\n`)
      .join(''),
  );
}

/** Removes OR REPLACE, because the schema is created anew. */
export function made(text: RoutineText): RoutineText {
  const [first, ...rest] = text;
  return [typeof first === 'string' ? first.replace(/^\s*create\s+or\s+replace\b/i, 'CREATE') : first!, ...rest];
}

function refuseReserved(body: string, parser: Parser): void {
  const tokens = parser.scan(body);
  const named = tokens.find((token) => token.tokenName !== 'SCONST' && (isReserved(wordOf(token)) || /^anomalist/i.test(wordOf(token))));
  if (named !== undefined) refuse(`the name ${named.text} is one that the tool itself adds: give it another`);
  if (tokens.some((token, i) => wordOf(token) === 'alias' && wordOf(tokens[i + 1]) === 'for'))
    refuse('ALIAS FOR is not supported: use the name itself');
}

/** Names before a parenthesis that are no allowed built-in function. The file must define them. */
function functionsCalled(body: string, parser: Parser): ReadonlySet<string> {
  const tokens = parser.scan(body).filter(({ tokenName }) => !COMMENTS.has(tokenName));
  return new Set(
    tokens.flatMap((token, i) =>
      token.tokenName === 'IDENT' &&
      wordOf(tokens[i + 1]) === '(' &&
      /^\w+$/.test(wordOf(token)) &&
      !FUNCTIONS.has(wordOf(token)) &&
      !TAKEN.has(wordOf(token))
        ? [wordOf(token)]
        : [],
    ),
  );
}

/** Functions of the clock, which are handled separately. */
const TAKEN: ReadonlySet<string> = new Set(['now', 'transaction_timestamp', 'statement_timestamp', 'clock_timestamp']);

/** A dollar-quote tag that does not occur in the body. */
function tagFor(body: string): string {
  for (let n = 0; ; n++) {
    const tag = n === 0 ? '' : `body${n}`;
    if (!body.includes(`$${tag}$`)) return tag;
  }
}
