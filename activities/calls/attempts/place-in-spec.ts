/** Where a spec says what a stopped model's message is about. */
import { specPlace } from '../../../domain/spec/spec-place.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { SpecAccount } from '../../../schemas/spec.ts';
import type { SpecField } from '../../providers/provider.ts';

type SpecOf = Pick<Manifest, 'spec' | 'specText' | 'specFile'>;

/** Includes line and column of the spec file, which editors can jump to. */
export function placeInSpec({ spec, specText, specFile }: SpecOf, index: number, field: SpecField | null): string {
  const model = `models[${index}] of the spec`;
  if (field === null) return model;
  const account = spec.models[index]?.provider ?? '';
  const path =
    field.of === 'provider'
      ? ['providers', account, ...pathInAccount(spec.providers[account], field)]
      : ['models', index, ...field.path];
  const { line, column } = specPlace(specText, path);
  return `${model}; see ${specFile ?? 'the spec'}:${line}:${column}  ${path.join('.')}`;
}

/** Of a key: an account without `apiKeyEnv` may send one in another header. */
function pathInAccount(account: SpecAccount | undefined, { path }: SpecField): SpecField['path'] {
  if (path[0] !== 'apiKeyEnv' || account?.apiKeyEnv !== undefined) return path;
  return account?.headersEnv === undefined ? [] : ['headersEnv'];
}
