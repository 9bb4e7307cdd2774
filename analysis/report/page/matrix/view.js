/** What is shown of a grid: its columns, its rows and their order. */
export const wordsIn = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
const hasAll = (text, words) => words.every((word) => text.includes(word));

/** One column per model under a condition, or one per condition of a model. */
export function columnsOf({ models, conditions }, { model, condition }) {
  if (model === null)
    return models.map(({ name, simulated }, place) => ({ name, simulated, model: place, condition, place }));
  const { simulated } = models[model];
  return conditions.map(({ name, sum }, place) => ({ name, simulated, sum, model, condition: place, place }));
}

/** Of each row, over the columns that sum up no others; null if none has a value. */
function meansOf(grid, columns) {
  const counted = columns.some(({ sum }) => !sum) ? columns.filter(({ sum }) => !sum) : columns;
  return grid.tasks.map((_, row) => {
    let [total, count] = [0, 0];
    for (const column of counted) {
      const { value } = grid.cellAt(row, column);
      if (value === null) continue;
      total += value;
      count++;
    }
    return count === 0 ? null : total / count;
  });
}

/** Null, if one of the cells has no value. */
function flipOf(grid, row, pair) {
  const [a, b] = pair.map((column) => {
    const { value } = grid.cellAt(row, column);
    const { passes, most } = grid.conditions[column.condition];
    return value === null ? null : { passes: value >= passes, share: value / most };
  });
  if (!a || !b) return null;
  return { first: a.passes, second: b.passes, flips: a.passes !== b.passes, gap: Math.abs(a.share - b.share) };
}

/** Tasks that only the first column passes, then those that only the second passes, then the others by difference. */
function flipsFirst(grid, pair) {
  const flips = grid.tasks.map((_, row) => flipOf(grid, row, pair));
  const rank = (flip) => {
    if (flip === null) return 3;
    return flip.flips ? Number(flip.second) : 2;
  };
  const order = (a, b) => rank(flips[a]) - rank(flips[b]) || (flips[b]?.gap ?? 0) - (flips[a]?.gap ?? 0);
  return { flips, order };
}

const collator = new Intl.Collator('en', { numeric: true });

/** By a column of numbers or by the names of tasks; what has no value comes last. */
function orderBy(grid, means, { key, down }, columns) {
  const sign = down ? -1 : 1;
  if (key === 'task') return (a, b) => sign * collator.compare(grid.tasks[a].name, grid.tasks[b].name);
  const column = columns[key];
  const value = key === 'mean' ? (row) => means[row] : (row) => grid.cellAt(row, column).value;
  return (a, b) => {
    const [one, other] = [value(a), value(b)];
    return (one === null) - (other === null) || sign * (one - other);
  };
}

/** The rows and columns to draw, for what the reader chose. */
export function viewOf(grid, chosen) {
  const all = columnsOf(grid, chosen);
  const means = meansOf(grid, all);
  const pair = chosen.pair.every((place) => all[place]) ? chosen.pair.map((place) => all[place]) : [];
  const compared = pair.length === 2 ? flipsFirst(grid, pair) : null;
  const found = all.filter((column) => !pair.includes(column) && hasAll(column.name.toLowerCase(), chosen.columnWords));
  const hardest = orderBy(grid, means, { key: 'mean', down: false }, all);
  const order = chosen.sort === null ? (compared?.order ?? hardest) : orderBy(grid, means, chosen.sort, all);
  const rows = grid.tasks.map((_, row) => row).filter((row) => hasAll(grid.tasks[row].text, chosen.rowWords));
  return {
    all,
    means,
    pair,
    flips: compared?.flips ?? null,
    columns: [...pair, ...found],
    rows: rows.sort((a, b) => order(a, b) || hardest(a, b)),
  };
}
