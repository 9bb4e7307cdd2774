/** The report's only script. Without it the tables and charts are complete, in their first order; the examples need it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Each file in a scope of its own. */
export const pageScript = ['sort', 'matrix', 'examples']
  .map((name) => `{\n${readFileSync(new URL(`./page/${name}.js`, import.meta.url), 'utf8')}}\n`)
  .join('');

/** Allows exactly this script, the inline style sheet, and nothing from anywhere else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(pageScript).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
