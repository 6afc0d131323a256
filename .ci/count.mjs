// Reads vitest's JSON report, and that of the files that were run again alone (.ci/run), whose results count instead: seconds of
// each file, the slowest first, every test that had no time for all of its cases, every skipped suite or test, every one that
// failed once or twice with its error, then the counts alone on the last line.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const [report, again] = process.argv.slice(2).map((path) => {
  const text = readFileSync(path, 'utf8');
  return text === '' ? undefined : JSON.parse(text);
});
if (report === undefined || report.numTotalTests === 0) {
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

// By file: where one was run again, that run counts.
const results = new Map(report.testResults.map((file) => [file.name, file]));
for (const file of again?.testResults ?? []) results.set(file.name, file);
const counted = [...results.values()];
const tests = counted.flatMap((file) => file.assertionResults);
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
const failuresOf = (file) => {
  const ofTests = file.assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => [`${basename(file.name)}: ${test.fullName}`, test.failureMessages.join('\n')]);
  // A file that failed outside its tests: it could not be loaded, or a hook threw.
  return file.status === 'failed' && ofTests.length === 0 ? [[basename(file.name), file.message]] : ofTests;
};
const say = (word, [name, message]) => console.log(`${word}: ${name}\n  ${message.split('\n').slice(0, MESSAGE_LINES).join('\n  ')}`);
const failures = counted.flatMap(failuresOf);
const stillFailed = new Set(failures.map(([name]) => name));
for (const file of report.testResults)
  if (results.get(file.name) !== file) for (const failure of failuresOf(file)) if (!stillFailed.has(failure[0])) say('FLAKY', failure);
for (const failure of failures) say('FAILED', failure);

const count = (status) => tests.filter((test) => test.status === status).length;
console.log(`${count('passed')} passed, ${count('failed')} failed, ${skipped.length} skipped`);
