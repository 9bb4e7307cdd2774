/** What a format can hold comes back when the exported file is imported: ids, order, texts, model and verdicts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf } from '../../../../activities/exchange/exports/csv.ts';
import { resultsText, sampleLine } from '../../../../activities/exchange/exports/evalplus.ts';
import { writeInspect } from '../../../../activities/exchange/exports/inspect.ts';
import { type JudgedAnswer, passedOf } from '../../../../activities/exchange/exports/judged-answers.ts';
import type { ImportedAnswer } from '../../../../activities/exchange/imports/import-format.ts';
import { type ImportFormatName, importFormats } from '../../../../activities/exchange/imports/import-formats.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { answerOf, evaluation, numbered, someAnswers } from './answers.ts';

async function read(format: ImportFormatName, path: string): Promise<ImportedAnswer[]> {
  const found: ImportedAnswer[] = [];
  const readAnswers = await importFormats[format].load();
  for await (const one of readAnswers({ path, columns: new Map(), tasks: null }))
    if (!('fault' in one)) found.push(one);
  return found;
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** The verdicts of an answer, as the format calls suites; none where evenkeel could not judge. */
const verdicts = (answer: JudgedAnswer, by: (suite: string) => string, all: string | null, suites = answer.suites) =>
  [...(all === null ? [] : [{ suite: all, outcome: answer.outcome }]), ...suites].flatMap(({ suite, outcome }) => {
    const passed = passedOf(outcome);
    return passed === null ? [] : [{ by: by(suite), suite, passed }];
  });

const inOrder = (answers: readonly JudgedAnswer[]): readonly JudgedAnswer[] => answers;

/** Inspect reads epoch by epoch. */
const byEpoch = (answers: readonly JudgedAnswer[]): JudgedAnswer[] => {
  const seen = new Map<string, number>();
  return answers
    .map((answer) => {
      const epoch = (seen.get(answer.task_id) ?? 0) + 1;
      seen.set(answer.task_id, epoch);
      return { answer, epoch };
    })
    .toSorted((a, b) => a.epoch - b.epoch)
    .map(({ answer }) => answer);
};

interface Trip {
  readonly format: ImportFormatName;
  readonly file: string;
  write(answers: readonly JudgedAnswer[], file: string): Promise<unknown>;
  order?(answers: readonly JudgedAnswer[]): readonly JudgedAnswer[];
  text(answer: JudgedAnswer): string;
  recorded(answer: JudgedAnswer): readonly object[];
  readonly model: boolean;
}

const program = ({ solution }: JudgedAnswer): string => solution ?? '';
const trips: Readonly<Record<string, Trip>> = {
  csv: {
    ...{ format: 'csv', file: 'a.csv', text: program, model: true },
    write: async (answers, file) => writeFileSync(file, await textOf(csvOf(numbered(answers), ['base', 'plus']))),
    order: byEpoch,
    recorded: (answer) => verdicts(answer, () => 'csv', 'all suites'),
  },
  inspect: {
    ...{ format: 'inspect', file: 'a.eval', text: ({ reply }) => reply, model: true },
    write: (answers, file) => writeInspect(evaluation, numbered(answers), file),
    order: byEpoch,
    recorded: (answer) =>
      verdicts(answer, (suite) => `inspect/${suite === 'all suites' ? 'evenkeel' : suite}`, 'all suites'),
  },
  'evalplus samples': {
    ...{ format: 'evalplus', file: 'a.jsonl', text: program, model: false },
    write: async (answers, file) => writeFileSync(file, answers.map(sampleLine).join('')),
    recorded: () => [],
  },
  'evalplus results': {
    ...{ format: 'evalplus', file: 'a.json', text: program, model: false },
    write: async (answers, file) => writeFileSync(file, await textOf(resultsText(evaluation, numbered(answers)))),
    recorded: (answer) => verdicts(answer, () => 'evalplus', null),
  },
};

test.each(Object.entries(trips))(
  '%s',
  async (_name, { format, file, write, order = inOrder, text, recorded, model }) => {
    const path = join(temporaryFolder(), file);
    await fc.assert(
      fc.asyncProperty(someAnswers, async (answers) => {
        await write(answers, path);
        const found = await read(format, path);
        const seen = found.map((one) => [one.taskId, one.text, one.model ?? null, new Set(one.recorded ?? [])]);
        expect(seen).toEqual(
          order(answers).map((answer) => [
            ...[answer.source_task_id, text(answer), model ? 'm' : null],
            new Set(recorded(answer)),
          ]),
        );
      }),
      { seed: 24, numRuns: 60 },
    );
  },
);

// Red before: `../x` ended the export with a stack trace, and of `a/b` and `a\\b` only one came back.
test('inspect: ids that a path cannot have, or that make the same path, come back', async () => {
  const ids = ['../x', '/x', '..', 'a/b', 'a\\b', 'a%2Fb', 'a//b', 'a/./b', 'a/'];
  const answers = ids.map((id) => answerOf({ task_id: id, source_task_id: id }));
  const path = join(temporaryFolder(), 'a.eval');
  await writeInspect(evaluation, numbered(answers), path);
  expect((await read('inspect', path)).map(({ taskId }) => taskId).toSorted()).toEqual(ids.toSorted());
});
