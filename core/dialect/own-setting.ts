/** A setting in which a server that the tool starts differs from its vendor's default. */
export interface OwnSetting {
  /** The server's own name for it. */
  readonly name: string;
  readonly value: string;
  readonly vendor: string;
  /** Why it differs. */
  readonly reason: string;
  /** The part of an outcome that the setting may change. Absent: none. */
  readonly outcome?: string;
  /** The setting is not adjustable: the vendor's default cannot run beside other servers, or makes another target. */
  readonly fixed?: true;
}
