/** Writes what is made from the spec's schema: schemas/spec.schema.json and docs/spec.md. Run it after a change of schemas/spec.ts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { specJsonSchemaText } from '../domain/spec/json-schema.ts';
import { specMarkdown } from '../domain/spec/reference.ts';
import { root } from './root.ts';

writeFileSync(join(root, 'schemas', 'spec.schema.json'), specJsonSchemaText());
writeFileSync(join(root, 'docs', 'spec.md'), specMarkdown());
