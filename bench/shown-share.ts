/**
 * Of how many transactions the level that a run's rounds ran at was shown to hold, and how many rounds say more than a
 * bare `unknown`: npx tsx bench/shown-share.ts out/<run-id>/history.ndjson.gz ...
 */
import { readHistories } from '../check/index.ts';
import { assessHistory } from '../src/judge/assess/graph.ts';
import { openStored } from '../src/judge/assess/stored-history.ts';

interface Row {
  rounds: number;
  more: number;
  true: number;
  false: number;
  transactions: number;
  of: number;
}

for (const file of process.argv.slice(2)) {
  const rows = new Map<string, Row>();
  const { read, close } = openStored(file);
  for (const history of readHistories(read, { file, allowCut: true })) {
    const { dialect, server, level } = history.round;
    const { verdict } = assessHistory(history);
    for (const each of new Set(['read-uncommitted', level, 'serializable'])) {
      const own = verdict.levels.find((answer) => answer.level === each);
      const name = `${dialect} ${server.replace(/^PostgreSQL /, '').split(/[ -]/)[0]} | ${level} | ${each}`;
      const row = rows.get(name) ?? { rounds: 0, more: 0, true: 0, false: 0, transactions: 0, of: 0 };
      if (own === undefined || (own.answer === 'unknown' && own.code === 'nothing')) continue;
      rows.set(name, row);
      row.rounds++;
      if (own.answer === true) row.true++;
      if (own.answer === false) row.false++;
      row.transactions += own.shown?.transactions ?? 0;
      row.of += own.shown?.of ?? 0;
      if (own.answer !== 'unknown' || (own.shown?.transactions ?? 0) > 0) row.more++;
    }
  }
  close();
  for (const [name, { rounds, more, true: held, false: violated, transactions, of }] of rows) {
    const share = of === 0 ? 'none judged' : `${((100 * transactions) / of).toFixed(1)} % of ${of}`;
    console.log(`| ${name} | ${rounds} | ${violated} | ${held} | ${share} | ${((100 * more) / rounds).toFixed(0)} % |`);
  }
}
