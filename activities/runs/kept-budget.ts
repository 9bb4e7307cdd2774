/**
 * The budget of a run whose spec is given again. `evenkeel budget` changes the run's, not the file's: a spec that says
 * what it said before leaves the run's budget alone, and one that says something else is the newer wish.
 */
import { isDeepStrictEqual } from 'node:util';
import { readYaml } from '../../domain/spec/yaml-text.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';

export function keptBudget(given: Spec, { spec, specText }: Pick<Manifest, 'spec' | 'specText'>): Spec {
  const { budget: wanted, ...rest } = given;
  const budget = isDeepStrictEqual(wanted, statedBudget(specText)) ? spec.budget : wanted;
  return { ...rest, ...(budget && { budget }) };
}

/** Of a text that was checked when the run was made. */
function statedBudget(specText: string): unknown {
  const { value } = readYaml(specText, 'the spec', 'it was checked when the run was made');
  return (value as { readonly budget?: unknown } | null)?.budget;
}
