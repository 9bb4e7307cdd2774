/** Starts the examples: reads the index, and follows the address (#examples?..., #x-...). */
import { readIndex } from './data.js';
import { followExample, startDialog } from './dialog.js';
import { byId } from './elements.js';
import { allNames, changeFilter, readFilter, whenFilterChanges } from './filters.js';
import { pageSize, rowsShown, showList, showMore } from './list.js';

const followAddress = () => {
  if (/^#examples(\?|$)/.test(location.hash)) {
    readFilter();
    showList();
  }
  followExample();
};

if (byId('example-data')) {
  readIndex();
  byId('example-words').addEventListener('input', ({ target }) => changeFilter('words', target.value.trim()));
  for (const name of Object.keys(allNames))
    byId(`example-${name}`).addEventListener('input', ({ target }) => changeFilter(name, target.value));
  byId('example-more').addEventListener('click', () => showMore());
  byId('examples').querySelector('.filters').hidden = false;
  whenFilterChanges(() => showList());
  showList();
  startDialog();
  addEventListener('hashchange', followAddress);
  followAddress();
  // A page that is served changes while a run goes: the filters and the rows shown stay.
  document.addEventListener('examples-changed', () => {
    readIndex();
    showList(Math.max(pageSize, rowsShown));
  });
}
