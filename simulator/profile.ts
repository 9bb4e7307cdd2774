/**
 * The properties of a simulated model, under the names used in specs and tables. All probabilities are seeded, so a
 * profile always behaves the same.
 */
import { z } from 'zod';
import { batchTraits } from './batches/traits.ts';

const share = z.number().min(0).max(1);

/**
 * Probability of each fault. Those up to `drip` affect one HTTP attempt, and a repeated request gets past them; the
 * others belong to the model's answer and stay when the request is repeated.
 */
const faults = z.strictObject({
  /** 429 with Retry-After. */
  rateLimited: share.default(0),
  /** 500. */
  serverError: share.default(0),
  /** 200, then the connection breaks in the middle of the body. */
  broken: share.default(0),
  /** 200 whose body is half of a JSON text. */
  malformed: share.default(0),
  /** 200 with an empty list of choices. */
  noChoices: share.default(0),
  /** No answer until the client disconnects or `hangMs` have passed. */
  hang: share.default(0),
  /** 408. */
  requestTimeout: share.default(0),
  /** 409. */
  conflict: share.default(0),
  /** 200 whose body comes in single bytes for `hangMs`, then the connection breaks. */
  drip: share.default(0),
  /** A reply without text. */
  empty: share.default(0),
  /** A reply that is a refusal. */
  refusal: share.default(0),
  /** A reply removed by a filter, finish reason `content_filter`. */
  contentFilter: share.default(0),
  /** A reply cut off half way, finish reason `length`. */
  truncated: share.default(0),
  /** Small talk instead of the requested code, summary or score. */
  proseOnly: share.default(0),
  /** The reply names another model than the requested one. */
  wrongModel: share.default(0),
  /** The reply has another fingerprint than the others. */
  otherFingerprint: share.default(0),
});

/** Parameters that endpoints are known to refuse for some models. */
const refusable = [
  ...(['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'seed', 'logprobs', 'n'] as const),
  'reasoning_effort',
] as const;

/** Hidden thoughts before the answer. They count in a request's limit on tokens, as at real endpoints. */
const reasoning = z.strictObject({
  /** Tokens at medium effort; see simulator/reasoning.ts for the others. */
  tokens: z.int().positive().default(1_000),
  /** Whether the thoughts' text is returned, as `reasoning_content`. */
  shown: z.boolean().default(false),
  /** Competence that the highest effort adds to that at medium effort, and that none takes away. */
  gain: share.default(0),
});

const judge = z.strictObject({
  /** Half-width of the uniform error on a similarity score. */
  noise: share.default(0),
  /** Probability of an answer without a score. */
  unparseable: share.default(0),
});

export const simulatedProfileSchema = z.strictObject({
  /** Decides which tasks are hard: two profiles with the same seed find the same tasks hard. */
  seed: z.int().min(0).default(0),
  /** Probability that a clear prompt is solved. */
  competence: share.default(0.8),
  /** Share of a description's content words that one summary loses. */
  driftPerLoop: share.default(0),
  /** How much wording matters: the probability that chance per prompt decides instead of the task's difficulty. */
  sensitivity: share.default(0),
  /** Share by which the model is less sure of a wrong answer than of a right one. */
  doubt: share.default(0.1),
  /** Whether log-probabilities are returned on request. */
  logprobs: z.boolean().default(false),
  /** Mean time to an answer, milliseconds; each answer takes 0.5 to 1.5 times this, fixed by the request. */
  latencyMs: z.number().min(0).default(0),
  /** Longest time that a request hangs, milliseconds. */
  hangMs: z.number().min(0).default(30_000),
  /** Retry-After of a 429, milliseconds. */
  retryAfterMs: z.number().min(0).default(1_000),
  /** Most attempts of one request that fail; the next one is answered. */
  maxFaultsPerCall: z.int().min(0).default(2),
  faults: faults.prefault({}),
  /** Refuses every request: with 401, 403, 404, or a 429 for used-up quota, which waiting does not help. */
  closed: z.enum(['unauthorized', 'forbidden', 'notFound', 'quota']).nullable().default(null),
  /** A request with one of these parameters is refused with a 400 that names it. */
  refuses: z.array(z.enum(refusable)).default([]),
  /**
   * Number of choices returned to a request for several: half as many, rounded up, or one more than requested. Without
   * it, as many as requested. It has no default, so that profiles without it keep their hash.
   */
  choices: z.enum(['fewer', 'more']).optional(),
  judge: judge.prefault({}),
  /** A longer prompt is refused with a 400 and code `context_length_exceeded`. */
  contextCharacters: z.int().positive().optional(),
  /**
   * A known need for detail, which replaces understanding: the probability of a solution
   * is `floor` at 0 described words and grows linearly to `competence` at `words` words.
   * Optional, as `writing`, so that other profiles keep their hash.
   */
  detailNeed: z.strictObject({ floor: share.default(0.1), words: z.number().positive().default(100) }).optional(),
  /**
   * Probability that a writer of descriptions reveals the solution, and that a summarizer ignores the limit.
   */
  writing: z.strictObject({ leaks: share.default(0), overlong: share.default(0) }).optional(),
  /** A model that thinks. Optional, so that profiles without it keep their hash. */
  reasoning: reasoning.optional(),
  /** How a server treats batches of the model; see simulator/batches/traits.ts. Optional, likewise. */
  batch: batchTraits.optional(),
});

export type SimulatedProfile = z.infer<typeof simulatedProfileSchema>;
export type SimulatedProfileInput = z.input<typeof simulatedProfileSchema>;

/** A complete profile from a partial one. Throws `ZodError` on unknown names and values out of range. */
export const simulatedProfile = (input: SimulatedProfileInput = {}): SimulatedProfile =>
  simulatedProfileSchema.parse(input);

const everyFault = {
  rateLimited: 0.03,
  serverError: 0.03,
  broken: 0.03,
  malformed: 0.03,
  noChoices: 0.03,
  hang: 0.02,
  requestTimeout: 0.02,
  conflict: 0.02,
  drip: 0.02,
  empty: 0.02,
  refusal: 0.02,
  truncated: 0.02,
  contentFilter: 0.02,
  proseOnly: 0.02,
  wrongModel: 0.02,
  otherFingerprint: 0.02,
};

/** Profiles by name. */
export const simulatedProfiles = {
  strong: simulatedProfile({ competence: 0.95, driftPerLoop: 0.01, sensitivity: 0.02, logprobs: true }),
  drifting: simulatedProfile({ competence: 0.9, driftPerLoop: 0.15, sensitivity: 0.05, logprobs: true }),
  weak: simulatedProfile({ competence: 0.4, driftPerLoop: 0.1, sensitivity: 0.3, logprobs: true }),
  faulty: simulatedProfile({
    competence: 0.8,
    driftPerLoop: 0.05,
    sensitivity: 0.1,
    hangMs: 2_000,
    retryAfterMs: 200,
    faults: everyFault,
  }),
  judge: simulatedProfile({ competence: 0.95, judge: { noise: 0.03 } }),
} as const satisfies Record<string, SimulatedProfile>;

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
