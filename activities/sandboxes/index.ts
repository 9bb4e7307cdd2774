/** Opens a sandbox tier. Only this file knows the tiers; each is one entry of the registry. */
import { InputError, MissingPartError } from '../../domain/errors.ts';
import type { SandboxTier } from '../../schemas/states.ts';
import { probeBubblewrap } from './bubblewrap-host.ts';
import { createBubblewrapSandbox } from './bubblewrap.ts';
import { findEngine } from './container/container-engine.ts';
import { imageDigest } from './container/container-image.ts';
import { createContainerSandbox } from './container/container.ts';
import { describeEngine, findPyodide, hostIsolation } from './embedded/embedded-command.ts';
import { createEmbeddedSandbox } from './embedded/embedded.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';

export type SandboxPreference = SandboxTier | 'auto';

type Ready = { readonly ready: boolean; readonly line: string };

interface Tier {
  /** Whether it can run programs now, without building or starting anything first, and one line about it. */
  probe(): Promise<Ready>;
  open(options: SandboxOptions): Promise<Sandbox>;
}

/** Strongest first; `auto` takes the first that is ready. */
const registry: Partial<Record<SandboxTier, Tier>> = {
  container: { probe: probeContainer, open: createContainerSandbox },
  bubblewrap: { probe: probeBubblewrapTier, open: createBubblewrapSandbox },
  embedded: { probe: probeEmbedded, open: createEmbeddedSandbox },
};

/**
 * `auto` uses `EVENKEEL_SANDBOX` if set, else the strongest tier that is ready. Throws for `none` (untrusted code runs
 * only inside a sandbox) and for a named tier that is unavailable; it never falls back to a weaker one.
 */
export async function openSandbox(
  preference: SandboxPreference = 'auto',
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const wanted = preference === 'auto' ? preferenceOf(process.env['EVENKEEL_SANDBOX']) : preference;
  if (wanted === 'none')
    throw new InputError(
      "sandbox tier 'none' is refused: model-written programs run only inside a sandbox; use 'embedded'",
    );
  const name = wanted === 'auto' ? (await chooseTier()).tier : wanted;
  // A name that every object has (toString) is of no tier.
  const tier = Object.hasOwn(registry, name) ? registry[name] : undefined;
  if (tier === undefined)
    throw new InputError(
      `sandbox tier '${wanted}' is not in this version; it has: ${Object.keys(registry).join(', ')}`,
    );
  return await tier.open(options);
}

/** One line that says which tier `auto` uses and why. */
export async function probeSandboxes(): Promise<string> {
  const wanted = preferenceOf(process.env['EVENKEEL_SANDBOX']);
  return wanted === 'auto' ? (await chooseTier()).line : `${wanted}, as EVENKEEL_SANDBOX says`;
}

async function chooseTier(): Promise<{ tier: SandboxTier; line: string }> {
  const passed: string[] = [];
  for (const [name, tier] of Object.entries(registry)) {
    const { ready, line } = await tier.probe();
    if (ready) return { tier: name as SandboxTier, line: [`${name}: ${line}`, ...passed].join('; ') };
    passed.push(`not ${name}: ${line}`);
  }
  throw new MissingPartError(`no sandbox tier is ready: ${passed.join('; ')}`);
}

function preferenceOf(text: string | undefined): SandboxPreference {
  if (text === undefined || text === '') return 'auto';
  const names = ['auto', ...Object.keys(registry)];
  if (!names.includes(text))
    throw new InputError(`must be one of ${names.join(', ')}; got '${text}'`, { field: 'EVENKEEL_SANDBOX' });
  return text as SandboxPreference;
}

async function probeContainer(): Promise<Ready> {
  const { engine, why } = await findEngine();
  if (engine === null) return { ready: false, line: why };
  const digest = await imageDigest(engine.docker);
  return digest === null
    ? { ready: false, line: `${engine.name} answers, but its image is not built; EVENKEEL_SANDBOX=container builds it` }
    : { ready: true, line: `${engine.name} at ${why}, image ${digest.slice(0, 19)}` };
}

async function probeBubblewrapTier(): Promise<Ready> {
  try {
    return await Promise.resolve({ ready: true, line: probeBubblewrap().name });
  } catch (error) {
    return { ready: false, line: error instanceof Error ? error.message : String(error) };
  }
}

async function probeEmbedded(): Promise<Ready> {
  const walls = hostIsolation().some((word) => word.endsWith('unshare'))
    ? 'own network namespace'
    : 'no network namespace on this host';
  return await Promise.resolve({
    ready: true,
    line: `${describeEngine(findPyodide()).name}, locked-down process, ${walls}`,
  });
}
