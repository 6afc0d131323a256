/**
 * repro.test: the case for mtr, the test program of MySQL and MariaDB, with a connection for each session. A statement
 * that waits is sent with --send. The next one follows once the server reports that a transaction waits. --reap fetches
 * the reply after the statement that ended the waiting.
 */
import { oneLine, visible } from '../text/visible.ts';
import { dropStatements } from '../text/setup-script.ts';
import { terminatedForMtr } from '../text/terminated.ts';
import { caseHeader } from './case-header.ts';
import { finalReads } from './final-reads.ts';
import { reproCase, stepAnswer, waitingWords } from './repro-case.ts';
import type { FiledFinding, ReproStep } from './repro-case.ts';

const WAITING = "let $wait_condition = SELECT COUNT(*) = 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT';";

export function mtrTest(finding: FiledFinding, server: string): string {
  const repro = reproCase(finding);
  const { quote } = finding.vendor;
  const lines = [
    ...caseHeader(finding, server, repro).map((line) => `# ${visible(line)}`.trim()),
    '--source include/count_sessions.inc',
    ...repro.sessions.map((session) => `connect (con${session},localhost,root,,);`),
    'connection default;',
    ...repro.setup.flatMap(({ sql }) => terminatedForMtr(sql)),
    '',
  ];
  let at = '';
  const on = (connection: string): void => {
    if (at !== connection) lines.push(`connection ${connection};`);
    at = connection;
  };
  const open = new Set<number>();
  const reapAfter = (i: number): void => {
    for (const b of open) {
      const step = repro.steps[b]!;
      if ((step.repliedAfter ?? repro.steps.length - 1) > i) continue;
      open.delete(b);
      on(`con${step.session}`);
      lines.push(...errorOf(step), '--reap', ...answer(b));
    }
  };
  const answer = (i: number): readonly string[] => {
    const said = [stepAnswer(repro.steps[i]!), repro.steps[i]!.added ? 'added to show the anomaly' : '']
      .filter((each) => each !== '')
      .join('; ');
    return said === '' ? [] : [`# step ${i + 1}, T${repro.steps[i]!.txn}: ${oneLine(said)}`];
  };
  for (const [i, step] of repro.steps.entries()) {
    for (const b of open) if (repro.steps[b]!.session === step.session) reapAfter(repro.steps.length); // It must have replied by then.
    on(`con${step.session}`);
    if (step.blocked) {
      lines.push(`# ${waitingWords(repro, i)}`, `--send ${oneLine(step.sql[0]!)}`);
      open.add(i);
      on('default');
      lines.push(WAITING, '--source include/wait_condition.inc');
    } else {
      for (const sql of step.sql) lines.push(...errorOf(step), `${sql};`);
      lines.push(...answer(i));
    }
    reapAfter(i);
  }
  reapAfter(repro.steps.length);
  on('default');
  lines.push('', ...finalReads(repro, quote).map((sql) => `${sql};`), ...dropStatements(repro.setup).map((sql) => `${sql};`));
  lines.push(...repro.sessions.map((session) => `disconnect con${session};`), '--source include/wait_until_count_sessions.inc');
  return `${lines.join('\n')}\n`;
}

/** The server's own codes are numbers. A lost connection has a word, which mtr does not know. */
function errorOf({ error, errorCode = '' }: ReproStep): readonly string[] {
  return error === null ? [] : [/^\d+$/.test(errorCode) ? `--error ${errorCode}` : '# it fails'];
}
