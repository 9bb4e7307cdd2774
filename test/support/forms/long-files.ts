/**
 * Files of whole runs that are part of `npm run test:full` alone, so that `npm test` takes less than half an hour. Unit
 * tests, or another file that is always run, cover most of what each does.
 */
export const longFiles: readonly string[] = [
  'batches/same-tables',
  'deeper-runs',
  'exchange/archive-of-changed',
  'exchange/exports',
  'joining-worker',
  'keys-apart',
  'merged-parts',
  'multiverse',
  'own-sandbox',
  'programs-apart',
  'provenance/explain',
  'provenance/reuse',
  'replay-of-a-run',
  'retry-one-model',
  'run-folder',
  'seen-from-outside/logs',
  'segments',
  'servers/lost-server',
  'servers/mutual-tls',
  'slow-reference',
  'spoiled-run',
  'studies/judges',
  'studies/promptse-rewriter',
  'studies/robunfr-container',
  'studies/simulated-labels',
  'too-long-prompts',
].map((name) => `test/integration/${name}.test.ts`);
