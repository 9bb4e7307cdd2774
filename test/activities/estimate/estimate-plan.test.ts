import { availableParallelism } from 'node:os';
import { encode } from 'gpt-tokenizer';
import { expect, test } from 'vitest';
import type { EstimatedLane } from '../../../activities/estimate/estimate-plan.ts';
import { slug } from '../../../domain/ids.ts';
import { endpoint, planFolder, priced, type SpecParts } from './planned-spec.ts';

const judged =
  '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 3, maxTokens: 100, judge: umpire } }]';
const oneLoop = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1, maxTokens: 100 } }]';
/** Only answers cost: 10 dollars a million for those under study, 1,000 for the judge's. */
const twoAndJudge = `[
  { id: a, ${priced(0, 10)} },
  { id: b, ${priced(0, 10)} },
  { id: umpire, study: false, ${priced(0, 1000)} }]`;

const estimate = (parts: SpecParts) => planFolder().estimate(parts);
const laneOf = (lanes: readonly EstimatedLane[], model: string | null, role = 'study'): EstimatedLane => {
  const found = lanes.find((lane) => lane.model === model && lane.role === role);
  if (!found) throw new Error(`no row of ${model} as ${role}`);
  return found;
};

test('three tasks, two models and a judge: calls per role as counted by hand', async () => {
  const { lanes, run } = await estimate({ models: twoAndJudge, studies: judged });
  expect(lanes.map(({ model, role, answeringModel, cells }) => [model, role, answeringModel, cells])).toEqual([
    ['a', 'study', 'a', 3],
    ['a', 'judge', 'umpire', 3],
    ['b', 'study', 'b', 3],
    ['b', 'judge', 'umpire', 3],
  ]);
  // A cell asks for 1 program at least, 3 programs and 2 summaries at most;
  // expected 1 + 2 x (0.75 + 0.75 x 0.97) = 3.955.
  expect(laneOf(lanes, 'a').newCalls).toEqual({ minimum: 3, expected: 12, maximum: 15 });
  // Three asks of the judge at most; of the tasks, 0.75 x (1 - 0.97 ^ 2) = 4 % break after a loop.
  expect(laneOf(lanes, 'b', 'judge').newCalls).toEqual({ minimum: 0, expected: 0, maximum: 9 });
  expect(run.newCalls).toEqual({ minimum: 6, expected: 24, maximum: 48 });
  expect(run.reusedCalls).toBe(0);
});

test('several judges: a row for each, with all its repeats, at its own price', async () => {
  const studies = judged.replace('umpire', '{ models: [umpire, b], repeats: 4 }');
  const { lanes, run } = await estimate({ models: twoAndJudge, studies });
  expect(lanes.slice(0, 3).map(({ model, role, answeringModel }) => [model, role, answeringModel])).toEqual([
    ['a', 'study', 'a'],
    ['a', 'judge', 'umpire'],
    ['a', 'judge', 'b'],
  ]);
  // Of 3 tasks 0.75 x (1 - 0.97 ^ 2) break after a loop, 0.13; four repeats of each: 0.53. At most 3 x 4 x 3 asks.
  expect(lanes.slice(1, 3).map(({ newCalls }) => newCalls)).toEqual(
    Array(2).fill({ minimum: 0, expected: 1, maximum: 36 }),
  );
  expect(lanes[1]?.usd?.high).toBeCloseTo(4 * 0.72, 10);
  expect(lanes[2]?.usd?.high).toBeCloseTo((4 * 0.72) / 100, 10);
  expect(run.newCalls.maximum).toBe(2 * (15 + 2 * 36));
});

test('prose and pseudocode: a draft before each program, and no program where the draft is empty', async () => {
  const studies = judged.replace('maxLoops: 3,', 'maxLoops: 3, pair: prose_pseudocode,');
  const { lanes } = await estimate({ models: twoAndJudge, studies });
  // 1 draft at least; 3 drafts, 3 programs and 2 descriptions at most;
  // expected 2 + 3 x (0.75 + 0.75 x 0.97) = 6.4325, of three cells.
  expect(laneOf(lanes, 'a').newCalls).toEqual({ minimum: 3, expected: 19, maximum: 24 });
});

test("a judge's calls cost the judge's price", async () => {
  const { lanes, run } = await estimate({ models: twoAndJudge, studies: judged });
  // 15 answers of 100 tokens and 16 around them at 10 dollars a million; 9 of the judge's 64 + 16 tokens at 1,000.
  expect(laneOf(lanes, 'a').usd?.high).toBeCloseTo(0.0174, 10);
  expect(laneOf(lanes, 'a', 'judge').usd?.high).toBeCloseTo(0.72, 10);
  expect(run.usd?.high).toBeCloseTo(1.4748, 10);
  expect(run.usd?.low).toBe(0);
});

test('a model without a price is named and leaves the sum unknown, whichever role it plays', async () => {
  const models = `[{ id: a, ${priced(1, 1)} }, { id: umpire, provider: account, study: false }]`;
  const { lanes, run, warnings } = await estimate({ models, studies: judged });
  expect(laneOf(lanes, 'a').usd).not.toBeNull();
  expect([laneOf(lanes, 'a', 'judge').usd, run.usd]).toEqual([null, null]);
  expect(warnings.join()).toContain('no price known for umpire');
});

test("tokens are those of the paper's prompts and of the benchmark's own solution", async () => {
  const { lanes } = await estimate({ tasks: 1, models: `[{ id: a, ${priced(1, 1)} }]`, studies: oneLoop });
  const prompt = '"""\nWrite a python function to add 1 to the given number.\nassert add_1(1) == 2\n"""\n';
  const user =
    `Generate Python code for the following task: \n${prompt}\n` +
    'Return only the code, without explanations or comments.';
  // Two messages of 4 tokens next to their text, and 3 for the answer's beginning.
  const input = encode('You are a helpful AI assistant.').length + encode(user).length + 11;
  // At most a token for each byte, 32 around each message and 512 around both.
  const most = Buffer.byteLength(`You are a helpful AI assistant.${user}`) + 2 * 32 + 512;
  const output = encode('```python\ndef add_1(number):\n    return number + 1\n\n```').length;
  expect(laneOf(lanes, 'a')).toMatchObject({
    newInputTokens: { minimum: input, expected: input, maximum: most },
    newOutputTokens: { minimum: 0, expected: output, maximum: 100 },
    newTokens: { minimum: input, expected: input + output, maximum: most + 100 },
  });
});

test('a question that quotes answers is as long as these may be', async () => {
  const studies = oneLoop.replace('maxLoops: 1', 'maxLoops: 2');
  const short = laneOf((await estimate({ tasks: 1, models: `[{ id: a, ${priced(1, 1)} }]`, studies })).lanes, 'a');
  const long = laneOf(
    (await estimate({ tasks: 1, models: `[{ id: a, ${priced(1, 1)} }]`, studies: studies.replace('100', '300') }))
      .lanes,
    'a',
  );
  // One summary quotes a program and one program is asked for by a summary: 200 tokens more in each, of up to 4 bytes.
  expect(long.newInputTokens.maximum - short.newInputTokens.maximum).toBe(1600);
  expect(long.newInputTokens.minimum).toBe(short.newInputTokens.minimum);
  // Three answers.
  expect(long.newOutputTokens.maximum - short.newOutputTokens.maximum).toBe(600);
});

test("a model's own maxTokens count before the study's", async () => {
  const models = `[{ id: a, ${priced(1, 1)}, parameters: { maxTokens: 40 } }]`;
  const { lanes } = await estimate({ models, studies: oneLoop });
  expect(laneOf(lanes, 'a').newOutputTokens.maximum).toBe(3 * 40);
});

test('PromptSE asks m times per prompt; the rewriter once per variant and draw, for all models', async () => {
  const studies =
    '[{ name: moods, kind: promptse, benchmark: tiny, repetitions: 2, settings: { variants: 4, samples: 5, ' +
    'maxDraws: 6, rewriter: umpire } }]';
  const { lanes } = await estimate({ models: twoAndJudge, studies });
  // 3 tasks x (2 originals + 3 distances x 4 variants) cells of 5 samples; 36 variants.
  expect(laneOf(lanes, 'a')).toMatchObject({ cells: 42, newCalls: { minimum: 210, expected: 210, maximum: 210 } });
  expect(laneOf(lanes, null, 'rewriter')).toMatchObject({
    cells: 36,
    newCalls: { minimum: 0, expected: 36, maximum: 216 },
  });
  expect(lanes.map(({ role }) => role)).toEqual(['rewriter', 'study', 'study']);
});

test('programs of RobuNFR are measured where the sandbox can, and the plan says what it cannot', async () => {
  const studies =
    '[{ name: ways, kind: robunfr-prompts, benchmark: tiny, repetitions: 2, settings: { dimensions: [{ name: ' +
    'guard, phrasings: [Guard it] }] } }]';
  const planned = (tier: string) => estimate({ models: '[{ id: a, provider: account }]', studies, tier });
  // 3 tasks x (2 plain + 1 phrasing) = 9 programs at most, and 3 references are timed; 12 a second are timed, 42 a
  // second and core have their quality measured.
  const seconds = (9 + 3) / 12 + 9 / (42 * availableParallelism());
  for (const tier of ['container', 'bubblewrap']) {
    const measured = await planned(tier);
    expect(measured.run.measuringSeconds.maximum).toBeCloseTo(seconds, 10);
    expect(measured.run.timeSeconds.maximum).toBeGreaterThan(seconds);
    expect(measured.headlines).toEqual([]);
  }
  const embedded = await planned('embedded');
  expect(embedded.run.measuringSeconds.maximum).toBe(0);
  expect(embedded.headlines).toEqual([
    expect.stringMatching(/embedded sandbox, ways measures only pass or fail, not quality or time; the container/),
  ]);
});

const guarded = (kind: string, more = '') =>
  `{ name: ${kind}, kind: ${kind}, benchmark: tiny, repetitions: 3, settings: { dimensions: [{ name: guard, ` +
  `phrasings: [Guard it, Check it] }]${more} } }`;

test('equal programs are measured once: plain answers at temperature 0, and what simulated models repeat', async () => {
  const timed = async (model: string, more = '') => {
    const studies = `[${guarded('robunfr-prompts', more)}]`;
    const { run } = await estimate({ models: `[{ id: a, provider: ${model} }]`, studies, tier: 'bubblewrap' });
    // 12 a second are timed, 42 a second and core have their quality measured; 3 references are timed.
    const each = 1 / 12 + 1 / (42 * availableParallelism());
    return [run.measuringSeconds.minimum, run.measuringSeconds.expected, run.measuringSeconds.maximum].map((time) =>
      Math.round((time - 3 / 12) / each),
    );
  };
  // Three tasks of 3 plain answers and 2 phrasings each: all equal, the plain ones equal, all different.
  expect(await timed('account')).toEqual([3, 9, 15]);
  expect(await timed('account', ', temperature: 0.5')).toEqual([3, 15, 15]);
  expect(await timed('simulated')).toEqual([3, 6, 15]);
});

test('what several studies ask one model counts with the first, unless they draw with their own seeds', async () => {
  const planned = async (more = '', order = ['robunfr-prompts', 'robunfr-workflows']) => {
    const studies = `[${order.map((kind) => guarded(kind, more)).join(', ')}]`;
    const { lanes, run } = await estimate({
      models: `[{ id: a, ${priced(0, 10)} }, { id: b, ${priced(0, 10)} }]`,
      studies,
    });
    return [...lanes, run].map(({ newCalls: { minimum, expected, maximum } }) => [minimum, expected, maximum]);
  };
  // Three tasks of 5 questions; with workflows 2 improvements more, where there is plain code.
  const [own, improvements, both] = [
    [15, 15, 15],
    [0, 6, 6],
    [15, 21, 21],
  ];
  expect(await planned()).toEqual([own, own, improvements, improvements, [30, 42, 42]]);
  expect(await planned('', ['robunfr-workflows', 'robunfr-prompts'])).toEqual([
    both,
    both,
    [0, 0, 0],
    [0, 0, 0],
    [30, 42, 42],
  ]);
  expect(await planned(', temperature: 0.5')).toEqual([own, own, both, both, [60, 72, 72]]);
});

test('a study added to a finished run does not ask again what the run has asked, wherever it stands', async () => {
  const { begin, estimate: again } = planFolder();
  const parts = (...kinds: readonly string[]) => ({
    models: `[{ id: a, ${priced(0, 10)} }]`,
    studies: `[${kinds.map((kind) => guarded(kind)).join(', ')}]`,
  });
  const { ledger } = await begin(parts('robunfr-prompts'));
  const page = `${slug('robunfr-prompts')}/${slug('a')}/r1p0000`;
  await ledger.sealPage(await ledger.openUnit(`${page}/step`, await ledger.takeOver('a test')), page, []);
  await ledger.close();
  const { run } = await again(parts('robunfr-workflows', 'robunfr-prompts'));
  expect(run.newCalls).toEqual({ minimum: 0, expected: 6, maximum: 6 });
});

test('log-probabilities take disk only where they are asked for', async () => {
  const settings = (logprobs: boolean): string =>
    '[{ name: moods, kind: promptse, benchmark: tiny, repetitions: 1, settings: { variants: 1, samples: 1, ' +
    `maxTokens: 100, logprobs: ${logprobs} } }]`;
  const disk = async (logprobs: boolean, more = '') => {
    const { lanes } = await estimate({ models: `[{ id: a, ${priced(1, 1)}${more} }]`, studies: settings(logprobs) });
    return laneOf(lanes, 'a').diskBytes.maximum;
  };
  // 12 samples of 740 bytes, 100 tokens of 6 bytes each; 6 more with log-probabilities.
  expect(await disk(false)).toBe(12 * (740 + 600));
  expect(await disk(true)).toBe(12 * (740 + 1200));
  expect(await disk(true, ', parameters: { logprobs: null }')).toBe(12 * (740 + 600));
});

test('what the Temporal database takes on disk is named, since the runs of a folder share it', async () => {
  const { assumptions } = await estimate({ models: twoAndJudge, studies: judged });
  expect(assumptions).toContainEqual(
    expect.stringMatching(/^disk: .* 5 MB more in the runs folder \(\.temporal\), once/),
  );
});

// Red before: not a word.
test('tasks that repeat another one’s prompt are counted', async () => {
  const { warnings } = await estimate({ models: twoAndJudge, studies: judged, twice: true });
  expect(warnings).toEqual([expect.stringContaining("3 of 6 tasks of benchmark tiny repeat another one's prompt")]);
});

test('a budget that the run may use up is told, one that is enough is not', async () => {
  const warningsAt = async (budget: string) =>
    (await estimate({ models: twoAndJudge, studies: judged, budget })).warnings;
  // At most 1.4748, which is not rounded down.
  expect(await warningsAt('{ usd: 1.48 }')).toEqual([]);
  expect(await warningsAt('{ usd: 1.46 }')).toEqual([
    expect.stringMatching(/^the run may stop at its budget of \$1\.46: at least \$0\.00, .* at most \$1\.48;/),
  ]);
  expect(await warningsAt('{ usd: 0.001 }')).toEqual([expect.stringContaining('is expected to stop')]);
  expect(await warningsAt('{ tokens: 10 }')).toEqual([expect.stringContaining('will stop at its budget of 10 tokens')]);
});

test('models on one account share its requests a minute, whatever the account is called', async () => {
  const limited = endpoint.replace('}', ', limits: { requestsPerMinute: 6 } }');
  const models = '[{ id: a, provider: one }, { id: b, provider: two }]';
  const times = async (providers: string) => {
    const { lanes, run } = await estimate({ providers, models, studies: oneLoop });
    return [laneOf(lanes, 'a').timeSeconds.expected, run.timeSeconds.expected].map(Math.round);
  };
  // Three calls at six a minute take 30 s, and six of them a minute.
  expect(await times(`{ one: ${limited}, two: ${limited} }`)).toEqual([30, 60]);
  expect(await times(`{ one: ${limited}, two: ${limited.replace(':9', ':8')} }`)).toEqual([30, 30]);
});

test('a limit per day makes a run wait for the next day, once its quota is used', async () => {
  const days = async (limits: string): Promise<number> => {
    const providers = `{ one: ${endpoint.replace('}', `, limits: { ${limits} } }`)} }`;
    const { run } = await estimate({ providers, models: '[{ id: a, provider: one }]', studies: oneLoop });
    return Math.floor(run.timeSeconds.expected / 86_400);
  };
  // Three calls: all on one day, two and one, one a day.
  expect(await Promise.all([3, 2, 1].map((limit) => days(`requestsPerDay: ${limit}`)))).toEqual([0, 1, 2]);
});

test('tokens a minute and calls in flight limit a run too', async () => {
  const timed = async (limits: string) => {
    const providers = `{ account: ${endpoint.replace('}', `, limits: ${limits} }`)} }`;
    return laneOf(
      (await estimate({ providers, models: '[{ id: a, provider: account }]', studies: oneLoop })).lanes,
      'a',
    );
  };
  // Three empty answers of a second each, one after another or at once.
  expect((await timed('{ concurrency: 1 }')).timeSeconds.minimum).toBe(3);
  expect((await timed('{ concurrency: 3 }')).timeSeconds.minimum).toBe(1);
  const { newTokens, timeSeconds } = await timed('{ tokensPerMinute: 10 }');
  expect(timeSeconds.minimum).toBeCloseTo((newTokens.minimum / 10) * 60, 6);
});

test("a cell's calls wait for one another", async () => {
  const studies = oneLoop.replace('maxLoops: 1', 'maxLoops: 3');
  const { lanes } = await estimate({ models: '[{ id: a, provider: account }]', studies });
  const { timeSeconds, newOutputTokens, newCalls } = laneOf(lanes, 'a');
  // Five answers in a row, although all 15 calls fit into the account at once.
  expect(timeSeconds.expected).toBeCloseTo(5 * (1 + (0.02 * newOutputTokens.expected) / newCalls.expected), 6);
});

// Red when thoughts are left out: a run at high effort would be planned for a tenth of its cost.
test('expected answers have the thoughts that their effort is assumed to need, and it is said', async () => {
  const models = (parameters: string) => `[{ id: a, ${priced(0, 10)}, parameters: { maxTokens: 4000${parameters} } }]`;
  const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1 } }]';
  const plain = await estimate({ models: models(''), studies });
  const high = await estimate({ models: models(', reasoningEffort: medium'), studies });
  const longest = await estimate({ models: models(', reasoningEffort: max'), studies });
  const outputOf = ({ lanes }: typeof plain) => laneOf(lanes, 'a').newOutputTokens;
  expect(plain.assumptions.join('\n')).not.toContain('thoughts');
  expect(high.assumptions.join('\n')).toContain('thoughts: assumed, 1500 tokens per answer at medium; ');
  // Three tasks, one program each.
  expect(outputOf(high)).toEqual({
    ...outputOf(plain),
    expected: outputOf(plain).expected + 3 * 1_500,
  });
  expect(outputOf(longest).expected).toBe(3 * 4_000);
  const [before, after] = [plain.run.usd?.expected ?? 0, high.run.usd?.expected ?? 0];
  expect(after - before).toBeCloseTo((3 * 1_500 * 10) / 1e6, 10);
});

test('each effort of a study is assumed by itself', async () => {
  const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1, efforts: [low, high] } }]';
  const { lanes, assumptions } = await estimate({ models: `[{ id: a, ${priced(0, 10)} }]`, studies });
  const [low, high] = lanes.map(({ newOutputTokens }) => newOutputTokens.expected);
  expect((high ?? 0) - (low ?? 0)).toBe(3 * (5_000 - 500));
  expect(assumptions.join('\n')).toContain('500 tokens per answer at low, 5000 tokens per answer at high');
});
