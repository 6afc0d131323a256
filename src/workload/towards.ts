/** `--towards`: the forms of statement towards which programs are drawn. */
import { UsageError } from '../../core/index.ts';
import { readForms } from '../../schema-gen/index.ts';
import type { Form } from '../../schema-gen/index.ts';
import type { Workload } from '../judge/workload.ts';

/** Undefined: towards none. */
export function towardsOption(word: string | undefined, { pairs }: Pick<Workload, 'pairs'>): 'unmet' | readonly Form[] | undefined {
  if (pairs === undefined || word === 'none') return undefined;
  if (word === undefined || word === 'unmet') return 'unmet';
  const drawn = new Set(pairs.flat());
  const forms = readForms(word);
  if (forms?.every((form) => drawn.has(form)) === true) return forms;
  throw new UsageError(
    `--towards ${word}: these are no forms that this server's programs are drawn of, or none of them writes; expected unmet, none, or forms as in select,update. Forms: ${[...drawn].join(', ')}.`,
  );
}
