import { GatewayError, type TextCall } from '@sluice/canonical';
import { createTextUpstream } from '../text/create-text-upstream.ts';
import { defineUpstream } from '../upstream.ts';

/** The kind `generative-content`: Google's Gemini API. */
export const generativeContent = defineUpstream({
  kind: 'generative-content',
  build: (account, context) => ({
    text: createTextUpstream(
      {
        protocol: 'generative-content',
        credential: (apiKey) => ['x-goog-api-key', apiKey],
        basePath: (path) => (/\/v1(?:(?:alpha|beta)\d*)?$/.test(path) ? path : `${path}/v1beta`),
        path: (call) => {
          const method = methodOf(call);
          return method === undefined ? undefined : `/models/${modelPath(call.model)}:${method}`;
        },
      },
      account,
      context,
    ),
  }),
});

function methodOf({ operation, stream }: TextCall): string | undefined {
  if (operation === 'count-tokens') return 'countTokens';
  if (operation !== 'generate') return undefined;
  return stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
}

/**
 * Escapes a model's name as segments of a path.
 * @throws GatewayError for a name that would lead out of the models
 */
function modelPath(model: string): string {
  const segments = model.replace(/^models\//, '').split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw new GatewayError('model_not_found', 'There is no model with this name.');
  return segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/');
}
