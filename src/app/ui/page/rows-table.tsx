/** Shows the rows of a server's reply. NULL looks different from the text. */
import type { VNode } from 'preact';

interface Props {
  readonly caption?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export function RowsTable({ caption, columns, rows }: Props): VNode {
  return (
    <div class="console-rows">
      <table>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>
              {row.map((value, c) => (
                <td key={c}>{value ?? <i>NULL</i>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="quiet">no row</p>}
    </div>
  );
}
