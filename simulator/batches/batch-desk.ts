/** Files and batches of a server, in memory: stores files, takes batches, and fails as its models' traits say. */
import { uniformOf } from '../../domain/random.ts';
import { type AnswerLine, createBatch, lineError, type SimulatedBatch } from './batch.ts';
import { inputLines } from './input-lines.ts';
import { batchTraits, type BatchTraits } from './traits.ts';

interface StoredFile {
  readonly id: string;
  readonly filename: string;
  readonly purpose: string;
  readonly text: string;
  readonly createdMs: number;
}

/** What is done for a request, although the answer to it may be lost. */
interface Done {
  readonly body: object;
  /** Answered with 500 instead. */
  readonly lost: boolean;
}

export type CutKind = 'broken' | 'short' | null;

export interface BatchDeskOptions {
  /** Undefined for a model that the server does not have. */
  readonly traitsOf: (model: string) => BatchTraits | undefined;
  readonly answer: (endpoint: string, batch: string) => AnswerLine;
  readonly nowMs?: () => number;
}

const noTraits = batchTraits.parse({});

export class BatchDesk {
  readonly #options: BatchDeskOptions;
  readonly #nowMs: () => number;
  readonly #files = new Map<string, StoredFile>();
  readonly #batches: SimulatedBatch[] = [];
  /** The model that each batch asks. */
  readonly #models = new Map<SimulatedBatch, string>();
  /** How often each of a model's failures has come. */
  readonly #happened = new Map<string, number>();

  constructor(options: BatchDeskOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
  }

  upload(filename: string, purpose: string, text: string): Done {
    const file = this.#stored(filename, purpose, text);
    const model = /"model":"([^"]*)"/.exec(text)?.[1] ?? '';
    return { body: fileBody(file), lost: this.#comes('lostUploads', model) };
  }

  files(purpose: string | undefined): object[] {
    const all = [...this.#files.values()].filter((file) => purpose === undefined || file.purpose === purpose);
    return all.map(fileBody).toReversed();
  }

  /** Null for an unknown or lost file. */
  content(id: string): { readonly text: string; readonly cut: CutKind } | null {
    const file = this.#files.get(id);
    if (file === undefined) return null;
    const model = /"model":"([^"]*)"/.exec(file.text)?.[1] ?? '';
    if (this.#comes('lostFiles', model)) return null;
    const before = this.#happened.get(`cutDownloads ${model}`) ?? 0;
    const cut = this.#comes('cutDownloads', model) ? (before % 2 === 0 ? 'broken' : 'short') : null;
    return { text: file.text, cut };
  }

  /** Null for an unknown input file. */
  async create(inputFileId: string, endpoint: string, metadata: Record<string, string> | null): Promise<Done | null> {
    const file = this.#files.get(inputFileId);
    if (file === undefined) return null;
    const { lines, model, fault } = inputLines(file.text, endpoint);
    if (this.#comes('failedCreations', model)) return { body: {}, lost: true };
    const id = `batch_${String(this.#batches.length + 1).padStart(8, '0')}`;
    const answer = this.#options.answer(endpoint, id);
    const traits = this.#options.traitsOf(model);
    const isUnknown = fault === null && traits === undefined;
    const batch = createBatch({
      ...{ id, endpoint, inputFileId, metadata, lines, traits: traits ?? noTraits, createdMs: this.#nowMs() },
      fault: isUnknown ? unknownModel(model) : (fault ?? this.#refusal(model)),
      expires: this.#expiry(model),
      answer: async (line) =>
        uniformOf('batch line', line.customId) < (traits?.lineErrors ?? 0) ? lineError : answer(line),
      store: (name, text) => this.#stored(name, 'batch_output', text).id,
    });
    this.#batches.push(batch);
    this.#models.set(batch, model);
    return { body: await batch.look(this.#nowMs()), lost: this.#comes('lostCreations', model) };
  }

  /** Newest first, those after the batch with the given id. */
  async batches(limit: number, after: string | undefined): Promise<{ data: object[]; has_more: boolean }> {
    const newest = this.#batches
      .toReversed()
      .filter((one) => !this.#isLeft('unknownLooks', this.#models.get(one) ?? ''));
    const start = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    const data = await Promise.all(newest.slice(start, start + limit).map((one) => one.look(this.#nowMs())));
    return { data, has_more: start + limit < newest.length };
  }

  /** Null for an unknown batch. */
  async batch(id: string): Promise<object | 'busy' | null> {
    const batch = this.#find(id);
    const model = batch === undefined ? '' : (this.#models.get(batch) ?? '');
    if (this.#comes('busyLooks', model)) return 'busy';
    if (this.#comes('lostLooks', model) || this.#comes('unknownLooks', model)) return null;
    return (await batch?.look(this.#nowMs())) ?? null;
  }

  async cancel(id: string): Promise<object | null> {
    const batch = this.#find(id);
    batch?.cancel(this.#nowMs());
    return (await batch?.look(this.#nowMs())) ?? null;
  }

  #find(id: string): SimulatedBatch | undefined {
    return this.#batches.find((one) => one.id === id);
  }

  #stored(filename: string, purpose: string, text: string): StoredFile {
    const id = `file-${String(this.#files.size + 1).padStart(8, '0')}`;
    const file = { id, filename, purpose, text, createdMs: this.#nowMs() };
    this.#files.set(id, file);
    return file;
  }

  #expiry(model: string): 'half way' | 'unasked' | null {
    if (this.#comes('expiredUnasked', model)) return 'unasked';
    return this.#comes('expired', model) ? 'half way' : null;
  }

  #refusal(model: string): { code: string; message: string; line: null } | null {
    if (this.#comes('crowded', model))
      return { code: 'token_limit_exceeded', message: 'Enqueued token limit reached for this model.', line: null };
    return this.#comes('refused', model)
      ? { code: 'model_not_supported', message: `The model ${model} cannot be asked in batches.`, line: null }
      : null;
  }

  /** Whether a failure that comes a given number of times comes now. */
  #comes(trait: CountedTrait, model: string): boolean {
    if (!this.#isLeft(trait, model)) return false;
    const key = `${trait} ${model}`;
    this.#happened.set(key, (this.#happened.get(key) ?? 0) + 1);
    return true;
  }

  #isLeft(trait: CountedTrait, model: string): boolean {
    return (this.#happened.get(`${trait} ${model}`) ?? 0) < (this.#options.traitsOf(model)?.[trait] ?? 0);
  }
}

type CountedTrait = Exclude<keyof BatchTraits, 'ms' | 'lineErrors' | 'cancelledLines'>;

const unknownModel = (model: string) => ({
  ...{ code: 'model_not_found', line: 1 },
  message: `The model '${model}' does not exist.`,
});

const fileBody = ({ id, filename, purpose, text, createdMs }: StoredFile): object => ({
  ...{ id, object: 'file', filename, purpose, bytes: Buffer.byteLength(text), status: 'processed' },
  created_at: Math.floor(createdMs / 1000),
});
