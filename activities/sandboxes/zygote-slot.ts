/** One slot: a started zygote that runs one request after another and says how each program ended. */
import { openLine } from './slot-line.ts';
import type { Frame, ProgramReply, RunHeader } from './zygote-frames.ts';
import type { ZygoteLink } from './zygote-link.ts';
import type { SuiteInUse } from './zygote-suites.ts';

export interface SlotRun {
  readonly programs: readonly ProgramReply[];
  /** Encoded outputs of all programs, one after another, as the replies' sizes cut them. */
  readonly bodies: Buffer;
}

export interface Slot {
  readonly pythonVersion: string;
  /** Memory of a process that has added none, bytes. */
  readonly residentBytes: number;
  readonly runs: number;
  isAlive(): boolean;
  /** Once it is gone: not by itself. */
  wasKilled(): boolean;
  /** Null when the slot was lost before it answered. Requests queue inside; the first of them is the one that runs. */
  run(suite: SuiteInUse, lane: RunHeader['lane'], sources: readonly string[], second?: SuiteInUse): Promise<SlotRun | null>;
  readonly gone: Promise<string>;
  stop(): Promise<void>;
}

/** What a zygote remembers at most, so that a study which comes back to a task need not send it again: suites, and characters of their cases. */
const suitesKept = 1_000;
const charactersKept = 16 * 1024 * 1024;

/** Waits until the zygote is warm. Throws `SandboxFault` when it does not come up. */
export async function openSlot(link: ZygoteLink, silenceMs?: number): Promise<Slot> {
  const pending = new Map<number, (run: SlotRun | null) => void>();
  /** Characters of each suite's cases, the longest unused first. */
  const known = new Map<number, number>();
  let characters = 0;
  let runs = 0;
  const lost = (): void => {
    for (const settle of pending.values()) settle(null);
    pending.clear();
  };
  const line = openLine<{ version: string; residentBytes: number }>(link, { hear, isAnswerDue: () => pending.size > 0, lost }, silenceMs);
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

  function hear({ header, bodies }: Frame, comesUp: (ready: { version: string; residentBytes: number }) => void): void {
    if ('ready' in header) comesUp(header.ready);
    else if ('run' in header) {
      const settle = pending.get(header.run);
      pending.delete(header.run);
      settle?.({ programs: header.programs, bodies });
    }
  }

  function run(suite: SuiteInUse, lane: RunHeader['lane'], sources: readonly string[], second?: SuiteInUse): Promise<SlotRun | null> {
    if (!line.isAlive()) return Promise.resolve(null);
    const id = ++runs;
    const answer = new Promise<SlotRun | null>((resolve) => pending.set(id, resolve));
    if (pending.size === 1) line.expectAnswer();
    teach(suite);
    if (second !== undefined) teach(second);
    line.send({ run: id, suite: suite.id, lane, ...(second === undefined ? {} : { second: second.id }) }, sources);
    return answer;
  }

  /** The zygote gets a suite's cases once, and again after it had to make room for others. */
  function teach(suite: SuiteInUse): void {
    const isNew = !known.delete(suite.id);
    known.set(suite.id, suite.characters);
    if (!isNew) return;
    characters += suite.characters;
    line.send({ ...suite.header, forget: forgotten() }, suite.cases);
  }

  /** The longest unused; never one of the two that a program may be run on. */
  function forgotten(): number[] {
    const ids: number[] = [];
    for (const [id, size] of known) {
      if (known.size <= 2 || (known.size <= suitesKept && characters <= charactersKept)) break;
      known.delete(id);
      characters -= size;
      ids.push(id);
    }
    return ids;
  }
}
