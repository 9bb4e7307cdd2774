import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import { addProgram, goodAdd, passesAdd } from '../programs.ts';
import { engineNote, testEngine, wallsNote, withoutEngine, withoutWalls } from './engine.ts';
import { hostilePrograms, reading, shortPrograms } from './hostile-programs.ts';

const limits = { caseTimeoutMs: 300, memoryBytes: 128 * 1024 * 1024, outputBytes: 1_000_000 };
const secret = randomBytes(12).toString('hex');

const tiers = [
  {
    tier: 'containers',
    note: engineNote,
    skip: withoutEngine,
    open: (processes: number) => openOn(testEngine(), { processes }),
    slots: containers,
  },
  {
    tier: 'bubblewrap',
    note: wallsNote,
    skip: withoutWalls,
    open: (processes: number) => createBubblewrapSandbox({ processes }),
    slots: walled,
  },
];

describe.each(tiers.map((one) => ({ ...one, title: `${one.tier}${one.note}` })))(
  'hostile programs in $title',
  ({ skip, open, slots }) => {
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    let sandbox: Sandbox;

    beforeAll(async () => {
      if (skip) return;
      writeFileSync(join(folder, 'secret'), secret);
      process.env['EVENKEEL_TEST_SECRET'] = secret;
      sandbox = await open(1);
    }, 300_000);
    afterAll(async () => {
      await sandbox?.close();
      delete process.env['EVENKEEL_TEST_SECRET'];
      rmSync(folder, { recursive: true });
    });

    it.skipIf(skip).each(Object.entries(hostilePrograms))(
      'one that %s does not pass, loses no slot, leaves nothing and disturbs no other',
      async (_name, source) => {
        await sandbox.run(goodAdd, limits);
        const before = await slots();
        const run = await sandbox.run(addProgram(source), limits);
        expect(passesAdd(run), JSON.stringify(run)).toBe(false);
        expect(JSON.stringify(run)).not.toContain(secret);
        expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
        expect(await slots()).toEqual(before);
        const look =
          'import os\ndef add(a, b):\n    open("/tmp/mine", "w").close()\n' +
          '    return [os.listdir("/tmp"), os.stat("/tmp").st_atime == 7]';
        expect((await sandbox.run(addProgram(look), limits)).results[0]).toEqual({ value: '[["mine"],false]' });
      },
    );

    it.skipIf(skip)('no file of the host and nothing of its environment is there', async () => {
      const run = await sandbox.run(addProgram(reading(join(folder, 'secret'))), limits);
      expect(run.results).toEqual([{ exception: expect.stringMatching(/^FileNotFoundError/) }]);
      const environment = await sandbox.run(addProgram('import os\ndef add(a, b): return dict(os.environ)'), limits);
      const value = JSON.parse((environment.results[0] as { value: string }).value) as { d: [string, string][] };
      expect(Object.fromEntries(value.d)).toEqual({
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: '/tmp',
        LANG: 'C.UTF-8',
      });
    });

    it.skipIf(skip)(
      'all that end by themselves at once, shuffled among right programs: none passes, every right one does',
      async () => {
        const hostile = Object.values(shortPrograms).map(addProgram);
        const mixed = hostile.flatMap((program) => [program, goodAdd, goodAdd]).toSorted(() => Math.random() - 0.5);
        const shared = mixed.map(({ source }) => ({ ...goodAdd, source }));
        const two = await open(2);
        const runs = await Promise.all(shared.map((program) => two.run(program, limits)));
        await two.close();
        const wrong = shared.filter(
          (program, index) => passesAdd(runs[index] ?? never()) !== (program.source === goodAdd.source),
        );
        expect(wrong.map(({ source }) => source)).toEqual([]);
      },
      300_000,
    );
  },
);

function never(): never {
  throw new Error('every program has a run');
}

/** Each slot, with its processes: the zygote alone once a program is over. */
async function containers(): Promise<string[]> {
  const { docker } = testEngine();
  const all = await docker.listContainers({ filters: { label: ['evenkeel.slot=1'] } });
  const own = all.filter(({ Labels }) => Labels['evenkeel.owner']?.split(' ')[1] === String(process.pid));
  return await Promise.all(
    own.map(async ({ Id }) => {
      return `${Id}: ${await processesIn(docker.getContainer(Id))}`;
    }),
  );
}

/** An engine that looked at the wrong moment lists none. */
async function processesIn(container: { top(): Promise<{ Processes: unknown[] | null }> }): Promise<number> {
  for (;;) {
    const { Processes: processes } = await container.top();
    if (processes !== null) return processes.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Every process below this one: bubblewrap and the zygote. */
function walled(): Promise<string[]> {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [pid, parentOf(pid)]),
  );
  const isBelow = (pid: string): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === String(process.pid) || isBelow(parent));
  };
  return Promise.resolve([...parents.keys()].filter(isBelow).sort());
}

function parentOf(pid: string): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '';
  } catch {
    return '';
  }
}
