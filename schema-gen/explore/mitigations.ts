/**
 * Proposes mitigations that may stop transactions of a workload file from disturbing one another, as changes of the
 * file. They are a lock on one of their reads (lock-mitigations.ts) or on the parent row (parent-mitigations.ts), and
 * one statement instead of a read and a write of the same row (one-statement.ts). Others are a test of how many rows a
 * write changed (count-mitigations.ts), a unique constraint (unique-mitigations.ts) or an exclusion constraint
 * (exclusion-mitigations.ts). The server shows whether they work (src/explore/try-cures.ts). A stronger level is
 * another mitigation, and no change of the file.
 *
 * The text of a mitigation is put into the file and read again by the importer. A text is shown only if it means the
 * same as the templates that were tried.
 */
import type { Capabilities } from '../../core/index.ts';
import type { WorkloadTemplates } from '../workload-file/import.ts';
import { countMitigations } from './count-mitigations.ts';
import { editedTemplates, statementTexts } from './edited-file.ts';
import type { FileEdit, ReadWorkload, StatementEdit } from './edited-file.ts';
import { exclusionMitigations } from './exclusion-mitigations.ts';
import { lockEdits, lockableReads, locked } from './lock-mitigations.ts';
import { oneStatementMitigations } from './one-statement.ts';
import { parentEdits, parentLocks } from './parent-mitigations.ts';
import type { ParentLock } from './parent-mitigations.ts';
import { isSameMeaning } from './same-templates.ts';
import { Spelled } from './spelled.ts';
import { statementNumber } from './statement-number.ts';
import { uniqueMitigations } from './unique-mitigations.ts';

export interface Mitigation {
  /** A description in words. */
  readonly what: string;
  /** Its statements, as they stand in the changed file. They are absent if no text has the meaning that is tried. */
  readonly sql?: readonly string[];
  readonly templates: WorkloadTemplates;
}

/** `members` are the places of the transactions that run together. */
export function mitigationsOf(workload: ReadWorkload, members: readonly number[], capabilities: Capabilities): readonly Mitigation[] {
  const proposals = new Proposals(workload, [...new Set(members)], capabilities);
  const mitigations = [
    ...proposals.locks(),
    ...proposals.parents(),
    ...proposals.oneStatements(),
    ...proposals.counts(),
    ...proposals.advisories(),
    ...proposals.uniques(),
    ...proposals.exclusions(),
  ];
  return [...new Map(mitigations.toReversed().map((mitigation) => [mitigation.what, mitigation])).values()].toReversed();
}

class Proposals {
  private readonly workload: ReadWorkload;
  private readonly places: readonly number[];
  private readonly capabilities: Capabilities;
  private readonly names: Spelled;

  constructor(workload: ReadWorkload, places: readonly number[], capabilities: Capabilities) {
    this.workload = workload;
    this.places = places;
    this.capabilities = capabilities;
    this.names = new Spelled(workload.templates.schema, workload.importer);
  }

  /** Proposes FOR UPDATE on one read of a transaction, then on all lockable reads in each of several transactions. */
  locks(): readonly Mitigation[] {
    const of = (place: number, reads = lockableReads(this.at(place))) => ({
      transaction: locked(this.at(place), reads),
      edits: lockEdits(this.at(place), this.texts(place), reads),
    });
    const single = this.places.flatMap((place) =>
      lockableReads(this.at(place)).map((read) => {
        const { name } = this.at(place);
        const what = `FOR UPDATE on statement ${statementNumber(this.at(place), read) + 1} of ${name}: ${shortened(read.text)}`;
        return this.checked(what, new Map([[place, of(place, [read])]]));
      }),
    );
    const all = this.places.length > 1 && this.places.every((place) => lockableReads(this.at(place)).length > 0);
    const names = this.places.map((place) => this.at(place).name);
    const every = `FOR UPDATE on every read of ${names.join(' and ')}`;
    return all ? [...single, this.checked(every, new Map(this.places.map((place) => [place, of(place)])))] : single;
  }

  /** Two transactions that depend on rows of the same parent table both lock the parent row. */
  parents(): readonly Mitigation[] {
    const all = this.places.map((place) => ({ place, locks: this.parentLocksOf(place) }));
    const parents = [...new Set(all.flatMap(({ locks }) => locks.map(({ parent }) => parent)))];
    return parents.flatMap((parent) => {
      const own = all.flatMap(({ place, locks }) => {
        const found = locks.filter((lock) => lock.parent === parent);
        return found.length > 0 ? [{ place, found }] : [];
      });
      if (own.every(({ found }) => found.every(({ read }) => read))) return [];
      const most = Math.max(...own.map(({ found }) => found.length));
      return Array.from({ length: most }, (_, n) => own.map(({ place, found }) => ({ place, lock: found[n] ?? found.at(-1)! }))).flatMap(
        (chosen) => this.parentMitigation(parent, chosen),
      );
    });
  }

  /** Proposes an advisory lock: under the key of the parent row, or one for all transactions. */
  advisories(): readonly Mitigation[] {
    const { advisoryLocks } = this.capabilities;
    if (advisoryLocks === undefined || this.places.some((place) => this.at(place).autocommit)) return [];
    const names = this.places.map((place) => this.at(place).name).join(' and ');
    const { behind, one: oneLock, keyed: keyedLock } = ADVISORY_LOCKS[advisoryLocks];
    const one = this.edited(
      `an advisory lock at the beginning of ${names}${behind}: all of them wait for one another`,
      new Map(this.places.map((place) => [place, [{ at: 0, before: [oneLock] }]])),
    );
    const numbered = this.places.map((place) => this.parentLocksOf(place).filter(({ number }) => number !== undefined));
    const parents = [...new Set(numbered.flat().map(({ parent }) => parent))];
    const keyed = parents.flatMap((parent) => {
      const own = numbered.map((locks) => locks.find((lock) => lock.parent === parent));
      if (own.some((lock) => lock === undefined)) return [];
      return this.edited(
        `an advisory lock under the key of ${this.names.table(parent)}, ${this.inFrontOf(this.places.map((place, n) => ({ place, lock: own[n]! })))}${behind}`,
        new Map(this.places.map((place, n) => [place, [{ at: own[n]!.at, before: [keyedLock(parent, own[n]!.number!)] }]])),
      );
    });
    return [...keyed, ...one];
  }

  private parentLocksOf(place: number): readonly ParentLock[] {
    const { schema } = this.workload.templates;
    return parentLocks({ transaction: this.at(place), texts: this.texts(place), schema, names: this.names });
  }

  private parentMitigation(
    parent: string,
    chosen: readonly { readonly place: number; readonly lock: ParentLock }[],
  ): readonly Mitigation[] {
    return this.edited(
      `a lock on the row of ${this.names.table(parent)}, ${this.inFrontOf(chosen)}`,
      new Map(chosen.map(({ place, lock }) => [place, parentEdits([lock])])),
    );
  }

  oneStatements(): readonly Mitigation[] {
    return this.places.flatMap((place) =>
      oneStatementMitigations({ transaction: this.at(place), texts: this.texts(place), names: this.names }).map(({ what, ...change }) =>
        this.checked(what, new Map([[place, change]])),
      ),
    );
  }

  counts(): readonly Mitigation[] {
    return this.places.flatMap((place) =>
      countMitigations(this.at(place)).flatMap(({ what, edits }) => this.edited(what, new Map([[place, edits]]))),
    );
  }

  uniques(): readonly Mitigation[] {
    const { schema } = this.workload.templates;
    const setup = { schema, capabilities: this.capabilities, names: this.names };
    return this.places.flatMap((place) =>
      uniqueMitigations(this.at(place), setup).map(({ what, schema: changed, sql }) =>
        this.shown({ what, templates: { ...this.workload.templates, schema: changed } }, sql === undefined ? undefined : { schema: [sql] }),
      ),
    );
  }

  exclusions(): readonly Mitigation[] {
    if (this.capabilities.ranges !== true) return [];
    const { schema } = this.workload.templates;
    return this.places.flatMap((place) =>
      exclusionMitigations(this.at(place), schema, this.names).flatMap(({ what, sql }) => this.asEdited(what, { schema: sql })),
    );
  }

  private inFrontOf(chosen: readonly { readonly place: number; readonly lock: ParentLock }[]): string {
    return `in front of ${chosen.map(({ place, lock }) => `statement ${lock.at + 1} of ${this.at(place).name}`).join(' and of ')}`;
  }

  private at(place: number) {
    return this.workload.templates.transactions[place]!;
  }

  private texts(place: number): readonly string[] {
    return statementTexts(this.workload, place);
  }

  /** Returns a mitigation that is only its text. The result is empty if the importer refuses the text. */
  private edited(what: string, transactions: ReadonlyMap<number, readonly StatementEdit[]>): readonly Mitigation[] {
    return this.asEdited(what, { transactions });
  }

  private asEdited(what: string, edit: FileEdit): readonly Mitigation[] {
    const templates = editedTemplates(this.workload, edit);
    return templates === undefined ? [] : [{ what, sql: textsOf(edit), templates }];
  }

  /** Returns a mitigation that is known as templates, with its text if that means the same. */
  private checked(what: string, changes: ReadonlyMap<number, Change>): Mitigation {
    const { templates } = this.workload;
    const transactions = templates.transactions.map((each, place) => changes.get(place)?.transaction ?? each);
    const edits = [...changes].flatMap(([place, { edits: own }]) => (own === undefined ? [] : [[place, own] as const]));
    return this.shown(
      { what, templates: { ...templates, transactions } },
      edits.length < changes.size ? undefined : { transactions: new Map(edits) },
    );
  }

  private shown(mitigation: Mitigation, edit: FileEdit | undefined): Mitigation {
    const read = edit === undefined ? undefined : editedTemplates(this.workload, edit);
    return read !== undefined && isSameMeaning(read, mitigation.templates)
      ? { ...mitigation, templates: read, sql: textsOf(edit!) }
      : mitigation;
  }
}

interface AdvisoryLockTexts {
  /** The words after the mitigation's name. */
  readonly behind: string;
  readonly one: string;
  readonly keyed: (parent: string, key: string) => string;
}

const ADVISORY_LOCKS: { readonly [K in NonNullable<Capabilities['advisoryLocks']>]: AdvisoryLockTexts } = {
  'of the transaction': { behind: '', one: 'SELECT pg_advisory_xact_lock(1)', keyed: (_, key) => `SELECT pg_advisory_xact_lock(:${key})` },
  'of the session': {
    behind: ', and RELEASE_LOCK behind each COMMIT and ROLLBACK',
    one: "SELECT GET_LOCK('one at a time', 10)",
    keyed: (parent, key) => `SELECT GET_LOCK(CONCAT('${parent.replaceAll(/\W/g, '_')} ', :${key}), 10)`,
  },
};

interface Change {
  readonly transaction: WorkloadTemplates['transactions'][number];
  readonly edits?: readonly StatementEdit[];
}

/** Returns the statements of an edit, in the order of the file. */
function textsOf({ transactions = new Map(), schema = [] }: FileEdit): readonly string[] {
  const own = [...transactions.values()].flatMap((edits) =>
    edits.flatMap(({ before = [], text, behind = [] }) => [...before, ...(text === undefined ? [] : [text]), ...behind]),
  );
  return [...schema, ...own];
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}
