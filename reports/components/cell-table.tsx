/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows text cells as a table whose first row is the head. The table scrolls by itself if it is wider than the page.
 */
import type { VNode } from 'preact';

interface Props {
  readonly rows: readonly (readonly string[])[];
  readonly label: string;
}

export function CellTable({ rows, label }: Props): VNode {
  const [head = [], ...body] = rows;
  const isNumber = head.map((_, c) => body.length > 0 && body.every((row) => NUMBER.test(row[c] ?? '')));
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map((text, c) => (
              <th class={isNumber[c] === true ? 'num' : undefined}>{text}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row) => (
            <tr>
              {row.map((text) => (
                <td class={NUMBER.test(text) ? `num${text === '0' ? ' zero' : ''}` : undefined}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NUMBER = /^\d/;
