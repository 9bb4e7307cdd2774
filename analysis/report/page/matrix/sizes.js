/** Widths and heights in pixels. All rows are equally high and all columns of cells equally wide. */
export const rowHeight = 26;
export const mostColumnsWithWords = 16;
const leastWords = 160;
const mostWords = 440;
const mostHead = 225;

export function gridSizes(grid, view, table, room) {
  const pen = document.createElement('canvas').getContext('2d');
  const { fontSize, fontFamily } = getComputedStyle(table);
  pen.font = `500 ${fontSize} ${fontFamily}`;
  const widest = (texts) => texts.reduce((most, text) => Math.max(most, pen.measureText(text).width), 0);
  const names = widest(grid.tasks.map(({ name, tag }) => (tag === '' ? name : `${name} ${tag}   `)));
  const task = Math.ceil(Math.min(names + 26, Math.max(120, 0.38 * room)));
  const column = Math.ceil(Math.max(30, widest(grid.looks.map(({ text }) => text)) + 12));
  const mean = 56;
  const left = room - task - mean - column * view.columns.length - 2;
  const told = view.columns.length <= mostColumnsWithWords && left >= leastWords;
  const words = told ? Math.ceil(Math.min(left, mostWords, widest(grid.tasks.map(({ words: text }) => text)) + 20)) : 0;
  const head = Math.ceil(Math.min(mostHead, widest(view.columns.map(({ name }) => `${name} *`))) + 14);
  return { task, words, mean, column, head, before: task + words + mean };
}

/** From one place of many to another; a few more than can be seen, so that not every scroll step draws. */
export function placesSeen(from, to, { count, spare, step }) {
  const first = Math.floor((Math.floor(from) - spare) / step) * step;
  const last = Math.ceil((Math.ceil(to) + spare) / step) * step;
  return { first: Math.max(0, first), last: Math.max(0, Math.min(count, last)) };
}
