import { describe, expect, it, test } from 'vitest';
import type { AnomalyFinding, Report } from '../../../core/index.ts';
import { makeOf as cockroachdbMake } from '../../../dialects/cockroachdb/facts.ts';
import { makeOf as familyMake } from '../../../dialects/mysql-family/facts.ts';
import { makeOf as postgresMake } from '../../../dialects/postgres/facts.ts';
import { asReplayed, dependencyGraph, findingFiles, trackerText } from '../../../reports/index.ts';
import { LOST_UPDATE, report, REPRODUCED, vendorNamed } from './fixture.ts';

const SERVERS = {
  'postgres@18': {
    make: postgresMake('PostgreSQL 18.4 (Debian 18.4-1) on x86_64-pc-linux-gnu, compiled by gcc'),
    inForce: { 'repeatable read': 4 },
  },
  'mysql@9.7': { make: familyMake('MySQL', '9.7.4', 'Linux x86_64'), inForce: { 'REPEATABLE-READ': 4 } },
  'mariadb@11.8': {
    make: familyMake('MariaDB', '11.8.6-MariaDB-log, Debian 13', 'debian-linux-gnu x86_64'),
    inForce: { 'REPEATABLE-READ': 4 },
  },
  'tidb@8': { make: familyMake('TiDB', '8.0.11-TiDB-v8.5.0, TiDB Server', ''), inForce: { 'REPEATABLE-READ': 4 } },
  'cockroachdb@25': {
    make: cockroachdbMake('CockroachDB CCL v25.1.0 (x86_64-pc-linux-gnu, built 2025/02/14)'),
    inForce: { serializable: 4 },
  },
} as const;

type Target = keyof typeof SERVERS;

const CONFIGURATION = { innodb_snapshot_isolation: 'ON', tidb_txn_mode: 'optimistic' };

function textFor(target: Target, finding: AnomalyFinding = REPRODUCED): string {
  return trackerText({
    finding: { ...finding, target, vendor: vendorNamed(target.split('@')[0]!) },
    report: { tool: 'anomalist 0.1.0', seed: '7' },
    level: { ...SERVERS[target], server: SERVERS[target].make.words, configuration: CONFIGURATION },
  });
}

/** What every report must hold (docs/REPORTS.md). */
const EVERYWHERE: Readonly<Record<string, RegExp>> = {
  'the observed order, numbered or by transaction': /s1> UPDATE|txn1 \*\/ UPDATE/,
  'who waits, and for whom': /waits for a lock; goes on after s1's COMMIT \(step 7\)/,
  'the level, as the server said inside the transaction': /read back inside the transactions/,
  'the connection, read back inside the transaction': /SELECT (pg_backend_pid|connection_id)\(\)|txn1 \*\//,
  'k of N without instrumentation': /Reproduced 10 of 10 times, each on a fresh schema, one statement at a time, without instrumentation/,
  'why no serial order explains it': /T1 before T2: T2's SELECT would return \(130\); observed \(100\)/,
  'and the other order': /T2 before T1: T1's SELECT would return \(120\); observed \(100\)/,
  'the promise, with its source and date': /https:\/\/\S+ \((one text for all versions|version \S+|version MySQL \S+), \d{4}-\d\d-\d\d[;)]/,
  'controls: the neighbouring level': /SERIALIZABLE +prevented by error 40001/,
  'controls: another server': /mariadb@11\.8 +REPEATABLE READ +not seen/,
  'no instrumentation': /^(?![\s\S]*iso_w)/,
  'nothing claimed on aborts and waits': /Not claimed: aborts, waits/,
};

const ITEMS: Readonly<Record<Target, Readonly<Record<string, RegExp>>>> = {
  'mysql@9.7': {
    synopsis: /^Synopsis: lost update .* at REPEATABLE READ, MySQL 9\.7\.4$/m,
    category: /^Category: .*InnoDB/m,
    'honest severity': /^Severity: S[23] /m,
    'exact version': /^Version: 9\.7\.4$/m,
    OS: /^OS: \S+/m,
    'the manual quoted': /What the manual says:\n.*rules it out/,
    'mtr connections': /^connect \(con1,localhost,root,,\);$/m,
    'mtr connection': /^connection con2;$/m,
    'mtr send': /^--send UPDATE/m,
    'mtr reap': /^--reap$/m,
    transcript: /annotated transcript/,
  },
  'mariadb@11.8': {
    'affects versions': /^Affects versions: 11\.8\.6$/m,
    'isolation level': /^Isolation level: REPEATABLE READ$/m,
    innodb_snapshot_isolation: /^innodb_snapshot_isolation: ON$/m,
    'the document quoted': /The documentation:\n.*rules it out/,
    mtr: /mtr test:[\s\S]*--send[\s\S]*--reap/,
    'the rate': /^Rate: Reproduced 10 of 10/m,
  },
  'postgres@18': {
    'a mail to the list': /^To: pgsql-bugs@lists\.postgresql\.org\nSubject: /,
    'version()': /^version\(\): PostgreSQL 18\.4/m,
    package: /^Package: Debian 18\.4-1$/m,
    'settings that matter': /^Settings that the level depends on: .*tidb_txn_mode/m,
    schema: /^Schema:\ncreate table/m,
    'numbered psql steps': /^ 1\. s1> BEGIN/m,
    'the spec: setup': /^setup$/m,
    'the spec: teardown': /^teardown$/m,
    'the spec: session and step': /^session s1\n[\s\S]*^step s1_1 \{/m,
    'the spec: permutation': /^permutation s1_1/m,
    'actual against expected': /^Actual: [\s\S]*^Expected: /m,
    'no pictures': /^(?![\s\S]*!\[)/,
  },
  'tidb@8': {
    '1 minimal reproduce step': /### 1\. Minimal reproduce step/,
    '2 expected': /### 2\. What did you expect to see/,
    '3 seen instead': /### 3\. What did you see instead/,
    '4 version': /### 4\. What is your TiDB version[\s\S]*tidb_version\(\): 8\.0\.11-TiDB-v8\.5\.0/,
    'transaction mode': /^tidb_txn_mode: optimistic$/m,
    level: /^Isolation level: REPEATABLE READ$/m,
    'marked statements': /^\/\* txn1 \*\/ UPDATE .*; -- txn1 1 row affected/m,
    timestamps: /start_ts, commit_ts: .*tidb_last_txn_info/,
  },
  'cockroachdb@25': {
    describe: /\*\*Describe the problem\*\*/,
    'to reproduce: cluster, schema, SQL': /\*\*To Reproduce\*\*[\s\S]*cockroach start[\s\S]*create table[\s\S]*s2> UPDATE/,
    expected: /\*\*Expected behavior\*\*/,
    environment: /\*\*Environment\*\*[\s\S]*CockroachDB CCL v25/,
    impact: /impact\*\*\n\nA transaction that relies on/,
    'silently upgraded': /SILENTLY UPGRADED/,
    'retries of 40001': /40001: none of these transactions was retried/,
  },
};

describe.each(Object.keys(ITEMS) as Target[])('the text for the tracker of %s', (target) => {
  it.each(Object.entries({ ...EVERYWHERE, ...ITEMS[target] }))('has %s', (_, item) => {
    expect(textFor(target)).toMatch(item);
  });
});

test('a server says its number, its platform and its package, as far as its answer names them', () => {
  expect(Object.values(SERVERS).map(({ make }) => make)).toEqual([
    {
      words: 'PostgreSQL 18.4 (Debian 18.4-1) on x86_64-pc-linux-gnu, compiled by gcc',
      number: '18.4',
      packaging: 'Debian 18.4-1',
      platform: 'x86_64-pc-linux-gnu',
    },
    { words: 'MySQL 9.7.4', number: '9.7.4', platform: 'Linux x86_64' },
    { words: '11.8.6-MariaDB-log, Debian 13', number: '11.8.6', platform: 'debian-linux-gnu x86_64' },
    { words: '8.0.11-TiDB-v8.5.0, TiDB Server', number: 'v8.5.0' },
    { words: 'CockroachDB CCL v25.1.0 (x86_64-pc-linux-gnu, built 2025/02/14)', number: 'v25.1.0', platform: 'x86_64-pc-linux-gnu' },
  ]);
});

describe('a text that a tracker would close', () => {
  it('says first that the documents allow it', () => {
    const allowed = { ...REPRODUCED, judgement: LOST_UPDATE.judgement };
    expect(textFor('mysql@9.7', allowed)).toMatch(/^\[NOT FOR FILING AS A BUG: the documents allow this/m);
    expect(textFor('mysql@9.7', allowed)).toContain('S3 (Non-critical)');
    expect(textFor('mysql@9.7')).not.toContain('NOT FOR FILING');
  });

  it('says that its statements are instrumented while there is no reduced case', () => {
    expect(textFor('postgres@18', LOST_UPDATE)).toContain('Do not file this before it has been reproduced without them.');
    expect(textFor('postgres@18')).not.toContain('Do not file');
  });
});

describe('the files of a finding', () => {
  const of = (target: Target, finding: AnomalyFinding = REPRODUCED): Readonly<Record<string, string>> => {
    const whole: Report = {
      ...report(),
      levels: report().levels.map((level) => ({ ...level, ...SERVERS[target], target, level: 'repeatable-read' })),
    };
    return Object.fromEntries(
      findingFiles(whole, { ...finding, target, vendor: vendorNamed(target.split('@')[0]!) }, 1).map(({ name, text }) => [
        name.replace('finding-1.', ''),
        text,
      ]),
    );
  };

  it('are those that the programs of its vendor read', () => {
    expect(Object.keys(of('postgres@18'))).toEqual([
      'repro.sql',
      'repro.spec',
      'repro.mjs',
      'tracker.md',
      'graph.svg',
      'graph.dot',
      'graph.gexf',
    ]);
    expect(Object.keys(of('mariadb@11.8'))).toEqual([
      'repro.sql',
      'repro.test',
      'repro.mjs',
      'tracker.md',
      'graph.svg',
      'graph.dot',
      'graph.gexf',
    ]);
    expect(Object.keys(of('postgres@18', LOST_UPDATE))).toEqual(['repro.sql', 'tracker.md', 'graph.svg', 'graph.dot', 'graph.gexf']);
  });

  it('send a statement that waits, and reap it behind the one that ends its waiting', () => {
    const lines = of('mysql@9.7')['repro.test']!.split('\n');
    const at = (line: RegExp): number => lines.findIndex((each) => line.test(each));
    expect(lines[at(/^--send UPDATE/) - 2]).toBe('connection con2;');
    expect(lines.slice(at(/^--send/) + 1, at(/^--send/) + 4)).toEqual([
      'connection default;',
      expect.stringContaining('LOCK WAIT'),
      '--source include/wait_condition.inc',
    ]);
    expect(lines.slice(at(/^--reap/) - 3, at(/^--reap/))).toEqual(['connection con1;', 'COMMIT;', 'connection con2;']);
  });

  it('name tables as they are called, whatever that is', () => {
    const { reproduction } = REPRODUCED;
    const finalState = ['Order Lines', 't1'].map((table) => ({ table, columns: ['order', 'Item Nr'], rows: [] }));
    const named: AnomalyFinding = { ...REPRODUCED, reproduction: { ...reproduction!, plain: { ...reproduction!.plain!, finalState } } };
    const spec = findingFiles(report({ findings: [named] }), named, 1).find(({ kind }) => kind === 'repro.spec')!.text;
    expect(spec).toContain('step end_1 { SELECT "order", "Item Nr" FROM "Order Lines" ORDER BY 1, 2; }');
    expect(spec).toContain('step end_t1 { SELECT "order", "Item Nr" FROM "t1" ORDER BY 1, 2; }');
    expect(spec).toMatch(/^permutation .* end_1 end_t1$/m);
  });

  it('tell a statement as its author wrote it, and run it as it was sent', () => {
    const { reproduction } = REPRODUCED;
    const steps = reproduction!.plain!.steps.map((step) => (step.kind === 'update' ? { ...step, own: `${step.sql} -- mine` } : step));
    const told: AnomalyFinding = { ...REPRODUCED, reproduction: { ...reproduction!, plain: { ...reproduction!.plain!, steps } } };
    const files = findingFiles(report({ findings: [told] }), told, 1);
    for (const { kind, text } of files)
      expect(text.slice(0, text.indexOf('For src/test/isolation')).includes('-- mine'), kind).toBe(kind === 'tracker.md');
  });

  it('say of a reduction that was cut how far it came, and how to go on', () => {
    const { reproduction } = REPRODUCED;
    const size = { sessions: 4, transactions: 90, statements: 560, tables: 3, rows: 40 };
    const reduction = { before: size, after: { ...size, statements: 554 }, executions: 12, seconds: 20.2, complete: false };
    const programs = (of: typeof reduction): readonly string[] => {
      const cut: AnomalyFinding = { ...REPRODUCED, reproduction: { ...reproduction!, reduction: of } };
      return findingFiles(report({ findings: [cut] }), cut, 1).flatMap(({ kind, text }) => (/^repro\.(sql|mjs)$/.test(kind) ? [text] : []));
    };
    expect(programs(reduction)).toHaveLength(2);
    for (const text of programs(reduction)) {
      const head = text.split('\n').slice(0, 6).join('\n');
      expect(head).toMatch(/over after 20 s and 12 executions, at 554 of 560\s+(--|\/\/) statements/);
      expect(head).toContain('--reduce-seconds 600');
    }
    for (const text of programs({ ...reduction, complete: true })) expect(text).not.toContain('Not as small');
  });

  it('name no host of who found it', () => {
    const level = { ...report().levels[0]!, target: 'postgres://tester:***@host/db', make: { words: 'PostgreSQL 18.4', number: '18.4' } };
    const there: AnomalyFinding = { ...REPRODUCED, target: level.target, level: level.level };
    const text = findingFiles(report({ findings: [there], levels: [level] }), there, 1).find(({ kind }) => kind === 'tracker.md')!.text;
    expect(text).toContain('\nPackage: not named by the server: say which one it is\n');
  });

  it('name in repro.sql the session of every statement and the wait', () => {
    const sql = of('postgres@18')['repro.sql']!;
    for (const line of sql.split('\n').filter((each) => each !== '' && !each.startsWith('--')))
      expect(line).toMatch(/^\/\* (s[12]|any) \*\/ .+;/);
    expect(sql).toContain("-- 6. T2: waits for a lock; goes on after s1's COMMIT (step 7); 1 row");
  });

  it('hold the cycle as a graph, each edge with its row and its derivation', () => {
    const graph = dependencyGraph(asReplayed(REPRODUCED));
    expect([graph.order, graph.size]).toEqual([2, 2]);
    const files = of('postgres@18');
    expect(files['graph.gexf']).toContain('<edge id="e1" source="T1" target="T2" label="rw">');
    expect(files['graph.dot']).toMatch(/"T1" -> "T2" \[label="rw row/);
    expect(files['graph.svg']).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
    expect(graph.getEdgeAttribute('e1', 'derivation')).toContain('T1 read row');
  });
});

it('asks a DBMS that has no query for the level and no id of a connection for neither', () => {
  const { levelQuery: _, connectionQuery: __, ...vendor } = vendorNamed('postgres');
  const text = trackerText({
    finding: { ...REPRODUCED, target: 'postgres@18', vendor },
    report: { tool: 'anomalist 0.1.0', seed: '7' },
    level: { ...SERVERS['postgres@18'], server: 'X 1', configuration: {} },
  });
  expect(text).toContain('the DBMS has no query for the level in force');
  expect(text).toMatch(/s1> BEGIN/);
  expect(text).not.toMatch(/undefined|pg_backend_pid/);
});
