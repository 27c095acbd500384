import { testRedis } from '@sluice/testkit';
import { type AdminRig, adminRig } from './admin-rig.ts';
import type { ApiRigOptions } from './api-rig.ts';

/** Several APIs of one deployment: they share a Redis and the prefix in it. */
export interface DeploymentRig {
  redisUrl: string;
  /** Starts one more of them. */
  start(this: void, options?: ApiRigOptions): Promise<AdminRig>;
  close(): Promise<void>;
}

/** Builds a {@link DeploymentRig} in which none is started yet. */
export function deploymentRig(): DeploymentRig {
  const { prefix, redisUrl } = testRedis();
  const rigs: AdminRig[] = [];
  return {
    redisUrl,
    async start(options = {}) {
      const rig = await adminRig({ ...options, config: { redis: { prefix }, ...options.config } });
      rigs.push(rig);
      return rig;
    },
    async close() {
      for (const rig of rigs) await rig.close();
    },
  };
}
