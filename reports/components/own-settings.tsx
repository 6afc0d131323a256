/** @jsxRuntime automatic @jsxImportSource preact */
/** Settings in which a server that we started differs from its vendor's defaults, folded away in the head of a page. */
import type { VNode } from 'preact';
import type { OwnSetting } from '../../core/index.ts';
import { ownSettingWords } from '../text/own-settings.ts';

interface Props {
  readonly settings: readonly OwnSetting[] | undefined;
  /** The server's name, where the page is of several. */
  readonly title?: string;
}

/** Null: the server has none, or is somebody else's. */
export function OwnSettings({ settings = [], title = '' }: Props): VNode | null {
  if (settings.length === 0) return null;
  return (
    <details class="more">
      <summary>{title === '' ? '' : `${title}: `}settings that are not the vendor’s</summary>
      <dl class="facts">
        {settings.map((setting) => (
          <>
            <dt>{setting.name}</dt>
            <dd>{ownSettingWords(setting)}</dd>
          </>
        ))}
      </dl>
    </details>
  );
}
