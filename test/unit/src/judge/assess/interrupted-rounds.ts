/**
 * The program that interrupted-check.test.ts interrupts: `check` of a record of rounds, which gets the SIGINT of a Ctrl-C
 * as soon as its first round was judged. Prints what is known then.
 *     interrupted-rounds.ts FILE
 */
import { checkFile } from '../../../../../src/judge/assess/file.ts';

const [, , file] = process.argv;
// as the command has one; without it the signal ends the process
process.once('SIGINT', () => undefined);
const { levels, ran, rounds, interrupted } = await checkFile(file!, {
  format: 'auto',
  report: 'class',
  allowCut: false,
  progress: () => process.kill(process.pid, 'SIGINT'),
});
console.log(JSON.stringify({ levels, ran, rounds, interrupted }));
