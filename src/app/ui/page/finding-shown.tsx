/**
 * Holds the parts that the two views of a finding share, for a run and for a store. They are its head, the finding as a
 * report shows it, and the finding in brief if no file keeps it.
 */
import type { ComponentChildren, VNode } from 'preact';
import type { Finding } from '../../../../core/verdict/index.ts';
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

/**
 * Shows the finding as a report does when it is open. Each replay builds this part anew, because the script has marked
 * the elements under the pointer.
 */
export function FindingWhole({ n, finding }: { readonly n: number; readonly finding: Finding }): VNode {
  return (
    <div class="body finding-part">
      <FindingBody n={n} finding={finding} />
    </div>
  );
}

/** `children` says why no more of the finding is shown. */
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
