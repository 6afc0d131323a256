/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Lists the edges of a cycle, each with a sentence in the user's words. The formal sentence and its reasons unfold
 * below it.
 */
import type { ComponentChildren, VNode } from 'preact';
import type { CycleStep } from '../../core/verdict/index.ts';
import { rowWords } from '../text/row-words.ts';
import { edgeSentence } from '../text/in-users-rows.ts';
import { stepSentence } from '../text/step-words.ts';
import { clip } from '../text/visible.ts';
import type { DrawnProps } from './cycle-graph.tsx';
import { Derivation } from './derivation.tsx';
import type { Drawn } from './drawn.ts';
import { Term } from './glossary.tsx';

interface Props extends DrawnProps {
  /** True if a reader can ask how each edge follows. */
  readonly unfolds?: boolean;
}

export function EdgeList({ finding, lit, unfolds = true }: Props): VNode | null {
  const { cycle } = finding.anomaly;
  if (cycle.length === 0) return null;
  return (
    <ol class="edges">
      {cycle.map((step, index) => (
        <li tabIndex={0} data-key={lit.edgeKey(index)} data-lights={lit.ofEdge(index)}>
          <EdgeWords edge={step} sentence={edgeSentence(finding, step)} row={<Row finding={finding} step={step} />} />
          {unfolds && (
            <Derivation finding={finding} step={step} formal={stepSentence(finding, step) === undefined ? undefined : step.explanation} />
          )}
        </li>
      ))}
    </ol>
  );
}

interface WordsProps {
  readonly edge: { readonly from: number; readonly to: number; readonly rel: string };
  readonly sentence: string;
  readonly row?: ComponentChildren;
}

/** Shows `T1 rw T2` and the row, with the sentence below. */
export function EdgeWords({ edge: { from, to, rel }, sentence, row }: WordsProps): VNode {
  return (
    <>
      <b class="pair">
        <span>T{from}</span>{' '}
        <i class={rel}>
          <Term word={rel} />
        </i>{' '}
        <span>T{to}</span>
      </b>
      {row}
      <p>{sentence}</p>
    </>
  );
}

function Row({ finding, step: { row, table, readPoint } }: { readonly finding: Drawn; readonly step: CycleStep }): VNode | null {
  if (row === undefined) return null;
  return (
    <span class="row">
      {clip(rowWords(finding).name(table, row), 80)}
      {readPoint !== undefined && (
        <>
          , <Term word={`${readPoint} read`} />
        </>
      )}
    </span>
  );
}
