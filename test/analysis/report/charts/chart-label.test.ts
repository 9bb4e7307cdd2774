/** Names in charts: they fit, and none lies over another one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chartLabel, labelPlaces } from '../../../../analysis/report/charts/chart-label.ts';
import type { Html } from '../../../../analysis/report/html.ts';
import { lineSvg } from '../../../../analysis/report/charts/line-chart.ts';
import { scatterSvg } from '../../../../analysis/report/charts/scatter-chart.ts';

const longName = 'qwen-tiny-with-a-rather-long-name-1.5b-instruct';

test('a long name keeps its beginning and its end, a short one is itself', () => {
  expect(chartLabel(longName, 18)).toBe('qwen-tiny-w…struct');
  expect(chartLabel('gpt-4o', 18)).toBe('gpt-4o');
  fc.assert(fc.property(fc.string({ unit: 'grapheme-composite' }), (name) => [...chartLabel(name, 15)].length <= 15));
});

test('ten models at one place have their names one above the other, within the chart', () => {
  const points = Array.from({ length: 10 }, (_, index) => ({ x: 20, y: 185, label: `model-${index}` }));
  const places = labelPlaces(points, 250, 190);
  const lines = places.map(({ dy }) => 185 + dy).toSorted((a, b) => a - b);
  for (const [index, line] of lines.slice(1).entries())
    expect(line - (lines[index] as number)).toBeGreaterThanOrEqual(11);
  expect(places.every(({ align, dx }) => align === 'left' && dx > 0)).toBe(true);
  expect(lines[0]).toBeGreaterThan(0);
});

test('a name at the right edge stands left of its point', () => {
  expect(labelPlaces([{ x: 248, y: 90, label: 'a-model' }], 250, 190)).toEqual([{ align: 'right', dx: -7, dy: 0 }]);
});

/** A chart is as wide as its container: one that is wider in itself is shown smaller. */
const ownWidth = ({ markup }: Html): number => Number(/viewBox="0 0 ([\d.]+)/.exec(markup)?.[1]);

test('long names make no chart smaller', async () => {
  const axes = { x: { title: 'x', format: '.1f' }, y: { title: 'y', format: '.1f' } };
  const line = (name: string) =>
    lineSvg({
      lines: [
        {
          name,
          color: 'red',
          points: [
            { x: 0, y: 0 },
            { x: 1, y: 1 },
          ],
        },
      ],
      ...axes,
      marked: true,
      named: true,
    });
  expect(ownWidth(await line(longName))).toBeLessThan(1.1 * ownWidth(await line('a')));
  const points = (name: string) => [0, 1].map((at) => ({ x: at, y: at, name, color: 'red' }));
  const scatter = (name: string) => scatterSvg({ points: points(name), ...axes, lines: 'none' });
  expect(ownWidth(await scatter(longName))).toBeLessThan(1.1 * ownWidth(await scatter('a')));
});
