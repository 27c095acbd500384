import type { FastifyRequest } from 'fastify';
import type { MediaTask } from '@sluice/canonical';
import { createContentLinker } from '@sluice/protocols';

/** Links to finished files that need no API key: players, browsers and the vendors' own clients fetch them as they are. */
export interface ContentLinks {
  /** The link to one of a task's files, from 0; valid until the file is removed. */
  linkTo(request: FastifyRequest, task: MediaTask, index: number): string;
  /** The gateway as the request names it; undefined where its address is configured. */
  originOf(request: FastifyRequest): string | undefined;
  /** Whether the request's URL is a link that is still valid. */
  isValid(request: FastifyRequest): boolean;
  /** Whether it is an expired or changed link, without any other credential. */
  isInvalid(request: FastifyRequest): boolean;
}

/** What links are made with. */
export interface ContentLinksOptions {
  secret: string;
  /** Where clients reach the API; absent: as their requests name it. */
  publicUrl: string | undefined;
  /** How long a file is kept that has no end yet, milliseconds. */
  retentionMs: number;
  now: () => number;
}

/** Builds {@link ContentLinks}. */
export function buildContentLinks({ secret, publicUrl, retentionMs, now }: ContentLinksOptions): ContentLinks {
  const linker = createContentLinker(secret);
  const base = publicUrl?.replace(/\/+$/, '');

  return {
    linkTo(request, task, index) {
      const origin = base ?? this.originOf(request) ?? '';
      return origin + linker.link(task, index, task.expiresAt ?? now() + retentionMs);
    },
    originOf({ protocol, host }) {
      // A host that is none is left out: what a client sends must not become part of a link.
      return base === undefined ? URL.parse(`${protocol}://${host}`)?.origin : undefined;
    },
    isInvalid(request) {
      const { signature: given } = request.query as { signature?: unknown }; // all that a query can hold
      return given !== undefined && request.headers.authorization === undefined && !this.isValid(request);
    },
    isValid({ url, query }) {
      return linker.isValid(url.split('?', 1)[0] ?? '', query as Record<string, unknown>, now()); // all that a query can hold
    },
  };
}
