/** Server-sent events that are passed on as they come, and recorded. */

/**
 * The begin of what ends a stream: the end mark of chat completions, or the last event of the Responses API, which has
 * the whole answer. In a reply's own text neither would begin a line.
 */
const endStart =
  /(?:^|\n)(?:data: ?\[DONE\]|(?:event: ?|data: ?\{"type": ?")response\.(?:completed|incomplete|failed))/;
/** The last event of the Responses API ends with an empty line. */
const endWhole = /^\n?(?:data: ?\[DONE\]|.*?\r?\n\r?\n)/s;
const startBytes = 60;

/**
 * Passes events on as they come, and what ends the stream only when the reply is recorded. If the caller leaves, the
 * rest is still read and recorded: it is paid for.
 */
export function streamed(
  body: AsyncIterable<Buffer>,
  record: (received: string) => Promise<void>,
): ReadableStream<Uint8Array> {
  const chunks: Buffer[] = [];
  let isRecorded = false;
  let isLeft = false;
  async function recordOnce(): Promise<void> {
    if (isRecorded) return;
    isRecorded = true;
    await record(Buffer.concat(chunks).toString('utf8'));
  }
  async function pump(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const watchEnd = createEndWatch();
    let held: Buffer[] = [];
    const passOn = (): void => {
      if (!isLeft) for (const chunk of held) controller.enqueue(chunk);
      held = [];
    };
    for await (const chunk of body) {
      chunks.push(chunk);
      held.push(chunk);
      const end = watchEnd(chunk);
      if (end === 'whole') await recordOnce();
      if (end !== 'begun') passOn();
    }
    await recordOnce();
    passOn();
    if (!isLeft) controller.close();
  }
  return new ReadableStream({
    start(controller) {
      void pump(controller).catch((error: unknown) => {
        if (!isLeft) controller.error(error);
      });
    },
    cancel() {
      isLeft = true;
    },
  });
}

/** Returns a function that says, after each chunk, whether the end of the stream has begun, and is whole. */
function createEndWatch(): (chunk: Buffer) => 'not yet' | 'begun' | 'whole' {
  let text = '';
  let isBegun = false;
  return (chunk) => {
    text += chunk.toString('latin1');
    const begin = isBegun ? null : endStart.exec(text);
    isBegun ||= begin !== null;
    if (begin !== null) text = text.slice(begin.index);
    if (!isBegun) text = text.slice(-startBytes);
    if (!isBegun) return 'not yet';
    return endWhole.test(text) ? 'whole' : 'begun';
  };
}
