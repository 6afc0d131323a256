/**
 * The text for the vendor's tracker. It has what maintainers ask for and without which real reports were closed. That is
 * the vendor's promise with its source, the level and the connections read back, the observed order with its waits, k of
 * N without instrumentation, why no serial order explains the results, and the same schedule elsewhere.
 */
import { isAnomaly } from '../../core/verdict/index.ts';
import type { TrackerShape, Vendor } from '../../core/dialect/index.ts';
import type { SingleRunViolationKind } from '../../core/level/index.ts';
import type { ExploreFamily, LevelReport, Report } from '../../core/verdict/index.ts';
import { INSTRUMENTED, rateSentence } from '../repro/case-header.ts';
import { mtrTest } from '../repro/mtr-test.ts';
import { reproCase, stepAnswer, waitingWords } from '../repro/repro-case.ts';
import type { FiledFinding, ReproCase } from '../repro/repro-case.ts';
import { transcript } from '../repro/transcript.ts';
import { asReplayed } from '../finding/as-replayed.ts';
import { controlsOf, findingName } from '../finding/facts.ts';
import { isolationSpec } from '../finding/spec.ts';
import { edgeSentence } from '../text/in-users-rows.ts';
import { textTable } from '../text/table.ts';
import { terminated } from '../text/terminated.ts';
import { oneLine } from '../text/visible.ts';
import { counted, levelWords, promiseSentence, sourceWords } from '../text/words.ts';

export interface Subject {
  readonly finding: FiledFinding;
  readonly report: Pick<Report, 'tool' | 'seed'>;
  readonly level: Pick<LevelReport, 'server' | 'make' | 'configuration' | 'inForce'>;
}

interface Parts extends Subject {
  readonly vendor: Vendor;
  readonly repro: ReproCase;
  readonly name: string;
}

/** `shape`: for a tracker other than the target's own. */
export function trackerText(subject: Subject, shape?: TrackerShape): string {
  const { finding } = subject;
  const vendor = finding.vendor;
  const parts: Parts = { ...subject, vendor, repro: reproCase(finding), name: findingName(asReplayed(finding)) };
  return `${SHAPES[shape ?? vendor.shape](parts)
    .filter((block) => block !== undefined)
    .join('\n\n')}\n`;
}

type Block = string | undefined;

const SHAPES: Readonly<Record<TrackerShape, (parts: Parts) => readonly Block[]>> = {
  mysql: (p) => [
    `Synopsis: ${title(p)}`,
    `Category: MySQL Server: InnoDB storage engine\nSeverity: ${p.finding.judgement.verdict === 'bug' ? 'S2 (Serious)' : 'S3 (Non-critical)'}\nVersion: ${versionNumber(p)}\nOS: ${osOf(p)}`,
    warning(p),
    `Description:\n${why(p)}`,
    `What the manual says:\n${promise(p)}`,
    `Frequency: ${rateSentence(p.repro)}`,
    settings(p),
    `How to repeat (annotated transcript):\n${transcript(p.repro, p.vendor, true)}`,
    `How to repeat (mtr):\n${mtrTest(p.finding, p.level.server)}`,
    controls(p),
    made(p),
  ],
  mariadb: (p) => [
    `Summary: ${title(p)}`,
    `Affects versions: ${versionNumber(p)}\nComponent: Storage Engine - InnoDB, Transactions\nEnvironment: ${osOf(p)}\nIsolation level: ${levelWords(p.finding.level)}\ninnodb_snapshot_isolation: ${p.level.configuration['innodb_snapshot_isolation'] ?? 'not a setting of this version (OFF)'}`,
    warning(p),
    why(p),
    `The documentation:\n${promise(p)}`,
    `Rate: ${rateSentence(p.repro)}`,
    settings(p),
    `Transcript:\n${transcript(p.repro, p.vendor, true)}`,
    `mtr test:\n{code}\n${mtrTest(p.finding, p.level.server)}{code}`,
    controls(p),
    made(p),
  ],
  postgres: (p) => [
    `To: ${p.vendor.tracker}\nSubject: ${title(p)}`,
    warning(p),
    `version(): ${p.level.server}\nPackage: ${packageOf(p)}\n${settings(p)}`,
    `Schema:\n${schema(p)}`,
    `Steps (one psql for each session; each reply awaited before the next step, unless it says that it waits):\n${transcript(p.repro, p.vendor, true)}`,
    `Actual: ${actual(p)}\nExpected: ${expected(p)}`,
    why(p),
    `What the documentation says:\n${promise(p)}`,
    rateSentence(p.repro),
    p.repro.instrumented
      ? 'An isolationtester spec needs the case without instrumentation: none was made yet.'
      : `For src/test/isolation (isolationtester):\n\n${isolationSpec(p.finding) ?? ''}`.trimEnd(),
    controls(p),
    made(p),
  ],
  tidb: (p) => [
    `# ${title(p)}`,
    warning(p),
    `### 1. Minimal reproduce step (Required)\n\n\`\`\`sql\n${schema(p)}\n\n${tidbSteps(p)}\n\`\`\`\n\n${why(p)}\n\n${rateSentence(p.repro)}`,
    `### 2. What did you expect to see? (Required)\n\n${expected(p)}\n\n${promise(p)}`,
    `### 3. What did you see instead (Required)\n\n${actual(p)}`,
    `### 4. What is your TiDB version? (Required)\n\ntidb_version(): ${p.level.server}\ntidb_txn_mode: ${p.level.configuration['tidb_txn_mode'] ?? 'not recorded'}\nIsolation level: ${levelWords(p.finding.level)}\nstart_ts, commit_ts: ${timestamps(p)}\n${settings(p)}`,
    controls(p),
    made(p),
  ],
  cockroachdb: (p) => [
    `# ${title(p)}`,
    warning(p),
    `**Describe the problem**\n\n${why(p)}\n\n${promise(p)}`,
    `**To Reproduce**\n\n1. Start a cluster: \`cockroach start-single-node --insecure\` (or the command your cluster was started with)\n2. Schema:\n\n\`\`\`sql\n${schema(p)}\n\`\`\`\n\n3. Sessions, each reply awaited unless it waits:\n\n\`\`\`\n${transcript(p.repro, p.vendor, true)}\n\`\`\`\n\n${rateSentence(p.repro)}`,
    `**Expected behavior**\n\n${expected(p)}\n\nSeen instead: ${actual(p)}`,
    `**Environment**\n\n- ${p.level.server}\n- Isolation level asked for: ${levelWords(p.finding.level)}; ${inForce(p)}: ${upgraded(p)}\n- Errors 40001: none of these transactions was retried; one that fails with 40001 counts as aborted and is no part of the anomaly\n- ${settings(p)}`,
    `**Additional context: impact**\n\nA transaction that relies on ${levelWords(p.finding.level)} acts on a state that no serial order of the transactions gives.`,
    controls(p),
    made(p),
  ],
};

function title({ name, finding, level, vendor }: Parts): string {
  return `${name} at ${levelWords(finding.level)}, ${vendor.title} ${oneLine(level.make.number)}`;
}

/** Returns the facts for which a maintainer would close the report, which stand at its top. */
function warning({ repro, finding }: Parts): Block {
  const { verdict } = finding.judgement;
  const notes = [
    ...(verdict === 'bug'
      ? []
      : [
          verdict === 'documented'
            ? 'NOT FOR FILING AS A BUG: the documents allow this at this level.'
            : 'The documents neither rule this out nor allow it: ask, do not file it as a bug.',
        ]),
    ...(repro.instrumented ? [INSTRUMENTED] : []),
  ];
  return notes.length === 0 ? undefined : notes.map((note) => `[${note}]`).join('\n');
}

/** Returns each serial order with the results that it would give, and the observed ones. */
function why({ repro, finding }: Parts): string {
  const shown = asReplayed(finding);
  const orders = repro.orders.map(
    ({ sentence, explains }) => `- ${sentence}${explains ? ' (this order explains the results; the row versions rule it out)' : ''}`,
  );
  const cycle = (isAnomaly(shown) ? shown.anomaly.cycle.map((step) => edgeSentence(shown, step)) : (shown.family.named?.edges ?? [])).map(
    (sentence) => `- ${oneLine(sentence)}`,
  );
  return [
    repro.explanation,
    ...(orders.length > 0 ? ['', 'Serial orders:', ...orders] : []),
    ...(repro.provenByResults || cycle.length === 0 ? [] : ['', 'Dependencies, by the row versions that were read and written:', ...cycle]),
  ].join('\n');
}

function promise({ finding }: Parts): string {
  const { row } = finding.judgement;
  return row === undefined ? promiseSentence(finding) : `${promiseSentence(finding)}\nSource: ${sourceWords(row)}`;
}

function schema({ repro }: Parts): string {
  return repro.setup.flatMap(({ sql }) => terminated(sql)).join('\n');
}

function tidbSteps({ repro }: Parts): string {
  return repro.steps
    .flatMap((step, i) =>
      step.sql.map((sql) => {
        const answer = stepAnswer(step, ' affected');
        const said = [answer === '' ? '' : `txn${step.txn} ${answer}`, waitingWords(repro, i) ?? '']
          .filter((each) => each !== '')
          .join('; ');
        return `/* txn${step.txn} */ ${oneLine(sql)};${said === '' ? '' : ` -- ${oneLine(said)}`}`;
      }),
    )
    .join('\n');
}

/** The replies that a run without the violation would give. */
const WITHOUT_VIOLATION: Readonly<Record<SingleRunViolationKind, string>> = {
  'transaction state': 'the protocol reports the transaction state that the replies imply.',
  'damaged tables': 'after the run the rows keep every key, and every index agrees with its table.',
  'part of a transaction': 'the statement answers as on one state of the database.',
};

/** Undefined: the finding rests on serial orders or on dependencies. */
function violationOf({ finding }: Parts): Pick<Required<ExploreFamily>, 'breach' | 'seen'> | undefined {
  const { breach, seen = [] } = isAnomaly(finding) ? {} : finding.family;
  return breach === undefined ? undefined : { breach, seen };
}

function actual(p: Parts): string {
  const { repro } = p;
  const said = repro.steps.flatMap((step) =>
    stepAnswer(step) === '' ? [] : [`T${step.txn}'s ${step.kind.toUpperCase()}: ${oneLine(stepAnswer(step))}`],
  );
  const violation = violationOf(p);
  if (violation !== undefined) return `${said.join('; ')}. ${violation.seen.map(oneLine).join('; ')}.`;
  return `${said.join('; ')}. ${repro.provenByResults ? 'No order of these transactions, one after the other, gives this.' : 'The row versions that were read show it; the results alone could come from a serial order.'}`;
}

function expected(p: Parts): string {
  const { finding, repro } = p;
  const violation = violationOf(p);
  if (violation !== undefined) return WITHOUT_VIOLATION[violation.breach];
  const first = repro.orders.find(({ explains }) => !explains)?.sentence;
  return `the results of some serial order${first === undefined ? '' : ` (${first})`}, or an error that makes one of the transactions try again; ${levelWords(finding.level)} is what each of them asked for.`;
}

function controls({ finding }: Parts): string {
  const all = controlsOf(finding);
  if (all.length === 0) return 'Controls: the same schedule was not run at other levels or on other servers.';
  return [
    'Controls (the same schedule):',
    ...textTable([
      ['server', 'level', 'outcome', 'k of N'],
      ...all.map((each) => [
        `${each.target}${each.own ? ' (this report)' : ''}`,
        levelWords(each.level),
        each.outcome,
        `${each.rate.seen} of ${each.rate.tries}`,
      ]),
    ]),
  ].join('\n');
}

function settings(parts: Parts): string {
  const set = Object.entries(parts.level.configuration).map(([name, value]) => `${name} = ${value}`);
  return `Settings that the level depends on: ${set.length === 0 ? 'none was recorded' : set.join(', ')}. Level: ${levelWords(parts.finding.level)}; ${inForce(parts)}.`;
}

function inForce({ level, vendor }: Parts): string {
  const words = Object.keys(level.inForce ?? {});
  if (vendor.levelQuery === undefined) return 'the DBMS has no query for the level in force';
  return words.length === 0
    ? `read it back inside the transaction by ${vendor.levelQuery}`
    : `read back inside the transactions (${vendor.levelQuery}): ${words.join(', ')}`;
}

/** A server may run a weaker level as a stronger one without saying so. */
function upgraded({ level, finding }: Parts): string {
  const words = Object.keys(level.inForce ?? {});
  if (words.length === 0) return 'whether it was silently upgraded is not known';
  return words.every((word) => levelWords(word.toLowerCase()) === levelWords(finding.level))
    ? 'not silently upgraded'
    : 'SILENTLY UPGRADED';
}

function timestamps({ finding }: Parts): string {
  return finding.level === 'read-committed'
    ? 'of each statement: SELECT @@tidb_current_ts'
    : 'SELECT @@tidb_current_ts inside each transaction; SELECT @@tidb_last_txn_info after its COMMIT';
}

function versionNumber({ level }: Parts): string {
  return oneLine(level.make.number);
}

function osOf({ level }: Parts): string {
  return oneLine(level.make.platform ?? 'not named by the server');
}

function packageOf({ finding, level }: Parts): string {
  // A URL names somebody's host, not a package.
  const target = finding.target.includes('://') ? 'not named by the server: say which one it is' : `${finding.target}, as installed`;
  return oneLine(level.make.packaging ?? target);
}

function made({ report, finding }: Parts): string {
  return `Found by ${report.tool} (seed ${report.seed}); ${isAnomaly(finding) ? (finding.count === 1 ? 'once' : `${finding.count} times`) : `by ${counted(finding.count, 'small program')}`} in that run; again: ${finding.replay}. Not claimed: aborts, waits, gaps of auto-increment.`;
}
