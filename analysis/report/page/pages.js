/**
 * Shows one page at a time: the one that holds what the address names. The links above, the browser's back and every
 * address in the page work alike. Without this script all pages stand one after another.
 */
const pagesNow = () => [...document.querySelectorAll('[data-page]')];
/** What an address names; text after a question mark belongs to what it names. Null for an example. */
const targetOf = (hash) => {
  const [id] = decodeURIComponent(hash.slice(1)).split('?');
  return id === '' ? pagesNow()[0] : document.getElementById(id);
};
const show = (page, isNew = true) => {
  for (const other of pagesNow()) other.classList.toggle('shown', other === page);
  for (const link of document.querySelectorAll('nav.pages a')) {
    const isCurrent = link.hash === `#${page.id}`;
    if (isCurrent) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    if (isCurrent && isNew) link.scrollIntoView({ block: 'nearest', inline: 'center' });
  }
};
const unfold = (target) => {
  for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
};

// An entry of the browser's history remembers how far the reader had scrolled.
const remember = () => history.replaceState({ ...history.state, scrolled: scrollY }, '');
let pause;

const follow = () => {
  clearTimeout(pause);
  const target = targetOf(location.hash);
  const page = target?.closest('[data-page]');
  if (!page) return;
  show(page);
  unfold(target);
  const scrolled = history.state?.scrolled;
  if (scrolled !== undefined) scrollTo(0, scrolled);
  else if (target === page) scrollTo(0, 0);
  else target.scrollIntoView();
};

/** A link to every heading that has an address. */
const linkHeadings = (root) => {
  for (const heading of root.querySelectorAll('[data-page] :is(h2, h3, h4)')) {
    const id = heading.id || heading.parentElement.id;
    if (heading.lastElementChild?.className === 'anchor' || id === '') continue;
    if (heading.id === '' && heading.parentElement.firstElementChild !== heading) continue;
    const link = document.createElement('a');
    link.className = 'anchor';
    link.href = `#${id}`;
    link.textContent = '#';
    link.setAttribute('aria-label', 'Link to this part');
    heading.append(link);
  }
};

let isOpen = false;
const startPages = () => {
  history.scrollRestoration = 'manual';
  addEventListener('scroll', () => {
    clearTimeout(pause);
    pause = setTimeout(remember, 150);
  });
  addEventListener('click', ({ target }) => target.closest?.('a[href^="#"]') && remember(), true);
  addEventListener('hashchange', follow);
  // A page that is served gets parts, and whole pages, while a run goes.
  document.addEventListener('part-added', () => linkHeadings(document));
  document.addEventListener('pages-changed', () => {
    const shown = pagesNow().find(({ classList }) => classList.contains('shown'));
    if (isOpen && shown) show(shown, false);
    else openPages();
  });
};
const openPages = () => {
  if (pagesNow().length === 0) return;
  isOpen = true;
  show(pagesNow()[0]);
  follow();
  linkHeadings(document);
};
if (pagesNow().length > 0 || document.body.dataset.live) startPages();
openPages();
