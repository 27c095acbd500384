import type { FastifyRequest } from 'fastify';
import { openAiError } from './openai-error.ts';

/** @throws WireError if the request is not multipart. */
export function expectForm(request: FastifyRequest): void {
  if (request.isMultipart()) return;
  const type = request.headers['content-type'] ?? 'none';
  const words = `This API method only accepts 'multipart/form-data' requests, but you specified the header 'Content-Type: ${type}'.`;
  throw openAiError(
    400,
    `Unsupported content type: '${type}'. ${words} Please try again with a supported content type.`,
  );
}
