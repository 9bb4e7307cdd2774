/** What `run` says where the budget of a run that exists is not, or was not, what its spec says. */
import { isDeepStrictEqual } from 'node:util';
import { counted } from '../../domain/counted.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import { commandName } from '../command-name.ts';
import { budgetUsd } from '../follow/watch-screen.ts';

/** @param before null for a new run */
export function budgetNotes(
  runId: string,
  { budget: stated }: Pick<Spec, 'budget'>,
  before: Manifest | null,
  { spec: { budget: now } }: Pick<Manifest, 'spec'>,
): string[] {
  if (before === null) return [];
  const old = before.spec.budget;
  if (!isDeepStrictEqual(old, now))
    return [`note: the budget of run "${runId}" is ${textOf(now)} now, ${saidBy(stated, now)}; it was ${textOf(old)}`];
  if (isDeepStrictEqual(stated, now)) return [];
  return [
    `note: the budget of run "${runId}" is ${textOf(now)}, as set by \`${commandName()} budget\`; ` +
      `the spec still says ${textOf(stated)}`,
  ];
}

/** A limit that the spec does not say was set by the command, and stays until the spec says another. */
function saidBy(stated: Budget = {}, now: Budget = {}): string {
  const kept = {
    ...(now.usd !== stated.usd && { usd: now.usd }),
    ...(now.tokens !== stated.tokens && { tokens: now.tokens }),
  };
  if (Object.keys(kept).length === 0) return 'as the spec says';
  return `as the spec says, with ${limitsText(kept)} as set by \`${commandName()} budget\``;
}

type Budget = NonNullable<Spec['budget']>;

const textOf = (budget: Spec['budget']): string => (budget === undefined ? 'without limit' : limitsText(budget));

/** `$5.00 and 10,000 tokens`. */
export function limitsText({ usd, tokens }: NonNullable<Spec['budget']>): string {
  return [
    ...(usd === undefined ? [] : [budgetUsd(usd)]),
    ...(tokens === undefined ? [] : [counted(tokens, 'token')]),
  ].join(' and ');
}
