/**
 * Advice for failures between a URL and a usable session, as rows. The first row that matches `CODE message` applies.
 * Network errors are the same for every driver, and each family adds its server's errors behind them.
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
