import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openScope, type WireScope } from '../http/open-scope.ts';
import type { TextVendor } from './text-vendor.ts';

export interface TextScope extends WireScope {
  name: string;
  modelOf?(request: FastifyRequest): string | undefined;
}

function modelIn(body: unknown): string | null {
  const model: unknown = Object(body).model;
  return typeof model === 'string' ? model : null;
}

/** Opens the scope of a text API. It logs every request, so that tests can inspect them. */
export function openTextScope(scope: FastifyInstance, vendor: TextVendor, wire: TextScope): void {
  openScope(scope, wire);
  scope.addHook('preValidation', async (request, reply) => {
    const model = wire.modelOf?.(request) ?? modelIn(request.body);
    const entry = { wire: wire.name, path: request.url, model, body: request.body ?? null };
    vendor.log.follow(vendor.log.note(entry, request.headers), reply.raw);
  });
}
