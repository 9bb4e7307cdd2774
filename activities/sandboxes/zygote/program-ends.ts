/**
 * How programs ended, from what their process wrote and from how it ended. Everything that was written may be forged by
 * the program; it is believed only as what the program wants to have answered.
 */
import type { ProgramEnd } from '../../../schemas/program.ts';
import type { NoVerdict, ProgramReply, RunReply } from './zygote-frames.ts';
import { type ChildRecord, cutRecords } from './zygote-records.ts';
import type { SuiteInUse } from './zygote-suites.ts';

/** What was asked of a process. */
export interface AskedRun {
  readonly suite: SuiteInUse;
  /** Of an isolated run: the program's other suite, in the same process. */
  readonly second: SuiteInUse | undefined;
  /** More than one: a batch. */
  readonly programs: number;
  readonly isBatch: boolean;
}

/** Tags that end a program, other than its last case. */
const endsByTag: Readonly<Record<string, ProgramEnd>> = {
  x: 'completed',
  s: 'syntax_error',
  q: 'early_exit',
  m: 'memory',
  d: 'missing_dependency',
  o: 'output_limit',
  c: 'compile_error',
  k: 'killed',
};
/** Other tags: the next program begins, a program must run alone, a program has answered all its cases. */
const [next, mustRunAlone, done] = ['N', 'A', 'E'];
const forged = 'the program answered in place of the code that calls it';
/** An interpreter that finds no memory for the exception that says so ends itself: by then it has this share of it. */
const mostMemory = 0.9;
const complaintChars = 1000;
const signalOf = (status: number): number => status & 0x7f;
const abortSignal = 6;
const cpuSignal = 24;

/** One program on one suite. */
class OneEnd {
  readonly values: string[] = [];
  readonly ns: number[] = [];
  end: ProgramEnd | NoVerdict | null = null;
  detail: string | null = null;
  exception: string | null = null;
  failedAtLoad = false;
  crowded = false;
  readonly #suite: SuiteInUse;
  #loaded = false;
  #loadNs = 0;

  constructor(suite: SuiteInUse) {
    this.#suite = suite;
  }

  get isCompleted(): boolean {
    return this.end === 'completed';
  }

  /** What its steps took, for shares of a process. */
  get spentNs(): number {
    return this.ns.reduce((sum, ns) => sum + ns, 1 + this.#loadNs);
  }

  readonly hear = ({ tag, body, ns }: ChildRecord): void => {
    if (this.end !== null) return;
    const known = endsByTag[tag];
    if (tag === 'v' && !this.#loaded) {
      this.#loaded = true;
      this.#loadNs = ns;
    } else if (tag === 'v' && this.values.length < this.#suite.cases.length) {
      this.values.push(body);
      this.ns.push(ns);
    } else if (tag === done && this.#loaded && this.values.length === this.#suite.cases.length) {
      this.close('completed');
    } else if (known === undefined) this.close('killed', forged);
    else {
      const text = body.slice(0, complaintChars);
      this.close(known, text === '' ? null : text);
      if (tag === 'x') {
        this.exception = text;
        this.failedAtLoad = !this.#loaded;
      }
    }
  };

  close(end: ProgramEnd | NoVerdict, detail: string | null = null): void {
    if (this.end !== null) return;
    this.end = end;
    this.detail = detail;
  }

  /** It reached a limit, or wrote more than it may. */
  stop({ stopped, flood }: RunReply): void {
    if (flood !== undefined) this.close('output_limit', 'more output than the limit');
    const [kind, limitMs] = stopped?.limit ?? ['none', 0];
    if (stopped === undefined || kind === 'none' || this.end !== null) return;
    this.crowded = stopped.crowded;
    const isBuilding = this.#suite.isBuilt && !this.#loaded;
    const end = kind === 'cpu' ? 'cpu_timeout' : 'wall_timeout';
    this.close(
      isBuilding ? 'build_timeout' : end,
      `more than ${numberText(limitMs)} ms${kind === 'cpu' ? ' of CPU time' : ''}`,
    );
  }

  /** Its process has ended: how, where the program did not say. */
  over({ status, memory, oom }: RunReply): void {
    if (this.end !== null && this.end !== 'killed') return;
    if (oom === true) {
      this.end = 'memory';
      this.detail = 'the memory of its slot';
    } else if (this.end !== null) return;
    else if (signalOf(status) === 0) this.close('early_exit', 'the process ended before the program had answered');
    else if (signalOf(status) === cpuSignal) this.close('cpu_timeout', 'the limit of the process on CPU time');
    else if (signalOf(status) === abortSignal && memory >= mostMemory * this.#suite.header.memory)
      this.close('memory', 'the interpreter ended itself');
    else this.close('killed', `ended by signal ${signalOf(status)}`);
  }

  /** @param share of the process, when others ran in it too */
  reply({ wallMs, cpuMs, memory }: RunReply, share: number): ProgramReply {
    const { end, exception, failedAtLoad, detail, crowded, values } = this;
    return {
      ...{ end: end ?? 'killed', exception, failedAtLoad, detail, crowded, values, caseNs: this.ns },
      ...{ wallMs: wallMs * share, cpuMs: cpuMs * share, memory },
    };
  }
}

/** As Python's `%g`. */
const numberText = (value: number): string => String(Number(value.toPrecision(6)));

/** One reply per program, or per suite of the one program. */
export function readEnds(asked: AskedRun, reply: RunReply, bytes: Buffer): ProgramReply[] {
  const counted = reply.flood ?? reply.stopped?.at ?? bytes.length;
  const { records, isForged } = cutRecords(bytes, counted);
  if (asked.isBatch) return endsOfBatch(asked, reply, records, isForged);
  if (asked.second !== undefined) return endsOfTwo(asked.suite, asked.second, reply, records, isForged);
  const one = new OneEnd(asked.suite);
  for (const record of records) one.hear(record);
  if (isForged) one.close('killed', forged);
  one.stop(reply);
  one.over(reply);
  return [one.reply(reply, 1)];
}

/**
 * The first suite ends as it would alone; the second counts when every case of it was answered or one raised, and has
 * to run again otherwise.
 */
function endsOfTwo(
  suite: SuiteInUse,
  second: SuiteInUse,
  reply: RunReply,
  records: readonly ChildRecord[],
  isForged: boolean,
): ProgramReply[] {
  const [first, then] = [new OneEnd(suite), new OneEnd(second)];
  let now = first;
  let isHalted = isForged || reply.flood !== undefined || reply.stopped?.limit?.[0] === 'halted';
  for (const record of records) {
    if (record.tag === next && now === first && first.isCompleted) now = then;
    else if (record.tag === mustRunAlone && now === then) isHalted = true;
    else now.hear(record);
  }
  if (isForged) now.close('killed', forged);
  if (reply.stopped?.limit?.[0] !== 'halted') now.stop(reply);
  first.over(reply);
  if (now === first) return [first.reply(reply, 1), noVerdict('alone')];
  then.over(reply);
  const share = first.spentNs / (first.spentNs + then.spentNs);
  const counts = !isHalted && then.isCompleted;
  return [first.reply(reply, share), counts ? then.reply(reply, 1 - share) : noVerdict('alone')];
}

/** Only programs that answered every case count, the others have to run again. */
function endsOfBatch(
  { suite, programs }: AskedRun,
  reply: RunReply,
  records: readonly ChildRecord[],
  isForged: boolean,
): ProgramReply[] {
  const ends: OneEnd[] = [];
  for (const record of records) {
    if (record.tag === next && ends.length < programs) ends.push(new OneEnd(suite));
    else if (ends.length === 0) break;
    else if (record.tag === mustRunAlone) ends.at(-1)?.close('alone');
    else ends.at(-1)?.hear(record);
  }
  if (isForged || reply.flood !== undefined) ends.at(-1)?.close('alone');
  const share = 1 / Math.max(1, ends.length);
  return Array.from({ length: programs }, (_, index) => {
    const end = ends[index];
    if (end === undefined) return noVerdict('again');
    return end.isCompleted && end.exception === null ? end.reply(reply, share) : noVerdict('alone');
  });
}

function noVerdict(end: NoVerdict): ProgramReply {
  return {
    ...{ end, exception: null, failedAtLoad: false, detail: null, crowded: false, values: [], caseNs: [] },
    ...{ wallMs: 0, cpuMs: 0, memory: 0 },
  };
}
