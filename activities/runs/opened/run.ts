/** An open run of this process, and a page of it: what steps work with. */
import type { CallCoordinates } from '../../../schemas/chat.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Cell, Page, PlanRevision } from '../../../schemas/plan.ts';
import type { Spec, SpecStudy } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { Task } from '../../../schemas/task.ts';
import type { VariantRecord } from '../../../schemas/variant.ts';
import type { CellState } from '../../../studies/cell-state.ts';
import type { Study } from '../../../studies/study.ts';
import type { AskedModel } from '../../calls/asked-model.ts';
import type { SandboxIdentity } from '../../judging/execution-key.ts';
import type { Models } from '../../calls/models.ts';
import type { Ownership } from '../../storage/catalog/run-catalog.ts';
import type { ReusedRuns } from '../reused-runs.ts';
import type { RunHome } from '../../storage/home/run-home.ts';
import type { Ledger } from '../../storage/ledger/ledger.ts';
import type { Publisher } from '../../storage/parts/publisher.ts';
import type { VariantStore } from '../../pages/variants.ts';
import type { NoteCutAnswers } from '../../calls/cut-answers.ts';
import type { Reasoners } from '../../calls/reasoners.ts';
import type { VersionWatch } from '../../calls/versions.ts';

export interface Run {
  readonly home: RunHome;
  readonly runId: string;
  readonly uuid: string;
  readonly manifest: Manifest;
  readonly spec: Spec;
  readonly ledger: Ledger;
  /** Other runs whose answers it takes over. */
  readonly reused: ReusedRuns;
  /** Tracks which version of a model answers. */
  readonly versions: VersionWatch;
  /** Tracks which models think. */
  readonly reasoners: Reasoners;
  /** Counts answers that were cut at a length. */
  readonly noteCutAnswers: NoteCutAnswers;
  /** Whether any of its models is asked in batches, or was and left some of them open. */
  readonly batches: boolean;
  /** Models whose batches an earlier owner of the run left open. */
  readonly leftInBatches: ReadonlySet<string>;
  /** Adds sealed pages to the manifest. */
  readonly publisher: Publisher;
  /** Whether a model is stopped, as far as this process knows. */
  readonly isStopped: (model: string) => boolean;
  readonly sandbox: SandboxIdentity;
  readonly revisions: readonly PlanRevision[];
  /** Pages that write prompt variants, in the order of the plan. */
  readonly variantPages: readonly Pick<Page, 'page' | 'study'>[];
  /** Prompt variants of the studies that have them. */
  readonly variants: VariantStore;
  /** Throws if the run no longer has an owner. */
  readonly checkOwner: () => Promise<void>;
  readonly endDetached: Ownership['endDetached'];
  tasks(benchmark: string): ReadonlyMap<string, Task>;
  readonly models: Models;
  model(id: string): AskedModel;
  study(name: string): SpecStudy;
  page(page: string): RunPage;
}

export interface RunPage {
  readonly run: Run;
  readonly page: string;
  readonly revision: number;
  /** Its position among all pages of the run: earlier pages are finished first. */
  readonly rank: number;
  readonly model: string;
  readonly study: SpecStudy;
  readonly kind: Study;
  readonly cells: readonly Cell[];
  /** `variants` if the page writes the study's prompt variants. */
  readonly phase: 'variants' | 'study';
  task(taskId: string): Task;
  /** The task of that id in another benchmark of the run. */
  taskIn(benchmark: string, taskId: string): Task;
  /** The cell's prompt variant; null for the original, and if the task's variants do not exist yet. */
  variant(cell: Cell): VariantRecord | null;
  /** The columns that identify the cell. */
  key(cell: CellState): Row;
  coordinates(cell: CellState): Omit<CallCoordinates, 'step' | 'loop' | 'ask' | 'sample' | 'requestSha256'>;
}
