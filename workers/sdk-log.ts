/** The Temporal SDK's warnings as single lines that say what happened. */
import { DefaultLogger, type LogEntry, type Logger } from '@temporalio/worker';
import { notePrefix, notesOnce } from './notes.ts';

/** Logged by every worker that serves only one kind of task; not a problem. */
const expected = /^No \w+ registered/;

/**
 * Steps that stop on purpose are not warnings: the reason is shown once for all of them. The owner reports a worker
 * that goes away, so its `WorkerDraining` failures are dropped.
 */
export function sdkLogger(onLine: (line: string) => void): Logger {
  const say = notesOnce(onLine);
  return new DefaultLogger('WARN', (entry) => {
    const failure = failureOf(entry);
    if (expected.test(entry.message) || failure?.type === 'WorkerDraining' || isEcho(entry.message, failure)) return;
    say(failure?.type === 'Stopped' ? `${notePrefix}${failure.message}` : lineOf(entry));
  });
}

/** A workflow that failed because one of its steps did; the step's own failure is already logged. */
const isEcho = (message: string, failure: { readonly message: string } | null): boolean =>
  message === 'Workflow failed' && /^(Activity task|Child Workflow execution) failed$/.test(failure?.message ?? '');

/** An activity's failure, as created by activities/failures.ts. */
function failureOf({ meta }: LogEntry): { readonly type?: unknown; readonly message: string } | null {
  const error: unknown = meta?.['error'];
  return error instanceof Error ? error : null;
}

function lineOf({ level, message, meta }: LogEntry): string {
  const activity =
    typeof meta?.['activityType'] === 'string' ? ` (${meta['activityType']}, attempt ${String(meta['attempt'])})` : '';
  const error: unknown = meta?.['error'];
  return `${level.toLowerCase()}: ${message}${activity}${error instanceof Error ? `: ${error.message}` : ''}`;
}
