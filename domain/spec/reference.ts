/** docs/spec.md: every key of a spec, made from its JSON Schema. */
import { wrappedMarkdown } from '../markdown-lines.ts';
import { type JsonSchema, specJsonSchema } from './json-schema.ts';

/** One table: the keys of one map in a spec. */
interface Section {
  readonly title: string;
  readonly schema: JsonSchema;
}

export function specMarkdown(): string {
  const sections = sectionsOf({ title: 'The spec', schema: specJsonSchema() });
  return `${[intro, ...sections.map(sectionText)].join('\n\n')}\n`;
}

const intro = `# The spec

Generated from \`schemas/spec.ts\`; do not edit. A spec is one YAML 1.2 or JSON document in UTF-8. Paths in it are
relative to its folder. Nothing is interpolated: \`$HOME\` and \`\${HOME}\` stay as they are. Only \`apiKeyEnv\` and
\`headersEnv\` name environment variables; their values are read when a call is sent. An invalid spec is refused before
anything starts, with file, line, column, the rule and the nearest valid name; the exit status is 2.

\`evenkeel init\` writes an example and \`evenkeel.schema.json\`, the JSON Schema with which editors complete and check
a spec: \`# yaml-language-server: $schema=evenkeel.schema.json\` in YAML, \`"$schema": "evenkeel.schema.json"\` in JSON.
Only \`plan\` and \`run\` check names that must exist elsewhere (a judge, a benchmark, a file) and what a study needs of
a benchmark.

In the lists below \`NAME\` is a name that you choose, \`[]\` an entry of a list. A key that is neither required nor has
a default may be omitted.`;

/** A map's own section, then those of the maps in it, in order. */
function sectionsOf({ title, schema }: Section): Section[] {
  const inner = Object.entries(propertiesOf(schema)).flatMap(([key, value]) =>
    mapsIn(value, title === 'The spec' ? key : `${title}.${key}`),
  );
  return [{ title, schema }, ...inner.flatMap(sectionsOf)];
}

/** Maps that a value may be, or hold as entries. */
function mapsIn(value: JsonSchema, title: string): Section[] {
  const forms = formsOf(value);
  const maps = mergedKinds(forms.filter((form) => form.properties !== undefined));
  const named = maps.map((schema) => ({ title: maps.length > 1 ? `${title} (${markOf(schema)})` : title, schema }));
  return [...named, ...forms.flatMap((form) => entriesIn(form, title))];
}

/** Forms that differ in `kind` only are one, whose kind is any of theirs. */
function mergedKinds(forms: readonly JsonSchema[]): JsonSchema[] {
  const alike = new Map<string, JsonSchema[]>();
  for (const form of forms) {
    const rest = JSON.stringify({ ...form, properties: { ...propertiesOf(form), kind: null } });
    alike.set(rest, [...(alike.get(rest) ?? []), form]);
  }
  return [...alike.values()].map(([first = {}, ...others]) => {
    if (others.length === 0) return first;
    const kinds = [first, ...others].flatMap((form) => propertiesOf(form)['kind'] ?? []);
    return { ...first, properties: { ...propertiesOf(first), kind: { anyOf: kinds } } };
  });
}

function entriesIn(form: JsonSchema, title: string): Section[] {
  const { items, additionalProperties: values } = form;
  if (items !== undefined) return mapsIn(items, `${title}[]`);
  return typeof values === 'object' ? mapsIn(values, `${title}.NAME`) : [];
}

const formsOf = (schema: JsonSchema): readonly JsonSchema[] => schema.anyOf ?? schema.oneOf ?? [schema];
const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> => schema.properties ?? {};
const kindsOf = (schema: JsonSchema): unknown[] =>
  formsOf(propertiesOf(schema)['kind'] ?? {}).map((form) => form.const);

/** Distinguishes a map from the alternatives: by its kind, else by its last key. */
function markOf(schema: JsonSchema): string {
  const kinds = kindsOf(schema).filter((kind) => typeof kind === 'string');
  return kinds.length > 0
    ? `kind: ${kinds.join(', ')}`
    : `with ${Object.keys(propertiesOf(schema)).at(-1) ?? 'no key'}`;
}

function sectionText({ title, schema }: Section): string {
  const { required = [] } = schema;
  const keys = Object.entries(propertiesOf(schema)).map(([key, value]) => keyText(key, value, required.includes(key)));
  return [`## ${title === 'The spec' ? title : `\`${title}\``}`, '', ...keys].join('\n');
}

function keyText(key: string, value: JsonSchema, required: boolean): string {
  const fallback = value.default === undefined ? [] : [`default \`${JSON.stringify(value.default)}\``];
  const about = [valueText(value), ...(required ? ['required'] : fallback)].join('; ');
  return wrappedMarkdown(`\`${key}\` (${about}): ${meaningText(value)}`, '- ');
}

/** A value's own description, else what each of its forms is. */
function meaningText(value: JsonSchema): string {
  if (value.description !== undefined) return value.description;
  return formsOf(value)
    .filter((form) => form.description !== undefined)
    .map((form) => `${JSON.stringify(form.const)}: ${form.description}`)
    .join(' ');
}

/** What may be written, in a few words. */
function valueText(value: JsonSchema): string {
  const forms = formsOf(value);
  return forms.length > 1 ? [...new Set(forms.map(valueText))].join(' or ') : formText(forms[0] ?? {});
}

function formText(form: JsonSchema): string {
  if (form.const !== undefined) return `\`${String(form.const)}\``;
  if (form.enum !== undefined) return form.enum.map((one) => `\`${String(one)}\``).join(', ');
  if (form.type === 'array') return `list of ${valueText(form.items ?? {})}`;
  if (form.type === 'object') return 'map';
  const types = [form.type ?? 'anything'].flat().join(' or ');
  return [types, ...rangeTexts(form)].join(' ');
}

const rangeTexts = (form: JsonSchema): string[] =>
  (
    [
      ['minimum', '>='],
      ['exclusiveMinimum', '>'],
      ['maximum', '<='],
      ['exclusiveMaximum', '<'],
      ['maxLength', 'of at most'],
    ] as const
  ).flatMap(([key, sign]) =>
    form[key] === undefined ? [] : [`${sign} ${form[key]}${key === 'maxLength' ? ' characters' : ''}`],
  );
