/** Variants of some tasks beside their original, with the words that differ marked: for a person to look over. */
import { type Html, html } from './html.ts';
import type { ReviewedVariant, VariantReview } from './promptse-data.ts';

export function variantReviews(reviews: readonly VariantReview[]): Html {
  if (reviews.length === 0) return html``;
  return html`<section id="variants"><h3>Variants to look over</h3>
<p class="note">Some tasks in full; words that the original does not have are marked. Code, examples and rules around the passages are the same in every variant. All variants are in table variants, and “export RUN --format variants” writes them to a file.</p>
${reviews.map(
  ({
    study,
    taskId,
    prompt,
    passages,
    variants,
  }) => html`<details><summary>${taskId} (study ${study}), ${variants.length} variants</summary>
<pre>${prompt.trim()}</pre>
<div class="wide"><table><thead><tr><th>Variant</th><th>Style</th><th class="n">Measured</th><th>Original passages</th><th>Worded anew</th></tr></thead><tbody>
${variants.map((variant) => reviewRow(passages, variant))}</tbody></table></div></details>
`,
)}</section>`;
}

const reviewRow = (original: string, variant: ReviewedVariant): Html =>
  html`<tr><td>${variant.variant}</td><td>${variant.emotion ?? ''}<br><small>${variant.personality}</small></td><td class="n">${variant.editDistance?.toFixed(3) ?? ''}</td><td>${original}</td><td>${variant.passages === null ? html`missing: ${variant.reason ?? ''}` : marked(original, variant.passages)}</td></tr>
`;

/** The second text with the words marked that are not in a longest common subsequence with the first. */
function marked(first: string, second: string): Html[] {
  const [before, after] = [first.split(/(\s+)/), second.split(/(\s+)/)];
  const kept = keptOf(before, after);
  return after.map((word, index) => (kept.has(index) || word.trim() === '' ? html`${word}` : html`<mark>${word}</mark>`));
}

/** Indexes of `after` that belong to a longest common subsequence. */
function keptOf(before: readonly string[], after: readonly string[]): Set<number> {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const [down, right, both] = [
        lengths[(i + 1) * width + j] ?? 0,
        lengths[i * width + j + 1] ?? 0,
        lengths[(i + 1) * width + j + 1] ?? 0,
      ];
      lengths[i * width + j] = before[i] === after[j] ? both + 1 : Math.max(down, right);
    }
  const kept = new Set<number>();
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (before[i] === after[j]) {
      kept.add(j);
      i += 1;
      j += 1;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return kept;
}
