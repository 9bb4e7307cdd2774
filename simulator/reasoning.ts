/** How much a simulated model thinks before it answers, by the effort that a request asks for. */
import type { ReasoningEffort } from '../schemas/spec/parameters.ts';
import type { SimulatedProfile } from './profile.ts';

/** Thoughts as a multiple of those at medium effort, and the share of the profile's gain in competence. */
const efforts: Readonly<Record<ReasoningEffort, { readonly tokens: number; readonly gain: number }>> = {
  none: { tokens: 0, gain: -1 },
  minimal: { tokens: 0.1, gain: -0.75 },
  low: { tokens: 0.3, gain: -0.5 },
  medium: { tokens: 1, gain: 0 },
  high: { tokens: 3, gain: 0.5 },
  xhigh: { tokens: 6, gain: 0.75 },
  max: { tokens: 10, gain: 1 },
};

export interface Thoughts {
  /** Zero for a model that does not think. */
  readonly tokens: number;
  /** Null if the model does not show them. */
  readonly text: string | null;
  /** The profile, with the competence that the thoughts give. */
  readonly profile: SimulatedProfile;
}

/** @param effort as requested; medium if the request has none */
export function thoughtsOf(profile: SimulatedProfile, effort: ReasoningEffort | null | undefined): Thoughts {
  const { reasoning, competence } = profile;
  if (reasoning === undefined) return { tokens: 0, text: null, profile };
  const { tokens: multiple, gain } = efforts[effort ?? 'medium'];
  const tokens = Math.round(reasoning.tokens * multiple);
  const withGain = Math.min(1, Math.max(0, competence + reasoning.gain * gain));
  const text = reasoning.shown && tokens > 0 ? `Let me think about this for ${tokens} tokens.` : null;
  return { tokens, text, profile: { ...profile, competence: withGain } };
}
