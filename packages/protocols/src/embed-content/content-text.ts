import { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import type { EmbedContentSchema } from './schema.ts';

type Content = z.output<typeof EmbedContentSchema>['content'];

/**
 * The text of a content; several parts make one vector, so that they are one text.
 * @param path of the content, as `requests[0][content]`
 * @throws GatewayError for a content without text, and for parts that are none
 */
export function contentText({ parts = [] }: Content, path: string): string {
  const texts = parts.map((part, index) => {
    if (part.text !== undefined) return part.text;
    const [other = 'text'] = Object.keys(part);
    const param = `${path}[parts][${index}][${other}]`;
    if (other === 'text') throw new GatewayError('invalid_request', `${param} is required.`, { param });
    throw new GatewayError('unsupported_parameter', `${param} is not supported: only texts are made into vectors.`, {
      param,
    });
  });
  const text = texts.join('\n');
  if (text !== '') return text;
  const param = `${path}[parts]`;
  throw new GatewayError('invalid_request', `${param} must have a text that is not empty.`, { param });
}
