import type { TextCall } from '@sluice/canonical';
import { createDirectUpstream } from '../direct/create-direct-upstream.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { versioned, versionedPath } from '../media/google-base.ts';
import { wireTools } from '../media/wire-tools.ts';
import { createTextUpstream } from '../text/create-text-upstream.ts';
import { defineUpstream } from '../upstream.ts';
import { geminiEmbedding } from './embedding.ts';
import { geminiImages } from './image.ts';
import { modelPath } from './model-path.ts';
import { geminiSpeech } from './speech.ts';
import { geminiTranscription } from './transcription.ts';

/** The kind `generative-content`: Google's Gemini API, its text and the images of its image models. */
export const generativeContent = defineUpstream({
  kind: 'generative-content',
  build: (account, context) => {
    const { api_key: key } = account;
    const sign = () => (key === undefined ? {} : { 'x-goog-api-key': key });
    return {
      embedding: createDirectUpstream(versioned(account), context, sign(), geminiEmbedding),
      speech: createDirectUpstream(versioned(account), context, sign(), geminiSpeech),
      transcription: geminiTranscription(versioned(account), context, sign()),
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
