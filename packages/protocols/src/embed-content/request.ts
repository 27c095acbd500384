import { isDeepStrictEqual } from 'node:util';
import { type EmbeddingParams, GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import type { DirectInput, DirectParams } from '../contracts/direct-protocol.ts';
import { isRecord } from '../json/is-record.ts';
import { parseInput } from '../json/parse-input.ts';
import { normalizeRequest } from './normalize-request.ts';
import { contentText } from './content-text.ts';
import { BatchEmbedContentsSchema, EmbedContentSchema } from './schema.ts';

/** Whether the body's model must equal the path's (`same`, as Google requires) or is ignored (`any`). */
type BodyModel = 'same' | 'any';

/** The path's model takes precedence. @throws GatewayError */
export function decodeEmbedContent(
  { body, model: pathModel }: DirectInput,
  bodyModel: BodyModel = 'same',
): DirectParams<'embedding'> {
  const request = parseInput(EmbedContentSchema, normalizeRequest(body ?? {}));
  if (bodyModel === 'same') expectSameModel(pathModel, request.model, 'model');
  const text = contentText(request.content, 'content');
  return directParams(pathModel ?? bareName(request.model), [request], [text]);
}

/** Requests in a batch can differ only in content and title. @throws GatewayError */
export function decodeBatchEmbedContents(
  { body, model: pathModel }: DirectInput,
  bodyModel: BodyModel = 'same',
): DirectParams<'embedding'> {
  const { requests } = parseInput(BatchEmbedContentsSchema, withCamelRequests(body ?? {}));
  for (const [index, request] of requests.entries()) expectSameFields(requests[0] ?? request, request, index);
  if (bodyModel === 'same') expectSameModel(pathModel, requests[0]?.model, 'requests[0][model]');
  const texts = requests.map(({ content }, index) => contentText(content, `requests[${index}][content]`));
  return directParams(pathModel ?? bareName(requests[0]?.model), requests, texts);
}

type EmbedContent = z.output<typeof EmbedContentSchema>;

/** Fields that may differ between requests. */
const VARYING_FIELDS = new Set(['model', 'content', 'title']);

function withCamelRequests(body: unknown): unknown {
  if (!isRecord(body) || !Array.isArray(body['requests'])) return body;
  return { ...body, requests: body['requests'].map(normalizeRequest) };
}

/** Rejects requests with different fields, because all requests in a batch are sent to one model in one call. */
function expectSameFields(first: EmbedContent, other: EmbedContent, index: number): void {
  for (const field of new Set([...Object.keys(first), ...Object.keys(other)])) {
    if (field === 'content' || field === 'title') continue;
    const [left, right] = [first[field], other[field]];
    const isSame = field === 'model' ? bareName(first.model) === bareName(other.model) : isDeepStrictEqual(left, right);
    if (isSame) continue;
    const param = `requests[${index}][${field}]`;
    throw new GatewayError('invalid_request', `${param} must be the same in all requests.`, { param });
  }
}

function expectSameModel(pathModel: string | undefined, bodyModel: string | undefined, param: string): void {
  if (pathModel === undefined || bodyModel === undefined || bareName(bodyModel) === bareName(pathModel)) return;
  throw new GatewayError('invalid_request', `${param} must be the model of the path.`, { param });
}

function bareName(model: string | undefined): string | undefined {
  return model?.replace(/^models\//, '');
}

function directParams(
  model: string | undefined,
  requests: readonly EmbedContent[],
  inputs: readonly string[],
): DirectParams<'embedding'> {
  const titles = requests.map(({ title }) => title);
  const { taskType, outputDimensionality, ...rest } = requests[0] ?? {};
  const fields = Object.fromEntries(Object.entries(rest).filter(([field]) => !VARYING_FIELDS.has(field)));
  const params: EmbeddingParams = {
    inputs,
    ...(outputDimensionality !== undefined && { dimensions: outputDimensionality }),
    ...(taskType !== undefined && { task: taskType }),
    ...(titles.some((one) => one !== undefined) && { titles }),
    prefersBase64: false,
    foreign: { protocol: 'generative-content', fields },
  };
  return { ...(model !== undefined && { model }), params };
}
