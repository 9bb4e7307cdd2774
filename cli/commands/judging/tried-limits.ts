/** Time limits that `multiverse` tries: what they cost is said before, and progress is shown. */
import type { OtherLimits } from '../../../activities/multiverse/study-multiverse.ts';
import { counted } from '../../../domain/counted.ts';
import { InputError } from '../../../domain/errors.ts';
import { judgingRule } from '../../../schemas/spec/benchmark.ts';
import { durationText } from '../../follow/progress-line.ts';
import type { Terminal } from '../../output/terminal.ts';
import type { OpenJudge } from './open-judge.ts';

/** Milliseconds, ascending. */
export function namedLimits(text: string): readonly number[] {
  const limits = text.split(',').map((part) => {
    const { success } = judgingRule.shape.caseLimitMs.safeParse(Number(part));
    if (success && part.trim() !== '') return Number(part);
    throw new InputError(
      `must be whole numbers of milliseconds, from 100 to 600000, with commas between; got "${text}"`,
      { field: '--case-limit-ms' },
    );
  });
  return [...new Set(limits)].toSorted((a, b) => a - b);
}

/** Programs end with the process. */
const noSignal = new AbortController().signal;

/** For one study. */
export function triedLimits(
  caseLimitsMs: readonly number[],
  { judge, isKnown }: OpenJudge,
  study: string,
  terminal: Terminal,
): OtherLimits {
  const programs = new Map<number, number>();
  const done = new Map<number, number>();
  return {
    ...{ caseLimitsMs, judge, isKnown, signal: noSignal },
    onCosts: (costs) => {
      for (const cost of costs) {
        programs.set(cost.caseLimitMs, cost.programs);
        terminal.note(`study ${study}, ${costText(cost)}`);
      }
    },
    onProgram: (caseLimitMs) => {
      const number = (done.get(caseLimitMs) ?? 0) + 1;
      done.set(caseLimitMs, number);
      terminal.progress(
        `study ${study}, limit of ${caseLimitMs} ms: program ${number} of ${programs.get(caseLimitMs) ?? number}`,
      );
    },
  };
}

type Cost = Parameters<OtherLimits['onCosts']>[0][number];

/** `limit of 500 ms: 340 programs to judge again, 300 of them known from earlier runs; the others take about 12 s`. */
function costText({ caseLimitMs, programs, known, seconds }: Cost): string {
  const limit = `limit of ${caseLimitMs} ms`;
  if (programs === 0) return `${limit}: changes no verdict, since no time limit stopped a program`;
  const fresh = programs - known;
  const earlier = known === 0 ? '' : `, ${known.toLocaleString('en-US')} of them known from earlier runs`;
  const time = fresh === 0 ? '' : `; about ${durationText(Math.max(1, seconds) * 1000)} on this machine`;
  return `${limit}: ${counted(programs, 'program')} to judge again${earlier}${time}`;
}
