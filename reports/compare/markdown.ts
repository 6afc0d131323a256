/** Writes a comparison as markdown, the isolation changelog: a table with a column for each server, then each line's reproduction. */
import { block, code, plain, table } from '../text/markdown.ts';
import { ownSettingItems } from '../text/own-settings.ts';
import type { CompareLevel, CompareLine, CompareReport } from './report.ts';
import { reproductionLines } from './text.ts';
import { comparedIncomplete, leftOut, letterOf, levelSentence, namesOf, titleOf, variantWords } from './words.ts';

export function compareMarkdown(report: CompareReport): string {
  const parts = [
    '# What differs between these servers',
    [
      ...report.targets.flatMap(({ name, server, ownSettings }) => [
        `- ${code(name)}: ${plain(server)}`,
        ...ownSettingItems(ownSettings).map((item) => `  - not the vendor’s: ${item}`),
      ]),
      `- Command: ${code(report.command)}`,
      `- ${plain(report.tool)}, ${plain(report.startedAt)}, ${report.seconds.toFixed(0)} s`,
      ...(report.lacking.length === 0 ? [] : [`- Forms that not all of them have: ${plain(report.lacking.join(', '))}`]),
    ].join('\n'),
    ...report.levels.flatMap((level) => levelParts(report, level)),
    ...(report.endedEarly === undefined ? [] : [plain(comparedIncomplete(report.levels, report.endedEarly))]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function levelParts(report: CompareReport, level: CompareLevel): readonly string[] {
  const head = ['', 'what', ...report.targets.map(({ name }) => name.replace(/^.*@/, ''))];
  return [
    `## ${plain(levelSentence(level, report.targets.length))}`,
    ...(leftOut(level).length === 0
      ? []
      : [
          leftOut(level)
            .map((line) => `- ${plain(line)}`)
            .join('\n'),
        ]),
    ...(level.lines.length === 0 ? [] : [table([head, ...level.lines.map((line, n) => row(report, line, n + 1))])]),
    ...level.lines.map((line, n) => section(report, line, n + 1)),
  ];
}

function row({ targets }: CompareReport, line: CompareLine, n: number): readonly string[] {
  const cells = targets.map((_, t) => {
    const v = line.variants.findIndex((variant) => variant.targets.includes(t));
    return v === -1 ? 'varies' : letterOf(v);
  });
  return [String(n), plain(titleOf(line)), ...cells];
}

function section(report: CompareReport, line: CompareLine, n: number): string {
  return [
    `### ${n}. ${plain(titleOf(line))}`,
    line.variants
      .map((variant, v) => `- ${letterOf(v)}, ${plain(namesOf(report, variant.targets))}: ${plain(variantWords(line, variant))}`)
      .join('\n'),
    `<details><summary>Reproduction</summary>\n\n${block('sql', reproductionLines(line).join('\n'))}\n\n${code(line.command)}\n\n</details>`,
  ].join('\n\n');
}
