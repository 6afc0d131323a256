/** Settings in which a server that we started differs from its vendor's defaults, folded away in the head of a page. */
import type { OwnSetting } from '../../core/index.ts';
import { ownSettingWords } from '../text/own-settings.ts';
import { html, type Markup } from './markup.ts';

/** `title`: the server's name, where the page is of several. Null: the server has none, or is somebody else's. */
export function ownSettingsPart(settings: readonly OwnSetting[] = [], title = ''): Markup | null {
  if (settings.length === 0) return null;
  return html`<details class="more"><summary>${title === '' ? '' : `${title}: `}settings that are not the vendor’s</summary><dl class="facts">${settings.map((setting) => html`<dt>${setting.name}</dt><dd>${ownSettingWords(setting)}</dd>`)}</dl></details>`;
}
