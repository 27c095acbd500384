import { Readable } from 'node:stream';
import type { BatchRig, WorkerParams } from './batch-rig.ts';
import type { ScriptedVendor } from './scripted-vendor.ts';

/** Points of a line's life, of the end of its segment, and of the end of its batch. */
export const CRASH_POINTS = [
  'before the intent',
  'after the intent',
  'after the call',
  'after the result',
  'after the part',
  'after the segment',
  'after the file',
  'after the end',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

/** Points of the life of a batch at its vendor. */
export const VENDOR_CRASH_POINTS = [
  'before the start',
  'after the start',
  'before the intent to submit',
  'after the intent to submit',
  'after the submission',
  'after the download',
  'after the places',
  'after the end of the job',
  'after a vendor result',
  'after the charge',
  'after the end',
] as const;

export type VendorCrashPoint = (typeof VENDOR_CRASH_POINTS)[number];

/** The operation during which a worker dies, and whether the operation is done before. */
const OPERATIONS: Readonly<Record<CrashPoint | VendorCrashPoint, [operation: string, isDone: boolean]>> = {
  'before the intent': ['batchesBeginLine', false],
  'after the intent': ['batchesBeginLine', true],
  'after the call': ['serve', true],
  'after the result': ['batchesFinishLine', true],
  'after the part': ['addPart', true],
  'after the segment': ['batchesEndSegment', true],
  'after the file': ['completeUpload', true],
  'after the end': ['batchesComplete', true],
  'before the start': ['batchesStart', false],
  'after the start': ['batchesStart', true],
  'before the intent to submit': ['batchesSetVendor', false],
  'after the intent to submit': ['batchesSetVendor', true],
  'after the submission': ['submit', true],
  'after the download': ['retain', true],
  'after the places': ['batchesAddResults', true],
  'after the end of the job': ['batchesEndVendor', true],
  'after a vendor result': ['batchesFinishLine', true],
  'after the charge': ['charge', true],
};

export interface CrashingWorker {
  params: WorkerParams;
  /** Resolves when the worker has died. */
  crashed: Promise<void>;
}

type Operation = (...args: unknown[]) => unknown;

/**
 * Returns a worker that dies during the nth operation: from then on, nothing that it does has an effect, and it gets no
 * reply, as after `kill -9`.
 *
 * @param vendor runs the batches, if given
 */
export function crashingWorker(
  rig: BatchRig,
  point: CrashPoint | VendorCrashPoint,
  nth: number,
  vendor?: Pick<ScriptedVendor, 'vendors' | 'capability'>,
): CrashingWorker {
  const [operation, isDone] = OPERATIONS[point];
  const { promise: crashed, resolve: crash } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => undefined);
  const opened = new Set<Readable>();
  let isDead = false;
  let left = nth;

  /** The system closes the files of a process that dies. */
  function die(): void {
    isDead = true;
    crash();
    for (const stream of opened) stream.destroy();
  }

  async function call(name: string, run: () => unknown): Promise<unknown> {
    if (isDead) return never;
    const isLast = name === operation && (left -= 1) === 0;
    if (isLast) {
      // A submission reads the content with operations of the worker.
      isDead = operation !== 'submit';
      if (isDone) await run();
      die();
      return never;
    }
    const result = await run();
    if (result instanceof Readable) {
      opened.add(result);
      result.once('close', () => opened.delete(result));
      if (isDead) result.destroy();
    }
    return isDead ? never : result;
  }

  /** Wraps the methods of a client. */
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name, receiver) {
        const value: unknown = Reflect.get(object, name, receiver);
        if (typeof value !== 'function' || typeof name === 'symbol' || name === 'defineCommand') return value;
        return (...args: unknown[]) => call(name, () => (value as Operation).apply(object, args));
      },
    });

  function wrapVendor({ vendors, capability }: Pick<ScriptedVendor, 'vendors' | 'capability'>) {
    const [wrapped, charging] = [wrap(capability), wrap(vendors)];
    const own: ScriptedVendor['capability'] = {
      ...capability,
      submit: (...args) => wrapped.submit(...args),
      find: (...args) => wrapped.find(...args),
      poll: (...args) => wrapped.poll(...args),
      cancel: (...args) => wrapped.cancel(...args),
      openResults: (...args) => wrapped.openResults(...args),
    };
    return {
      ...vendors,
      open: () => own,
      charge: (...args: Parameters<typeof charging.charge>) => charging.charge(...args),
    };
  }

  return {
    crashed,
    params: {
      redis: wrap(rig.redis),
      files: wrap(rig.files),
      ...(vendor && { vendors: wrapVendor(vendor) }),
      serve: (request) => call('serve', () => rig.serve(request)) as ReturnType<BatchRig['serve']>,
    },
  };
}
