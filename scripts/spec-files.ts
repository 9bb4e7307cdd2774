/**
 * Writes the files generated from the schemas: schemas/spec.schema.json, docs/spec.md and docs/tables.md. Run it after
 * a change in schemas/.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tablesMarkdown } from '../analysis/tables-doc.ts';
import { specJsonSchemaText } from '../domain/spec/json-schema.ts';
import { specMarkdown } from '../domain/spec/reference.ts';
import { root } from './root.ts';

writeFileSync(join(root, 'schemas', 'spec.schema.json'), specJsonSchemaText());
writeFileSync(join(root, 'docs', 'spec.md'), specMarkdown());
writeFileSync(join(root, 'docs', 'tables.md'), tablesMarkdown());
