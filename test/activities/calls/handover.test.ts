/** Processes that share a runs directory, and steps that last until they are told to leave. */
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createHandover, type Handover } from '../../../activities/calls/handover.ts';
import { openIdleWorkers } from '../../../activities/storage/idle-workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-idle-'));
const processes: Handover[] = [];
afterEach(() => {
  for (const { end } of processes.splice(0)) end();
  rmSync(join(folder, '.idle'), { recursive: true, force: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function started(): Handover {
  const process = createHandover(openIdleWorkers(folder));
  processes.push(process);
  process.begin();
  return process;
}

/** A step with so many calls in flight, which ends when it may not go on, with the reason. */
function step(
  process: Handover,
  name: string,
  inFlight = 0,
  asks = true,
): { end: Promise<string>; left: () => string } {
  let left = '';
  const end = process
    .hold(name, async (held) => {
      [held.inFlight, held.asks] = [inFlight, asks];
      if (!held.leave.aborted) await new Promise((resolve) => held.leave.addEventListener('abort', resolve));
      throw held.leave.reason;
    })
    .catch((error: { type: string }) => {
      left = error.type;
      return left;
    });
  return { end, left: () => left };
}

const leftOf = (steps: readonly { left: () => string }[]): string[] => steps.map(({ left }) => left());

test('a process without steps gets half of another’s four, those with the fewest calls in flight, once', async () => {
  const busy = started();
  const steps = [3, 1, 2, 0].map((inFlight, index) => step(busy, `${index}`, inFlight));
  await pause(700);
  expect(leftOf(steps)).toEqual(['', '', '', '']);
  started();
  await Promise.all([steps[1]?.end, steps[3]?.end]);
  expect(busy.isHandingOver()).toBe(true);
  await pause(1_200);
  expect(leftOf(steps)).toEqual(['', 'HandedOver', '', 'HandedOver']);
});

test('a step that returns during its handover is refused; later, and any other step, is accepted', async () => {
  const busy = started();
  step(busy, 'kept', 1);
  const given = step(busy, 'given');
  const idle = started();
  await given.end;
  const back = step(busy, 'given');
  expect(await back.end).toBe('HandedOver');
  const other = step(busy, 'other');
  step(idle, 'another');
  await pause(3_200);
  expect(other.left()).toBe('');
  const late = step(busy, 'given');
  await pause(10);
  expect(late.left()).toBe('');
});

test('no handover of a single step, of steps done asking, or to a busy or missing process', async () => {
  const alone = started();
  const one = step(alone, 'one');
  const idle = started();
  await pause(700);
  expect(one.left()).toBe('');
  const programs = [step(alone, 'a', 0, false), step(idle, 'b')];
  await pause(700);
  expect(leftOf([one, ...programs])).toEqual(['', '', '']);
  const third = started();
  third.end();
  step(alone, 'c');
  await pause(700);
  expect(one.left()).toBe('');
});

test('a process that refused a step for its keys is offered none', async () => {
  const busy = started();
  const steps = [step(busy, 'a'), step(busy, 'b')];
  const idle = started();
  idle.refused();
  await pause(1_200);
  expect(leftOf(steps)).toEqual(['', '']);
});

test('a process that was killed counts for two seconds, and its file is removed after a minute', () => {
  const [here, killed] = [openIdleWorkers(folder), openIdleWorkers(folder)];
  killed.say();
  const [name = ''] = readdirSync(join(folder, '.idle'));
  const touched = (secondsAgo: number): void =>
    utimesSync(join(folder, '.idle', name), 0, Date.now() / 1000 - secondsAgo);
  expect(here.others()).toBe(1);
  touched(3);
  expect(here.others()).toBe(0);
  touched(61);
  expect([here.others(), readdirSync(join(folder, '.idle'))]).toEqual([0, []]);
});
