/**
 * For benchmarks of everything except execution: runs nothing and returns None for every case, so all programs pass.
 */
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';

export const stubSandbox: Sandbox = {
  tier: 'none',
  engine: 'bench stub (runs nothing)',
  imageDigest: 'bench-stub',
  concurrency: 1,
  run: async ({ inputs }) => ({
    end: 'completed',
    results: inputs.map(() => ({ value: 'null' })),
    failedAtLoad: false,
    caseMs: inputs.map(() => 0),
    wallMs: 0,
    cpuMs: null,
    memoryBytes: null,
    detail: null,
  }),
  close: async () => {},
};
