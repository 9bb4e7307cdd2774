/** A study whose prompts a model labels or writes: that model's own cells are told apart from those. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { status } from '../../../cli/commands/status.ts';
import { lanesApart, makesPrompts } from '../../../cli/follow/making-lanes.ts';
import { createTerminal } from '../../../cli/output/terminal.ts';
import { planFolder } from '../../activities/estimate/planned-spec.ts';

const studyOf = (labeller: string): string =>
  `[{ name: detail, kind: specificity, benchmark: tiny, settings: { labeller: ${labeller} } }]`;
const models = '[{ id: a, provider: simulated }, { id: b, provider: simulated }]';

/** The lines of `status` with counts, of a run that has asked nothing yet. */
async function shown(labeller: string): Promise<string[]> {
  const { home, ledger } = await planFolder().begin({ tasks: 2, models, studies: studyOf(labeller) });
  await ledger.close();
  const said: string[] = [];
  const terminal = { ...createTerminal(false), out: (text: string) => void said.push(text), note: () => {} };
  await status('planned', { runsDir: dirname(home.folder) }, { ...terminal, document: () => {} });
  return said
    .join('\n')
    .split('\n')
    .filter((line) => /^cells |│ detail/.test(line))
    .map((line) => line.replaceAll(/\s*│\s*/g, ' ').trim());
}

// Red before: "detail a 0 / 2n", where b has "0 / n".
test('the labelling is a line of its own, and the models have as many cells as each other', async () => {
  const [counts = '', ...lanes] = await shown('a');
  const [, cells = ''] = / (\d+) 0$/.exec(lanes[0] ?? '') ?? [];
  const [, labelled = ''] = / (\d+) 0$/.exec(lanes[1] ?? '') ?? [];
  expect(lanes).toEqual([
    `detail a 0 / ${cells} 0`,
    `detail a, as labeller 0 / ${labelled} 0`,
    `detail b 0 / ${cells} 0`,
  ]);
  const all = 2 * Number(cells) + Number(labelled);
  expect(counts).toContain(`cells 0 / ${all}, of them 0 / ${labelled} for prompts · `);
});

test('without a labeller nothing is told apart', async () => {
  const [counts, ...lanes] = await shown('none');
  expect(counts).toMatch(/^cells 0 \/ \d+ · pages/);
  expect(lanes).toHaveLength(2);
});

test('a model that is not under study has only the line of what it does', async () => {
  const { manifest, ledger } = await planFolder().begin({ tasks: 2, models, studies: studyOf('a') });
  await ledger.close();
  const making = [{ study: 'detail', model: 'a', cells: 6, cellsDone: 3, answered: 4 }];
  expect(makesPrompts(manifest.spec)).toBe(true);
  expect(lanesApart(making, making, manifest.spec)).toEqual([{ ...making[0], role: 'labeller' }]);
});
