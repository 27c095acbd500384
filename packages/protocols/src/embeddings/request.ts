import type { EmbeddingInput } from '@sluice/canonical';
import type { z } from 'zod';
import type { DirectInput, DirectParams } from '../contracts/direct-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { EmbeddingsSchema } from './schema.ts';

/** The path's model takes precedence. @throws GatewayError `invalid_request` */
export function decodeEmbedding({ body, model: pathModel }: DirectInput): DirectParams<'embedding'> {
  const {
    model: bodyModel,
    input,
    dimensions,
    encoding_format: format,
    ...fields
  } = parseInput(EmbeddingsSchema, body ?? {});
  const model = pathModel ?? bodyModel;
  return {
    ...(model !== undefined && { model }),
    params: {
      inputs: inputsOf(input),
      ...(typeof dimensions === 'number' && { dimensions }),
      prefersBase64: format === 'base64',
      foreign: { protocol: 'openai', fields },
    },
  };
}

function inputsOf(input: z.output<typeof EmbeddingsSchema>['input']): readonly EmbeddingInput[] {
  if (typeof input === 'string') return [input];
  return isTokens(input) ? [input] : input;
}

function isTokens(input: readonly unknown[]): input is number[] {
  return typeof input[0] === 'number';
}
