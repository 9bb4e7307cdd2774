/** The spec's JSON Schema, for editors: the rules that need no other files and no comparison of names. */
import { z } from 'zod';
import { specSchema } from '../../schemas/spec.ts';

/** The keywords of JSON Schema that occur in the spec's. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: string | number | boolean | null;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly maxLength?: number;
}

/** Draft 7, which editors support best; for a spec as written, before defaults. */
export function specJsonSchema(): JsonSchema {
  const made = z.toJSONSchema(specSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => withoutSafeIntegers(jsonSchema),
  });
  return { title: 'evenkeel study spec', ...made } as JsonSchema;
}

/** Removes the limits of JavaScript's safe integers, which mean nothing to a reader. */
function withoutSafeIntegers(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** The text of schemas/spec.schema.json. */
export const specJsonSchemaText = (): string => `${JSON.stringify(specJsonSchema(), null, 2)}\n`;
