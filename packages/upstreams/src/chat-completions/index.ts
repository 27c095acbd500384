import { bearerOf } from '../media/api-key.ts';
import { createDirectUpstream } from '../direct/create-direct-upstream.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { bearer } from '../text/bearer.ts';
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
    const sign = () => bearerOf(account);
    return {
      realtime: openAiRealtime(account, context),
      speech: openAiSpeech(account, context, sign()),
      transcription: openAiTranscription(account, context, sign()),
      moderation: createDirectUpstream(account, context, sign(), openAiModeration),
      embedding: createDirectUpstream(account, context, sign(), openAiEmbedding),
      image: createMediaUpstream(account, context, sign, openAiImages),
      text: createTextUpstream(
        {
          protocol: 'chat-completions',
          credential: bearer,
          path: ({ operation }) => {
            if (operation === 'complete') return completions;
            return operation === 'generate' ? '/chat/completions' : undefined;
          },
        },
        account,
        context,
      ),
    };
  },
});
