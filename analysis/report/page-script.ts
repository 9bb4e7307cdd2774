/**
 * The report's only script. Tables and charts work without it, except for sorting and filtering; examples need it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Each file is wrapped in its own scope. */
export const pageScript = ['sort', 'matrix', 'examples']
  .map((name) => `{\n${readFileSync(new URL(`./page/${name}.js`, import.meta.url), 'utf8')}}\n`)
  .join('');

/** Allows only this script and inline styles, and no requests. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(pageScript).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
