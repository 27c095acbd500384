import { GatewayError, type RerankDocument, type RerankParams } from '@sluice/canonical';

/** The documents of a wish as texts, for vendors that take nothing else. @throws GatewayError for pictures */
export function documentTexts({ documents, rankFields }: Pick<RerankParams, 'documents' | 'rankFields'>): string[] {
  return documents.map((document, index) => documentText(document, rankFields, `documents[${index}]`));
}

/**
 * A document as one text: the fields to rank by where the client has named them and the document has any, else its `text`,
 * else all of its fields. Fields are spelled as lines of YAML, which Cohere's models were made for.
 * @param path of the document, for errors
 */
export function documentText(document: RerankDocument, rankFields: RerankParams['rankFields'], path: string): string {
  if (typeof document === 'string') return document;
  const named = (rankFields ?? []).filter((field) => isReported(document[field]));
  const [first, ...more] = named;
  if (first !== undefined && more.length === 0 && typeof document[first] === 'string') return document[first];
  if (named.length > 0) return asLines(document, named);
  const { text, image } = document;
  if (typeof text === 'string') return text;
  if (isReported(image)) {
    const param = `${path}[image]`;
    const what = `${param} is not supported: the upstream of this model ranks texts alone.`;
    throw new GatewayError('unsupported_parameter', what, { param });
  }
  return asLines(document, Object.keys(document));
}

function isReported(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function asLines(document: Readonly<Record<string, unknown>>, fields: readonly string[]): string {
  return fields.map((field) => `${field}: ${valueText(document[field])}`).join('\n');
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
