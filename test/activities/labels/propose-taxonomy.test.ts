import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proposeTaxonomy } from '../../../activities/labels/propose-taxonomy.ts';
import { createReplayProvider } from '../../../activities/providers/replay.ts';
import { createSimulatedProvider } from '../../../activities/providers/simulated.ts';
import type { Provider } from '../../../activities/providers/provider.ts';
import type { Run } from '../../../activities/runs/opened/run.ts';
import { withFilesWrittenOut } from '../../../activities/runs/written-out.ts';
import { sha256 } from '../../../domain/ids.ts';
import { specSchema } from '../../../schemas/spec.ts';
import { simulatedProfile } from '../../../simulator/profile.ts';
import type { SpecificityStudy } from '../../../studies/specificity/settings.ts';

const taxonomyOf = (name: string) => {
  const themes = `[{"name":"${name}","meaning":"m"},{"name":"Other","meaning":"m"}]`;
  return `<taxonomy>{"categories":[{"name":"A","themes":${themes}}]}</taxonomy>`;
};
const task = {
  taskId: 't',
  language: 'python',
  entryPoint: 'f',
  prompt: 'def f(x):\n    """Add one."""\n',
  reference: 'def f(x):\n    return x + 1\n',
  suites: [],
};
const summary = (variant: string, words: string) => ({
  variant,
  augmentation: 'summary',
  prompt: `def f(x):\n    """${words}\n    """\n`,
});

let folder: string;
const open: Provider[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-taxonomy-'));
});
afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close();
  rmSync(folder, { recursive: true });
});

const spec = (taxonomy?: string) =>
  specSchema.parse({
    name: 'x',
    models: [{ id: 'm', provider: 'simulated', profile: 'strong' }],
    benchmarks: { b: { format: 'evenkeel', path: 'x' } },
    studies: [
      { name: 's', kind: 'specificity', benchmark: 'b', ...(taxonomy === undefined ? {} : { settings: { taxonomy } }) },
    ],
  });

function proposing(provider: Provider, asks = 3, seed = 0) {
  const summaries = ['The arguments are a list.', 'Mind the edge cases.', 'Give the result back.'].map((words, index) =>
    summary(`summary-${index}`, words),
  );
  const run = {
    runId: 'r',
    tasks: () => new Map([['t', task]]),
    variants: { read: async () => undefined, ofTask: () => summaries },
    model: (id: string) => ({
      id,
      requestedModel: 'named',
      parameters: {},
      simulated: provider.simulated,
      provider: () => Promise.resolve(provider),
    }),
  } as unknown as Run;
  const study = spec().studies[0] as SpecificityStudy;
  return proposeTaxonomy(run, { study, model: 'm', sample: 2, seed, asks, repliesFile: join(folder, 'mine.json') });
}

async function replaying(...replies: readonly string[]): Promise<Provider> {
  const file = join(folder, 'recorded.jsonl');
  writeFileSync(
    file,
    replies.map((reply, ask) => `${JSON.stringify({ reply, step: 'label', variant: 'proposal', ask })}\n`).join(''),
  );
  const provider = await createReplayProvider({ file, sha256: null });
  open.push(provider);
  return provider;
}

describe('a taxonomy from a model of the run', () => {
  it('is asked for again until it is valid, and marked as not the paper’s', async () => {
    const { taxonomy, asks, shown } = await proposing(await replaying('There are three kinds.', taxonomyOf('Aim')));
    expect([asks, shown]).toEqual([2, 2]);
    expect(taxonomy.version).toMatch(/^proposed-[0-9a-f]{8}$/);
    expect(taxonomy.source).toBe(
      'Ours, not the paper’s: proposed by named, propose-1, from 2 summaries of study s of run r, seed 0',
    );
    const file = join(folder, 'mine.json');
    writeFileSync(file, JSON.stringify(taxonomy));
    const [study] = (await withFilesWrittenOut(spec('mine.json'), folder)).studies;
    expect((study as SpecificityStudy).settings.taxonomy).toEqual(taxonomy);
  });

  it('is refused with the errors, and the replies are kept', async () => {
    const talking = replaying('Prose.', '<taxonomy>[]</taxonomy>');
    await expect(proposing(await talking, 2)).rejects.toThrow(
      /no taxonomy in 2 answers: it is no JSON; it has no list "categories"/,
    );
    const kept = readdirSync(folder).filter((name) => /^mine\.json\.[0-9a-f]{8}\.jsonl$/.test(name));
    expect(kept).toHaveLength(1);
    expect(
      readFileSync(join(folder, kept[0] as string), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(2);
  });

  it('is not paid for twice: a second run reuses the stored replies', async () => {
    const first = await replaying(taxonomyOf('Aim'));
    let calls = 0;
    const counted: Provider = { ...first, ask };
    function ask(...given: Parameters<Provider['ask']>): ReturnType<Provider['ask']> {
      calls += 1;
      return first.ask(...given);
    }
    const before = await proposing(counted);
    expect((await proposing(counted)).taxonomy).toEqual(before.taxonomy);
    expect(calls).toBe(1);
    await proposing(counted, 3, 7);
    expect(calls).toBe(2);
  });

  // Red before: the model was asked, and its reply was lost.
  it('is not asked for where its reply cannot be stored', async () => {
    const first = await replaying(taxonomyOf('Aim'));
    mkdirSync(join(folder, `mine.json.${sha256(first.endpointIdentity).slice(0, 8)}.jsonl`));
    let calls = 0;
    const ask: Provider['ask'] = (...given) => {
      calls += 1;
      return first.ask(...given);
    };
    await expect(proposing({ ...first, ask })).rejects.toThrow('EISDIR');
    expect(calls).toBe(0);
  });

  it('comes from a simulated model with its mark', async () => {
    const provider = createSimulatedProvider({ name: 'm', profile: simulatedProfile({ competence: 1 }), tasks: [] });
    const { taxonomy } = await proposing(provider);
    expect(taxonomy.source).toMatch(/proposed by named \(a simulated model\)/);
    expect(taxonomy.categories).toHaveLength(2);
    const prose = createSimulatedProvider({
      name: 'm',
      profile: simulatedProfile({ faults: { proseOnly: 1 } }),
      tasks: [],
    });
    await expect(proposing(prose)).rejects.toThrow(/no taxonomy in 3 answers/);
  });
});
