import type { FastifyRequest } from 'fastify';
import { openAiError } from './openai-error.ts';

export function expectForm(request: FastifyRequest): void {
  if (request.isMultipart()) return;
  const type = request.headers['content-type'] ?? 'none';
  const problem = `This API method only accepts 'multipart/form-data' requests, but you specified the header 'Content-Type: ${type}'.`;
  const message = `Unsupported content type: '${type}'. ${problem} Please try again with a supported content type.`;
  throw openAiError(400, message);
}
