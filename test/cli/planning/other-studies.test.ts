import { expect, test } from 'vitest';
import { refuseOtherStudies } from '../../../cli/commands/schedule.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Spec } from '../../../schemas/spec.ts';

const specOf = (...studies: readonly (readonly [name: string, kind: string])[]): Spec =>
  ({ studies: studies.map(([name, kind]) => ({ name, kind })) }) as unknown as Spec;
const baseline = { runId: 'base', spec: specOf(['plain', 'pass'], ['loops', 'evaloop']) } as unknown as Manifest;

// Red before: the schedule was made, and each of its runs was paid for before its gate refused it.
test('a schedule needs a study of the same name and kind in its baseline', () => {
  expect(() => refuseOtherStudies(specOf(['other', 'pass'], ['loops', 'evaloop']), baseline)).not.toThrow();
  expect(() => refuseOtherStudies(specOf(['other', 'pass'], ['loops', 'pass']), baseline)).toThrow(
    /run base has the studies "plain" \(pass\), "loops" \(evaloop\), the spec has "other" \(pass\), "loops" \(pass\)/,
  );
});
