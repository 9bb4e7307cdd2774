/** Ensures that all verdicts and measures of a run come from the sandbox that it was planned for. */
import { MissingPartError } from '../../domain/errors.ts';
import { sandboxTiers } from '../../schemas/states.ts';
import type { SandboxIdentity } from './execution-key.ts';
import { openSandbox } from '../sandboxes/index.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';

/** Throws if this worker's sandbox has another image or interpreter. */
export function refuseOtherSandbox(
  planned: Pick<SandboxIdentity, 'engine' | 'imageDigest'>,
  own: Omit<SandboxIdentity, 'tier'>,
): void {
  if (own.imageDigest === planned.imageDigest) return;
  const found = `the run was planned for the sandbox ${named(planned)}, but this machine has ${named(own)}`;
  throw new MissingPartError(
    own.engine === planned.engine
      ? `${found}: another version of evenkeel prepares programs in another way, or the interpreter was replaced; ` +
          'their verdicts cannot be mixed; continue with the version and the interpreter that began the run, ' +
          otherName
      : `${found}; their verdicts cannot be mixed; continue on a machine with the first one, ${otherName}`,
  );
}

const otherName = 'or start a new run under another name (--run ID)';

const named = ({ engine, imageDigest }: Pick<SandboxIdentity, 'engine' | 'imageDigest'>): string =>
  `${engine} (${imageDigest})`;

/**
 * Opens the tier that a run was planned for, even if this machine would choose another for a new run. Throws if the
 * tier is not available or has changed since.
 */
export async function openPlannedSandbox(planned: SandboxIdentity): Promise<Sandbox> {
  const tier = sandboxTiers.find((one) => one === planned.tier);
  if (tier === undefined)
    throw new MissingPartError(`the run was planned for a sandbox tier that this version lacks: ${planned.tier}`);
  const own = await openSandbox(tier, { plannedImage: planned.imageDigest });
  try {
    refuseOtherSandbox(planned, own);
    return own;
  } catch (error) {
    await own.close();
    throw error;
  }
}
