/** Shows the findings of a campaign by family. New findings come first and are marked. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Badge, FamilyPart, counted, grouped } from '../../../../reports/in-page.ts';
import type { CampaignFindings, StoredFamily, StoredLine } from './campaign-messages.ts';
import { useEvents } from './use-events.ts';
import { momentOf } from './words.ts';

/** A family of a long campaign has thousands of findings. The page shows the newest of them. */
const MOST_SHOWN = 100;

export function CampaignFound({ name }: { readonly name: string }): VNode {
  const [found, setFound] = useState<CampaignFindings>();
  const [onlyNew, setOnlyNew] = useState(false);
  useEvents(`api/campaigns/${encodeURIComponent(name)}/events`, { findings: setFound });
  const families = found?.families ?? [];
  const all = families.flatMap(({ findings }) => findings);
  const news = all.filter(({ isNew }) => isNew).length;
  const shown = families
    .map((family) => ({ ...family, findings: onlyNew ? family.findings.filter(({ isNew }) => isNew) : family.findings }))
    .filter(({ findings }) => findings.length > 0);
  return (
    <>
      <h2>
        Findings <span class="count">{found && grouped(all.length)}</span> <span class="quiet">of {name}</span>
      </h2>
      {found && (
        <p class="news controls">
          <Badge look="new">{grouped(news)} new</Badge> since yesterday, {momentOf(found.since)}
          <label>
            <input type="checkbox" checked={onlyNew} onChange={({ currentTarget }) => setOnlyNew(currentTarget.checked)} /> show these alone
          </label>
        </p>
      )}
      {found && shown.length === 0 && <p class="quiet">None. What that is worth depends on what was covered.</p>}
      <div class="families">
        {shown.map((family) => (
          <Family
            key={JSON.stringify([
              family.target,
              family.release,
              family.level,
              family.verdict,
              family.name,
              family.edges,
              family.findings[0]?.n,
            ])}
            family={family}
          />
        ))}
      </div>
    </>
  );
}

function Family({ family }: { readonly family: StoredFamily }): VNode {
  const { target, release, level, verdict, name, edges, anomalies, explored, findings } = family;
  const [isOpen, setOpen] = useState(verdict === 'bug');
  const news = findings.filter(({ isNew }) => isNew).length;
  const shownBy =
    explored === true
      ? counted(anomalies, 'program')
      : `${counted(findings.length, 'finding')} · ${counted(anomalies, 'anomaly', 'anomalies')}`;
  return (
    <FamilyPart
      verdict={verdict}
      name={name}
      edges={edges}
      beside={news > 0 && <Badge look="new">{grouped(news)} new</Badge>}
      where={`${target === release ? target : `${target}, ${release}`} · ${level} · ${shownBy}`}
      open={isOpen}
      toggled={setOpen}
    >
      {isOpen && (
        <ul class="seen">
          {findings.slice(0, MOST_SHOWN).map((finding) => (
            <Row key={finding.key} finding={finding} explored={explored === true} />
          ))}
          {findings.length > MOST_SHOWN && (
            <li>
              <p class="quiet">
                and {grouped(findings.length - MOST_SHOWN)} older ones: <code>anomalist campaign findings --verbose</code>
              </p>
            </li>
          )}
        </ul>
      )}
    </FamilyPart>
  );
}

function Row({
  finding: { key, n, whole, count, statements, firstSeen, isNew, explanation, sql },
  explored,
}: {
  readonly finding: StoredLine;
  readonly explored: boolean;
}): VNode {
  const inside = (
    <>
      <span class="n">{n}</span>
      <span class="explains">
        {explanation}
        {sql !== '' && <code>{sql}</code>}
      </span>
      <span class="where">
        {isNew && <Badge look="new">new</Badge>} first seen {momentOf(firstSeen)}
        {!explored && ` · ${count === 1 ? 'once' : `${grouped(count)} times`}`}
        {statements === null ? '' : ` · ${counted(statements, 'statement')}`}
        {whole ? '' : ', in brief'}
      </span>
    </>
  );
  return (
    <li>
      <a class="finding-line" href={`#/stored/${key}`}>
        {inside}
      </a>
    </li>
  );
}
