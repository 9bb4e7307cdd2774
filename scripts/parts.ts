/** What tests need besides this clone, and what happens if this machine lacks it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openOn } from '../activities/sandboxes/container/container.ts';
import { chooseServer } from '../workers/temporal/choose-server.ts';
import { findEngine } from '../activities/sandboxes/container/container-engine.ts';
import { buildImage } from '../activities/sandboxes/container/container-image.ts';
import { type PrivateEngine, startPrivateEngine } from './setup-engine.ts';
import type { Stage, StageEnd } from './stage.ts';

const partNames = ['temporal', 'engine', 'chromium', 'postgres', 'objects'] as const;
type PartName = (typeof partNames)[number];

/** From `EVENKEEL_REQUIRE`, a comma-separated list: parts whose absence is a failure. */
export function requiredParts(env: NodeJS.ProcessEnv): ReadonlySet<PartName> {
  const names = (env['EVENKEEL_REQUIRE'] ?? '').split(',').map((name) => name.trim());
  return new Set(names.filter((name) => name !== '').map(partNamed));
}

function partNamed(name: string): PartName {
  const part = partNames.find((known) => known === name);
  if (part === undefined) throw new Error(`EVENKEEL_REQUIRE must list any of ${partNames.join(', ')}; got '${name}'`);
  return part;
}

/** Finds, downloads or builds the server's executable, so that no test waits for it. */
export function temporalStage(required: ReadonlySet<PartName>): Stage {
  return {
    name: 'Temporal server',
    run: async () => {
      try {
        const { line } = await chooseServer({
          env: { ...process.env, TEMPORAL_ADDRESS: undefined },
          onProgress: (progress) => console.log(progress),
        });
        console.log(line);
        return { result: 'passed', notes: [] };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        console.log(reason);
        return { result: required.has('temporal') ? 'failed' : 'not run', notes: [reason] };
      }
    },
  };
}

const slotsWithinMs = 120_000;

/**
 * Starts one sandbox slot, so that tests learn at once if the engine runs but cannot do what a slot needs, for example
 * on a nested kernel.
 */
async function expectSlots(host: string): Promise<void> {
  const { engine, why } = await findEngine({ DOCKER_HOST: host });
  if (engine === null) throw new Error(why);
  const opening = openOn(engine, { processes: 1 });
  const late = sleep(slotsWithinMs, undefined, { ref: false }).then(() => {
    throw new Error(`no sandbox slot was ready within ${slotsWithinMs / 1_000} s`);
  });
  const box = await Promise.race([opening, late]);
  await box.close();
}

/**
 * The container engine for the tests: a private one, which `stop` ends, if `EVENKEEL_SETUP_ENGINE` is 1 and
 * `EVENKEEL_REQUIRE` names the engine; else the machine's own. Setting it up starts now, in parallel with the earlier
 * stages, since it mostly waits for network and disk.
 */
export function engineStage(
  required: ReadonlySet<PartName>,
  env: NodeJS.ProcessEnv,
): { stage: Stage; stop: () => Promise<void> } {
  let engine: PrivateEngine | null = null;
  const without = (reason: string): Pick<StageEnd, 'result' | 'notes'> => {
    console.log(reason);
    return { result: required.has('engine') ? 'failed' : 'not run', notes: [reason] };
  };
  const run = async (): Promise<Pick<StageEnd, 'result' | 'notes'>> => {
    try {
      if (env['EVENKEEL_SETUP_ENGINE'] === '1' && required.has('engine')) {
        engine = await startPrivateEngine(console.log);
        await expectSlots(engine.host);
        env['EVENKEEL_TEST_ENGINE'] = engine.host;
        return { result: 'passed', notes: [] };
      }
      const found = await findEngine(env);
      if (found.engine === null)
        return without(
          `${found.why}; EVENKEEL_SETUP_ENGINE=1 with EVENKEEL_REQUIRE=engine sets up a private one, as root on Debian`,
        );
      await buildImage(found.engine.docker, console.log);
      return { result: 'passed', notes: [] };
    } catch (error) {
      return without(error instanceof Error ? error.message : String(error));
    }
  };
  const beginning = run();
  const stop = async (): Promise<void> => {
    await beginning;
    await engine?.stop();
  };
  return { stage: { name: 'container engine', run: () => beginning }, stop };
}
