/**
 * Collects the anomalies of the rounds. Anomalies with one fingerprint, level and target are one finding with a count.
 * The first of them is kept with everything a reader needs: its transactions, every statement they sent, the schema. If
 * the documents allow an anomaly, only one of its family is kept whole: the first with the fewest transactions. The
 * others are a line each.
 */
import type {
  Anomaly,
  AnomalyFinding,
  FindingRecord,
  History,
  Judgement,
  Level,
  ListedFinding,
  SetupStatement,
  TestCase,
  Vendor,
} from '../../../core/index.ts';
import { setupOf } from '../../../core/index.ts';
import { familyOf } from '../../../reports/index.ts';
import { certificateOf } from './certificate.ts';
// The folder's index is not imported, because the code that reproduces findings imports this file.
import { observedCase, otherOrders, overlappingIds } from './observed-case.ts';
import { reportedRows } from './reported-rows.ts';
import { reportedStatements, reportedTransactions } from './reported.ts';
import type { Written } from './reported.ts';

/** Most findings that are kept per run and verdict, and of each family even beyond. The rest are only counted. */
export const MOST_FINDINGS = 200;
export const MOST_OF_FAMILY = 3;

export interface FoundIn {
  readonly target: string;
  readonly level: Level;
  readonly round: number;
  readonly setup: readonly SetupStatement[];
  readonly vendor: Vendor;
  readonly replay: string;
  /** Statements were sent without additions. */
  readonly uninstrumented?: boolean;
  /** Prints a statement of the case as SQL. Absent: findings have statements only as they were sent. */
  readonly print?: Written['print'];
  /** The round's case, with the plans of the anomaly's transactions. */
  readonly testCase: TestCase;
}

interface Entry {
  readonly line: ListedFinding;
  count: number;
  record?: FindingRecord;
}

export class Findings {
  private readonly byFingerprint = new Map<string, Entry>();
  /** For each family that the documents allow, the finding that is kept whole. */
  private readonly examples = new Map<string, Entry>();
  private readonly kept = new Map<Judgement['verdict'], number>();
  private readonly families = new Map<string, number>();
  /** Number of anomalies whose findings were not kept. */
  dropped = 0;

  /** Returns the finding, if it is new and kept. */
  add(history: History, anomaly: Anomaly, judgement: Judgement, where: FoundIn): AnomalyFinding | ListedFinding | undefined {
    // One skeleton can be allowed in one transaction and ruled out in another. A bug must not be counted as a documented
    // anomaly.
    const key = `${where.target} ${where.level} ${judgement.verdict} ${anomaly.class} ${anomaly.fingerprint}`;
    const known = this.byFingerprint.get(key);
    if (known) {
      known.count++;
      return undefined;
    }
    const kept = this.kept.get(judgement.verdict) ?? 0;
    const family = `${where.target} ${where.level} ${judgement.verdict} ${familyOf(anomaly)}`;
    const ofFamily = this.families.get(family) ?? 0;
    if (kept >= MOST_FINDINGS && ofFamily >= MOST_OF_FAMILY) {
      this.dropped++;
      return undefined;
    }
    const entry: Entry = {
      line: {
        id: `f${this.byFingerprint.size + 1}`,
        target: where.target,
        level: where.level,
        round: where.round,
        anomaly,
        judgement,
        count: 1,
        ...(where.uninstrumented === true && { uninstrumented: true as const }),
        transactions: reportedTransactions(history, anomaly.transactions, where.testCase),
        replay: where.replay,
      },
      count: 1,
    };
    if (judgement.verdict !== 'documented' || this.shows(family, entry)) entry.record = recordOf(history, anomaly, where);
    this.byFingerprint.set(key, entry);
    this.kept.set(judgement.verdict, kept + 1);
    this.families.set(family, ofFamily + 1);
    return { kind: 'anomaly', ...entry.line, ...entry.record };
  }

  /** True if the finding is shown for its family. The one before it then becomes a line. */
  private shows(family: string, entry: Entry): boolean {
    const example = this.examples.get(family);
    if (example !== undefined && example.line.anomaly.transactions.length <= entry.line.anomaly.transactions.length) return false;
    delete example?.record;
    this.examples.set(family, entry);
    return true;
  }

  get size(): number {
    return this.byFingerprint.size;
  }

  /**
   * Returns the findings that are kept whole, worst first: bugs, then undocumented, then documented; within each, the
   * shortest cycle first.
   */
  list(): AnomalyFinding[] {
    return this.worstFirst().flatMap(({ line, record, count }) =>
      record === undefined ? [] : [{ kind: 'anomaly' as const, ...line, ...record, count }],
    );
  }

  /** Returns the other findings. */
  listed(): ListedFinding[] {
    return this.worstFirst().flatMap(({ line, record, count }) => (record === undefined ? [{ ...line, count }] : []));
  }

  private worstFirst(): Entry[] {
    const rank = { bug: 0, undocumented: 1, documented: 2 } as const;
    return [...this.byFingerprint.values()].sort(
      (a, b) =>
        rank[a.line.judgement.verdict] - rank[b.line.judgement.verdict] || a.line.anomaly.cycle.length - b.line.anomaly.cycle.length,
    );
  }
}

function recordOf(history: History, anomaly: Anomaly, { testCase, setup, vendor, print }: FoundIn): FindingRecord {
  const statements = reportedStatements(history, anomaly, print && { testCase, print });
  return {
    statements,
    rows: reportedRows(history, testCase, anomaly, statements),
    ...setupOf(setup),
    vendor,
    ...observedCases(history, anomaly, testCase),
    // Values alone, and unseen versions, show no lists from which the edges could be derived again.
    ...(history.round.instrument !== 'none' && anomaly.unseen !== true && { certificate: certificateOf(history, anomaly) }),
  };
}

function observedCases(
  history: History,
  anomaly: Anomaly,
  testCase: TestCase,
): Pick<AnomalyFinding, 'observed' | 'overlapping' | 'otherOrders'> {
  const ids = anomaly.transactions.filter((id) => id !== 0);
  const observed = observedCase(history, testCase, ids);
  const near = overlappingIds(history, ids);
  const overlapping = near.length > ids.length ? observedCase(history, testCase, near) : undefined;
  const orders = { observed: otherOrders(history, observed), overlapping: overlapping ? otherOrders(history, overlapping) : [] };
  return {
    observed,
    ...(overlapping && { overlapping }),
    ...((orders.observed.length > 0 || orders.overlapping.length > 0) && { otherOrders: orders }),
  };
}
