#!/usr/bin/env node
/**
 * The file of `bin`. Every Node since 12.17 can read its few lines. So an old Node gets a message, instead of failing at
 * the first line that it does not understand, with a stack and the exit code of an anomaly.
 *
 * The program itself is main.ts, which is loaded after the check. This file must have no import, and no syntax after
 * ES2015 except `import()`.
 */
const NEEDED = [20, 19]; // The same as engines in package.json.
const here = process.versions.node.split('.').map(Number);
const FAILURE = 2;
const INTERRUPTED = 130;

if (here[0]! < NEEDED[0]! || (here[0] === NEEDED[0] && here[1]! < NEEDED[1]!)) {
  end(
    `this is Node.js ${process.versions.node}, and it needs ${NEEDED.join('.')} or later: install a newer one, or put it first on the PATH`,
  );
} else {
  // Handles signals until the command begins, which then handles them itself. A signal while the program is loaded gives
  // the exit code of an interruption, not a death by signal.
  const interrupted = () => process.exit(INTERRUPTED);
  const signals = ['SIGINT', 'SIGTERM'];
  for (const name of signals) process.on(name, interrupted);
  const begin = () => {
    for (const name of signals) process.removeListener(name, interrupted);
  };
  import('./main.ts')
    .then((program) => program.main(process.argv, begin))
    .then(
      (code) => (process.exitCode = code),
      (error) => end(`it could not be loaded (${String(error.message).split('\n')[0]}): install it anew`),
    );
}

function end(why: string): void {
  process.stderr.write(`anomalist: ${why}\n`);
  process.exitCode = FAILURE;
}
