import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import { WireError } from '../../http/wire-error.ts';
import { type Rank, rankDocuments } from '../../text/rank-documents.ts';
import { openTextScope } from '../../text/open-text-scope.ts';
import { serveBuffered } from '../../text/serve-buffered.ts';
import type { TextFault } from '../../text/text-faults.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { checkBody } from '../../schema/check-body.ts';

const NAME = 'tei';
/** Default of the server's `--max-client-batch-size`. */
const MAX_TEXTS = 32;
/** The smallest distance of a score from 0 and 1. At 0 and 1, the logarithm would be infinite. */
const EDGE = 1e-4;

/** The server ignores unknown fields. */
const Request = z.object({
  query: z.string(),
  texts: z.array(z.string()),
  truncate: z.boolean().nullish(),
  truncation_direction: z.enum(['Left', 'Right', 'left', 'right']).optional(),
  raw_scores: z.boolean().optional(),
  return_text: z.boolean().optional(),
});

const STATUS = { Backend: 424, Empty: 400, Overloaded: 429, Tokenizer: 422, Unhealthy: 503, Validation: 413 };

/** Formats `{error, error_type}`. The type determines the status. */
function teiError(type: keyof typeof STATUS, error: string): WireError {
  return new WireError(STATUS[type], error, () => ({ error, error_type: type }));
}

const FAULTS: Record<TextFault, WireError> = {
  // The server's middleware sends a status without a body.
  unauthorized: new WireError(401, 'Unauthorized', () => undefined),
  throttled: teiError('Overloaded', 'Model is overloaded'),
  broken: teiError('Backend', 'Backend error: inference failed'),
  overloaded: teiError('Unhealthy', 'unhealthy'),
  context: teiError('Validation', 'Input validation error: `inputs` must have less than 512 tokens. Given: 1024'),
};

const formatTeiFault = (fault: TextFault): WireError => FAULTS[fault];

/** The server's web framework rejects an invalid body in plain text. */
function unreadable(status: number, message: string): WireError {
  return new WireError(status, message, () => `Failed to deserialize the JSON body into the target type: ${message}`);
}

function rawScore(score: number): number {
  const inside = Math.min(1 - EDGE, Math.max(EDGE, score));
  return Number(Math.log(inside / (1 - inside)).toFixed(6));
}

function readRerank(body: unknown): z.infer<typeof Request> {
  const params = checkBody(Request, body ?? {}, ({ kind, field, message }) =>
    unreadable(422, kind === 'missing' ? `missing field \`${field}\`` : `${field}: ${message}`),
  );
  if (params.texts.length === 0) throw teiError('Empty', '`texts` cannot be empty');
  if (params.texts.length > MAX_TEXTS) {
    throw teiError('Validation', `batch size ${params.texts.length} > maximum allowed batch size ${MAX_TEXTS}`);
  }
  return params;
}

export function registerTei(scope: FastifyInstance, vendor: TextVendor): void {
  openTextScope(scope, vendor, {
    name: NAME,
    requestIdHeader: 'x-request-id',
    authenticate({ headers }) {
      if (!carriesBearerKey(headers.authorization, vendor.apiKey)) throw formatTeiFault('unauthorized');
    },
    formatHttpError: unreadable,
  });

  scope.post('/rerank', (request, reply) => {
    const params = readRerank(request.body);
    const format = ({ index, score }: Rank) => ({
      index,
      text: params.return_text === true ? params.texts[index] : undefined,
      score: params.raw_scores === true ? rawScore(score) : score,
    });
    const body = () => rankDocuments(params.query, params.texts).map(format);
    return serveBuffered(vendor, { wire: NAME, text: params.query, fault: formatTeiFault, body }, reply);
  });
}
