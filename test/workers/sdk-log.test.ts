import { describe, expect, it } from 'vitest';
import { draining, stopped } from '../../activities/failures.ts';
import { notesOnce } from '../../workers/notes.ts';
import { sdkLogger } from '../../workers/sdk-log.ts';

const failed = (error: Error) => ({ error, activityType: 'generate', attempt: 2 });

describe('log lines of failed steps', () => {
  it('show the reason for a stop once for all steps, and not that the worker is leaving', () => {
    const lines: string[] = [];
    const log = sdkLogger((line) => lines.push(line));
    for (let step = 0; step < 20; step += 1)
      log.warn('Activity failed', failed(stopped('paused', 'nobody carries out run "a" any more')));
    log.warn('Activity failed', failed(stopped('paused', 'nobody carries out run "b" any more')));
    log.warn('Activity failed', failed(draining()));
    log.warn('Workflow failed', { error: new Error('Activity task failed') });
    log.warn('Workflow failed', { error: new Error('Child Workflow execution failed') });
    expect(lines).toEqual(['note: nobody carries out run "a" any more', 'note: nobody carries out run "b" any more']);
  });

  it('show each unexpected failure', () => {
    const lines: string[] = [];
    const log = sdkLogger((line) => lines.push(line));
    for (let step = 0; step < 2; step += 1) log.warn('Activity failed', failed(new Error('no such page')));
    expect(lines).toEqual(Array(2).fill('warn: Activity failed (generate, attempt 2): no such page'));
  });

  it('show a note of several processes once, and every other line', () => {
    const lines: string[] = [];
    const hear = notesOnce((line) => lines.push(line));
    for (const line of ['note: x', 'warn: y', 'note: x', 'warn: y']) hear(line);
    expect(lines).toEqual(['note: x', 'warn: y', 'warn: y']);
  });
});
