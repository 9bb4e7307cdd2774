/** Where a log goes, and how much is written. */
import { expect, test } from 'vitest';
import { logSettings } from '../../workers/log/log-settings.ts';

test.each([
  [{}, null],
  [{ EVENKEEL_LOG: '', EVENKEEL_LOG_FILE: '' }, null],
  [{ EVENKEEL_LOG: 'debug' }, { file: '/runs/evenkeel.log', level: 'debug' }],
  [{ EVENKEEL_LOG_FILE: '/a.log' }, { file: '/a.log', level: 'info' }],
  [
    { EVENKEEL_LOG: 'warn', EVENKEEL_LOG_FILE: '/a.log' },
    { file: '/a.log', level: 'warn' },
  ],
])('%j', (env, settings) => {
  expect(logSettings(env, '/runs')).toEqual(settings);
});

test('an unknown level is refused', () => {
  expect(() => logSettings({ EVENKEEL_LOG: 'loud' }, '/runs')).toThrow(
    'EVENKEEL_LOG  must be one of fatal, error, warn, info, debug, trace; got "loud"',
  );
});
