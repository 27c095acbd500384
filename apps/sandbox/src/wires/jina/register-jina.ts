import type { FastifyInstance, FastifyReply } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import { openTextScope } from '../../text/open-text-scope.ts';
import { serveBuffered } from '../../text/serve-buffered.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { embeddingsResponse, readEmbeddings } from './jina-embeddings.ts';
import { jinaError, formatJinaFault } from './jina-error.ts';
import { readRerank, rerankResponse } from './jina-rerank.ts';

const NAME = 'jina';

export function registerJina(scope: FastifyInstance, vendor: TextVendor): void {
  openTextScope(scope, vendor, {
    name: NAME,
    requestIdHeader: 'x-request-id',
    authenticate({ headers: { authorization } }) {
      if (authorization === undefined) throw jinaError(401, 'Authentication required');
      if (!carriesBearerKey(authorization, vendor.apiKey)) throw formatJinaFault('unauthorized');
    },
    formatHttpError: jinaError,
  });

  function serve(reply: FastifyReply, text: string, body: () => unknown) {
    return serveBuffered(vendor, { wire: NAME, text, fault: formatJinaFault, body }, reply);
  }

  scope.post('/v1/rerank', ({ body }, reply) => {
    const params = readRerank(body);
    return serve(reply, params.query, () => rerankResponse(params));
  });

  scope.post('/v1/embeddings', ({ body }, reply) => {
    const params = readEmbeddings(body);
    return serve(reply, params.texts[0] ?? '', () => embeddingsResponse(params));
  });
}
