/**
 * Derives every edge of a finding again from the raw observations in its certificate (docs/REPORTS.md), and shares no
 * code with the inference that drew it: another reading of the same rules (Adya 1999, 4; docs/PIPELINE.md), small enough
 * to be read in one sitting. Taken from the run as they are: what the server returned, how transactions ended, which row
 * versions the server said satisfy a WHERE, that a subquery with a predicate edge was read, that a cascade removed a row.
 */
type Seen = readonly ['read' | 'write' | 'delete', string, string, string];
interface Txn { id: number; session: number; outcome: string; autocommit?: boolean; begin: number | null; end: number | null; over?: number | null }
interface Stmt { txn: number; number: number; kind: string; seq?: number; table?: string; reads?: string; locks?: readonly string[]; status: string; undone?: boolean; incomplete?: boolean; sent: number; replied: number | null; seen: readonly Seen[] }
interface Look { txn: number; number: number; table: string; beside?: boolean; conditional?: boolean; all?: boolean; matches: Record<string, Record<string, boolean>> }
interface Cert { level: string; instrument: string; complete: boolean; rows: readonly { table: string; row: string }[]; transactions: readonly Txn[]; statements: readonly Stmt[]; predicates: readonly Look[] }
interface Step { from: number; to: number; rel: string; row?: string; table?: string; fromStatement?: number; toStatement?: number; readPoint?: string; cascade?: { last: string; by: string } }
interface Claim { class: string; cycle: readonly Step[]; transactions: readonly number[]; statements: readonly number[]; row?: { table: string; row: string } }
interface Version { key: string; txn: number; seq: number; fate: 'committed' | 'aborted' | 'unknown' | 'thin air'; dead: boolean; after: Set<string>; before: Set<string>; next?: Version | undefined; prev?: Version | undefined }
interface Reading { stmt: Stmt; role: string; keys: string[]; whole: boolean; at: string | undefined }
interface Row { name: string; table: string; versions: Map<string, Version>; readings: Reading[]; twice: boolean; undone: Stmt[]; birth: string }
/** `lines`: one an edge, with what it says if it does not follow. */
export interface Verified { readonly holds: boolean; readonly lines: readonly string[] }
const REFUSED = 'DOES NOT FOLLOW';
const LOCKING = ['update', 'delete', 'select for update', 'select for share'];
const CURRENT = [...LOCKING, 'insert', 'probe'];

/** `statements`: the finding's own list, which says what the statement numbers of the steps stand for. */
export function verifyFinding(claim: Claim, statements: readonly { index: number; txn: number; number: number }[], cert: Cert): Verified {
  const txns = new Map(cert.transactions.map((txn) => [txn.id, txn]));
  const byPlace = new Map(cert.statements.map((stmt) => [`${stmt.txn} ${stmt.number}`, stmt]));
  const byWrite = new Map(cert.statements.filter(({ seq }) => seq !== undefined).map((stmt) => [`${stmt.txn}.${stmt.seq}`, stmt]));
  const committed = new Set([0, ...cert.transactions.filter(({ outcome }) => outcome === 'committed').map(({ id }) => id)]);
  const lines: string[] = [];
  const require = (truth: boolean, line: string, otherwise: string): void => void lines.push(truth ? `follows: ${line}` : `${REFUSED}: ${line}: ${otherwise}`);
  const statementAt = (index: number | undefined): Stmt | undefined => {
    const found = statements.filter((each) => each.index === index);
    return found.length === 1 ? byPlace.get(`${found[0]!.txn} ${found[0]!.number}`) : undefined;
  };
  const counts = (stmt: Stmt): boolean => stmt.status === 'ok' && (!stmt.undone || txns.get(stmt.txn)?.autocommit === true);
  const entriesOf = (list: string): string[] => list.slice(list.indexOf(',') + 1).split(',').filter((entry, i, all) => entry !== all[i - 1]);
  const fateOf = (key: string, table: string): Version['fate'] => {
    const txn = Number(key.split('.')[0]);
    const write = byWrite.get(key);
    if (txn === 0) return key === '0.0' ? 'committed' : cert.complete ? 'thin air' : 'unknown';
    if (txns.get(txn)?.outcome === 'aborted') return 'aborted';
    if (write === undefined || !txns.has(txn)) return cert.complete ? 'thin air' : 'unknown';
    if (cert.complete && write.table !== undefined && table !== '' && !write.table.split(',').includes(table)) return 'thin air';
    if (write.undone && !txns.get(txn)?.autocommit) return 'aborted';
    return committed.has(txn) ? 'committed' : 'unknown';
  };
  // An unknown transaction has committed if a committed one read its write; not where dirty reads are allowed.
  for (let grew = cert.level !== 'read-uncommitted'; grew; ) {
    grew = false;
    for (const stmt of cert.statements) {
      if (!committed.has(stmt.txn) || !counts(stmt)) continue;
      for (const [, table, , list] of stmt.seen) for (const key of entriesOf(list)) {
        const writer = Number(key.split('.')[0]);
        if (committed.has(writer) || fateOf(key, table) !== 'unknown' || !byWrite.has(key)) continue;
        grew = committed.add(writer).has(writer);
      }
    }
  }
  const rows = new Map(cert.rows.map(({ row, table }) => [row, orderVersions(row, table)]));
  const writerOf = (v: Version): Stmt | undefined => byWrite.get(v.key);
  /** All readings of a row, and the order that they give its versions: neighbours that no reading disputes. */
  function orderVersions(name: string, table: string): Row {
    const row: Row = { name, table, versions: new Map(), readings: [], twice: false, undone: [], birth: /^r(\d+\.\d+)_\d+$/.exec(name)?.[1] ?? '' };
    const version = (key: string): Version => {
      const [txn, seq] = key.split('.').map(Number) as [number, number];
      if (!row.versions.has(key)) row.versions.set(key, { key, txn, seq, fate: fateOf(key, table), dead: false, after: new Set(), before: new Set() });
      return row.versions.get(key)!;
    };
    const link = (v: Version, w: Version): void => void (v.after.add(w.key), w.before.add(v.key));
    const graves: [Version, Version][] = [];
    for (const stmt of cert.statements) for (const [as, , rid, list] of stmt.seen) {
      if (rid !== name) continue;
      if (as !== 'read' && (stmt.undone || !committed.has(stmt.txn))) row.undone.push(stmt);
      if (!committed.has(stmt.txn) || !counts(stmt)) continue;
      const [own, all] = [`${stmt.txn}.${stmt.seq}`, entriesOf(list)];
      const mine = all.at(-1) === own;
      const role = stmt.incomplete || (as === 'write' && !mine) ? 'read' : as;
      const keys = mine && stmt.incomplete ? all.slice(0, -1) : all;
      if (keys.length === 0) continue;
      row.readings.push({ stmt, role, keys, whole: keys[0] === row.birth, at: keys.at(role === 'write' ? -2 : -1) });
      if (new Set(keys).size < keys.length) row.twice = true;
      let left: Version | undefined;
      for (const v of keys.map(version)) {
        if (v.fate === 'aborted') continue;
        if (v.fate === 'committed' && left) link(left, v);
        left = v.fate === 'committed' ? v : undefined;
      }
      if (role !== 'delete') continue;
      const grave = Object.assign(version(own), { dead: true });
      if (left && grave.fate === 'committed') graves.push([left, grave]);
    }
    const { last, by } = claim.cycle.find((step) => step.row === name && step.cascade)?.cascade ?? { last: '', by: '' }; // the run's word: that a cascade removed it
    const [end, cause] = [last === '' ? undefined : version(last), byWrite.get(by)];
    if (end?.fate === 'committed' && !row.readings.some(({ stmt }) => stmt.kind === 'final') && cause && committed.has(cause.txn) && counts(cause) && cause.seen.some(([role]) => role === 'delete')) graves.push([end, Object.assign(version(by), { dead: true, fate: 'committed' as const })]);
    // The paper mode's probe does not prove its delete: such a grave only fills a gap.
    for (const [v, grave] of graves) if (cert.instrument !== 'paper' || (v.after.size === 0 && grave.before.size === 0 && new Set(graves.filter(([left]) => left === v)).size === 1)) link(v, grave);
    for (const v of row.versions.values()) {
      const w = v.after.size === 1 && !row.twice ? row.versions.get([...v.after][0]!)! : undefined;
      if (w?.before.size === 1 && w !== v) [v.next, w.prev] = [w, v];
    }
    for (const v of row.versions.values()) {
      let w = v.next;
      for (let steps = 0; w && w !== v && steps < row.versions.size; steps++) w = w.next;
      for (let ring = w; ring; [ring.next, ring.prev, ring] = [undefined, undefined, ring.next]);
    }
    return row;
  }
  /** Item edges: who wrote what was read, who replaced it. Returns why not, undefined if it follows. */
  function itemEdge({ rel, from, to, row: name, table, fromStatement, toStatement }: Step): string | undefined {
    const row = rows.get(name ?? '');
    if (!row || row.table !== table) return 'the certificate has no such row';
    const [source, target] = [statementAt(fromStatement), statementAt(toStatement)];
    if ((source?.txn ?? 0) !== from || target?.txn !== to) return 'the statements are not of these transactions';
    for (const v of rel === 'ww' ? row.versions.values() : []) if (v.next && v.next.txn === to && v.txn === from && writerOf(v) === source && writerOf(v.next) === target) return undefined;
    for (const { stmt, at } of rel === 'ww' ? [] : row.readings) {
      const v = at === undefined ? undefined : row.versions.get(at)!;
      if (v?.fate !== 'committed' || v.txn === stmt.txn) continue;
      if (rel === 'wr' && stmt === target && v.txn === from && writerOf(v) === source) return undefined;
      if (rel === 'rw' && stmt === source && v.next && v.next.txn === to && v.next.txn !== v.txn && writerOf(v.next) === target) return undefined;
    }
    return `no list of row ${name} shows it undisputed`;
  }

  /** The installed versions from birth to a proven end, one of each transaction; undefined where that is not proven. */
  function chainOf(row: Row): Version[] | undefined {
    const all = [...row.versions.values()];
    const birth = row.versions.get(row.birth);
    if (birth?.fate !== 'committed' || birth.prev || all.some(({ fate }) => fate === 'unknown' || fate === 'thin air')) return undefined;
    const chain: Version[] = [];
    let [count, end] = [0, birth];
    for (let v: Version | undefined = birth; v; [end, v, count] = [v, v.next, count + 1]) {
      if (chain.at(-1)?.txn === v.txn) chain.pop();
      chain.push(v);
    }
    if (new Set(chain.map(({ txn }) => txn)).size < chain.length) return undefined;
    const finals = new Set(cert.statements.filter(({ kind, status }) => kind === 'final' && status === 'ok').map(({ txn }) => txn));
    const last = row.readings.filter(({ stmt, role }) => stmt.kind === 'final' && !stmt.incomplete && role === 'read');
    const seen = last.length === finals.size && last.every(({ at }) => at === end.key) && finals.size > 0;
    return count === all.filter(({ fate }) => fate === 'committed').length && (end.dead || seen) ? chain : undefined;
  }

  /** Predicate edges, from what the server said of the versions that the statement can have seen (docs/PREDICATES.md). */
  function predicateEdge(step: Step, trust: boolean): string | undefined {
    const row = rows.get(step.row ?? '');
    const chain = row && chainOf(row);
    const [source, target] = [statementAt(step.fromStatement), statementAt(step.toStatement)];
    const [stmt, other] = step.rel === 'rwp' ? [source, target] : [target, source];
    if (!row || row.table !== step.table || (source?.txn ?? 0) !== step.from || target?.txn !== step.to || !stmt) return 'the statements are not of these transactions, or the row is another';
    if (!chain || !cert.complete || cert.instrument !== 'exact' || cert.level === 'read-uncommitted') return `the versions of row ${row.name} are not all known`;
    if (!committed.has(stmt.txn) || !counts(stmt) || stmt.incomplete || stmt.reads !== 'exact' || stmt.replied === null) return 'the statement does not show all that it read';
    const looks = cert.predicates.filter((each) => each.txn === stmt.txn && each.number === stmt.number && each.table === row.table && (trust || !each.conditional));
    const match = (look: Look, v: Version | undefined): boolean | undefined => (v === undefined || v.dead ? false : look.all ? true : look.matches[row.name]?.[v.key]);
    const place = (v: Version | undefined): number => (v ? chain.findIndex(({ txn }) => txn === v.txn) + 1 : 0);
    const firstWrite = (v: Version): Stmt | undefined => [...row.versions.values()].filter(({ txn, fate }) => txn === v.txn && fate === 'committed').sort((a, b) => a.seq - b.seq).map(writerOf)[0];
    const returned = row.readings.filter((each) => each.stmt === stmt);
    const locked = looks.length === 1 && !looks[0]!.beside && !looks[0]!.conditional && returned.some(({ role }) => stmt.table === undefined || role !== 'read');
    const replied = stmt.replied;
    const changed = chain.map(firstWrite).some((each) => each && each.txn !== stmt.txn && each.sent <= replied && !((txns.get(each.txn)?.end ?? Infinity) < stmt.sent));
    const again = cert.level === 'read-committed' && ((LOCKING.includes(stmt.kind) && (stmt.table === undefined || stmt.table.split(',').includes(row.table))) || stmt.locks?.includes(row.table) === true);
    if (again && changed && !locked) return 'the statement may have looked at the row twice';
    let seen: (Version | undefined)[];
    const own = cert.statements.filter((each) => each.txn === stmt.txn && each.number < stmt.number);
    if (returned.length > 0) {
      seen = [...new Set(returned.map(({ at }) => at))].map((at) => (at === undefined ? undefined : row.versions.get(at)));
      if (seen.length !== 1 || seen[0]?.fate !== 'committed') return 'the version that was returned is not certain';
      if (looks.every((look) => !look.beside && match(look, seen[0]) === false)) return 'what the server said of the condition contradicts the result';
    } else {
      if (row.undone.some((each) => each.sent <= replied && (each.txn === stmt.txn || (txns.get(each.txn)?.over ?? Infinity) >= stmt.sent)) || own.some((each) => ['delete', 'insert'].includes(each.kind) && (each.incomplete || each.seen.some(([role]) => role === 'delete')))) return 'a version that no list shows may have been seen';
      const late = (each: Stmt | undefined): boolean => (each?.sent ?? 0) > replied;
      const reach = chain.slice(0, chain.some((v) => late(firstWrite(v))) ? chain.findIndex((v) => late(firstWrite(v))) : undefined).filter((v) => firstWrite(v) !== stmt);
      const passing = [...row.versions.values()].filter((v) => v.fate === 'committed' && !chain.includes(v) && writerOf(v) !== stmt && !late(writerOf(v)));
      seen = [...(row.birth.startsWith('0.') ? [] : [undefined]), ...reach, ...passing].filter((v) => !looks.some((look) => match(look, v) === true));
    }
    const places = seen.map(place);
    if (looks.length === 0 || places.length === 0) return 'the server said nothing of the condition that fits';
    const wrote = own.some(({ seq, undone }) => seq !== undefined && !undone) ? chain.findIndex(({ txn }) => txn === stmt.txn) + 1 : 0;
    const [low, high] = [Math.min(...places, wrote || Infinity), Math.max(...places, wrote)];
    for (const look of looks) {
      const at = (n: number): boolean | undefined => match(look, chain[n - 1]);
      if (step.rel === 'rwp') {
        for (let n = Math.max(...places) + 1; n <= chain.length; n++) if (chain[n - 1]!.txn === step.to && step.to !== stmt.txn && writerOf(chain[n - 1]!) === other && at(n) !== undefined && at(n - 1) === !at(n)) return undefined;
        continue;
      }
      let run = low;
      if (at(low) === undefined || Array.from({ length: high - low }, (_, i) => at(low + i + 1)).some((each) => each !== at(low))) continue;
      const lowest = row.birth.startsWith('0.') ? 1 : 0;
      while (run > lowest && at(run - 1) === at(low)) run--;
      const change = run > 0 && (run === 1 && lowest === 1 ? at(run) === true : at(run - 1) === !at(run));
      if (change && chain[run - 1]!.txn === step.from && step.from !== stmt.txn && writerOf(chain[run - 1]!) === other) return undefined;
    }
    return 'no change of what the condition matches is certain';
  }

  function orderEdge({ rel, from, to }: Step): string | undefined {
    const [a, b] = [txns.get(from), txns.get(to)];
    if (!a || !b || a.begin === null || b.begin === null) return 'the transactions are not both known';
    if (rel === 'rt') return a.end !== null && a.end < b.begin ? undefined : 'the commit was not acknowledged before the other began';
    return rel === 'so' && a.session === b.session && a.outcome === 'committed' && a.begin < b.begin ? undefined : 'they are not one after the other in a session';
  }

  /** The anomalies that are no cycles, each on the lists that the first statements saw. */
  function alone(): string | undefined {
    const row = rows.get(claim.row?.row ?? '');
    const [stmt, second] = claim.statements.map(statementAt);
    const [reader, writer] = claim.transactions;
    const readings = row?.readings.filter((each) => each.stmt === stmt) ?? [];
    if (!row || row.table !== claim.row?.table || !stmt || stmt.txn !== reader || readings.length === 0) return 'the row, the statement and the transaction do not fit';
    const [at, all] = [stmt.number, [...row.versions.values()]];
    const found = (r: Reading): Version[] => (r.role === 'write' ? r.keys.slice(0, -1) : r.keys).map((key) => row.versions.get(key)!);
    const certainlyOlder = (r: Reading, own: Version): boolean => r.whole || Array.from({ length: all.length }).reduce<Version | undefined>((v) => (v === own ? v : v?.next), found(r).at(-1)) === own;
    const proofs: Record<string, () => boolean> = {
      G1a: () => writer !== reader && readings.some((r) => found(r).some((v) => v.txn === writer && v.fate === 'aborted')),
      'thin-air': () => readings.some((r) => found(r).some((v) => v.txn === writer && v.fate === 'thin air')),
      G1b: () => writer !== reader && readings.some((r) => found(r).at(-1)?.txn === writer && found(r).at(-1)?.fate === 'committed' && all.some((v) => v.txn === writer && v.fate === 'committed' && v.seq > found(r).at(-1)!.seq && (!v.dead || cert.instrument !== 'paper'))),
      internal: () => claim.transactions.length === 1 && readings.some((r) => found(r).some((v) => v.txn === reader && (v.fate === 'aborted' || (v.fate === 'committed' && !v.dead && writerOf(v)!.number > at)))
        || all.some((v) => v.txn === reader && v.fate === 'committed' && writerOf(v) === second && second!.number < at && !r.keys.includes(v.key) && (v.dead ? cert.instrument !== 'paper' : certainlyOlder(r, v)) && !all.some((w) => w.txn === reader && w.fate === 'committed' && w.seq > v.seq && writerOf(w)!.number < at))),
      'duplicate-write': () => row.twice && readings.some(({ keys }) => new Set(keys).size < keys.length),
      fork: () => !row.twice && all.some((v) => v.after.size > 1 || v.before.size > 1) && claim.transactions.every((id) => row.readings.some((each) => each.stmt.txn === id) || all.some(({ txn }) => txn === id)),
    };
    return Object.hasOwn(proofs, claim.class) && proofs[claim.class]!() ? undefined : `no list of row ${row.name} shows it`;
  }
  const twice = byPlace.size < cert.statements.length || cert.statements.some((each) => each.seq !== undefined && each.kind !== 'probe' && byWrite.get(`${each.txn}.${each.seq}`) !== each);
  if (twice || cert.statements.some(({ seq, seen }) => seq === undefined && seen.some(([role]) => role !== 'read'))) require(false, 'the record', 'a statement is there twice, or one that is no write wrote');
  if (claim.cycle.length === 0) require(alone() === undefined, `${claim.class} on ${claim.row?.row ?? 'an unnamed row'}`, alone() ?? '');
  for (const [i, step] of claim.cycle.entries()) {
    const predicate = step.rel === 'rwp' || step.rel === 'wrp';
    let why = !/^(ww|wrp?|rwp?)$/.test(step.rel) ? orderEdge(step) : predicate ? predicateEdge(step, false) : itemEdge(step);
    const trusted = predicate && why !== undefined && predicateEdge(step, true) === undefined;
    why = trusted ? undefined : why;
    const read = statementAt(step.rel.startsWith('rw') ? step.fromStatement : step.rel.startsWith('wr') ? step.toStatement : undefined);
    // An older certificate does not say what a SELECT locks within: the step may then leave its read point open.
    const open = read?.kind === 'select' && read.locks === undefined && step.readPoint === undefined;
    if (read && !open && step.readPoint !== (CURRENT.includes(read.kind) || read.locks?.includes(step.table ?? '') ? 'current' : 'snapshot')) why ??= 'the read point is another';
    if (!committed.has(step.from) || !committed.has(step.to) || step.from === step.to) why ??= 'both transactions must have committed, and differ';
    if (claim.cycle[(i + 1) % claim.cycle.length]!.from !== step.to) why ??= 'the next edge begins elsewhere, so it is no cycle';
    require(why === undefined, `T${step.from} -${step.rel}-> T${step.to}${step.row === undefined ? '' : ` on row ${step.row} of ${step.table}`}${predicate ? ` (of the server's word: which versions match${trusted ? '; of the run\'s: that the subquery was read' : ''})` : ''}${step.cascade ? ' (of the run\'s word: that ON DELETE CASCADE removed the row)' : ''}`, why ?? '');
  }
  if (claim.cycle.length > 0) require(classOf(claim.cycle.map(({ rel }) => rel)) === claim.class, `the class is ${claim.class}`, `these edges make ${classOf(claim.cycle.map(({ rel }) => rel))}`);
  return { holds: lines.every((line) => !line.startsWith(REFUSED)), lines };
}

/** Adya's classes with Elle's refinements, from the kinds of the edges alone. */
function classOf(rels: readonly string[]): string {
  const anti = rels.map((rel) => rel === 'rw' || rel === 'rwp');
  const antis = anti.filter(Boolean).length;
  const item = rels.includes('rwp') ? '' : '-item';
  const adjacent = antis > 1 && anti.some((each, i) => each && anti[(i + 1) % anti.length]);
  const base = antis === 0 ? (rels.some((rel) => rel.startsWith('wr')) ? 'G1c' : 'G0') : antis === 1 ? `G-single${item}` : adjacent ? `G2${item}` : `G-nonadjacent${item}`;
  return `${base}${rels.includes('rt') ? '-realtime' : rels.includes('so') ? '-session' : ''}`;
}
