/**
 * The examples: a list with filters, and a window that shows one, opened by its address (#x-...). Everything that
 * models wrote is put into the page as text, never as markup.
 */
const source = document.getElementById('example-data');
if (source) {
  const byId = (id) => document.getElementById(id);
  const { examples, chunks, examplesPerChunk } = JSON.parse(source.textContent);
  const placeOf = new Map(examples.map(({ id }, place) => [id, place]));

  /** An element with attributes and children; string children become text. */
  const element = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children.filter((child) => child !== null));
    return made;
  };
  const plain = (name) => name.replaceAll('_', ' ');

  // The list.
  const pageSize = 25;
  const list = byId('example-list').tBodies[0];
  const [words, model, result] = ['example-words', 'example-model', 'example-result'].map(byId);
  let shown = [];
  let rowsShown = 0;

  const fill = (select, all, values) => {
    select.append(
      element('option', { value: '' }, all),
      ...[...new Set(values)]
        .sort((a, b) => a.localeCompare(b))
        .map((value) => element('option', { value }, plain(value))),
    );
  };
  fill(
    model,
    'all models',
    examples.map((example) => example.model),
  );
  fill(
    result,
    'all results',
    examples.map((example) => example.result),
  );

  const matches = (example) => {
    const text = `${example.taskId} ${example.model} ${example.study}`.toLowerCase();
    return (
      (model.value === '' || example.model === model.value) &&
      (result.value === '' || example.result === result.value) &&
      words.value
        .toLowerCase()
        .split(/\s+/)
        .every((word) => text.includes(word))
    );
  };
  const listRow = (example) => {
    const { id, taskId, study, variant } = example;
    const link = element('a', { href: `#x-${id}` }, taskId);
    const tag = example.simulated ? element('span', { class: 'tag' }, 'simulated') : null;
    return element(
      'tr',
      {},
      element('td', {}, link),
      element('td', { class: 'name' }, example.model, tag),
      element('td', {}, plain(example.result)),
      element('td', { class: 'n' }, example.sustainedLoops === null ? '–' : String(example.sustainedLoops)),
      element('td', {}, variant === 'original' ? study : `${study}, ${variant}`),
    );
  };
  const showMore = () => {
    list.append(...shown.slice(rowsShown, rowsShown + pageSize).map(listRow));
    rowsShown = Math.min(shown.length, rowsShown + pageSize);
    byId('example-more').hidden = rowsShown === shown.length;
    byId('example-count').textContent = `${rowsShown} of ${shown.length} shown`;
  };
  const showList = () => {
    shown = examples.filter(matches);
    list.replaceChildren();
    rowsShown = 0;
    showMore();
  };
  for (const control of [words, model, result]) control.addEventListener('input', showList);
  byId('example-more').addEventListener('click', showMore);
  byId('examples').querySelector('.filters').hidden = false;
  showList();

  // One example.
  const unpacked = new Map();
  const unpack = (chunk) => {
    if (!unpacked.has(chunk)) {
      const bytes = Uint8Array.from(atob(chunks[chunk]), (character) => character.charCodeAt(0));
      unpacked.set(chunk, new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json());
    }
    return unpacked.get(chunk);
  };

  const folded = (summary, open, ...children) =>
    element('details', open ? { open: '' } : {}, element('summary', {}, ...summary), ...children);
  const block = (text) => element('pre', {}, text);
  const verdictText = ({ suite, outcome, firstFailingCase, cases }) => {
    const where =
      firstFailingCase === null ? '' : ` at case ${firstFailingCase + 1}${cases === null ? '' : ` of ${cases}`}`;
    return `${suite}: ${plain(outcome)}${where}`;
  };
  const verdictMark = (verdict) =>
    element(
      'span',
      { class: verdict.outcome === 'pass' ? 'mark pass' : 'mark fail' },
      `${verdict.outcome === 'pass' ? '✓' : '✗'} ${verdictText(verdict)}`,
    );

  const stepTitle = (step) =>
    [
      element('b', {}, `Loop ${step.loop}, ${step.step}`),
      step.ask > 0 ? ` asked again (${step.ask})` : null,
      step.sample > 0 ? ` sample ${step.sample + 1}` : null,
      step.replyStatus === 'ok' ? null : element('span', { class: 'mark fail' }, `✗ ${plain(step.replyStatus)}`),
      ...step.verdicts.map(verdictMark),
      step.score === null ? null : element('span', { class: 'mark' }, `similarity ${step.score}`),
    ].filter((part) => part !== null);

  const codeOf = (step, texts) => {
    if (step.extraction === null) return [];
    if (step.solution === null) return [element('p', { class: 'note' }, 'No code was found in the reply.')];
    return [element('h4', {}, `Code (${plain(step.extraction)})`), block(texts[step.solution])];
  };
  const stepView = (step, texts, open) => {
    const prompt = step.messages.flatMap(({ role, content }) => [element('h4', {}, role), block(texts[content])]);
    const reply =
      texts[step.reply] === '' ? element('p', { class: 'note' }, 'The reply is empty.') : block(texts[step.reply]);
    const sameText = step.solution !== null && texts[step.solution].trim() === texts[step.reply].trim();
    const details = step.verdicts.filter(({ detail }) => detail !== null);
    return folded(
      stepTitle(step),
      open,
      folded(['Prompt'], false, ...prompt),
      folded(
        [sameText ? `Reply of ${step.answeringModel} (only the code)` : `Reply of ${step.answeringModel}`],
        step.extraction === null || step.solution === null,
        reply,
      ),
      ...codeOf(step, texts),
      ...details.map((verdict) => element('p', { class: 'detail' }, `${verdictText(verdict)}: ${verdict.detail}`)),
    );
  };

  const resultText = ({ result: ending, sustainedLoops }) => {
    if (sustainedLoops === null) return plain(ending);
    const loops = `${sustainedLoops} ${sustainedLoops === 1 ? 'loop' : 'loops'}`;
    return ending === 'survived' ? `survived all ${loops}` : `lasted ${loops}, ended by: ${plain(ending)}`;
  };
  const exampleView = (example, steps, texts) => {
    const asked = steps.filter(({ step }) => step !== 'judge');
    const where = [`study ${example.study}`, example.benchmark, example.language];
    if (example.variant !== 'original') where.push(`variant ${example.variant}`);
    if (example.setting !== 'default') where.push(`setting ${example.setting}`);
    if (example.repetition > 0) where.push(`repetition ${example.repetition + 1}`);
    return [
      element('h2', { id: 'example-title' }, example.taskId),
      element(
        'p',
        {},
        element('b', {}, example.model),
        example.simulated ? element('span', { class: 'tag' }, 'simulated') : '',
        ` ${resultText(example)}`,
      ),
      element('p', { class: 'note' }, `${where.join(', ')}; run ${example.run}`),
      ...steps.map((step) => stepView(step, texts, step === asked.at(-1))),
    ];
  };

  const dialog = byId('example');
  const body = byId('example-body');
  const showExample = async (place) => {
    const { steps, texts } = await unpack(Math.floor(place / examplesPerChunk));
    if (place !== placeInAddress()) return;
    body.replaceChildren(...exampleView(examples[place], steps[place % examplesPerChunk], texts));
    dialog.scrollTop = 0;
    const at = shown.indexOf(examples[place]);
    lead(byId('example-before'), shown[at - 1], at);
    lead(byId('example-next'), shown[at + 1], at);
  };
  /** Makes the button open the neighbour in the list; disabled if there is none. */
  const lead = (button, next, at) => {
    button.disabled = at === -1 || next === undefined;
    button.onclick = () => location.replace(`#x-${next.id}`);
  };
  const complain = (text) => body.replaceChildren(element('p', { id: 'example-title' }, text));
  const placeInAddress = () => placeOf.get(location.hash.slice('#x-'.length));
  const followAddress = () => {
    if (!location.hash.startsWith('#x-')) return dialog.close();
    if (!dialog.open) dialog.showModal();
    const place = placeInAddress();
    if (place === undefined) return complain('This report does not hold that example.');
    showExample(place).catch((error) => complain(`The example cannot be shown: ${error.message}`));
  };
  byId('example-close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    if (location.hash.startsWith('#x-')) history.replaceState(null, '', location.href.split('#')[0]);
  });
  addEventListener('hashchange', followAddress);
  if (location.hash.startsWith('#x-')) followAddress();
}
