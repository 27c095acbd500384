import type { FastifyRequest } from 'fastify';
import type { MediaTask } from '@sluice/canonical';
import { createContentLinker } from '@sluice/protocols';

/** Links to finished files that need no API key, for players, browsers, and the vendors' clients. */
export interface ContentLinks {
  linkTo(request: FastifyRequest, task: MediaTask, index: number): string;
  /** The gateway's origin in the request; undefined if a public URL is configured. */
  originOf(request: FastifyRequest): string | undefined;
  isValid(request: FastifyRequest): boolean;
  /** Whether it is an expired or changed link without any other credential. */
  isInvalid(request: FastifyRequest): boolean;
}

export interface ContentLinksOptions {
  secret: string;
  /** Where clients reach the API; absent: the origin of their requests. */
  publicUrl: string | undefined;
  /** Retention of a file without an expiry, in milliseconds. */
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
    originOf({ protocol, host }) {
      // An invalid host is dropped: client input must not become part of a link.
      return base === undefined ? URL.parse(`${protocol}://${host}`)?.origin : undefined;
    },
    isInvalid(request) {
      const { signature } = request.query as { signature?: unknown };
      return signature !== undefined && request.headers.authorization === undefined && !this.isValid(request);
    },
    isValid({ url, query }) {
      return linker.isValid(url.split('?', 1)[0] ?? '', query as Record<string, unknown>, now());
    },
  };
}
