/** Handles lost output: a closed pipe (`| head -1`), a closed terminal, a full disk behind `>`. */
import { endProcess } from '../../activities/apart/end-process.ts';
import { tooLarge } from '../../domain/errors.ts';
import { exitStatus } from '../exit-status.ts';

const gone: ReadonlySet<string> = new Set(['EPIPE', 'EIO']);
const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** What kept the output of a command that went on from being written; null if nothing did, or its reader left. */
let lost: string | null = null;
export const lostOutput = (): string | null => lost;

/**
 * Ends the process when its output is lost: quietly if the reader has gone, else with the reason.
 * @param keepsRunning asked at each write that fails: whether the command goes on without the text
 */
export function onLostOutput(keepsRunning: () => boolean): void {
  process.stderr.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (gone.has(code) && !keepsRunning()) endProcess(exitStatus.done);
  });
  let isTold = false;
  process.stdout.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
    const fault = `standard output  ${faultOf(code, message)}`;
    if (keepsRunning()) {
      if (!gone.has(code)) lost ??= fault;
      return;
    }
    if (isTold) return;
    isTold = true;
    if (gone.has(code)) return endProcess(exitStatus.done);
    process.stderr.write(`${fault}\n`);
    endProcess(exitStatus.badInput);
  });
}

function faultOf(code: string, message: string): string {
  if (code === 'EFBIG') return `would be ${tooLarge}, or write it elsewhere; it is not complete`;
  return full.has(code) ? diskFull : `cannot be written: ${message}`;
}

const diskFull = 'the disk is full, so the output is not complete: free some space, or write it elsewhere';
