/** What all parts of a report share: names, colours, links. */
import type { DataCell } from './part.ts';
import type { Report } from './report.ts';
import { modelColor } from './style.ts';
import type { ExampleCell, HeldExample, ReportContext } from './study-report.ts';

/** Colours are given in the order of the boards, so that the best of many models get different ones. */
export function contextOf(
  { runs, calls, studies }: Report,
  { examples, exampleOf }: Pick<ReportContext, 'examples' | 'exampleOf'> = noExamples,
): ReportContext {
  const models = [...new Set([...studies.flatMap((study) => study.models), ...calls.map(({ model }) => model)])];
  const colorOf = (id: string): string => modelColor(Math.max(0, models.indexOf(id)));
  const simulated = new Set(runs.flatMap(({ run, simulatedModels }) => simulatedModels.map((id) => nameOf(run, id))));
  const model = (run: string, id: string, under?: readonly string[]): DataCell => ({
    text: id,
    model: { color: colorOf(id), simulated: simulated.has(nameOf(run, id)) },
    ...(under === undefined ? {} : { under }),
  });
  return { severalRuns: runs.length > 1, model, colorOf, exampleOf, examples };
}

const noExamples: Pick<ReportContext, 'examples' | 'exampleOf'> = { examples: [], exampleOf: () => undefined };

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** Maps a cell to its example: the first repetition, if the page holds it, else any other. */
export function exampleLinks(
  examples: readonly HeldExample[],
  ids: ReadonlySet<string>,
): Pick<ReportContext, 'examples' | 'exampleOf'> {
  const cellName = ({ run, study, benchmark, language, setting, taskId, model }: ExampleCell): string =>
    nameOf(run, study, benchmark, language, setting, taskId, model);
  const linkOf = new Map<string, string>();
  const held = examples.filter(({ id }) => ids.has(id));
  for (const example of held) {
    const name = cellName(example);
    if (example.variant !== 'original') continue;
    if (example.repetition === 0 || !linkOf.has(name)) linkOf.set(name, example.id);
  }
  return { examples: held, exampleOf: (cell) => linkOf.get(cellName(cell)) };
}
