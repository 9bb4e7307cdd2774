/** A profile in words: what differs from a model without faults that always says the same. */
import { simulatedProfile, type SimulatedProfile } from './profile.ts';

/** `competence 0.95, driftPerLoop 0.01, logprobs`: competence, and every trait that is not the default. */
export function profileText(profile: SimulatedProfile): string {
  const usual: Readonly<Record<string, unknown>> = simulatedProfile();
  const traits = Object.entries(profile).filter(
    ([name, value]) => name === 'competence' || JSON.stringify(value) !== JSON.stringify(usual[name]),
  );
  return traits.map(([name, value]) => traitText(name, value)).join(', ');
}

function traitText(name: string, value: unknown): string {
  if (value === true) return name;
  if (typeof value !== 'object' || value === null) return `${name} ${String(value)}`;
  if (Array.isArray(value)) return `${name} ${value.join(' and ')}`;
  const parts = Object.entries(value).filter(([, part]) => part !== 0);
  return `${name} (${parts.map(([part, size]) => `${part} ${String(size)}`).join(', ')})`;
}
