/** Runs go on after an update only on the engine that they were planned for, so its digest changes when it must. */
import { expect, test } from 'vitest';
import { describeEngine, findPyodide } from '../../activities/sandboxes/embedded/embedded-command.ts';
import { engineDigest } from '../../activities/sandboxes/embedded/same-engine.ts';

/** The engine of version 0.1. */
const engine = '3f936224b93c1bb655b4e2cd693f901b414aa346e16c3c4e60e54fb512a75c30';

test("the embedded sandbox is version 0.1's: a change of its files must say in same-engine.ts if it still is", () => {
  expect(describeEngine(findPyodide()).digest).toBe(engine);
});

test('sources of another engine are not taken for it', () => {
  const other = 'f'.repeat(64);
  expect(engineDigest(other)).toBe(other);
  expect(engineDigest(engine)).toBe(engine);
});
