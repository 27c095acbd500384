import type { TextCall } from '@sluice/canonical';
import { generativeBatches } from '../batches/generative-batches.ts';
import { createDirectUpstream } from '../direct/create-direct-upstream.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { isVertex, versioned, versionedPath } from '../media/google-base.ts';
import { createTextUpstream } from '../text/create-text-upstream.ts';
import { resumableFiles } from './resumable-files.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { geminiEmbedding } from './embedding.ts';
import { geminiImages } from './image.ts';
import { modelPath } from './model-path.ts';
import { geminiSpeech } from './speech.ts';
import { geminiTranscription } from './transcription.ts';
import { vertexEmbedding } from './vertex-embedding.ts';
import { vertexCountBody } from './vertex-count-body.ts';

export const generativeContent = defineUpstream({
  kind: 'generative-content',
  build: (configured, context) => {
    const { api_key: key } = configured;
    const account = { ...configured, base_url: versioned(configured.base_url) };
    const vertex = isVertex(configured.base_url);
    // Vertex AI does not accept the ids of function calls.
    const quirks = { ...(vertex && { call_ids: false }), ...configured.quirks };
    const sign = () => (key === undefined ? {} : { 'x-goog-api-key': key });
    return {
      // Vertex AI has batches of its own, which read and write its storage.
      ...(!vertex && { batches: generativeBatches(configured, context, modelPath) }),
      embedding: createDirectUpstream(account, context, sign(), vertex ? vertexEmbedding : geminiEmbedding),
      speech: createDirectUpstream(account, context, sign(), geminiSpeech),
      transcription: geminiTranscription(account, context, sign()),
      image: createMediaUpstream(account, context, sign, geminiImages),
      text: {
        ...createTextUpstream(
          {
            protocol: 'generative-content',
            credential: (apiKey) => ['x-goog-api-key', apiKey],
            basePath: versionedPath,
            path: (call) => {
              const method = methodOf(call);
              return method === undefined ? undefined : `${modelPath(call.model)}:${method}`;
            },
            ...(vertex && { countBody: vertexCountBody }),
          },
          { ...configured, quirks },
          context,
        ),
        files: vertex ? undefined : resumableFiles(account, context),
      },
    };
  },
});

function methodOf({ operation, stream }: TextCall): string | undefined {
  if (operation === 'count-tokens') return 'countTokens';
  if (operation !== 'generate') return undefined;
  return stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
}
