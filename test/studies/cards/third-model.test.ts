/** A run of three models of which one has only answers that could not be judged: the first sentence is of all three. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cardSection } from '../../../analysis/card/card-section.ts';
import { openRun } from '../../../analysis/database.ts';
import type { Row } from '../../../schemas/tables.ts';
import { cardsOf } from '../../../studies/cards.ts';
import { emptyManifest, writeRun } from '../../analysis/run-fixture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const models = ['good', 'bad', 'unjudged'];
const outcomeOf = (model: string, task: number): string =>
  model === 'unjudged' ? 'missing_dependency' : model === 'good' || task < 10 ? 'pass' : 'wrong_output';
const endingOf: Readonly<Record<string, Row>> = {
  missing_dependency: { ended_by: 'excluded', sustained_loops: 0, ended_outcome: 'missing_dependency' },
  pass: { ended_by: 'survived', sustained_loops: 3 },
  wrong_output: { ended_by: 'code_failed', sustained_loops: 0 },
};

async function answer(): Promise<string> {
  const folder = join(temporaryFolder(), 'r');
  const cells = models.flatMap((model) =>
    Array.from({ length: 30 }, (_, task) => {
      const cell = {
        ...{ run: 'r', study: 'loops', model, benchmark: 'mbpp', task_id: `MBPP/${task}`, language: 'python' },
        ...{ variant: 'original', setting: 'default', repetition: 0, simulated: false },
      };
      return { cell, outcome: outcomeOf(model, task) };
    }),
  );
  const verdicts = cells.map(({ cell, outcome }) => ({
    ...{ ...cell, loop: 1, step: 'generate', sample: 0, suite: 'base', outcome, execution_id: 'e' },
  }));
  const loops = cells.map(({ cell, outcome }) => ({ ...cell, ...endingOf[outcome], similarity: null }));
  const named = models.map((id) => ({ id, provider: 'simulated', strictVersion: false, study: true }));
  await writeRun(
    folder,
    [
      { table: 'verdicts', page: 'loops/m/r1p0000', rows: verdicts },
      { table: 'loops', page: 'loops/m/r1p0000', rows: loops },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run: 'r', model, simulated: false })) },
    ],
    { runId: 'r', spec: { ...emptyManifest.spec, models: named } },
  );
  const database = await openRun(folder);
  onTestFinished(() => database.close());
  const cards = await cardsOf(database);
  const [first] = cardSection(cards, (_run, model) => ({ text: model })).parts;
  return first !== undefined && 'text' in first ? String(first.text) : JSON.stringify(first);
}

// Red before: "Of 2 models, good has the best estimate in passing and loops: bad is shown to be behind it."
test('says how many models there are, and what is with the one that is not compared', async () => {
  expect(await answer()).toBe(
    'Of 3 models, good has the best estimate in passing and loops (each compared for 2 of them): bad is shown to be ' +
      'behind it. unjudged is not compared: none of its answers could be judged.',
  );
});
