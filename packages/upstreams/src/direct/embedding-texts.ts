import { type EmbeddingParams, GatewayError } from '@sluice/canonical';

/** The texts of a wish. @throws GatewayError for tokens, which mean something to the model alone that they were made for */
export function embeddingTexts({ inputs }: Pick<EmbeddingParams, 'inputs'>): string[] {
  return inputs.map((input) => {
    if (typeof input === 'string') return input;
    const what = 'input must be texts: the upstream of this model takes no tokens.';
    throw new GatewayError('unsupported_parameter', what, { param: 'input' });
  });
}
