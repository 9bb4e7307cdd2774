/** The window that shows one example, opened by its address (#x-...). */
import { codePlace, showBeside } from './beside.js';
import { loadExample } from './data.js';
import { byId, element } from './elements.js';
import { shown } from './list.js';
import { exampleView } from './view.js';

const inAddress = () => (location.hash.startsWith('#x-') ? location.hash.slice('#x-'.length) : null);

let shownId = '';

/** Where to return to when the window closes. */
let addressBefore = '';

/** @param address of one example, or of two codes to compare, with ~ between them */
const showExample = async (address) => {
  const [{ id }, other] = address.split('~').map(codePlace);
  const example = await loadExample(id);
  if (address !== inAddress()) return;
  if (example === undefined) return complain('This report does not hold that example.');
  if (id !== shownId) {
    byId('example-body').replaceChildren(...exampleView(example));
    byId('example').scrollTop = 0;
  }
  shownId = id;
  await showBeside(example, address.split('~')[0], other === undefined ? '' : address.split('~')[1]);
  const at = shown.findIndex((one) => one.id === id);
  lead(byId('example-before'), shown[at - 1], at);
  lead(byId('example-next'), shown[at + 1], at);
};

/** Makes the button open the neighbour in the list; disabled if there is none. */
const lead = (button, next, at) => {
  button.disabled = at === -1 || next === undefined;
  button.onclick = () => location.replace(`#x-${next.id}`);
};

const complain = (text) => {
  shownId = '';
  byId('example-body').replaceChildren(element('p', { id: 'example-title' }, text));
};

export const followExample = () => {
  const dialog = byId('example');
  const address = inAddress();
  if (address === null) {
    addressBefore = location.hash;
    return dialog.close();
  }
  if (!dialog.open) dialog.showModal();
  showExample(address).catch((error) => complain(`The example cannot be shown: ${error.message}`));
};

export const startDialog = () => {
  const dialog = byId('example');
  byId('example-close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    shownId = '';
    if (inAddress() !== null) history.replaceState(history.state, '', location.href.split('#')[0] + addressBefore);
  });
};
