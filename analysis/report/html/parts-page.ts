/** Parts of a report as an HTML file of their own, which loads nothing from elsewhere. */
import { html, trusted } from '../html.ts';
import { contentSecurityPolicy, pageScript } from '../page-script.ts';
import type { Part } from '../part.ts';
import { styleSheet } from '../style.ts';
import { partsHtml } from './parts.ts';

/** @param over the line above the title */
export const partsPage = async (over: string, title: string, parts: readonly Part[]): Promise<string> =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="referrer" content="no-referrer">
<title>${title} · evenkeel</title><style>${trusted(styleSheet)}</style></head><body><main>
<header><p class="over">${over}</p><h1>${title}</h1></header>
${await partsHtml(parts)}
</main><script>${trusted(pageScript)}</script></body></html>
`.markup;
