/** For a recording whose authors did the extraction: its text is the program, or the words, unchanged. */
import type { ExtractionRule } from './rule.ts';

export const asIs: ExtractionRule = {
  name: 'as-is',
  version: 1,
  code: (reply) =>
    reply.trim() === '' ? { code: null, how: 'empty', removed: 0 } : { code: reply, how: 'recorded', removed: 0 },
  words: (reply) => reply.trim() || null,
};
