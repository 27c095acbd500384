import { openAiBatches } from '../batches/openai-batches.ts';
import { keyHeaderOf } from '../media/api-key.ts';
import { createDirectUpstream } from '../direct/create-direct-upstream.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { openAiFiles } from '../vendor-files/form-files.ts';
import { keyHeader } from '../text/bearer.ts';
import { createTextUpstream } from '../text/create-text-upstream.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { openAiEmbedding } from './embedding.ts';
import { openAiImages } from './image.ts';
import { openAiModeration } from './moderation.ts';
import { openAiSpeech } from './speech.ts';
import { openAiTranscription } from './transcription.ts';
import { openAiRealtime } from './realtime.ts';

/**
 * Upstream kind `chat-completions`: OpenAI's chat protocol, which most vendors and local servers use, and OpenAI's
 * embedding, moderation, image, audio, and realtime protocols.
 */
export const chatCompletions = defineUpstream({
  kind: 'chat-completions',
  build: (account, context) => {
    const completions = account.completions === true ? '/completions' : undefined;
    const sign = () => keyHeaderOf(account);
    return {
      batches: openAiBatches(account, context, '/v1/chat/completions'),
      realtime: openAiRealtime(account, context),
      speech: openAiSpeech(account, context, sign()),
      transcription: openAiTranscription(account, context, sign()),
      moderation: createDirectUpstream(account, context, sign(), openAiModeration),
      embedding: createDirectUpstream(account, context, sign(), openAiEmbedding),
      image: createMediaUpstream(account, context, sign, openAiImages),
      text: {
        ...createTextUpstream(
          {
            protocol: 'chat-completions',
            credential: (key) => keyHeader(key, account.base_url),
            path: ({ operation }) => {
              if (operation === 'complete') return completions;
              return operation === 'generate' ? '/chat/completions' : undefined;
            },
          },
          account,
          context,
        ),
        files: openAiFiles(account, context, /^application\/pdf$/),
      },
    };
  },
});
