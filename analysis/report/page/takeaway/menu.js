/**
 * Saves tables and figures. A button holds, packed, what it needs beyond the page; one menu serves all buttons.
 * Nothing is set up when the page opens, so parts may come and go.
 */
import { columnsOf, picture, pngOf, svgType } from './picture.js';

const unpack = ({ dataset }) => {
  const bytes = Uint8Array.from(atob(dataset.take), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).json();
};

/** One specification for several panels: what only the outermost may have is taken from the first. */
const together = (specs, { title, caption }) => {
  if (specs.length === 1) return specs[0];
  const outer = new Set(['$schema', 'config', 'background', 'padding', 'description']);
  const units = specs.map((spec) => Object.fromEntries(Object.entries(spec).filter(([name]) => !outer.has(name))));
  const { $schema, config, background } = specs[0];
  const columns = columnsOf(specs.length);
  return { $schema, title, description: caption, background, config, columns, concat: units };
};

// What a button offers.
const figuresOf = (button) =>
  button.closest('figure') === null
    ? [...button.closest('.taken').querySelectorAll('figure')]
    : [button.closest('figure')];
const tableOffers = ({ name, csv, md, tex }) => [
  ['Save as CSV', () => save(`${name}.csv`, csv, 'text/csv')],
  ['Save as Markdown', () => save(`${name}.md`, md, 'text/markdown')],
  ['Save as LaTeX', () => save(`${name}.tex`, tex, 'application/x-tex')],
  ['Copy as Markdown', () => navigator.clipboard.writeText(md)],
  ['Copy as LaTeX', () => navigator.clipboard.writeText(tex)],
];
const figureOffers = async (button, packed) => {
  const figures = figuresOf(button);
  const specs = (
    await Promise.all(figures.map(async (figure) => (await unpack(figure.querySelector('.take'))).spec))
  ).filter((spec) => spec !== undefined);
  const offers = [
    ['Save as SVG', () => save(`${packed.name}.svg`, picture(figures, packed).svg, svgType)],
    ['Save as PNG', async () => save(`${packed.name}.png`, await pngOf(picture(figures, packed)), 'image/png')],
  ];
  if (specs.length < figures.length) return offers;
  const spec = () => JSON.stringify(together(specs, packed), null, 1);
  return [...offers, ['Save as Vega-Lite', () => save(`${packed.name}.vl.json`, spec(), 'application/json')]];
};
const save = (name, content, type) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = `${document.title.split(' · ', 1)[0].replaceAll(/[^\w.@-]+/g, '-')}-${name}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

// The menu.
const menuOf = () => {
  const found = document.getElementById('take-menu');
  if (found !== null) return found;
  const menu = document.createElement('div');
  Object.assign(menu, { id: 'take-menu', popover: 'auto', role: 'menu' });
  menu.addEventListener('keydown', moveInMenu);
  document.body.append(menu);
  return menu;
};
const moveInMenu = (event) => {
  const items = [...event.currentTarget.children];
  const at = items.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (event.key === 'Tab') event.currentTarget.hidePopover();
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length).focus();
};
const menuItem = (menu, button, [text, act]) => {
  const item = document.createElement('button');
  Object.assign(item, { type: 'button', role: 'menuitem', textContent: text, tabIndex: -1 });
  item.addEventListener('click', () => {
    menu.hidePopover();
    button.focus();
    (async () => act())().catch((error) => {
      button.textContent = `Not saved: ${error.message}`;
    });
  });
  return item;
};
const openMenu = async (button) => {
  const packed = await unpack(button);
  const offers = packed.csv === undefined ? await figureOffers(button, packed) : tableOffers(packed);
  const menu = menuOf();
  menu.ariaLabel = button.textContent;
  menu.replaceChildren(...offers.map((offer) => menuItem(menu, button, offer)));
  menu.showPopover();
  const { left, right, bottom } = button.getBoundingClientRect();
  const start = Math.max(4, left + menu.offsetWidth > innerWidth - 4 ? right - menu.offsetWidth : left);
  Object.assign(menu.style, { left: `${start + scrollX}px`, top: `${bottom + scrollY + 2}px` });
  menu.firstElementChild.focus();
};
document.addEventListener('click', (event) => {
  const button = event.target.closest?.('.take');
  if (button) void openMenu(button);
});
