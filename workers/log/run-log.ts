/** A structured log of what a process does: one JSON object a line, of all processes in one file. */
import { type Logger, destination, pino, stdTimeFunctions } from 'pino';
import type { Observe, RunEvent } from '../../activities/observed/events.ts';
import type { LogSettings } from './log-settings.ts';

export interface RunLog {
  readonly observe: Observe;
  /** Logs a line that is meant for a person. */
  readonly line: (text: string) => void;
  close(): void;
}

/** Fields of every line. */
export interface LogSource {
  /** As the label `process` of metrics. */
  readonly process: string;
  readonly run?: string;
}

/** Throws the system's error if the file cannot be written. */
export function openRunLog({ file, level }: LogSettings, source: LogSource): RunLog {
  // Appended in one write a line, so that lines of several processes do not mix, and none is lost by a kill.
  const to = destination({ dest: file, append: true, sync: true });
  const log = pino(
    {
      level,
      base: { ...source, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    to,
  );
  return {
    observe: (event) => write(log, event),
    line: (text) => log.info(text),
    close: () => to.end(),
  };
}

interface Entry {
  readonly level: 'trace' | 'debug' | 'info' | 'warn';
  readonly text: string;
}

function write(log: Logger, event: RunEvent): void {
  const entry = entryOf(event);
  if (entry === null) return;
  const { kind: _, ...fields } = event;
  const rounded = 'ms' in fields ? { ...fields, ms: Math.round(fields.ms) } : fields;
  log[entry.level](rounded, entry.text);
}

/** Null for what is not logged. */
function entryOf(event: RunEvent): Entry | null {
  switch (event.kind) {
    case 'sent':
      return { level: 'debug', text: event.isRetry ? 'call sent again' : 'call sent' };
    case 'call':
      return event.result === 'failed'
        ? { level: 'warn', text: 'call failed' }
        : { level: 'debug', text: 'call ended' };
    case 'program':
      return { level: 'debug', text: 'program judged' };
    case 'parts':
      return { level: 'info', text: event.page === null ? 'tables of the run written' : 'page sealed' };
    case 'stop':
      return { level: 'warn', text: event.model === null ? 'run stopped' : 'model stopped' };
    case 'step':
      // It is repeated, or what follows from its failure is logged.
      return event.failure === null
        ? { level: 'debug', text: 'step done' }
        : { level: 'info', text: 'step ended with a failure' };
    case 'waited':
      return { level: 'trace', text: 'waited for the account' };
    case 'waiting':
    case 'sandbox':
      return null;
  }
}
