/** Whether a process writes a structured log, where to, and how much. */
import { join, resolve } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import type { Environment } from '../temporal/cache-folder.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type LogLevel = (typeof logLevels)[number];

export interface LogSettings {
  readonly file: string;
  /** This level and the more urgent ones are written. */
  readonly level: LogLevel;
}

/**
 * `EVENKEEL_LOG_FILE`, else `evenkeel.log` in the runs directory, at the level of `EVENKEEL_LOG`, else `info`; null if
 * neither is set.
 */
export function logSettings(env: Environment, runsDir: string): LogSettings | null {
  const [file, level] = ['EVENKEEL_LOG_FILE', 'EVENKEEL_LOG'].map((name) => env[name] || undefined);
  if (file === undefined && level === undefined) return null;
  const known = logLevels.find((one) => one === (level ?? 'info'));
  if (known === undefined)
    throw new InputError(`must be one of ${logLevels.join(', ')}; got "${level}"`, { field: 'EVENKEEL_LOG' });
  return { file: resolve(file ?? join(runsDir, 'evenkeel.log')), level: known };
}
