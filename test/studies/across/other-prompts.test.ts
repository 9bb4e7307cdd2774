/** Settings that make other prompts or other counts: what two runs with different ones do not compare. */
import { expect, test } from 'vitest';
import type { RunDatabase } from '../../../analysis/database.ts';
import type { Side } from '../../../analysis/gate/compared.ts';
import { haveSameSettings } from '../../../analysis/gate/needed-settings.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { leftOutNotes } from '../../../studies/across/run-notes.ts';
import { haveSameLoops, loopsNeed } from '../../../studies/evaloop/results/needed-settings.ts';
import { requirementNeeds, requirementsSource } from '../../../studies/robunfr/results/gate.ts';
import { emptyManifest } from '../../analysis/run-fixture.ts';

/** The side of a run whose study has these settings. */
function sideOf(kind: string, settings: string, runId: string): Side {
  const spec = parseSpec(
    `
name: n
models: [{ id: m, provider: simulated }]
benchmarks: { b: { format: mbpp-plus, path: p } }
studies: [{ name: s, kind: ${kind}, benchmark: b, settings: ${settings} }]
`,
    's.yaml',
  );
  const [study] = spec.studies;
  if (study === undefined) throw new Error('the spec has a study');
  return { manifest: { ...emptyManifest, runId, spec }, study, model: 'm' };
}

const sidesOf = (kind: string, settings: readonly [string, string]) =>
  [sideOf(kind, settings[0], 'old'), sideOf(kind, settings[1], 'new')] as never;

// Red before: compared, and a gate failed, with a note that only what both have is compared.
test('EVALOOP with other pairs, and RobuNFR with other templates, are not compared; a note says so', async () => {
  const loops = sidesOf('evaloop', ['{ pair: summary }', '{ pair: tests }']);
  expect(haveSameLoops(loops)).toBe(false);
  expect(leftOutNotes({ name: 's' } as never, loops, { all: loopsNeed })).toEqual([
    expect.stringContaining('asl, asl_unweighted left out, because the value depends on settings that differ (pair'),
  ]);
  const templates = sidesOf('robunfr-prompts', ['{ prompts: derivative }', '{ prompts: figure4 }']);
  expect(await requirementsSource({} as RunDatabase, { sides: templates, changed: new Set() })).toEqual([]);
  const [note] = leftOutNotes({ name: 's' } as never, templates, { all: requirementNeeds });
  expect(note).toContain('(prompts derivative in run old; prompts figure4 in run new)');
});

test('exception handling is compared as counted by one rule', () => {
  const counts = sidesOf('robunfr-prompts', ['{ exceptionStatements: ast }', '{ exceptionStatements: [raise] }']);
  const [prompts, statements] = requirementNeeds;
  expect(prompts && haveSameSettings(counts, prompts)).toBe(true);
  expect(statements && haveSameSettings(counts, statements)).toBe(false);
});
