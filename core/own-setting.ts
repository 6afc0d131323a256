/** A setting in which a server that the tool starts differs from its vendor's default. */
export interface OwnSetting {
  /** The server's own name. */
  readonly name: string;
  readonly value: string;
  readonly vendor: string;
  /** Why it differs. */
  readonly reason: string;
  /** The part of an outcome that it may change; absent: no outcome. */
  readonly outcome?: string;
  /** The server cannot be started the vendor's way beside others, or is another target without it. */
  readonly fixed?: true;
}
