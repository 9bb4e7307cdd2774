/**
 * The report's only script. Tables and charts work without it, except for sorting and filtering; examples need it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pageLibraries } from './page-libraries.ts';

const examples = 'elements data filters list code changes verdict view beside dialog start'
  .split(' ')
  .map((name) => `examples/${name}`);
const takeaway = ['picture', 'menu'].map((name) => `takeaway/${name}`);
const matrix = 'unpack view sizes mark cells draw controls words keys start'.split(' ').map((name) => `matrix/${name}`);

/** Each list of files has a scope of its own, and its files come after those that they import. */
const scopes = [['pages'], ['evidence'], ['sort'], ['board'], ['tips'], matrix, examples, takeaway];

export const pageScript = scriptOf(scopes);

/** Of the pages of `watch`: what exchanges their parts sees them before the other scripts change them. */
export const liveScript = scriptOf([['exchange', 'watch'].map((name) => `live/${name}`), ...scopes]);

function scriptOf(all: readonly (readonly string[])[]): string {
  return [pageLibraries, ...all.map((files) => `{\n${files.map(fileText).join('')}}\n`)].join('');
}

/** A module's text without comments, imports and exports: the files of a scope see each other. */
function fileText(name: string): string {
  const text = readFileSync(new URL(`./page/${name}.js`, import.meta.url), 'utf8');
  const code = text.replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '').replaceAll(/^ *\/\/.*\n/gm, '');
  return code.replaceAll(/^import [^;]*;\n/gm, '').replaceAll(/^export /gm, '');
}

/**
 * Allows only this script and inline styles, and no requests. Images may be drawn from what the script made: a chart
 * becomes a PNG by that.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src blob:',
  `script-src 'sha256-${createHash('sha256').update(pageScript).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
