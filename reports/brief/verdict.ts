/** The run's verdict, in a word and a sentence, which is printed last and read first. */
import type { Standing } from '../run/figures.ts';
import { runVerdict } from '../run/verdict.ts';
import { folded } from '../text/folded.ts';
import type { Paint, Style } from '../text/paint.ts';
import type { BriefInput } from './input.ts';

const STYLE_OF = {
  bug: 'red',
  inconclusive: 'yellow',
  known: 'yellow',
  undocumented: 'yellow',
  yours: 'yellow',
  documented: 'green',
  clean: 'green',
} as const satisfies Record<Standing['kind'], Style>;

export function verdictLines({ report }: BriefInput, columns: number, paint: Paint): readonly string[] {
  const { kind, word, sentences, beside, allowed } = runVerdict(report);
  return [
    ...beside.flatMap((words) => folded(words, '', columns)),
    ...sentences.flatMap((words) => {
      const [first = '', ...more] = folded(`${word}: ${words}${allowed ? ' (--verbose lists them)' : ''}`, '', columns);
      return [`${paint(STYLE_OF[kind], word)}${first.slice(word.length)}`, ...more];
    }),
  ];
}
