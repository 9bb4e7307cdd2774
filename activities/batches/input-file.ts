/**
 * The input file of a batch. It is written from the ledger and the plan, a page's worth of lines at a time, so a batch
 * of any size needs little memory, and whoever continues after a kill can write it again.
 */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SentParameters } from '../../schemas/chat.ts';
import { questionAt, requestOf } from '../calls/call.ts';
import type { PageCell } from '../pages/cell-states.ts';
import { stepCellsOf } from '../pages/page-cells.ts';
import { mostFileBytes } from '../providers/batches/batch-endpoint.ts';
import type { BatchLine, BatchRecord } from '../storage/ledger/batch-book.ts';
import type { TendedModel } from './tended-run.ts';

export const inputFileName = ({ uuid }: BatchRecord): string => `evenkeel-batch-${uuid}.jsonl`;
const linesTogether = 500;

/**
 * Runs `use` with the path of the batch's input file, then removes it. Lines beyond the most bytes of a file wait for
 * another batch.
 */
export async function withInputFile<T>(
  tended: TendedModel,
  batch: BatchRecord,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(tmpdir(), inputFileName(batch));
  try {
    await pipeline(Readable.from(linesOf(tended, batch)), createWriteStream(path, { mode: 0o600 }), {
      signal: tended.signal,
    });
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}

async function* linesOf(tended: TendedModel, batch: BatchRecord): AsyncGenerator<string> {
  const { ledger } = tended.run;
  let bytes = 0;
  for (let after = 0; ; ) {
    const lines = await ledger.batchLines(batch.id, after, linesTogether);
    const cellsOf = stepCellsOf(tended.run);
    for (const line of lines) {
      const cells = await cellsOf(line.key.page);
      const text = `${requestLine(tended, line, cells.cell(line.key.cell))}\n`;
      bytes += Buffer.byteLength(text);
      if (bytes > mostFileBytes) {
        await ledger.unbatchLines(tended.fence, batch.id, line.intent);
        return;
      }
      yield text;
    }
    const last = lines.at(-1);
    if (last === undefined) return;
    after = last.intent;
  }
}

/** With the parameters that the ledger says were sent. */
function requestLine(
  { run, endpoint }: TendedModel,
  { key, callKeys, parametersSent }: BatchLine,
  cell: PageCell,
): string {
  const page = run.page(key.page);
  const request = requestOf(questionAt(page, cell, key));
  return endpoint.requestLine(callKeys[0] ?? '', {
    ...request,
    parameters: JSON.parse(parametersSent) as SentParameters,
    ...(callKeys.length > 1 && { n: callKeys.length }),
  });
}
