/** @jsxRuntime automatic @jsxImportSource preact */
/** Shows the row versions that a finding's statements read and wrote. */
import type { VNode } from 'preact';
import type { AnomalyFinding } from '../../core/verdict/index.ts';
import { clipFront } from '../text/visible.ts';

/** The table shows at most this many rows. The JSON file has the rest. */
const SHOWN_VERSIONS = 30;
const SHOWN_LIST = 120;

export function VersionTable({ finding: { statements } }: { readonly finding: AnomalyFinding }): VNode | null {
  const rows = statements.flatMap(({ txn, kind, versions }) => versions.map((version) => ({ txn, kind, ...version })));
  const all = statements.reduce((sum, { versions, versionsLeftOut = 0 }) => sum + versions.length + versionsLeftOut, 0);
  if (rows.length === 0) return null;
  const left = all - Math.min(SHOWN_VERSIONS, rows.length);
  return (
    <details class="more">
      <summary>Row versions observed ({all})</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="Row versions">
        <table>
          <thead>
            <tr>
              {['txn', 'statement', 'role', 'table', 'row', 'write list'].map((name) => (
                <th>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN_VERSIONS).map(({ txn, kind, role, table, rid, list }) => (
              <tr>
                <td>T{txn}</td>
                <td>{kind}</td>
                <td>{role}</td>
                <td>{table}</td>
                <td>
                  <code>{rid}</code>
                </td>
                <td>
                  <code>{clipFront(list, SHOWN_LIST)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && <p class="quiet">{left} more are not here; the finding’s JSON file has more, and the history has all.</p>}
    </details>
  );
}
