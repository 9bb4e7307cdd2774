/** The Temporal SDK's warnings as single lines that say what happened. */
import { DefaultLogger, type LogEntry, type Logger } from '@temporalio/worker';

/** Said by every worker that serves one kind of task only; nothing is wrong. */
const expected = /^No \w+ registered/;

export const sdkLogger = (onLine: (line: string) => void): Logger =>
  new DefaultLogger('WARN', (entry) => {
    if (!expected.test(entry.message)) onLine(lineOf(entry));
  });

function lineOf({ level, message, meta }: LogEntry): string {
  const activity = typeof meta?.['activityType'] === 'string' ? ` (${meta['activityType']}, attempt ${String(meta['attempt'])})` : '';
  const error: unknown = meta?.['error'];
  return `${level.toLowerCase()}: ${message}${activity}${error instanceof Error ? `: ${error.message}` : ''}`;
}
