/**
 * What follows from what happens to a program in the pool: every state with every event,
 * by hand from the rules of docs/decisions.
 */
import { describe, expect, test } from 'vitest';
import type { ProgramEnd } from '../../schemas/program.ts';
import { type JobEvent, type JobState, newJob, nextState } from '../../activities/sandboxes/zygote/zygote-job.ts';
import type { JudgedRun } from '../../activities/sandboxes/zygote/zygote-run.ts';

const ended = (end: ProgramEnd, more: Partial<JudgedRun> = {}): JudgedRun => ({
  ...{ lane: 'isolated', end, results: [], caseMs: [], failedAtLoad: false, wallMs: 1, cpuMs: 1, memoryBytes: 1 },
  ...{ detail: null, crowded: false, shared: false, ...more },
});

const ran = (run: JudgedRun, isAudit = false): JobEvent => ({ kind: 'ran', run, isAudit });
const lost = (blame: number): JobEvent => ({ kind: 'slot-lost', blame });
const hungry: JobEvent = { kind: 'starved' };
const value = (text: string): JudgedRun => ended('completed', { results: [{ value: text }] });
const one = value('1');
const loop = ended('wall_timeout');

const open = (blame: number): JobState => ({ kind: 'open', blame });
const audited = (batched: JudgedRun, blame = 0): JobState => ({ kind: 'audited', batched, blame });
const doubted = (batched: JudgedRun | null, blame = 0): JobState => ({ kind: 'doubted', batched, blame });
const starved = (times: number, batched: JudgedRun | null = null): JobState => ({
  ...{ kind: 'starved', batched, blame: 0, times },
});
const over: JobState = { kind: 'over' };

const queue = (how: 'alone' | 'exclusive' | 'doubtful') => ({ kind: 'queue', how });
const settle = (run: JudgedRun, disagrees = false) => ({ kind: 'settle', run, disagrees });

test.each<[string, JobState, JobEvent, JobState, object]>([
  ['a run that came to its end counts', newJob, ran(one), over, settle(one)],
  ['so does one that failed', newJob, ran(ended('early_exit')), over, settle(ended('early_exit'))],
  ['one of a batch that is audited runs alone', newJob, ran(one, true), audited(one), queue('alone')],
  ['and settles where both are alike', audited(one), ran(value('1')), over, settle(value('1'))],
  ['and tells where they are not', audited(one), ran(value('2')), over, settle(value('2'), true)],
  ['or where they ended otherwise', audited(one), ran(ended('early_exit')), over, settle(ended('early_exit'), true)],
  ['a wall time-out is looked at again', newJob, ran(loop), doubted(null), queue('doubtful')],
  [
    'so is a processor time-out without a core of its own',
    newJob,
    ran(ended('cpu_timeout', { crowded: true })),
    doubted(null),
    queue('doubtful'),
  ],
  ['one with a core of its own counts', newJob, ran(ended('cpu_timeout')), over, settle(ended('cpu_timeout'))],
  ['a killed program runs again alone', newJob, ran(ended('killed')), doubted(null), queue('alone')],
  ['the second time counts, whatever it is', doubted(null), ran(loop), over, settle(loop)],
  ['also where it passes', doubted(null), ran(one), over, settle(one)],
  [
    'an audit that meets a limit is looked at again, and the batch is not forgotten',
    audited(one),
    ran(loop),
    doubted(one),
    queue('doubtful'),
  ],
  ['and is compared at the end', doubted(one), ran(loop), over, settle(loop, true)],
  ['a batch without a verdict: alone', newJob, { kind: 'not-run' }, newJob, queue('alone')],
  [
    'what waited behind a lost slot: alone, as it was',
    doubted(one, 5),
    { kind: 'not-run' },
    doubted(one, 5),
    queue('alone'),
  ],
  ['a slot lost with it: a fresh one', newJob, lost(5), open(5), { kind: 'fresh-slot' }],
  ['a loss while the host was ill says nothing against it', open(5), lost(0), open(5), { kind: 'fresh-slot' }],
  ['one that the kernel ended for lack of memory runs with no other', newJob, hungry, starved(1), queue('exclusive')],
  ['also a second time', starved(1), hungry, starved(2), queue('exclusive')],
  ['and is no verdict the third time', starved(2), hungry, over, { kind: 'give-up' }],
  ['its run counts once it comes to an end', starved(2), ran(one), over, settle(one)],
  ['and is compared with its batch', starved(1, value('2')), ran(one), over, settle(one, true)],
  ['a kill of it without lack of memory counts', starved(1), ran(ended('killed')), over, settle(ended('killed'))],
  ['what is over stays over', over, ran(one), over, { kind: 'nothing' }],
  ['also when its slot is lost', over, lost(5), over, { kind: 'nothing' }],
])('%s', (_, state, event, wanted, act) => {
  expect(nextState(state, event, false)).toEqual({ state: wanted, act });
});

test('what needs the whole machine is looked at again with the whole machine', () => {
  expect(nextState(newJob, ran(loop), true).act).toEqual(queue('exclusive'));
  expect(nextState(newJob, ran(ended('killed')), true).act).toEqual(queue('alone'));
});

describe('blame', () => {
  const losses = (blames: readonly number[]) => {
    let state: JobState = newJob;
    const acts = blames.map((blame) => {
      const next = nextState(state, lost(blame), false);
      state = next.state;
      return next.act;
    });
    return { state, last: acts.at(-1), before: acts.slice(0, -1) };
  };

  test.each([
    ['two losses', [5, 5]],
    ['ten of slots that were killed', Array<number>(10).fill(1)],
    ['one loss and five kills', [5, 1, 1, 1, 1, 1]],
  ])('%s are enough, and none fewer', (_, blames) => {
    const { state, last, before } = losses(blames);
    expect(state).toEqual(over);
    expect(last).toMatchObject({ kind: 'settle', run: { end: 'killed' } });
    for (const act of before) expect(act).toEqual({ kind: 'fresh-slot' });
  });
});
