import { describe, expect, test } from 'vitest';
import type { ChatBody } from '../../simulator/chat-body.ts';
import { createSimulatedModel } from '../../simulator/model.ts';
import { simulatedProfile, simulatedProfiles } from '../../simulator/profile.ts';
import type { SimulatedProfile } from '../../simulator/profile.ts';
import { codeOf, codePrompt, isReference, madeUpTasks } from './tasks.ts';

const body = (content: string, more: Partial<ChatBody> = {}): ChatBody => ({
  model: 'any',
  messages: [{ role: 'user', content }],
  temperature: 0,
  ...more,
});
const modelOf = (profile: SimulatedProfile) => createSimulatedModel({ name: 'any', profile, tasks: madeUpTasks });
const textOf = (profile: SimulatedProfile, content: string, more: Partial<ChatBody> = {}) =>
  modelOf(profile).answer(body(content, more)).choices[0]?.text ?? '';
const perfect = simulatedProfile({ competence: 1 });
const [task] = madeUpTasks;
if (task === undefined) throw new Error('no tasks');
const prompt = codePrompt(task.description);

const solvedCount = (profile: SimulatedProfile) =>
  madeUpTasks.filter((each) => isReference(codeOf(textOf(profile, codePrompt(each.description))), each)).length;

describe('determinism', () => {
  test('a greedy answer is the same from another instance and under another seed', () => {
    const profile = simulatedProfile({ competence: 0.5, sensitivity: 0.5, logprobs: true });
    for (const { description } of madeUpTasks) {
      const ask = (seed: number) => modelOf(profile).answer(body(codePrompt(description), { seed, logprobs: true }));
      expect(ask(1)).toEqual(ask(2));
    }
  });

  test('a sampled answer is fixed by its seed and differs between seeds', () => {
    const ask = (seed: number) => textOf(simulatedProfile({ competence: 0.5 }), prompt, { temperature: 1, seed });
    expect(ask(3)).toBe(ask(3));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => ask(seed))).size).toBeGreaterThan(1);
  });

  test('the choices of one sampled request differ and those of a greedy one do not', () => {
    const texts = (temperature: number) =>
      new Set(
        modelOf(simulatedProfile({ competence: 0.5 }))
          .answer(body(prompt, { temperature, n: 20 }))
          .choices.map(({ text }) => text),
      ).size;
    expect(texts(1)).toBeGreaterThan(1);
    expect(texts(0)).toBe(1);
  });
});

describe('code', () => {
  // Red before: HumanEval/61, brackets "(", was answered with HumanEval/56, brackets "<".
  test('of two functions with one name and the same words, it answers the one that is written in the prompt', () => {
    const twins = ['<', '('].map((bracket) => ({
      taskId: `Twin/${bracket}`,
      entryPoint: 'matched',
      description: `def matched(text):\n    """ text is a string of "${bracket}" signs.\n    """\n`,
      reference: `def matched(text):\n    return text.count('${bracket}')\n`,
      wrong: [],
    }));
    const model = createSimulatedModel({ name: 'any', profile: perfect, tasks: twins });
    for (const twin of twins) {
      const reply = model.answer(body(codePrompt(twin.description))).choices[0]?.text ?? '';
      expect(isReference(codeOf(reply), twin)).toBe(true);
    }
  });

  test('a perfect model solves every clear prompt and one without competence none', () => {
    expect(solvedCount(perfect)).toBe(40);
    expect(solvedCount(simulatedProfile({ competence: 0 }))).toBe(0);
  });

  test('strong solves more than weak, and whatever weak solves greedily without sensitivity, strong does too', () => {
    expect(solvedCount(simulatedProfiles.strong)).toBeGreaterThan(solvedCount(simulatedProfiles.weak));
    const solved = (competence: number) =>
      new Set(
        madeUpTasks.filter((each) =>
          isReference(codeOf(textOf(simulatedProfile({ competence }), codePrompt(each.description))), each),
        ),
      );
    const strong = solved(0.8);
    for (const each of solved(0.4)) expect(strong).toContain(each);
  });

  test('sixteen samples at full temperature pass about as often as competence says', () => {
    const model = modelOf(simulatedProfile({ competence: 0.6 }));
    const samples = madeUpTasks.flatMap((each) =>
      Array.from({ length: 16 }, (_, seed) => {
        const answer = model.answer(body(codePrompt(each.description), { temperature: 1, seed }));
        return isReference(codeOf(answer.choices[0]?.text ?? ''), each);
      }),
    );
    // 640 fair draws of 0.6 have a standard error of 0.019; four of them.
    expect(Math.abs(samples.filter(Boolean).length / samples.length - 0.6)).toBeLessThan(0.078);
  });

  test('no task is solved when the prompt lacks the entry point', () => {
    for (const each of madeUpTasks) {
      const answer = textOf(perfect, codePrompt(each.description.replaceAll(each.entryPoint, 'f')));
      expect(answer).not.toContain(each.entryPoint);
    }
  });

  test('no task is solved when the prompt lacks the description', () => {
    for (const each of madeUpTasks) {
      const answer = textOf(perfect, codePrompt(`"""\nassert ${each.entryPoint}(1) == 1\n"""\n`));
      expect(isReference(codeOf(answer), each)).toBe(false);
    }
  });

  test('a task is recognized in a system prompt, upper case and redundant words', () => {
    const assertLine = task.description.split('\n')[2] ?? '';
    const shouted = task.description
      .split('\n')
      .map((line) => (line === assertLine ? line : line.toUpperCase()))
      .join('\n');
    expect(
      isReference(codeOf(textOf(perfect, `Please implement with care and follow best practices.\n${shouted}`)), task),
    ).toBe(true);
  });

  test('sensitivity makes wording decide: with it, rewording changes which tasks are solved', () => {
    const reworded = (profile: SimulatedProfile) =>
      madeUpTasks.filter((each) => {
        const ask = (text: string) => isReference(codeOf(textOf(profile, text)), each);
        return ask(codePrompt(each.description)) !== ask(`Please, ${codePrompt(each.description)}`);
      }).length;
    expect(reworded(simulatedProfile({ competence: 0.5 }))).toBe(0);
    expect(reworded(simulatedProfile({ competence: 0.5, sensitivity: 1 }))).toBeGreaterThan(5);
  });
});

describe('loops of code and summary', () => {
  const summaryPrompt = (code: string) =>
    'Use one sentence to summarize the following code and start with write a python function to:\n' +
    `\`\`\`\n${code}\n\`\`\`\n\`\`\`\nwrite a python function to\n\`\`\``;

  function loop(profile: SimulatedProfile, each: (typeof madeUpTasks)[number]) {
    const summaries: string[] = [];
    let description = each.description;
    while (summaries.length < 10) {
      const code = codeOf(textOf(profile, codePrompt(description)));
      if (!isReference(code, each)) break;
      const summary = textOf(profile, summaryPrompt(code));
      summaries.push(summary);
      description = `"""\n${summary}\n${each.description.split('\n')[2]}\n"""\n`;
    }
    return summaries;
  }

  test('a model without drift tells the description again unchanged and sustains all loops', () => {
    const told = task.description.split('\n')[1]?.replace('Write a function', 'Write a python function');
    expect(loop(perfect, task)).toEqual(Array.from({ length: 10 }, () => told));
  });

  test('losing two of ten words a loop, a model has said 8, 6, 4, 2, 0 and never sustains a sixth loop', () => {
    const drifting = simulatedProfile({ competence: 1, driftPerLoop: 0.2 });
    const told = (summary: string) => summary.match(/\b(?!function)\w{8}\b/g)?.length ?? 0;
    const loops = madeUpTasks.map((each) => loop(drifting, each));
    expect(Math.max(...loops.map(({ length }) => length))).toBe(5);
    expect(loop(drifting, task).map(told)).toEqual([8, 6, 4, 2, 0].slice(0, loops[0]?.length));
    expect(loops[0]?.length).toBeGreaterThan(1);
  });

  test('mean loops order strong above drifting above weak', () => {
    const meanLoops = (profile: SimulatedProfile) =>
      madeUpTasks.reduce((sum, each) => sum + loop(profile, each).length, 0) / 40;
    const [strong, drifting, weak] = [simulatedProfiles.strong, simulatedProfiles.drifting, simulatedProfiles.weak].map(
      meanLoops,
    );
    expect(strong).toBeGreaterThan(drifting ?? Number.NaN);
    expect(drifting).toBeGreaterThan(weak ?? Number.NaN);
  });
});

describe('similarity scores', () => {
  const judgePrompt = (first: string, second: string) =>
    [
      'Compare the semantic similarity of these two code generation prompts. ' +
        'Consider both the prompts and their generated code outputs.\n',
      `Prompt 1: ${first}\nGenerated Code 1: def f(): pass\n`,
      `Prompt 2: ${second}\nGenerated Code 2: def f(): pass\n`,
      'Return only a similarity score between 0 and 1\n',
      'Score:',
    ].join('\n');
  const score = (first: string, second: string) =>
    Number(/[\d.]+$/.exec(textOf(perfect, judgePrompt(first, second)))?.[0]);

  test('equal prompts score 1, disjoint ones 0, half-shared words their share of all words', () => {
    expect(score('sort numbers upward', 'sort numbers upward')).toBe(1);
    expect(score('sort numbers upward', 'reverse letters quickly')).toBe(0);
    expect(score('sort numbers', 'sort letters')).toBe(0.33);
  });

  test('an unparseable judge gives no number', () => {
    const judge = simulatedProfile({ judge: { unparseable: 1 } });
    expect(textOf(judge, judgePrompt('sort numbers', 'sort numbers'))).not.toMatch(/\d/);
  });
});

describe('what comes with an answer', () => {
  test('one negative log-probability per token, only when asked for and given', () => {
    const ask = (logprobs: boolean, given: boolean) =>
      modelOf(simulatedProfile({ competence: 1, logprobs: given })).answer(body(prompt, { logprobs }));
    const { choices, outputTokens } = ask(true, true);
    expect(choices[0]?.logprobs).toHaveLength(outputTokens);
    expect(choices[0]?.logprobs?.every((value) => value <= 0)).toBe(true);
    expect(ask(false, true).choices[0]?.logprobs).toBeNull();
    expect(ask(true, false).choices[0]?.logprobs).toBeNull();
  });

  test('max_tokens cuts the text and says so', () => {
    const { choices, outputTokens } = modelOf(perfect).answer(body(prompt, { max_tokens: 5 }));
    expect(choices[0]?.finishReason).toBe('length');
    expect(outputTokens).toBe(5);
  });

  test.each([
    ['empty', { text: '', refusal: null }],
    ['refusal', { text: '', refusal: expect.stringContaining('sorry') }],
    ['truncated', { finishReason: 'length' }],
    ['proseOnly', { text: expect.not.stringContaining('def ') }],
  ] as const)('the %s mishap shows in the choice and stays when asked again', (fault, shown) => {
    const model = modelOf(simulatedProfile({ faults: { [fault]: 1 } }));
    const first = model.answer(body(prompt));
    expect(first.choices[0]).toMatchObject(shown);
    expect(model.answer(body(prompt))).toEqual(first);
  });

  test('the wrong-model mishap changes the name that comes back', () => {
    expect(modelOf(simulatedProfile({ faults: { wrongModel: 1 } })).answer(body(prompt)).model).toBe('any-fallback');
    expect(modelOf(perfect).answer(body(prompt)).model).toBe('any');
  });
});
