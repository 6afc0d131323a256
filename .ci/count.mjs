// Reads vitest's JSON report: seconds of each file, the slowest first, every test that had no time for all of its cases,
// every skipped suite or test, then the counts alone on the last line.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
if (report.numTotalTests === 0) {
  console.error('no test ran');
  process.exit(1);
}
const LEAST_SECONDS = 5;
const seconds = report.testResults
  .map((file) => ({ name: basename(file.name, '.test.ts'), took: (file.endTime - file.startTime) / 1000 }))
  .filter(({ took }) => took >= LEAST_SECONDS);
console.log(
  `Seconds: ${seconds
    .sort((a, b) => b.took - a.took)
    .map(({ name, took }) => `${name} ${took.toFixed(0)}`)
    .join(', ')}`,
);

const tests = report.testResults.flatMap((file) => file.assertionResults);
for (const test of tests) for (const how of test.meta?.reduced ?? []) console.log(`REDUCED: ${test.fullName}: ${how}`);

const skipped = tests.filter((test) => test.status === 'pending' || test.status === 'skipped' || test.status === 'todo');
// A server that is not there leaves out a suite, whose name says so; one line for each server.
const servers = new Map();
for (const test of skipped) {
  const [, target, why] = / (?:on|of|:) ?(\S+), skipped: ([^]*?)\s*$/.exec(test.fullName) ?? [];
  if (target === undefined) console.log(`SKIPPED: ${test.fullName}`);
  else servers.set(target, { why, suites: (servers.get(target)?.suites ?? 0) + 1 });
}
for (const [target, { why, suites }] of servers) console.log(`SKIPPED: ${suites} suites on ${target}: ${why}`);
console.log(
  `${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests + (report.numTodoTests ?? 0)} skipped`,
);
