/** Lets the user choose one of several words, with a label. */
import type { VNode } from 'preact';

interface Props {
  readonly label: string;
  readonly name: string;
  /** Holds each word, and the text that shows it. */
  readonly words: readonly (readonly [word: string, shown: string])[];
  /** Names the first choice. If `chosen` is given, it names the current choice. */
  readonly value?: string | undefined;
  readonly chosen?: (word: string) => void;
}

export function Choice({ label, name, words, value, chosen }: Props): VNode {
  return (
    <label>
      {label}{' '}
      <select name={name} {...(chosen && { value })} onChange={({ currentTarget }) => chosen?.(currentTarget.value)}>
        {words.map(([word, shown]) => (
          <option key={word} value={word} selected={word === value}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
}
