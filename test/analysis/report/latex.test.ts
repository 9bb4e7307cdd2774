import { expect, test } from 'vitest';
import { partsLatex } from '../../../analysis/report/text/latex.ts';

const cellsLatex = (...cells: string[]): string => {
  const table = { kind: 'table' as const, title: 'T', words: 0, heads: cells.map(() => 'h'), rows: [cells] };
  return partsLatex([table]).split('\\midrule\n')[1]?.split(' \\\\')[0] ?? '';
};

test.each([
  ['a_b & 50 % of $1 #2 {x}', 'a\\_b \\& 50 \\% of \\$1 \\#2 \\{x\\}'],
  ['C:\\x~^', 'C:\\textbackslash{}x\\textasciitilde{}\\textasciicircum{}'],
  ['a|b', 'a\\textbar{}b'],
  ['said "no"', "said ''no''"],
  ['< 0.0001 > 0', '\\textless{} 0.0001 \\textgreater{} 0'],
  ['1 – 2 ± 3 × 4', '1 -- 2 $\\pm$ 3 $\\times$ 4'],
])('%s is set as it is written', (text, latex) => {
  expect(cellsLatex(text)).toBe(latex);
});
