import type { FastifyInstance } from 'fastify';
import type { MediaVendor } from '../media/media-vendor.ts';
import { registerMinimaxV1 } from './register-v1.ts';
import { registerMinimaxV2 } from './register-v2.ts';

/** Serves both versions of MiniMax's wire, each below its own path; neither knows the tasks of the other. */
export async function registerMinimax(scope: FastifyInstance, vendor: MediaVendor): Promise<void> {
  await scope.register(async (inner) => registerMinimaxV1(inner, vendor), { prefix: '/v1' });
  await scope.register(async (inner) => registerMinimaxV2(inner, vendor), { prefix: '/v2' });
}
