import { expect, test } from 'vitest';
import { parseManifest } from '../../domain/parse-manifest.ts';

test.each([
  { text: '', error: 'a manifest must be JSON, got an empty file; restore it from a backup of the run' },
  { text: '"a text"', error: 'has no formatVersion, so it is not the manifest of a run; restore it from a backup' },
  { text: 'null', error: 'has no formatVersion, so it is not the manifest of a run; restore it from a backup' },
  {
    text: '{"formatVersion":3}',
    error: 'run format 3; this program reads format 2: update it (npm install -g evenkeel@latest) and try again',
  },
  { text: '{"formatVersion":1}', error: 'damaged or changed by hand; restore it from a backup of the run' },
])('the manifest $text is refused: $error', ({ text, error }) => {
  expect(() => parseManifest(text, 'run/manifest.json')).toThrow(`run/manifest.json  ${error}`);
});
