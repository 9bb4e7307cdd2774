/**
 * One quality slot: a running service (sandbox/container/quality.py) that measures one batch of programs after another.
 */
import { z } from 'zod';
import { linesOfCode } from '../../../domain/metrics/lines-of-code.ts';
import {
  type Measures,
  type MessageCategory,
  type QualityService,
  type UnmeasuredReason,
  unmeasuredReasons,
} from '../../../schemas/measures.ts';
import { openConnection } from '../slot-connection.ts';
import type { Frame } from './zygote-frames.ts';
import type { ZygoteLink } from './zygote-link.ts';

export interface QualitySlot {
  readonly service: QualityService;
  /** Null if the slot was lost before it answered. One batch at a time. */
  measure(texts: readonly string[]): Promise<Measures[] | null>;
  stop(): Promise<void>;
}

const count = z.int().nonnegative();
const replyHeader = z.union([
  z.object({ ready: z.object({ version: z.string(), pylint: z.string() }) }),
  z.object({ beat: z.literal(true) }),
  z.object({ measured: count, disagreements: count, sizes: z.array(count) }),
]);
const message = z.tuple([
  z.string().regex(/^[CRWEF]\d{4}$/),
  z.string(),
  z.int(),
  z.int(),
  z.int().nullable(),
  z.int().nullable(),
  z.string(),
  z.string(),
]);
const answer = z.object({
  handlers: count.nullable(),
  raises: count.nullable(),
  reason: z.enum(unmeasuredReasons).nullable(),
  messages: z.array(message).nullable(),
});

/** Waits until Pylint is loaded. Throws `SandboxFault` if the slot does not start. */
export async function openQualitySlot(link: ZygoteLink): Promise<QualitySlot> {
  let batches = 0;
  let settle: ((measured: Frame | null) => void) | null = null;
  const line = openConnection<QualityService>(link, {
    hear,
    isAnswerDue: () => settle !== null,
    lost: () => settle?.(null),
  });
  const service = await line.ready;
  return { service, measure, stop: line.stop };

  function hear(frame: Frame, onReady: (service: QualityService) => void): void {
    const header = replyHeader.parse(frame.header);
    if ('ready' in header) onReady({ pylint: header.ready.pylint, python: header.ready.version });
    else if ('measured' in header && header.measured === batches) settle?.(frame);
  }

  async function measure(texts: readonly string[]): Promise<Measures[] | null> {
    if (!line.isAlive()) return null;
    const answered = new Promise<Frame | null>((resolve) => {
      settle = resolve;
    });
    line.expectAnswer();
    line.send({ measure: ++batches }, texts);
    const frame = await answered;
    settle = null;
    return frame === null ? null : readMeasures(frame, texts, service);
  }
}

function readMeasures({ header, bodies }: Frame, texts: readonly string[], service: QualityService): Measures[] {
  const sizes = z.object({ sizes: z.array(count).length(texts.length) }).parse(header).sizes;
  let at = 0;
  return texts.map((text, index) => {
    const size = sizes[index] ?? 0;
    at += size;
    // Half a surrogate pair has no UTF-8, so another text was sent.
    if (!text.isWellFormed()) return unmeasured('syntax_error', text, service);
    return readAnswer(bodies.toString('utf8', at - size, at), text, service);
  });
}

function readAnswer(json: string, text: string, service: QualityService): Measures {
  const { messages, ...counts } = answer.parse(JSON.parse(json));
  const known = messages?.map(([id, symbol, line, column, endLine, endColumn, object, said]) => {
    return { id, symbol, category: categoryOf(id), line, column, endLine, endColumn, object, text: said };
  });
  return { ...counts, messages: known ?? null, loc: linesOfCode(text), service };
}

export function unmeasured(reason: UnmeasuredReason, text: string, service: QualityService): Measures {
  return { reason, messages: null, handlers: null, raises: null, loc: linesOfCode(text), service };
}

const categories = { C: 'convention', R: 'refactor', W: 'warning', E: 'error', F: 'fatal' } as const;

function categoryOf(id: string): MessageCategory {
  return categories[id.charAt(0) as keyof typeof categories];
}
