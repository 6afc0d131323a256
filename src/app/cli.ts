#!/usr/bin/env node
/**
 * What the bin names: a few lines that every Node since 12.17 can read, so that one that is too old is told so instead of
 * failing at the first line that it does not understand, with a stack and the exit code of an anomaly. The program itself
 * is main.ts, and is loaded behind this question: no import may stand here, and no syntax after ES2015 but `import()`.
 */
const NEEDED = [20, 19]; // as engines in package.json
const here = process.versions.node.split('.').map(Number);
const FAILURE = 2;
const INTERRUPTED = 130;

if (here[0]! < NEEDED[0]! || (here[0] === NEEDED[0] && here[1]! < NEEDED[1]!)) {
  end(
    `this is Node.js ${process.versions.node}, and it needs ${NEEDED.join('.')} or later: install a newer one, or put it first on the PATH`,
  );
} else {
  // Until the command itself begins, and hears of them or is ended by them: a signal while it is loaded is no death by a signal.
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
