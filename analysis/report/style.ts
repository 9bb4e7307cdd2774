/** The report's style sheet. Light and dark differ only in variables; print is always light. */
import { readFileSync } from 'node:fs';

/** CSS colour of a model by its place among the report's models. Colours repeat from the ninth model on. */
export const modelColor = (index: number): string => `var(--model-${index % colors.length})`;

/** Light and dark shade of each colour, of similar strength so that none stands out. */
const colors = [
  ['#0b6e99', '#62b8de'],
  ['#b85009', '#f09a5e'],
  ['#1a7f5a', '#5ec79d'],
  ['#8e44ad', '#c79be0'],
  ['#a16207', '#d9b04f'],
  ['#be3455', '#f0859b'],
  ['#4f5bd5', '#9da6f7'],
  ['#5b6770', '#a9b4bc'],
] as const;

const shades = (theme: 0 | 1): string => colors.map((shade, index) => `--model-${index}:${shade[theme]}`).join(';');

/** Paper has these too, so it is also what is saved from a page in any theme. */
const light = [
  '--page:#fdfdfc',
  '--panel:#fff',
  '--text:#1d2125',
  '--muted:#626a73',
  '--line:#e5e6e3',
  '--faint:#d3d6d4',
  '--accent:#0b6e99',
  '--warn:#8a5300',
  '--warn-page:#fdf3df',
  '--depth:11,110,153',
  '--good:#17694c',
  '--bad:#a63a14',
  shades(0),
];
const dark = [
  '--page:#15181b',
  '--panel:#1b1f23',
  '--text:#e6e8ea',
  '--muted:#9aa3ab',
  '--line:#2c3237',
  '--faint:#414950',
  '--accent:#62b8de',
  '--warn:#f3c877',
  '--warn-page:#33290f',
  '--depth:60,140,180',
  '--good:#5ec79d',
  '--bad:#f09a5e',
  shades(1),
].join(';');

/** The colour of a variable such as `--model-0` on paper; black if there is no such variable. */
export const onPaper = (name: string): string => paperColors.get(name) ?? '#000';
const paperColors = new Map(
  light
    .join(';')
    .split(';')
    .map((one) => one.split(':') as [string, string]),
);

/** Eleven shades of one hue, from none to 50 % opacity, so that text stays readable on each. */
const depths = Array.from({ length: 11 }, (_, step) => {
  const cover = (0.05 * step).toFixed(2);
  return `.k${step}{background:rgba(var(--depth),${cover})}.k${step} .range{color:inherit}`;
}).join('');

const rules = ['report', 'pages', 'board', 'tips', 'matrix', 'examples', 'code', 'takeaway', 'small', 'print']
  .map(rulesIn)
  .join('');

function rulesIn(name: string): string {
  return readFileSync(new URL(`./page/${name}.css`, import.meta.url), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/\n/g, '');
}

export const styleSheet = `
:root{--width:1180px}
:root,.always-light{color-scheme:light dark;${light.join(';')}}
@media (prefers-color-scheme:dark){:root{${dark}}}
${depths}
${rules}
@media print{:root{color-scheme:light;${light.join(';')}}}
`;

/** Of the pages of `watch`. */
export const liveStyleSheet = `${styleSheet}${rulesIn('live')}`;
