/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Lists the settings in which a server that we started differs from its vendor's defaults. The list is folded in the
 * head of a page.
 */
import type { VNode } from 'preact';
import type { OwnSetting } from '../../core/dialect/index.ts';
import { ownSettingWords } from '../text/own-settings.ts';

interface Props {
  readonly settings: readonly OwnSetting[] | undefined;
  /** Names the server if the page shows several. */
  readonly title?: string;
}

/** Returns null if the server has no such settings, or if we did not start it. */
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
