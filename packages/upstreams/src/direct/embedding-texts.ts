import { type EmbeddingParams, GatewayError } from '@sluice/canonical';

export function embeddingTexts({ inputs }: Pick<EmbeddingParams, 'inputs'>): string[] {
  return inputs.map((input) => {
    if (typeof input === 'string') return input;
    const what = '`input` must be texts: the upstream of this model does not accept token arrays.';
    throw new GatewayError('unsupported_parameter', what, { param: 'input' });
  });
}
