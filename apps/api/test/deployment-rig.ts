import { testRedis } from '@sluice/testkit';
import { type AdminRig, adminRig } from './admin-rig.ts';
import type { ApiRigOptions } from './api-rig.ts';

/** Several APIs of one deployment. They share a Redis and its prefix. */
export interface DeploymentRig {
  redisUrl: string;
  start(this: void, options?: ApiRigOptions): Promise<AdminRig>;
  close(): Promise<void>;
}

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
