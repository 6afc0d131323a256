/**
 * What can go wrong between a URL and a usable session, as rows: tried in order, matched against `CODE message`. The
 * network's own are the same for every driver; a family puts its server's behind them.
 */
export interface Advice {
  readonly when: RegExp;
  readonly what: string;
  readonly advice: string;
}

export const NETWORK_ADVICE: readonly Advice[] = [
  { when: /^ECONNREFUSED/, what: 'the connection was refused', advice: 'check that the server runs and listens on that host and port' },
  { when: /^(ENOTFOUND|EAI_AGAIN)/, what: 'the host name is unknown', advice: 'check the host in the URL' },
  {
    when: /^(ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)|timeout expired/,
    what: 'the host does not answer',
    advice: 'check the host, the port and any firewall between',
  },
];
