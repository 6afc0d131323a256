// Runs one command many times in one process, with a seed of its own each time where the command has one, and prints what
// became of each as a line of JSON: { code, stdout, stderr }, with how long stdout was in place of its text. It is for
// counts that a process each would make take hours.  node repeat-command.mjs TIMES WORD...
import { main } from '../../dist/src/app/main.js';

const [times, ...words] = process.argv.slice(2);
const seedAt = words.indexOf('--seed') + 1;
const write = process.stdout.write.bind(process.stdout);
const signals = ['uncaughtException', 'SIGINT', 'SIGTERM', 'SIGHUP'];

for (let n = 1; n <= Number(times); n++) {
  let stdout = 0;
  let stderr = '';
  process.stdout.write = (text) => ((stdout += text.length), true);
  process.stderr.write = (text) => ((stderr += text), true);
  const code = await main(['node', 'anomalist', ...words.map((word, at) => (at === seedAt && at > 0 ? String(Number(word) + n) : word))]);
  for (const signal of signals) process.removeAllListeners(signal);
  process.stdout.removeAllListeners('error');
  process.stderr.removeAllListeners('error');
  write(`${JSON.stringify({ code, stdout, stderr: stderr.slice(-2000) })}\n`);
}
process.exit(0);
