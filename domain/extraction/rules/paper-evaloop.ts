/**
 * EVALOOP, as its authors' code does it (evalooop/EvaLooop, `extract_code` and `extract_summary` of its tasks): the first fenced block
 * of any language, else the whole reply, either way stripped; and the whole reply, stripped, as summary. Thoughts are part of the reply.
 */
import type { ExtractedCode } from '../extract-code.ts';
import { betweenMarks } from './first-fence.ts';
import type { ExtractionRule } from './rule.ts';

export const paperEvaloop: ExtractionRule = {
  name: 'paper-evaloop',
  version: 1,
  code: (reply) => firstFencedOrAll(reply),
  words: (reply) => reply.trim() || null,
};

export function firstFencedOrAll(reply: string): ExtractedCode {
  const fenced = betweenMarks(reply);
  const code = fenced ?? reply.trim();
  if (code === '') return { code: null, how: 'empty', removed: 0 };
  // A module ends in a newline, under every rule: equal programs are run once.
  return { code: `${code}\n`, how: fenced === null ? 'bare' : 'fenced', removed: 0 };
}
