import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Anomaly, Certificate } from '../../../core/verdict/index.ts';
import { verifyCommand } from '../../../src/app/commands/verify.ts';
import { BAD_READS } from '../../../src/judge/findings/verify-lists/bad-read.ts';
import { PROOFS } from '../../../src/judge/findings/verify/alone.ts';
import { verifyFinding } from '../../../src/judge/findings/verify/verify-finding.ts';
import { mulberry } from '../mulberry.ts';
import { inferredAgain } from './inferred-again.ts';

type Deep<T> = T extends object ? { -readonly [K in keyof T]: Deep<T[K]> } : T;

interface Certified {
  readonly anomaly: Anomaly;
  readonly statements: readonly { readonly index: number; readonly txn: number; readonly number: number }[];
  readonly certificate: Certificate;
}

/** Taken from runs against PostgreSQL, MySQL and MariaDB. */
const REAL = JSON.parse(readFileSync(new URL('certificates.json', import.meta.url), 'utf8')) as readonly Certified[];

const verify = ({ anomaly, statements, certificate }: Certified): ReturnType<typeof verifyFinding> =>
  verifyFinding(anomaly, statements, certificate);

type Forge = (forged: Deep<Certified>, pick: <T>(list: readonly T[]) => T | undefined, random: () => number) => unknown;

/** Each leaves its mark, or returns false where there is nothing to forge. */
const FORGERIES: Readonly<Record<string, Forge>> = {
  'an edge turned round': ({ anomaly }, pick) => {
    const step = pick(anomaly.cycle);
    if (!step) return false;
    [step.from, step.to] = [step.to, step.from];
    const { fromStatement, toStatement } = step;
    delete step.fromStatement;
    delete step.toStatement;
    if (toStatement !== undefined) step.fromStatement = toStatement;
    if (fromStatement !== undefined) step.toStatement = fromStatement;
    return true;
  },
  'the whole cycle turned round': ({ anomaly }) => {
    if (anomaly.cycle.length === 0) return false;
    for (const step of anomaly.cycle.reverse()) {
      [step.from, step.to] = [step.to, step.from];
      const { fromStatement, toStatement } = step;
      Object.assign(step, { fromStatement: toStatement, toStatement: fromStatement });
    }
    return true;
  },
  'an edge left out': ({ anomaly }, pick) => {
    const step = pick(anomaly.cycle);
    if (!step) return false;
    anomaly.cycle.splice(anomaly.cycle.indexOf(step), 1);
    return true;
  },
  'an edge told twice': ({ anomaly }, pick) => {
    const step = pick(anomaly.cycle);
    if (!step) return false;
    anomaly.cycle.splice(anomaly.cycle.indexOf(step), 0, { ...step });
    return true;
  },
  'an edge renamed': ({ anomaly }, pick) => {
    const step = pick(anomaly.cycle);
    if (!step) return false;
    step.rel = pick((['ww', 'wr', 'rw', 'wrp', 'rwp', 'so', 'rt'] as const).filter((rel) => rel !== step.rel))!;
    return true;
  },
  'an entry taken from a list': ({ certificate }, pick) => editList(certificate, pick, (entries, at) => entries.splice(at, 1)),
  'two entries of a list swapped': ({ certificate }, pick) =>
    editList(certificate, pick, (entries, at) =>
      entries.splice(Math.max(0, at - 1), 2, ...entries.slice(Math.max(0, at - 1), Math.max(0, at - 1) + 2).reverse()),
    ),
  'an entry added to a list': ({ certificate }, pick) =>
    editList(certificate, pick, (entries, at) =>
      entries.splice(at, 0, entryOf(pick(certificate.statements.filter(({ seq }) => seq !== undefined)))),
    ),
  'a list cut short': ({ certificate }, pick) => editList(certificate, pick, (entries, at) => entries.splice(at)),
  'an outcome changed': ({ certificate }, pick) => {
    const txn = pick(certificate.transactions)!;
    txn.outcome = pick((['committed', 'aborted', 'unknown'] as const).filter((outcome) => outcome !== txn.outcome))!;
  },
  'a statement undone': ({ certificate }, pick) => Object.assign(pick(certificate.statements)!, { undone: true }),
  'a statement failed': ({ certificate }, pick) => Object.assign(pick(certificate.statements)!, { status: 'failed', undone: true }),
  'a row of an edge swapped': ({ anomaly, certificate }, pick) => {
    const step = pick(anomaly.cycle.filter(({ row }) => row !== undefined));
    const other = pick(certificate.statements.flatMap(({ seen }) => seen).filter(([, , row]) => row !== step?.row));
    return step && other ? Object.assign(step, { row: other[2], table: other[1] }) : false;
  },
  'a row of an observation swapped': ({ certificate }, pick) => {
    const [one, two] = [
      pick(certificate.statements.filter(({ seen }) => seen.length > 0)),
      pick(certificate.statements.flatMap(({ seen }) => seen)),
    ];
    const own = one && pick(one.seen);
    if (!own || !two || own[2] === two[2]) return false;
    [own[1], own[2]] = [two[1], two[2]];
    return true;
  },
  'a reader exchanged': ({ certificate }, pick) => {
    const [one, two] = [pick(certificate.statements.filter(({ seen }) => seen.length > 0)), pick(certificate.statements)];
    if (!one || !two || one === two) return false;
    [one.seen, two.seen] = [two.seen, one.seen];
    return true;
  },
  'a statement of an edge exchanged': ({ anomaly, statements }, pick) => {
    const step = pick(anomaly.cycle.filter(({ toStatement }) => toStatement !== undefined));
    const other = pick(statements.filter(({ index }) => index !== step?.toStatement));
    return step && other ? Object.assign(step, { toStatement: other.index }) : false;
  },
  'a transaction exchanged': ({ anomaly, certificate }, pick) => {
    const step = pick(anomaly.cycle);
    const other = pick(certificate.transactions.filter(({ id }) => id !== step?.from && id !== step?.to));
    return step && other ? Object.assign(step, { from: other.id }) : false;
  },
  'what a condition matches': ({ certificate }, pick) => {
    const bits = pick(certificate.predicates.flatMap(({ matches }) => Object.values(matches)));
    const key = bits && pick(Object.keys(bits));
    return bits && key !== undefined ? Object.assign(bits, { [key]: !bits[key] }) : false;
  },
  'a write renumbered': ({ certificate }, pick) => {
    const statement = pick(certificate.statements.filter(({ seq }) => seq !== undefined));
    if (!statement) return false;
    statement.seq! += 1;
    return true;
  },
  'a role changed': ({ certificate }, pick) => {
    const seen = pick(certificate.statements.flatMap((statement) => statement.seen));
    if (!seen) return false;
    seen[0] = pick((['read', 'write', 'delete'] as const).filter((role) => role !== seen[0]))!;
    return true;
  },
  'a time moved': ({ certificate }, pick, random) => {
    const txn = pick(certificate.transactions)!;
    Object.assign(txn, random() < 0.5 ? { begin: 0 } : { end: 1e15 });
  },
  'another class': ({ anomaly }, pick) => {
    anomaly.class = pick(
      (['G0', 'G1c', 'G-single-item', 'G-single', 'G2-item', 'G2', 'G1a', 'fork', 'thin-air'] as const).filter(
        (name) => name !== anomaly.class,
      ),
    )!;
  },
};

function editList(
  certificate: Deep<Certificate>,
  pick: <T>(list: readonly T[]) => T | undefined,
  edit: (entries: string[], at: number) => void,
): unknown {
  const about = new Set(certificate.rows.map(({ row }) => row));
  const seen = pick(certificate.statements.flatMap((statement) => statement.seen).filter(([, , row]) => about.has(row)));
  if (!seen) return false;
  const entries = seen[3].split(',').slice(1);
  edit(entries, pick([...entries.keys()])!);
  const list = `${seen[3].startsWith(',') ? '' : '0'}${entries.map((entry) => `,${entry}`).join('')}`;
  if (list === seen[3] || entries.length === 0) return false;
  seen[3] = list;
  return true;
}

function entryOf(statement: { txn: number; seq?: number } | undefined): string {
  return statement ? `${statement.txn}.${statement.seq}` : '1.1';
}

describe('verify', () => {
  it.each(REAL.map((each) => [each.anomaly.class, each.anomaly.explanation, each] as const))('accepts a real %s: %s', (_, __, real) => {
    expect(verify(real)).toMatchObject({ holds: true });
    expect(inferredAgain(real.anomaly, real.certificate)).toBe(true);
  });

  it('refuses every one of 1,000 forgeries that breaks the proof', () => {
    const random = mulberry(20261121);
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    const names = Object.keys(FORGERIES);
    const refused = new Map<string, number>();
    let accepted = 0;
    for (let made = 0; made < 1000;) {
      const name = names[made % names.length]!;
      const real = pick(REAL)!;
      const forged = structuredClone(real) as Deep<Certified>;
      if (FORGERIES[name]!(forged, pick, random) === false) continue;
      made++;
      const { holds, lines } = verify(forged);
      if (!holds) {
        refused.set(name, (refused.get(name) ?? 0) + 1);
        expect(lines.join('\n')).toContain('DOES NOT FOLLOW');
        continue;
      }
      // What is accepted nevertheless must still be a proof: of things that the edges do not rest on.
      accepted++;
      expect({ name, anomaly: forged.anomaly.explanation, proven: inferredAgain(forged.anomaly, forged.certificate) }).toMatchObject({
        proven: true,
      });
    }
    expect(Object.fromEntries(refused)).toMatchObject(Object.fromEntries(names.map((name) => [name, expect.any(Number) as number])));
    expect(accepted).toBeLessThan(600);
  });

  it('says the same, forged or not, without what the transactions of the cycle read of other rows', () => {
    const random = mulberry(20261122);
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    let [left, told] = [0, 0];
    for (let n = 0; n < 500; n++) {
      const forged = structuredClone(pick(REAL)!) as Deep<Certified>;
      if (n % 5 > 0) FORGERIES[pick(Object.keys(FORGERIES))!]!(forged, pick, random);
      const { anomaly, certificate } = forged;
      const about = new Set([...certificate.rows.map(({ row }) => row), ...anomaly.cycle.map(({ row }) => row)]);
      const unknown = new Set(certificate.transactions.filter(({ outcome }) => outcome === 'unknown').map(({ id }) => id));
      const before = verify(forged).lines;
      for (const stmt of certificate.statements) {
        const kept = stmt.seen.filter(
          ([role, , row, list]) =>
            about.has(row) ||
            role === 'delete' ||
            (role === 'write' && stmt.seq === undefined) ||
            list.split(',').some((entry) => unknown.has(Number(entry.split('.')[0]))),
        );
        left += stmt.seen.length - kept.length;
        stmt.seen = kept;
      }
      expect(verify(forged).lines).toEqual(before);
      told += before.length;
    }
    expect(left).toBeGreaterThan(1000);
    expect(told).toBeGreaterThan(1000);
  });

  it('refuses every edge turned round and every class that is another one', () => {
    for (const real of REAL) {
      for (const [i, { from, to }] of real.anomaly.cycle.entries()) {
        const forged = structuredClone(real) as Deep<Certified>;
        Object.assign(forged.anomaly.cycle[i]!, { from: to, to: from });
        expect(verify(forged).holds).toBe(false);
      }
    }
  });

  it.each(['toString', 'valueOf', 'hasOwnProperty', 'constructor', '__proto__', 'no such class', ''])(
    'refuses the class %j, which does not exist, on every honest read',
    (name) => {
      let forgeries = 0;
      for (const real of REAL) {
        for (const { index, txn, number } of real.statements) {
          const seen = real.certificate.statements.find((each) => each.txn === txn && each.number === number)?.seen ?? [];
          for (const [, table, row] of seen.filter(([, , row]) => real.certificate.rows.some((each) => each.row === row))) {
            forgeries++;
            expect(
              verifyFinding(
                { class: name, cycle: [], transactions: [txn], statements: [index], row: { table, row } },
                real.statements,
                real.certificate,
              ).holds,
            ).toBe(false);
          }
        }
      }
      expect(forgeries).toBeGreaterThan(0);
    },
  );
});

describe('the read point', () => {
  const snapshots = REAL.find(
    ({ anomaly: { cycle } }) =>
      cycle.length === 2 && cycle.every(({ readPoint, rel }) => readPoint === 'snapshot' && (rel === 'rw' || rel === 'wr')),
  )!;
  /** What the reader says that it locks, and what is claimed of its reads. */
  function holds(locks: readonly string[] | undefined, point: 'current' | 'snapshot' | undefined): boolean {
    const { anomaly, statements, certificate } = structuredClone(snapshots) as Deep<Certified>;
    for (const stmt of certificate.statements) if (stmt.kind === 'select' && locks !== undefined) stmt.locks = [...locks];
    for (const step of anomaly.cycle) {
      delete step.readPoint;
      if (point !== undefined) step.readPoint = point;
    }
    return verifyFinding(anomaly, statements, certificate).holds;
  }

  it('is that of the locks within the statement, and open only where they are not told', () => {
    const { table } = snapshots.anomaly.cycle[0]!;
    expect([holds([], 'snapshot'), holds([], 'current'), holds([], undefined)]).toEqual([true, false, false]);
    expect([holds([table!], 'snapshot'), holds([table!], 'current'), holds([table!], undefined)]).toEqual([false, true, false]);
    expect([holds(undefined, 'snapshot'), holds(undefined, 'current'), holds(undefined, undefined)]).toEqual([true, false, true]);
  });
});

describe('its program', () => {
  it('has a proof of every class without a cycle that a row shows', () => {
    expect(Object.keys(PROOFS).toSorted()).toEqual(BAD_READS.toSorted());
  });

  it('is a folder of at most 23,500 characters of code (336 lines of 70), in small files that import nothing but each other', () => {
    const folder = new URL('../../../src/judge/findings/verify/', import.meta.url);
    const files = readdirSync(folder);
    expect(files).toContain('verify-finding.ts');
    let characters = 0;
    for (const name of files) {
      const text = readFileSync(new URL(name, folder), 'utf8');
      const code = text.split('\n').filter((line) => !/^\s*($|\/\/|\/\*\*| \*|import )/.test(line));
      characters += text.replaceAll(/\/\*\*[^]*?\*\/|^\s*\/\/.*$|^import [^]*?;$|\s/gm, '').length;
      expect([name, code.length < 100]).toEqual([name, true]);
      const from = [...text.matchAll(/\bfrom\s+(['"])(.*?)\1/g)].map(([, , path]) => path!);
      expect(from.filter((path) => !files.includes(path.replace(/^\.\//, '')))).toEqual([]);
      expect(from.length).toBe(text.match(/^import\b/gm)?.length ?? 0);
      expect(text).not.toMatch(/\bimport\(|\brequire\('|^export .* from '/m);
    }
    // White space aside: how it is cut into lines is the formatter's to decide.
    expect(characters).toBeGreaterThan(15_000);
    expect(characters).toBeLessThanOrEqual(23_500);
  });
});

describe('anomalist verify', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(file: object): Promise<{ exit: number | undefined; out: string }> {
    const path = join(folder, 'finding-1.json');
    writeFileSync(path, JSON.stringify(file));
    let exit: number | undefined;
    let out = '';
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
    try {
      await verifyCommand((code) => (exit = code))
        .exitOverride()
        .parseAsync(['node', 'verify', path]);
    } finally {
      write.mockRestore();
    }
    return { exit, out };
  }

  const [real] = REAL.filter(({ anomaly }) => anomaly.shapes.includes('write skew'));

  it('says yes with exit 0, and tells each edge', async () => {
    const { exit, out } = await run({ format: 'anomalist-finding', ...real });
    expect(exit).toBe(0);
    expect(out).toMatch(/finding-1\.json, as found: yes\n {2}follows: T1 -rw-> T2 on row \S+ of test\n/);
  });

  it('says which edge does not follow with exit 1, also of the finding as replayed', async () => {
    const forged = structuredClone(real!) as Deep<Certified>;
    forged.certificate.transactions[0]!.outcome = 'aborted';
    const { exit, out } = await run({ format: 'anomalist-finding', ...real, reproduction: forged });
    expect(exit).toBe(1);
    expect(out).toMatch(/as found: yes[\s\S]*as replayed: NO\n[\s\S]*DOES NOT FOLLOW: T1 -rw-> T2/);
  });

  it('takes the folder of a run: a line for each finding, and how many hold', async () => {
    const run = join(folder, 'run');
    const forged = structuredClone(real!) as Deep<Certified>;
    forged.certificate.transactions[0]!.outcome = 'aborted';
    mkdirSync(run);
    for (const [n, file] of [real!, forged, real!].entries())
      writeFileSync(join(run, `finding-${n + 1}.json`), JSON.stringify({ format: 'anomalist-finding', ...file }));
    writeFileSync(join(run, 'findings.json'), '{}');
    let exit: number | undefined;
    let out = '';
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
    try {
      await verifyCommand((code) => (exit = code))
        .exitOverride()
        .parseAsync(['node', 'verify', run]);
    } finally {
      write.mockRestore();
    }
    expect(exit).toBe(1);
    expect(out.match(/as found: yes\n/g)).toHaveLength(2);
    expect(out).not.toContain('yes\n  follows: ');
    expect(out).toContain('2 of 3 hold\n');
    expect(out).toContain('DOES NOT FOLLOW');
    rmSync(run, { recursive: true });
  });

  it('refuses what holds no certificate, whole or at all, as a usage error', async () => {
    await expect(run({ format: 'anomalist-finding', anomaly: real!.anomaly, statements: [] })).rejects.toThrow('holds no certificate');
    await expect(run({ format: 'another' })).rejects.toThrow('got format "another"');
    await expect(run({ format: 'anomalist-finding', ...real, certificate: { version: 1 } })).rejects.toThrow(
      'the certificate cannot be read',
    );
  });
});
