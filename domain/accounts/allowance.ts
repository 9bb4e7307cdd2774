/** Reads from an endpoint's headers what is left of its limits. */

export interface Allowance {
  readonly remaining: number;
  /** Milliseconds until it is renewed. */
  readonly resetMs: number;
}

export interface Allowances {
  readonly requests?: Allowance;
  readonly tokens?: Allowance;
}

/** Names used by OpenAI and most others, by Anthropic, and by the IETF draft, which has none for tokens. */
const names = {
  requests: [
    ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
    ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset'],
    ['x-ratelimit-remaining', 'x-ratelimit-reset'],
    ['ratelimit-remaining', 'ratelimit-reset'],
  ],
  tokens: [
    ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
    ['anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
  ],
} as const;

/** Used if no header says when the allowance is renewed. */
const unknownResetMs = 1_000;

export function allowancesOf(header: (name: string) => string | null | undefined, nowMs: number): Allowances {
  return { ...allowanceOf('requests', header, nowMs), ...allowanceOf('tokens', header, nowMs) };
}

function allowanceOf(
  kind: keyof Allowances,
  header: (name: string) => string | null | undefined,
  nowMs: number,
): Allowances {
  for (const [remainingName, resetName] of names[kind]) {
    const said = header(remainingName)?.trim();
    if (said === undefined || !/^\d+$/.test(said)) continue;
    return {
      [kind]: { remaining: Number(said), resetMs: resetMsOf(header(resetName)?.trim() ?? '', nowMs) ?? unknownResetMs },
    };
  }
  return {};
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
