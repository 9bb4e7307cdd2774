/** The address, within a report, of the list of examples behind a number. */

/** What the examples of a list have in common. Values are those of the tables' columns. */
export interface ExampleFilter {
  readonly run?: string;
  readonly study?: string;
  readonly model?: string;
  readonly benchmark?: string;
  readonly language?: string;
  readonly task?: string;
  readonly variant?: string;
  readonly setting?: string;
  readonly repetition?: number;
  /** A result as `Example.result` has it; `fails` for every failure. */
  readonly outcome?: string;
  /** Loops sustained. */
  readonly loops?: number;
  /** A kind of flip, or `any`. */
  readonly flip?: string;
  /** Words of task, model, study and variant. */
  readonly words?: string;
}

/** `#examples?study=loops&outcome=wrong_output`: the page's script shows the list and sets its filters. */
export function exampleLink(filter: ExampleFilter): string {
  const asked = new URLSearchParams(
    Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return asked.size === 0 ? '#examples' : `#examples?${asked}`;
}
