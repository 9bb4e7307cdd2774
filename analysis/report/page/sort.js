/** A click on a column head sorts the table. Without this script the rows keep their first order. */
/** A name that the row above has, too, is set in weaker print. */
const markRepeated = (body) => {
  for (const row of body.rows)
    for (const cell of row.querySelectorAll('td.name')) {
      const above = row.previousElementSibling?.cells[cell.cellIndex];
      cell.classList.toggle('again', above?.textContent === cell.textContent);
    }
};
const makeSortable = (head) => {
  const button = document.createElement('button');
  button.append(...[...head.childNodes].filter(({ className }) => className !== 'ends'));
  head.prepend(button);
  button.addEventListener('click', () => {
    const down = head.getAttribute('aria-sort') !== 'descending';
    for (const other of head.parentNode.children) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const body = head.closest('table').tBodies[0];
    const words = head.dataset.sort === 'text';
    const shown = (cell) => (words ? cell.textContent : '');
    const key = (row) => row.cells[head.cellIndex].dataset.v ?? shown(row.cells[head.cellIndex]);
    const compare = (a, b) => (words ? a.localeCompare(b, 'en', { numeric: true }) : a - b);
    const order = (a, b) => (key(a) === '') - (key(b) === '') || (down ? -1 : 1) * compare(key(a), key(b));
    body.append(...[...body.rows].sort(order));
    markRepeated(body);
    body.dispatchEvent(new Event('sorted', { bubbles: true }));
  });
};
const startSorting = (root) => root.querySelectorAll('th[data-sort]').forEach(makeSortable);
startSorting(document);
document.addEventListener('part-added', ({ detail }) => startSorting(detail));
