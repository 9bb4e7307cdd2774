/** Server-sent events that are passed on as they come, and recorded. */

/** The event that ends a stream. In a reply's own text it would not begin a line. */
const endMark = /(?:^|\n)data: ?\[DONE\]/;
const markBytes = 20;

/**
 * Passes events on as they come, and the end mark only when the reply is recorded. If the caller leaves, the rest is
 * still read and recorded: it is paid for.
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
    let end = '';
    for await (const chunk of body) {
      chunks.push(chunk);
      end = end.slice(-markBytes) + chunk.toString('latin1');
      if (endMark.test(end)) await recordOnce();
      if (!isLeft) controller.enqueue(chunk);
    }
    await recordOnce();
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
