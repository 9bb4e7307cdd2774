/**
 * Says what a number is when one points at it or taps it: its row and column, its value, the column's meaning, n and
 * the method. Marks say their text when they have the focus, too. Without this script, `title` says a part of it.
 */
const tip = document.createElement('div');
tip.className = 'tip';
tip.id = 'tip';
tip.setAttribute('role', 'tooltip');
tip.hidden = true;
document.body.append(tip);
let about = null;

/** The browser's own tooltip would come too: the text moves where only this script sees it. */
const textOf = (node) => {
  if (node.title) {
    node.dataset.tip = node.title;
    node.removeAttribute('title');
  }
  return node.dataset.tip ?? '';
};
/** All its texts, those on lines of their own apart. */
const squeezed = (node) => {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode.data.trim());
  return texts.filter(Boolean).join(' ');
};
const headOf = (cell) => cell.closest('table').tHead?.rows[0]?.cells[cell.cellIndex];

/** n is the cell's own, or that of the row's column n or of the column that the table names, or the table says it. */
const countOf = (cell) => {
  if (cell.dataset.n) return `n = ${cell.dataset.n}`;
  const table = cell.closest('table');
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map(squeezed);
  const said = table.dataset.n ?? '';
  const place =
    said !== '' && heads.includes(said) ? heads.indexOf(said) : heads.findIndex((head) => /(^| )n$/.test(head));
  if (place === cell.cellIndex) return '';
  return place < 0 ? said : `n = ${cell.parentNode.cells[place]?.textContent.trim()}`;
};

/** A line below a value that is two numbers is its interval. */
const valueText = (node) => {
  const text = node.textContent.trim();
  const isInterval = node.className === 'range' && /^[^a-z–]*\d[^a-z–]* – [^a-z–]+$/i.test(text);
  return isInterval ? `interval ${text}` : text;
};

const cellLines = (cell) => {
  const head = headOf(cell);
  const names = [cell.parentNode.cells[0], head].filter((node) => node && node !== cell).map(squeezed);
  const hint = textOf(cell);
  const value = [...cell.childNodes].filter(({ nodeName }) => nodeName !== 'BR').map(valueText);
  const n = countOf(cell);
  const meaning = head ? textOf(head) : '';
  const said = hint === '' ? [value.filter(Boolean).join(' · ')] : hint.split('\n');
  const more = [meaning, n, hint === '' ? (cell.closest('table').dataset.method ?? '') : ''];
  const leads = cell.querySelector('a[href^="#examples"]') ? 'A click shows the examples behind it.' : '';
  return [names.filter(Boolean).join(' · '), ...said, ...more, leads].filter(Boolean);
};

const linesOf = (node) => {
  if (node.matches('td') && !node.classList.contains('name')) return cellLines(node);
  if (node.matches('svg a')) return (node.getAttribute('aria-label') ?? '').split(/(?<=:) |, /);
  return textOf(node).split('\n');
};

const place = (node) => {
  const { left, bottom, top } = node.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const room = document.documentElement.clientWidth - width - 8;
  tip.style.left = `${Math.max(8, Math.min(left, room))}px`;
  tip.style.top = `${bottom + height + 12 < innerHeight ? bottom + 6 : Math.max(8, top - height - 6)}px`;
};

const hide = () => {
  about?.removeAttribute('aria-describedby');
  about = null;
  tip.hidden = true;
};

const show = (node) => {
  const [first, ...others] = linesOf(node);
  if (!first) return hide();
  if (about !== node) hide();
  about = node;
  const line = (text, name) => Object.assign(document.createElement(name), { textContent: text });
  tip.replaceChildren(line(first, 'b'), ...others.map((text) => line(text, 'div')));
  tip.hidden = false;
  node.setAttribute('aria-describedby', 'tip');
  place(node);
};

/** Cells with a number, and whatever else has a text of its own. Grids say theirs in a line of their own. */
const aboutOf = (target) => {
  if (!(target instanceof Element)) return null;
  const node = target.closest('button.tag, svg a, td, th, [title], [data-tip]');
  if (node === null || node.closest('.grid, dialog')) return null;
  if (node.matches('td') && !node.matches('.n, .bars, [title], [data-tip]')) return null;
  return node;
};

let wait;
document.addEventListener('mouseover', ({ target }) => {
  const node = aboutOf(target);
  if (node === about && node !== null) return;
  clearTimeout(wait);
  if (node === null) return hide();
  // Moved at once, so that the browser's own tooltip does not come first.
  textOf(node);
  wait = setTimeout(() => show(node), tip.hidden ? 180 : 60);
});
document.addEventListener('focusin', ({ target }) => {
  const node = aboutOf(target);
  if (node?.matches('button.tag, svg a')) show(node);
  else if (target.closest?.('td.bars a')) show(target.closest('td'));
});
document.addEventListener('focusout', hide);
document.addEventListener('click', ({ target }) => {
  const node = aboutOf(target);
  clearTimeout(wait);
  if (node !== null && !target.closest('a, th')) show(node);
  else hide();
});
document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide());
document.addEventListener('scroll', hide, true);
