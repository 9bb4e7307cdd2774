/**
 * Files of whole runs that are part of `npm run test:full` alone, so that `npm test` takes less than half an hour. Unit
 * tests, or another file that is always run, cover most of what each does.
 */
export const longFiles: readonly string[] = [
  'batches/same-tables',
  'exchange/archive-of-changed',
  'joining-worker',
  'keys-apart',
  'merged-parts',
  'multiverse',
  'provenance/explain',
  'retry-one-model',
  'seen-from-outside/logs',
  'segments',
  'slow-reference',
  'spoiled-run',
  'studies/promptse-rewriter',
  'studies/robunfr-container',
  'studies/simulated-labels',
  'too-long-prompts',
].map((name) => `test/integration/${name}.test.ts`);
