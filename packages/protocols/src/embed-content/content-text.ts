import { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import type { EmbedContentSchema } from './schema.ts';

type Content = z.output<typeof EmbedContentSchema>['content'];

/**
 * Joins the text parts of a `content` object, because one vector represents all of them.
 * @param path the object's path (e.g. `requests[0][content]`)
 * @throws GatewayError if the object has no text or contains other parts
 */
export function contentText({ parts = [] }: Content, path: string): string {
  const texts = parts.map((part, index) => {
    if (part.text !== undefined) return part.text;
    const [other = 'text'] = Object.keys(part);
    const param = `${path}[parts][${index}][${other}]`;
    if (other === 'text') throw new GatewayError('invalid_request', `${param} is required.`, { param });
    throw new GatewayError('unsupported_parameter', `${param} is not supported. Embeddings accept only text.`, {
      param,
    });
  });
  const text = texts.join('\n');
  if (text !== '') return text;
  const param = `${path}[parts]`;
  throw new GatewayError('invalid_request', `${param} must contain text.`, { param });
}
