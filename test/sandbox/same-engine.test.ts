/** Runs go on after an update only on the engine that they were planned for, so its digest changes when it must. */
import { expect, test } from 'vitest';
import { describeEngine, findPyodide } from '../../activities/sandboxes/embedded/embedded-command.ts';
import { engineDigest, judgedAs } from '../../activities/sandboxes/embedded/same-engine.ts';

const engine = 'd46616672373dd4a2b0adb2d50dccd2cedaa9f1284859f62bd896b9e048655be';
const engineOfVersion01 = '3f936224b93c1bb655b4e2cd693f901b414aa346e16c3c4e60e54fb512a75c30';

test('the engine is known: a change of its files must say in same-engine.ts if it still is the same', () => {
  expect(describeEngine(findPyodide()).digest).toBe(engine);
});

test("runs that version 0.1 planned go on: the engine can judge as that version's did", () => {
  expect(judgedAs(engine, engineOfVersion01)).toEqual({ imageDigest: engineOfVersion01, tellsLacks: false });
  for (const planned of [undefined, engine, 'f'.repeat(64)])
    expect(judgedAs(engine, planned)).toEqual({ imageDigest: engine, tellsLacks: true });
});

test('sources of another engine are not taken for it', () => {
  const other = 'f'.repeat(64);
  expect(engineDigest(other)).toBe(other);
  expect(engineDigest(engine)).toBe(engine);
});
