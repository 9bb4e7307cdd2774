/** The grid behind a matrix: its block of text, unpacked. */
export async function unpackGrid(block) {
  const bytes = Uint8Array.from(atob(JSON.parse(block.textContent)), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const { models, conditions, varies, tasks, palette, letters, cells, examples } = await new Response(stream).json();
  const looks = palette.map(([text, value, meaning]) => ({ text, value, meaning }));
  const placeOf = (letter) => letter - (letter < letters.longFirst ? letters.first : letters.longFirst);
  const exampleName = (row, model, condition) => `${row} ${model} ${condition}`;
  const idOf = new Map(examples.map(([row, model, condition, id]) => [exampleName(row, model, condition), id]));
  return {
    models: models.map(([name, simulated]) => ({ name, simulated })),
    conditions,
    varies,
    tasks: tasks.map(([name, words, tag]) => ({ name, words, tag, text: `${name} ${tag} ${words}`.toLowerCase() })),
    looks,
    cellAt: (row, { model, condition }) =>
      looks[placeOf(cells.charCodeAt((condition * models.length + model) * tasks.length + row))],
    exampleAt: (row, { model, condition }) =>
      idOf.get(exampleName(row, model, condition)) ?? idOf.get(exampleName(row, model, null)),
  };
}
