/** Reads from an endpoint's headers what is left of its limits. */
import type { Unit } from './counted-units.ts';

export interface Allowance {
  readonly remaining: number;
  /** Milliseconds until it is renewed. */
  readonly resetMs: number;
  /** What it is then; absent if no header says it. */
  readonly limit?: number;
}

/** What is left within a minute or so, or within a day, by what it counts. */
export type AllowanceName = Unit | 'requestsOfDay' | 'tokensOfDay';
export type Allowances = { readonly [Name in AllowanceName]?: Allowance };

/**
 * Headers that say how much is left; with another word for `remaining`, their limit and the time of their renewal.
 * OpenAI's and most others' first, then Anthropic's, those of Cerebras and Mistral (with the window in the name), and
 * the IETF draft's, which has none for tokens. Prompt and generated are Fireworks's words for input and output.
 */
const names = {
  requests: [
    'x-ratelimit-remaining-requests',
    'anthropic-ratelimit-requests-remaining',
    'x-ratelimit-remaining-requests-minute',
    'x-ratelimit-remaining-req-minute',
    'x-ratelimit-remaining',
    'ratelimit-remaining',
  ],
  tokens: [
    'x-ratelimit-remaining-tokens',
    'anthropic-ratelimit-tokens-remaining',
    'x-ratelimit-remaining-tokens-minute',
  ],
  inputTokens: [
    'x-ratelimit-remaining-input-tokens',
    'anthropic-ratelimit-input-tokens-remaining',
    'x-ratelimit-remaining-tokens-prompt',
  ],
  outputTokens: [
    'x-ratelimit-remaining-output-tokens',
    'anthropic-ratelimit-output-tokens-remaining',
    'x-ratelimit-remaining-tokens-generated',
  ],
  requestsOfDay: ['x-ratelimit-remaining-requests-day'],
  tokensOfDay: ['x-ratelimit-remaining-tokens-day'],
} as const satisfies Record<AllowanceName, readonly string[]>;

export const allowanceNames = Object.keys(names) as readonly AllowanceName[];

/** Used if no header says when the allowance is renewed. */
const unknownResetMs = 1_000;

export function allowancesOf(header: (name: string) => string | null | undefined, nowMs: number): Allowances {
  return Object.assign({}, ...allowanceNames.map((kind) => allowanceOf(kind, header, nowMs)));
}

function allowanceOf(
  kind: AllowanceName,
  header: (name: string) => string | null | undefined,
  nowMs: number,
): Allowances {
  for (const name of names[kind]) {
    const remaining = countIn(header(name));
    if (remaining === null) continue;
    const resetMs = resetMsOf(header(name.replace('remaining', 'reset'))?.trim() ?? '', nowMs) ?? unknownResetMs;
    const limit = countIn(header(name.replace('remaining', 'limit')));
    return { [kind]: { remaining, resetMs, ...(limit !== null && { limit }) } };
  }
  return {};
}

function countIn(said: string | null | undefined): number | null {
  const text = said?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : null;
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `1m30s`, `20ms`, seconds, a Unix time in seconds or milliseconds, or a date; null for anything else. */
function resetMsOf(text: string, nowMs: number): number | null {
  if (/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) {
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ''] ?? 0), 0);
  }
  const number = text === '' ? Number.NaN : Number(text);
  if (number > 1e11) return Math.max(0, number - nowMs);
  if (number > 1e8) return Math.max(0, number * 1000 - nowMs);
  if (Number.isFinite(number)) return Math.max(0, number * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
