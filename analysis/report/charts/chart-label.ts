/**
 * Labels inside charts: shortened to fit, and placed so that they do not overlap. The tables have the full names.
 */
import { helveticaWidth } from './text-width.ts';

export const labelSize = 10;
/** Width of a line of text, px: a tenth more than in Helvetica, to leave room for other fonts. */
const labelWidth = (text: string): number => helveticaWidth(text) * labelSize * 1.1;
const labelHeight = 11;
/** Distance from a point's centre to its label, px. */
const besidePoint = 7;

/**
 * The name, shortened in the middle if it has more than `most` characters:
 * models of one family may differ at either end.
 */
export function chartLabel(name: string, most: number): string {
  const characters = [...name];
  if (characters.length <= most) return name;
  const end = Math.floor((most - 1) * 0.4);
  return `${characters.slice(0, most - 1 - end).join('')}…${characters.slice(characters.length - end).join('')}`;
}

/** A point of a chart in px from its upper left corner. */
export interface LabelledPoint {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

/** Where a label goes: offset from its point's centre to the label's start (align left) or end (align right). */
export interface LabelPlace {
  readonly align: 'left' | 'right';
  readonly dx: number;
  readonly dy: number;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * A place for each point's label, in the points' order: the first of right, left, and steps up or down where it covers
 * no earlier label. If there is none, the first place within the chart.
 */
export function labelPlaces(points: readonly LabelledPoint[], width: number, height: number): LabelPlace[] {
  const taken: Box[] = points.map(({ x, y }) => ({ left: x - 3, right: x + 3, top: y - 3, bottom: y + 3 }));
  return points.map((point) => {
    const inside = candidates.filter((place) => within(boxOf(point, place), width, height));
    const free = inside.find((place) => !taken.some((other) => cover(boxOf(point, place), other)));
    const place = free ?? inside[0] ?? (point.x < width / 2 ? candidates[0] : candidates[1]);
    taken.push(boxOf(point, place));
    return place;
  });
}

/** Steps of one line height, alternately up and down; enough for a chart of 20 names. */
const steps = [
  0,
  ...Array.from({ length: 20 }, (_, index) => [-labelHeight * (index + 1), labelHeight * (index + 1)]).flat(),
];
const sides: readonly LabelPlace[] = [
  { align: 'left', dx: besidePoint, dy: 0 },
  { align: 'right', dx: -besidePoint, dy: 0 },
];
const candidates = steps.flatMap((dy) => sides.map((side) => ({ ...side, dy }))) as [
  LabelPlace,
  LabelPlace,
  ...LabelPlace[],
];

function boxOf({ x, y, label }: LabelledPoint, { align, dx, dy }: LabelPlace): Box {
  const left = align === 'left' ? x + dx : x + dx - labelWidth(label);
  return { left, right: left + labelWidth(label), top: y + dy - labelHeight / 2, bottom: y + dy + labelHeight / 2 };
}

const within = ({ left, right, top, bottom }: Box, width: number, height: number): boolean =>
  left >= 0 && right <= width && top >= -labelHeight && bottom <= height;

const cover = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
