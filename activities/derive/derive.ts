/** Derives a run's tables: a small run's here, a large one's in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentParts } from '../../analysis/run-folder.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { EncodedTable } from '../storage/parts/encoded-tables.ts';
import type { DeriveMessage } from './deriving-process.ts';
import type { DeriveOrder } from './source-tables.ts';

/** The tables of fewer are derived in less than 100 MB, and not much later than a process starts. */
const manyAnswers = 50_000;

const program = fileURLToPath(new URL(`./deriving-process${extname(import.meta.url)}`, import.meta.url));

/** @param many answers from which on another process does it */
export async function derive(
  order: DeriveOrder,
  manifest: Manifest,
  many = manyAnswers,
): Promise<readonly EncodedTable[]> {
  const answers = currentParts(manifest, 'samples').reduce((sum, { rows }) => sum + rows, 0);
  return answers >= many ? deriveApart(order) : deriveHere(order);
}

async function deriveHere(order: DeriveOrder): Promise<readonly EncodedTable[]> {
  // Loaded only where needed: DuckDB takes 40 MB.
  const { derivedTables } = await import('./derived-tables.ts');
  const derived: EncodedTable[] = [];
  for await (const table of derivedTables(order)) derived.push(table);
  return derived;
}

async function deriveApart(order: DeriveOrder): Promise<readonly EncodedTable[]> {
  // With the options of this process, which bound its memory.
  const child = fork(program, [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    return await received(child, order);
  } finally {
    child.kill('SIGKILL');
  }
}

function received(child: ChildProcess, order: DeriveOrder): Promise<readonly EncodedTable[]> {
  const derived: EncodedTable[] = [];
  return new Promise((resolve, reject) => {
    child.on('message', (message: DeriveMessage) => {
      if (message.kind === 'table') derived.push(message.table);
      else if (message.kind === 'done') resolve(derived);
      else reject(Object.assign(new Error(message.message), { name: message.name }));
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      reject(new Error(`the process that derives the run's tables ended (${signal ?? `status ${code}`})`));
    });
    child.send(order);
  });
}
