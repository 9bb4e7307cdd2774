/** Figures as pictures: with title, legend and captions, which are HTML in the page. */
const gap = 26;
const lineHeight = 16;
const textFont = 'system-ui, sans-serif';
/** The page names no address, so the namespace is the parser's. */
const svgNames = new DOMParser().parseFromString('<svg></svg>', 'text/html').body.firstChild.namespaceURI;
const svgElement = (name, attributes, ...children) => {
  const made = document.createElementNS(svgNames, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const pen = document.createElement('canvas').getContext('2d');
const textWidth = (text, size, weight) => {
  pen.font = `${weight} ${size}px ${textFont}`;
  return pen.measureText(text).width;
};
/** Pieces of text or markup as lines that are no wider than `most`. */
const linesOf = (pieces, most, width) => {
  const lines = [[]];
  let filled = 0;
  for (const piece of pieces) {
    if (filled + width(piece) > most && filled > 0) {
      lines.push([]);
      filled = 0;
    }
    lines.at(-1).push({ piece, x: filled });
    filled += width(piece);
  }
  return lines;
};
const textLines = (text, size, weight, most) =>
  linesOf(text.split(' '), most, (word) => textWidth(`${word} `, size, weight)).map((line) =>
    line.map(({ piece }) => piece).join(' '),
  );
const svgText = (text, x, y, { size = 12, weight = 400, fill = 'var(--text)', anchor = 'start' } = {}) =>
  svgElement(
    'text',
    { x, y, fill, 'font-size': size, 'font-weight': weight, 'font-family': textFont, 'text-anchor': anchor },
    text,
  );

const captionOf = (part) =>
  [...part.childNodes]
    .map((node) => (node.className === 'tag' ? `(${node.textContent})` : node.textContent))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const asideSize = 11;
const panelOf = (figure) => {
  const drawing = figure.querySelector('svg');
  const { width, height } = drawing.viewBox.baseVal;
  const spans = [...figure.querySelectorAll('figcaption > span')];
  const [caption, aside] = [spans[0]?.querySelector('.name') ?? spans[0], spans[1]].map(
    (part) => part && captionOf(part),
  );
  const both = textWidth(`${caption} `, 12, 600) + textWidth(aside ?? '', asideSize, 400);
  const lines = caption === undefined ? 0 : aside === undefined || both <= width ? 1 : 2;
  return { drawing, width, height, caption, aside, lines, top: lines === 0 ? 0 : lines * lineHeight + 4 };
};
const drawPanel = ({ drawing, width, height, caption, aside, lines, top }, x, y) => {
  const inner = svgElement('svg', { x, y: y + top, width, height, viewBox: drawing.getAttribute('viewBox') });
  inner.append(...[...drawing.childNodes].map((child) => child.cloneNode(true)));
  for (const name of ['font-family', 'font-size', 'fill', 'stroke'])
    if (drawing.hasAttribute(name)) inner.setAttribute(name, drawing.getAttribute(name));
  const texts = caption === undefined ? [] : [svgText(caption, x, y + 12, { weight: 600 })];
  const small = { size: asideSize, fill: 'var(--muted)' };
  if (aside !== undefined)
    texts.push(
      lines === 1
        ? svgText(aside, x + width, y + 12, { ...small, anchor: 'end' })
        : svgText(aside, x, y + 12 + lineHeight, small),
    );
  return [...texts, inner];
};
const legendOf = (figures) =>
  [...(figures[0].closest('.taken:not(figure)')?.querySelectorAll('.legend') ?? [])].map((entry) => ({
    text: entry.textContent,
    color: entry.querySelector('.dot').style.background,
  }));
export const columnsOf = (panels) => (panels < 2 ? 1 : panels <= 4 ? 2 : panels <= 12 ? 3 : 6);

export const picture = (figures, { title, caption }) => {
  const panels = figures.map(panelOf);
  const columns = columnsOf(panels.length);
  const rows = Array.from({ length: Math.ceil(panels.length / columns) }, (_, row) =>
    panels.slice(row * columns, (row + 1) * columns),
  );
  const columnWidth = Math.max(...panels.map(({ width }) => width));
  const width = columns * (columnWidth + gap) + gap;
  const drawn = [];
  let y = gap;
  for (const line of panels.length === 1 && panels[0].caption !== undefined
    ? []
    : textLines(title, 14, 600, width - 2 * gap)) {
    drawn.push(svgText(line, gap, y, { size: 14, weight: 600 }));
    y += lineHeight + 3;
  }
  const entryWidth = ({ text }) => 28 + textWidth(text, 12, 400);
  for (const line of linesOf(legendOf(figures), width - 2 * gap, entryWidth)) {
    for (const { piece, x } of line)
      drawn.push(
        svgElement('circle', { cx: gap + x + 4, cy: y - 4, r: 4, fill: piece.color }),
        svgText(piece.text, gap + x + 12, y),
      );
    if (line.length > 0) y += lineHeight + 2;
  }
  for (const row of rows) {
    for (const [column, panel] of row.entries()) drawn.push(...drawPanel(panel, gap + column * (columnWidth + gap), y));
    y += Math.max(...row.map(({ height, top }) => height + top)) + gap;
  }
  const whole = svgElement('svg', { width, height: y, viewBox: `0 0 ${width} ${y}` });
  whole.append(
    svgElement('title', {}, title),
    svgElement('desc', {}, caption),
    svgElement('rect', { width, height: y, fill: '#fff' }),
    ...drawn,
  );
  return { svg: withPaperColors(new XMLSerializer().serializeToString(whole)), width, height: y };
};
/** Paper's colours in place of the page's variables, whatever its theme. */
const withPaperColors = (markup) => {
  const probe = document.createElement('i');
  probe.className = 'always-light';
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const plain = markup.replaceAll(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  probe.remove();
  return plain;
};

export const svgType = 'image/svg+xml';
const mostPixels = 60_000_000;
export const pngOf = async ({ svg, width, height }) => {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: svgType }));
  await image.decode();
  const scale = Math.min(3, Math.sqrt(mostPixels / (width * height)));
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the picture is too large')) : resolve(blob)));
  });
};
