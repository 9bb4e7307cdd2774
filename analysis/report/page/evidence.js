/**
 * A row whose numbers all lead to the same examples has their address once: each of its numbers becomes a link. Without
 * this script there are no examples to see.
 */
const linkNumbers = (root) => {
  for (const row of root.querySelectorAll('tr[data-link]'))
    for (const cell of row.querySelectorAll('td:is(.n, .bars)[data-v]')) {
      if (cell.querySelector('a') !== null) continue;
      const link = document.createElement('a');
      link.href = row.dataset.link;
      const end = cell.querySelector(':scope > br');
      while (cell.firstChild !== end && cell.firstChild !== null) link.append(cell.firstChild);
      cell.prepend(link);
    }
};
linkNumbers(document);
document.addEventListener('part-added', ({ detail }) => linkNumbers(detail));
