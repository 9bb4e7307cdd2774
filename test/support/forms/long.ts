/** Tests that take long and of which a shorter one, or one of another study, is always run. */
import { test } from 'vitest';

const isFull = process.env['EVENKEEL_TESTS'] === 'full';

/** As `test`, in `npm run test:full` alone. */
export const long: typeof test.skip = isFull ? test : test.skip;

/** Ends the name of a long test. */
export const inFull = isFull ? '' : ' (skipped: part of npm run test:full)';
