import { GatewayError, type RerankDocument, type RerankParams } from '@sluice/canonical';

/** Encodes documents as texts for vendors that accept only texts. @throws GatewayError for images */
export function documentTexts({ documents, rankFields }: Pick<RerankParams, 'documents' | 'rankFields'>): string[] {
  return documents.map((document, index) => documentText(document, rankFields, `documents[${index}]`));
}

/**
 * Encodes a document as one text. The text contains the requested rank fields. Without rank fields, it contains the
 * document's `text` or, if that is missing, all of its fields. Fields are encoded as YAML lines, the format that
 * Cohere's models were trained on.
 * @param path the document's path, for errors
 */
export function documentText(document: RerankDocument, rankFields: RerankParams['rankFields'], path: string): string {
  if (typeof document === 'string') return document;
  const present = (rankFields ?? []).filter((field) => isPresent(document[field]));
  const [first, ...more] = present;
  if (first !== undefined && more.length === 0 && typeof document[first] === 'string') return document[first];
  if (present.length > 0) return asLines(document, present);
  const { text, image } = document;
  if (typeof text === 'string') return text;
  if (isPresent(image)) {
    const param = `${path}[image]`;
    const what = `${param} is not supported: the upstream of this model ranks texts only.`;
    throw new GatewayError('unsupported_parameter', what, { param });
  }
  return asLines(document, Object.keys(document));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function asLines(document: Readonly<Record<string, unknown>>, fields: readonly string[]): string {
  return fields.map((field) => `${field}: ${valueText(document[field])}`).join('\n');
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
