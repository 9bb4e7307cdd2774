/** A run's verdicts and measures come from one sandbox, the one that it was planned for. */
import type { SandboxIdentity } from './execution-key.ts';

/** Throws when this worker's sandbox is of another image or interpreter. */
export function refuseOtherSandbox(planned: SandboxIdentity, own: SandboxIdentity): void {
  if (own.imageDigest === planned.imageDigest) return;
  throw new Error(
    `this worker's sandbox is ${own.engine} (${own.imageDigest}), the run was planned for ${planned.engine} (${planned.imageDigest})`,
  );
}
