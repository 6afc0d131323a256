/** The parts that the two views of a finding share, that of a run and that of a store: its head, the finding as a report shows it, and the finding in brief where no file keeps it whole. */
import type { ComponentChildren, VNode } from 'preact';
import type { Finding } from '../../../../core/index.ts';
import { Badge, Command, EdgeWords, FindingBody } from '../../../../reports/in-page.ts';
import type { FindingDetails } from './messages.ts';

export function FindingHead({ of: { verdict, name, target, level } }: { readonly of: Head }): VNode {
  return (
    <h2 class="finding-head">
      <Badge look={verdict}>{verdict}</Badge> {name}{' '}
      <span class="quiet">
        {target}, {level}
      </span>
    </h2>
  );
}

type Head = Pick<FindingDetails, 'verdict' | 'name' | 'target' | 'level'>;

/** As it is open in a report. Another replay makes it anew: the script has marked what the pointer was on. */
export function FindingWhole({ n, finding }: { readonly n: number; readonly finding: Finding }): VNode {
  return (
    <div class="body finding-part">
      <FindingBody n={n} finding={finding} />
    </div>
  );
}

/** `children`: why there is no more of it. */
export function FindingInBrief({
  of: { explanation, edges, command },
  children,
}: {
  readonly of: Pick<FindingDetails, 'explanation' | 'edges' | 'command'>;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <>
      <p class="explanation">{explanation}</p>
      <ol class="edges">
        {edges.map((edge, i) => (
          <li key={i}>
            <EdgeWords edge={edge} sentence={edge.explanation} />
          </li>
        ))}
      </ol>
      <p class="quiet">{children}</p>
      <Command text={command} label="Command that runs this round again" />
    </>
  );
}
