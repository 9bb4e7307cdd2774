/**
 * A slot remembers the suites that it was taught, forgets the longest unused when there are many or large ones, and is
 * taught them again.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContainerHost } from '../../../activities/sandboxes/container/container-host.ts';
import { buildImage } from '../../../activities/sandboxes/container/container-image.ts';
import type { ZygoteHost } from '../../../activities/sandboxes/zygote/zygote-link.ts';
import { readRuns } from '../../../activities/sandboxes/zygote/zygote-run.ts';
import { openSlot, type Slot } from '../../../activities/sandboxes/zygote/zygote-slot.ts';
import { createSuites } from '../../../activities/sandboxes/zygote/zygote-suites.ts';
import { limits } from '../programs.ts';
import { engineNote, testEngine, withoutEngine } from './engine.ts';

const source = 'def sizes(text, number): return [len(text), number]';

describe.skipIf(withoutEngine)(`suites that come back${engineNote}`, () => {
  let host: ZygoteHost;
  let slot: Slot;
  const suiteOf = createSuites();
  beforeAll(async () => {
    await buildImage(testEngine().docker, () => undefined);
    host = await createContainerHost(testEngine());
    slot = await openSlot(await host.start(0));
  }, 300_000);
  afterAll(async () => {
    await slot?.stop();
    await host?.close();
  });

  const suite = (characters: number, number: number) =>
    suiteOf({ source, entryPoint: 'sizes', inputs: [JSON.stringify(['x'.repeat(characters), number])] }, limits);
  const answerOf = async (first: ReturnType<typeof suite>, second?: ReturnType<typeof suite>) => {
    const answer = await slot.run(first, 'isolated', [source], second);
    return answer && readRuns(answer, 'isolated', slot.residentBytes).map((run) => run?.results);
  };
  const sizes = (characters: number, number: number) => [{ value: `[${characters},${number}]` }];

  it('more of them than are remembered', async () => {
    const suites = Array.from({ length: 1_100 }, (_, number) => suite(10, number));
    const all = async () => await Promise.all(suites.map(async (each) => await answerOf(each)));
    const wanted = suites.map((_, number) => [sizes(10, number)]);
    expect(await all()).toEqual(wanted);
    expect(await all()).toEqual(wanted);
    // A program's own collections would write to every page of a suite that it could collect.
    const counts = 'import gc\ndef sizes(text, number): return len(gc.get_objects()) < 1000';
    const answer = await slot.run(suites[0] as (typeof suites)[0], 'isolated', [counts]);
    expect(answer?.programs[0]?.values).toEqual(['true']);
  });

  it('larger ones than are remembered together, also the two of one program', async () => {
    const characters = 9_000_000;
    const suites = Array.from({ length: 4 }, (_, number) => suite(characters, number));
    for (const round of [1, 2])
      for (const [number, each] of suites.entries()) {
        const next = (number + 1) % suites.length;
        expect(await answerOf(each, suites[next]), `round ${round}`).toEqual([
          sizes(characters, number),
          sizes(characters, next),
        ]);
      }
  });
});
