/**
 * EVALOOP's extraction, as in its authors' code (evalooop/EvaLooop, `extract_code` and `extract_summary` of its tasks).
 * Code: the first fenced block of any language, else the whole reply, stripped. Summary: the whole reply, stripped.
 * Reasoning text counts as part of the reply.
 */
import { firstFencedOrAll } from '../../domain/extraction/rules/first-fence.ts';
import type { ExtractionRule } from '../../domain/extraction/rules/rule.ts';

export const paperEvaloop: ExtractionRule = {
  name: 'paper-evaloop',
  version: 1,
  code: firstFencedOrAll,
  words: (reply) => reply.trim() || null,
};
