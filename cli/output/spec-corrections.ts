/** Where the spec of an incomplete run must be changed before a stopped model can be asked again. */

export interface SpecCorrection {
  /** `nightly.yaml:4:5`. */
  readonly place: string;
  /** `models.0.parameters.seed`. */
  readonly path: string;
}

/** As `placeInSpec` writes it at the end of a stopped model's line. */
const endOfLine = /\(models\[\d+\] of the spec; see (.+:\d+:\d+) {2}(models\.\d+(?:\.\S+)?)\)$/;

/**
 * Of models that their endpoint refuses as the spec describes them. Keys and addresses are not among them: these may
 * be put right outside of the spec. Nor is `strictVersion`, which asks for a new run.
 * @param detail of the run's state
 */
export const specCorrections = (detail: string): SpecCorrection[] =>
  detail.split('\n').flatMap((line) => {
    const [, place, path] = endOfLine.exec(line) ?? [];
    return place === undefined || path === undefined || path.endsWith('.strictVersion') ? [] : [{ place, path }];
  });
