/**
 * Mutants of the starter benchmark are judged alike by themselves, in batches and behind bubblewrap. `npm run bench --
 * lanes` does it with 10,000.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import { type Judgement, judgeAll, type Lane, scaledLimits } from '../../../bench/judging/judge.ts';
import { loadTasks, subjectsOf } from '../../../bench/judging/subjects.ts';
import { makeMutants, type Mutant } from '../../../bench/mutants/make.ts';
import type { Task } from '../../../schemas/task.ts';
import { engineNote, testEngine, wallsNote, withoutEngine, withoutWalls } from './engine.ts';

let tasks: readonly Task[];
let mutants: readonly Mutant[];
beforeAll(async () => {
  tasks = (await loadTasks('evenkeel', new URL('../../../data/starter/starter.jsonl', import.meta.url).pathname)).slice(
    0,
    15,
  );
  mutants = makeMutants(tasks, 240, 1);
});

describe.skipIf(withoutEngine)(`lanes agree on mutants${engineNote}`, () => {
  it(`in batches and by themselves, and behind bubblewrap${wallsNote}`, { timeout: 300_000 }, async () => {
    const container = await openOn(testEngine());
    try {
      const isolated = await verdicts(container, 'isolated');
      expect(new Set(isolated.map(({ outcome }) => outcome)).size).toBeGreaterThanOrEqual(5);
      const batch = await verdicts(container, 'batch');
      expect(batch.filter(({ run }) => run.lane === 'batch').length).toBeGreaterThan(50);
      expect(batch.map(essence)).toEqual(isolated.map(essence));
      if (withoutWalls) return;
      const walled = await createBubblewrapSandbox();
      try {
        expect((await verdicts(walled, 'batch')).map(essence)).toEqual(isolated.map(essence));
      } finally {
        await walled.close();
      }
    } finally {
      await container.close();
    }
  });
});

async function verdicts(box: Sandbox, lane: Lane): Promise<Judgement[]> {
  const byTask = new Map((await subjectsOf(box, tasks)).map((subject) => [subject.task.taskId, subject]));
  const asked = mutants.flatMap(({ task, source }) => {
    const subject = byTask.get(task);
    return subject === undefined ? [] : [{ subject, source }];
  });
  return await judgeAll(box, asked, lane, scaledLimits);
}

const essence = ({ outcome, firstFailingCase, run }: Judgement) => [outcome, firstFailingCase, run.results];
