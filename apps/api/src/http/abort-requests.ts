import { setTimeout as wait } from 'node:timers/promises';
import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Cuts off the requests under way, because the process stops and can wait no longer: each is told why, has a moment
     * to say so to its client, and then loses its connection. A web socket is none of them.
     * @returns how many there were
     */
    cutOff(): number;
  }
  interface FastifyRequest {
    /** Whether the stop of the process has ended the request: what fails then is nobody's fault. */
    isAborted: boolean;
    /** What ends the request's work when it is cut off, where somebody waits for it. */
    abortWork: ((why: GatewayError) => void) | undefined;
  }
}

/** For the last words of requests that are cut off. */
const FINAL_WRITE_MS = 500;
/** For connections that were closed to be told of. */
const CLOSING_MS = 1_000;
/** How soon another process can be there. */
const RETRY_MS = 1_000;

/**
 * Keeps what an API has under way, so that it can be cut off, and lets nothing that was begun outlive its `onClose`
 * hooks: the server counts a connection as closed before its request is told so.
 */
export function trackRequests(app: FastifyInstance): void {
  const pending = new Set<FastifyRequest>();
  let onNone: (() => void) | undefined;
  app.decorateRequest('isCutOff', false);
  app.decorateRequest('stopWork', undefined);
  app.addHook('onRequest', (request, { raw }, done) => {
    pending.add(request);
    raw.once('close', () => {
      pending.delete(request);
      if (pending.size === 0) onNone?.();
    });
    done();
  });
  app.decorate('cutOff', () => {
    const cut = [...pending].filter(({ session }) => session === undefined);
    for (const request of cut) {
      request.isAborted = true;
      request.charge?.leave();
      request.abortWork?.(stopped());
    }
    setTimeout(() => app.server.closeAllConnections(), FINAL_WRITE_MS).unref();
    return cut.length;
  });
  app.addHook('onClose', async () => {
    if (pending.size === 0) return;
    const none = new Promise<void>((resolve) => (onNone = resolve));
    await Promise.race([none, wait(CLOSING_MS, undefined, { ref: false })]);
  });
}

/** Why a signal has aborted, if it was because the process stops. */
export function abortReason({ aborted, reason }: AbortSignal): GatewayError | undefined {
  return aborted && reason instanceof GatewayError ? reason : undefined;
}

function stopped(): GatewayError {
  const what = 'The server stops and could not wait for the answer any longer. Send the request again.';
  return new GatewayError('no_upstream', what, { retryAfterMs: RETRY_MS });
}
