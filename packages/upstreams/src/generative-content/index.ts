import type { TextCall } from '@sluice/canonical';
import { createDirectUpstream } from '../direct/create-direct-upstream.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { versioned, versionedPath } from '../media/google-base.ts';
import { createTextUpstream } from '../text/create-text-upstream.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { geminiEmbedding } from './embedding.ts';
import { geminiImages } from './image.ts';
import { modelPath } from './model-path.ts';
import { geminiSpeech } from './speech.ts';
import { geminiTranscription } from './transcription.ts';

export const generativeContent = defineUpstream({
  kind: 'generative-content',
  build: (configured, context) => {
    const { api_key: key } = configured;
    const account = { ...configured, base_url: versioned(configured.base_url) };
    const sign = () => (key === undefined ? {} : { 'x-goog-api-key': key });
    return {
      embedding: createDirectUpstream(account, context, sign(), geminiEmbedding),
      speech: createDirectUpstream(account, context, sign(), geminiSpeech),
      transcription: geminiTranscription(account, context, sign()),
      image: createMediaUpstream(account, context, sign, geminiImages),
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
        configured,
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
