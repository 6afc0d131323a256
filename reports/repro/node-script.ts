/**
 * repro.mjs: the case as a program of one file, for readers who have Node and the driver but not this tool. It takes a
 * URL, makes a schema of its own and sends the statements in their order, on a connection for each session. It waits for
 * each reply. Without a reply within a second (or ten, if the statement was not seen to wait) it takes the statement to
 * wait. It prints the replies and whether they equal the observed ones, N times.
 */
import { visible } from '../text/visible.ts';
import { caseHeader } from './case-header.ts';
import { finalReads } from './final-reads.ts';
import { reproCase } from './repro-case.ts';
import type { FiledFinding, ReproStep } from './repro-case.ts';

export function nodeScript(finding: FiledFinding, server: string): string {
  const repro = reproCase(finding);
  const { family, quote } = finding.vendor;
  const steps = repro.steps.map((step) => ({
    session: step.session,
    txn: step.txn,
    ...(step.parts === undefined ? { sql: step.sql } : { parts: step.parts }),
    ...(step.into && { into: step.into }),
    ...(step.counted !== undefined && { counted: step.counted }),
    blocked: step.blocked,
    observed: observedOf(step),
  }));
  const list = (values: readonly unknown[]): string => `[\n${values.map((value) => `  ${JSON.stringify(value)},`).join('\n')}\n]`;
  return `${caseHeader(finding, server, repro)
    .map((line) => `// ${visible(line)}`.trim())
    .join('\n')}
//
// ${DRIVERS[family].usage}
${DRIVERS[family].code}
const setup = ${list(repro.setup.map(({ sql }) => sql))};
const steps = ${list(steps)};
${repro.steps.some(({ parts }) => parts !== undefined) ? READING : NOT_READING}const atTheEnd = ${list(finalReads(repro, quote).map((sql, i) => ({ sql, observed: repro.finalState[i]!.rows })))};
${BODY}`;
}

/** Returns the value with which the program compares. For a result that is cut, this is the number of its rows. */
function observedOf({ kind, rows, result, resultLeftOut, error }: ReproStep): unknown {
  if (error !== null) return 'error';
  if (kind.startsWith('select')) return resultLeftOut === undefined ? result : { rows: (result?.length ?? 0) + resultLeftOut };
  if (!['insert', 'update', 'delete', 'merge'].includes(kind)) return null;
  // The rows of RETURNING say more than their number.
  return result !== null && result.length > 0 ? result : rows;
}

const DRIVERS = {
  postgres: {
    usage: 'npm install pg; node repro.mjs postgres://user:password@host:5432/database [times]',
    code: `import pg from 'pg';

const schema = \`repro_\${process.pid}\`;
const open = async (url) => {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: () => (value) => value } });
  client.on('error', () => {});
  await client.connect();
  return { query: async (sql) => { const reply = await client.query({ text: sql, rowMode: 'array' }); return reply.fields?.length > 0 ? reply.rows : reply.rowCount; }, end: () => client.end() };
};
const make = [\`CREATE SCHEMA \${schema}\`];
const use = [\`SET search_path TO \${schema}\`];
const drop = [\`DROP SCHEMA \${schema} CASCADE\`];
const backslash = '\\\\';
`,
  },
  mysql: {
    usage: 'npm install mysql2; node repro.mjs mysql://user:password@host:3306/database [times]',
    code: `import mysql from 'mysql2/promise';

const schema = \`repro_\${process.pid}\`;
const open = async (url) => {
  const client = await mysql.createConnection({ uri: url, flags: ['FOUND_ROWS'], typeCast: (field) => field.string() });
  return { query: async (sql) => { const [reply] = await client.query({ sql, rowsAsArray: true }); return Array.isArray(reply) ? reply : reply.affectedRows; }, end: () => client.end() };
};
const make = [\`CREATE DATABASE \${schema}\`];
const use = [\`USE \${schema}\`];
const drop = [\`DROP DATABASE \${schema}\`];
const backslash = '\\\\\\\\';
`,
  },
} as const;

/** For steps with names: the values that they read are put into later steps. */
const READING = `
const told = new Map();
const quoted = (text) => \`'\${text.replaceAll("'", "''").replaceAll('\\\\', backslash)}'\`;
const literal = (value, type) => (value == null ? 'NULL' : ['integer', 'bigint', 'decimal'].includes(type) ? \`(\${value})\` : quoted(value));
const valueOf = (session, { name, type }) => literal(told.get(\`\${session} \${name}\`), type);
const sqlOf = ({ session, sql, parts }) => (parts === undefined ? sql : [parts.map((part) => (typeof part === 'string' ? part : valueOf(session, part))).join('')]);
const hear = ({ session, into = [], counted }, answer) => {
  into.forEach((name, i) => told.set(\`\${session} \${name}\`, answer[0]?.[i]));
  if (counted !== undefined) told.set(\`\${session} \${counted}\`, Array.isArray(answer) ? answer.length : answer);
};
`;

const NOT_READING = `
const sqlOf = ({ sql }) => sql;
const hear = () => {};
`;

const BODY = `
const [url, times = '1'] = process.argv.slice(2);
if (!url) {
  console.error('expected the URL of a server as the argument');
  process.exit(2);
}
const text = (value) => JSON.stringify(value);
const agrees = (observed, reply) => observed === null || (observed.rows === undefined ? sorted(observed) === sorted(reply) : observed.rows === reply?.length);
const sorted = (rows) => (Array.isArray(rows) ? rows.map(text).sort().join() : text(rows));

async function once() {
  const main = await open(url);
  const clients = new Map();
  const replies = steps.map(() => undefined);
  try {
    for (const sql of [...make, ...use, ...setup]) await main.query(sql);
    for (const { session } of steps) {
      if (clients.has(session)) continue;
      clients.set(session, await open(url));
      for (const sql of use) await clients.get(session).query(sql);
    }
    const last = new Map();
    for (const [i, step] of steps.entries()) {
      await last.get(step.session);
      const reply = (async () => {
        let answer;
        let sent = [];
        try {
          for (const sql of (sent = sqlOf(step))) answer = await clients.get(step.session).query(sql);
          replies[i] = answer;
          hear(step, answer);
        } catch (error) {
          replies[i] = 'error';
          console.log(\`    \${i + 1} failed: \${error.message}\`);
        }
        console.log(\`  \${i + 1} s\${step.session} T\${step.txn}: \${sent.join('; ')} -> \${text(replies[i])}\`);
      })();
      last.set(step.session, reply);
      const waits = await Promise.race([reply.then(() => false), new Promise((done) => setTimeout(done, step.blocked ? 1000 : 10000, true))]);
      if (waits) console.log(\`  \${i + 1} s\${step.session} waits\`);
    }
    await Promise.all(last.values());
    let same = steps.every(({ observed }, i) => agrees(observed, replies[i]));
    for (const { sql, observed } of atTheEnd) {
      const rows = await main.query(sql);
      console.log(\`  in the end: \${text(rows)}\`);
      same &&= sorted(observed) === sorted(rows);
    }
    return same;
  } finally {
    for (const client of clients.values()) await client.end();
    for (const sql of drop) await main.query(sql);
    await main.end();
  }
}

let seen = 0;
for (let n = 0; n < Number(times); n++) {
  const same = await once();
  console.log(same ? 'as observed' : 'NOT as observed');
  if (same) seen++;
}
console.log(\`\${seen} of \${times} as observed\`);
process.exitCode = seen > 0 ? 1 : 0;
`;
