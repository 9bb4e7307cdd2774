/** Exported by the package, missing from its declarations. */
import 'vega';

declare module 'vega' {
  export const textMetrics: {
    /** Width of a text mark's text, in pixels. */
    width: (item: { readonly fontSize?: number }, text: unknown) => number;
  };
}
