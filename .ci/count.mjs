// Reads vitest's JSON report: seconds of each file, the slowest first, every test that had no time for all of its cases,
// every skipped suite or test, every failed one with its error, then the counts alone on the last line.
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
// The failed ones stand last, with their errors: where only the end of the output is kept, nobody has to guess which they were.
const MESSAGE_LINES = 12;
const failed = (name, message) => console.log(`FAILED: ${name}\n  ${message.split('\n').slice(0, MESSAGE_LINES).join('\n  ')}`);
for (const file of report.testResults) {
  const ofTests = file.assertionResults.filter((test) => test.status === 'failed');
  for (const test of ofTests) failed(`${basename(file.name)}: ${test.fullName}`, test.failureMessages.join('\n'));
  // A file that failed outside its tests: it could not be loaded, or a hook threw.
  if (file.status === 'failed' && ofTests.length === 0) failed(basename(file.name), file.message);
}
console.log(
  `${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests + (report.numTodoTests ?? 0)} skipped`,
);
