/**
 * Exchanges the parts of a page whose markup has changed, and leaves all others: what the reader scrolled, opened,
 * sorted, typed or chose stays.
 */

/** The markup of each element as it was served, before scripts changed it, and what tells it from its siblings. */
const served = new WeakMap();

/** Elements whose children are parts of their own. */
const isGroup = (node) =>
  ['MAIN', 'NAV', 'SECTION', 'UL', 'DL'].includes(node.tagName) ||
  (node.tagName === 'DETAILS' && !node.classList.contains('taken')) ||
  (node.tagName === 'DIV' && (node.className === '' || ['panels', 'live-head'].includes(node.className)));

const keyOf = (node) => {
  const heading = node.querySelector(':scope > :is(h1, h2, h3, h4, summary)')?.textContent ?? '';
  return [node.tagName, node.id, node.className.replace(' shown', ''), heading].join('|');
};

export const remember = (parent) => {
  for (const node of parent.children) {
    served.set(node, { markup: node.outerHTML, key: keyOf(node) });
    if (isGroup(node)) remember(node);
  }
};

/** The longest common order of two lists of names, as pairs of places. */
const inCommon = (some, others) => {
  const lengths = Array.from({ length: some.length + 1 }, () => new Uint16Array(others.length + 1));
  for (let a = some.length - 1; a >= 0; a--)
    for (let b = others.length - 1; b >= 0; b--)
      lengths[a][b] =
        some[a] === others[b] ? lengths[a + 1][b + 1] + 1 : Math.max(lengths[a + 1][b], lengths[a][b + 1]);
  const pairs = [];
  for (let [a, b] = [0, 0]; a < some.length && b < others.length; )
    if (some[a] === others[b]) pairs.push([a++, b++]);
    else if (lengths[a + 1][b] >= lengths[a][b + 1]) a++;
    else b++;
  return pairs;
};

const controls = ':is(.filters, .finder) :is(input, select)';
const switches = '.finder button';
const focusable = 'a[href], button, input, select, summary, [tabindex]';
const within = (root, selector) => [root, ...root.querySelectorAll('*')].filter((node) => node.matches(selector));

/** What the reader did to a part, as a function that does it to its successor. */
const stateOf = (node) => {
  const opened = within(node, 'details').map(({ open }) => open);
  const scrolled = within(node, '.wide, .grid-box').map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  const chosen = within(node, controls).map(({ value }) => value);
  const pressed = within(node, switches).map((button) => button.getAttribute('aria-pressed'));
  const sorted = within(node, 'th[data-sort]').map((head) => head.getAttribute('aria-sort'));
  const focus = within(node, focusable).indexOf(document.activeElement);
  return (next) => {
    within(next, 'details').forEach((fold, at) => {
      if (at < opened.length) fold.open = opened[at];
    });
    within(next, 'th[data-sort] > button').forEach((button, at) => {
      if (sorted[at]) button.click();
      if (sorted[at] === 'ascending') button.click();
    });
    within(next, switches).forEach((button, at) => {
      if (pressed[at] === 'true') button.click();
    });
    within(next, controls).forEach((control, at) => {
      if (chosen[at] === undefined || chosen[at] === control.value) return;
      control.value = chosen[at];
      control.dispatchEvent(new Event('input'));
    });
    within(next, '.wide, .grid-box').forEach((box, at) => {
      box.scrollTo(...(scrolled[at] ?? [0, 0]));
    });
    if (focus >= 0) within(next, focusable)[focus]?.focus({ preventScroll: true });
  };
};

const add = (parent, node, after) => {
  if (after === null) parent.prepend(node);
  else after.after(node);
  served.set(node, { markup: node.outerHTML, key: keyOf(node) });
  if (isGroup(node)) remember(node);
  document.dispatchEvent(new CustomEvent('part-added', { detail: node }));
};

/** @param successors gets the successor of each part that is taken away */
const replace = (node, next, successors) => {
  const carry = stateOf(node);
  // A matrix is drawn a moment later: until then it keeps its place.
  const isMatrix = next.matches('.matrix');
  if (isMatrix) {
    next.style.minHeight = `${node.offsetHeight}px`;
    next.addEventListener('matrix-started', () => {
      carry(next);
      next.style.minHeight = '';
    });
  }
  add(node.parentNode, next, node);
  node.remove();
  successors.set(node, next);
  if (!isMatrix) carry(next);
};

const exchangeParts = (parent, fresh, successors) => {
  const before = [...parent.children].filter((node) => served.has(node));
  const after = [...fresh.children].map((node) => ({ node, markup: node.outerHTML, key: keyOf(node) }));
  const keys = before.map((node) => served.get(node).key);
  const pairs = new Map(
    inCommon(
      keys,
      after.map(({ key }) => key),
    ).map(([a, b]) => [b, before[a]]),
  );
  const kept = new Set(pairs.values());
  for (const node of before) if (!kept.has(node)) node.remove();
  let last = null;
  after.forEach(({ node, markup, key }, place) => {
    const old = pairs.get(place);
    if (old === undefined) {
      add(parent, node, last);
      last = node;
      return;
    }
    last = old;
    if (served.get(old).markup === markup) return;
    if (isGroup(node) && isGroup(old)) {
      served.set(old, { markup, key });
      exchangeParts(old, node, successors);
    } else {
      replace(old, node, successors);
      last = node;
    }
  });
};

/** Covered by the bar of pages. */
const barHeight = 48;

/** The first part that the reader sees, and where. */
const firstSeen = (parent) => {
  for (const node of parent.children) {
    if (!served.has(node)) continue;
    const { top, bottom, height } = node.getBoundingClientRect();
    if (height === 0 || bottom <= barHeight) continue;
    return (isGroup(node) ? firstSeen(node) : null) ?? { node, top };
  }
  return null;
};

/** Makes `live` what `fresh` is. What the reader sees stays where it is. */
export const exchange = (live, fresh) => {
  const successors = new Map();
  const seen = scrollY > 0 ? firstSeen(document.body) : null;
  exchangeParts(live, fresh, successors);
  if (seen === null) return;
  const now = successors.get(seen.node) ?? seen.node;
  if (now.isConnected) scrollBy(0, now.getBoundingClientRect().top - seen.top);
};
