/** `--fail-on` and the argument of `--known`, shared by the commands that have them. */
import { Option } from '@commander-js/extra-typings';
import type { FailOn } from '../../pipeline/fail-on.ts';

export const KNOWN_FILE = 'what is known already: fingerprints, one a line, or the findings.json or explore.json of an earlier run';

export function failOnOption(): Option<'--fail-on <which>', undefined, 'bug', undefined, false, FailOn> {
  return new Option('--fail-on <which>', 'findings that make the exit code 1; new: what the documents do not allow and nobody knows')
    .choices(['bug', 'new', 'any'] as const)
    .default('bug' as const);
}
