/** Opens an execution tier. The only place that knows which tiers there are; a tier is one entry of the registry. */
import { InputError, MissingPartError } from '../../domain/errors.ts';
import type { SandboxTier } from '../../schemas/states.ts';
import { probeBubblewrap } from './bubblewrap-host.ts';
import { createBubblewrapSandbox } from './bubblewrap.ts';
import { findEngine } from './container-engine.ts';
import { imageDigest } from './container-image.ts';
import { createContainerSandbox } from './container.ts';
import { describeEngine, findPyodide, hostWalls } from './embedded-command.ts';
import { createEmbeddedSandbox } from './embedded.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';

export type SandboxPreference = SandboxTier | 'auto';

type Ready = { readonly ready: boolean; readonly line: string };

interface Tier {
  /** Whether it can run programs now, without anything being built or started first, and one line about it. */
  probe(): Promise<Ready>;
  open(options: SandboxOptions): Promise<Sandbox>;
}

/** Strongest first; `auto` takes the first that is ready. */
const registry: Partial<Record<SandboxTier, Tier>> = {
  container: { probe: probeContainer, open: createContainerSandbox },
  bubblewrap: { probe: probeWalls, open: createBubblewrapSandbox },
  embedded: { probe: probeEmbedded, open: createEmbeddedSandbox },
};

/**
 * `auto` follows the environment's `EVENKEEL_SANDBOX`, else takes the strongest tier that is ready. Throws for `none` (untrusted code runs only
 * inside a sandbox) and for a named tier that cannot be had: never a silent step down.
 */
export async function openSandbox(preference: SandboxPreference = 'auto', options: SandboxOptions = {}): Promise<Sandbox> {
  const wanted = preference === 'auto' ? preferenceOf(process.env['EVENKEEL_SANDBOX']) : preference;
  if (wanted === 'none')
    throw new InputError("sandbox tier 'none' is refused: model-written programs run only inside a sandbox; use 'embedded'");
  const tier = wanted === 'auto' ? registry[(await chooseTier()).tier] : registry[wanted];
  if (tier === undefined)
    throw new InputError(`sandbox tier '${wanted}' is not in this version; it has: ${Object.keys(registry).join(', ')}`);
  return await tier.open(options);
}

/** One line about what `auto` uses and why. */
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
  if (!names.includes(text)) throw new InputError(`EVENKEEL_SANDBOX is one of ${names.join(', ')}; got '${text}'`);
  return text as SandboxPreference;
}

async function probeContainer(): Promise<Ready> {
  const { engine, why } = await findEngine();
  if (engine === null) return { ready: false, line: why };
  const digest = await imageDigest(engine.docker);
  return digest === null
    ? { ready: false, line: `${engine.name} answers, its image is not built; EVENKEEL_SANDBOX=container builds it` }
    : { ready: true, line: `${engine.name} at ${why}, image ${digest.slice(0, 19)}` };
}

async function probeWalls(): Promise<Ready> {
  try {
    return await Promise.resolve({ ready: true, line: probeBubblewrap().name });
  } catch (error) {
    return { ready: false, line: error instanceof Error ? error.message : String(error) };
  }
}

async function probeEmbedded(): Promise<Ready> {
  const walls = hostWalls().some((word) => word.endsWith('unshare')) ? 'own network namespace' : 'no network namespace on this host';
  return await Promise.resolve({ ready: true, line: `${describeEngine(findPyodide()).name}, locked-down process, ${walls}` });
}
