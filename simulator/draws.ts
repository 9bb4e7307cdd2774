/** The two sources of random numbers behind an answer. */
import { sha256 } from '../domain/ids.ts';
import { seedOf, uniform } from '../domain/random.ts';
import type { ChatBody } from './chat-body.ts';

export interface Draws {
  /** Uniform numbers fixed by the profile's seed and the messages. */
  readonly prompt: () => number;
  /** Uniform numbers of one sample: fixed as `prompt` at temperature 0, else also by temperature, seed and choice. */
  readonly sample: () => number;
  /** Probability that a sample differs from the greedy answer. */
  readonly randomness: number;
}

/** Draws for one choice of one request. A missing temperature is 1, as at real endpoints. */
export function drawsFor(profileSeed: number, body: ChatBody, messagesHash: string, choice: number): Draws {
  const temperature = body.temperature ?? 1;
  const greedy = seedOf('prompt', profileSeed, messagesHash);
  const sampled =
    temperature === 0 ? seedOf('greedy', greedy) : seedOf('sample', greedy, temperature, body.seed ?? 'none', choice);
  return { prompt: uniform(greedy), sample: uniform(sampled), randomness: Math.min(1, temperature) };
}

export const messagesHashOf = (body: ChatBody): string =>
  sha256(JSON.stringify(body.messages.map(({ role, content }) => [role, content])));
