/** One of several words, with its label. */
import type { VNode } from 'preact';

interface Props {
  readonly label: string;
  readonly name: string;
  /** The word, and how it is shown. */
  readonly words: readonly (readonly [word: string, shown: string])[];
  /** To begin with; where `chosen` is told of each choice, the one that stands. */
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
