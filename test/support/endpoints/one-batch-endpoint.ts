/** An endpoint with one batch, which has ended at once; calls are answered as usual. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** Text of a file at a download (the first is 1), from the ids of the requests; null for a file that is gone. */
export type BatchFile = (ids: readonly string[], download: number) => string | null;

export interface OneBatch {
  readonly status?: 'completed' | 'expired' | 'cancelled';
  readonly counts?: { readonly total: number; readonly completed: number; readonly failed: number } | null;
  /** A batch without this file has no id of one. */
  readonly output?: BatchFile;
  readonly error?: BatchFile;
}

export interface BatchedRequest {
  readonly custom_id: string;
  readonly body: { readonly max_tokens: number; readonly messages: readonly { readonly content: string }[] };
}

export interface OneBatchEndpoint {
  /** How often the file that was asked for most often was. */
  downloads(): number;
  calls(): number;
  /** Lines of the batch's file, in order. */
  requests(): readonly BatchedRequest[];
  close(): Promise<unknown>;
}

export const completion = {
  choices: [{ finish_reason: 'stop', message: { content: 'pass' } }],
  usage: { prompt_tokens: 10, completion_tokens: 1 },
};

/** A line of a result file. */
export const batchLine = (id: string, status: number, body: object): string =>
  JSON.stringify({ custom_id: id, response: { status_code: status, body } });

export async function serveOneBatch(port: number, batch: OneBatch): Promise<OneBatchEndpoint> {
  const { status = 'completed', counts = null } = batch;
  let ids: string[] = [];
  let requests: BatchedRequest[] = [];
  let calls = 0;
  const downloads = { output: 0, error: 0 };
  const batchBody = () => ({
    ...{ id: 'batch_1', object: 'batch', status, created_at: Math.ceil(Date.now() / 1000), request_counts: counts },
    ...{ output_file_id: batch.output && 'file_output', error_file_id: batch.error && 'file_error' },
  });
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const path = request.url ?? '';
      const end = (answer: object): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      if (path.endsWith('/content')) {
        const name = path.includes('file_output') ? 'output' : 'error';
        downloads[name] += 1;
        const content = batch[name]?.(ids, downloads[name]) ?? null;
        return void response.writeHead(content === null ? 404 : 200).end(content ?? '{}');
      }
      if (path.includes('/batches')) return end(batchBody());
      if (!path.includes('/files')) {
        calls += 1;
        return end(completion);
      }
      ids = [...sent.matchAll(/"custom_id":"([0-9a-f]+)"/g)].map(([, id = '']) => id);
      requests = sent.split(/\r?\n/).flatMap((line) => (line.startsWith('{"custom_id"') ? [JSON.parse(line)] : []));
      end({ id: 'file_1', object: 'file', purpose: 'batch', filename: 'f', bytes: 1, created_at: 1 });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    downloads: () => Math.max(downloads.output, downloads.error),
    calls: () => calls,
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
