/** Keys of calls that version 0.1 made: equal requests must keep them, or answers are paid for again. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callKey } from '../../../activities/calls/call-key.ts';
import { openRun } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { chatRequest } from '../../../domain/chat-request.ts';
import { canonicalJson, sha256 } from '../../../domain/ids.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const fixture = join(import.meta.dirname, '../../integration/fixtures/version-0.1/whole.tar.gz');

const sql = `select distinct c.call_key, c.loop, c.ask, c.sample, c.repetition, c.parameters_sent, m.endpoint,
    m.requested_model, p.messages
  from calls c join models m on m.model = c.answering_model
  join samples s on s.call_key = c.call_key join prompts p on p.prompt_sha256 = s.prompt_sha256
  where c.study = 'loops' and c.step in ('generate', 'summarize')`;

test('a request without new parameters has the call key that version 0.1 gave it', async () => {
  const folder = temporaryFolder();
  execFileSync('tar', ['-xzf', fixture, '-C', folder]);
  const database = await openRun(join(folder, 'before'));
  const rows = await records(database, sql);
  database.close();
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const parameters = JSON.parse(textOf(row, 'parameters_sent'));
    const request = chatRequest(textOf(row, 'requested_model'), JSON.parse(textOf(row, 'messages')), parameters, {});
    const [loop, ask, sample] = [numberOf(row, 'loop'), numberOf(row, 'ask'), numberOf(row, 'sample')];
    const at = { step: 'generate', loop, ask, sample } as const;
    const requestSha256 = sha256(canonicalJson(request));
    expect(callKey(textOf(row, 'endpoint'), requestSha256, at, numberOf(row, 'repetition'))).toBe(row['call_key']);
  }
});
