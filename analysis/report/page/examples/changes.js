/** What differs between two texts: words marked in each, and lines side by side. */
import { coloured, linesOf } from './code.js';
import { element } from './elements.js';

/** Very different long texts would take seconds: then nothing is marked. */
const limits = { timeout: 500 };

/** The pieces of both texts, with the words that only one has in `del` and `ins`. */
export const markedWords = (before, after) => {
  const parts = Diff.diffWordsWithSpace(before, after, limits);
  if (parts === undefined) return { before: [before], after: [after] };
  const side = (skipped, kept, name) =>
    parts.filter((part) => !part[skipped]).map((part) => (part[kept] ? element(name, {}, part.value) : part.value));
  return { before: side('added', 'removed', 'del'), after: side('removed', 'added', 'ins') };
};

/** One text in which the words that left the other are struck and the new ones are underlined. */
export const changedText = (before, after) => {
  const parts = Diff.diffWordsWithSpace(before, after, limits);
  if (parts === undefined) return [after];
  return parts.map(({ value, added, removed }) =>
    added || removed ? element(added ? 'ins' : 'del', {}, value) : value,
  );
};

/** Rows of a table: both texts line by line, with a mark where they differ. */
export const lineRows = (left, right) => {
  const [ours, theirs] = [left, right].map(({ text, language }) => linesOf(coloured(withoutEnd(text), language)));
  const parts = Diff.diffLines(`${withoutEnd(left.text)}\n`, `${withoutEnd(right.text)}\n`, limits);
  const pairs = pairsOf(parts ?? [part('removed', ours.length), part('added', theirs.length)]);
  return pairs.map(([a, b, same]) => element('tr', {}, ...side(ours, a, same, '−'), ...side(theirs, b, same, '+')));
};

const withoutEnd = (text) => text.replace(/\n+$/, '');
const part = (name, count) => ({ [name]: true, count });

/** The numbers of the lines of both texts by row, null where one has none, and whether they are equal. */
const pairsOf = (parts) => {
  const pairs = [];
  let [a, b] = [0, 0];
  for (let place = 0; place < parts.length; place++) {
    const { added, removed, count } = parts[place];
    const next = removed && parts[place + 1]?.added ? parts[++place].count : 0;
    const gone = added ? 0 : count;
    const come = removed ? next : count;
    for (let row = 0; row < Math.max(gone, come); row++)
      pairs.push([row < gone ? a + row : null, row < come ? b + row : null, !added && !removed]);
    a += gone;
    b += come;
  }
  return pairs;
};

const side = (lines, place, same, sign) =>
  place === null
    ? [element('td', { class: 'line' }), element('td', {})]
    : [
        element('td', { class: 'line' }, `${place + 1}${same ? '' : ` ${sign}`}`),
        element('td', { class: same ? 'same' : sign === '+' ? 'come' : 'gone' }, ...lines[place]),
      ];
