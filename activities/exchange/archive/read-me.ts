/** The page for whoever unpacks an archive and knows nothing of evenkeel. */
import type { ArchivePart } from '../../../schemas/archive.ts';
import type { Manifest } from '../../../schemas/manifest.ts';

const partTexts: Readonly<Record<ArchivePart, string>> = {
  prompts: 'the prompts',
  replies: 'the replies of the models, their programs, and prompts that quote them',
  'data-sets': 'tasks and tests of data sets',
};

export function readMe(manifest: Manifest): string {
  const { runId, state, spec, programVersion, finishedAt } = manifest;
  const models = spec.models.map(({ id }) => id).join(', ');
  const studies = spec.studies.map(({ name, kind }) => `${name} (${kind})`).join(', ');
  return `# Run ${runId}

A run of evenkeel ${programVersion}, ${state}${finishedAt === null ? '' : `, finished ${finishedAt}`}.
Studies: ${studies}. Models: ${models}.

- \`report.html\` shows the results; open it in a browser.
- \`sha256sum -c SHA256SUMS\` checks every file.
- \`duckdb -init views.sql\`, started in this folder, has every table; each folder with Parquet files is one table.
- \`manifest.json\` has the spec, versions, and the SHA-256 of all tables and inputs.

With evenkeel, this folder is a run: put it into a folder RUNS and use
\`evenkeel query ${runId} --runs-dir RUNS\`, also \`report\`, \`verify\`, \`explain\`, \`compare\`${
    manifest.archive?.without.length === 0 ? ', `resume`' : ''
  }.

${leftOutText(manifest)}`;
}

function leftOutText({ archive, benchmarks }: Manifest): string {
  const { without = [], dataSets = {} } = archive ?? {};
  if (without.length === 0) return 'Nothing is left out but paths of the machine that it ran on.\n';
  const parts = without.map((part) => `- ${partTexts[part]}\n`);
  const files = Object.entries(dataSets).map(
    ([name, why]) =>
      `- data set ${name} (${why}); SHA-256 of its file: ${benchmarks[name]?.sourceSha256 ?? 'unknown'}\n`,
  );
  const list = [...parts, ...files].join('');
  return `Left out, with the ledger, so that the run cannot be resumed or judged again:\n\n${list}`;
}
