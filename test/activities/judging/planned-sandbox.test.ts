import { expect, test } from 'vitest';
import { refuseOtherSandbox } from '../../../activities/judging/planned-sandbox.ts';

const bubblewrap = { engine: 'bubblewrap 0.8.0 (Python 3.11.2)', imageDigest: 'aa' };

test('the sandbox of another machine is refused with both names', () => {
  const own = { engine: 'CPython 3.13.7 in WebAssembly', imageDigest: 'bb', concurrency: 1 };
  expect(() => refuseOtherSandbox(bubblewrap, own)).toThrow(
    'the run was planned for the sandbox bubblewrap 0.8.0 (Python 3.11.2) (aa), but this machine has CPython 3.13.7 ' +
      'in WebAssembly (bb); their verdicts cannot be mixed; continue on a machine with the first one, or start',
  );
});

// Red before: a newer evenkeel said that this machine has the same sandbox, and sent its user to another machine.
test('a sandbox of the same name, changed by another version, is told as such', () => {
  expect(() => refuseOtherSandbox(bubblewrap, { ...bubblewrap, imageDigest: 'bb' })).toThrow(
    'another version of evenkeel prepares programs in another way, or the interpreter was replaced',
  );
  expect(() => refuseOtherSandbox(bubblewrap, bubblewrap)).not.toThrow();
});
