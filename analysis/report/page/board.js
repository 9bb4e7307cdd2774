/**
 * A board of many rows names only its first and last ones; the others are low, like those of a dot plot, until they are
 * found by words, pointed at, or all names are asked for. Without this script all rows are named.
 */
const startBoard = (table) => {
  const named = Number(table.dataset.named);
  const finder = table.closest('.taken').querySelector('.finder');
  const [field, all] = [finder.querySelector('input'), finder.querySelector('button')];
  const body = table.tBodies[0];
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = [...body.rows];
    const found = rows.filter((row) => words.every((word) => row.cells[0].textContent.toLowerCase().includes(word)));
    for (const row of rows) row.hidden = !found.includes(row);
    const isWhole = words.length > 0 || all.getAttribute('aria-pressed') === 'true';
    found.forEach((row, place) => {
      row.classList.toggle('low', !isWhole && place >= named && place < found.length - named);
    });
    const low = found.filter((row) => row.classList.contains('low')).length;
    const counted = `${found.length} of ${rows.length}`;
    finder.querySelector('.count').textContent =
      words.length > 0
        ? counted
        : low > 0
          ? `${named} at the top and ${named} at the bottom of ${rows.length} named`
          : '';
  };
  field.addEventListener('input', show);
  all.addEventListener('click', () => {
    all.setAttribute('aria-pressed', String(all.getAttribute('aria-pressed') !== 'true'));
    show();
  });
  body.addEventListener('sorted', show);
  // A link to a row that is low gives it its name.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const row = target?.closest('tr');
    if (row?.closest('table') !== table) return;
    row.classList.remove('low');
    row.hidden = false;
  };
  addEventListener('hashchange', reveal);
  finder.hidden = false;
  show();
  reveal();
};
document.querySelectorAll('table[data-named]').forEach(startBoard);
document.addEventListener('part-added', ({ detail }) =>
  detail.querySelectorAll('table[data-named]').forEach(startBoard),
);
