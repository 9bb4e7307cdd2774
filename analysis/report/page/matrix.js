/** The task matrix: filters by words, what the cell under pointer or focus means, arrow keys from link to link. */
for (const matrix of document.querySelectorAll('.matrix')) {
  const rows = [...matrix.querySelectorAll('tbody tr')];
  const heads = [...matrix.querySelectorAll('thead th')];
  const count = matrix.querySelector('.count');
  const readout = matrix.querySelector('.readout');
  const meanings = JSON.parse(matrix.dataset.meanings);
  const heading = [...readout.childNodes];

  const matches = (text, words) => words.every((word) => text.includes(word));
  const wordsIn = (input) => input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = new Map(rows.map((row) => [row, `${row.cells[0].textContent} ${row.cells[0].title}`.toLowerCase()]));
  const filters = {
    rows(words) {
      for (const row of rows) row.hidden = !matches(textOf.get(row), words);
    },
    columns(words) {
      heads.forEach((head, index) => {
        if (head.dataset.model === undefined) return;
        const hidden = !matches(head.dataset.model.toLowerCase(), words);
        if (head.hidden === hidden) return;
        head.hidden = hidden;
        for (const row of rows) row.cells[index].hidden = hidden;
      });
    },
  };
  const counted = (number, what) => `${number} ${number === 1 ? what : `${what}s`}`;
  matrix.querySelector('.filters').hidden = false;
  for (const input of matrix.querySelectorAll('[data-filter]')) {
    input.addEventListener('input', () => {
      filters[input.dataset.filter](wordsIn(input));
      const tasks = rows.filter((row) => !row.hidden).length;
      const models = heads.filter((head) => head.dataset.model !== undefined && !head.hidden).length;
      count.textContent = `${counted(tasks, 'task')} × ${counted(models, 'model')}`;
    });
  }

  const meaning = (text) => meanings[text] ?? matrix.dataset.meaning.replace('#', () => text);
  const tell = (cell) => {
    const model = cell && heads[cell.cellIndex].dataset.model;
    if (model === undefined) return readout.replaceChildren(...heading);
    const row = cell.parentNode.cells[0];
    const words = row.title === '' ? '' : ` · ${row.title}`;
    readout.textContent = `${row.dataset.v} · ${model}: ${meaning(cell.textContent)}${words}`;
  };
  const body = matrix.querySelector('tbody');
  for (const kind of ['mouseover', 'focusin', 'click'])
    body.addEventListener(kind, ({ target }) => tell(target.closest('td')));
  body.addEventListener('mouseleave', () => tell(undefined));

  // All links are one Tab stop; arrow keys move between them.
  const links = [...body.querySelectorAll('a')];
  for (const link of links.slice(1)) link.tabIndex = -1;
  const linkAt = (cell) => cell?.querySelector('a') ?? undefined;
  const along = (cell, step) => {
    for (let next = step(cell); next; next = step(next))
      if (linkAt(next) && !next.hidden && !next.parentNode.hidden) return linkAt(next);
  };
  const steps = {
    ArrowRight: (cell) => cell.nextElementSibling,
    ArrowLeft: (cell) => cell.previousElementSibling,
    ArrowDown: (cell) => cell.parentNode.nextElementSibling?.cells[cell.cellIndex],
    ArrowUp: (cell) => cell.parentNode.previousElementSibling?.cells[cell.cellIndex],
  };
  body.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    const link = step && event.target.closest('a') && along(event.target.closest('td'), step);
    if (!link) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    link.tabIndex = 0;
    link.focus();
  });
}
