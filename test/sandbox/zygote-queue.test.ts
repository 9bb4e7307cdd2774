/** What goes to a slot together, by hand: two slots, suites 1 and 2 of the same limits. */
import { describe, expect, it } from 'vitest';
import { newJob } from '../../activities/sandboxes/zygote/zygote-job.ts';
import { createJobQueue, type Job } from '../../activities/sandboxes/zygote/zygote-queue.ts';
import { createSuites } from '../../activities/sandboxes/zygote/zygote-suites.ts';
import { limits } from './programs.ts';

const suiteOf = createSuites();
const [base, plus, other] = [['[1]'], ['[2]', '[3]'], ['[4]']].map((inputs) =>
  suiteOf({ source: '', entryPoint: 'f', inputs }, limits),
);

function job(source: string, suite = base): Job {
  if (suite === undefined) throw new Error('suites are made above');
  const state = { onStart: undefined, isExclusive: false, state: newJob, mate: null, taken: false };
  return { source, suite, resolve: () => undefined, reject: () => undefined, ...state };
}

const taken = (queue: ReturnType<typeof createJobQueue>, slots = 2): string[] => {
  const works: string[] = [];
  for (let work = queue.take(slots, false); work !== null; work = queue.take(slots, false))
    works.push(`${work.lane}: ${work.jobs.map(({ source, suite }) => source + suite.id).join(' ')}`);
  return works;
};

describe('a queue of programs', () => {
  it('gives a slot both suites of a program, each once, unless another slot would have nothing', () => {
    const queue = createJobQueue();
    for (const suite of [base, plus, other]) queue.addShared(job(suite === other ? 'b' : 'a', suite));
    expect(taken(queue)).toEqual(['isolated: a1 a2', 'isolated: b3']);
    for (const suite of [base, plus]) queue.addShared(job('a', suite));
    expect(taken(queue)).toEqual(['isolated: a1', 'isolated: a2']);
    expect(queue.isEmpty()).toBe(true);
  });

  it('does not pair what is over, what has other limits, nor the same suite', () => {
    const queue = createJobQueue();
    const more = suiteOf({ source: '', entryPoint: 'f', inputs: ['[5]'] }, { ...limits, memoryBytes: 1 });
    const over = job('a', plus);
    for (const one of [job('a'), over, job('b', other), job('b', more)]) queue.addShared(one);
    over.state = { kind: 'over' };
    expect(taken(queue)).toEqual(['isolated: a1', 'isolated: b3', `isolated: b${more.id}`]);
  });

  it('what is given back goes alone, and what went with its mate is not given again when all is taken out', () => {
    const queue = createJobQueue();
    const [first, second] = [job('a'), job('a', plus)];
    for (const one of [first, second, job('b', other)]) queue.addShared(one);
    expect(queue.take(2, false)?.jobs).toEqual([first, second]);
    queue.addAlone(second);
    expect(queue.drain().map(({ source, suite }) => source + suite.id)).toEqual(['a2', 'b3']);
  });

  it('takes what goes first before all that wait, in the order in which it came', () => {
    const queue = createJobQueue();
    queue.addAlone(job('a'));
    for (const one of [job('b'), job('c', plus)]) queue.addShared(one);
    for (const source of ['d', 'e']) queue.addFirst(job(source));
    expect(taken(queue)).toEqual(['d1', 'e1', 'a1', 'b1', 'c2'].map((one) => `isolated: ${one}`));
    queue.addFirst(job('f'));
    expect([queue.isEmpty(), queue.drain().map(({ source }) => source)]).toEqual([false, ['f']]);
  });

  it('batches a whole suite where others wait, an equal share of the last one', () => {
    const queue = createJobQueue();
    for (const suite of [base, plus, other]) for (const source of 'abcd') queue.addShared(job(source, suite));
    const shares = ['batch: a1 b1 c1 d1', 'batch: a2 b2', 'batch: a3 b3'];
    expect(taken(queue)).toEqual([...shares, ...['c2', 'c3', 'd2', 'd3'].map((one) => `isolated: ${one}`)]);
  });

  // Red where a slot was started for programs that a stopped command had given up:
  // its closing waited for the slot's start.
  it('is empty when nobody waits for what is in it', () => {
    const queue = createJobQueue();
    const jobs = ['a', 'b', 'c', 'd'].map((source) => job(source));
    const [shared, alone, exclusive, doubtful] = jobs as [Job, Job, Job, Job];
    queue.addShared(shared);
    queue.addAlone(alone);
    queue.addExclusive(exclusive);
    queue.addDoubtful(doubtful);
    for (const one of jobs) {
      expect(queue.isEmpty()).toBe(false);
      one.state = { kind: 'over' };
    }
    expect(queue.isEmpty()).toBe(true);
  });

  it('what met a limit waits until nothing else runs, then goes before all others', () => {
    const queue = createJobQueue();
    queue.addDoubtful(job('loop'));
    queue.addShared(job('a'));
    expect(taken(queue)).toEqual(['isolated: a1']);
    expect(queue.take(2, true)).toMatchObject({ company: 'alike', jobs: [{ source: 'loop' }] });
    expect(queue.takeDoubtful()).toBeNull();
    queue.addExclusive(job('every core'));
    expect([queue.isEmpty(), queue.takeDoubtful(), queue.take(2, false)]).toEqual([false, null, null]);
    expect(queue.take(2, true)).toMatchObject({ company: 'none', jobs: [{ source: 'every core' }] });
  });
});
