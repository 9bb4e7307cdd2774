/** Converts a zygote's reply to runs of programs. */
import { isValue } from '../../../sandbox/embedded/value.ts';
import type { CaseResult, ProgramEnd, ProgramRun } from '../../../schemas/program.ts';
import type { ProgramReply } from './zygote-frames.ts';
import type { SlotRun } from './zygote-slot.ts';

export interface JudgedRun extends ProgramRun {
  /** It reached a limit without having a core to itself, so maybe not through its own fault. */
  readonly crowded: boolean;
  /** Other programs, or its own cases of another suite, ran before it in the same process. */
  readonly shared: boolean;
}

/** One per program; null if the batch gave no verdict on it. */
export function readRuns(slotRun: SlotRun, lane: 'isolated' | 'batch', residentBytes: number): (JudgedRun | null)[] {
  return slotRun.programs.map((program, index) => {
    if (program.end === 'alone' || program.end === 'again') return null;
    return { ...readRun(program, program.end, lane, residentBytes), shared: lane === 'batch' || index > 0 };
  });
}

function readRun(
  reply: ProgramReply,
  end: ProgramEnd,
  lane: 'isolated' | 'batch',
  residentBytes: number,
): Omit<JudgedRun, 'shared'> {
  const { exception, failedAtLoad, detail, wallMs, cpuMs, crowded, values: texts } = reply;
  const times = {
    lane,
    wallMs,
    cpuMs,
    crowded,
    memoryBytes: lane === 'batch' ? null : Math.max(0, reply.memory - residentBytes),
  };
  const firstForged = texts.findIndex((text) => !isValue(text));
  const results: CaseResult[] = (firstForged === -1 ? texts : texts.slice(0, firstForged)).map((value) => ({ value }));
  const caseMs = reply.caseNs.slice(0, results.length).map((ns) => ns / 1e6);
  if (firstForged !== -1) return { ...times, end: 'killed', results, caseMs, failedAtLoad: false, detail: forged };
  if (exception !== null) results.push({ exception });
  return { ...times, end, results, caseMs, failedAtLoad, detail };
}

const forged = 'the program answered in place of the code that calls it';
