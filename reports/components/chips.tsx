/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows the chips that filter findings (facets.ts). A facet with a single value has no chips, because it leaves no
 * choice.
 */
import type { VNode } from 'preact';
import { clip, oneLine } from '../text/visible.ts';
import { FACETS, type Facets } from './facets.ts';

/** Each facet shows this many chips at once. The other chips unfold. */
const SHOWN = 8;

export function Chips({ facets: { values, rows } }: { readonly facets: Facets }): VNode {
  return (
    <div class="filters">
      {FACETS.map(({ name }, facet) => (
        <Group name={name} facet={facet} values={values[facet]!} rows={rows} />
      ))}
    </div>
  );
}

interface GroupProps {
  readonly name: string;
  readonly facet: number;
  readonly values: readonly string[];
  readonly rows: Facets['rows'];
}

function Group({ name, facet, values, rows }: GroupProps): VNode | null {
  if (values.length < 2) return null;
  const all = values.map((value, number) => (
    <button type="button" class="pick" aria-pressed="false" data-facet={facet} data-value={number}>
      <span>{clip(oneLine(value), 60)}</span> <small>{rows.filter(([, of]) => of[facet]!.includes(number)).length}</small>
    </button>
  ));
  return (
    <div class="facet" role="group" aria-label={`Filter by ${name}`}>
      <b>{name}</b>
      {all.slice(0, SHOWN)}
      {all.length > SHOWN && (
        <details class="rest">
          <summary>{all.length - SHOWN} more</summary>
          {all.slice(SHOWN)}
        </details>
      )}
    </div>
  );
}
