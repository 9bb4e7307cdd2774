/**
 * Shows one page at a time: the one that holds what the address names. The links above, the browser's back and every
 * address in the page work alike. Without this script all pages stand one after another.
 */
const pages = [...document.querySelectorAll('[data-page]')];
if (pages.length > 0) {
  const links = [...document.querySelectorAll('nav.pages a')];
  /** What an address names; text after a question mark belongs to what it names. Null for an example. */
  const targetOf = (hash) => {
    const [id] = decodeURIComponent(hash.slice(1)).split('?');
    return id === '' ? pages[0] : document.getElementById(id);
  };
  const show = (page) => {
    for (const other of pages) other.classList.toggle('shown', other === page);
    for (const link of links) {
      const isCurrent = link.hash === `#${page.id}`;
      if (isCurrent) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
      if (isCurrent) link.scrollIntoView({ block: 'nearest', inline: 'center' });
    }
  };
  const unfold = (target) => {
    for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  };

  // An entry of the browser's history remembers how far the reader had scrolled.
  history.scrollRestoration = 'manual';
  const remember = () => history.replaceState({ ...history.state, scrolled: scrollY }, '');
  let pause;
  addEventListener('scroll', () => {
    clearTimeout(pause);
    pause = setTimeout(remember, 150);
  });
  addEventListener('click', ({ target }) => target.closest?.('a[href^="#"]') && remember(), true);

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
  addEventListener('hashchange', follow);
  show(pages[0]);
  follow();

  // A link to every heading that has an address.
  for (const heading of document.querySelectorAll('[data-page] :is(h2, h3, h4)')) {
    const id = heading.id || heading.parentElement.id;
    if (id === '' || (heading.id === '' && heading.parentElement.firstElementChild !== heading)) continue;
    const link = document.createElement('a');
    link.className = 'anchor';
    link.href = `#${id}`;
    link.textContent = '#';
    link.setAttribute('aria-label', 'Link to this part');
    heading.append(link);
  }
}
