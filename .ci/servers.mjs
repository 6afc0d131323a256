// Starts each database server that the suite shall run on, fetching it where it is not here, and stops it again. Prints
// those that started, separated by commas; says loudly on stderr which did not and why. A list may be given as arguments.
import { listServers, startServer } from '../dist/dialects/index.js';

/** The newest release of each; the older ones have their turn at night (docs/TESTS.md, "At night"). */
const WANTED = ['postgres@18', 'postgres@18+standby', 'mysql@9.7', 'mariadb@11.8', 'galera@10.11'];
/** A fetch that hangs must not hold the tests up. */
const LONGEST_MS = 600_000;

const given = process.argv
  .slice(2)
  .flatMap((word) => word.split(','))
  .filter((word) => word !== '');
// Servers that run already (ANOMALIST_TIDB_URL and its like), and programs on PATH whose release nobody chose.
const here = listServers().filter(
  ({ target, available, download }) => available && download === undefined && (target.endsWith('@url') || !target.includes('@')),
);
const all = given.includes('all')
  ? listServers()
      .filter(({ available }) => available)
      .map(({ target }) => target)
  : given;
const wanted = all.length > 0 ? all : [...new Set([...WANTED, ...here.map(({ target }) => target)])];

const started = [];
for (const target of wanted) {
  const from = Date.now();
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not started within ${LONGEST_MS / 1000} s`)), LONGEST_MS);
  });
  try {
    const server = await Promise.race([startServer(target, { progress: (line) => console.error(`  ${line}`) }), late]);
    await server.stop();
    started.push(target);
    console.error(`SERVER ${target}: ${server.version}, ${((Date.now() - from) / 1000).toFixed(1)} s`);
  } catch (error) {
    console.error(`\nSKIPPED SERVER ${target}: ${error instanceof Error ? error.message : String(error)}\n`);
  } finally {
    clearTimeout(timer);
  }
}
console.log(started.join(','));
process.exit(0);
