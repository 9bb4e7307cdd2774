/** What a store on servers promises: the line of the program that keeps each promise, and a test that fails without. */

export interface Guarantee {
  /** For people, as in docs/operations/guarantees.md. */
  readonly promise: string;
  /** The file with the line, from the root of the project. */
  readonly file: string;
  /** The line, or a piece of it, which the file has once. */
  readonly line: string;
  /** What stands there instead when the promise is taken away. */
  readonly without: string;
  /** The file with the test. */
  readonly test: string;
  /** The test's name. */
  readonly name: string;
}

const sql = 'activities/storage/postgres/migrations/ledger';
const postgres = 'activities/storage/postgres';
const s3 = 'activities/storage/s3';
const remote = 'test/contract/stores/remote';

const calls: readonly Guarantee[] = [
  {
    promise: 'A call that is under way is not asked by anybody else.',
    file: `${sql}/reserve-calls.ts`,
    line: 'if other < cardinality(call_ids) then',
    without: 'if false then',
    test: `${remote}/ledger.test.ts`,
    name: 'of two reserves of one call in the same turn the second is busy',
  },
  {
    promise: 'A call with a stored reply is not asked again.',
    file: `${sql}/reserve-calls.ts`,
    line: 'if not exists (select from reply where call = any (calls)) then',
    without: 'if true then',
    test: `${remote}/ledger.test.ts`,
    name: 'a call is reserved once, committed, and answered from then on',
  },
  {
    promise: 'A call is not asked again if its reply is stored while another reservation of it waits.',
    file: `${sql}/reserve-calls.ts`,
    line: 'elsif exists (select from reply where call = any (call_ids)) then',
    without: 'elsif false then',
    test: `${remote}/ledger-faults.test.ts`,
    name: 'does not ask a call whose answer is committed while another reservation waits for it',
  },
  {
    promise: 'Neither an earlier attempt of a step nor an earlier owner of the run can ask.',
    file: `${sql}/reserve-calls.ts`,
    line: 'is_fenced := not found or r.epoch is distinct from now_epoch;',
    without: 'is_fenced := false;',
    test: `${remote}/ledger.test.ts`,
    name: 'a fenced attempt is refused even if the reply exists',
  },
  {
    promise: 'Open calls hold their highest cost, so that hosts together stay within the budget.',
    file: `${sql}/reserve-calls.ts`,
    line: 'elsif usd > 0 and spent + total.reserved_nano_usd + usd > total.budget_nano_usd',
    without: 'elsif usd > 0 and spent + usd > total.budget_nano_usd',
    test: `${remote}/calls.test.ts`,
    name: 'a budget holds over processes that reserve at once',
  },
  {
    promise: 'A call of a killed worker is charged at the most that it can cost, since it may have been billed.',
    file: `${sql}/settle-calls.ts`,
    line: 'perform lose_open(of_run, of_unit);',
    without: '',
    test: `${remote}/ledger.test.ts`,
    name: 'a new attempt charges the old one’s open calls at their estimate and may ask them again',
  },
  {
    promise: 'An answer that arrives while its page is sealed is counted.',
    file: `${sql}/settle-calls.ts`,
    line: 'where id = of_page for key share',
    without: 'where id = of_page',
    test: `${remote}/ledger-faults.test.ts`,
    name: 'counts an answer that is committed while its page is sealed',
  },
  {
    promise: 'A change whose commit came through is not done again, although its answer was lost.',
    file: `${postgres}/postgres.ts`,
    line: 'if (!isFirst && unconfirmed !== null) {',
    without: 'if (unconfirmed === undefined) {',
    test: `${remote}/faults.test.ts`,
    name: 'of many changes at once, each whose answer is lost is stored once',
  },
  {
    promise: 'Transactions that lock each other out are run again.',
    file: `${postgres}/retried.ts`,
    line: 'if (!isConflict(error) && !isLost(error)) throw error;',
    without: 'if (!isLost(error)) throw error;',
    test: `${remote}/faults.test.ts`,
    name: 'transactions that lock each other out are run again',
  },
  {
    promise: 'Hosts change the state of an account one after the other, so that its limits hold over all of them.',
    file: `${postgres}/migrations/accounts.ts`,
    line: 'from account where identity = asked for update;',
    without: 'from account where identity = asked;',
    test: `${remote}/accounts.test.ts`,
    name: 'no change of several at once is lost',
  },
];

const owners: readonly Guarantee[] = [
  {
    promise: 'A run has one owner.',
    file: `${postgres}/catalog/ownership.ts`,
    line: 'if (!(await locked(session, run, patienceMs))) {',
    without: 'if ((await locked(session, run, patienceMs)) === undefined) {',
    test: `${remote}/run-catalog.test.ts`,
    name: 'a run has one owner until it is released; other runs have others',
  },
  {
    promise: 'An owner that was cut off, and whose run another took, does not get it back.',
    file: `${postgres}/catalog/ownership.ts`,
    line: "if (rows[0]?.taken !== taken) return 'no';",
    without: '',
    test: `${remote}/run-catalog.test.ts`,
    name: 'an owner that is cut off loses its run to another, and does not get it back',
  },
  {
    promise: 'Nobody takes the run of a detached sweep but `resume`.',
    file: `${postgres}/catalog/ownership.ts`,
    line: 'and (detached_epoch is null or $2::boolean) returning taken',
    without: 'and ($2::boolean or true) returning taken',
    test: `${remote}/run-catalog.test.ts`,
    name: 'a detached sweep owns its run until it ends, or until it is taken from it',
  },
  {
    promise: 'A worker proves its store before it takes a step.',
    file: 'workers/serve.ts',
    line: 'if (config.servers !== null) await proveServers(config.servers, config.runsDir);',
    without: '',
    test: `${remote}/run-home.test.ts`,
    name: 'a worker whose store cannot be used ends and says why, before it asks Temporal',
  },
  {
    promise: 'A program uses tables of its own version only.',
    file: `${postgres}/migrations/versions.ts`,
    line: 'if (version > migrations.length) throw newer(name, version);',
    without: '',
    test: `${remote}/prepare.test.ts`,
    name: 'a store of a newer program is neither used nor prepared',
  },
  {
    promise: 'The role of workers cannot say that tables are of another version.',
    file: `${postgres}/prepare.ts`,
    line: '`revoke insert, update, delete on ${within}.migration from ${to}`,',
    without: '',
    test: `${remote}/prepare.test.ts`,
    name: 'a granted role can neither create nor drop, nor say that it migrated',
  },
  {
    promise: 'A worker that is told to end finishes its calls.',
    file: 'workers/serve.ts',
    line: "const shutdownGraceTime = '61 minutes';",
    without: "const shutdownGraceTime = '1 millisecond';",
    test: `${remote}/fleet/rolling-upgrade.test.ts`,
    name: 'loses no call: old workers end with their calls, and the run goes on with the new ones',
  },
  {
    promise: 'A sweep keeps to the workers of its build.',
    file: 'workers/start-sweep.ts',
    line: '...pinTo(store, pinning),',
    without: '',
    test: `${remote}/fleet/rolling-upgrade.test.ts`,
    name: 'leaves a sweep to its own build as long as one of its workers is there',
  },
];

const objects: readonly Guarantee[] = [
  {
    promise: 'An object never changes: other bytes under its key are refused.',
    file: `${s3}/s3-blobs.ts`,
    line: "if ((await objects.put(key, bytes, { IfNoneMatch: '*' })) !== null) return;",
    without: 'if ((await objects.put(key, bytes, {})) !== null) return;',
    test: `${remote}/blobs.test.ts`,
    name: 'the same bytes again are a success; others are refused, and the first stay',
  },
  {
    promise: 'A change of a root whose answer was lost finds its own.',
    file: `${s3}/s3-blobs.ts`,
    line: 'return stored ?? objects.etagOfWrite(key, write);',
    without: 'return stored;',
    test: `${remote}/object-faults.test.ts`,
    name: 'a change of a root whose answer was lost finds its own',
  },
  {
    promise: 'An object store that ignores conditions on writes is refused.',
    file: `${s3}/s3-blobs.ts`,
    line: 'if (!honours || !refusesMatch)',
    without: 'if (!honours && honours)',
    test: `${remote}/object-faults.test.ts`,
    name: 'a store that ignores conditions is refused before anything is written',
  },
  {
    promise: 'A table counts only when the bucket has it.',
    file: `${postgres}/catalog/postgres-home.ts`,
    line: 'const both = Promise.all([durable, stored]).then(() => {});',
    without: 'const both = Promise.all([durable]).then(() => {});',
    test: `${remote}/run-home.test.ts`,
    name: 'a part is durable only when the bucket has it, and then every host has it',
  },
  {
    promise: 'A process that has lost the lock of a manifest cannot change it.',
    file: `${postgres}/catalog/postgres-manifest.ts`,
    line: 'where id = $1 and manifest = $2 returning id',
    without: 'where id = $1 and length($2) > 0 returning id',
    test: `${remote}/run-home.test.ts`,
    name: 'a change by a process that has lost the lock without noticing is refused',
  },
  {
    promise: 'Two commands that extend a run at the same moment never mix their plans.',
    file: 'activities/runs/extend-run.ts',
    line: 'if (!isDeepStrictEqual(groundsOf(old), groundsOf(seen)))',
    without: 'if (groundsOf(old) === null && seen === old)',
    test: `${remote}/planners.test.ts`,
    name: 'two extensions that exclude each other leave one plan',
  },
  {
    promise: 'What is read has the hash that the manifest names.',
    file: `${postgres}/catalog/run-cache.ts`,
    line: 'if (sha256Of(bytes) !== sha256)',
    without: "if (sha256 === '')",
    test: `${remote}/run-catalog.test.ts`,
    name: 'a file that the bucket lacks, or that is not what the manifest says, is named',
  },
  {
    promise: 'The copy that a move makes cannot be continued before the run says that it has moved.',
    file: 'activities/storage/catalog/run-catalog.ts',
    line: 'if (arriving !== undefined)',
    without: 'if (arriving === null)',
    test: `${remote}/run-catalog.test.ts`,
    name: 'a run that has moved, and a copy that has not arrived, may be read but not changed',
  },
  {
    promise: 'A run that has moved cannot be continued at its old place.',
    file: 'activities/storage/catalog/run-catalog.ts',
    line: 'if (moved !== undefined)',
    without: 'if (moved === null)',
    test: `${remote}/run-catalog.test.ts`,
    name: 'a run that has moved, and a copy that has not arrived, may be read but not changed',
  },
  {
    promise: 'A move marks the old copy before the new one may go on, so that never both can.',
    file: 'activities/runs/move/move-run.ts',
    line: 'return { ...old, moved: { to: to.name, move }, stateDetail: `moved to ${to.name}` };',
    without: 'return { ...old, stateDetail: `moved to ${to.name}` };',
    test: `${remote}/move/move.test.ts`,
    name: 'a move that is killed at any step is repeated, and never do both copies go on',
  },
  {
    promise: '`gc` leaves objects alone that a run may still be made of.',
    file: `${postgres}/gc/store-leftovers.ts`,
    line: '.filter(([place, objects]) => !known.has(place) && left(objects))',
    without: '.filter(([place]) => !known.has(place))',
    test: `${remote}/gc.test.ts`,
    name: 'objects of no run go after a day: until then a run may still be made of them',
  },
];

export const guarantees: readonly Guarantee[] = [...calls, ...owners, ...objects];
