import { createLogger } from '@sluice/telemetry';
import { createDownload } from '../src/http/guarded/download.ts';
import { createUpstreamHttp } from '../src/http/fetch-upstream.ts';
import { openSocket } from '../src/realtime/open-socket.ts';
import type { UpstreamContext } from '../src/contract/upstream.ts';

export interface MediaContext extends UpstreamContext {
  logged: () => string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Creates a context that uses the real network. @param allow origins from which files may be fetched */
export function mediaContext(
  allow: string[],
  more: Partial<Pick<UpstreamContext, 'now' | 'timeouts'>> & { maxBytes?: number } = {},
): MediaContext {
  const { maxBytes = 1000, ...rest } = more;
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const http = createUpstreamHttp();
  const results = createDownload({ allowOrigins: allow, maxBytes, idleMs: 2000 });
  return {
    name: 'vendor',
    fetchUpstream: http.fetchUpstream,
    openUpstream: http.openUpstream,
    openSocket,
    download: results.download,
    timeouts: { submitMs: 2000, pollMs: 2000, downloadIdleMs: 2000 },
    logger: createLogger({ level: 'debug', name: 'test', destination }),
    now: Date.now,
    ...rest,
    logged: () => lines.join('\n'),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([http.close(), results.close()]);
    },
  };
}
