/** The make and the release of a server that speaks MySQL's protocol, from SELECT VERSION(). */
interface Release {
  readonly make: 'MySQL' | 'MariaDB' | 'TiDB';
  readonly number: readonly number[];
}

/** Parses `8.0.11-TiDB-v8.5.0`, `10.11.19-MariaDB-0+deb12u1` (perhaps with `5.5.5-` before it) and `9.7.4-2`. */
function releaseOf(version: string): Release {
  const make = /tidb/i.test(version) ? 'TiDB' : /mariadb/i.test(version) ? 'MariaDB' : 'MySQL';
  const text = make === 'TiDB' ? (/tidb-v?([\d.]+)/i.exec(version)?.[1] ?? '') : version.replace(/^5\.5\.5-(?=\d)/, '');
  return { make, number: (/^[\d.]+/.exec(text)?.[0] ?? '').split('.').map(Number) };
}

/** Whether the release is at least `least`. */
function atLeast(number: readonly number[], least: readonly number[]): boolean {
  for (const [i, part] of least.entries()) if ((number[i] ?? 0) !== part) return (number[i] ?? 0) > part;
  return true;
}

/** Why a server is not tested as this make. Undefined: it is. */
export function refusal(version: string, url: string, make: Release['make'], least: readonly number[]): string | undefined {
  const release = releaseOf(version);
  if (release.make !== make) {
    return `${url} is not ${make} but ${release.make} (SELECT VERSION() says ${JSON.stringify(version)}): its promises differ, so it is not tested as ${make}; write ${release.make.toLowerCase()}:// in its URL`;
  }
  if (atLeast(release.number, least)) return undefined;
  return `${url} is ${make} ${version}: expected ${least.join('.')} or later, whose SQL the tool speaks; test a newer server`;
}
