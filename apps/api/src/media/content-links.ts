import type { MediaTask } from '@sluice/canonical';
import { createContentLinker } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';
import { requestOrigin } from '../http/public-url.ts';

/** Links to finished files that work without an API key, for players, browsers, and vendors' SDKs. */
export interface ContentLinks {
  linkTo(request: FastifyRequest, task: MediaTask, index: number): string;
  /** The gateway's origin according to the request. Undefined if a public URL is configured. */
  originOf(request: FastifyRequest): string | undefined;
  isValid(request: FastifyRequest): boolean;
  /** Whether the URL is an expired or modified link and the request has no other credential. */
  isInvalid(request: FastifyRequest): boolean;
}

export interface ContentLinksOptions {
  secret: string;
  /** The URL at which clients reach the API. If undefined, links use the origin of the client's request. */
  publicUrl: string | undefined;
  /** How long a link to a file without an expiry stays valid, in milliseconds. */
  retentionMs: number;
  now: () => number;
}

export function buildContentLinks({ secret, publicUrl, retentionMs, now }: ContentLinksOptions): ContentLinks {
  const linker = createContentLinker(secret);
  const base = publicUrl?.replace(/\/+$/, '');

  return {
    linkTo(request, task, index) {
      const origin = base ?? this.originOf(request) ?? '';
      return origin + linker.link(task, index, task.expiresAt ?? now() + retentionMs);
    },
    originOf: (request) => (base === undefined ? requestOrigin(request) : undefined),
    isInvalid(request) {
      const { signature } = request.query as { signature?: unknown };
      return signature !== undefined && request.headers.authorization === undefined && !this.isValid(request);
    },
    isValid({ url, query }) {
      return linker.isValid(url.split('?', 1)[0] ?? '', query as Record<string, unknown>, now());
    },
  };
}
