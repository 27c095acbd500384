import type { FastifyInstance, FastifyReply } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import { openTextScope } from '../../text/open-text-scope.ts';
import { serveBuffered } from '../../text/serve-buffered.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { embedResponse, readEmbed } from './cohere-embed.ts';
import { cohereError, formatCohereFault } from './cohere-error.ts';
import { readFirstRerank, readSecondRerank, rerankResponse } from './cohere-rerank.ts';

const NAME = 'cohere';

export function registerCohere(scope: FastifyInstance, vendor: TextVendor): void {
  openTextScope(scope, vendor, {
    name: NAME,
    requestIdHeader: 'x-debug-trace-id',
    authenticate({ headers: { authorization } }) {
      if (authorization === undefined) throw cohereError(401, 'no api key supplied');
      if (!carriesBearerKey(authorization, vendor.apiKey)) throw formatCohereFault('unauthorized');
    },
    formatHttpError: cohereError,
  });

  function serve(reply: FastifyReply, text: string, body: () => unknown) {
    return serveBuffered(vendor, { wire: NAME, text, fault: formatCohereFault, body }, reply);
  }

  for (const [path, read] of [
    ['/v1/rerank', readFirstRerank],
    ['/v2/rerank', readSecondRerank],
  ] as const) {
    scope.post(path, ({ body }, reply) => {
      const params = read(body);
      return serve(reply, params.query, () => rerankResponse(params, vendor));
    });
  }

  scope.post('/v2/embed', ({ body }, reply) => {
    const params = readEmbed(body);
    return serve(reply, params.texts[0] ?? '', () => embedResponse(params, vendor));
  });
}
