import { type Batch, isFinalBatch } from '@sluice/canonical';
import { createLimiter, type Limiter } from '@sluice/limits';
import { expect } from 'vitest';
import type { BatchWorker } from '../src/batch-worker.ts';
import { type BatchRig, batchRig, type WorkerParams } from './batch-rig.ts';
import { scriptedVendor, type ScriptedVendor } from './scripted-vendor.ts';

export const LONG = { timeout: 60_000 };
export const TIMES = { vendorPollMs: 1, retryMs: 1, lookUpMs: 1_000 };
/** The estimated cost of each batch, in nano-dollars. */
export const ESTIMATE_NANOS = 250_000_000;

/** Batches of `alice`, who has a budget of ten dollars, at a vendor. */
export interface VendorRig extends BatchRig {
  scripted: ScriptedVendor;
  limiter: Limiter;
  /** Serves requests of workers: those for the vendor, and lines. */
  serveAll: BatchRig['serve'];
  start(params?: WorkerParams): BatchWorker;
  /**
   * Lets the delays of jobs end until the condition holds.
   * @param stepMs more for old batches, which are polled less often
   */
  until(condition: () => Promise<boolean> | boolean, stepMs?: number): Promise<void>;
  /** Waits until a batch has ended at its vendor and at Sluice. */
  endedAtVendor(batch: Batch, stepMs?: number): Promise<Batch>;
  /** Times at which the budget was wrong, as descriptions. */
  wrongBudgets: string[];
}

export async function vendorRig(): Promise<VendorRig> {
  const batches = await batchRig();
  const { redis, prefix } = batches;
  const limiter = createLimiter(redis, { prefix });
  const scripted = scriptedVendor(limiter);
  const rig: VendorRig = Object.assign(batches, {
    scripted,
    limiter,
    wrongBudgets: [],
    serveAll: (request) => (request.vendorLine ? scripted.serve(request) : rig.serve(request)),
    start: (params) => rig.startWorker({ ...TIMES, serve: rig.serveAll, vendors: scripted.vendors, ...params }),
    async until(condition, stepMs = 50) {
      const check = async (): Promise<boolean> => {
        rig.clock.now += stepMs;
        await checkBudget();
        return condition();
      };
      await expect.poll(check, LONG).toBe(true);
    },
    async endedAtVendor(batch, stepMs) {
      await rig.until(async () => isFinalBatch(await rig.find(batch)), stepMs);
      await checkBudget();
      return rig.find(batch);
    },
  } satisfies Omit<VendorRig, keyof BatchRig>);
  async function checkBudget(): Promise<void> {
    const wrong = wrongBudget(await readBudget(rig));
    if (wrong !== undefined) rig.wrongBudgets.push(wrong);
  }
  const budget = { limit_usd: 10, remaining_usd: 10, period: 'total' };
  rig.estimate = { status: 200, body: { cost_usd: ESTIMATE_NANOS / 1e9, budget, exceeds: [] } };
  return rig;
}

interface BudgetState {
  /** Reserved and charged, in nano-dollars. */
  held: number;
  spent: number;
  batches: { held: number; isOpen: boolean; isAtVendor: boolean }[];
}

/** Reads the budget of `alice` and her batches at one moment. */
async function readBudget({ redis, prefix }: BatchRig): Promise<BudgetState> {
  const script = `
    local root, batches = KEYS[1], {}
    for _, id in ipairs(redis.call('ZRANGE', root .. 'batches:of:alice', 0, -1)) do
      local key = root .. 'batches:batch:' .. id
      table.insert(batches, redis.call('HMGET', key, 'heldNanos', 'status', 'vendorStage'))
    end
    return { redis.call('HMGET', root .. 'budget:alice', 'held', 'total'), batches }`;
  // The cast is safe because the script returns these lists.
  const [[held, spent], batches] = (await redis.eval(script, 1, `{${prefix}}:`)) as [
    (string | null)[],
    [held: string | null, status: Batch['status'], stage: string | null][],
  ];
  return {
    held: Number(held ?? 0),
    spent: Number(spent ?? 0),
    batches: batches.map(([reserved, status, stage]) => ({
      held: Number(reserved ?? 0),
      isOpen: !isFinalBatch({ status }),
      isAtVendor: stage !== null && stage !== '',
    })),
  };
}

/** The budget has the reservations of open batches. Charges for a batch of a vendor are taken from its reservation. */
function wrongBudget({ held, spent, batches }: BudgetState): string | undefined {
  const sum = batches.reduce((total, one) => total + one.held, 0);
  if (held !== sum) return `${held} are reserved, but ${sum} for the batches`;
  if (batches.some((one) => one.held > 0 && !(one.isOpen && one.isAtVendor))) return 'a batch that ended reserves';
  const [batch] = batches;
  const isExact = batches.length !== 1 || !batch?.isOpen || !batch.isAtVendor || held + spent === ESTIMATE_NANOS;
  return isExact ? undefined : `${held} reserved and ${spent} charged of ${ESTIMATE_NANOS}`;
}
