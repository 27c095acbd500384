import type { Burst, BurstResult } from '../load/load-generator.ts';
import { CONTENDER_CORE, pinProcess, SUPPORT_CORE } from '../measure/pin.ts';
import type { Stage } from '../measure/stage.ts';
import { startSubject } from '../measure/start-subject.ts';
import type { ContenderName } from './launches.ts';
import { type Contender, startContender } from './start-contender.ts';

/** One core for the measured process; the vendor, the load generator, and Redis share the other. */
export interface ContenderStage {
  /** Returns undefined if the program is not installed. */
  start(name: ContenderName): Promise<Contender | undefined>;
  run(burst: Burst): Promise<BurstResult>;
  /** CPU time that the vendor and the load generator have used, in microseconds. */
  supportCpuUs(): Promise<number>;
  /** Stops all processes that were started. */
  close(): Promise<void>;
}

const program = (name: string) => new URL(`../${name}.ts`, import.meta.url);

export async function setContenderStage({ redis, dir, env }: Stage): Promise<ContenderStage> {
  await redis.flushall();
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
  const pinSupport = (core: number | undefined) => [process.pid, redisPid].forEach((pid) => pinProcess(pid, core));
  pinSupport(SUPPORT_CORE);
  const vendor = await startSubject({ program: program('peers/text-vendor'), env, core: SUPPORT_CORE });
  const load = await startSubject({ program: program('load/load-generator'), env, core: SUPPORT_CORE });
  const contenders: Contender[] = [];
  return {
    async start(name) {
      const contender = await startContender(name, { vendorUrl: vendor.url, env, dir, core: CONTENDER_CORE });
      if (contender) contenders.push(contender);
      return contender;
    },
    run: (burst) => load.call<BurstResult>('run', burst),
    supportCpuUs: async () => (await vendor.usage()).cpuUs + (await load.usage()).cpuUs,
    async close() {
      await Promise.all(contenders.map((contender) => contender.stop()));
      await Promise.all([vendor.stop(), load.stop()]);
      pinSupport(undefined);
    },
  };
}
