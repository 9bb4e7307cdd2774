/** The Temporal SDK's warnings as single lines that say what happened. */
import { DefaultLogger, type LogEntry, type Logger } from '@temporalio/worker';
import { notePrefix, notesOnce } from './notes.ts';

/** Said by every worker that serves one kind of task only; nothing is wrong. */
const expected = /^No \w+ registered/;

/** Steps that end on purpose are no warnings: what stops them is said once, for however many steps; a worker that goes away is its owner's news. */
export function sdkLogger(onLine: (line: string) => void): Logger {
  const say = notesOnce(onLine);
  return new DefaultLogger('WARN', (entry) => {
    const failure = failureOf(entry);
    if (expected.test(entry.message) || failure?.type === 'WorkerDraining' || isEcho(entry.message, failure)) return;
    say(failure?.type === 'Stopped' ? `${notePrefix}${failure.message}` : lineOf(entry));
  });
}

/** A workflow that fails since a step of it did: the step's own failure has been said. */
const isEcho = (message: string, failure: { readonly message: string } | null): boolean =>
  message === 'Workflow failed' && /^(Activity task|Child Workflow execution) failed$/.test(failure?.message ?? '');

/** An activity's failure, as activities/failures.ts makes them. */
function failureOf({ meta }: LogEntry): { readonly type?: unknown; readonly message: string } | null {
  const error: unknown = meta?.['error'];
  return error instanceof Error ? error : null;
}

function lineOf({ level, message, meta }: LogEntry): string {
  const activity = typeof meta?.['activityType'] === 'string' ? ` (${meta['activityType']}, attempt ${String(meta['attempt'])})` : '';
  const error: unknown = meta?.['error'];
  return `${level.toLowerCase()}: ${message}${activity}${error instanceof Error ? `: ${error.message}` : ''}`;
}
