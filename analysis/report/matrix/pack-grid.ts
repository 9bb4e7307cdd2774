/** A grid as one short block of text inside the page, which the page's script unpacks. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { visibleJson } from '../html.ts';
import type { Grid, GridCell } from '../part.ts';

/** A letter of `cells` below this place of the palette is one byte; the letters after it avoid control characters. */
const short = { first: 0x23, letters: 57 };
const longFirst = 0x4e00;

/** JSON of the grid, compressed, as base64. `cells` has one letter per cell: by condition, then model, then row. */
export async function packGrid(grid: Grid): Promise<string> {
  const palette = paletteOf(grid);
  const { models, conditions, varies, rows, examples } = grid;
  const taskPlace = new Map(rows.map(({ task }, place) => [task, place]));
  const modelPlace = new Map(models.map(({ id }, place) => [id, place]));
  const packed = {
    models: models.map(({ id, simulated }) => [id, simulated]),
    conditions,
    varies,
    tasks: rows.map(({ task, words, tag }) => [task, words, tag ?? '']),
    palette: [...palette.keys()].map(({ text, value, meaning }) => [text, value, meaning]),
    letters: { ...short, longFirst },
    cells: letters(grid, palette),
    examples: examples.map(({ id, task, model, condition }) => [
      ...[taskPlace.get(task), modelPlace.get(model)],
      ...[condition, id],
    ]),
  };
  return (await promisify(gzip)(visibleJson(packed))).toString('base64');
}

/** Every distinct cell with its place. */
function paletteOf({ rows }: Grid): Map<GridCell, number> {
  const palette = new Map<GridCell, number>();
  for (const { cells } of rows)
    for (const cell of cells.flat()) if (!palette.has(cell)) palette.set(cell, palette.size);
  return palette;
}

function letters({ models, conditions, rows }: Grid, palette: ReadonlyMap<GridCell, number>): string {
  const letterOf = new Map([...palette].map(([cell, place]) => [cell, letterAt(place)]));
  return conditions
    .flatMap((_, condition) =>
      models.map((_, model) => rows.map(({ cells }) => letterOf.get(cells[condition]?.[model] as GridCell)).join('')),
    )
    .join('');
}

const letterAt = (place: number): string =>
  String.fromCharCode(place < short.letters ? short.first + place : longFirst + place);
