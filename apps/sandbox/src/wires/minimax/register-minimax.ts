import type { FastifyInstance } from 'fastify';
import type { MediaVendor } from '../media/media-vendor.ts';
import { registerMinimaxV1 } from './register-v1.ts';
import { registerMinimaxV2 } from './register-v2.ts';

/** Both versions; neither knows the other's tasks. */
export async function registerMinimax(scope: FastifyInstance, vendor: MediaVendor): Promise<void> {
  await scope.register(async (inner) => registerMinimaxV1(inner, vendor), { prefix: '/v1' });
  await scope.register(async (inner) => registerMinimaxV2(inner, vendor), { prefix: '/v2' });
}
