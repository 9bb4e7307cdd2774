import { describe, expect, it } from 'vitest';
import { specSchema } from '../../../schemas/spec.ts';
import type { Task } from '../../../schemas/task.ts';
import { importedPoset } from '../../../studies/specificity/imported-set.ts';
import {
  draftAt,
  type MakingCell,
  maximalOf,
  setOf,
  summaryAt,
  summaryOf,
} from '../../../studies/specificity/make-set.ts';
import { labelsIn } from '../../../studies/specificity/prompts.ts';
import { orderRows } from '../../../studies/specificity/rows.ts';
import { type SpecificityStudy, taxonomyOf } from '../../../studies/specificity/settings.ts';
import type { Answer, At } from '../../../studies/cell-state.ts';

function studyWith(settings: object): SpecificityStudy {
  const { studies } = specSchema.parse({
    name: 'x',
    models: [{ id: 'm', provider: 'simulated' }],
    benchmarks: {},
    studies: [{ name: 's', kind: 'specificity', benchmark: 'b', settings }],
  });
  const [study] = studies;
  if (study?.kind !== 'specificity') throw new Error('no study');
  return study;
}

const task: Task = {
  taskId: 'T/1',
  sourceTaskId: '1',
  language: 'python',
  prompt: 'import os\n\n\ndef total(numbers):\n    """Add all numbers and give back the sum."""\n',
  entryPoint: 'total',
  reference:
    'def total(numbers):\n    result = 0\n    for number in numbers:\n        result += number\n    return result\n',
  suites: [{ name: 'base', inputs: [[[1, 2]]], expected: [3], oracle: { rule: 'equal' } }],
  recordSha256: 'x',
};

const good = 'Add up all the numbers that are given.\n\nThe sum of no numbers is zero. Give the sum back.';
const leak =
  'Do this, for all of the numbers that you get:\nresult = 0\nfor number in numbers:\n' +
  '  result += number\nreturn result';

const answerOf = (text: string, status: Answer['status'] = 'ok'): Answer => ({
  status,
  reply: {
    ...{ text, finishReason: 'stop', returnedModel: null, fingerprint: null, inputTokens: null, cachedTokens: null },
    ...{ outputTokens: null, reasoningTokens: null, logprobs: null },
  },
});

const same = (a: At, b: At): boolean => a.step === b.step && a.loop === b.loop && a.ask === b.ask;

/** Answers to drafts 1, 2, ... and whether the checker solved each. */
const writing = (drafts: readonly string[], solved: readonly boolean[] = []): MakingCell => ({
  answer: (at) =>
    drafts.map((text, index) => (same(at, draftAt('write', index + 1)) ? answerOf(text) : undefined)).find(Boolean),
  outcomes: (at) => {
    const passed = solved[at.loop - 1];
    return passed === undefined || at.step !== 'generate'
      ? undefined
      : [{ suite: 'base', outcome: passed ? 'pass' : 'wrong_output' }];
  },
});

const summarizing = (answers: readonly Answer[]): MakingCell => ({
  answer: (at) => answers.find((_, ask) => same(at, summaryAt(ask))),
  outcomes: () => undefined,
});

describe('maximal prompt', () => {
  const { settings } = studyWith({ writer: 'w', maxDraws: 3 });
  const checked = studyWith({ writer: 'w', checker: 'c', maxDraws: 3 }).settings;

  it('is the first draft that keeps to the rules; a leaked solution is not used', () => {
    expect(maximalOf(settings, task, writing([leak, good]))).toEqual({
      text: good,
      status: 'accepted',
      reason: 'the whole body of the solution verbatim (1)',
      attempts: 2,
    });
  });

  it('is missing if every draft leaks, with the reasons counted', () => {
    expect(maximalOf(settings, task, writing([leak, leak, 'Short.']))).toEqual({
      text: null,
      status: 'missing',
      reason: 'the whole body of the solution verbatim (2), it says less than the original: 1 of 8 words (1)',
      attempts: 3,
    });
  });

  it('is drafted again until the checker solves the task from it', () => {
    const second = `${good} Nothing else.`;
    expect(maximalOf(checked, task, writing([good, second], [false, true]))).toMatchObject({
      text: second,
      status: 'accepted',
      reason: 'not solved by c: wrong_output (1)',
    });
  });

  it('is the last valid draft, flagged, if the checker solves none', () => {
    const second = `${good} Nothing else.`;
    expect(maximalOf(checked, task, writing([good, second, leak], [false, false]))).toMatchObject({
      text: second,
      status: 'flagged',
      attempts: 3,
    });
  });

  it('removes tags, thoughts and an enclosing fence, and lets nothing close the docstring', () => {
    const reply = `<think>hm</think>\n<description>\n\`\`\`\n${good} """ \\\n\`\`\`\n</description>`;
    expect(maximalOf(settings, task, writing([reply])).text).toBe(`${good} '' \\\\`);
  });
});

describe('summary', () => {
  const { settings } = studyWith({ summarizer: 's', summaryAsks: 3 });
  const long = answerOf('one two three four five. Six seven eight nine ten eleven');

  it('is the first one within its limit', () => {
    expect(summaryOf(settings, task, 5, good, summarizing([long, answerOf('Add them all up.')]))).toEqual({
      text: 'Add them all up.',
      status: 'accepted',
      reason: '11 of 5 words (1)',
      attempts: 2,
    });
  });

  it('is cut to its limit and flagged if the summarizer ignores it', () => {
    expect(summaryOf(settings, task, 6, good, summarizing([long, long, long]))).toEqual({
      text: 'one two three four five.',
      status: 'flagged',
      reason: 'cut to the limit: 11 of 6 words (3)',
      attempts: 3,
    });
  });

  it('is missing if no reply comes', () => {
    expect(
      summaryOf(settings, task, 6, good, summarizing([answerOf('', 'refusal'), answerOf(''), answerOf('', 'empty')])),
    ).toEqual({
      text: null,
      status: 'missing',
      reason: 'empty (2), refusal (1)',
      attempts: 3,
    });
  });
});

describe('set of a task', () => {
  const study = studyWith({});
  const set = setOf(study.settings, task, () => writing([]));
  const promptOf = (variant: string): string => set.find((record) => record.variant === variant)?.prompt ?? '';

  it('has 42 prompts without a model, each with preamble and signature to the letter', () => {
    expect(set).toHaveLength(42);
    for (const { prompt, status } of set) {
      expect(status).toBe('accepted');
      expect(prompt?.startsWith('import os\n\n\ndef total(numbers):\n')).toBe(true);
    }
    expect(promptOf('minimal')).toBe('import os\n\n\ndef total(numbers):\n');
    expect(promptOf('original')).toBe(task.prompt);
  });

  it('holds every summary to its limit', () => {
    for (const { augmentation, level, words } of set)
      if (augmentation === 'summary') expect(words).toBeLessThanOrEqual(level ?? 0);
  });

  it('is read back unchanged from a file, with what the file lacks or breaks', () => {
    const lines = set.map(({ variant, prompt }) => ({ task_id: 'T/1', distance: null, variant, prompt }));
    const imported = importedPoset(study.settings, task, lines);
    expect(imported.map(({ variant, prompt, words }) => [variant, prompt, words])).toEqual(
      set.map(({ variant, prompt, words }) => [variant, prompt, words]),
    );
    const broken = importedPoset(study.settings, task, [
      { task_id: 'T/1', distance: null, variant: 'maximal', prompt: 'def other(x):\n  pass' },
    ]);
    expect(broken.filter(({ status }) => status === 'missing')).toHaveLength(40);
    expect(broken.find(({ variant }) => variant === 'maximal')?.reason).toBe('preamble or signature is not the task’s');
  });

  it('knows which prompts contain which word for word', () => {
    const rows = orderRows(study, task, set);
    expect(rows).toHaveLength(292);
    const included = (lower: string, upper: string) =>
      rows.find((row) => row['lower'] === lower && row['upper'] === upper)?.['included'];
    expect(included('minimal', 'maximal')).toBe(true);
    expect(included('paragraphs-0.2-1', 'maximal')).toBe(true);
    expect(included('mask-0.2-1', 'maximal')).toBe(true);
    expect(included('mask-0.8-1', 'mask-0.2-4')).toBe(false);
  });
});

describe('labels', () => {
  const taxonomy = taxonomyOf(studyWith({}).settings);

  it('are read from numbers, with or without names, in the order of the taxonomy', () => {
    expect(labelsIn('2.3, 1.1', taxonomy)).toEqual(['1.1', '2.3']);
    expect(labelsIn('- 1.1 Task goal\n- 4.1: Sample I/O pairs\n', taxonomy)).toEqual(['1.1', '4.1']);
    expect(labelsIn('<think>1.5?</think>none', taxonomy)).toEqual([]);
  });

  it('are read with meanings, full stops and brackets of a list', () => {
    const { name = '', meaning = '' } = taxonomy.categories[0]?.themes[1] ?? {};
    expect(labelsIn(`1.1.\n* 1.2 - ${name}: ${meaning}\n2.1) Complexity targets`, taxonomy)).toEqual([
      '1.1',
      '1.2',
      '2.1',
    ]);
    expect(labelsIn(`1.2: ${meaning}`, taxonomy)).toEqual(['1.2']);
  });

  // Red before: each was taken for the themes whose numbers items begin with.
  it.each([
    '1.1: yes\n1.2: no\n2.1: no',
    '1.1 - absent',
    '1.1 and 2.1',
    '1.1 to 2.1',
    '1.1, 2.1 (unsure about 2.2)',
    '1.1 applies; 1.1 does not apply',
  ])('are missing where something else stands behind a number: %s', (reply) => {
    expect(labelsIn(reply, taxonomy)).toBeNull();
  });

  it('are missing in prose, and with an unknown theme', () => {
    expect(labelsIn('The prompt says what the goal is.', taxonomy)).toBeNull();
    expect(labelsIn('1.1, 9.9', taxonomy)).toBeNull();
    expect(labelsIn('', taxonomy)).toBeNull();
  });

  it("are those of the paper's four categories and twenty themes", () => {
    expect(taxonomy.categories.map(({ themes }) => themes.length)).toEqual([5, 5, 6, 4]);
  });
});
