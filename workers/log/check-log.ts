/** Checks that a log can be written before anything is created: it is opened only once a run begins. */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from '../temporal/cache-folder.ts';

/** Throws the system's error if the file that `EVENKEEL_LOG_FILE` names cannot be appended to, or made. */
export function checkLog({ EVENKEEL_LOG_FILE: named }: Environment): void {
  if (named === undefined || named === '') return;
  const file = resolve(named);
  const there = statSync(file, { throwIfNoEntry: false });
  if (there === undefined) {
    const aside = `${file}.${randomUUID().slice(0, 8)}.check`;
    closeSync(openSync(aside, 'wx'));
    rmSync(aside);
  } else if (there.isFile() || there.isDirectory()) closeSync(openSync(file, 'a'));
}
