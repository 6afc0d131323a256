/** The rows of `--help` against the commands that they stand for. */
import { Help } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../../../src/app/commands/table.ts';

it.each(Object.entries(COMMANDS))('%s takes what its row says', async (name, { takes, load }) => {
  const command = (await load())(() => {});

  expect(command.name()).toBe(name);
  expect(new Help().subcommandTerm(command)).toBe(`${name} ${takes}`.trimEnd());
  // The row alone says it: a second text would be the one that nobody keeps.
  expect(command.description()).toBe('');
});
