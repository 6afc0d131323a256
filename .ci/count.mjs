// Reads vitest's JSON report: names every skipped test, then prints the counts alone on the last line.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const skipped = report.testResults.flatMap((file) => file.assertionResults.filter((test) => test.status === 'pending' || test.status === 'skipped' || test.status === 'todo'));
for (const test of skipped) console.log(`SKIPPED: ${test.fullName}`);
if (report.numTotalTests === 0) {
  console.error('no test ran');
  process.exit(1);
}
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests + (report.numTodoTests ?? 0)} skipped`);
