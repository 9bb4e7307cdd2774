/** A map or a list as a key of a spec. */
import { expect, test, vi } from 'vitest';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';

// Red before: the YAML library printed a warning on top of the refusal.
test.each(['name: x\n? [a, b]\n: 1\n', 'name: x\nmodels: [{ {a: 1}: 2 }]\n'])(
  'is refused as an unknown key, without a warning: %j',
  (text) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    expect(() => parseSpec(text, 's.yaml')).toThrow(/unknown key "[[{] /);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  },
);
