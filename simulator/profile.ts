/** What a simulated model is like. Names in specs and tables; every probability is seeded, so a profile is a repeatable model. */
import { z } from 'zod';

const share = z.number().min(0).max(1);

/**
 * Probability of each mishap. Those up to `drip` hit one HTTP attempt and go away when it is repeated; the rest are the model's own answers
 * and stay the same however often they are asked for.
 */
const faults = z.strictObject({
  /** 429 with Retry-After. */
  rateLimited: share.default(0),
  /** 500. */
  serverError: share.default(0),
  /** 200 whose connection breaks in the middle of the body. */
  broken: share.default(0),
  /** 200 whose body is half of a JSON text. */
  malformed: share.default(0),
  /** 200 with an empty list of choices. */
  noChoices: share.default(0),
  /** No answer until the client gives up, or `hangMs` is over. */
  hang: share.default(0),
  /** 408. */
  requestTimeout: share.default(0),
  /** 409. */
  conflict: share.default(0),
  /** 200 whose body comes in single bytes for `hangMs` and then breaks off. */
  drip: share.default(0),
  /** A reply without text. */
  empty: share.default(0),
  /** A reply that is a refusal. */
  refusal: share.default(0),
  /** A reply that a filter took away, finish reason `content_filter`. */
  contentFilter: share.default(0),
  /** A reply cut off half way, finish reason `length`. */
  truncated: share.default(0),
  /** Friendly words where code, a summary or a score was asked for. */
  proseOnly: share.default(0),
  /** The reply names another model than the one asked. */
  wrongModel: share.default(0),
  /** The reply has another fingerprint than the others. */
  otherFingerprint: share.default(0),
});

/** Parameters that endpoints are known to refuse for some models. */
const refusable = ['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'seed', 'logprobs', 'n'] as const;

const judge = z.strictObject({
  /** Half-width of the uniform error on a similarity score. */
  noise: share.default(0),
  /** Chance of an answer that holds no score. */
  unparseable: share.default(0),
});

export const simulatedProfileSchema = z.strictObject({
  /** Tasks are easy or hard by this seed: two profiles with equal seeds find the same tasks hard. */
  seed: z.int().min(0).default(0),
  /** Chance that a clear prompt is solved. */
  competence: share.default(0.8),
  /** Share of a description's content words that one summary loses. */
  driftPerLoop: share.default(0),
  /** How much wording matters: the chance that a prompt's own luck, not the task's difficulty, decides. */
  sensitivity: share.default(0),
  /** How much less sure the model is of a wrong answer than of a right one. */
  doubt: share.default(0.1),
  /** Whether log-probabilities are given when asked for. */
  logprobs: z.boolean().default(false),
  /** Mean time to an answer, milliseconds; an answer takes 0.5 to 1.5 of it, fixed by the request. */
  latencyMs: z.number().min(0).default(0),
  /** Longest a hanging request is held, milliseconds. */
  hangMs: z.number().min(0).default(30_000),
  /** What a 429 asks the client to wait, milliseconds. */
  retryAfterMs: z.number().min(0).default(1_000),
  /** Attempts of one request that may fail; the next one is answered. */
  maxFaultsPerCall: z.int().min(0).default(2),
  faults: faults.prefault({}),
  /** Every request is refused: 401, 403, 404, or a 429 that no waiting cures. */
  closed: z.enum(['unauthorized', 'forbidden', 'notFound', 'quota']).nullable().default(null),
  /** A request that sends one of these is refused with a 400 that names it. */
  refuses: z.array(z.enum(refusable)).default([]),
  /**
   * Choices given to a request for several: half as many, rounded up, or one more than asked. Left out: as many as asked. It has no default,
   * so that profiles without it keep their hash.
   */
  choices: z.enum(['fewer', 'more']).optional(),
  judge: judge.prefault({}),
  /** A prompt of more characters is refused for its length: a 400 with code `context_length_exceeded`. */
  contextCharacters: z.int().positive().optional(),
  /**
   * A known need for detail in place of understanding: the chance of a solution goes from `floor` without a described word in a straight line up
   * to `competence` at `words` words. Left out, as below, where profiles are to keep their hash.
   */
  detailNeed: z.strictObject({ floor: share.default(0.1), words: z.number().positive().default(100) }).optional(),
  /** Of a writer of descriptions: the chance that it gives the solution away; of a summarizer: that it ignores the limit. */
  writing: z.strictObject({ leaks: share.default(0), overlong: share.default(0) }).optional(),
});

export type SimulatedProfile = z.infer<typeof simulatedProfileSchema>;
export type SimulatedProfileInput = z.input<typeof simulatedProfileSchema>;

/** A complete profile from a partial one. Throws `ZodError` on unknown names and values out of range. */
export const simulatedProfile = (input: SimulatedProfileInput = {}): SimulatedProfile => simulatedProfileSchema.parse(input);

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
  faulty: simulatedProfile({ competence: 0.8, driftPerLoop: 0.05, sensitivity: 0.1, hangMs: 2_000, retryAfterMs: 200, faults: everyFault }),
  judge: simulatedProfile({ competence: 0.95, judge: { noise: 0.03 } }),
} as const satisfies Record<string, SimulatedProfile>;
