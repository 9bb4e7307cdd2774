/**
 * A batch of requests: what it goes through, and what is in its files at the end. Its lines are answered in the order
 * of the input file, evenly over its time, when somebody looks.
 */
import { errorBody } from '../http/chat-completion.ts';
import type { BatchTraits } from './traits.ts';

/** OpenAI's limits for one batch. */
export const mostRequests = 50_000;
export const mostBytes = 200 * 1024 * 1024;

const dayS = 86_400;
/** A cancelled batch takes this share of its time to stop. */
const stoppingShare = 0.1;

export interface BatchLine {
  readonly customId: string;
  readonly body: unknown;
}

/** What becomes of one line: a response with its status. */
export interface LineResult {
  readonly status: number;
  readonly body: object;
}

export type AnswerLine = (line: BatchLine) => Promise<LineResult>;

interface BatchFault {
  readonly code: string;
  readonly message: string;
  readonly line: number | null;
}

export interface BatchOrder {
  readonly id: string;
  readonly endpoint: string;
  readonly inputFileId: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly createdMs: number;
  readonly lines: readonly BatchLine[];
  /** Why the file is refused; null if it is not. */
  readonly fault: BatchFault | null;
  /** Whether it expires, after half of its lines or before the first; null if it does not. */
  readonly expires: 'half way' | 'unasked' | null;
  readonly traits: BatchTraits;
  readonly answer: AnswerLine;
  /** Stores an output file; returns its id. */
  readonly store: (name: string, text: string) => string;
}

type EndStatus = 'completed' | 'expired' | 'cancelled' | 'failed';

interface End {
  readonly status: EndStatus;
  readonly atMs: number;
  readonly answered: number;
  readonly failed: number;
  readonly outputFileId: string | null;
  readonly errorFileId: string | null;
}

export interface SimulatedBatch {
  readonly id: string;
  cancel(nowMs: number): void;
  /** As the API shows it. */
  look(nowMs: number): Promise<object>;
}

export function createBatch(order: BatchOrder): SimulatedBatch {
  const { createdMs, lines, traits, fault } = order;
  let cancelledMs: number | null = null;
  let ended: Promise<End> | null = null;
  const settled = { end: null as End | null };

  const cancelEndMs = (): number =>
    cancelledMs === null ? Infinity : Math.min(cancelledMs + stoppingShare * traits.ms, createdMs + traits.ms);
  const linesBy = (ms: number): number =>
    traits.ms === 0 ? lines.length : Math.min(lines.length, Math.floor((lines.length * (ms - createdMs)) / traits.ms));

  function endAt(nowMs: number): { readonly status: EndStatus; readonly lines: number } | null {
    if (fault !== null) return { status: 'failed', lines: 0 };
    if (cancelledMs !== null)
      return nowMs >= cancelEndMs() ? { status: 'cancelled', lines: linesBy(cancelledMs) } : null;
    if (nowMs < createdMs + traits.ms) return null;
    if (order.expires === null) return { status: 'completed', lines: lines.length };
    return { status: 'expired', lines: order.expires === 'unasked' ? 0 : Math.ceil(lines.length / 2) };
  }

  async function look(nowMs: number): Promise<object> {
    const due = ended === null ? endAt(nowMs) : null;
    if (due !== null) ended = finish(order, due.status, due.lines, nowMs).then((end) => (settled.end = end));
    await ended;
    return batchBody(order, { end: settled.end, cancelledMs, done: linesBy(nowMs), nowMs });
  }

  return {
    id: order.id,
    look,
    cancel: (nowMs) => {
      if (ended === null && endAt(nowMs) === null) cancelledMs ??= nowMs;
    },
  };
}

async function finish(order: BatchOrder, status: EndStatus, count: number, atMs: number): Promise<End> {
  const results = await Promise.all(
    order.lines.slice(0, count).map(async (line) => ({ line, result: await order.answer(line) })),
  );
  const answered = results.filter(({ result }) => result.status === 200);
  const failed = results.filter(({ result }) => result.status !== 200);
  const isListed = status === 'expired' || (status === 'cancelled' && order.traits.cancelledLines);
  const undone = (isListed ? order.lines.slice(count) : []).map((line) => undoneLine(line, status));
  const errors = [...failed.map(({ line, result }) => resultLine(line, result)), ...undone];
  const stored = (name: string, texts: readonly string[]): string | null =>
    texts.length === 0 ? null : order.store(`${order.id}_${name}.jsonl`, `${texts.join('\n')}\n`);
  return {
    ...{ status, atMs, answered: answered.length, failed: errors.length },
    outputFileId: stored(
      'output',
      answered.map(({ line, result }) => resultLine(line, result)),
    ),
    errorFileId: stored('error', errors),
  };
}

const resultLine = ({ customId }: BatchLine, { status, body }: LineResult): string =>
  JSON.stringify({
    id: `batch_req_${customId.slice(0, 16)}`,
    custom_id: customId,
    response: { status_code: status, request_id: `req_${customId.slice(0, 16)}`, body },
    error: null,
  });

const undoneLine = ({ customId }: BatchLine, status: EndStatus): string =>
  JSON.stringify({
    id: `batch_req_${customId.slice(0, 16)}`,
    custom_id: customId,
    response: null,
    error: { code: `batch_${status}`, message: `This request was not executed before the batch was ${status}.` },
  });

export const lineError: LineResult = {
  status: 500,
  body: errorBody('The server had an error while processing your request.', { type: 'server_error' }),
};

interface Seen {
  readonly end: End | null;
  readonly cancelledMs: number | null;
  readonly done: number;
  readonly nowMs: number;
}

function batchBody(order: BatchOrder, { end, cancelledMs, done, nowMs }: Seen): object {
  const { id, endpoint, inputFileId, metadata, createdMs, lines, fault } = order;
  const isNew = end === null && nowMs < createdMs + order.traits.ms / 10;
  const endedS = (status: EndStatus): number | null => (end?.status === status ? seconds(end.atMs) : null);
  const open = cancelledMs === null ? (isNew ? 'validating' : 'in_progress') : 'cancelling';
  return {
    ...{ id, object: 'batch', endpoint, input_file_id: inputFileId, completion_window: '24h', metadata },
    status: end?.status ?? open,
    errors: fault === null ? null : { object: 'list', data: [{ ...fault, param: null }] },
    output_file_id: end?.outputFileId ?? null,
    error_file_id: end?.errorFileId ?? null,
    ...{ created_at: seconds(createdMs), expires_at: seconds(createdMs) + dayS, in_progress_at: seconds(createdMs) },
    finalizing_at: end === null ? null : seconds(end.atMs),
    ...{ completed_at: endedS('completed'), failed_at: endedS('failed'), expired_at: endedS('expired') },
    cancelling_at: cancelledMs === null ? null : seconds(cancelledMs),
    cancelled_at: endedS('cancelled'),
    request_counts: {
      total: fault === null ? lines.length : 0,
      completed: end?.answered ?? done,
      failed: end?.failed ?? 0,
    },
  };
}

const seconds = (ms: number): number => Math.floor(ms / 1000);
