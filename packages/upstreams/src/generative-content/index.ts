import type { TextCall } from '@sluice/canonical';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { versioned, versionedPath } from '../media/google-base.ts';
import { wireTools } from '../media/wire-tools.ts';
import { createTextUpstream } from '../text/create-text-upstream.ts';
import { defineUpstream } from '../upstream.ts';
import { geminiImages } from './image.ts';
import { modelPath } from './model-path.ts';

/** The kind `generative-content`: Google's Gemini API, its text and the images of its image models. */
export const generativeContent = defineUpstream({
  kind: 'generative-content',
  build: (account, context) => {
    const { api_key: key } = account;
    const sign = () => (key === undefined ? {} : { 'x-goog-api-key': key });
    return {
      image: createMediaUpstream(versioned(account), context, sign, geminiImages(wireTools(account, context))),
      text: createTextUpstream(
        {
          protocol: 'generative-content',
          credential: (apiKey) => ['x-goog-api-key', apiKey],
          basePath: versionedPath,
          path: (call) => {
            const method = methodOf(call);
            return method === undefined ? undefined : `${modelPath(call.model)}:${method}`;
          },
        },
        account,
        context,
      ),
    };
  },
});

function methodOf({ operation, stream }: TextCall): string | undefined {
  if (operation === 'count-tokens') return 'countTokens';
  if (operation !== 'generate') return undefined;
  return stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
}
