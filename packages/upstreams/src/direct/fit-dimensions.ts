import {
  type Embeddings,
  type EmbeddingParams,
  GatewayError,
  lengthOf,
  numbersOf,
  type Vector,
} from '@sluice/canonical';

/** Models with Matryoshka embeddings, in which a prefix of a vector is also a valid embedding. */
const MATRYOSHKA = /(?:^|\/)(?:text-embedding-3|gemini-embedding|embed-v4|jina-embeddings-v[34])/;

/**
 * Enforces the requested vector length, because some vendors and many local servers ignore it. Longer vectors are
 * truncated and normalized if the model allows it.
 * @throws GatewayError `unsupported_parameter` if the model does not allow it
 */
export function fitDimensions(
  response: Embeddings,
  { dimensions }: Pick<EmbeddingParams, 'dimensions'>,
  model: string,
): Embeddings {
  if (dimensions === undefined || response.vectors.every((vector) => lengthOf(vector) === dimensions)) return response;
  return { ...response, vectors: response.vectors.map((vector) => fit(vector, dimensions, model)) };
}

function fit(vector: Vector, dimensions: number, model: string): Vector {
  const length = lengthOf(vector);
  if (length === dimensions) return vector;
  if (length > dimensions && MATRYOSHKA.test(model)) return unitVector(numbersOf(vector).slice(0, dimensions));
  const what = `This model returns vectors with ${length} dimensions, which cannot be truncated to ${dimensions}.`;
  throw new GatewayError('unsupported_parameter', what, { param: 'dimensions' });
}

export function unitVector(numbers: readonly number[]): readonly number[] {
  const norm = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  return norm === 0 ? numbers : numbers.map((number) => number / norm);
}
