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

/** What has the focus in the list keeps it, although its row is made anew. */
const renewList = () => {
  const focused = byId('example-list').contains(document.activeElement) ? document.activeElement.hash : null;
  readIndex();
  showList(Math.max(pageSize, rowsShown));
  if (focused) byId('example-list').querySelector(`a[href="${focused}"]`)?.focus({ preventScroll: true });
};

let isStarted = false;
const startExamples = () => {
  if (isStarted || !byId('example-data')) return;
  isStarted = true;
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
  document.addEventListener('examples-changed', renewList);
};
startExamples();
document.addEventListener('part-added', startExamples);
