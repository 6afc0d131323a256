/**
 * Events of the evaluation after the run -> the columns History.predicates and History.unobservedReads. The versions in question
 * are numbered table by table, and each statement names them by these numbers. An event that does not fit gives a note
 * and is left out.
 */
import type { EvaluatedEvent, UnobservedReadEvent, PredicateEvent, VersionsEvent, RowCombinations } from './event.ts';
import type { UnobservedName } from './unobserved.ts';
import { int32, uint8 } from '../base/index.ts';
import { NONE } from './history.ts';
import type { History } from './history.ts';
import type { Note } from './note.ts';

/** Translates the names in the events to numbers. */
interface Names {
  /** Statement `n` of transaction `t`. */
  statement(t: number, n: number): number | undefined;
  transaction(id: number): number;
  row(table: string, rid: string): number;
  note(note: Note): void;
}

/** The range of numbers of a table's versions. */
interface Numbered {
  readonly base: number;
  readonly size: number;
}

export class PredicateColumns {
  private readonly names: Names;
  private readonly numbered = new Map<string, Numbered>();
  private readonly version = { row: int32(), txn: int32(), seq: int32() };
  private readonly predicate = { statement: int32(), base: int32(), size: int32(), beside: uint8(), met: uint8() };
  private readonly predicateTable: string[] = [];
  private readonly matches: (string | undefined)[] = [];
  private readonly when: (RowCombinations | undefined)[] = [];
  private readonly unobserved = { statement: int32(), base: int32(), size: int32() };
  private readonly unobservedTable: string[] = [];
  private readonly unobservedWhy: UnobservedName[] = [];
  private readonly unobservedMatches: (string | undefined)[] = [];
  private evaluated: EvaluatedEvent | undefined;

  constructor(names: Names) {
    this.names = names;
  }

  add(event: VersionsEvent | PredicateEvent | UnobservedReadEvent | EvaluatedEvent): void {
    switch (event.e) {
      case 'versions':
        return this.numberVersions(event);
      case 'predicate':
        return this.predicateRead(event);
      case 'look':
        return this.unobservedRead(event);
      case 'evaluated': {
        this.evaluated = event;
        return;
      }
    }
  }

  finish(): Pick<History, 'predicates' | 'unobservedReads'> {
    return {
      predicates: {
        count: this.matches.length,
        statement: this.predicate.statement.done(),
        table: this.predicateTable,
        base: this.predicate.base.done(),
        size: this.predicate.size.done(),
        matches: this.matches,
        beside: this.predicate.beside.done(),
        when: this.when,
        met: this.predicate.met.done(),
        row: this.version.row.done(),
        txn: this.version.txn.done(),
        seq: this.version.seq.done(),
        ...(this.evaluated !== undefined && { evaluated: this.evaluated }),
      },
      unobservedReads: {
        count: this.unobservedTable.length,
        statement: this.unobserved.statement.done(),
        table: this.unobservedTable,
        why: this.unobservedWhy,
        base: this.unobserved.base.done(),
        size: this.unobserved.size.done(),
        matches: this.unobservedMatches,
      },
    };
  }

  private numberVersions({ table, versions }: VersionsEvent): void {
    const base = this.version.row.length;
    for (let i = 0; i + 1 < versions.length; i += 2) {
      const entry = /^(\d{1,9})\.(\d{1,9})$/.exec(versions[i + 1]!);
      const row = entry === null ? NONE : this.names.row(table, versions[i]!);
      this.version.row.push(row);
      this.version.txn.push(entry === null ? NONE : this.names.transaction(Number(entry[1])));
      this.version.seq.push(entry === null ? NONE : Number(entry[2]));
    }
    this.numbered.set(table, { base, size: this.version.row.length - base });
  }

  private predicateRead({ t, n, table, matches, all, beside, when, met }: PredicateEvent): void {
    const statement = this.names.statement(t, n);
    const { base, size } = this.numberedOf(table);
    const ranges = when?.tables.map((each) => this.numberedOf(each)) ?? [];
    const fits =
      when === undefined ||
      (ranges.length > 0 &&
        when.versions.length % ranges.length === 0 &&
        when.versions.every((v, i) => Number.isInteger(v) && v >= 0 && v < ranges[i % ranges.length]!.size));
    if (statement === undefined || (all !== true && matches?.length !== size) || !fits) {
      this.names.note({
        code: 'predicate-left-out',
        data: { transaction: t, statement: n, ...(statement !== undefined && { versions: { table, count: size } }) },
      });
      return;
    }
    this.predicate.statement.push(statement);
    this.predicate.base.push(base);
    this.predicate.size.push(size);
    this.predicateTable.push(table);
    this.matches.push(all === true ? undefined : matches);
    this.predicate.beside.push(beside === true ? 1 : 0);
    this.predicate.met.push(met === true ? 1 : 0);
    this.when.push(when && { tables: when.tables, versions: when.versions.map((v, i) => v + ranges[i % ranges.length]!.base) });
  }

  private unobservedRead({ t, n, table, why, yes, open }: UnobservedReadEvent): void {
    const statement = this.names.statement(t, n);
    const { base, size } = this.numberedOf(table);
    const told = yes !== undefined || open !== undefined;
    if (statement === undefined) {
      this.names.note({ code: 'look-left-out', data: { transaction: t, statement: n } });
      return;
    }
    const fits = [...(yes ?? []), ...(open ?? [])].every((v) => v < size);
    const matches = Array.from<string>({ length: size }).fill('0');
    for (const v of fits ? (yes ?? []) : []) matches[v] = '1';
    for (const v of fits ? (open ?? []) : []) matches[v] = '?';
    this.unobserved.statement.push(statement);
    this.unobserved.base.push(base);
    this.unobserved.size.push(size);
    this.unobservedTable.push(table);
    this.unobservedWhy.push(why);
    this.unobservedMatches.push(told && fits ? matches.join('') : undefined);
  }

  private numberedOf(table: string): Numbered {
    return this.numbered.get(table) ?? { base: 0, size: 0 };
  }
}
