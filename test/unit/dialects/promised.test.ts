/**
 * Every promise row of every dialect: which verdict it gives, and by which sentence, over level, class, kind of read, shape and
 * setting (promised/NAME.txt); and that no row could be dropped without a change of that table.
 */
import { describe, expect, it } from 'vitest';
import { judge, judgeViolation } from '../../../check/index.ts';
import type { AnomalyClass, SingleRunViolationKind, CycleBase, PromiseRow, Shape } from '../../../core/level/index.ts';
import type { Dialect } from '../../../core/dialect/index.ts';
import type { Anomaly, CycleStep } from '../../../core/verdict/index.ts';
import { DIALECTS } from '../../../dialects/index.ts';

const BASES: readonly CycleBase[] = ['G0', 'G1c', 'G-single-item', 'G-single', 'G-nonadjacent-item', 'G-nonadjacent', 'G2-item', 'G2'];
const CLASSES: readonly AnomalyClass[] = [
  ...BASES,
  ...(['G1a', 'G1b', 'internal', 'fork', 'duplicate-write', 'thin-air', 'status-mismatch'] as const),
  ...BASES.map((base) => `${base}-session` as const),
  ...BASES.map((base) => `${base}-realtime` as const),
];

type Read = Pick<CycleStep, 'readPoint' | 'inner' | 'compareAndSet' | 'fromStatement' | 'toStatement'>;
/** Two steps that rest on such a read. */
const cycleOf = (read: Read): Pick<Anomaly, 'cycle'> => ({
  cycle: (['wr', 'rw'] as const).map((rel, i) => ({ from: 1 + i, to: 2 - i, rel, explanation: '', ...read })),
});
const READS: Readonly<Record<string, Partial<Anomaly>>> = {
  'any read': {},
  'snapshot reads': cycleOf({ readPoint: 'snapshot' }),
  'one plain SELECT': cycleOf({ readPoint: 'snapshot', fromStatement: 3, toStatement: 3 }),
  'locking reads': cycleOf({ readPoint: 'current' }),
  "a query within a transaction's statement": cycleOf({ readPoint: 'current', inner: 'transaction' }),
  'an autocommit SELECT with a query': cycleOf({ readPoint: 'current', inner: 'autocommit' }),
  'compare-and-sets': cycleOf({ readPoint: 'current', compareAndSet: true }),
  'compare-and-sets, the read point not known': cycleOf({ compareAndSet: true }),
  'a freed key': { freedKey: true },
};

interface Condition {
  readonly read: string;
  readonly shape?: Shape;
  readonly configuration: Readonly<Record<string, string>>;
}

/** The settings that rows name, alone and together. */
function settingsOf(promises: readonly PromiseRow[]): readonly Condition['configuration'][] {
  const named = new Map(
    promises.flatMap(({ configuration = {} }) => Object.entries(configuration).map(([k, v]) => [`${k}=${v}`, [k, v] as const])),
  );
  return [...named.values()].reduce<readonly Condition['configuration'][]>(
    (all, [k, v]) => [...all, ...all.map((each) => ({ ...each, [k]: v }))],
    [{}],
  );
}

function conditionsOf(promises: readonly PromiseRow[]): readonly Condition[] {
  const shapes = [undefined, ...new Set(promises.flatMap(({ shapes: own = [] }) => own))];
  return settingsOf(promises).flatMap((configuration) =>
    shapes.flatMap((shape) => Object.keys(READS).map((read): Condition => ({ read, configuration, ...(shape && { shape }) }))),
  );
}

function answer(
  promises: readonly PromiseRow[],
  level: PromiseRow['level'],
  of: AnomalyClass,
  { read, shape, configuration }: Condition,
): string {
  const anomaly = { class: of, shapes: shape ? [shape] : [], cycle: [], ...READS[read] } as unknown as Anomaly;
  const { verdict, row } = judge(anomaly, level, configuration, promises);
  return `${verdict}: ${row === undefined ? 'no row' : row.says.slice(0, 60).trimEnd()}`;
}

const NOTHING: Condition = { read: 'any read', configuration: {} };

function wordsOf({ read, shape, configuration }: Condition): string {
  const settings = Object.entries(configuration).map(([name, value]) => `${name}=${value}`);
  return [...settings, ...(shape ? [shape] : []), ...(read === NOTHING.read ? [] : [read])].join(', ');
}

/** Less is said: a read, a shape or some settings fewer. */
function lessThan(condition: Condition, all: readonly Condition[]): readonly Condition[] {
  const size = ({ read, shape, configuration }: Condition): number =>
    (read === NOTHING.read ? 0 : 1) + (shape ? 1 : 0) + Object.keys(configuration).length;
  return all.filter(
    (less) =>
      size(less) === size(condition) - 1 &&
      (less.read === condition.read || less.read === NOTHING.read) &&
      (less.shape === condition.shape || less.shape === undefined) &&
      Object.keys(less.configuration).every((name) => condition.configuration[name] !== undefined),
  );
}

/** Of each class what is answered, and each condition under which it is something that no smaller condition gives. */
function tableOf({ levels, promises }: Dialect): string {
  const conditions = conditionsOf(promises);
  const smaller = new Map(conditions.map((each) => [each, lessThan(each, conditions)]));
  const lines: string[] = [];
  for (const { level } of levels) {
    const classes = new Map<string, AnomalyClass[]>();
    for (const of of CLASSES) {
      const answers = new Map(conditions.map((each) => [each, answer(promises, level, of, each)]));
      const said = conditions
        .filter((each) => each !== conditions[0] && smaller.get(each)!.every((less) => answers.get(less) !== answers.get(each)))
        .map((each) => `    ${wordsOf(each)} -> ${answers.get(each)!}`);
      const key = [`  -> ${answers.get(conditions[0]!)!}`, ...said].join('\n');
      classes.set(key, [...(classes.get(key) ?? []), of]);
    }
    lines.push(level);
    for (const [key, own] of classes) lines.push(`  ${own.join(' ')}`, key);
  }
  return `${lines.join('\n')}\n`;
}

const KINDS: readonly SingleRunViolationKind[] = ['transaction state', 'damaged tables', 'part of a transaction'];

function violationsOf(dialect: Dialect): string {
  const lines = dialect.levels.flatMap(({ level }) =>
    KINDS.flatMap((kind) =>
      ([undefined, 'plain', 'locking'] as const).map((reading) => {
        const { verdict, row } = judgeViolation({ kind, ...(reading && { reading }) }, level, {
          singleRunViolations: dialect.singleRunViolations,
          ranLive: true,
        });
        return `${level}, ${kind}${reading ? `, ${reading}` : ''} -> ${verdict}: ${row === undefined ? 'no row' : row.says.slice(0, 60).trimEnd()}`;
      }),
    ),
  );
  return `${lines.join('\n')}\n`;
}

function allowancesOf({ allowedErrors = [], tableChanges }: Dialect): string {
  const errors = allowedErrors.flatMap(({ codes, levels, when = 'whatever row was met', verdict, says }) =>
    levels.map((level) => `${level}, ${codes.join(' ')}, ${when} -> ${verdict}: ${says.slice(0, 60).trimEnd()}`),
  );
  const changes = (tableChanges?.rows ?? []).flatMap(({ changes: all, levels, when, codes, verdict, says }) =>
    levels.map(
      (level) => `${level}, ${all.join(' | ')}, ${when}, ${codes?.join(' ') ?? 'no error'} -> ${verdict}: ${says.slice(0, 60).trimEnd()}`,
    ),
  );
  return `${[...errors, ...changes].join('\n')}\n`;
}

describe.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))('what %s promises', (name, dialect) => {
  it('is, of anomalies, what the table says', async () => {
    await expect(tableOf(dialect)).toMatchFileSnapshot(`promised/${name}.txt`);
  });

  it('is, of single-run violations, errors and changes of tables, what the table says', async () => {
    await expect(`${violationsOf(dialect)}\n${allowancesOf(dialect)}`).toMatchFileSnapshot(`promised/${name}-single-run-violations.txt`);
  });

  it('hangs on every row', () => {
    const conditions = conditionsOf(dialect.promises);
    const idle = dialect.promises.filter((row) => {
      const others = dialect.promises.filter((each) => each !== row);
      return row.classes.every((of) =>
        conditions.every((each) => answer(dialect.promises, row.level, of, each) === answer(others, row.level, of, each)),
      );
    });
    expect(idle.map(({ level, classes, says }) => `${level} ${classes.join(' ')}: ${says}`)).toEqual([]);
    const dropped = dialect.singleRunViolations.map((row) =>
      violationsOf({ ...dialect, singleRunViolations: dialect.singleRunViolations.filter((each) => each !== row) }),
    );
    for (const without of dropped) expect(without).not.toBe(violationsOf(dialect));
  });
});
