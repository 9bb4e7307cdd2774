/** What kind of file another tool wrote, by its content: people rename files. */
import { open } from 'node:fs/promises';
import { InputError } from '../../../domain/errors.ts';
import { unreadable } from '../../../domain/unreadable.ts';
import { refuseDevice } from '../../storage/files/regular-file.ts';

/** Whether it is one document with the results of an evaluation under `eval`, rather than samples. */
export async function holdsResults(file: string): Promise<boolean> {
  const head = (await headOf(file)).toString('utf8').trimStart();
  if (head.startsWith('[')) return false;
  const telling = outerKeys(head).find((key) => key === 'eval' || sampleKeys.has(key));
  return telling === undefined ? file.endsWith('.json') : telling === 'eval';
}

/** Whether it is a zip archive, rather than one JSON document. */
export async function isArchive(file: string): Promise<boolean> {
  const head = (await headOf(file)).toString('latin1');
  if (head.startsWith('PK')) return true;
  return head.trimStart().startsWith('{') ? false : !file.endsWith('.json');
}

const sampleKeys: ReadonlySet<string> = new Set(['task_id', 'completion', 'solution']);
const headBytes = 64 * 1024;

/** Throws `InputError` for a file that cannot be read. */
async function headOf(path: string): Promise<Buffer> {
  refuseDevice(path);
  const file = await open(path).catch((error: unknown) => {
    throw new InputError(unreadable(error), { file: path });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw new InputError(unreadable(error), { file: path });
  } finally {
    await file.close();
  }
}

/** The keys of the first object, as far as the text goes. A quote alone begins a text that is cut off. */
function outerKeys(json: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [token, text, colon] of json.matchAll(/"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|["{}[\]]/gs)) {
    if (token === '"') break;
    if ('{['.includes(token)) depth += 1;
    if ('}]'.includes(token)) depth -= 1;
    if (depth === 0) break;
    if (depth === 1 && text !== undefined && colon !== undefined) keys.push(text);
  }
  return keys;
}
