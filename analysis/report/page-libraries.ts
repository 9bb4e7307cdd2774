/**
 * The libraries that the page's script holds, each with its licence: highlight.js for syntax colours, with grammars for
 * the languages of evenkeel's benchmarks, and diff. Their names are `hljs` and `Diff`.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const highlighting = dirname(require.resolve('@highlightjs/cdn-assets/package.json'));
const comparing = dirname(require.resolve('diff/package.json'));

const grammars = ['python', 'cpp', 'javascript', 'perl', 'php', 'ruby'];

/** Their addresses are in messages only, and their control characters in texts: the page holds neither as such. */
const read = (folder: string, file: string): string =>
  readFileSync(join(folder, file), 'utf8')
    .replaceAll(/https?:\/\//g, '')
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const licence = (folder: string): string => `/*!\n${read(folder, 'LICENSE').replaceAll('*/', '')}*/\n`;

/** The core is a module, whose only export is `hljs`; each grammar registers itself with it. */
function highlighter(): string {
  const core = read(highlighting, 'es/core.min.js').replace(/export\{(\w+) as default\};?\s*$/, 'return $1;');
  const languages = grammars.map((name) => read(highlighting, `languages/${name}.min.js`));
  return `${licence(highlighting)}const hljs = (() => {\n${core}\n})();\n${languages.join('\n')}\n`;
}

/** A script for browsers and Node alike: it is given Node's `exports`. */
function differ(): string {
  const script = read(comparing, 'dist/diff.min.js');
  return `${licence(comparing)}const Diff = ((exports, module) => {\n${script}\nreturn exports;\n})({}, {});\n`;
}

export const pageLibraries = `${highlighter()}${differ()}`;
