import { type Html, html } from './html.ts';

/** A model's id with its colour, and the mark of a simulated one. */
export function modelName(model: string, color: string, simulated: boolean): Html {
  const tag = simulated ? html`<span class="tag">simulated</span>` : html``;
  return html`<span class="dot" style="background:${color}"></span>${model}${tag}`;
}

/** A run's model as a table cell names it. */
export type ModelNaming = (run: string, model: string) => Html;
