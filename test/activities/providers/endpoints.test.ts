/** What known endpoints send, served over HTTP as they send it, and the pages that say how to ask them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import { createOpenAiProvider } from '../../../activities/providers/openai.ts';
import { ProviderFault } from '../../../activities/providers/provider.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { planRevision } from '../../../studies/plan.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';
import { coordinates, onlyOf, question, unhurried } from './questions.ts';

interface Case {
  readonly name: string;
  readonly api?: 'responses';
  readonly stream?: true;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Texts are sent as they are: comments, and the end mark after `data:`. */
  readonly events?: readonly (string | object)[];
  readonly reply?: Readonly<Record<string, unknown>>;
  readonly fault?: Readonly<Record<string, unknown>> & { readonly message?: string };
}

const fixtures = join(import.meta.dirname, '../../fixtures/endpoints');
const pages = join(import.meta.dirname, '../../../docs/providers');
const names = readdirSync(fixtures)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));
const casesOf = (name: string) => JSON.parse(readFileSync(join(fixtures, `${name}.json`), 'utf8')) as Case[];

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const eventText = (event: string | object): string => {
  if (typeof event === 'object') return `data: ${JSON.stringify(event)}\n\n`;
  return event.startsWith(':') ? `${event}\n\n` : `data: ${event}\n\n`;
};

/** @returns its base URL, and the bodies that it was sent */
async function served({ status = 200, headers, body, events }: Case) {
  const received: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      received.push(JSON.parse(sent));
      const type = events === undefined ? 'application/json' : 'text/event-stream';
      response.writeHead(status, { 'content-type': type, ...headers });
      response.end(events === undefined ? JSON.stringify(body) : events.map(eventText).join(''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, received };
}

describe.each(names)('%s', (name) => {
  test.each(casesOf(name).map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const { url, received } = await served(one);
    const options = { api: one.api, stream: one.stream, timeoutMs: 5_000, apiKey: null };
    const provider = createOpenAiProvider({ baseUrl: url, ...options });
    stops.unshift(() => provider.close());
    const { logprobs: _logprobs, ...parameters } = question.parameters;
    const asked = onlyOf(provider.ask({ ...question, parameters }, coordinates, unhurried));
    const outcome: unknown = await asked.catch((error: unknown) => error);
    expect(received[0]?.['stream']).toBe(one.stream);
    if (one.fault === undefined) expect(outcome).toMatchObject(one.reply ?? {});
    else {
      const { message = '', ...facts } = one.fault;
      expect(outcome).toBeInstanceOf(ProviderFault);
      expect(outcome).toMatchObject({ ...facts, message: expect.stringContaining(message) });
    }
  });

  test('has a page whose spec is accepted and planned', async () => {
    const page = readFileSync(join(pages, `${name}.md`), 'utf8');
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(2)));
    const rest = 'benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }\nstudies: [{ name: plain, kind: pass, ';
    const spec = parseSpec(`name: page\n${example}${rest}benchmark: tiny }]\n`, `${name}.md`);
    const path = join(folder, 'tiny.jsonl');
    const { tasks } = await loadBenchmark({ name: 'tiny', format: 'evenkeel', path, seed: 0 });
    const revision = planRevision(spec, new Map([['tiny', tasks]]), []);
    expect(new Set(revision?.pages.map(({ model }) => model))).toEqual(new Set(spec.models.map(({ id }) => id)));
  });
});

test('every page of an endpoint has what it sends', () => {
  expect(
    readdirSync(pages)
      .map((file) => file.replace('.md', ''))
      .sort(),
  ).toEqual(names.sort());
});
