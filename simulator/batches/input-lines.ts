/** Reads a batch's input file, and says why an endpoint refuses it. */
import { z } from 'zod';
import { type BatchLine, mostBytes, mostRequests } from './batch.ts';

const lineSchema = z.object({
  custom_id: z.string().min(1),
  method: z.literal('POST'),
  url: z.string(),
  body: z.looseObject({ model: z.string() }),
});

export interface InputRead {
  readonly lines: readonly BatchLine[];
  readonly model: string;
  readonly fault: { readonly code: string; readonly message: string; readonly line: number | null } | null;
}

/** @param endpoint the path that the batch is created for */
export function inputLines(text: string, endpoint: string): InputRead {
  const rows = text.split('\n').filter(Boolean);
  const refused = (code: string, message: string, line: number | null = null): InputRead => ({
    ...{ lines: [], model: '' },
    fault: { code, message, line },
  });
  if (rows.length === 0) return refused('empty_file', 'The input file is empty.');
  if (rows.length > mostRequests || Buffer.byteLength(text) > mostBytes)
    return refused('file_too_large', `A file has at most ${mostRequests} requests and ${mostBytes} bytes.`);
  const seen = new Set<string>();
  const lines: BatchLine[] = [];
  let model: string | null = null;
  for (const [index, row] of rows.entries()) {
    const read = lineSchema.safeParse(parsed(row));
    const line = index + 1;
    if (!read.success) return refused('invalid_json_line', 'This line is not a request.', line);
    const { custom_id: customId, url, body } = read.data;
    if (url !== endpoint) return refused('invalid_url', `The URL must be ${endpoint}.`, line);
    if (seen.has(customId)) return refused('duplicate_custom_id', `The custom_id ${customId} is used twice.`, line);
    if (model !== null && model !== body.model)
      return refused('mismatched_model', 'All requests of a file must name the same model.', line);
    model = body.model;
    seen.add(customId);
    lines.push({ customId, body });
  }
  return { lines, model: model ?? '', fault: null };
}

function parsed(row: string): unknown {
  try {
    return JSON.parse(row);
  } catch {
    return null;
  }
}
