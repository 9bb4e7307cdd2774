import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import type { ChatReply } from '../../../schemas/chat.ts';
import { specSchema } from '../../../schemas/spec.ts';
import type { Task } from '../../../schemas/task.ts';
import { lastDefining } from '../../../domain/extraction/rules/last-defining.ts';
import { codeBy } from '../../../studies/code-of.ts';
import { escaped, framed, promptFrame } from '../../../studies/specificity/frame.ts';
import { importedPoset } from '../../../studies/specificity/imported-set.ts';
import { cppStatements, descriptionFault } from '../../../studies/specificity/leak.ts';
import { setOf } from '../../../studies/specificity/make-set.ts';
import { codeMessages } from '../../../studies/specificity/prompts.ts';
import { writtenByRules } from '../../../studies/specificity/rule-writer.ts';
import type { SpecificityStudy } from '../../../studies/specificity/settings.ts';
import { specificity } from '../../../studies/specificity/study.ts';
import { wordCount } from '../../../studies/specificity/units.ts';
import { describedRange } from '../../../studies/variants/prompt-parts.ts';

const path = join(import.meta.dirname, '../../../data/kernels');
const { tasks } = await loadBenchmark({ name: 'k', format: 'pareval', path, seed: 0 });
const ring = tasks.find(({ taskId }) => taskId === '09_geometry_points_in_ring/omp') as Task;
const head = ring.prompt.slice(0, ring.prompt.indexOf('/*'));
const signature = 'int pointsInRing(std::vector<Point> const& points, double inner, double outer) {';

const spec = specSchema.parse({
  name: 'x',
  models: [{ id: 'm', provider: 'simulated', profile: 'strong' }],
  benchmarks: { k: { format: 'pareval', path: 'x' } },
  studies: [{ name: 's', kind: 'specificity', benchmark: 'k' }],
});
const study = spec.studies[0] as SpecificityStudy;
const { settings } = study;
const nothing = { answer: () => undefined, outcomes: () => undefined };

describe('a C++ task in prompts of different detail', () => {
  it('keeps preamble and signature to the letter in all 42 prompts', () => {
    for (const task of tasks) {
      const set = setOf(settings, task, () => nothing);
      expect(set).toHaveLength(42);
      const own = task.prompt.slice(0, task.prompt.indexOf('/*'));
      const line = task.prompt.split('\n').at(-1) as string;
      for (const { prompt, variant } of set) {
        expect(prompt?.startsWith(own), `${task.taskId} ${variant}`).toBe(true);
        expect(prompt?.endsWith(line), `${task.taskId} ${variant}`).toBe(true);
        expect(prompt?.split('*/').length, `${task.taskId} ${variant}`).toBe(variant === 'minimal' ? 1 : 2);
      }
      for (const { level, words } of set.filter(({ augmentation }) => augmentation === 'summary'))
        expect(words).toBeLessThanOrEqual(level as number);
    }
  });

  it('has no comment at all in the minimal one, also without "Use OpenMP"', () => {
    const minimal = setOf(settings, ring, () => nothing)[0];
    expect(minimal?.prompt).toBe(`${head}${signature}`);
    expect(minimal?.prompt).not.toMatch(/Use OpenMP/);
  });

  it('describes in a comment that nothing closes', () => {
    const frame = promptFrame(ring);
    expect(frame?.description.split('\n')[0]).toMatch(/^Count the points whose distance/);
    if (frame === null) throw new Error('no frame');
    expect(framed(frame, escaped('Do */ this.\nAnd /* that.', 'cpp'))).toBe(
      `${head}/* Do * / this.\n   And / * that.\n*/\n${signature}`,
    );
    const { start, end } = describedRange(ring.prompt, ring.entryPoint);
    expect(ring.prompt.slice(start, end).trim().split('\n')[0]).toBe(frame.description.split('\n')[0]);
    expect(promptFrame({ ...ring, prompt: signature })).toBeNull();
  });

  it('takes the last of two comments, as in ParEval’s inverse FFT', () => {
    const prompt = '/* fft */\nvoid fft(std::vector<int> &x);\n\n/* Invert it. */\nvoid ifft(std::vector<int> &x) {';
    expect(promptFrame({ ...ring, prompt, entryPoint: 'ifft' })).toMatchObject({
      head: '/* fft */\nvoid fft(std::vector<int> &x);\n\n',
      description: 'Invert it.',
      tail: '\nvoid ifft(std::vector<int> &x) {',
    });
  });

  it('works on every one of ParEval’s own prompts', () => {
    const file = join(import.meta.dirname, '../../../../shared/data/pareval-prompts/serial-omp-prompts.json');
    let rows: { prompt: string }[] = [];
    try {
      rows = JSON.parse(readFileSync(file, 'utf8')) as { prompt: string }[];
    } catch {
      return;
    }
    for (const { prompt } of rows) {
      const frame = promptFrame({ ...ring, prompt });
      expect(frame, prompt).not.toBeNull();
      const { head, tail } = frame ?? { head: '', tail: '' };
      const comment = prompt.slice(head.length + 2, prompt.length - tail.length - 2);
      expect(`${head}/*${comment}*/${tail}`).toBe(prompt);
    }
  });

  it('is described by the rules without the solution; a text with the solution is refused', () => {
    const frame = promptFrame(ring);
    const text = writtenByRules(frame?.description ?? '', ring);
    expect(descriptionFault(text, frame?.description ?? '', ring)).toBeNull();
    expect(text).toMatch(/It takes 3 arguments, in this order: `points`, `inner`, `outer`/);
    expect(wordCount(text)).toBeGreaterThan(100);
    const body = ring.reference.slice(ring.prompt.length);
    expect(descriptionFault(`${text}\n${body}`, frame?.description ?? '', ring)).toMatch(/of the solution verbatim/);
    expect(descriptionFault(`${text}\n${signature}\n return 0; }`, frame?.description ?? '', ring)).toBe(
      'it defines pointsInRing itself',
    );
    expect(cppStatements('  // no\n  int a = 1;\n  }\n#include <omp.h>')).toEqual(['int a = 1;']);
  });

  it('is asked for its body', () => {
    const [, question] = codeMessages(ring.prompt, ring);
    expect(question?.content).toMatch(
      /^Complete the C\+\+ function pointsInRing\. Only write the body of the function pointsInRing\.\n\n```cpp\n/,
    );
  });

  it('is read back from a file with its signature, and refused with another', () => {
    const made = setOf(settings, ring, () => nothing);
    const lines = made.map(({ variant, prompt }) => ({ task_id: ring.taskId, variant, prompt }));
    const back = importedPoset(settings, ring, lines as never);
    expect(back.map(({ prompt }) => prompt)).toEqual(made.map(({ prompt }) => prompt));
    const broken = lines.map((line) => ({
      ...line,
      prompt: line.prompt?.replace('double outer', 'float outer') ?? null,
    }));
    expect(importedPoset(settings, ring, broken as never).find(({ variant }) => variant === 'maximal')).toMatchObject({
      status: 'missing',
    });
  });
});

const body =
  'int n = 0;\nif (inner > outer) {\n    return 0;\n}\nfor (Point const& p : points) {\n' +
  '    n += squaredDistance(p) < 1;\n}\nreturn n;';
const codeOf = (text: string): string | null => codeBy(lastDefining, ring, { text } as ChatReply).code;

describe('an answer to a C++ prompt', () => {
  it.each([
    ['in a fence', `\`\`\`cpp\n${body}\n\`\`\``],
    ['with its closing brace', `\`\`\`c++\n${body}\n}\n\`\`\``],
    ['without a fence', body],
  ])('is completed from a body %s', (_how, reply) => {
    const code = codeOf(reply);
    expect(code?.startsWith(ring.prompt)).toBe(true);
    expect(code?.slice(ring.prompt.length).trim()).toBe(`${body}\n}`);
  });

  it('keeps a whole function with its own parameters, new helpers, and the preamble once', () => {
    const own =
      '#include <numeric>\nstruct Point {\n    double x, y;\n};\nstatic int helper(int a) {\n    return a;\n}\n';
    const signature = 'int pointsInRing(std::vector<Point> const& ps, double a, double b)';
    const whole = `${own}${signature} {\n    return helper(1);\n}`;
    const code = codeOf(`Sure:\n\`\`\`cpp\n${whole}\n\nint main() {\n  return 0;\n}\n\`\`\``) ?? '';
    expect(code.match(/struct Point/g)).toHaveLength(1);
    expect(code).toContain('double squaredDistance');
    expect(code).toContain('static int helper(int a)');
    expect(code).toContain('#include <numeric>');
    expect(code).toContain('const& ps, double a, double b) {\n    return helper(1);\n}');
    expect(code).not.toContain('main');
  });

  it('is missing if the reply is prose', () => {
    expect(codeOf('I would count the points one by one.')).toBeNull();
  });
});

it('says for a task in another language what the study accepts', () => {
  expect(specificity.lacks?.({ ...ring, language: 'ruby' }, study)).toBe('tasks in Python or C++');
  expect(specificity.lacks?.({ ...ring, prompt: signature }, study)).toBe('a description and a signature');
  expect(specificity.lacks?.(ring, study)).toBeNull();
});
