import {
  type Embeddings,
  type EmbeddingParams,
  GatewayError,
  lengthOf,
  numbersOf,
  type Vector,
} from '@sluice/canonical';

/** Models whose vectors are made to be cut (Matryoshka): what comes first says most. */
const MATRYOSHKA = /(?:^|\/)(?:text-embedding-3|gemini-embedding|embed-v4|jina-embeddings-v[34])/;

/**
 * Sees to it that vectors have the wished length, since some vendors and many local servers overlook the wish. Longer ones are
 * cut and made unit length where the model allows for it.
 * @throws GatewayError `unsupported_parameter` where it does not
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
  const what = `The vectors of this model have ${length} dimensions, and cannot be made to have ${dimensions}.`;
  throw new GatewayError('unsupported_parameter', what, { param: 'dimensions' });
}

/** A vector of the same direction whose length in space is 1; one of nothing stays. */
export function unitVector(numbers: readonly number[]): readonly number[] {
  const norm = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  return norm === 0 ? numbers : numbers.map((number) => number / norm);
}
