/**
 * Marks of a value: the classes and row sets that it leads to in the current rows, each with the value there. A key
 * leads to its row, the row to the values of its other columns, and these to the rows that they name in turn.
 *
 *     :member 1  ->  members.id 1, members.organization_id 7, and the marks of the row with organizations.id 7
 *
 * Two transactions meet in a mark that both have.
 */
import { loosely, mapExpression, truthOf, whyUndecided, readValue } from '../../../core/index.ts';
import type { Expression, ResultRow, Table, Value, FixtureState } from '../../../core/index.ts';
import type { RowSet, Session, JointReads } from './joint-reads.ts';

/** Maps a class or row set to the values there, spelled loosely. */
export type Marks = ReadonlyMap<string, ReadonlySet<string>>;

/** The number of steps from row to row. */
const DEEPEST = 3;

export class Reach {
  readonly state: FixtureState;
  private readonly joint: JointReads;
  private readonly indexes = new Map<string, ReadonlyMap<string, readonly ResultRow[]>>();
  private readonly known = new Map<string, Marks>();

  constructor(joint: JointReads, state: FixtureState) {
    this.joint = joint;
    this.state = state;
  }

  /** Returns the reads of this session at a value of a class. */
  marksOf(session: number, className: string, value: Value): Marks {
    const key = JSON.stringify([session, className, value]);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const marks = new Map<string, Set<string>>();
    if (value !== null) this.follow(className, loosely(value), 0, marks);
    this.pickedSets(this.joint.sessions[session]!, className, marks);
    this.known.set(key, marks);
    return marks;
  }

  /** Returns the session's sets that none of its parameters narrows. */
  constantsOf(session: number): Marks {
    const { sets } = this.joint.sessions[session]!;
    return new Map(this.joint.sets.flatMap(({ id, by }) => (sets.has(id) && by.length === 0 ? [[id, new Set([''])] as const] : [])));
  }

  rowsBy(table: Table, place: number, value: string): readonly ResultRow[] {
    const key = `${table.name} ${place}`;
    const index = this.indexes.get(key) ?? indexOf(this.state[table.name] ?? [], place);
    this.indexes.set(key, index);
    return index.get(value) ?? [];
  }

  isIn({ table, where }: RowSet, row: ResultRow): boolean {
    return where.every((condition) => holds(condition, table, row));
  }

  private follow(className: string, value: string, depth: number, marks: Map<string, Set<string>>): void {
    if (!mark(marks, className, value) || depth === DEEPEST) return;
    for (const { table, place } of this.joint.keysOf(className))
      for (const row of this.rowsBy(table, place, value)) {
        for (const set of this.joint.sets) if (set.table.name === table.name) this.markSet(set, row, marks);
        for (const link of this.joint.links.get(table.name)!) {
          const other = row[link.place];
          if (other !== null && other !== undefined) this.follow(link.class, loosely(other), depth + 1, marks);
        }
      }
  }

  private markSet(set: RowSet, row: ResultRow, marks: Map<string, Set<string>>): void {
    const values = set.by.map(({ place }) => row[place] ?? null);
    if (values.includes(null) || !this.isIn(set, row)) return;
    mark(marks, set.id, values.map((value) => loosely(value!)).join('\u001f'));
  }

  /** A value selects a set of its session even if no row is in it. */
  private pickedSets({ sets }: Session, className: string, marks: Map<string, Set<string>>): void {
    for (const set of this.joint.sets) {
      if (!sets.has(set.id) || !set.by.some((link) => link.class === className)) continue;
      const values = set.by.map((link) => [...(marks.get(link.class) ?? [])]);
      if (values.every(({ length }) => length === 1)) mark(marks, set.id, values.flat().join('\u001f'));
    }
  }
}

/** Returns false if the mark was present. */
function mark(marks: Map<string, Set<string>>, at: string, value: string): boolean {
  const known = marks.get(at) ?? new Set();
  marks.set(at, known);
  if (known.has(value)) return false;
  known.add(value);
  return true;
}

function indexOf(rows: readonly ResultRow[], place: number): ReadonlyMap<string, readonly ResultRow[]> {
  const index = new Map<string, ResultRow[]>();
  for (const row of rows) {
    const value = row[place] ?? null;
    if (value === null) continue;
    const key = loosely(value);
    index.set(key, [...(index.get(key) ?? []), row]);
  }
  return index;
}

/** A condition that cannot be decided here counts as true. */
function holds(condition: Expression, table: Table, row: ResultRow): boolean {
  let readable = true;
  const filled = mapExpression(condition, {
    expression: (each) => {
      if (each.kind !== 'column') return each;
      const place = table.columns.findIndex(({ name }) => name === each.column);
      const type = table.columns[place]?.type.kind ?? 'text';
      const text = row[place] ?? null;
      const value = text === null ? null : readValue(type, text);
      if (value === undefined) readable = false;
      return { kind: 'literal', type, value: value ?? null };
    },
  });
  return !readable || whyUndecided(filled) !== undefined || truthOf(filled) === true;
}
