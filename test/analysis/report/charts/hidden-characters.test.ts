/** Names in figures, which the chart renderer escapes. */
import { expect, test } from 'vitest';
import { chartSvg } from '../../../../analysis/report/charts/chart-frame.ts';

// Red before: a name in a figure could reverse the text behind it, as it could not in tables.
test('a name in a figure cannot reorder or hide text', async () => {
  const { markup } = await chartSvg({
    ...{ width: 200, height: 20, data: { values: [{ name: 'rtl\u202eevil<b>', value: 1 }] }, mark: 'text' },
    encoding: { text: { field: 'name', type: 'nominal' } },
  });
  expect(markup).toContain('rtl\ufffdevil&lt;b&gt;');
  expect(markup).not.toContain('\u202e');
});
