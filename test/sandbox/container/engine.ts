/** The engine, and the walls, that tests may use, and what to say where there are none. */
import { probeBubblewrap } from '../../../activities/sandboxes/bubblewrap-host.ts';
import { type ContainerEngine, findEngine } from '../../../activities/sandboxes/container/container-engine.ts';

/** `EVENKEEL_TEST_ENGINE` names a private one (scripts/setup-engine.ts starts it); else what the machine offers. */
const host = process.env['EVENKEEL_TEST_ENGINE'] ?? process.env['DOCKER_HOST'];
const found = await findEngine({ ...process.env, DOCKER_HOST: host });
const required = (process.env['EVENKEEL_REQUIRE'] ?? '').split(',').includes('engine');

/** For `describe.skipIf`: with a required engine, tests run and fail. */
export const withoutEngine = found.engine === null && !required;

/** Goes into the names of tests, so that a skipped one says why. */
export const engineNote = withoutEngine ? ` (skipped: ${found.why})` : '';

export function testEngine(): ContainerEngine {
  if (found.engine === null) throw new Error(`EVENKEEL_REQUIRE asks for a container engine: ${found.why}`);
  return found.engine;
}

/** For commands that are to use it. */
export const engineEnvironment = (): NodeJS.ProcessEnv => ({
  EVENKEEL_SANDBOX: 'container',
  ...(host === undefined ? {} : { DOCKER_HOST: host }),
});

const wallsMissing = reasonOf(probeBubblewrap);
export const withoutWalls = wallsMissing !== null;
export const wallsNote = withoutWalls ? ` (skipped: ${wallsMissing})` : '';

function reasonOf(probe: () => unknown): string | null {
  try {
    probe();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
