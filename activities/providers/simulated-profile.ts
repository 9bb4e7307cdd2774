/** The traits of a simulated model in the spec: a preset's name, or the traits themselves. */
import { InputError } from '../../domain/errors.ts';
import type { Fault } from '../../domain/spec/faults.ts';
import { knownHint } from '../../domain/nearest.ts';
import { schemaFaults } from '../../domain/spec/schema-faults.ts';
import type { SpecModel } from '../../schemas/spec.ts';
import { type SimulatedProfile, simulatedProfileSchema, simulatedProfiles } from '../../simulator/profile.ts';

const presets: ReadonlyMap<string, SimulatedProfile> = new Map(Object.entries(simulatedProfiles));

/** @throws InputError naming the model and what is wrong with its profile */
export function simulatedProfileOf(model: SpecModel): SimulatedProfile {
  const { profile = 'strong' } = model;
  const found = typeof profile === 'string' ? presets.get(profile) : simulatedProfileSchema.safeParse(profile).data;
  if (found) return found;
  const faults = profileFaults(model).map(({ path, rule }) => [path.join('.'), rule].filter(Boolean).join(': '));
  throw new InputError(faults.join('; '), { field: `profile of model ${model.id}` });
}

/** Errors in a model's profile; paths are relative to the profile. */
export function profileFaults({ profile = 'strong' }: SpecModel): Fault[] {
  if (typeof profile === 'string')
    return presets.has(profile)
      ? []
      : [{ path: [], rule: `no preset "${profile}"; ${knownHint(profile, [...presets.keys()])}` }];
  const parsed = simulatedProfileSchema.safeParse(profile);
  return parsed.success ? [] : schemaFaults(parsed.error.issues, { value: profile, schema: simulatedProfileSchema });
}
