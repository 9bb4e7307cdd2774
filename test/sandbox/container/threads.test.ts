/**
 * Threads cost address space, which is limited: a program may have some all the same. Processes share semaphores and
 * memory in a folder, of which nothing may reach the next program.
 */
import { describe, expect, it } from 'vitest';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import { limits } from '../programs.ts';
import { engineNote, testEngine, wallsNote, withoutEngine, withoutWalls } from './engine.ts';

const source = [
  'import threading',
  'def f(n):',
  '    barrier, met = threading.Barrier(n), []',
  '    def work():',
  '        met.append([0] * 1000)',
  '        barrier.wait()',
  '    threads = [threading.Thread(target=work, daemon=True) for _ in range(n)]',
  '    for thread in threads: thread.start()',
  '    for thread in threads: thread.join()',
  '    return len(met)',
].join('\n');

describe.each([
  { name: 'container', skip: withoutEngine, note: engineNote, open: () => openOn(testEngine(), { processes: 1 }) },
  { name: 'bubblewrap', skip: withoutWalls, note: wallsNote, open: () => createBubblewrapSandbox({ processes: 1 }) },
])('a program in the $name tier$note', ({ skip, open }) => {
  it.skipIf(skip)('has 32 threads at a time', { timeout: 300_000 }, async () => {
    const box = await open();
    try {
      const roomy = { ...limits, memoryBytes: 512 * 1024 * 1024 };
      const run = await box.run({ source, entryPoint: 'f', inputs: ['[8]', '[32]'] }, roomy);
      expect([run.end, run.results]).toEqual(['completed', [{ value: '8' }, { value: '32' }]]);
    } finally {
      await box.close();
    }
  });
});

const poolOfTwo = [
  'from multiprocessing import Pool, Process, Queue',
  'def put(queue, n): queue.put(n)',
  'def f(n):',
  '    with Pool(2) as pool: found = pool.map(abs, range(-n, 0))',
  '    queue = Queue()',
  '    process = Process(target=put, args=(queue, sum(found)))',
  '    process.start()',
  '    found = queue.get()',
  '    process.join()',
  '    return found',
].join('\n');

const leavesAll = [
  'import os',
  'from multiprocessing import shared_memory',
  'def f(n):',
  '    memory = shared_memory.SharedMemory(name="left", create=True, size=1 << 20)',
  '    memory.buf[0] = 7',
  '    os.makedirs("/dev/shm/a/b")',
  '    os.symlink("/tmp", "/dev/shm/link")',
  '    os.chmod("/dev/shm/a", 0)',
  '    os.utime("/dev/shm", (5, 5))',
  '    os.chmod("/dev/shm", 0)',
  '    return n',
].join('\n');

const seesAll = [
  'import os',
  'def f(n):',
  '    status, space = os.stat("/dev/shm"), os.statvfs("/dev/shm")',
  '    left = space.f_blocks - space.f_bfree',
  '    return [os.listdir("/dev/shm"), status.st_mode, status.st_mtime > 5, left, space.f_blocks * space.f_bsize]',
].join('\n');

const fillsAll = [
  'def f(n):',
  '    for name in "abc":',
  '        with open("/dev/shm/" + name, "wb") as file: file.write(bytes(7 << 20))',
].join('\n');

describe(`processes of a program behind bubblewrap${wallsNote}`, () => {
  // Red before: OSError: [Errno 30] Read-only file system.
  it.skipIf(withoutWalls)('share memory, which is small, and leave none of it', { timeout: 300_000 }, async () => {
    const box = await createBubblewrapSandbox({ processes: 1 });
    const results = async (source: string) => {
      const roomy = { ...limits, memoryBytes: 512 * 1024 * 1024 };
      return (await box.run({ source, entryPoint: 'f', inputs: ['[4]'] }, roomy)).results;
    };
    try {
      const clean = await results(seesAll);
      expect(clean).toEqual([{ value: `[[],${0o40755},true,0,${16 << 20}]` }]);
      expect(await results(poolOfTwo)).toEqual([{ value: '10' }]);
      expect(await results(leavesAll)).toEqual([{ value: '4' }]);
      expect(await results(seesAll)).toEqual(clean);
      expect(await results(fillsAll)).toEqual([{ exception: 'OSError: [Errno 28] No space left on device' }]);
      expect(await results(seesAll)).toEqual(clean);
    } finally {
      await box.close();
    }
  });
});
