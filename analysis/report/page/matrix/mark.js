/** Makes nodes: an element with its attributes, and the gaps of a matrix. */
export const mark = (name, attributes, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};

export const gapCell = () => mark('td', { class: 'gap', 'aria-hidden': 'true' });
export const gapRow = (columns) =>
  mark('tr', { class: 'gap', 'aria-hidden': 'true' }, mark('td', { colspan: columns, class: 'gap' }));

/** @param lead place of the gap before the cells; another gap follows them */
export function slideCells(node, lead, { now, next, make }) {
  for (let place = now.first; place < Math.min(next.first, now.last); place++) node.children[lead + 1].remove();
  for (let place = Math.max(next.last, now.first); place < now.last; place++) node.lastChild.previousSibling.remove();
  const start = node.children[lead + 1];
  for (let place = next.first; place < Math.min(now.first, next.last); place++) start.before(make(place));
  for (let place = Math.max(now.last, next.first); place < next.last; place++) node.lastChild.before(make(place));
}
