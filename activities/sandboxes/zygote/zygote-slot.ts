/** One slot: a running zygote that handles one request after another and reports how each program ended. */
import { openConnection } from '../slot-connection.ts';
import type { Frame, ProgramReply, RunHeader } from './zygote-frames.ts';
import { type AskedRun, readEnds } from './program-ends.ts';
import type { ZygoteLink } from './zygote-link.ts';
import { createSentSuites } from './sent-suites.ts';
import type { SuiteInUse } from './zygote-suites.ts';

export interface SlotRun {
  /** One per program, or per suite of the one program. */
  readonly programs: readonly ProgramReply[];
}

interface Pending {
  readonly asked: AskedRun;
  readonly settle: (run: SlotRun | null) => void;
}

export interface Slot {
  readonly pythonVersion: string;
  /** Memory of a process before a program uses any, bytes. */
  readonly residentBytes: number;
  readonly runs: number;
  isAlive(): boolean;
  /** After its end: whether it was killed from outside. */
  wasKilled(): boolean;
  /** Null if the slot was lost before it answered. Requests queue inside; only the first one runs. */
  run(
    suite: SuiteInUse,
    lane: RunHeader['lane'],
    sources: readonly string[],
    second?: SuiteInUse,
  ): Promise<SlotRun | null>;
  readonly gone: Promise<string>;
  stop(): Promise<void>;
}

/** Waits until the zygote is warm. Throws `SandboxFault` if it does not start. */
export async function openSlot(link: ZygoteLink, silenceMs?: number): Promise<Slot> {
  const pending = new Map<number, Pending>();
  const suites = createSentSuites();
  let runs = 0;
  const lost = (): void => {
    for (const { settle } of pending.values()) settle(null);
    pending.clear();
  };
  const line = openConnection<{ version: string; residentBytes: number }>(
    link,
    { hear, isAnswerDue: () => pending.size > 0, lost },
    silenceMs,
  );
  const { version, residentBytes } = await line.ready;
  return {
    pythonVersion: version,
    residentBytes,
    get runs() {
      return runs;
    },
    isAlive: line.isAlive,
    wasKilled: line.wasKilled,
    run,
    gone: line.gone,
    stop: line.stop,
  };

  function hear({ header, bodies }: Frame, onReady: (ready: { version: string; residentBytes: number }) => void): void {
    if ('ready' in header) onReady(header.ready);
    else if ('run' in header) {
      const due = pending.get(header.run);
      pending.delete(header.run);
      due?.settle({ programs: readEnds(due.asked, header, bodies) });
    }
  }

  function run(
    suite: SuiteInUse,
    lane: RunHeader['lane'],
    sources: readonly string[],
    second?: SuiteInUse,
  ): Promise<SlotRun | null> {
    if (!line.isAlive()) return Promise.resolve(null);
    const id = ++runs;
    const asked = { suite, second, programs: sources.length, isBatch: lane === 'batch' };
    const answer = new Promise<SlotRun | null>((settle) => pending.set(id, { asked, settle }));
    if (pending.size === 1) line.expectAnswer();
    sendSuite(suite);
    if (second !== undefined) sendSuite(second);
    line.send({ run: id, suite: suite.id, lane, ...(second === undefined ? {} : { second: second.id }) }, sources);
    return answer;
  }

  function sendSuite(suite: SuiteInUse): void {
    const dropped = suites.use(suite);
    if (dropped !== null) line.send({ ...suite.header, forget: dropped }, suite.cases);
  }
}
