/** What the reports of a matrix and of an exploration begin with: by what, when and on which server they were made. */
export interface MeasuredTarget {
  readonly tool: string;
  readonly command: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly target: string;
  readonly server: string;
  readonly configuration: Readonly<Record<string, string>>;
}
