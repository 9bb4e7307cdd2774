/** What a chart is drawn as. */
import type { TopLevelSpec } from 'vega-lite';
import type { Html } from '../html.ts';

/** An SVG, and the Vega-Lite specification that it was made from. Drawings made by hand have none. */
export interface Drawing extends Html {
  readonly spec?: TopLevelSpec;
}
