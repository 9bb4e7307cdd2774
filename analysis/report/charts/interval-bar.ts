import type { Estimate } from '../../estimate.ts';
import { type Html, html } from '../html.ts';

/**
 * An estimate and its interval as a dot on a line from 0 to `maximum`, for a table cell. Empty without an estimate.
 */
export function intervalBar(estimate: Estimate | null, maximum: number, color: string): Html {
  if (estimate === null) return html``;
  const at = (value: number): string => (4 + (112 * value) / maximum).toFixed(1);
  const { value, interval } = estimate;
  const line =
    interval === null
      ? html``
      : html`<line x1="${at(interval.lo)}" x2="${at(interval.hi)}" y1="8" y2="8" stroke="${color}"
stroke-width="2.5" stroke-linecap="round" opacity=".45"/>`;
  return html`<svg class="bar" viewBox="0 0 120 16" width="120" height="16" aria-hidden="true">
<line x1="4" x2="116" y1="8" y2="8" stroke="var(--line)"/>${line}
<circle cx="${at(value)}" cy="8" r="3.5" fill="${color}"/></svg>`;
}
