/** @jsxRuntime automatic @jsxImportSource preact */
/** Shows the exploration of a run in a few lines on the run's page. A page of its own shows all of it. */
import type { VNode } from 'preact';
import type { ExploredPart } from '../../core/verdict/index.ts';
import { exploredLines, exploredWords, rankOf, verdictWord } from '../run/explored.ts';
import { Badge } from './badge.tsx';
import { Card } from './card.tsx';
import { STANDING_WORD } from './level-card.tsx';

export function ExploredSection({ part }: { readonly part: ExploredPart }): VNode {
  const { page, cutShort } = part;
  return (
    <>
      <h2 id="explored">{exploredWords(part).title}</h2>
      {cutShort !== undefined && (
        <p>
          {page === undefined ? 'Not run' : 'Ended early'}: {cutShort}
        </p>
      )}
      <div class="cards">
        {exploredLines(part).map(({ level, standing: { kind, words }, coverage, findings, more }) => (
          <Card look={kind} title={level.level} beside={<Badge look={kind}>{STANDING_WORD[kind]}</Badge>}>
            <p class="words">{words}</p>
            <p class="quiet">{coverage}</p>
            {findings.map(({ finding, words: found }) => (
              <>
                <p class="words">
                  <Badge look={rankOf(finding)}>{verdictWord(finding)}</Badge> {found}
                </p>
                <pre>
                  <code>{finding.command}</code>
                </pre>
              </>
            ))}
            {more > 0 && <p class="quiet">{more} more in its page.</p>}
          </Card>
        ))}
      </div>
      {page !== undefined && (
        <p>
          <a href={page}>All of it, with an example of each to be typed in</a>
        </p>
      )}
    </>
  );
}
