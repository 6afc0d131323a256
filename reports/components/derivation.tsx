/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Explains below an edge how it follows: first the rule, then the observed write lists as the finding's certificate has
 * them. A reader can redo the step by hand. `anomalist verify` does it by machine.
 */
import type { VNode } from 'preact';
import type { Certificate, CycleStep } from '../../core/verdict/index.ts';
import { clipFront } from '../text/visible.ts';
import type { Drawn } from './drawn.ts';

/** Says what each kind of edge means (Adya 1999, 4.4). */
const RULES: Readonly<Record<CycleStep['rel'], string>> = {
  ww: 'The second transaction’s version follows the first one’s directly: in every list they stand side by side.',
  wr: 'The last entry of the list that was read is the write of the first transaction.',
  rw: 'The first transaction read a version; the second one wrote the version that follows it directly.',
  wrp: 'The first transaction made the last change, up to what the statement saw, of which rows its WHERE matches, or hold the key that it looked for.',
  rwp: 'The statement looked at every row of its table; the second transaction later made a version that changes which rows its WHERE matches, or hold the key that it looked for.',
  so: 'Both ran in one session, one after the other.',
  rt: 'The COMMIT of the first was acknowledged before the second began.',
};

const SHOWN = 12;

interface Props {
  readonly finding: Drawn;
  readonly step: CycleStep;
  /** Holds the checker's own sentence if the edge shows another one. */
  readonly formal: string | undefined;
}

export function Derivation({ finding, step, formal }: Props): VNode {
  const certificate =
    finding.reproduction !== undefined && finding.anomaly === finding.reproduction.anomaly
      ? finding.reproduction.certificate
      : finding.certificate;
  const seen = step.row === undefined ? [] : observations(finding, step, certificate);
  const more = seen.length - SHOWN;
  return (
    <details class="derivation">
      <summary>How it follows</summary>
      {formal !== undefined && <p>{formal}</p>}
      <p>{RULES[step.rel]}</p>
      {seen.length > 0 && <Observations of={seen.slice(0, SHOWN)} />}
      {more > 0 && <p class="quiet">{more} more observations of this row in the finding’s JSON file.</p>}
      {step.rel.endsWith('p') && <p class="quiet">Which versions the WHERE matches was asked of the server itself after the round.</p>}
    </details>
  );
}

function Observations({ of }: { readonly of: readonly Observation[] }): VNode {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Observations of the row">
      <table>
        <thead>
          <tr>
            <th>statement</th>
            <th>saw</th>
            <th>write list</th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ who, role, list, on }) => (
            <tr class={on ? 'on' : undefined}>
              <td>{who}</td>
              <td>{role}</td>
              <td>
                <code>{clipFront(list, 120)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Observation {
  readonly who: string;
  readonly role: string;
  readonly list: string;
  /** True if one of the edge's two statements made the observation. */
  readonly on: boolean;
}

/**
 * Returns all observations of the row, first those of the edge's statements. Without a certificate it returns the
 * observations of the finding's transactions.
 */
function observations(
  { statements }: Drawn,
  { row, table, fromStatement, toStatement }: CycleStep,
  certificate: Certificate | undefined,
): readonly Observation[] {
  const ends = statements.filter(({ index }) => index === fromStatement || index === toStatement);
  const isEnd = (txn: number, number: number): boolean => ends.some((each) => each.txn === txn && each.number === number);
  const all =
    certificate === undefined
      ? statements.flatMap(({ txn, number, kind, versions }) =>
          versions
            .filter((each) => each.rid === row && each.table === table)
            .map(({ role, list }) => ({ who: `T${txn} ${number} ${kind}`, role, list, on: isEnd(txn, number) })),
        )
      : certificate.statements.flatMap(({ txn, number, kind, seen }) =>
          seen
            .filter(([, , rid]) => rid === row)
            .map(([role, , , list]) => ({
              who: `T${txn} ${number} ${kind}`,
              role,
              list: list.startsWith('0,') ? `…${list.slice(1)}` : list,
              on: isEnd(txn, number),
            })),
        );
  return [...all.filter(({ on }) => on), ...all.filter(({ on }) => !on)];
}
